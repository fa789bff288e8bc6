/* SPDX-License-Identifier: MIT
 * A sum over accounts while it is calculated. Used by annual_basis.c and annual_change.c. Begin with annual_sum_list().
 */
#ifndef COMMANDS_REPORT_ANNUAL_SUM_H
#define COMMANDS_REPORT_ANNUAL_SUM_H

#include "commands/report/annual_names.h"
#include "ledger/counted_machines.h"

/* E over t, record by record: the basis of an extrapolation. */
struct ratio_total {
    uint64_t records;
    struct total e, t, ee, et, tt;
};

/* Items of one kind, and the totals of the accounts of each. */
struct annual_list {
    void *items;
    struct contribution_totals *totals;
    size_t count;
};

enum {
    LIST_FACTORS,
    LIST_MARKET,
    LIST_DIRECT,
    LIST_LIFECYCLE,
    LIST_PUES,
    LIST_EMBODIED,
    LIST_SCOPES,
    LIST_MACHINES,
    LIST_COUNT
};

struct annual_sum {
    struct annual *annual;
    struct contribution_totals (*by_month)[QUALITY_COUNT]; /* and quality */
    struct contribution_totals estimated;
    struct name_totals projects, labels;
    struct annual_prices *prices;
    struct basis_totals bases; /* index: the place of the price */
    struct annual_list lists[LIST_COUNT];
    struct ratio_total power, energy_of_run, idle_power;
    double recorded_j, warmup_j, small_j, once_j;
    struct counted_machines machines; /* time of each that is in the sums */

    /* records that were measured at the same time, by start: their time, the part of it that is counted once, and the
     * number of records without a known machine */
    int64_t from_ns, to_ns;
    double busy_s, once_s;
    uint64_t unknown;
};

/* annual_basis.c: lists the bases of the sums. */
bool annual_sum_list(struct annual_sum *sum, struct error *err) MUST_CHECK;

/* Likewise: gives the lists to the result, each item with its figures. */
void annual_sum_give_lists(struct annual_sum *sum);

#endif
