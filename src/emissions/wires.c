/* SPDX-License-Identifier: MIT
 * The wires along which one zone's factor may be the fallback of another: wires.csv. */
#include "emissions/zones.h"

#include "base/shipped.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { ZONE, STAND_IN, WIRE, KIND, NOTES, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = { "zone", "stand_in", "wire", "kind", "notes" };

struct wires_reading {
    const char *zone;
    struct wire *wire;
    bool found;
    int column[COLUMN_COUNT];
};

static bool on_wire(const struct csv_row *row, void *context, struct error *err)
{
    struct wires_reading *reading = context;
    struct wire *wire = reading->wire;
    const int *column = reading->column;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    if (strcmp(row->fields[column[ZONE]], reading->zone) != 0)
        return true;
    reading->found = true;
    wire->there = strcmp(row->fields[column[WIRE]], "1") == 0;
    text_copy(wire->stand_in, sizeof wire->stand_in, row->fields[column[STAND_IN]]);
    text_copy(wire->kind, sizeof wire->kind, row->fields[column[KIND]]);
    text_copy(wire->notes, sizeof wire->notes, row->fields[column[NOTES]]);
    return true;
}

bool wire_find(const char *zone, struct wire *wire, bool *found, struct error *err)
{
    struct wires_reading reading = { .zone = zone, .wire = wire };

    *wire = (struct wire){ .there = false };
    if (!shipped_read_together("wires.csv", zone, on_wire, &reading, err))
        return false;
    *found = reading.found;
    return true;
}
