/* SPDX-License-Identifier: MIT
 * Cloud regions: a table, CSV and JSON. */
#include "base/c_locale.h"
#include "base/units.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/csv.h"
#include "base/text.h"
#include "form/field.h"
#include "form/text_columns.h"

#include <math.h>
#include <string.h>

enum { FIGURE_SIZE = TEXT_NUMBER_SIZE + 8, FIGURES_WIDTH = 33, LOCATION_MIN = 12, LOCATION_MAX = 25 };

/* "1.24'24": a figure with its year, or "-". */
static const char *with_year(const struct cloud_figure *figure, char out[FIGURE_SIZE])
{
    char number[TEXT_NUMBER_SIZE];

    if (isnan(figure->value))
        return "-";
    snprintf(out, FIGURE_SIZE, figure->year ? "%s'%02d" : "%s", text_number(figure->value, number), figure->year % 100);
    return out;
}

/* The distinctive part of a region's name: "Asia Pacific (Tokyo)" is Tokyo where there is no room for all of it. */
static void fit_location(char *field, size_t size, const char *location, int width)
{
    const char *place = strchr(location, '(');
    char inner[sizeof(struct cloud_region)];

    if (place && (int)utf8_columns(location) > width) {
        snprintf(inner, sizeof inner, "%.*s", (int)strcspn(place + 1, ")"), place + 1);
        location = inner;
    }
    utf8_fit(field, size, location, (size_t)width, "...");
}

static void print_line(const struct cloud_line *line, int name_width, int zone_width, int location_width, FILE *out)
{
    char location[4 * LOCATION_MAX + 4], pue[FIGURE_SIZE], wue[FIGURE_SIZE], factor[FIGURE_SIZE] = "-";

    fit_location(location, sizeof location, line->entry->region.location, location_width);
    if (line->row)
        c_snprintf(factor, sizeof factor, "%.2f'%02d%s", line->row->kgco2eq_per_kwh * G_PER_KG, line->row->year % 100,
                   c_strcasecmp(line->row->zone, line->zone) == 0 ? " " : "*");
    fprintf(out, "%-*s %s%*s %-*s %12s %8s %8s\n", name_width, line->entry->name, location,
            location_width - (int)utf8_columns(location), "", zone_width, line->zone, factor,
            with_year(&line->entry->pue, pue), with_year(&line->entry->wue, wue));
}

bool clouds_table(const struct cloud_table *table, FILE *out, struct error *err)
{
    int name_width = 6, zone_width = 4, location_width, max = 8;
    bool fallback_to_machine = false;

    (void)err;
    for (size_t i = 0; i < table->count; i++) {
        const struct cloud_line *line = &table->lines[i];
        const int name = (int)strlen(line->entry->name), zone = (int)strlen(line->zone),
                  location = (int)utf8_columns(line->entry->region.location);
        name_width = name > name_width ? name : name_width;
        zone_width = zone > zone_width ? zone : zone_width;
        max = location > max ? location : max;
        fallback_to_machine = fallback_to_machine || (line->row && c_strcasecmp(line->row->zone, line->zone) != 0);
    }
    location_width = terminal_width(out) - name_width - zone_width - FIGURES_WIDTH;
    location_width = location_width < LOCATION_MIN ? LOCATION_MIN : location_width;
    location_width = location_width > max ? max : location_width;
    location_width = location_width > LOCATION_MAX ? LOCATION_MAX : location_width;
    fprintf(out, "%-*s %-*s %-*s %12s %8s %8s\n", name_width, "region", location_width, "location", zone_width, "zone",
            "gCO2eq/kWh ", "PUE", "WUE");
    for (size_t i = 0; i < table->count; i++)
        print_line(&table->lines[i], name_width, zone_width, location_width, out);
    fprintf(out, "\n%s; PUE and WUE (L/kWh) as published; '24: of 2024; -: not known\n",
            factor_basis_name(table->basis));
    if (fallback_to_machine)
        fputs("*: the zone has no factor; using the next one in its fallback order\n", out);
    return true;
}

static void write_figure(const struct cloud_figure *figure, FILE *out)
{
    char value[TEXT_NUMBER_SIZE], year[16] = "";

    if (figure->year)
        snprintf(year, sizeof year, "%d", figure->year);
    fprintf(out, ",%s,%s,", isnan(figure->value) ? "" : text_number(figure->value, value), year);
    csv_write_field(out, figure->source_id);
}

bool clouds_csv(const struct cloud_table *table, FILE *out, struct error *err)
{
    (void)err;
    fputs("region,location,zone,factor_zone,year,kgco2eq_per_kwh,basis,source_id,pue,pue_year,pue_source_id,"
          "wue_l_per_kwh,wue_year,wue_source_id\n",
          out);
    for (size_t i = 0; i < table->count; i++) {
        const struct cloud_line *line = &table->lines[i];
        const struct factor_row *row = line->row;
        char value[TEXT_NUMBER_SIZE], year[16] = "";
        if (row)
            snprintf(year, sizeof year, "%d", row->year);
        csv_write_field(out, line->entry->name);
        fputs(",", out);
        csv_write_field(out, line->entry->region.location);
        fprintf(out, ",%s,%s,%s,%s,%s,", line->zone, row ? row->zone : "", year,
                row ? text_number(row->kgco2eq_per_kwh, value) : "", factor_basis_name(table->basis));
        csv_write_field(out, row ? row->source_id : "");
        write_figure(&line->entry->pue, out);
        write_figure(&line->entry->wue, out);
        fputs("\n", out);
    }
    return true;
}

/* A row of the table, with the names that stand elsewhere. */
struct region_object {
    const struct cloud_entry *entry;
    const char *zone, *zone_name;
    const struct factor_row *factor;
    const char *factor_table;
};

static const char *basis_word(int basis)
{
    return factor_basis_name((enum factor_basis)basis);
}

static bool has_factor(const void *region)
{
    return ((const struct region_object *)region)->factor;
}

#define OF struct cloud_figure
static const struct fields figure_fields = FIELDS_NAMED("figure", "a figure that a provider publishes")({
    FIELD_NUMBER(value, "as published; null: none is"),
    FIELD_INT(year, "of which year; null: not said", .flags = FIELD_NULL_0),
    FIELD_TEXT(source_id, "key of the source in sources.csv", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct cloud_entry
static const struct fields entry_fields = FIELDS({
    FIELD_TEXT_AS("region", name, "its name: aws:eu-west-3"),
    FIELD_TEXT_AS("location", region.location, "where it is"),
});

static const struct fields published_fields = FIELDS({
    FIELD_OBJECT(struct cloud_figure, pue, &figure_fields, "power usage effectiveness"),
    FIELD_OBJECT_AS("wue_l_per_kwh", struct cloud_figure, wue, &figure_fields,
                    "water usage effectiveness, in litres for each kWh of IT energy"),
});
#undef OF

#define OF struct factor_row
static const struct fields row_fields = FIELDS({
    FIELD_TEXT(zone, "the zone of the factor; may be a fallback of the region's"),
    FIELD_INT(year, "its year"),
    FIELD_NUMBER(kgco2eq_per_kwh, "emission factor, in kgCO2eq per kWh"),
    FIELD_WORD(enum factor_basis, basis, basis_word, FACTOR_LIFECYCLE, FACTOR_DIRECT + 1, "its coverage"),
    FIELD_TEXT(source_id, "key of the source in sources.csv", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct region_object
static const struct fields factor_fields = FIELDS({
    FIELD_PART(const struct factor_row *, factor, &row_fields, FIELD_BEHIND),
    FIELD_NAME_AS("table", factor_table, "file name of the table"),
});

static const struct fields region_fields = FIELDS_NAMED("region", "a cloud region")({
    FIELD_PART(const struct cloud_entry *, entry, &entry_fields, FIELD_BEHIND),
    FIELD_NAME(zone, "whose electricity it has"),
    FIELD_NAME(zone_name, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_GROUP("factor", &factor_fields, "emission factor there; null: no table has one", .known = has_factor),
    FIELD_PART(const struct cloud_entry *, entry, &published_fields, FIELD_BEHIND),
});
#undef OF

static void add_regions(struct tree_node array, const void *of)
{
    const struct cloud_table *table = of;

    for (size_t i = 0; i < table->count; i++) {
        const struct cloud_line *line = &table->lines[i];
        const struct zone *zone = zones_find(&table->zones, line->zone);
        const struct region_object object = {
            .entry = line->entry,
            .zone = line->zone,
            .zone_name = zone ? zone->name : "",
            .factor = line->row,
            .factor_table = line->row ? rows_table_name(&table->rows, line->row) : NULL,
        };
        fields_json(tree_object(array, NULL), &region_fields, &object);
    }
}

static const struct field clouds_list[] = {
    FIELD_CONSTANT("schema", CLOUDS_SCHEMA, "name and version of this form"),
    FIELD_EACH("regions", add_regions, &region_fields, "those that were asked for"),
};
static const struct fields clouds_fields = FIELDS_OF(NULL, NULL, struct cloud_table, clouds_list);
const struct schema clouds_schema = {
    "clouds", CLOUDS_SCHEMA, "What carbon factors --clouds --json writes: regions of clouds, and their factors.",
    &clouds_fields, NULL
};

bool clouds_json(const struct cloud_table *table, FILE *out, struct error *err)
{
    return document_json(&clouds_schema, table, out, "the cloud regions as JSON", err);
}
