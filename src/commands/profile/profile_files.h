/* SPDX-License-Identifier: MIT
 * The files of a profile: opened before the job is run, written after it. Used by cmd_profile.c. Begin with
 * profile_files_open(). */
#ifndef COMMANDS_PROFILE_PROFILE_FILES_H
#define COMMANDS_PROFILE_PROFILE_FILES_H

#include "app/options/options.h"
#include "commands/profile/profile.h"
#include "form/output.h"

enum { PROFILE_FILES = 6 };

extern const struct option_spec option_folded, option_flamegraph, option_speedscope, option_pprof;

struct profile_files {
    struct output outputs[PROFILE_FILES];
};

bool profile_files_open(struct profile_files *files, const struct settings *settings, struct error *err) MUST_CHECK;

/* Writes each file, even if another fails, and reports failures. Returns status, or 125. */
int profile_files_write(struct profile_files *files, const struct profile *profile, int status);

/* Nothing was profiled. */
void profile_files_discard(struct profile_files *files);

#endif
