/* SPDX-License-Identifier: MIT
 * The days of a fleet as accounts in a sum, each with its emissions by the factor of its year. Used by cmd_report.c and
 * fleet_basis.c. Begin with fleet_contributions_sum(). */
#ifndef COMMANDS_REPORT_FLEET_CONTRIBUTIONS_H
#define COMMANDS_REPORT_FLEET_CONTRIBUTIONS_H

#include "app/options/options.h"
#include "commands/report/annual.h"

struct emission_options;

/* All of the period that has been. annual->project and ->label choose, where they are given; annual->fleet gets its
 * words and its nodes. */
bool fleet_contributions_sum(const struct settings *settings, struct annual *annual, struct annual_sum *sum,
                             struct error *err) MUST_CHECK;

/* What the accounts of a year stand on, as annual_sum_basis takes it; freed by the caller. NULL: no memory. */
char *fleet_basis(const struct emission_options *options, struct error *err) MUST_CHECK;

#endif
