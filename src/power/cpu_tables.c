/* SPDX-License-Identifier: MIT
 * Reading the tables of processors. */
#include "power/cpu_tables.h"

#include "base/c_locale.h"
#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 32 };

/* One reading of a table: where its columns are, and who wants the rows. */
struct cpu_tables_reading {
    const char *const *names; /* names of the columns */
    size_t name_count;
    int columns[MAX_COLUMNS];
    cpu_row_function *on_cpu;
    profile_row_function *on_profile;
    void *context;
    const struct cpu_identity *identity;
    char *microarchitecture;
};

static const char *text_of(const struct csv_row *line, const struct cpu_tables_reading *reading, int column)
{
    return line->fields[reading->columns[column]];
}

static bool bad_field(const struct csv_row *line, const struct cpu_tables_reading *reading, int column, const char *why,
                      struct error *err)
{
    return csv_bad_field(line, (size_t)reading->columns[column], reading->names[column], err, "'%s' %s",
                         text_of(line, reading, column), why);
}

/* Empty is NAN. */
static bool take_number(const struct csv_row *line, const struct cpu_tables_reading *reading, int column, double *value,
                        struct error *err)
{
    const char *text = text_of(line, reading, column);

    *value = NAN;
    return !*text || text_to_number(text, value) || bad_field(line, reading, column, "is not a number", err);
}

/* Empty is 0. */
static bool take_count(const struct csv_row *line, const struct cpu_tables_reading *reading, int column, int *value,
                       struct error *err)
{
    double exact;

    if (!take_number(line, reading, column, &exact, err))
        return false;
    *value = isnan(exact) ? 0 : (int)exact;
    return isnan(exact) || (exact >= 1 && exact < 1e5 && exact == trunc(exact)) ||
           bad_field(line, reading, column, "is not a count", err);
}

enum {
    CPU_MODEL,
    CPU_KEY,
    CPU_CORES,
    CPU_THREADS,
    CPU_TDP,
    CPU_OTHER_TDP,
    CPU_MICROARCHITECTURE,
    CPU_SEGMENT,
    CPU_YEAR,
    CPU_SOURCE
};
static const char *const cpu_columns[] = {
    "model",           "match_key",         "cores",   "threads", "tdp_watts",
    "tdp_other_watts", "microarchitecture", "segment", "year",    "source_id",
};

static bool take_tdp(const struct csv_row *line, const struct cpu_tables_reading *reading, struct cpu_row *row,
                     struct error *err)
{
    const char *rest = text_of(line, reading, CPU_OTHER_TDP);

    if (!take_number(line, reading, CPU_TDP, &row->tdp_w, err))
        return false;
    row->low_tdp_w = row->high_tdp_w = row->tdp_w;
    while (*rest) {
        char *end;
        const double other_w = c_strtod(rest, &end);
        if (end == rest || (*end && *end != ';') || !(other_w > 0))
            return bad_field(line, reading, CPU_OTHER_TDP, "is not a list of watts separated by ';'", err);
        row->low_tdp_w = fmin(row->low_tdp_w, other_w);
        row->high_tdp_w = fmax(row->high_tdp_w, other_w);
        rest = *end ? end + 1 : end;
    }
    return true;
}

static bool on_cpu_line(const struct csv_row *line, void *context, struct error *err)
{
    struct cpu_tables_reading *reading = context;
    struct cpu_row row;

    if (line->line == 1)
        return csv_columns(line, reading->names, reading->name_count, reading->columns, err);
    if (!take_tdp(line, reading, &row, err) || !take_count(line, reading, CPU_CORES, &row.cores, err) ||
        !take_count(line, reading, CPU_THREADS, &row.threads, err) ||
        !take_count(line, reading, CPU_YEAR, &row.year, err))
        return false;
    text_copy(row.model, sizeof row.model, text_of(line, reading, CPU_MODEL));
    text_copy(row.key, sizeof row.key, text_of(line, reading, CPU_KEY));
    text_copy(row.microarchitecture, sizeof row.microarchitecture, text_of(line, reading, CPU_MICROARCHITECTURE));
    text_copy(row.source_id, sizeof row.source_id, text_of(line, reading, CPU_SOURCE));
    row.server = strcmp(text_of(line, reading, CPU_SEGMENT), "server") == 0;
    row.desktop = strcmp(text_of(line, reading, CPU_SEGMENT), "desktop") == 0;
    reading->on_cpu(&row, reading->context);
    return true;
}

bool cpu_rows(const char *field, cpu_row_function *on_row, void *context, struct error *err)
{
    struct cpu_tables_reading reading = {
        .names = cpu_columns, .name_count = CPU_SOURCE + 1, .on_cpu = on_row, .context = context
    };

    return shipped_read("cpu_power.csv", field, on_cpu_line, &reading, err);
}

enum {
    PROFILE_ID,
    PROFILE_KIND,
    PROFILE_NAME,
    PROFILE_KEY,
    PROFILE_MICRO,
    PROFILE_PER,
    PROFILE_BOUNDARY,
    PROFILE_SOURCE,
    PROFILE_NOTES,
    PROFILE_POINTS,
    PROFILE_FIT = PROFILE_POINTS + CURVE_POINTS
};
static const char *const profile_columns[] = {
    "profile_id", "kind",     "name",      "match_key", "microarchitecture",
    "per",        "boundary", "source_id", "notes",     "w_idle",
    "w_10",       "w_20",     "w_30",      "w_40",      "w_50",
    "w_60",       "w_70",     "w_80",      "w_90",      "w_100",
    "a",          "b",        "c",         "d",
};

/* The index of a word in a list, for the columns that hold one of a few. */
static bool take_choice(const struct csv_row *line, const struct cpu_tables_reading *reading, int column,
                        const char *const *choices, int *choice, struct error *err)
{
    for (*choice = 0; choices[*choice]; ++*choice)
        if (strcmp(text_of(line, reading, column), choices[*choice]) == 0)
            return true;
    return bad_field(line, reading, column, "is not known here", err);
}

static bool take_curve(const struct csv_row *line, const struct cpu_tables_reading *reading, struct power_curve *curve,
                       struct error *err)
{
    double *const fit[] = { &curve->a, &curve->b, &curve->c, &curve->d };

    curve->knot_count = 0;
    for (int i = 0; i < CURVE_POINTS; i++)
        if (!take_number(line, reading, PROFILE_POINTS + i, &curve->at_w[i], err))
            return false;
    for (int i = 0; i < 4; i++)
        if (!take_number(line, reading, PROFILE_FIT + i, fit[i], err))
            return false;
    return curve_points(curve) > 0 || !isnan(curve_w(curve, 0)) ||
           bad_field(line, reading, PROFILE_ID, "has no figures", err);
}

static bool on_profile_line(const struct csv_row *line, void *context, struct error *err)
{
    static const char *const kinds[] = { "model", "model_range", "microarchitecture", "generic", NULL };
    static const char *const pers[] = { "vcpu", "package", "tdp_fraction", NULL };
    static const char *const boundaries[] = { "CPU package", "server AC", NULL };
    struct cpu_tables_reading *reading = context;
    struct profile_row row;
    int kind, per, boundary;

    if (line->line == 1)
        return csv_columns(line, reading->names, reading->name_count, reading->columns, err);
    if (!take_choice(line, reading, PROFILE_KIND, kinds, &kind, err) ||
        !take_choice(line, reading, PROFILE_PER, pers, &per, err) ||
        !take_choice(line, reading, PROFILE_BOUNDARY, boundaries, &boundary, err) ||
        !take_curve(line, reading, &row.curve, err))
        return false;
    row.kind = (enum profile_kind)kind;
    row.per = (enum profile_per)per;
    row.boundary = (enum boundary)boundary;
    text_copy(row.id, sizeof row.id, text_of(line, reading, PROFILE_ID));
    text_copy(row.name, sizeof row.name, text_of(line, reading, PROFILE_NAME));
    text_copy(row.key, sizeof row.key, text_of(line, reading, PROFILE_KEY));
    text_copy(row.microarchitecture, sizeof row.microarchitecture, text_of(line, reading, PROFILE_MICRO));
    text_copy(row.source_id, sizeof row.source_id, text_of(line, reading, PROFILE_SOURCE));
    const char *notes = text_of(line, reading, PROFILE_NOTES);
    if (!strstr(notes, "do not use") && !strstr(notes, "no measurement exists"))
        reading->on_profile(&row, reading->context);
    return true;
}

bool profile_rows(const char *field, profile_row_function *on_row, void *context, struct error *err)
{
    struct cpu_tables_reading reading = {
        .names = profile_columns, .name_count = PROFILE_FIT + 4, .on_profile = on_row, .context = context
    };

    return shipped_read("cpu_profiles.csv", field, on_profile_line, &reading, err);
}

enum {
    UARCH_VENDOR,
    UARCH_FAMILY,
    UARCH_MODEL_MIN,
    UARCH_MODEL_MAX,
    UARCH_STEPPING_MIN,
    UARCH_STEPPING_MAX,
    UARCH_NAME
};
static const char *const uarch_columns[] = {
    "vendor_id", "cpu_family", "model_min", "model_max", "stepping_min", "stepping_max", "microarchitecture",
};

/* Numbers of ARM are hexadecimal; an empty limit means none. */
static bool within(const char *min, const char *max, int number)
{
    return (!*min || number >= strtol(min, NULL, 0)) && (!*max || number <= strtol(max, NULL, 0));
}

static bool on_uarch_line(const struct csv_row *line, void *context, struct error *err)
{
    struct cpu_tables_reading *reading = context;
    const struct cpu_identity *identity = reading->identity;

    if (line->line == 1)
        return csv_columns(line, reading->names, reading->name_count, reading->columns, err);
    if (strcmp(text_of(line, reading, UARCH_VENDOR), identity->vendor) == 0 &&
        strtol(text_of(line, reading, UARCH_FAMILY), NULL, 0) == identity->family &&
        within(text_of(line, reading, UARCH_MODEL_MIN), text_of(line, reading, UARCH_MODEL_MAX), identity->number) &&
        within(text_of(line, reading, UARCH_STEPPING_MIN), text_of(line, reading, UARCH_STEPPING_MAX),
               identity->stepping))
        text_copy(reading->microarchitecture, 32, text_of(line, reading, UARCH_NAME));
    return true;
}

bool cpuid_microarchitecture(const struct cpu_identity *identity, char name[32], struct error *err)
{
    struct cpu_tables_reading reading = {
        .names = uarch_columns, .name_count = UARCH_NAME + 1, .identity = identity, .microarchitecture = name
    };

    name[0] = '\0';
    return !*identity->vendor || shipped_read("cpuid_uarch.csv", identity->vendor, on_uarch_line, &reading, err);
}
