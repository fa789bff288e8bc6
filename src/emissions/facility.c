/* SPDX-License-Identifier: MIT
 * What providers and sites publish of their data centres: pue.csv and cloud_regions.csv. */
#include "base/c_locale.h"
#include "base/shipped.h"
#include "emissions/supplementary.h"

#include "base/text.h"
#include "emissions/factor_table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIRST, SECOND, PLACE, YEAR, VALUE, SOURCE, COLUMN_COUNT };

/* Both tables, each with its own words for the same. */
static const char *const site_columns[COLUMN_COUNT] = { "entity", "entity_type", "scope", "year", "pue", "source_id" };
static const char *const region_columns[][COLUMN_COUNT] = {
    [FACILITY_PUE] = { "provider", "region", "location", "year", "pue", "source_id" },
    [FACILITY_WUE] = { "provider", "region", "location", "year", "wue_l_per_kwh", "source_id" },
};
static const char *const figure_names[] = { [FACILITY_PUE] = "PUE", [FACILITY_WUE] = "WUE" };

struct facility_reading {
    const char *name;
    int year; /* wanted */
    const char *const *columns;
    bool regions;
    struct near_names *near; /* names are only collected */
    struct published *published;
    bool found, second; /* second: a median of regions, or an area's for a region; one's own figure goes before it */
    int found_year;
    char source_id[48];
    int column[COLUMN_COUNT];
};

/* The latest up to the year wanted; where all are later the earliest. */
static bool is_better(const struct facility_reading *reading, int year, bool second)
{
    if (!reading->found)
        return true;
    if (second != reading->second)
        return !second;
    return year_goes_before(year, reading->found_year, reading->year);
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct facility_reading *reading = context;
    const int *column = reading->column;
    char name[80];
    uint64_t year = 0;
    double value;

    if (row->line == 1)
        return csv_columns(row, reading->columns, COLUMN_COUNT, reading->column, err);
    snprintf(name, sizeof name, reading->regions ? "%s:%s" : "%s", row->fields[column[FIRST]],
             row->fields[column[SECOND]]);
    if (!*row->fields[column[VALUE]])
        return true;
    if (reading->near) {
        near_offer(reading->near, name, name);
        return true;
    }
    if (c_strcasecmp(name, reading->name) != 0)
        return true;
    if (*row->fields[column[YEAR]] && (!text_to_u64(row->fields[column[YEAR]], &year) || year > 2200))
        return csv_bad_field(row, (size_t)column[YEAR], reading->columns[YEAR], err, "not a year");
    if (!text_to_number(row->fields[column[VALUE]], &value) || value < 0)
        return csv_bad_field(row, (size_t)column[VALUE], reading->columns[VALUE], err, "not a figure of this kind");
    const char *type = reading->regions ? "" : row->fields[column[SECOND]];
    const bool area = strcmp(type, "region_area") == 0;
    const bool second = area || strcmp(type, "provider_regions") == 0;
    const bool assumed = strcmp(type, "default") == 0 || strcmp(type, "industry_average") == 0;
    if (!is_better(reading, (int)year, second))
        return true;
    reading->found = true;
    reading->second = second;
    reading->found_year = (int)year;
    reading->published->value = value;
    reading->published->of_fleet = area;
    reading->published->quality = assumed ? QUALITY_DEFAULT : QUALITY_GIVEN;
    text_copy(reading->source_id, sizeof reading->source_id, row->fields[column[SOURCE]]);
    snprintf(reading->published->source, sizeof reading->published->source, "%s%s%.60s", name,
             *row->fields[column[PLACE]] ? ", " : "", row->fields[column[PLACE]]);
    return true;
}

static bool read_tables(enum facility_figure figure, struct facility_reading *reading, struct error *err)
{
    reading->columns = site_columns;
    if (figure == FACILITY_PUE && !shipped_read("pue.csv", NULL, on_row, reading, err))
        return false;
    if (!reading->near && !strchr(reading->name, ':'))
        return true;
    reading->columns = region_columns[figure];
    reading->regions = true;
    return shipped_read("cloud_regions.csv", NULL, on_row, reading, err);
}

bool facility_unknown(enum facility_figure figure, const char *name, struct error *err)
{
    struct near_names near = { .typed = name };
    struct facility_reading reading = { .near = &near };
    char list[NEAR_LIST_SIZE];

    if (!read_tables(figure, &reading, err))
        return false;
    error_set(err, ERROR_USAGE, "no %s is known of '%.64s'", figure_names[figure], name);
    error_why(err, figure == FACILITY_PUE ? "it is neither in pue.csv nor, with a figure, in cloud_regions.csv"
                                          : "it has no figure in cloud_regions.csv");
    if (near.count)
        return error_fix(err, "close ones are %s", near_list(&near, list));
    return error_fix(err, figure == FACILITY_PUE ? "give the figure itself with --pue"
                                                 : "name a cloud region as aws:eu-west-3, or give it with --wue");
}

bool facility_find(enum facility_figure figure, const char *name, int year, struct published *published, bool *found,
                   struct notices *notices, struct error *err)
{
    struct facility_reading reading = { .name = name, .year = year > 0 ? year : INT_MAX, .published = published };
    struct source source;
    bool known;

    *published = (struct published){ .value = NAN };
    if (!read_tables(figure, &reading, err))
        return false;
    *found = reading.found;
    if (!reading.found)
        return true;
    if (!source_find(reading.source_id, &source, &known, err))
        return false;
    const size_t length = strlen(published->source);
    char when[16] = "";
    if (reading.found_year)
        snprintf(when, sizeof when, ", %d", reading.found_year);
    snprintf(published->source + length, sizeof published->source - length, known ? "%s; %s (%s)" : "%s; %s", when,
             known ? source.title : reading.source_id, source.publisher);
    if (reading.found_year && year > 0 && reading.found_year != year)
        notice_add(notices, NOTICE_STAND_IN, "it is the nearest that is known", "", "no %s of %d for %s; using %d",
                   figure_names[figure], year, name, reading.found_year);
    return true;
}

enum { PROVIDER_SIZE = 32 };
static const char in_general[] = "data_centre_unknown"; /* a row of pue.csv */

/* "aws:eu-*" of "aws:eu-west-3", "aws", and the general value. */
bool facility_pue_of_region(const char *region, int year, struct published *pue, struct notices *notices,
                            struct error *err)
{
    char area[REGION_SIZE + 2], provider[PROVIDER_SIZE];
    const char *const names[] = { region, area, provider, in_general };
    bool found = false;

    snprintf(area, sizeof area, "%.*s-*", (int)strcspn(region, "-"), region);
    snprintf(provider, sizeof provider, "%.*s", (int)strcspn(region, ":"), region);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) {
        if (!facility_find(FACILITY_PUE, names[i], year, pue, &found, notices, err))
            return false;
        pue->of_fleet = pue->of_fleet || i > 0;
    }
    if (found)
        return true;
    error_set(err, ERROR_BAD_DATA, "pue.csv has no row '%s'", in_general);
    return false;
}
