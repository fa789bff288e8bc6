/* SPDX-License-Identifier: MIT
 * Units of options: every option of every command that has a dimension, with each unit that there is. */
#include "app/options/command.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct error err;

/* Sizes of units by hand, in the unit of a bare number of each kind. */
static const struct {
    enum quantity quantity;
    struct size {
        const char *unit;
        double size;
    } units[12];
} sizes[] = {
    { QUANTITY_SECONDS,
      { { "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "y", 31536000 } } },
    { QUANTITY_POWER, { { "mW", 1e-3 }, { "W", 1 }, { "kW", 1e3 }, { "MW", 1e6 } } },
    { QUANTITY_ENERGY,
      { { "mJ", 1e-3 },
        { "J", 1 },
        { "kJ", 1e3 },
        { "MJ", 1e6 },
        { "GJ", 1e9 },
        { "mWh", 3.6 },
        { "Wh", 3600 },
        { "kWh", 3.6e6 },
        { "MWh", 3.6e9 },
        { "GWh", 3.6e12 },
        { "TWh", 3.6e15 } } },
    { QUANTITY_MASS, { { "g", 1e-3 }, { "kg", 1 }, { "t", 1e3 }, { "lb", 0.45359237 } } },
    { QUANTITY_INTENSITY,
      { { "g/kWh", 1 },
        { "kg/kWh", 1e3 },
        { "mg/kWh", 1e-3 },
        { "kg/MWh", 1 },
        { "t/MWh", 1e3 },
        { "g/MWh", 1e-3 },
        { "lb/MWh", 0.45359237 },
        { "lb/kWh", 453.59237 },
        { "g/MJ", 3.6 } } },
    { QUANTITY_WATER, { { "L/kWh", 1 }, { "mL/kWh", 1e-3 }, { "m3/MWh", 1 } } },
    { QUANTITY_PERCENT, { { "%", 1 } } },
    { QUANTITY_GIGABYTES,
      { { "B", 1e-9 },
        { "kB", 1e-6 },
        { "MB", 1e-3 },
        { "GB", 1 },
        { "TB", 1e3 },
        { "KiB", 1024e-9 },
        { "MiB", 1048576e-9 },
        { "GiB", 1.073741824 },
        { "TiB", 1099.511627776 } } },
};

/* Of kinds that share a dimension: what a bare number of this one is in the table's. */
static enum quantity table_kind(enum quantity quantity, double *bare)
{
    *bare = quantity == QUANTITY_HOURS ? 3600 : quantity == QUANTITY_YEARS ? 31536000 : 1;
    switch (quantity) {
    case QUANTITY_HOURS:
    case QUANTITY_YEARS:
    case QUANTITY_DURATION: return QUANTITY_SECONDS;
    case QUANTITY_SHARE: *bare = 100; return QUANTITY_PERCENT;
    case QUANTITY_MEGABYTES: *bare = 1e-3; return QUANTITY_GIGABYTES;
    default: return quantity;
    }
}

/* A value that the option may have, round in its units. */
static double some_value(const struct option_spec *option)
{
    static const double tried[] = { 60, 1, 0.5, 3600 };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        if (option->max <= option->min || (tried[i] >= option->min && tried[i] <= option->max))
            return tried[i];
    return option->min;
}

static void write_value(const struct option_spec *option, double value, const char *unit, char out[128])
{
    if (strcmp(option->argument, "<idle:full>") == 0)
        snprintf(out, 128, "%.15g%s:%.15g%s", value, unit, 2 * value, unit);
    else
        snprintf(out, 128, "%.15g%s", value, unit);
}

/* Whether this unit is one of the option's own, in which it then has this value. */
static bool takes_unit(const struct option_spec *option, double value, enum quantity quantity, const struct size *size)
{
    const struct option_spec *const list[] = { option, NULL };
    double bare;
    const enum quantity kind = table_kind(option->quantity, &bare);
    const bool own = quantity == kind;
    struct settings settings;
    char text[128];

    /* a mass is not an intensity, but "g" alone is told of both */
    if (!own && kind == QUANTITY_INTENSITY && quantity == QUANTITY_MASS && *size->unit != 't')
        return false;
    write_value(option, own ? value * bare / size->size : value, size->unit, text);
    err = (struct error){ .kind = ERROR_NONE };
    ck_assert_msg(option_check(option, option->name, text, &err) == own, "--%s '%s': %s", option->name, text,
                  own ? err.what : "taken");
    if (!own) {
        ck_assert_msg(err.why[0] != '\0', "--%s '%s': no reason", option->name, text);
        return false;
    }
    if (option->kind == OPTION_TEXT)
        return true;
    settings_open(&settings, list);
    ck_assert(settings_set(&settings, option, text, ORIGIN_LINE, option->name, "", &err));
    ck_assert_msg(fabs(settings_number(&settings, option) - value) <= 1e-12 * value, "--%s '%s': %.17g", option->name,
                  text, settings_number(&settings, option));
    settings_close(&settings);
    return true;
}

static void expect_own_units(const struct option_spec *option)
{
    const double value = some_value(option);
    char unit[QUANTITY_UNIT_SIZE];
    size_t known = 0, all = 0;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (const struct size *size = sizes[i].units; size->unit; size++)
            known += takes_unit(option, value, sizes[i].quantity, size);
    while (quantity_unit(option->quantity, all, unit))
        all++;
    ck_assert_msg(known == all, "--%s: %zu of %zu units", option->name, known, all);
}

/* Each option with a dimension takes each of its units, as the number alone that it is, and none of another dimension;
 * what has a dimension says so. */
START_TEST(options_take_their_units_and_no_others)
{
    static const char *const dimensions[] = { "<s>",     "<W>",  "<g/kWh>",  "<L/kWh>",    "<0..1>",
                                              "<GB>",    "<mb>", "<%>",      "<percent>",  "<kg>",
                                              "<years>", "<h>",  "<energy>", "<duration>", NULL };
    size_t tried = 0;

    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++) {
            const struct option_spec *option = commands[i]->options[j];
            for (size_t k = 0; option->argument && dimensions[k]; k++)
                ck_assert_msg(strcmp(option->argument, dimensions[k]) != 0 || option->quantity, "--%s has no units",
                              option->name);
            if (!option->quantity)
                continue;
            expect_own_units(option);
            tried++;
        }
    ck_assert_uint_gt(tried, 40);
}
END_TEST

UNIT_SUITE("option_units", options_take_their_units_and_no_others)
