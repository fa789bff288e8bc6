/* SPDX-License-Identifier: MIT
 * Groups of domains that are compared with each other, their energies, and the notices about the findings. Used by
 * contradiction_pairs.h and cross_check.c. Begin with contradiction_names(). */
#ifndef METER_CONTRADICTION_GROUPS_H
#define METER_CONTRADICTION_GROUPS_H

#include "base/text.h"
#include "meter/scope.h"
#include "meter/window.h"

#define MIN_J 10.0 /* below this, the edges of two reads differ by more than the effect */

struct judging {
    struct meter *meter;
    const struct counting *counting; /* of the total */
    const struct window_list *steps;
    struct counting compute; /* what scope compute counts, whatever the total is of */
    bool has_compute;
};

/* Some of a meter's domains; each moved. */
struct domain_group {
    size_t domains[ENERGY_MAX_DOMAINS];
    size_t count;
};

/* Findings of one kind: the first is reported, with the number of further ones. */
struct finding {
    size_t count;
    struct text what;
};

static inline const struct domain *domain_at(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].domain;
}

static inline const char *source_at(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].source->driver->name;
}

static inline bool has_moved(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].moved;
}

static inline void group_add(struct domain_group *group, size_t domain)
{
    group->domains[group->count++] = domain;
}

/* "package-0", "package-0 and package-1", "package-0 to package-63". */
void contradiction_names(const struct meter *meter, const size_t *domains, size_t count, struct text *names);

/* The energy of both groups in all windows that know all of both. */
void sum_groups(const struct judging *judging, const struct domain_group *a, const struct domain_group *b, double *a_j,
                double *b_j);

void finding_begin(struct finding *finding);
void finding_tell(struct judging *judging, struct finding *finding, enum notice_kind kind, const char *why,
                  const char *fix);

#endif
