/* SPDX-License-Identifier: MIT
 * The files that `carbon measure` writes: opened before the command runs, kept readable throughout. Used by
 * commands/measure/cmd_measure.c and commands/model/model_work.h. Begin with record_files_open(). */
#ifndef APP_RECORD_FILES_H
#define APP_RECORD_FILES_H

#include "form/output.h"
#include "result/report.h"
#include "result/samples.h"

/* As given; NULL: not asked for. */
struct record_paths {
    const char *json, *csv, *html, *samples;
    bool csv_safe;          /* all tables: for spreadsheets */
    bool append;            /* csv: add a row */
    const char *codecarbon; /* adds a row, always */
};

struct record_files {
    struct output json, csv, html, samples;
    const char *append_path, *codecarbon_path;
    bool csv_safe;
    bool samples_broken; /* sample_error says why */
    struct error sample_error;
    uint64_t opened_ns, opened_realtime_ns;
    uint64_t next_progress_ns;
};

/* Before anything is run: a result that cannot be written should cost nothing. */
bool record_files_open(struct record_files *files, const struct record_paths *paths, const struct meter *meter,
                       struct error *err) MUST_CHECK;

/* Adds a line to the series. A full disk ends the series, not the measurement. */
void record_files_sample(struct record_files *files, const struct meter *meter, const struct workload_place *place,
                         const struct sample *sample);

/* Brings the partial record up to date; begun_ns: when that was begun. */
bool record_files_want_progress(const struct record_files *files);
void record_files_progress(struct record_files *files, const struct report *report, uint64_t begun_ns);

/* Writes each, even if others fail, and reports failures. Returns status, or 125. */
int record_files_write(struct record_files *files, const struct report *report, int status);

/* The series was interrupted: its files stay, under a name that says so and is printed. */
void record_files_keep(struct record_files *files);

/* Nothing was run: leaves nothing behind. */
void record_files_discard(struct record_files *files);

#endif
