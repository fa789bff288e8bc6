/* SPDX-License-Identifier: MIT
 * CodeCarbon's table of runs. A header may have the columns in any order, as some of its releases wrote them; what
 * stands in a column is held to what can stand there, for its writer is known to shift values. */
#include "commands/history/codecarbon.h"

#include "base/text.h"
#include "base/units.h"
#include "emissions/table.h"
#include "io/content_id.h"
#include "io/local_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GIVE "give a table as CodeCarbon wrote it, its log, or records of carbon"

/* A layout in the order of the columns' names: where in a row each stands, and which column stands there. */
struct layout {
    size_t count;
    enum codecarbon_column columns[CODECARBON_COLUMNS];
};

/* What the releases wrote, each with one width: a release that appended to the table of an earlier one left that one's
 * header above its own rows. The first generation ended in the cloud, the second moved that and had powers. */
static const enum codecarbon_column first_order[] = {
    CODECARBON_TIMESTAMP, CODECARBON_EXPERIMENT_ID,   CODECARBON_PROJECT_NAME,   CODECARBON_DURATION,
    CODECARBON_EMISSIONS, CODECARBON_ENERGY_CONSUMED, CODECARBON_COUNTRY_NAME,   CODECARBON_COUNTRY_ISO_CODE,
    CODECARBON_REGION,    CODECARBON_ON_CLOUD,        CODECARBON_CLOUD_PROVIDER, CODECARBON_CLOUD_REGION,
};

struct release {
    bool first;                         /* of the first order, else of the third generation's */
    enum codecarbon_column without[12]; /* which of its columns were not there yet; ended by COLUMNS */
};
static const struct release releases[] = {
    { .first = true, .without = { CODECARBON_COLUMNS } },
    { .first = true, .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_VERSION, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_PUE,
                   CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_PUE,
                   CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_EXPERIMENT_ID, CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION,
                   CODECARBON_GPU_UTILIZATION, CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_WUE,
                   CODECARBON_COLUMNS } },
    { .without = { CODECARBON_WATER_CONSUMED, CODECARBON_CPU_UTILIZATION, CODECARBON_GPU_UTILIZATION,
                   CODECARBON_RAM_UTILIZATION, CODECARBON_RAM_USED, CODECARBON_WUE, CODECARBON_COLUMNS } },
    { .without = { CODECARBON_COLUMNS } },
};

struct reading {
    struct codecarbon_file *file;
    struct layout header;
    bool mixed; /* a row of another generation than the header's was met */
};

static bool lacks(const struct release *release, enum codecarbon_column column)
{
    for (size_t i = 0; release->without[i] != CODECARBON_COLUMNS; i++)
        if (release->without[i] == column)
            return true;
    return false;
}

static struct layout layout_of(const struct release *release)
{
    const size_t all = release->first ? sizeof first_order / sizeof first_order[0] : CODECARBON_COLUMNS;
    struct layout layout = { .count = 0 };

    for (size_t i = 0; i < all; i++) {
        const enum codecarbon_column column = release->first ? first_order[i] : (enum codecarbon_column)i;
        if (!lacks(release, column))
            layout.columns[layout.count++] = column;
    }
    return layout;
}

static bool take_header(struct reading *reading, const struct csv_row *row, struct error *err)
{
    static const enum codecarbon_column needed[] = { CODECARBON_TIMESTAMP, CODECARBON_DURATION, CODECARBON_EMISSIONS,
                                                     CODECARBON_ENERGY_CONSUMED };

    for (size_t i = 0; i < row->count; i++) {
        enum codecarbon_column column = 0;
        while (column < CODECARBON_COLUMNS && strcmp(codecarbon_columns[column], row->fields[i]) != 0)
            column++;
        if (strcmp(row->fields[i], "task_name") == 0) {
            csv_bad_field(row, i, "task_name", err,
                          "it is a table of tasks: what they used is in the row of their run");
            return error_fix(err, "import the emissions.csv of the run");
        }
        if (column == CODECARBON_COLUMNS) {
            csv_bad_field(row, i, row->fields[i], err, "no release of CodeCarbon has this column");
            return error_fix(err, GIVE);
        }
        reading->header.columns[reading->header.count++] = column;
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (csv_column(row, codecarbon_columns[needed[i]]) < 0) {
            error_set(err, ERROR_BAD_DATA, "'%s' line 1 has no column '%s'", row->path, codecarbon_columns[needed[i]]);
            error_why(err, "every release of CodeCarbon has written it");
            return error_fix(err, GIVE);
        }
    return true;
}

/* That of its header, or of the one release that wrote rows of this width. */
static const struct layout *layout_for(struct reading *reading, const struct csv_row *row, struct layout *other)
{
    if (row->count == reading->header.count)
        return &reading->header;
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        *other = layout_of(&releases[i]);
        if (other->count == row->count) {
            reading->mixed = true;
            return other;
        }
    }
    return NULL;
}

static bool is_number_column(enum codecarbon_column column)
{
    return (column >= CODECARBON_DURATION && column <= CODECARBON_WATER_CONSUMED) || column == CODECARBON_CPU_COUNT ||
           column == CODECARBON_GPU_COUNT || (column >= CODECARBON_LONGITUDE && column <= CODECARBON_RAM_TOTAL_SIZE) ||
           (column >= CODECARBON_CPU_UTILIZATION && column <= CODECARBON_RAM_USED) || column == CODECARBON_PUE ||
           column == CODECARBON_WUE;
}

/* Its writer leaves blanks round a value as they are; an empty one is unknown, and so is what Python calls None. */
static bool is_unknown(const char *text)
{
    return !text || !*text || strcmp(text, "None") == 0 || strcmp(text, "nan") == 0;
}

static double number_of(const char *text)
{
    double value;

    return !is_unknown(text) && text_to_number(text, &value) ? value : NAN;
}

/* Local time, as its writer has it, of the zone that TZ names. */
static bool time_of(const char *text, uint64_t *realtime_s)
{
    char time[CLOCK_TEXT_SIZE];

    if (strlen(text) < 16 || strlen(text) >= sizeof time || strspn(text, "0123456789") != 4 ||
        (text[10] != 'T' && text[10] != ' '))
        return false;
    text_copy(time, sizeof time, text);
    time[10] = 'T';
    return local_time_of(time, 0, realtime_s);
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return false;
}

static bool is_code(const char *text)
{
    return strlen(text) == 3 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
}

/* Why such a value cannot stand in the column; NULL: it can. */
static const char *fault_of(enum codecarbon_column column, const char *text)
{
    static const char *const modes[] = { "machine", "process", NULL };
    static const char *const answers[] = { "Y", "N", NULL };
    const bool place = column == CODECARBON_LONGITUDE || column == CODECARBON_LATITUDE;
    uint64_t realtime_s;
    double value;

    if (column == CODECARBON_TIMESTAMP)
        return time_of(text, &realtime_s) ? NULL : "it is no time as CodeCarbon writes it";
    if (is_unknown(text))
        return NULL;
    if (is_number_column(column) && !text_to_number(text, &value))
        return "it is no number";
    if (is_number_column(column) && value < 0 && !place)
        return "it cannot be below 0";
    if (column == CODECARBON_PUE && value < 1)
        return "a PUE is 1 or more";
    if (column == CODECARBON_COUNTRY_ISO_CODE && !is_code(text))
        return "it is no country of three letters";
    if (column == CODECARBON_TRACKING_MODE && !is_one_of(text, modes))
        return "it is neither machine nor process";
    if (column == CODECARBON_ON_CLOUD && !is_one_of(text, answers))
        return "it is neither Y nor N";
    return NULL;
}

static bool check_values(const struct csv_row *row, const struct layout *layout, struct error *err)
{
    for (size_t i = 0; i < row->count; i++) {
        const char *fault = fault_of(layout->columns[i], row->fields[i]);
        if (fault) {
            csv_bad_field(row, i, codecarbon_columns[layout->columns[i]], err, "%s", fault);
            return error_fix(err, "nothing of the file was kept; where values were shifted, mend that line");
        }
    }
    return true;
}

static const char *generation_of(const struct codecarbon_run *run)
{
    const char *const *texts = run->texts;

    return !texts[CODECARBON_RUN_ID]                                                                        ? "1.x"
           : texts[CODECARBON_WATER_CONSUMED] || texts[CODECARBON_WUE] || texts[CODECARBON_CPU_UTILIZATION] ? "3.x"
           : texts[CODECARBON_EXPERIMENT_ID] ? "2.6 to 3.1"
           : texts[CODECARBON_PUE]           ? "2.3"
           : texts[CODECARBON_VERSION]       ? "2.1"
                                             : "2.0";
}

static void take_figures(struct codecarbon_run *run)
{
    uint64_t realtime_s = 0;

    run->generation = generation_of(run);
    if (time_of(run->texts[CODECARBON_TIMESTAMP], &realtime_s))
        run->ended_realtime_ns = realtime_s * NS_PER_S_INT;
    run->told = (struct codecarbon_figures){
        .duration_s = number_of(run->texts[CODECARBON_DURATION]),
        .cpu_kwh = number_of(run->texts[CODECARBON_CPU_ENERGY]),
        .gpu_kwh = number_of(run->texts[CODECARBON_GPU_ENERGY]),
        .ram_kwh = number_of(run->texts[CODECARBON_RAM_ENERGY]),
        .kwh = number_of(run->texts[CODECARBON_ENERGY_CONSUMED]),
        .kgco2eq = number_of(run->texts[CODECARBON_EMISSIONS]),
    };
    run->pue = number_of(run->texts[CODECARBON_PUE]);
    run->added = run->told;
}

/* No grid emits so much: the two stand in each other's column, or are of other units. */
static bool check_ratio(const struct csv_row *row, const struct layout *layout, const struct codecarbon_run *run,
                        struct error *err)
{
    size_t column = 0;

    if (!(run->told.kgco2eq > MOST_KGCO2EQ_PER_KWH * run->told.kwh))
        return true;
    while (layout->columns[column] != CODECARBON_EMISSIONS)
        column++;
    csv_bad_field(row, column, "emissions", err, "no kilowatt-hour emits more than %g kg", MOST_KGCO2EQ_PER_KWH);
    return error_fix(err, "nothing of the file was kept; where values were shifted, mend that line");
}

static bool bad_width(const struct reading *reading, const struct csv_row *row, struct error *err)
{
    const size_t columns = reading->header.count;

    error_set(err, ERROR_BAD_DATA, "'%s' line %zu, column %zu is malformed", row->path, row->line,
              (row->count < columns ? row->count : columns) + 1);
    error_why(err, "the header has %zu columns, this row %zu, and no release of CodeCarbon writes so many", columns,
              row->count);
    return error_fix(err, "nothing of the file was kept; where values were shifted, mend that line");
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct reading *reading = context;
    const char *texts[CODECARBON_COLUMNS] = { NULL };
    const struct layout *layout;
    struct codecarbon_run *run;
    struct layout other;

    if (row->line == 1)
        return take_header(reading, row, err);
    layout = layout_for(reading, row, &other);
    if (!layout)
        return bad_width(reading, row, err);
    if (!check_values(row, layout, err))
        return false;
    for (size_t i = 0; i < row->count; i++)
        texts[layout->columns[i]] = row->fields[i];
    run = codecarbon_add(reading->file, texts, row->line, err);
    if (!run)
        return false;
    take_figures(run);
    codecarbon_identify(run);
    return check_ratio(row, layout, run, err);
}

bool codecarbon_read(const char *path, struct codecarbon_file *file, struct error *err)
{
    struct reading reading = { .file = file };

    *file = (struct codecarbon_file){ .path = path };
    if (!csv_read_ragged(path, on_row, &reading, err)) {
        if (err && err->kind == ERROR_BAD_DATA && !err->fix[0])
            error_fix(err, GIVE);
        return false;
    }
    if (!codecarbon_relate(file, err))
        return false;
    if (reading.mixed)
        notice_add(&file->notices, NOTICE_ASSUMED, "each was read by the columns that the release with so many wrote",
                   "", "rows of several releases of CodeCarbon stand under one header");
    return true;
}

struct codecarbon_run *codecarbon_add(struct codecarbon_file *file, const char *const *texts, size_t line,
                                      struct error *err)
{
    struct codecarbon_run *run;
    size_t size = 1;
    char *at;

    if (file->count == file->size) {
        const size_t more = file->size ? 2 * file->size : 16;
        run = reallocarray(file->runs, more, sizeof *run);
        if (!run) {
            error_set(err, ERROR_SYSTEM, "no memory to read '%s'", file->path);
            return NULL;
        }
        file->runs = run;
        file->size = more;
    }
    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        size += texts[i] ? strlen(texts[i]) + 1 : 0;
    at = malloc(size);
    if (!at) {
        error_set(err, ERROR_SYSTEM, "no memory to read '%s'", file->path);
        return NULL;
    }
    run = &file->runs[file->count++];
    *run = (struct codecarbon_run){ .line = line, .store = at, .pue = NAN };
    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        if (texts[i]) {
            run->texts[i] = at;
            at = stpcpy(at, texts[i]) + 1;
        }
    return run;
}

void codecarbon_close(struct codecarbon_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        free(file->runs[i].store);
    free(file->runs);
    *file = (struct codecarbon_file){ .path = NULL };
}
