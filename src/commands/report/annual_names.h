/* SPDX-License-Identifier: MIT
 * Totals by name, and by basis of the accounts. The number of names has a maximum, so that a ledger of any size is
 * summed in little memory. Used by annual_sum.h. Begin with name_totals_open(). */
#ifndef COMMANDS_REPORT_ANNUAL_NAMES_H
#define COMMANDS_REPORT_ANNUAL_NAMES_H

#include "commands/report/annual_total.h"

enum { NAME_SLOTS = 1 << 15, NAMES_MAX = 1 << 13, BASES_MAX = 1 << 11 };

struct name_total {
    char *name;
    struct contribution_totals totals;
};

struct name_totals {
    struct name_total *items;
    unsigned *slots; /* index + 1, by the hash of the name; 0: free */
    size_t count, room;
    struct contribution_totals none, others; /* of accounts without a name; of names beyond NAMES_MAX */
};

bool name_totals_open(struct name_totals *names, struct error *err) MUST_CHECK;
void name_totals_close(struct name_totals *names);

/* name NULL: none. */
bool name_totals_add(struct name_totals *names, const char *name, const struct annual_contribution *contribution,
                     struct error *err) MUST_CHECK;

/* At most ANNUAL_NAMES_MAX groups, the highest emissions first, and the rest. */
bool name_totals_groups(struct name_totals *names, struct annual_group **groups, size_t *count,
                        struct error *err) MUST_CHECK;

struct basis_total {
    int64_t number;
    struct contribution_totals totals;
};

struct basis_totals {
    struct basis_total *items; /* ascending by number */
    size_t count, room, last;
    struct contribution_totals unnamed; /* of none, or of those beyond BASES_MAX */
};

void basis_totals_close(struct basis_totals *bases);
bool basis_totals_add(struct basis_totals *bases, int64_t number, const struct annual_contribution *contribution,
                      struct error *err) MUST_CHECK;
const struct contribution_totals *basis_totals_of(const struct basis_totals *bases,
                                                  int64_t number); /* NULL: no account */

#endif
