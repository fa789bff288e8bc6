/* SPDX-License-Identifier: MIT
 * The sum that `carbon import` prints. */
#include "commands/history/import_sum.h"

#include "ledger/account.h"
#include "base/counted_time.h"

#include <math.h>
#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const struct import_item *of_a = *(const struct import_item *const *)a;
    const struct import_item *of_b = *(const struct import_item *const *)b;

    if (of_a->started_ns != of_b->started_ns)
        return of_a->started_ns < of_b->started_ns ? -1 : 1;
    return (of_a > of_b) - (of_a < of_b);
}

static void add_known(double *sum, double figure)
{
    if (!isnan(figure))
        *sum = isnan(*sum) ? figure : *sum + figure;
}

bool import_sum(const struct import_item **items, size_t count, struct import_sum *sum, struct error *err)
{
    struct counted_times times = { .items = NULL };
    bool good = true;

    *sum = (struct import_sum){ .facility_kwh = NAN, .kgco2eq = NAN };
    if (count)
        qsort(items, count, sizeof *items, by_start);
    for (size_t i = 0; i < count && good; i++) {
        struct account account = {
            .gross_j = items[i]->gross_j,
            .facility_kwh = items[i]->facility_kwh,
            .gross_kgco2eq = items[i]->kgco2eq,
            .machine = items[i]->machine[0] ? items[i]->machine : NULL,
            .times = items[i]->times,
        };
        struct account_once once;
        if (items[i]->started_ns > 0)
            counted_times_forget(&times, (uint64_t)items[i]->started_ns);
        good = account_count_once(&times, &account, &once, err);
        add_known(&sum->facility_kwh, account.facility_kwh);
        add_known(&sum->kgco2eq, account.gross_kgco2eq);
        sum->once += once.gross_j > 0;
        sum->once_j += once.gross_j;
    }
    counted_times_close(&times);
    return good;
}
