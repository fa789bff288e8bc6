/* SPDX-License-Identifier: MIT
 * The sum that `carbon import` prints. */
#include "commands/history/import_sum.h"

#include "ledger/contribution.h"
#include "ledger/counted_machines.h"

#include <math.h>
#include <stdlib.h>

/* What Slurm has reported comes last, whole nodes first. */
static int by_start(const void *a, const void *b)
{
    const struct import_item *of_a = *(const struct import_item *const *)a;
    const struct import_item *of_b = *(const struct import_item *const *)b;

    const struct contribution *contribution_a = &of_a->contribution, *contribution_b = &of_b->contribution;

    if (!contribution_a->reported != !contribution_b->reported)
        return contribution_a->reported ? 1 : -1;
    if (contribution_a->reported != contribution_b->reported)
        return contribution_a->reported > contribution_b->reported ? -1 : 1;
    if (contribution_a->started_ns != contribution_b->started_ns)
        return contribution_a->started_ns < contribution_b->started_ns ? -1 : 1;
    return (of_a > of_b) - (of_a < of_b);
}

static void add_known(double *sum, double figure)
{
    if (!isnan(figure))
        *sum = isnan(*sum) ? figure : *sum + figure;
}

void import_sum_add(struct import_sum *sum, const struct import_item *item)
{
    add_known(&sum->facility_kwh, item->facility_kwh);
    add_known(&sum->kgco2eq, item->kgco2eq);
}

bool import_sum(const struct import_item **items, size_t count, struct import_sum *sum, struct error *err)
{
    struct counted_machines machines = { .nodes = NULL };
    bool good = true;

    *sum = (struct import_sum){ .facility_kwh = NAN, .kgco2eq = NAN };
    for (size_t i = 0; i < count; i++)
        machines.with_reported |= items[i]->contribution.reported != REPORTED_NOT;
    if (count)
        qsort(items, count, sizeof *items, by_start);
    for (size_t i = 0; i < count && good; i++) {
        struct contribution contribution = items[i]->contribution;
        struct contribution_once once;
        contribution.facility_kwh = items[i]->facility_kwh;
        contribution.gross_kgco2eq = items[i]->kgco2eq;
        if (contribution.started_ns > 0)
            counted_machines_forget(&machines, (uint64_t)contribution.started_ns);
        good = contribution_count_once(&machines, &contribution, &once, err);
        add_known(&sum->facility_kwh, contribution.facility_kwh);
        add_known(&sum->kgco2eq, contribution.gross_kgco2eq);
        sum->once += once.gross_j > 0;
        sum->once_j += once.gross_j;
    }
    counted_machines_close(&machines);
    return good;
}
