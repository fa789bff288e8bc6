/* SPDX-License-Identifier: MIT
 * Common parts of the two kinds of `carbon compare`: commands measured now (compare_live.c), and records
 * (compare_records.c). Used throughout commands/compare. Begin with compare_live(). */
#ifndef COMMANDS_COMPARE_COMPARE_H
#define COMMANDS_COMPARE_COMPARE_H

#include "app/options/command.h"
#include "commands/compare/comparison.h"
#include "form/output.h"

/* Options of cmd_compare.c whose defaults differ from those of measure. */
extern const struct option_spec option_compare_runs, option_compare_warmup;

/* Each returns the exit status. */
int compare_live(const struct command_line *line);
int compare_records(const struct command_line *line);

/* The table, or with --quiet the verdicts, on standard error. Returns status, or 125. */
int compare_print(const struct comparison *comparison, const struct settings *settings, int status);

/* The files of a comparison, opened before the first run and valid at any time. */
struct compare_files {
    struct output json, csv, html;
    uint64_t next_progress_ns;
};

bool compare_files_open(struct compare_files *files, const struct settings *settings, struct error *err) MUST_CHECK;

/* Updates the partial document; begun_ns: start of the update. */
bool compare_files_want_progress(const struct compare_files *files);
void compare_files_progress(struct compare_files *files, const struct comparison *comparison, uint64_t begun_ns);

/* Writes each file, even if another fails, and reports failures. Returns status, or 125. */
int compare_files_write(struct compare_files *files, const struct comparison *comparison, int status);

/* Keeps the files under their partial names and prints these; discard: nothing was run, so removes them. */
void compare_files_keep(struct compare_files *files);
void compare_files_discard(struct compare_files *files);

struct ci_files;

/* One row per candidate; those with a gate have its verdict. Returns status, or 125. */
int compare_ci_write(struct ci_files *ci, const struct comparison *comparison, int status);

#endif
