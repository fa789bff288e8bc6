/* SPDX-License-Identifier: MIT
 * The counters of a fleet's report: --from-prometheus, and its options. Used by cmd_report.c, fleet_contributions.c and
 * report_options.c. Begin with fleet_options_read(). */
#ifndef COMMANDS_REPORT_FLEET_OPTIONS_H
#define COMMANDS_REPORT_FLEET_OPTIONS_H

#include "app/options/server_options.h"

extern const struct option_spec option_from_prometheus, option_by, option_project_label, option_step,
    option_fleet_exporter, option_match, option_fleet_timeout;

struct annual;
struct fleet_query;
struct prometheus_access;

/* Whether the report is of a fleet, and not of a ledger. */
bool fleet_options_given(const struct settings *settings);

/* Refuses options of a ledger's report with a fleet, and the reverse. */
bool fleet_options_check(const struct settings *settings, const struct option_spec *const *of_ledger,
                         const struct option_spec *const *of_fleet, struct error *err) MUST_CHECK;

/* Reads the query, and the texts of annual->fleet. The server lives as long as the query. */
bool fleet_options_read(const struct settings *settings, struct prometheus_access *access, struct fleet_query *query,
                        struct annual *annual, struct error *err) MUST_CHECK;

#endif
