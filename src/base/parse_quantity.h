/* SPDX-License-Identifier: MIT
 * Quantities with their units, as people type them: "41g", "0.041 kgCO2eq/kWh", "2h30m", "1.3kWh", "50%". One table has
 * the units of each kind; options (app/options/options.h) name the kind, and parsing, errors, help, completion and the
 * manual take the units from here. Used in app, emissions, outside and 5 commands. Begin with quantity_of(). */
#ifndef BASE_PARSE_QUANTITY_H
#define BASE_PARSE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

/* A kind is a dimension, and the unit of a bare number. */
enum quantity {
    QUANTITY_NONE,
    QUANTITY_SECONDS,
    QUANTITY_HOURS,
    QUANTITY_YEARS,     /* years of 365 days */
    QUANTITY_DURATION,  /* in seconds; a bare number says nothing */
    QUANTITY_POWER,     /* watts */
    QUANTITY_ENERGY,    /* in joules; a bare number says nothing */
    QUANTITY_MASS,      /* kgCO2eq */
    QUANTITY_INTENSITY, /* gCO2eq/kWh */
    QUANTITY_WATER,     /* L/kWh */
    QUANTITY_SHARE,     /* 0 to 1 */
    QUANTITY_PERCENT,
    QUANTITY_GIGABYTES,
    QUANTITY_MEGABYTES,
    QUANTITY_COUNT,
};

enum { QUANTITY_UNIT_SIZE = 32, QUANTITY_UNITS_SIZE = 160 };

/* A number with a unit of this kind, or, where the kind has a bare unit, without; in the kind's own unit. Conversions
 * by powers of ten are exact: "0.041kg" equals "41". A time may have several parts, from large to small ("2h30m").
 * False: it is none. */
bool quantity_of(enum quantity quantity, const char *text, double *value);
/* The same times ten to the power of `tens`, as exactly. */
bool quantity_scaled(enum quantity quantity, const char *text, int tens, double *value);

/* Makes it whole where it misses that only by a conversion ("0.1min"). False: it is not. */
bool quantity_whole(double *value);

/* Whether the text is a number without a unit. */
bool quantity_is_bare(const char *text);

const char *quantity_name(enum quantity quantity); /* "time", "intensity" */
/* What a bare number is of: "seconds", "gCO2eq/kWh", "" the whole; NULL: it says nothing. */
const char *quantity_bare(enum quantity quantity);
/* The unit of this index, by the name that is shown; false: there are no more. */
bool quantity_unit(enum quantity quantity, size_t index, char out[QUANTITY_UNIT_SIZE]);
/* "ms, s, min, h or d" */
void quantity_units_text(enum quantity quantity, char *out, size_t size);
/* Another kind's name, if the text is of that: "energy" for "5kWh"; NULL: of none. */
const char *quantity_named_by(const char *text);

/* "90m", "2h", "2h30m", "1.5 d", "45s"; above 0. False: not a duration. */
bool quantity_duration(const char *text, double *duration_s);

#endif
