/* SPDX-License-Identifier: MIT
 * What a kilowatt-hour emits: factors, zones and the footprint made with them. Used in app, emissions, grid, lib,
 * result and 4 commands. Begin with struct factor. */
#ifndef EMISSIONS_FACTOR_H
#define EMISSIONS_FACTOR_H

#include "base/error.h"
#include "base/notice.h"
#include "base/quality.h"

#include <stddef.h>

enum factor_basis {
    FACTOR_LIFECYCLE, /* plant construction, fuel supply and combustion */
    FACTOR_DIRECT,    /* combustion alone */
    FACTOR_NO_BASIS,  /* a figure of one's own, of which it was not said */
};

/* "lifecycle", "direct"; "" where it was not said. */
const char *factor_basis_name(enum factor_basis basis);
bool factor_basis_of(const char *name, enum factor_basis *basis) MUST_CHECK;

/* One row of a factor table, or a figure of the user's own. Texts are "" where not said. */
struct factor {
    double kgco2eq_per_kwh;
    enum quality quality; /* given: a named publisher's or the user's own; default: no zone was set */
    enum factor_basis basis;
    char zone[24]; /* "FR", "US-CA", "WORLD"; "" for a figure of one's own */
    char zone_name[80];
    char cloud_region[80]; /* "aws:eu-west-3" where the user named one; "" */
    int year;              /* the year of the figure; 0 unknown */
    /* reported separately, not part of the factor; NAN: not published. Grid losses; fuel supply where the basis
     * excludes it */
    double td_losses_kgco2eq_per_kwh, upstream_kgco2eq_per_kwh;
    char scope[16];     /* "production", "consumption" */
    char td_losses[16]; /* "excluded", "included" */
    char method[16];    /* "location" */
    char gases[16];     /* "co2eq", "co2" */
    char source_id[48]; /* key into sources.csv */
    char source[160];   /* its title and publisher */
    char licence[96];
    char table[64];        /* file name of the table */
    char version[8];       /* the year of the source's publication, or "" */
    char retrieved_at[16]; /* the day it was taken from there, as the table says; carbon's own do not: "" */
};

struct factor_query {
    const char *zone; /* as the user typed it: code, alpha-3, name or cloud region; NULL: the world's average */
    int year;         /* year of the run; 0: the latest */
    enum factor_basis basis;
    double intensity;          /* kgCO2eq/kWh of the user's own; NAN: look it up */
    const char *const *tables; /* further tables or folders of the user's, searched first; NULL-ended or NULL */
    bool share_alike;          /* also the tables under share-alike/ */
    const char *set;           /* an official national set alone, and no stand-in; NULL: any */
};

/* Official national sets: "desnz", "epa", ..., and the one that a zone has; NULL-ended. All of them are direct. */
#define FACTOR_SET_OFFICIAL "official"
extern const char *const factor_set_names[];
bool factor_set_has(const char *set, const char *source_id); /* a row of this source is of it */
const char *factor_set_zones(const char *set);               /* "GB", for messages */

/* Finds the factor; a difference from the request (earlier year, fallback zone, default) becomes a
 * notice. ERROR_USAGE for an unknown zone, with near names; ERROR_BAD_DATA for a malformed table,
 * with file, line and column. */
bool factor_lookup(const struct factor_query *query, struct factor *factor, struct notices *notices,
                   struct error *err) MUST_CHECK;

/* Whether the tables that carbon ships say the same of a factor that was read from a record. */
struct shipped_factor {
    enum factor_standing_kind {
        FACTOR_NOT_SHIPPED, /* a figure or a table of the user's own */
        FACTOR_AS_SHIPPED,
        FACTOR_OTHER_VALUE, /* the row is there with another value */
        FACTOR_GONE,        /* no such row exists */
    } kind;
    double kgco2eq_per_kwh; /* factor of the row */
};
bool factor_shipped_state(const struct factor *factor, struct shipped_factor *state, struct error *err) MUST_CHECK;

/* What some energy emits. kgco2eq = energy_j / 3.6e6 × pue × factor. */
struct footprint {
    double it_kwh;       /* what the machine used */
    double facility_kwh; /* it_kwh × pue */
    double kgco2eq;
};

struct footprint footprint_of(double energy_j, double pue, double kgco2eq_per_kwh);

/* "8h/d" (2920 h), "8h/d x 250", "2000h", "50%" to hours per year; 0 < hours <= 8760. */
bool duty_hours_per_year(const char *text, double *hours, struct error *err) MUST_CHECK;

/* Of a year with this number of days: "8h/d" is of all of them, "50%" of all their hours. */
bool duty_hours_of(const char *text, double days_of_year, double *hours, struct error *err) MUST_CHECK;

#endif
