/* SPDX-License-Identifier: MIT
 * Cloud regions: a table, CSV and JSON. */
#include "base/c_locale.h"
#include "base/units.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/csv.h"
#include "base/text.h"
#include "form/utf8.h"
#include "io/json_tree.h"

#include <math.h>
#include <string.h>

enum { FIGURE_SIZE = TEXT_NUMBER_SIZE + 8, FIGURES_WIDTH = 33, LOCATION_LEAST = 12, LOCATION_MOST = 25 };

/* "1.24'24": a figure with its year, or "-". */
static const char *with_year(const struct cloud_figure *figure, char out[FIGURE_SIZE])
{
    char number[TEXT_NUMBER_SIZE];

    if (isnan(figure->value))
        return "-";
    snprintf(out, FIGURE_SIZE, figure->year ? "%s'%02d" : "%s", text_number(figure->value, number), figure->year % 100);
    return out;
}

/* What tells regions apart: "Asia Pacific (Tokyo)" is Tokyo where there is no room for all of it. */
static void fit_location(char *field, size_t size, const char *location, int width)
{
    const char *place = strchr(location, '(');
    char inner[sizeof(struct cloud_region)];

    if (place && (int)utf8_count(location) > width) {
        snprintf(inner, sizeof inner, "%.*s", (int)strcspn(place + 1, ")"), place + 1);
        location = inner;
    }
    utf8_fit(field, size, location, (size_t)width, "...");
}

static void print_line(const struct cloud_line *line, int name_width, int zone_width, int location_width, FILE *out)
{
    char location[4 * LOCATION_MOST + 4], pue[FIGURE_SIZE], wue[FIGURE_SIZE], factor[FIGURE_SIZE] = "-";

    fit_location(location, sizeof location, line->entry->region.location, location_width);
    if (line->row)
        c_snprintf(factor, sizeof factor, "%.2f'%02d%s", line->row->kgco2eq_per_kwh * G_PER_KG, line->row->year % 100,
                   c_strcasecmp(line->row->zone, line->zone) == 0 ? " " : "*");
    fprintf(out, "%-*s %s%*s %-*s %12s %8s %8s\n", name_width, line->entry->name, location,
            location_width - (int)utf8_count(location), "", zone_width, line->zone, factor,
            with_year(&line->entry->pue, pue), with_year(&line->entry->wue, wue));
}

bool clouds_table(const struct cloud_table *table, FILE *out, struct error *err)
{
    int name_width = 6, zone_width = 4, location_width, most = 8;
    bool stands_in = false;

    (void)err;
    for (size_t i = 0; i < table->count; i++) {
        const struct cloud_line *line = &table->lines[i];
        const int name = (int)strlen(line->entry->name), zone = (int)strlen(line->zone),
                  location = (int)utf8_count(line->entry->region.location);
        name_width = name > name_width ? name : name_width;
        zone_width = zone > zone_width ? zone : zone_width;
        most = location > most ? location : most;
        stands_in = stands_in || (line->row && c_strcasecmp(line->row->zone, line->zone) != 0);
    }
    location_width = terminal_width(out) - name_width - zone_width - FIGURES_WIDTH;
    location_width = location_width < LOCATION_LEAST ? LOCATION_LEAST : location_width;
    location_width = location_width > most ? most : location_width;
    location_width = location_width > LOCATION_MOST ? LOCATION_MOST : location_width;
    fprintf(out, "%-*s %-*s %-*s %12s %8s %8s\n", name_width, "region", location_width, "location", zone_width, "zone",
            "gCO2eq/kWh ", "PUE", "WUE");
    for (size_t i = 0; i < table->count; i++)
        print_line(&table->lines[i], name_width, zone_width, location_width, out);
    fprintf(out, "\n%s; PUE and WUE (L/kWh) as published; '24: of 2024; -: not known\n",
            factor_basis_name(table->basis));
    if (stands_in)
        fputs("*: the zone has none of its own, the next one in its chain stands in\n", out);
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

static void add_figure(struct tree_node region, const char *key, const struct cloud_figure *figure)
{
    const struct tree_node node = tree_object(region, key);

    tree_number(node, "value", figure->value);
    if (figure->year)
        tree_integer(node, "year", (uint64_t)figure->year);
    else
        tree_null(node, "year");
    tree_text_or_null(node, "source_id", figure->source_id);
}

static void add_factor(struct tree_node region, const struct cloud_table *table, const struct factor_row *row)
{
    struct tree_node node;

    if (!row) {
        tree_null(region, "factor");
        return;
    }
    node = tree_object(region, "factor");
    tree_text(node, "zone", row->zone);
    tree_integer(node, "year", (uint64_t)row->year);
    tree_number(node, "kgco2eq_per_kwh", row->kgco2eq_per_kwh);
    tree_text(node, "basis", factor_basis_name(row->basis));
    tree_text_or_null(node, "source_id", row->source_id);
    tree_text(node, "table", rows_table_name(&table->rows, row));
}

bool clouds_json(const struct cloud_table *table, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node array;

    tree_open(&tree);
    tree_text(tree_root(&tree), "schema", "carbon.clouds/1");
    array = tree_array(tree_root(&tree), "regions");
    for (size_t i = 0; i < table->count; i++) {
        const struct cloud_line *line = &table->lines[i];
        const struct zone *zone = zones_find(&table->zones, line->zone);
        const struct tree_node region = tree_object(array, NULL);
        tree_text(region, "region", line->entry->name);
        tree_text(region, "location", line->entry->region.location);
        tree_text(region, "zone", line->zone);
        tree_text_or_null(region, "zone_name", zone ? zone->name : "");
        add_factor(region, table, line->row);
        add_figure(region, "pue", &line->entry->pue);
        add_figure(region, "wue_l_per_kwh", &line->entry->wue);
    }
    return tree_write(&tree, out, "the cloud regions as JSON", err);
}
