/* SPDX-License-Identifier: MIT
 * What the ways of `carbon indicator` share: a script measured now (indicator_live.c), files looked at
 * (indicator_check.c), and two results held against each other (indicator_gate.c). Used throughout commands/indicator.
 * Begin with indicator_live().
 *
 * indicator_live.c is a campaign of one item. before_run gives the command a struct capture:
 * measurement/workload_step.c takes what comes through its pipe while it waits, and has a job ended that prints
 * more than it may, so that neither memory nor time has no bound. after_run takes the bytes out; indicator_read
 * scans them and holds them to the contract. Nothing of them is parsed into numbers: scan_read.c keeps places, spans.c
 * copies, and indicator_object.c puts what carbon adds before the closing brace, so that digits, order and spelling
 * are the script's. indicator_flat.c makes columns of keys, indicator_amun.c (with indicator_hwinfo.c) the files
 * that Amun leaves, indicator_json.c a document that holds the whole record, which is how it can be the base of a
 * later run: indicator_gate.c reads it as a struct stored_record, makes another of the record just measured, and gate.c
 * tests the one against the other times its margin. */
#ifndef COMMANDS_INDICATOR_INDICATOR_H
#define COMMANDS_INDICATOR_INDICATOR_H

#include "app/campaign.h"
#include "gate/ci.h"
#include "app/options/command.h"
#include "commands/indicator/indicator_report.h"
#include "commands/indicator/indicator_spec.h"
#include "form/output.h"
#include "io/sha256.h"
#include "run/capture.h"

enum {
    STATUS_BAD_OUTPUT = 7, /* what the script printed is no output of an indicator */
};

/* Those of cmd_indicator.c. */
extern const struct option_spec option_compare, option_max_regression, option_require_verdict,
    option_summary, option_flat, option_amun, option_merge, option_score, option_allow_nan, option_strict,
    option_max_output, option_check_only, option_schema, option_specification;

/* Each returns the exit status. out: standard output. spec: of --spec, or NULL. */
int indicator_live(const struct command_line *line, const struct indicator_options *options,
                   struct indicator_spec *spec, FILE *out);
int indicator_check_files(const struct command_line *line, const struct indicator_options *options, FILE *out);
int indicator_compare_files(const struct command_line *line, FILE *out);

/* indicator_script.c: the file that a command means by its words: itself where that is a script, else the first later
 * word that names a file, else itself. "" where there is none. path_variable: PATH, or NULL. */
void indicator_script_of(char *const *argv, const char *path_variable, char *path, size_t size);

/* indicator_gate.c: a record, or the one within a result of carbon indicator. Given to stored_record_close in the end.
 */
bool indicator_read_stored(const char *path, struct stored_record *stored, struct error *err) MUST_CHECK;

/* The gate as the options have it; its names are borrowed. */
void indicator_gate_open(struct gate *gate, const struct settings *settings, const char *now_name);

/* 0, or what the verdict makes of it. */
int indicator_gate_status(const struct gate *gate, const struct settings *settings, int status);

/* Of --summary: opened before anything is run (NULL: not asked for), and written. */
bool indicator_summary_open(FILE **summary, const struct settings *settings, struct error *err) MUST_CHECK;
int indicator_summary_write(FILE *summary, const struct gate *gate, int status);

/* What a script is measured with. */
struct indicator_work {
    struct campaign campaign;
    struct campaign_item item;
    struct capture capture;
    struct indicator_report result;
    size_t room;         /* for runs */
    size_t stored_bytes; /* bytes of all stored outputs */
    bool too_much;       /* of them together: the series was ended */
    char script[4096], sha256[SHA256_TEXT_SIZE];
    char label[256];
    struct indicator_spec *spec; /* NULL: none */

    bool gated;
    struct ci_files ci;
    struct gate gate;
    struct stored_record base;

    FILE *out; /* for the objects */
    struct output json, flat;
    FILE *summary;
    const char *amun;
    uint64_t next_progress_ns;
};

/* indicator_files.c */
bool indicator_files_open(struct indicator_work *work, const struct settings *settings, struct error *err) MUST_CHECK;
void indicator_files_progress(struct indicator_work *work);
/* Writes each, whatever became of the others. Returns status, or 125. */
int indicator_files_write(struct indicator_work *work, int status);
void indicator_files_keep(struct indicator_work *work);
void indicator_files_discard(struct indicator_work *work);

#endif
