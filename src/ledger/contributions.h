/* SPDX-License-Identifier: MIT
 * The records of a ledger as parts of a sum. Used by commands/report/cmd_report.c. Begin with ledger_contributions().
 */
#ifndef LEDGER_CONTRIBUTIONS_H
#define LEDGER_CONTRIBUTIONS_H

#include "ledger/contribution.h"
#include "ledger/ledger.h"

/* Of a period, whole records and the parts of those that one of its edges cuts; NULL: any. */
struct contribution_filter {
    uint64_t from_ns, to_ns; /* from and before, CLOCK_REALTIME */
    const char *project, *label;
    bool restated; /* a recalculated record replaces the original, the last of several */
};

/* Called for each: the number of its basis, or -1, and whether another one replaces it (one restates
 * the other), so that it is not to be summed. In the order in which they began, Slurm's energies after all others,
 * as contribution_count_once wants it. False ends it and fails it. */
typedef bool contribution_function(const struct contribution *contribution, int64_t basis, bool restated, void *context,
                                   struct error *err);
bool ledger_contributions(struct ledger *ledger, const struct contribution_filter *filter,
                          contribution_function *on_contribution, void *context, struct error *err) MUST_CHECK;

/* Whether Slurm has reported any energy. */
bool ledger_has_reported(struct ledger *ledger, bool *reported, struct error *err) MUST_CHECK;

/* What accounts stand on, as contribution_basis has written it; also what no record stands on any more. */
typedef bool contribution_basis_function(int64_t number, const char *basis, void *context, struct error *err);
bool ledger_bases(struct ledger *ledger, contribution_basis_function *function, void *context,
                  struct error *err) MUST_CHECK;

#endif
