/* SPDX-License-Identifier: MIT
 * All cloud regions, with their providers' published data. */
#include "commands/factors/cloud_list.h"

#include "base/shipped.h"
#include "base/text.h"
#include "emissions/factor_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROVIDER, REGION, LOCATION, ZONE, GRID_ZONE, YEAR, PUE, WUE, SOURCE, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = {
    "provider", "region", "location", "zone", "grid_zone", "year", "pue", "wue_l_per_kwh", "source_id",
};

struct list_reading {
    struct cloud_list *list;
    int year; /* wanted */
    int column[COLUMN_COUNT];
};

/* The region of a row: that of the row before, for its years stand together, or a new one. */
static struct cloud_entry *entry_of(struct list_reading *reading, const struct csv_row *row, struct error *err)
{
    struct cloud_list *list = reading->list;
    const int *column = reading->column;
    char name[CLOUD_NAME_SIZE];
    struct cloud_entry *items;

    snprintf(name, sizeof name, "%s:%s", row->fields[column[PROVIDER]], row->fields[column[REGION]]);
    if (list->count && strcmp(list->items[list->count - 1].name, name) == 0)
        return &list->items[list->count - 1];
    items = reallocarray(list->items, list->count + 1, sizeof *items);
    if (!items) {
        error_set(err, ERROR_SYSTEM, "no memory for the list of cloud regions");
        return NULL;
    }
    list->items = items;
    items += list->count++;
    *items = (struct cloud_entry){ .pue = { .value = NAN }, .wue = { .value = NAN } };
    text_copy(items->name, sizeof items->name, name);
    text_copy(items->region.location, sizeof items->region.location, row->fields[column[LOCATION]]);
    text_copy(items->region.zone, sizeof items->region.zone, row->fields[column[ZONE]]);
    text_copy(items->region.grid_zone, sizeof items->region.grid_zone, row->fields[column[GRID_ZONE]]);
    return items;
}

static bool take_figure(const struct list_reading *reading, const struct csv_row *row, int index, int year,
                        struct cloud_figure *figure, struct error *err)
{
    const char *text = row->fields[reading->column[index]];
    double value;

    if (!*text)
        return true;
    if (!text_to_number(text, &value) || value < 0)
        return csv_bad_field(row, (size_t)reading->column[index], columns[index], err, "not a figure of this kind");
    if (!isnan(figure->value) && !year_goes_before(year, figure->year, reading->year))
        return true;
    *figure = (struct cloud_figure){ .value = value, .year = year };
    text_copy(figure->source_id, sizeof figure->source_id, row->fields[reading->column[SOURCE]]);
    return true;
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct list_reading *reading = context;
    struct cloud_entry *entry;
    uint64_t year = 0;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    const char *text = row->fields[reading->column[YEAR]];
    if (*text && (!text_to_u64(text, &year) || year > 2200))
        return csv_bad_field(row, (size_t)reading->column[YEAR], columns[YEAR], err, "not a year");
    entry = entry_of(reading, row, err);
    return entry && take_figure(reading, row, PUE, (int)year, &entry->pue, err) &&
           take_figure(reading, row, WUE, (int)year, &entry->wue, err);
}

bool cloud_list_read(struct cloud_list *list, int year, struct error *err)
{
    struct list_reading reading = { .list = list, .year = year };

    *list = (struct cloud_list){ .count = 0 };
    return shipped_read("cloud_regions.csv", NULL, on_row, &reading, err);
}

void cloud_list_close(struct cloud_list *list)
{
    free(list->items);
    *list = (struct cloud_list){ .count = 0 };
}
