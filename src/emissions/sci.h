/* SPDX-License-Identifier: MIT
 * The Software Carbon Intensity of ISO/IEC 21031: ((E x I) + M) per R. Used in app, emissions and result. Begin with
 * sci_work_out(). */
#ifndef EMISSIONS_SCI_H
#define EMISSIONS_SCI_H

#include "base/error.h"
#include "base/quality.h"

/* Of years, where neither the user nor a table says. */
#define SCI_LIFETIME_YEARS 4.0

struct sci_figure {
    double value;
    enum quality quality;
};

/* Unknown figures are NAN: without M there is a rate of operation, but no score. */
struct sci {
    bool enabled;  /* false: no functional unit was declared, so no score */
    double units;  /* R of one run */
    char unit[64]; /* "alerts", or "" */
    double hours;  /* for which the machine was taken up by one run */

    struct sci_figure machine_kgco2eq; /* to make the machine, all of it (TE) */
    char machine[96];                  /* the row of embodied.csv, or "" */
    char source_id[48], version[8];    /* source of that row, else "" */
    struct sci_figure lifetime_years;  /* EL */
    struct sci_figure reserved_share;  /* of the machine's resources (RR / ToR) */

    /* sci_work_out fills these */
    double operational_kgco2eq; /* E x I of one run: gross, idle included, with the PUE */
    double embodied_kgco2eq;    /* M = TE x hours / lifetime x share */
    double kgco2eq_per_unit;
};

void sci_work_out(struct sci *sci, double operational_kgco2eq, double duration_s);

/* "1000", "1000:alerts"; units > 0. */
bool sci_units_of(const char *text, struct sci *sci, struct error *err) MUST_CHECK;

/* What embodied.csv says of a whole machine: a row of its own ("laptop pro"), or all parts of one ("Dell R740").
 * ERROR_USAGE with near names where it has none. */
bool sci_machine_find(const char *name, struct sci *sci, struct error *err) MUST_CHECK;

#endif
