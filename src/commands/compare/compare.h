/* SPDX-License-Identifier: MIT
 * What the two ways of `carbon compare` share: commands measured now (compare_live.c), and records (compare_records.c).
 * Used throughout commands/compare. Begin with compare_live(). */
#ifndef COMMANDS_COMPARE_COMPARE_H
#define COMMANDS_COMPARE_COMPARE_H

#include "app/options/command.h"
#include "commands/compare/comparison.h"
#include "form/output.h"

/* Those of cmd_compare.c whose defaults are not measure's. */
extern const struct option_spec option_compare_runs, option_compare_warmup;

/* Each returns the exit status. */
int compare_live(const struct command_line *line);
int compare_records(const struct command_line *line);

/* The table, or with --quiet the verdicts, on standard error. Returns status, or 125. */
int compare_print(const struct comparison *comparison, const struct settings *settings, int status);

/* The files of a comparison, opened before anything is run and kept readable throughout. */
struct compare_files {
    struct output json, csv, html;
    uint64_t next_progress_ns;
};

bool compare_files_open(struct compare_files *files, const struct settings *settings, struct error *err) MUST_CHECK;

/* Brings the partial document up to date; begun_ns: when that was begun. */
bool compare_files_want_progress(const struct compare_files *files);
void compare_files_progress(struct compare_files *files, const struct comparison *comparison, uint64_t begun_ns);

/* Writes each, whatever became of the other, and tells what failed. Returns status, or 125. */
int compare_files_write(struct compare_files *files, const struct comparison *comparison, int status);

/* What there is stays, under a name that says so and is told; discard: nothing was run, nothing is left behind. */
void compare_files_keep(struct compare_files *files);
void compare_files_discard(struct compare_files *files);

struct ci_files;

/* A row for each candidate; those that have a gate with its verdict. Returns status, or 125. */
int compare_ci_write(struct ci_files *ci, const struct comparison *comparison, int status);

#endif
