/* SPDX-License-Identifier: MIT
 * CodeCarbon's files: its table of runs (emissions.csv) of every generation, its log, and a row of that table made of a
 * report. */
#ifndef REPORT_CODECARBON_H
#define REPORT_CODECARBON_H

#include "base/csv.h"
#include "base/notice.h"

#include <stdint.h>

struct report;
struct text;

/* The columns of its third generation, in its order; earlier ones have some of them. */
enum codecarbon_column {
    CODECARBON_TIMESTAMP,
    CODECARBON_PROJECT_NAME,
    CODECARBON_RUN_ID,
    CODECARBON_EXPERIMENT_ID,
    CODECARBON_DURATION,
    CODECARBON_EMISSIONS,
    CODECARBON_EMISSIONS_RATE,
    CODECARBON_CPU_POWER,
    CODECARBON_GPU_POWER,
    CODECARBON_RAM_POWER,
    CODECARBON_CPU_ENERGY,
    CODECARBON_GPU_ENERGY,
    CODECARBON_RAM_ENERGY,
    CODECARBON_ENERGY_CONSUMED,
    CODECARBON_WATER_CONSUMED,
    CODECARBON_COUNTRY_NAME,
    CODECARBON_COUNTRY_ISO_CODE,
    CODECARBON_REGION,
    CODECARBON_CLOUD_PROVIDER,
    CODECARBON_CLOUD_REGION,
    CODECARBON_OS,
    CODECARBON_PYTHON_VERSION,
    CODECARBON_VERSION,
    CODECARBON_CPU_COUNT,
    CODECARBON_CPU_MODEL,
    CODECARBON_GPU_COUNT,
    CODECARBON_GPU_MODEL,
    CODECARBON_LONGITUDE,
    CODECARBON_LATITUDE,
    CODECARBON_RAM_TOTAL_SIZE,
    CODECARBON_TRACKING_MODE,
    CODECARBON_CPU_UTILIZATION,
    CODECARBON_GPU_UTILIZATION,
    CODECARBON_RAM_UTILIZATION,
    CODECARBON_RAM_USED,
    CODECARBON_ON_CLOUD,
    CODECARBON_PUE,
    CODECARBON_WUE,
    CODECARBON_COLUMNS,
};
extern const char *const codecarbon_columns[CODECARBON_COLUMNS];

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
    struct codecarbon_figures told;
    double pue; /* NAN: its generation had none */
    /* What it adds to the row of the same run above it, from which it goes on; all that is told where there is none. */
    struct codecarbon_figures added;
    size_t goes_on_from; /* the line of that one; 0: none */
    size_t repeats;      /* the line of a row that says the same; 0: none */
};

struct codecarbon_file {
    const char *path;
    struct codecarbon_run *runs; /* in the order of the file */
    size_t count, size;
    struct notices notices; /* of the file as a whole */
};

/* The table. Refused, with line and column, where a column is unknown, a value is none of its column, or a row has
 * another width than its header and is none of another generation either. Given to codecarbon_close in the end, after a
 * failure too. */
bool codecarbon_read(const char *path, struct codecarbon_file *file, struct error *err) MUST_CHECK;

/* codecarbon_log.c: the log. It tells the time of day alone: date is the day on which it ends ("2026-11-28"), or NULL,
 * and times are unknown. One that tells no energy has no runs, and a notice says so. */
bool codecarbon_log_read(const char *path, const char *date, struct codecarbon_file *file,
                         struct error *err) MUST_CHECK;
void codecarbon_close(struct codecarbon_file *file);

/* Whether such text begins a log of it. */
bool codecarbon_is_log(const char *text);

/* For the readers: a run more, of texts that are copied (NULL: none); the figures are for the caller. NULL: no memory.
 */
struct codecarbon_run *codecarbon_add(struct codecarbon_file *file, const char *const *texts, size_t line,
                                      struct error *err) MUST_CHECK;
void codecarbon_identify(struct codecarbon_run *run);

/* codecarbon_runs.c: which rows repeat others, and which go on from others. False: no memory. */
bool codecarbon_relate(struct codecarbon_file *file, struct error *err) MUST_CHECK;

/* Where the electricity is from, as CodeCarbon names places; "" unknown. */
struct codecarbon_place {
    char country_name[80], country_iso_code[8], region[80];
};

/* codecarbon_write.c: the header, and the row of a report, each with its line end, for output_append. */
const char *codecarbon_header(void);
void codecarbon_line(const struct report *report, const struct codecarbon_place *place, struct text *text);

#endif
