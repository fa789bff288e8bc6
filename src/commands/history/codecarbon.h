/* SPDX-License-Identifier: MIT
 * CodeCarbon's files: its table of runs (emissions.csv) of every generation, and its log. Used throughout
 * commands/history. Begin with codecarbon_read(). */
#ifndef COMMANDS_HISTORY_CODECARBON_H
#define COMMANDS_HISTORY_CODECARBON_H

#include "base/csv.h"
#include "base/notice.h"
#include "io/line_faults.h"
#include "result/codecarbon_row.h"

#include <stdint.h>

/* Unknown figures are NAN. Energies are as CodeCarbon tells them, with the PUE in them. */
struct codecarbon_figures {
    double duration_s;
    double cpu_kwh, gpu_kwh, ram_kwh, kwh;
    double kgco2eq;
};

/* A row of the table, or what a log tells of one tracker. */
struct codecarbon_run {
    size_t line;
    const char *generation;                /* "1.x", "2.0" ...: by the columns that its row has */
    const char *texts[CODECARBON_COLUMNS]; /* NULL: there is no such column */
    char *store;                           /* where these lie */
    char id[40];                           /* made of what tells it from others: the same again in any file */
    uint64_t ended_realtime_ns;            /* 0: unknown */
    struct codecarbon_figures reported;
    double pue; /* NAN: its generation had none */
    /* What it adds to the row of the same run above it, from which it goes on; all that is told where there is none. */
    struct codecarbon_figures added;
    size_t goes_on_from; /* the line of that one; 0: none */
    char doubt[160];     /* why its energy cannot be what was used; "": it can */
    size_t repeats;      /* the line of a row that says the same; 0: none */
};

struct codecarbon_file {
    const char *path;
    struct codecarbon_run *runs; /* order of the file */
    size_t count, size;
    struct notices notices;    /* notices about the whole file */
    struct line_faults faults; /* lines that are none of its runs */
};

/* A table. A row in which a value is none of its column, or that has another width than its header and is none of
 * another generation either, is a fault; columns that no release has are ignored. Fails where there is no good row, and
 * faults. path is for messages. Given to codecarbon_close in the end, after a failure too. */
bool codecarbon_read(const char *text, const char *path, struct codecarbon_file *file, struct error *err) MUST_CHECK;

/* codecarbon_log.c: the log. It tells the time of day alone: date is the day on which it ends ("2026-11-28"), or NULL,
 * and times are unknown. One that tells no energy has no runs, and a notice says so. */
bool codecarbon_log_read(const char *text, const char *path, const char *date, struct codecarbon_file *file,
                         struct error *err) MUST_CHECK;
void codecarbon_close(struct codecarbon_file *file);

/* Whether such text begins a log of it. */
bool codecarbon_is_log(const char *text);

/* For the readers: a run more, of texts that are copied (NULL: none); the figures are for the caller. NULL: no memory.
 */
struct codecarbon_run *codecarbon_add(struct codecarbon_file *file, const char *const *texts, size_t line,
                                      struct error *err) MUST_CHECK;
void codecarbon_identify(struct codecarbon_run *run);

/* codecarbon_values.c: a number as the table has it, NAN where there is none; whether a time; why a value cannot stand
 * in its column (NULL: it can). Numbers may have a comma before their decimals, if that cannot be one of thousands. */
double codecarbon_number(const char *text, char separator);
bool codecarbon_time(const char *text, uint64_t *realtime_s);
const char *codecarbon_fault(enum codecarbon_column column, const char *text, char separator);
/* Why figures of one row cannot be each other's: they stand in other columns, or have other units. NULL: they can. */
const char *codecarbon_misfit(const char *const *texts, char separator);
/* Fills doubt. */
void codecarbon_doubt(struct codecarbon_run *run);

/* codecarbon_runs.c: which rows repeat others, and which go on from others. False: no memory. */
bool codecarbon_relate(struct codecarbon_file *file, struct error *err) MUST_CHECK;

#endif
