/* SPDX-License-Identifier: MIT
 * Energies of groups of domains, and one notice for each kind of finding. */
#include "meter/contradiction_groups.h"

#include "base/units.h"

void contradiction_names(const struct meter *meter, const size_t *domains, size_t count, struct text *names)
{
    if (count > 3) {
        text_add(names, "%s to %s", meter->domains[domains[0]].domain->name,
                 meter->domains[domains[count - 1]].domain->name);
        return;
    }
    for (size_t i = 0; i < count; i++)
        text_add(names, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", meter->domains[domains[i]].domain->name);
}

static bool group_knows(const struct window *step, const struct domain_group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (!step_knows(step, group->domains[i]))
            return false;
    return group->count > 0;
}

static double group_j(const struct window *step, const struct domain_group *group)
{
    double sum_j = 0;

    for (size_t i = 0; i < group->count; i++)
        sum_j += j_from_uj(step->energy_uj[group->domains[i]]);
    return sum_j;
}

void sum_groups(const struct judging *judging, const struct domain_group *a, const struct domain_group *b, double *a_j,
                double *b_j)
{
    *a_j = *b_j = 0;
    for (size_t i = 0; i < judging->steps->count; i++) {
        const struct window *step = judging->steps->at(judging->steps->of, i);
        if (group_knows(step, a) && group_knows(step, b)) {
            *a_j += group_j(step, a);
            *b_j += group_j(step, b);
        }
    }
}

void finding_begin(struct finding *finding)
{
    *finding = (struct finding){ .count = 0 };
    text_open(&finding->what, 256);
}

void finding_tell(struct judging *judging, struct finding *finding, enum notice_kind kind, const char *why,
                  const char *fix)
{
    if (finding->count > 1)
        text_add(&finding->what, "; %zu more are like that", finding->count - 1);
    if (finding->count)
        notice_add(&judging->meter->findings, kind, why, fix, "%s", finding->what.data ? finding->what.data : "");
    text_close(&finding->what);
}
