/* SPDX-License-Identifier: MIT
 * Numbers with a unit behind them. */
#include "base/parse_quantity.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENS_MAX = 400 };

#define G_PER_LB 453.59237

/* size × 10^tens of the dimension's own unit. */
struct parse_quantity_unit {
    const char *names; /* divided by blanks; the first is shown; of "" none is */
    double size;
    int tens;
};

static const struct parse_quantity_unit times[] = {
    { "ms millisecond milliseconds", 1, -3 },
    { "s sec secs second seconds", 1, 0 },
    { "min m mins minute minutes", 60, 0 },
    { "h hr hrs hour hours", S_PER_H, 0 },
    { "d day days", S_PER_DAY, 0 },
    { "y yr year years a", 31536000, 0 },
    { NULL, 0, 0 },
};
static const struct parse_quantity_unit powers[] = {
    { "mW", 1, -3 }, { "W watt watts", 1, 0 }, { "kW", 1, 3 }, { "MW", 1, 6 }, { NULL, 0, 0 },
};
static const struct parse_quantity_unit energies[] = {
    { "mJ", 1, -3 },   { "J joule joules", 1, 0 }, { "kJ", 1, 3 },     { "MJ", 1, 6 },
    { "GJ", 1, 9 },    { "mWh", 3.6, 0 },          { "Wh", 3.6, 3 },   { "kWh", 3.6, 6 },
    { "MWh", 3.6, 9 }, { "GWh", 3.6, 12 },         { "TWh", 3.6, 15 }, { NULL, 0, 0 },
};
/* After a mass may stand what it is of: "41 gCO2eq/kWh". */
static const struct parse_quantity_unit intensities[] = {
    { "g/kWh g", 1, 0 },
    { "kg/kWh kg", 1, 3 },
    { "mg/kWh mg", 1, -3 },
    { "kg/MWh", 1, 0 },
    { "t/MWh", 1, 3 },
    { "g/MWh", 1, -3 },
    { "lb/MWh lbs/MWh", G_PER_LB, -3 },
    { "lb/kWh lbs/kWh", G_PER_LB, 0 },
    { "g/MJ kg/GJ", 3.6, 0 },
    { NULL, 0, 0 },
};
static const struct parse_quantity_unit waters[] = {
    { "L/kWh L", 1, 0 },
    { "mL/kWh mL", 1, -3 },
    { "m3/MWh", 1, 0 },
    { NULL, 0, 0 },
};
static const struct parse_quantity_unit masses[] = {
    { "g", 1, -3 }, { "kg", 1, 0 }, { "t", 1, 3 }, { "lb lbs", G_PER_LB, -3 }, { NULL, 0, 0 },
};
static const struct parse_quantity_unit shares[] = {
    { "% percent", 1, -2 },
    { NULL, 0, 0 },
};
static const struct parse_quantity_unit sizes[] = {
    { "B", 1, 0 },         { "kB", 1, 3 },           { "MB", 1, 6 },
    { "GB", 1, 9 },        { "TB", 1, 12 },          { "KiB", KIB_BYTES, 0 },
    { "MiB", 1048576, 0 }, { "GiB", 1073741824, 0 }, { "TiB", 1099511627776, 0 },
    { NULL, 0, 0 },
};

struct parse_quantity_kind {
    const char *name; /* dimension, as errors name it */
    const char *bare; /* NULL: a bare number says nothing */
    const struct parse_quantity_unit *units;
    double size; /* of the kind's own unit, in the dimension's */
    int tens;
    bool parts;  /* several, from large to small */
    bool carbon; /* a mass of CO2 */
};

static const struct parse_quantity_kind kinds[QUANTITY_COUNT] = {
    [QUANTITY_NONE] = { .name = "number" },
    [QUANTITY_SECONDS] = { .name = "time", .bare = "seconds", .units = times, .size = 1, .tens = 0, .parts = true },
    [QUANTITY_HOURS] = { .name = "time", .bare = "hours", .units = times, .size = S_PER_H, .tens = 0, .parts = true },
    [QUANTITY_YEARS] = { .name = "time", .bare = "years", .units = times, .size = 31536000, .tens = 0, .parts = true },
    [QUANTITY_DURATION] = { .name = "time", .bare = NULL, .units = times, .size = 1, .tens = 0, .parts = true },
    [QUANTITY_POWER] = { .name = "power", .bare = "watts", .units = powers, .size = 1, .tens = 0 },
    [QUANTITY_ENERGY] = { .name = "energy", .bare = NULL, .units = energies, .size = 1, .tens = 0 },
    [QUANTITY_INTENSITY] = { .name = "intensity",
                             .bare = "gCO2eq/kWh",
                             .units = intensities,
                             .size = 1,
                             .tens = 0,
                             .carbon = true },
    [QUANTITY_WATER] = { .name = "use of water", .bare = "L/kWh", .units = waters, .size = 1, .tens = 0 },
    [QUANTITY_MASS] = { .name = "mass", .bare = "kgCO2eq", .units = masses, .size = 1, .tens = 0, .carbon = true },
    [QUANTITY_SHARE] = { .name = "share", .bare = "", .units = shares, .size = 1, .tens = 0 },
    [QUANTITY_PERCENT] = { .name = "share", .bare = "percent", .units = shares, .size = 1, .tens = -2 },
    [QUANTITY_GIGABYTES] = { .name = "size", .bare = "GB", .units = sizes, .size = 1, .tens = 9 },
    [QUANTITY_MEGABYTES] = { .name = "size", .bare = "MB", .units = sizes, .size = 1, .tens = 6 },
};

/* A number as it is typed: its digits, and the power of ten behind them. */
struct typed {
    char digits[TEXT_NUMBER_SIZE];
    int tens;
};

static bool take_number(const char **at, struct typed *typed)
{
    const size_t sign = strspn(*at, "+-") == 1;
    const size_t length = sign + strspn(*at + sign, "0123456789.");
    double value;

    if (length >= sizeof typed->digits)
        return false;
    memcpy(typed->digits, *at, length);
    typed->digits[length] = '\0';
    typed->tens = 0;
    *at += length;
    if ((**at == 'e' || **at == 'E') && strchr("+-0123456789", (*at)[1]) && (*at)[1]) {
        char *end;
        const long tens = strtol(*at + 1, &end, 10);
        if (end == *at + 1 || labs(tens) > TENS_MAX)
            return false;
        typed->tens = (int)tens;
        *at = end;
    }
    *at += strspn(*at, " ");
    return text_to_number(typed->digits, &value);
}

/* Correctly rounded: the power of ten is put behind the digits, and not multiplied. */
static double scaled(const struct typed *typed, int tens)
{
    char text[TEXT_NUMBER_SIZE + 16];

    snprintf(text, sizeof text, "%se%d", typed->digits, typed->tens + tens);
    return c_strtod(text, NULL);
}

static bool skip(const char **at, const char *word)
{
    if (c_strncasecmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    return true;
}

/* What a mass is of says nothing more: "kg", "/kWh" of "kg CO2eq per kWh". False: it is too long. */
static bool take_word(const char **at, bool carbon, bool more, char word[QUANTITY_UNIT_SIZE])
{
    size_t length = 0;

    while (**at && !(more && strchr("0123456789.", **at))) {
        if (length == QUANTITY_UNIT_SIZE - 1)
            return false;
        if (skip(at, " per "))
            word[length++] = '/';
        else if (**at == ' ')
            ++*at;
        else if (carbon && length && (skip(at, "CO2") || skip(at, "CO₂")))
            IGNORED((skip(at, "-eq") || skip(at, "eq") || skip(at, "e")), "none of them has to be there");
        else
            word[length++] = *(*at)++;
    }
    word[length] = '\0';
    return length > 0;
}

/* 2: it is called just that; 1: but for capitals. A capital alone is often another unit (M, G). */
static int named(const struct parse_quantity_unit *unit, const char *word)
{
    const size_t length = strlen(word);
    int best = 0;

    for (const char *name = unit->names; *name; name += strspn(name, " ")) {
        const size_t width = strcspn(name, " ");
        if (width == length && strncmp(name, word, length) == 0)
            return 2;
        if (width == length && c_strncasecmp(name, word, length) == 0 && !(length == 1 && strchr("MGT", *word)))
            best = 1;
        name += width;
    }
    return best;
}

/* Without regard to capitals where only one is meant: "kwh", but not "mwh". */
static const struct parse_quantity_unit *unit_of(const struct parse_quantity_unit *units, const char *word)
{
    const struct parse_quantity_unit *near = NULL;
    bool several = false;

    for (; units->names; units++)
        switch (named(units, word)) {
        case 2: return units;
        case 1:
            several = several || near;
            near = units;
            break;
        default: break;
        }
    return several ? NULL : near;
}

static bool take_part(const struct parse_quantity_kind *kind, const char **at, int tens,
                      const struct parse_quantity_unit **unit, double *value)
{
    char word[QUANTITY_UNIT_SIZE];
    struct typed typed;

    if (!take_number(at, &typed) || !take_word(at, kind->carbon, kind->parts, word))
        return false;
    *unit = unit_of(kind->units, word);
    if (*unit)
        *value = scaled(&typed, (*unit)->tens - kind->tens + tens) * ((*unit)->size / kind->size);
    return *unit;
}

bool quantity_is_bare(const char *text)
{
    double value;

    return text_to_number(text, &value);
}

bool quantity_scaled(enum quantity quantity, const char *text, int tens, double *value)
{
    const struct parse_quantity_kind *kind = &kinds[quantity];
    const struct parse_quantity_unit *unit, *before = NULL;
    double part, sum = 0;
    struct typed typed;

    if (kind->bare && quantity_is_bare(text)) {
        const char *at = text;
        if (tens == 0)
            return text_to_number(text, value);
        if (!take_number(&at, &typed) || *at)
            return false;
        *value = scaled(&typed, tens);
        return isfinite(*value);
    }
    if (!kind->units)
        return false;
    do {
        if (!take_part(kind, &text, tens, &unit, &part) || (before && (unit >= before || part < 0 || sum < 0)))
            return false;
        sum += part;
        before = unit;
    } while (*text && kind->parts);
    *value = sum;
    return isfinite(sum);
}

bool quantity_of(enum quantity quantity, const char *text, double *value)
{
    return quantity_scaled(quantity, text, 0, value);
}

bool quantity_whole(double *value)
{
    const double whole = round(*value);

    if (fabs(*value - whole) > 1e-9 * fabs(whole))
        return false;
    *value = whole;
    return true;
}

const char *quantity_name(enum quantity quantity)
{
    return kinds[quantity].name;
}

const char *quantity_bare(enum quantity quantity)
{
    return kinds[quantity].bare;
}

bool quantity_unit(enum quantity quantity, size_t index, char out[QUANTITY_UNIT_SIZE])
{
    const struct parse_quantity_unit *units = kinds[quantity].units;

    for (size_t i = 0; units && units[i].names; i++)
        if (i == index) {
            snprintf(out, QUANTITY_UNIT_SIZE, "%.*s", (int)strcspn(units[i].names, " "), units[i].names);
            return true;
        }
    return false;
}

void quantity_units_text(enum quantity quantity, char *out, size_t size)
{
    char unit[QUANTITY_UNIT_SIZE], next[QUANTITY_UNIT_SIZE];
    size_t length = 0;

    out[0] = '\0';
    for (size_t i = 0; quantity_unit(quantity, i, unit) && length < size; i++) {
        const char *joint = i == 0 ? "" : quantity_unit(quantity, i + 1, next) ? ", " : " or ";
        length += (size_t)snprintf(out + length, size - length, "%s%s", joint, unit);
    }
}

const char *quantity_named_by(const char *text)
{
    double value;

    for (enum quantity quantity = QUANTITY_NONE + 1; quantity < QUANTITY_COUNT; quantity++)
        if (!quantity_is_bare(text) && quantity_of(quantity, text, &value))
            return kinds[quantity].name;
    return NULL;
}

bool quantity_duration(const char *text, double *duration_s)
{
    return quantity_of(QUANTITY_DURATION, text, duration_s) && *duration_s > 0;
}
