/* SPDX-License-Identifier: MIT
 * What `carbon report` is asked for: its own options, and what they come to. Used by cmd_report.c. Begin with
 * report_options_read(). */
#ifndef COMMANDS_REPORT_REPORT_OPTIONS_H
#define COMMANDS_REPORT_REPORT_OPTIONS_H

#include "app/options/options.h"
#include "commands/report/annual.h"

extern const struct option_spec option_report_year, option_report_from, option_report_to, option_report_local_time,
    option_restated, option_at_least, option_report_boundary, option_report_entity, option_duty_declared,
    option_runs_per_year, option_idle_between, option_report_zone, option_report_basis, option_report_pue,
    option_report_markdown;

/* NULL: not on the command line. What a configuration says of results to come does not choose among those that are
 * there. */
const char *report_given(const struct settings *settings, const struct option_spec *option);

/* Period, restating, boundary and names; afterwards the machines whose making is told. */
bool report_options_read(struct annual *annual, const struct settings *settings, struct error *err) MUST_CHECK;
bool report_machines_read(struct annual *annual, const struct settings *settings, struct error *err) MUST_CHECK;

/* The extrapolation that is declared; true without one. */
struct annual_sum;
bool report_extrapolate(const struct settings *settings, const struct annual *annual, const struct annual_sum *sum,
                        struct error *err) MUST_CHECK;

#endif
