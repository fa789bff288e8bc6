/* SPDX-License-Identifier: MIT
 * Reading a table of intensities. */
#include "grid/intensity_file.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum intensity_file_column {
    START,
    END,
    VALUE,
    KIND,
    RETRIEVED,
    ZONE,
    BASIS,
    SCOPE,
    GASES,
    METHOD,
    SOURCE,
    LICENCE,
    COLUMNS,
};

/* By what names each is known, each with a NULL behind it. */
static const char *const names[COLUMNS][8] = {
    [START] = { "start", "from", "time", "timestamp", "datetime", "datetime (utc)" },
    [END] = { "end", "to" },
    [VALUE] = { "kgco2eq_per_kwh", "gco2eq_per_kwh", "kgco2_per_kwh", "gco2_per_kwh", "g_per_kwh", "kg_per_kwh" },
    [KIND] = { "kind" },
    [RETRIEVED] = { "retrieved" },
    [ZONE] = { "zone", "zone id" },
    [BASIS] = { "basis" },
    [SCOPE] = { "scope" },
    [GASES] = { "gases" },
    [METHOD] = { "method" },
    [SOURCE] = { "source_id", "data source" },
    [LICENCE] = { "licence" },
};

/* While the file is read. */
struct intensity_file_reading {
    enum factor_basis basis;
    struct intensity_file *file;
    struct intensities *found;
    int column[COLUMNS]; /* -1: there is none */
    bool grams;
    bool first;
    uint64_t retrieved_s; /* the latest */
};

static bool has_name(enum intensity_file_column column, const char *name)
{
    for (size_t i = 0; names[column][i]; i++)
        if (c_strcasecmp(names[column][i], name) == 0)
            return true;
    return false;
}

/* "Carbon intensity gCO₂eq/kWh (direct)", "... (Life cycle)". */
static bool is_of_electricity_maps(const char *name, enum factor_basis basis)
{
    return c_strncasecmp(name, "carbon intensity g", strlen("carbon intensity g")) == 0 &&
           c_strcasestr(name, basis == FACTOR_DIRECT ? "(direct" : "(life");
}

static bool take_header(struct intensity_file_reading *reading, const struct csv_row *row, struct error *err)
{
    for (int column = 0; column < COLUMNS; column++) {
        reading->column[column] = -1;
        for (size_t i = row->count; i-- > 0;)
            if (has_name((enum intensity_file_column)column, row->fields[i]))
                reading->column[column] = (int)i;
    }
    for (size_t i = 0; i < row->count && reading->column[VALUE] < 0; i++)
        if (is_of_electricity_maps(row->fields[i], reading->basis)) {
            reading->column[VALUE] = (int)i;
            text_copy(reading->file->basis, sizeof reading->file->basis, factor_basis_name(reading->basis));
        }
    if (reading->column[VALUE] >= 0)
        reading->grams = c_strncasecmp(row->fields[reading->column[VALUE]], "k", 1) != 0;
    if (reading->column[START] >= 0 && reading->column[VALUE] >= 0)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%s' is not a table of intensities over time", row->path);
    error_why(err, "it has no column %s",
              reading->column[START] < 0 ? "'start' (also: from, time, timestamp, datetime)"
                                         : "'kgco2eq_per_kwh' or 'gco2eq_per_kwh'");
    return error_fix(err,
                     "name the columns in the first line; 'carbon factors --live SERVICE --csv FILE' writes such one");
}

static const char *field_of(const struct intensity_file_reading *reading, const struct csv_row *row,
                            enum intensity_file_column column)
{
    return reading->column[column] >= 0 ? row->fields[reading->column[column]] : "";
}

/* A number is seconds since 1970. */
static bool take_time(const struct intensity_file_reading *reading, const struct csv_row *row,
                      enum intensity_file_column column, uint64_t *realtime_s, struct error *err)
{
    const char *text = field_of(reading, row, column);
    const bool number = *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) > 8;

    if (!(number ? text_to_u64(text, realtime_s) : clock_of_iso_text(text, realtime_s)))
        return csv_bad_field(row, (size_t)reading->column[column], names[column][0], err,
                             "not a time such as 2026-01-20T12:00Z");
    if (*realtime_s % 60 != 0)
        return csv_bad_field(row, (size_t)reading->column[column], names[column][0], err, "not a whole minute");
    return true;
}

static bool take_kind(const struct intensity_file_reading *reading, const struct csv_row *row,
                      enum intensity_kind *kind, struct error *err)
{
    const char *text = field_of(reading, row, KIND);

    *kind = INTENSITY_ACTUAL;
    if (!*text)
        return true;
    for (*kind = INTENSITY_FORECAST; *kind <= INTENSITY_ACTUAL; ++*kind)
        if (strcmp(text, intensity_kind_name(*kind)) == 0)
            return true;
    return csv_bad_field(row, (size_t)reading->column[KIND], "kind", err,
                         "it is one of actual, estimated and forecast");
}

/* "84.879" g is 0.084879 kg, which 84.879 / 1000 just misses. */
static bool take_value(const struct intensity_file_reading *reading, const struct csv_row *row, double *kgco2eq_per_kwh,
                       struct error *err)
{
    const char *text = field_of(reading, row, VALUE);
    char exact[96];

    snprintf(exact, sizeof exact, "%.80s%s", text, reading->grams && !strpbrk(text, "eE") ? "e-3" : "");
    if (!text_to_number(exact, kgco2eq_per_kwh))
        return csv_bad_field(row, (size_t)reading->column[VALUE], "intensity", err, "not a number");
    if (reading->grams && strpbrk(text, "eE"))
        *kgco2eq_per_kwh /= G_PER_KG;
    return true;
}

/* What is not the same in all lines is not said of the file. */
static void take_texts(struct intensity_file_reading *reading, const struct csv_row *row)
{
    struct intensity_file *file = reading->file;
    const struct {
        enum intensity_file_column column;
        char *field;
        size_t size;
    } texts[] = {
        { ZONE, file->zone, sizeof file->zone },          { BASIS, file->basis, sizeof file->basis },
        { SCOPE, file->scope, sizeof file->scope },       { GASES, file->gases, sizeof file->gases },
        { METHOD, file->method, sizeof file->method },    { SOURCE, file->source_id, sizeof file->source_id },
        { LICENCE, file->licence, sizeof file->licence },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char now[96];
        if (reading->column[texts[i].column] < 0)
            continue;
        text_copy(now, texts[i].size, field_of(reading, row, texts[i].column));
        if (reading->first)
            text_copy(texts[i].field, texts[i].size, now);
        else if (strcmp(texts[i].field, now) != 0)
            texts[i].field[0] = '\0';
    }
}

static bool one_zone(const struct intensity_file_reading *reading, const struct csv_row *row, struct error *err)
{
    const char *zone = field_of(reading, row, ZONE);

    if (reading->first || strncmp(zone, reading->file->zone, sizeof reading->file->zone - 1) == 0)
        return true;
    return csv_bad_field(row, (size_t)reading->column[ZONE], "zone", err, "a second zone, after '%s'; a file is of one",
                         reading->file->zone);
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct intensity_file_reading *reading = context;
    uint64_t start_s = 0, end_s = 0, retrieved_s;
    enum intensity_kind kind;
    double value;

    if (row->line == 1)
        return take_header(reading, row, err);
    if (!one_zone(reading, row, err) || !take_time(reading, row, START, &start_s, err) ||
        !take_kind(reading, row, &kind, err))
        return false;
    take_texts(reading, row);
    reading->first = false;
    if (clock_of_iso_text(field_of(reading, row, RETRIEVED), &retrieved_s) && retrieved_s > reading->retrieved_s)
        reading->retrieved_s = retrieved_s;
    if (reading->column[END] >= 0 && !take_time(reading, row, END, &end_s, err))
        return false;
    if (reading->column[END] >= 0 && (end_s <= start_s || end_s - start_s > LIVE_DAY_S))
        return csv_bad_field(row, (size_t)reading->column[END], "end", err,
                             "it is not after the start, or more than a day after it");
    if (!*field_of(reading, row, VALUE))
        return true;
    if (!take_value(reading, row, &value, err))
        return false;
    if (!(value >= 0 && value <= LIVE_MAX_KGCO2EQ_PER_KWH))
        return csv_bad_field(row, (size_t)reading->column[VALUE], "intensity", err, "no grid has it");
    /* a minute, until the step is known */
    return intensities_add(reading->found, start_s, reading->column[END] >= 0 ? end_s - start_s : 60, value, kind, err);
}

/* Where no end is said, each lasts as long as the shortest time between two. */
static bool find_ends(struct intensities *found, const char *path, struct error *err)
{
    uint64_t step_s = 0;

    intensities_order(found);
    for (size_t i = 1; i < found->count; i++) {
        const uint64_t apart_s = found->items[i].start_realtime_s - found->items[i - 1].start_realtime_s;
        if (apart_s && (!step_s || apart_s < step_s))
            step_s = apart_s;
    }
    if (!step_s || step_s > LIVE_DAY_S) {
        error_set(err, ERROR_BAD_DATA, "'%s' does not say how long an intensity holds", path);
        error_why(err, step_s ? "its times differ by more than a day" : "it has one time alone, and no column 'end'");
        return error_fix(err, "add a column 'end'");
    }
    for (size_t i = 0; i < found->count; i++)
        found->items[i].end_realtime_s = found->items[i].start_realtime_s + step_s;
    return true;
}

bool intensity_file_read(const char *path, enum factor_basis basis, struct intensity_file *file,
                         struct intensities *found, struct error *err)
{
    struct intensity_file_reading reading = { .basis = basis, .file = file, .found = found, .first = true };
    const char *slash = strrchr(path, '/');

    *found = (struct intensities){ .count = 0 };
    *file = (struct intensity_file){ .name = "" };
    text_copy(file->name, sizeof file->name, slash ? slash + 1 : path);
    if (!csv_read(path, on_row, &reading, err))
        return false;
    if (found->count == 0) {
        error_set(err, ERROR_BAD_DATA, "'%s' has no intensity", path);
        return error_fix(err, "give a table with a line for each hour, half hour or so");
    }
    if (reading.column[END] < 0 && !find_ends(found, path, err))
        return false;
    text_copy(found->zone, sizeof found->zone, file->zone);
    found->basis = basis;
    if (*file->basis && !factor_basis_of(file->basis, &found->basis))
        file->basis[0] = '\0';
    found->from_realtime_s = 0;
    found->to_realtime_s = UINT64_MAX;
    found->answers[0] = (struct live_answer){ .retrieved_realtime_s = reading.retrieved_s };
    found->answer_count = 1;
    if (*file->basis && found->basis == FACTOR_LIFECYCLE)
        intensities_leave_zeros(found);
    intensities_settle(found);
    if (found->count > 0)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%s' has no intensity above 0", path);
    error_why(err, "no electricity has a lifecycle of nothing");
    return error_fix(err, "leave out the lines of which nothing is known");
}
