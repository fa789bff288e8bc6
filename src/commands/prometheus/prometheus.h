/* SPDX-License-Identifier: MIT
 * Common parts of `carbon prometheus`. Used throughout commands/prometheus. Begin with prometheus_read_filter().
 *
 * prometheus_scrape.c takes two texts, from files or an address, and determines their times. exposition.c adds each to
 * one set through a series_builder, so that a series has a point for each text. kind_prepare.c makes counters of it
 * with constant labels; workload_rows.c has the increase of each calculated (increase.c), assigns it to the subject of
 * its labels (kind_labels.c) and to the domain that includes it, sorts the rows and adds up equal ones. Doubts about
 * thousands of series become a few notices (kind_doubts.c). A new exporter needs rows in the table of kind.c and names
 * of labels in kind_labels.c. workload_energy.h is the result and its forms, for all callers: cmd_prometheus.c has a
 * list of parts, one file each.
 *
 * app/prometheus_server.c chooses the server and its key (io/secret.c), prometheus_window.c the period. energy_query.c
 * requests the existing families of metrics, chooses the best exporter with the right labels, and has
 * prometheus_samples fetch its samples: api.c sends range selectors as instant queries, which return the scraped
 * samples, in pieces of an hour to a day, smaller if the server refuses them as too large; api_answer.c adds each
 * answer to the same set, so that the last sample of a piece and the first of the next are neighbours and no step is
 * lost. The rest is the same as for a scrape (workload_rows_of, workload_energy.h). peaks.c has the server calculate
 * the maximum of each day, and takes the maximum of the days; resources.h has its forms. If nothing is found,
 * prometheus_near.c lists similar names. */
#ifndef COMMANDS_PROMETHEUS_PROMETHEUS_H
#define COMMANDS_PROMETHEUS_PROMETHEUS_H

#include "app/options/command.h"
#include "commands/prometheus/workload_energy.h"
#include "run/environment.h"

#include <stdio.h>

/* The state of one call. */
struct prometheus_work {
    const struct command_line *line;
    FILE *out;                      /* standard output */
    struct environment environment; /* the user's; privileges are dropped */
};

/* A part: its name is the first operand. */
struct prometheus_action {
    const char *name;
    int min_operands, max_operands; /* including its name */
    /* Returns whether it succeeded; *status is the exit status, also after a failure. */
    bool (*run)(struct prometheus_work *work, int *status, struct error *err);
};

extern const struct prometheus_action prometheus_scrape, prometheus_energy, prometheus_resources;

/* Options of the subject; "exporter" is a name of exporter_of_name. */
extern const struct option_spec option_prometheus_namespace, option_prometheus_pod, option_prometheus_node,
    option_all_pods, option_exporter, option_irate;
extern const struct option_spec option_scrape_for;

/* Reads the subject from the options, for pods and the window. */
void prometheus_read_filter(const struct settings *settings, struct workload_report *workloads);

/* PUE and factor, also from --fuel. realtime_ns: time of the energy use. */
bool prometheus_read_emissions(const struct settings *settings, uint64_t realtime_ns, struct workload_report *workloads,
                               struct error *err) MUST_CHECK;

/* Fails, with STATUS_NO_TARGET in *status, if nothing matches the request. */
bool prometheus_check_found(const struct workload_report *workloads, int *status, struct error *err) MUST_CHECK;

/* The requested forms: files, and one of them on standard output, out. */
bool prometheus_show(const struct workload_report *workloads, const struct settings *settings, FILE *out,
                     struct error *err) MUST_CHECK;

#endif
