/* SPDX-License-Identifier: MIT
 * What the parts of `carbon prometheus` share. Used throughout commands/prometheus. Begin with
 * prometheus_read_filter().
 *
 * prometheus_scrape.c takes two texts, from files or an address, and settles when they are of. exposition.c adds
 * each to one set through a series_builder, so that a series has a point for each text. kind_prepare.c makes
 * counters of it whose labels stay; workload_rows.c has each worked out (increase.c), tells it of whom the labels name
 * (kind_labels.c) and of what that is a part of, sorts that and adds up what tells of the same. Doubts of thousands
 * of series become a few notices (kind_doubts.c). A new exporter is rows in the table of kind.c and names of labels
 * in kind_labels.c. workload_energy.h is the result and its forms, whoever asked: cmd_prometheus.c has a list of parts,
 * a file each.
 *
 * app/prometheus_server.c says who is asked and with what key (io/secret.c), prometheus_window.c of what time.
 * energy_query.c asks which families of metrics are there, takes the best exporter that knows whom it is about, and
 * has prometheus_samples fetch its samples: api.c asks range selectors as instant queries, which gives what was
 * scraped, in pieces of an hour to a day, smaller ones where the server finds them too large; api_answer.c adds
 * each answer to the same set, so that the last sample of a piece and the first of the next are neighbours and no
 * step is lost. From there on it is as of a scrape (workload_rows_of, workload_energy.h). peaks.c has the server work
 * out the most of each day, and takes the most of the days; resources.h has its forms. Where nothing is found,
 * prometheus_near.c names what is there. */
#ifndef COMMANDS_PROMETHEUS_PROMETHEUS_H
#define COMMANDS_PROMETHEUS_PROMETHEUS_H

#include "app/options/command.h"
#include "commands/prometheus/workload_energy.h"
#include "run/environment.h"

#include <stdio.h>

/* What one call works with. */
struct prometheus_work {
    const struct command_line *line;
    FILE *out;                      /* standard output */
    struct environment environment; /* the user's; rights beyond the user's have been given up */
};

/* A part: its name is the first operand. */
struct prometheus_action {
    const char *name;
    int min_operands, max_operands; /* with its own name */
    /* Returns whether it could be done; *status is the exit status, of a failure too. */
    bool (*run)(struct prometheus_work *work, int *status, struct error *err);
};

extern const struct prometheus_action prometheus_scrape, prometheus_energy, prometheus_resources;

/* Whom it is about; "exporter" is a name of exporter_of_name. */
extern const struct option_spec option_prometheus_namespace, option_prometheus_pod, option_prometheus_node,
    option_all_pods, option_exporter, option_irate;
extern const struct option_spec option_scrape_for;

/* Whom the options are about, into pods and its window. */
void prometheus_read_filter(const struct settings *settings, struct workload_report *workloads);

/* PUE and factor, by --fuel too. realtime_ns: when the energy was used. */
bool prometheus_read_emissions(const struct settings *settings, uint64_t realtime_ns, struct workload_report *workloads,
                               struct error *err) MUST_CHECK;

/* Fails, with STATUS_NO_TARGET in *status, where nothing is left of what was asked for. */
bool prometheus_check_found(const struct workload_report *workloads, int *status, struct error *err) MUST_CHECK;

/* The forms that were asked for: files, and one of them on standard output, out. */
bool prometheus_show(const struct workload_report *workloads, const struct settings *settings, FILE *out,
                     struct error *err) MUST_CHECK;

#endif
