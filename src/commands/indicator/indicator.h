/* SPDX-License-Identifier: MIT
 * Common parts of the modes of `carbon indicator`: a script measured now (indicator_live.c), files checked
 * (indicator_check.c), and two results compared (indicator_gate.c). Used throughout commands/indicator. Begin with
 * indicator_live().
 *
 * indicator_live.c is a campaign of one item. before_run gives the command a struct capture:
 * measurement/workload_step.c reads its pipe while it waits, and stops a job whose output exceeds the maximum, so that
 * memory and time are bounded. after_run takes the bytes out; indicator_read scans them and checks the contract. No
 * value is parsed into a number: scan_read.c keeps places, spans.c copies, and indicator_object.c inserts carbon's keys
 * before the closing brace, so that digits, order and spelling are the script's. indicator_flat.c makes columns of
 * keys, indicator_amun.c (with indicator_hwinfo.c) writes the files of Amun, indicator_json.c a document with the whole
 * record, which can be the base of a later run: indicator_gate.c reads it as a struct stored_record, makes another of
 * the new record, and gate.c tests the difference against its margin. */
#ifndef COMMANDS_INDICATOR_INDICATOR_H
#define COMMANDS_INDICATOR_INDICATOR_H

#include "app/campaign.h"
#include "app/options/command.h"
#include "commands/indicator/indicator_report.h"
#include "commands/indicator/indicator_spec.h"
#include "form/output.h"
#include "gate/ci.h"
#include "io/sha256.h"
#include "run/capture.h"

enum {
    STATUS_BAD_OUTPUT = 7, /* the output of the script does not keep to the contract */
};

/* Options of cmd_indicator.c. */
extern const struct option_spec option_compare, option_max_regression, option_require_verdict, option_summary,
    option_flat, option_amun, option_merge, option_score, option_allow_nan, option_strict, option_max_output,
    option_check_only, option_schema, option_specification;

/* Each returns the exit status. out: standard output. spec: of --spec, or NULL. */
int indicator_live(const struct command_line *line, const struct indicator_options *options,
                   struct indicator_spec *spec, FILE *out);
int indicator_check_files(const struct command_line *line, const struct indicator_options *options, FILE *out);
int indicator_compare_files(const struct command_line *line, FILE *out);

/* indicator_script.c: the script of a command: its first word if that is a script, else the first later word that names
 * a file, else its first word. "" if there is none. path_variable: PATH, or NULL. */
void indicator_script_of(char *const *argv, const char *path_variable, char *path, size_t size);

/* indicator_gate.c: a record, or the record within a result of carbon indicator. Call stored_record_close in the end.
 */
bool indicator_read_stored(const char *path, struct stored_record *stored, struct error *err) MUST_CHECK;

/* The gate from the options; its names are borrowed. */
void indicator_gate_open(struct gate *gate, const struct settings *settings, const char *now_name);

/* 0, or the exit status of the verdict. */
int indicator_gate_status(const struct gate *gate, const struct settings *settings, int status);

/* Of --summary: opened before the first run (NULL: not requested), and written. */
bool indicator_summary_open(FILE **summary, const struct settings *settings, struct error *err) MUST_CHECK;
int indicator_summary_write(FILE *summary, const struct gate *gate, int status);

/* The state of a measurement of a script. */
struct indicator_work {
    struct campaign campaign;
    struct campaign_item item;
    struct capture capture;
    struct indicator_report result;
    size_t room;         /* for runs */
    size_t stored_bytes; /* bytes of all stored outputs */
    bool too_much;       /* their sum exceeds the maximum: the series was stopped */
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
/* Writes each file, even if another fails. Returns status, or 125. */
int indicator_files_write(struct indicator_work *work, int status);
void indicator_files_keep(struct indicator_work *work);
void indicator_files_discard(struct indicator_work *work);

#endif
