/* SPDX-License-Identifier: MIT
 * What it takes to make a machine: embodied.csv. */
#include "base/c_locale.h"
#include "base/near.h"
#include "base/shipped.h"
#include "emissions/sci.h"

#include "base/text.h"
#include "emissions/factor_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const columns[] = {
    "category", "item", "kgco2eq_manufacturing", "per", "lifetime_years", "source_id"
};

enum { CATEGORY, ITEM, KGCO2EQ, PER, LIFETIME, SOURCE_ID, COLUMN_COUNT };

struct machine_search {
    const char *name;
    struct sci *sci;
    int column[COLUMN_COUNT];
    bool found;
    struct near_names near;
};

/* Of a whole machine, not of a component, a gigabyte or an hour. */
static bool is_machine(const char *per)
{
    return strcmp(per, "device") == 0 || strcmp(per, "server") == 0 || strcmp(per, "node") == 0;
}

/* A part of the machine that was named: its item begins with the machine's name. */
static bool is_part(const struct csv_row *row, const struct machine_search *search)
{
    const char *item = row->fields[search->column[ITEM]];
    const size_t length = strlen(search->name);

    return strcmp(row->fields[search->column[CATEGORY]], "server_lca") == 0 && length > 0 &&
           c_strncasecmp(item, search->name, length) == 0 && item[length] == ' ';
}

static bool read_row(const struct csv_row *row, struct machine_search *search, bool part, struct error *err)
{
    struct sci *sci = search->sci;
    const size_t column = (size_t)search->column[KGCO2EQ], years = (size_t)search->column[LIFETIME];
    double kgco2eq, lifetime = NAN;

    if (!text_to_number(row->fields[column], &kgco2eq) || kgco2eq < 0)
        return csv_bad_field(row, column, columns[KGCO2EQ], err, "not a mass");
    if (*row->fields[years] && (!text_to_number(row->fields[years], &lifetime) || !(lifetime > 0)))
        return csv_bad_field(row, years, columns[LIFETIME], err, "not a time");
    sci->machine_kgco2eq.value = (part && search->found ? sci->machine_kgco2eq.value : 0) + kgco2eq;
    sci->machine_kgco2eq.quality = QUALITY_GIVEN;
    if (isnan(sci->lifetime_years.value) && !isnan(lifetime))
        sci->lifetime_years = (struct sci_figure){ lifetime, QUALITY_GIVEN };
    text_copy(sci->machine, sizeof sci->machine, part ? search->name : row->fields[search->column[ITEM]]);
    text_copy(sci->source_id, sizeof sci->source_id, row->fields[search->column[SOURCE_ID]]);
    search->found = true;
    return true;
}

static bool on_machine(const struct csv_row *row, void *context, struct error *err)
{
    struct machine_search *search = context;
    const bool first = row->line == 1;
    bool part;

    if (first)
        return csv_columns(row, columns, COLUMN_COUNT, search->column, err);
    part = is_part(row, search);
    if (!is_machine(row->fields[search->column[PER]]))
        return true;
    if (part || c_strcasecmp(row->fields[search->column[ITEM]], search->name) == 0)
        return read_row(row, search, part, err);
    if (strcmp(row->fields[search->column[CATEGORY]], "server_lca") != 0)
        near_add(&search->near, row->fields[search->column[ITEM]],
                 text_distance(search->name, row->fields[search->column[ITEM]]));
    return true;
}

bool sci_machine_find(const char *name, struct sci *sci, struct error *err)
{
    struct machine_search search = { .name = name, .sci = sci };
    struct source source;
    bool found;

    sci->lifetime_years.value = NAN;
    if (!shipped_read("embodied.csv", NULL, on_machine, &search, err))
        return false;
    if (!search.found) {
        error_set(err, ERROR_USAGE, "no machine '%.64s' in embodied.csv", name);
        return error_fix(err, "the nearest is '%s'; or give the mass itself with --embodied KG",
                         search.near.items[0].name);
    }
    if (!source_find(sci->source_id, &source, &found, err))
        return false;
    text_copy(sci->version, sizeof sci->version, source.year);
    return true;
}
