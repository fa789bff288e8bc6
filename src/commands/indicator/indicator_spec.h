/* SPDX-License-Identifier: MIT
 * A specification of an inspection in the format of Amun (`--spec FILE`): the script, its variables and the number of
 * runs. The parts from which Amun builds a container (base, packages, python, files) become a notice and are left to
 * the user. Used by indicator.h. Begin with indicator_spec_open(). */
#ifndef COMMANDS_INDICATOR_INDICATOR_SPEC_H
#define COMMANDS_INDICATOR_INDICATOR_SPEC_H

#include "app/work_folders.h"
#include "base/notice.h"
#include "io/arena.h"

#include <stdio.h>

struct indicator_spec {
    const char *path;       /* path as the user gave it */
    char *text;             /* the file's bytes */
    struct cJSON *document; /* owner of the texts */
    char batch[24];         /* batch_size; "": missing */
    const char *identifier; /* NULL: missing */
    bool is_inline;         /* the file contains the script itself */
    char script[WORK_PATH_SIZE];
    char *argv[3]; /* argv of the script; NULL-ended */
    struct work_folders folders;
    struct arena store;
    char **environment; /* NULL: unchanged */
};

/* has_command: a command was given, so the script of the file is ignored. Call indicator_spec_close in any case. */
bool indicator_spec_open(struct indicator_spec *spec, const char *path, bool has_command, struct error *err) MUST_CHECK;
void indicator_spec_close(struct indicator_spec *spec, struct notices *notices);

/* After dropping privileges: writes the file of an inline script. */
bool indicator_spec_place(struct indicator_spec *spec, struct error *err) MUST_CHECK;

/* spec->environment: these variables, overridden by those of the file. */
bool indicator_spec_environment(struct indicator_spec *spec, char *const *variables, struct error *err) MUST_CHECK;

/* A notice about the ignored parts. */
void indicator_spec_note(const struct indicator_spec *spec, struct notices *notices);

/* The file again, with "@created" if it was missing. */
bool indicator_spec_write(const struct indicator_spec *spec, const char *created, FILE *out,
                          struct error *err) MUST_CHECK;

#endif
