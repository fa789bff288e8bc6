/* SPDX-License-Identifier: MIT
 * Numbers with a unit behind them. */
#include "io/quantity.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

struct unit {
    const char *name;
    double size; /* in the base unit */
};

static bool take_number(const char **at, double *number)
{
    char digits[TEXT_NUMBER_SIZE];
    size_t length = strspn(*at, "0123456789.");

    if ((*at)[length] == 'e' || (*at)[length] == 'E')
        length += 1 + strspn(*at + length + 1, "+-0123456789");
    if (length >= sizeof digits)
        return false;
    memcpy(digits, *at, length);
    digits[length] = '\0';
    *at += length;
    *at += strspn(*at, " ");
    return text_to_number(digits, number);
}

/* The whole word, so that "m" is not found in "min". */
static bool take_unit(const char **at, const struct unit *units, double *size)
{
    const size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    for (; units->name; units++)
        if (strlen(units->name) == length && strncmp(*at, units->name, length) == 0) {
            *size = units->size;
            *at += length;
            *at += strspn(*at, " ");
            return true;
        }
    return false;
}

bool quantity_duration(const char *text, double *duration_s)
{
    static const struct unit units[] = {
        { "s", 1 }, { "m", 60 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { NULL, 0 },
    };
    double number, size, before = INFINITY;

    *duration_s = 0;
    do {
        /* from large to small, each once: "2h30m" */
        if (!take_number(&text, &number) || !take_unit(&text, units, &size) || size >= before)
            return false;
        *duration_s += number * size;
        before = size;
    } while (*text);
    return *duration_s > 0 && isfinite(*duration_s);
}

bool quantity_energy(const char *text, double *energy_j)
{
    static const struct unit units[] = {
        { "J", 1 },
        { "kJ", 1e3 },
        { "MJ", 1e6 },
        { "GJ", 1e9 },
        { "Wh", J_PER_KWH / 1e3 },
        { "kWh", J_PER_KWH },
        { "MWh", J_PER_KWH * 1e3 },
        { "GWh", J_PER_KWH * 1e6 },
        { NULL, 0 },
    };
    double number, size;

    if (!take_number(&text, &number) || !take_unit(&text, units, &size) || *text)
        return false;
    *energy_j = number * size;
    return *energy_j >= 0 && isfinite(*energy_j);
}
