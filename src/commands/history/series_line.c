/* SPDX-License-Identifier: MIT
 * The lines of a time series: what its columns are, and what one line says. */
#include "commands/history/series_line.h"

#include "base/clock.h"
#include "base/text.h"
#include "energy/energy.h"
#include "form/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMESTAMP, TIME_S, PHASE, RUN, FIXED_COLUMNS };

static const char *const fixed_columns[] = { "timestamp", "time_s", "phase", "run" };

static const struct {
    const char *word;
    enum component component;
} words[] = {
    { "package", COMPONENT_PACKAGE }, { "dram", COMPONENT_MEMORY },     { "core", COMPONENT_CORES },
    { "uncore", COMPONENT_UNCORE },   { "psys", COMPONENT_PLATFORM },   { "gpu", COMPONENT_GPU },
    { "machine", COMPONENT_MACHINE }, { "battery", COMPONENT_MACHINE },
};

/* The number behind a word in a name: "-1" of "package-1-die-0"; -1: there is none. */
static int number_behind(const char *name, const char *word)
{
    const char *at = strstr(name, word);

    return at && at[strlen(word)] == '-' && at[strlen(word) + 1] >= '0' && at[strlen(word) + 1] <= '9'
               ? atoi(at + strlen(word) + 1)
               : -1;
}

/* As carbon names its domains; what has a name of its own is a part of something larger, and not counted. */
static void name_domain(struct domain *domain, const char *name)
{
    const size_t length = strcspn(name, "-#");

    *domain = (struct domain){ .component = COMPONENT_RAIL, .package = -1, .die = -1, .resolution_uj = 1 };
    domain->low_ratio = domain->high_ratio = 1;
    text_copy(domain->name, sizeof domain->name, name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && strncmp(words[i].word, name, length) == 0) {
            domain->component = words[i].component;
            domain->package = domain->component == COMPONENT_GPU || domain->component == COMPONENT_MACHINE
                                  ? -1
                                  : number_behind(name, words[i].word);
            domain->part = strcmp(words[i].word, "battery") == 0;
        }
    domain->die = number_behind(name, "-die");
    domain->access = strstr(name, "-mmio") ? ACCESS_MMIO : ACCESS_MSR;
}

/* "perf:package-0": the source is reported where a name comes again. */
static const char *driver_of(const char *field, const char *colon)
{
    const size_t length = colon ? (size_t)(colon - field) : 0;

    for (size_t i = 0; length && energy_drivers[i]; i++)
        if (strlen(energy_drivers[i]->name) == length && strncmp(energy_drivers[i]->name, field, length) == 0)
            return energy_drivers[i]->name;
    return "samples";
}

static bool take_column(struct series_columns *columns, const struct csv_row *row, size_t i, struct error *err)
{
    struct loaded_record *recovered = columns->recovered;
    struct meter *meter = &recovered->meter;
    const char *field = row->fields[FIXED_COLUMNS + i], *colon = strchr(field, ':');
    const char *name = colon ? colon + 1 : field;
    const size_t length = strlen(name);
    struct meter_domain *state = &meter->domains[i];
    char text[sizeof state->domain->name];

    if (length < 4 || length - 3 >= sizeof text || strcmp(name + length - 3, "_uj") != 0)
        return csv_bad_field(row, FIXED_COLUMNS + i, field, err, "the name of an energy ends in _uj");
    snprintf(text, sizeof text, "%.*s", (int)length - 3, name);
    snprintf(columns->names[i], sizeof columns->names[i], "%.*s", (int)strlen(field) - 3, field);
    name_domain(&recovered->domains[i], text);
    state->domain = &recovered->domains[i];
    state->source = record_load_source(recovered, driver_of(field, colon));
    meter->domain_count++;
    return state->source ||
           csv_bad_field(row, FIXED_COLUMNS + i, field, err, "there are more sources than any meter has");
}

bool series_header(struct series_columns *columns, const struct csv_row *row, struct error *err)
{
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (i >= row->count || strcmp(row->fields[i], fixed_columns[i]) != 0) {
            error_set(err, ERROR_BAD_DATA, "'%s' is not a time series of carbon", row->path);
            error_why(err, "its column %zu is not '%s'", i + 1, fixed_columns[i]);
            return error_fix(err, "use a file written by --samples or --json of 'carbon measure'");
        }
    columns->has_holes = strcmp(row->fields[row->count - 1], SAMPLE_HOLES_COLUMN) == 0;
    if (row->count - FIXED_COLUMNS - columns->has_holes > ENERGY_MAX_DOMAINS)
        return csv_bad_field(row, FIXED_COLUMNS + ENERGY_MAX_DOMAINS, row->fields[FIXED_COLUMNS + ENERGY_MAX_DOMAINS],
                             err, "more domains than any meter has");
    for (size_t i = 0; i + FIXED_COLUMNS + columns->has_holes < row->count; i++)
        if (!take_column(columns, row, i, err))
            return false;
    return true;
}

/* What of each domain's energy is not known: as it was at the line above where nothing is said of it. */
static bool take_holes(const struct series_columns *columns, const struct csv_row *row, struct moment *moment,
                       struct error *err)
{
    const size_t count = columns->recovered->meter.domain_count, column = FIXED_COLUMNS + count;
    const char *at = columns->has_holes ? row->fields[column] : "";
    struct sample_hole hole;

    while (*at) {
        if (!(at = sample_hole_take(at, &hole)))
            return csv_bad_field(row, column, SAMPLE_HOLES_COLUMN, err, "a hole is 'DOMAIN REASON SECONDS'");
        for (size_t i = 0; i < count; i++) {
            if (strcmp(columns->names[i], hole.column) != 0)
                continue;
            if (hole.unknown_ns < moment->unknown_ns[i])
                return csv_bad_field(row, column, SAMPLE_HOLES_COLUMN, err, "it is shorter than before");
            moment->unknown_ns[i] = hole.unknown_ns;
            moment->hole[i] = (uint8_t)hole.reason;
            moment->reported[i] |= hole.cut;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (moment->reported[i])
            moment->read_ns[i] = moment->time_ns;
    return true;
}

bool series_line(const struct series_columns *columns, const struct csv_row *row, const struct moment *before,
                 struct moment *moment, struct error *err)
{
    static const struct moment none = { .time_ns = 0 };
    const struct moment *from = before ? before : &none;
    const size_t count = columns->recovered->meter.domain_count;
    double time_s;

    *moment = (struct moment){ .time_ns = 0 };
    if (row->count != FIXED_COLUMNS + count + columns->has_holes) {
        error_set(err, ERROR_BAD_DATA, "'%s' line %zu is malformed", row->path, row->line);
        return error_why(err, "the header has %zu columns, this line %zu", FIXED_COLUMNS + count + columns->has_holes,
                         row->count);
    }
    if (!text_to_number(row->fields[TIME_S], &time_s) || time_s < 0)
        return csv_bad_field(row, TIME_S, "time_s", err, "not a number of seconds");
    moment->time_ns = field_ns(time_s);
    if (before && moment->time_ns < before->time_ns)
        return csv_bad_field(row, TIME_S, "time_s", err, "it is before the line above");
    if (!before && !clock_of_text(row->fields[TIMESTAMP], &moment->realtime_ns))
        moment->realtime_ns = 0;
    text_copy(moment->phase, sizeof moment->phase, row->fields[PHASE]);
    if (!text_to_u64(row->fields[RUN], &moment->number))
        return csv_bad_field(row, RUN, "run", err, "not a whole number");
    for (size_t i = 0; i < count; i++) {
        const char *field = row->fields[FIXED_COLUMNS + i];
        moment->energy_uj[i] = from->energy_uj[i];
        moment->unknown_ns[i] = from->unknown_ns[i];
        moment->read_ns[i] = from->read_ns[i];
        moment->hole[i] = from->hole[i];
        moment->reported[i] = *field;
        if (*field && !text_to_u64(field, &moment->energy_uj[i]))
            return csv_bad_field(row, FIXED_COLUMNS + i, "energy", err, "not a whole number of microjoules");
        if (*field && before && moment->energy_uj[i] < before->energy_uj[i])
            return csv_bad_field(row, FIXED_COLUMNS + i, "energy", err, "the energy is less than before");
    }
    return take_holes(columns, row, moment, err);
}
