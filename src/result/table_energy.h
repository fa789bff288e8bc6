/* SPDX-License-Identifier: MIT
 * The energies of the result for people: by domain, their uncertainty, own and the verdict. Used by record_text.c.
 * Begin with table_energy(). */
#ifndef RESULT_TABLE_ENERGY_H
#define RESULT_TABLE_ENERGY_H

#include "result/report.h"

/* What its parts share. */
struct result_table {
    const struct report *report;
    FILE *out;
    bool colour;
    bool spread; /* more than one run: energies with their deviation */
};

void table_energy(const struct result_table *table);

#endif
