/* SPDX-License-Identifier: MIT
 * The sum that `carbon import` prints. */
#include "commands/history/import_sum.h"

#include "ledger/account.h"
#include "ledger/counted_machines.h"

#include <math.h>
#include <stdlib.h>

/* What Slurm has told comes last, whole nodes first. */
static int by_start(const void *a, const void *b)
{
    const struct import_item *of_a = *(const struct import_item *const *)a;
    const struct import_item *of_b = *(const struct import_item *const *)b;

    const struct account *account_a = &of_a->account, *account_b = &of_b->account;

    if (!account_a->told != !account_b->told)
        return account_a->told ? 1 : -1;
    if (account_a->told != account_b->told)
        return account_a->told > account_b->told ? -1 : 1;
    if (account_a->started_ns != account_b->started_ns)
        return account_a->started_ns < account_b->started_ns ? -1 : 1;
    return (of_a > of_b) - (of_a < of_b);
}

static void add_known(double *sum, double figure)
{
    if (!isnan(figure))
        *sum = isnan(*sum) ? figure : *sum + figure;
}

bool import_sum(const struct import_item **items, size_t count, struct import_sum *sum, struct error *err)
{
    struct counted_machines machines = { .nodes = NULL };
    bool good = true;

    *sum = (struct import_sum){ .facility_kwh = NAN, .kgco2eq = NAN };
    for (size_t i = 0; i < count; i++)
        machines.with_told |= items[i]->account.told != TOLD_NOT;
    if (count)
        qsort(items, count, sizeof *items, by_start);
    for (size_t i = 0; i < count && good; i++) {
        struct account account = items[i]->account;
        struct account_once once;
        account.facility_kwh = items[i]->facility_kwh;
        account.gross_kgco2eq = items[i]->kgco2eq;
        if (account.started_ns > 0)
            counted_machines_forget(&machines, (uint64_t)account.started_ns);
        good = account_count_once(&machines, &account, &once, err);
        add_known(&sum->facility_kwh, account.facility_kwh);
        add_known(&sum->kgco2eq, account.gross_kgco2eq);
        sum->once += once.gross_j > 0;
        sum->once_j += once.gross_j;
    }
    counted_machines_close(&machines);
    return good;
}
