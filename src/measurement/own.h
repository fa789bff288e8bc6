/* SPDX-License-Identifier: MIT
 * A job's own energy: what the job added to the machine's, by the best method that the machine allows, named. Idle is
 * never in it. docs/METHOD.md, "Own", has the methods with their ranges. Pure arithmetic. */
#ifndef MEASUREMENT_OWN_H
#define MEASUREMENT_OWN_H

#include "measurement/idle.h"

/* Equal CPU times may differ so many times in power. */
#define OWN_POWERS_APART 4.0

/* Of a metered domain, by who used the CPUs. gross_j is NAN where a part of it is not known, net_j too where there is
 * no baseline. learnt: what follows from its strides, where these tell it. */
struct own own_of_meter(const struct own_cpus *cpus, double gross_j, double net_j, const struct own *learnt);

/* Of a modelled domain, of whose figure the truth lies between low_ratio and high_ratio times it. */
struct own own_of_model(double slope_w, double cpu_s, double low_ratio, double high_ratio);

/* Of both together. */
struct own own_add(const struct own *a, const struct own *b);

/* What the runs of a command have in common. */
void own_basis_fill(const struct measurement *measurement, struct own_basis *basis);

struct own own_of_domain(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                         size_t domain);

/* One domain in a part of a run. */
struct own_part {
    size_t domain;
    double gross_j, net_j; /* NAN: unknown, or a lower bound */
    double cpu_s;          /* of the job; NAN unknown */
    double duration_s;
};

/* By the same rules: others were as busy in it as in the whole run, and of a card the job had the same part. */
struct own own_of_part(const struct measurement *measurement, const struct own_basis *basis, const struct run *run,
                       const struct own_part *part);

/* Watts of a busy CPU, where all that counts is modelled; else NAN. */
double own_slope_w(const struct measurement *measurement, const struct own_basis *basis);

/* Over the counted domains that have a figure. */
struct own own_of_run(const struct measurement *measurement, const struct own_basis *basis, const struct run *run);

#endif
