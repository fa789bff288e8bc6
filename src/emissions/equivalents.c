/* SPDX-License-Identifier: MIT
 * Reading equivalents.csv. */
#include "emissions/equivalents.h"

#include "base/shipped.h"
#include "base/text.h"
#include "emissions/factor_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const columns[] = { "name", "kgco2eq_per_unit", "unit", "region", "year", "source_id" };

enum { NAME, KGCO2EQ, UNIT, REGION, YEAR, SOURCE_ID, COLUMN_COUNT };

struct equivalents_reading {
    struct equivalents *equivalents;
    int column[COLUMN_COUNT];
};

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct equivalents_reading *reading = context;
    const int *column = reading->column;
    struct equivalent *item;
    uint64_t year;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    if (reading->equivalents->count == EQUIVALENTS_MAX)
        return csv_bad_field(row, 0, columns[NAME], err, "there are more than %d rows", EQUIVALENTS_MAX);
    item = &reading->equivalents->items[reading->equivalents->count++];
    if (!text_to_number(row->fields[column[KGCO2EQ]], &item->kgco2eq_per_unit) || !(item->kgco2eq_per_unit > 0))
        return csv_bad_field(row, (size_t)column[KGCO2EQ], columns[KGCO2EQ], err, "not a mass above 0");
    if (!text_to_u64(row->fields[column[YEAR]], &year) || year > 2200)
        return csv_bad_field(row, (size_t)column[YEAR], columns[YEAR], err, "not a year");
    item->year = (int)year;
    text_copy(item->name, sizeof item->name, row->fields[column[NAME]]);
    text_copy(item->unit, sizeof item->unit, row->fields[column[UNIT]]);
    text_copy(item->region, sizeof item->region, row->fields[column[REGION]]);
    text_copy(item->source_id, sizeof item->source_id, row->fields[column[SOURCE_ID]]);
    return true;
}

static bool name_source(struct equivalent *item, struct error *err)
{
    struct source source;
    char text[sizeof source.title + sizeof source.publisher + 3];
    bool found;

    if (!source_find(item->source_id, &source, &found, err))
        return false;
    snprintf(text, sizeof text, "%s (%s)", source.title, source.publisher);
    text_copy(item->source, sizeof item->source, found ? text : item->source_id);
    return true;
}

bool equivalents_read(struct equivalents *equivalents, struct error *err)
{
    struct equivalents_reading reading = { .equivalents = equivalents };

    equivalents->count = 0;
    if (!shipped_read("equivalents.csv", NULL, on_row, &reading, err))
        return false;
    for (size_t i = 0; i < equivalents->count; i++)
        if (!name_source(&equivalents->items[i], err))
            return false;
    return true;
}

void equivalents_work_out(struct equivalents *equivalents, double kgco2eq)
{
    for (size_t i = 0; i < equivalents->count; i++)
        equivalents->items[i].amount = kgco2eq / equivalents->items[i].kgco2eq_per_unit;
}

static double distance(const struct equivalent *item)
{
    return item->amount > 0 ? fabs(log(item->amount)) : INFINITY;
}

size_t equivalents_nearest(const struct equivalents *equivalents, const struct equivalent **nearest, size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < equivalents->count; i++) {
        const struct equivalent *item = &equivalents->items[i];
        size_t place = count;
        if (!isfinite(distance(item)))
            continue;
        while (place > 0 && distance(item) < distance(nearest[place - 1]))
            place--;
        if (place == max)
            continue;
        count += count < max;
        memmove(&nearest[place + 1], &nearest[place], (count - place - 1) * sizeof *nearest);
        nearest[place] = item;
    }
    return count;
}
