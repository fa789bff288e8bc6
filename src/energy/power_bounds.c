/* SPDX-License-Identifier: MIT
 * Bounds of power: the hardware's own limit, the TDP, or the maximum of the class. */
#include "energy/power_bounds.h"

#include <math.h>
#include <string.h>

/* The largest ratio of a processor's short-term power to its rated power: 57 W to 15 W (Core Ultra 7 155U, maximum
 * turbo power to processor base power). A set limit may be the lower of the two. */
#define TURBO 4.0

/* A card may draw three times what it is rated for, though for 100 µs only (PCIe CEM 5.0, power excursions). */
#define EXCURSION 3.0

#define FULL_SCALE_W 0x7fff

/* A limit may be set next to nothing, and not be enforced. */
#define MIN_W 100.0

bool bounds_can_be_power(double power_w)
{
    return power_w >= 0 && power_w <= BOUNDS_MACHINE_W && power_w != FULL_SCALE_W;
}

double bounds_class_w(enum component component)
{
    static const double max_w[COMPONENT_COUNT] = {
        [COMPONENT_MACHINE] = BOUNDS_MACHINE_W,
        [COMPONENT_PLATFORM] = 10000, /* a board of eight sockets with their memory */
        [COMPONENT_PACKAGE] = 2000,   /* four times the largest TDP, 500 W */
        [COMPONENT_CORES] = 2000,
        [COMPONENT_UNCORE] = 2000,
        [COMPONENT_MEMORY] = 1000, /* of one socket: 24 modules of 40 W */
        [COMPONENT_GPU] = 4000,    /* almost three times the largest card's limit, 1.4 kW */
        [COMPONENT_RAIL] = BOUNDS_MACHINE_W,
    };

    return max_w[component];
}

double bounds_max_w(const struct domain *domain)
{
    return domain->max_w > 0 ? domain->max_w : bounds_class_w(domain->component);
}

static bool is_of_processors(const struct domain *domain)
{
    return domain->component == COMPONENT_PACKAGE || domain->component == COMPONENT_CORES ||
           domain->component == COMPONENT_UNCORE;
}

bool bounds_want_tdp(const struct domain *domain)
{
    return is_of_processors(domain) && !(domain->limit_w > 0) && domain->access != ACCESS_MODEL;
}

/* How many sockets' worth it is. */
static int times(const struct domain *domain, int packages, bool all)
{
    const bool of_sockets = is_of_processors(domain) || domain->component == COMPONENT_MEMORY;

    return of_sockets && packages > 1 && (all || domain->package < 0) && !domain->part ? packages : 1;
}

void bounds_set(struct domain *domain, int packages, bool all, double tdp_w)
{
    const int sockets = times(domain, packages, all);
    const double class_w =
        sockets * bounds_class_w(all && domain->component == COMPONENT_GPU && !domain->part ? COMPONENT_MACHINE
                                                                                            : domain->component);
    double max_w = 0;

    if (domain->access == ACCESS_MODEL)
        return;
    if (domain->limit_w > 0) {
        domain->max_from = MAX_BY_LIMIT;
        max_w = domain->limit_w * (domain->component == COMPONENT_GPU ? EXCURSION : TURBO);
    } else if (bounds_want_tdp(domain) && tdp_w > 0) {
        domain->max_from = MAX_BY_TDP;
        max_w = sockets * tdp_w * TURBO;
    }
    max_w = fmax(max_w, max_w > 0 ? MIN_W : 0);
    if (!(max_w > 0) || max_w > class_w) {
        domain->max_from = MAX_BY_CLASS;
        max_w = class_w;
    }
    domain->max_w = max_w;
}

static const char *const names[] = {
    [MAX_UNKNOWN] = "", [MAX_BY_LIMIT] = "limit", [MAX_BY_TDP] = "tdp", [MAX_BY_CLASS] = "class"
};

const char *max_from_name(enum max_from from)
{
    return names[from];
}

enum max_from max_from_of(const char *name)
{
    enum max_from from = MAX_BY_CLASS;

    while (from > MAX_UNKNOWN && strcmp(name, names[from]) != 0)
        from--;
    return from;
}
