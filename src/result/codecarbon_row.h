/* SPDX-License-Identifier: MIT
 * The columns of CodeCarbon's table of runs (emissions.csv), and a row of it made of a record. Used by
 * app/record_files.c, commands/history/codecarbon.h and commands/history/codecarbon_layout.h. Begin with
 * codecarbon_header(). */
#ifndef RESULT_CODECARBON_ROW_H
#define RESULT_CODECARBON_ROW_H

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

/* Where the electricity is from, as CodeCarbon names places; "" unknown. */
struct codecarbon_place {
    char country_name[80], country_iso_code[8], region[80];
};

/* The header, and the row of a report, each with its line end, for output_append. */
const char *codecarbon_header(void);
void codecarbon_line(const struct report *report, const struct codecarbon_place *place, struct text *text);

#endif
