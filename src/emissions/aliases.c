/* SPDX-License-Identifier: MIT
 * Names of zones as people type them: zone_aliases.csv. It is long, and is read where a name is not found otherwise. */
#include "emissions/zones.h"

#include "base/c_locale.h"
#include "base/shipped.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { ALIAS, ZONE, GRID_ZONE, KIND, NOTES, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = { "alias", "zone", "grid_zone", "kind", "notes" };

struct aliases_reading {
    const char *text;
    struct zone_alias *alias;
    struct near_names *near; /* spellings are only collected */
    bool found;
    int column[COLUMN_COUNT];
};

static bool on_alias(const struct csv_row *row, void *context, struct error *err)
{
    struct aliases_reading *reading = context;
    const int *column = reading->column;
    struct zone_alias *alias = reading->alias;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    if (reading->near) {
        near_offer(reading->near, row->fields[column[ALIAS]], row->fields[column[ZONE]]);
        return true;
    }
    if (reading->found || c_strcasecmp(row->fields[column[ALIAS]], reading->text) != 0)
        return true;
    reading->found = true;
    text_copy(alias->zone, sizeof alias->zone, row->fields[column[ZONE]]);
    text_copy(alias->grid_zone, sizeof alias->grid_zone, row->fields[column[GRID_ZONE]]);
    text_copy(alias->kind, sizeof alias->kind, row->fields[column[KIND]]);
    text_copy(alias->notes, sizeof alias->notes, row->fields[column[NOTES]]);
    return true;
}

/* field: of the rows that are looked at; NULL: all. */
static bool read_aliases(struct aliases_reading *reading, const char *field, struct error *err)
{
    return shipped_read("zone_aliases.csv", field, on_alias, reading, err);
}

bool zone_alias_find(const char *text, struct zone_alias *alias, bool *found, struct error *err)
{
    struct aliases_reading reading = { .text = text, .alias = alias };

    /* mostly it is written as there; only else is every row looked at */
    if (!read_aliases(&reading, text, err) || (!reading.found && !read_aliases(&reading, NULL, err)))
        return false;
    *found = reading.found;
    return true;
}

bool near_offer_aliases(struct near_names *near, struct error *err)
{
    struct aliases_reading reading = { .near = near };

    return read_aliases(&reading, NULL, err);
}
