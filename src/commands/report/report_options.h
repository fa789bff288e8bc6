/* SPDX-License-Identifier: MIT
 * The options of `carbon report`, and their values. Used by cmd_report.c. Begin with report_options_read(). */
#ifndef COMMANDS_REPORT_REPORT_OPTIONS_H
#define COMMANDS_REPORT_REPORT_OPTIONS_H

#include "app/options/options.h"
#include "commands/report/annual.h"

extern const struct option_spec option_report_year, option_report_from, option_report_to, option_report_local_time,
    option_restated, option_at_least, option_report_boundary, option_report_entity, option_duty_declared,
    option_runs_per_year, option_idle_between, option_report_zone, option_report_basis, option_report_pue,
    option_report_markdown;

/* NULL: not on the command line. Configuration settings for new results do not select existing ones. */
const char *report_given(const struct settings *settings, const struct option_spec *option);

/* Period, restating, boundary and names; afterwards the machines with embodied emissions. */
bool report_options_read(struct annual *annual, const struct settings *settings, struct error *err) MUST_CHECK;
bool report_machines_read(struct annual *annual, const struct settings *settings, struct error *err) MUST_CHECK;

/* The declared extrapolation; true without one. */
struct annual_sum;
bool report_extrapolate(const struct settings *settings, const struct annual *annual, const struct annual_sum *sum,
                        struct error *err) MUST_CHECK;

#endif
