/* SPDX-License-Identifier: MIT
 * CodeCarbon's files: its table of runs (emissions.csv) of every generation, and its log. Used throughout
 * commands/history. Begin with codecarbon_read(). */
#ifndef COMMANDS_HISTORY_CODECARBON_H
#define COMMANDS_HISTORY_CODECARBON_H

#include "base/csv.h"
#include "base/notice.h"
#include "io/disk_map.h"
#include "io/line_faults.h"
#include "result/codecarbon_row.h"

#include <stdint.h>

/* Unknown figures are NAN. Energies are as in the file: CodeCarbon's include the PUE. */
struct codecarbon_figures {
    double duration_s;
    double cpu_kwh, gpu_kwh, ram_kwh, kwh;
    double kgco2eq;
};

/* A row of the table, or one tracker of a log. */
struct codecarbon_run {
    size_t line;
    const char *generation;                /* "1.x", "2.0" ...: by the columns of its row */
    const char *texts[CODECARBON_COLUMNS]; /* NULL: no such column */
    char *store;                           /* storage of these texts */
    char id[40];                           /* hash of the row's content: the same row has the same ID in any file */
    uint64_t ended_realtime_ns;            /* 0: unknown */
    struct codecarbon_figures reported;
    double pue; /* NAN: its generation had no PUE */
    /* Its increase over the earlier row of the same run; all of its figures if there is none. */
    struct codecarbon_figures added;
    size_t goes_on_from; /* the line of that row; 0: none */
    char doubt[160];     /* why its energy is implausible; "": plausible */
    size_t repeats;      /* the line of an identical row; 0: none */
};

struct codecarbon_file;

/* Takes a run that was read. False: err is set, and nothing more is read. */
typedef bool codecarbon_run_function(struct codecarbon_file *file, const struct codecarbon_run *run, void *context,
                                     struct error *err);

struct codecarbon_file {
    const char *path;
    /* Of a table: called for each run as it is read, and the run goes afterwards. NULL: all stay in runs. */
    codecarbon_run_function *on_run;
    void *context;
    size_t total;                /* runs that were read */
    struct codecarbon_run *runs; /* the runs, in file order */
    size_t count, size;
    struct notices notices;    /* notices about the whole file */
    struct line_faults faults; /* lines that are not runs */
};

/* A table. A row is faulty if a value does not fit its column, or if its width fits neither its header nor another
 * generation. Unknown columns are ignored. Fails if no row is valid, and fills faults. path is for messages. Call
 * codecarbon_close in any case. */
bool codecarbon_read(const char *text, const char *path, struct codecarbon_file *file, struct error *err) MUST_CHECK;

/* Likewise, a run at a time, in an amount of memory that does not grow with the table. text is NULL: it is read from
 * fd, which text_file_open() gave; lines: how many it has at most. */
struct codecarbon_source {
    const char *text;
    int fd;
    size_t lines;
};
bool codecarbon_stream(const struct codecarbon_source *source, const char *path, codecarbon_run_function *on_run,
                       void *context, struct codecarbon_file *file, struct error *err) MUST_CHECK;

/* codecarbon_log.c: the log. It has the time of day only: date is the day on which it ends ("2026-11-28"), or NULL, and
 * then times are unknown. A log without energy has no runs, and a notice says so. */
bool codecarbon_log_read(const char *text, const char *path, const char *date, struct codecarbon_file *file,
                         struct error *err) MUST_CHECK;
void codecarbon_close(struct codecarbon_file *file);

/* Whether a text is the beginning of a log. */
bool codecarbon_is_log(const char *text);

/* For the readers: one more run, with copies of these texts (NULL: none); the caller sets the figures. NULL: no memory.
 */
struct codecarbon_run *codecarbon_add(struct codecarbon_file *file, const char *const *texts, size_t line,
                                      struct error *err) MUST_CHECK;
void codecarbon_identify(struct codecarbon_run *run);

/* codecarbon_values.c: a number of the table, NAN if there is none; whether a text is a time; why a value does not fit
 * its column (NULL: it fits). Numbers may have a decimal comma, unless it may be a thousands separator. */
double codecarbon_number(const char *text, char separator);
bool codecarbon_time(const char *text, uint64_t *realtime_s);
const char *codecarbon_fault(enum codecarbon_column column, const char *text, char separator);
/* Why the figures of a row contradict each other: they are in the wrong columns or have other units. NULL: they agree.
 */
const char *codecarbon_misfit(const char *const *texts, char separator);
/* Sets `doubt`. */
void codecarbon_doubt(struct codecarbon_run *run);

/* codecarbon_runs.c: for each row its relations to the rows above it, as a repeat or a continuation. */
struct codecarbon_relations {
    struct disk_map ids, runs;
};
bool codecarbon_relate_open(struct codecarbon_relations *relations, size_t lines, struct error *err) MUST_CHECK;
bool codecarbon_relate(struct codecarbon_relations *relations, struct codecarbon_run *run, struct notices *notices,
                       struct error *err) MUST_CHECK;
void codecarbon_relate_close(struct codecarbon_relations *relations);

#endif
