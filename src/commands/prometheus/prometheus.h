/* SPDX-License-Identifier: MIT
 * What the parts of `carbon prometheus` share. */
#ifndef COMMANDS_PROMETHEUS_PROMETHEUS_H
#define COMMANDS_PROMETHEUS_PROMETHEUS_H

#include "app/options/command.h"
#include "commands/prometheus/pods.h"
#include "run/environment.h"

/* What one call works with. */
struct prometheus_work {
    const struct command_line *line;
    struct environment environment; /* the user's; rights beyond the user's have been given up */
};

/* A part: its name is the first operand. */
struct prometheus_action {
    const char *name;
    int least_operands, most_operands; /* with its own name */
    /* Returns whether it could be done; *status is the exit status, of a failure too. */
    bool (*run)(struct prometheus_work *work, int *status, struct error *err);
};

extern const struct prometheus_action prometheus_scrape, prometheus_energy, prometheus_resources;

/* Whom it is about; "exporter" is a name of kind_of_name. */
extern const struct option_spec option_prometheus_namespace, option_prometheus_pod, option_prometheus_node,
    option_all_pods, option_exporter, option_irate;
extern const struct option_spec option_scrape_for;

/* Whom the options are about, into pods and its window. */
void prometheus_read_filter(const struct settings *settings, struct pods *pods);

/* PUE and factor, by --fuel too. realtime_ns: when the energy was used. */
bool prometheus_read_emissions(const struct settings *settings, uint64_t realtime_ns, struct pods *pods,
                               struct error *err) MUST_CHECK;

/* Fails, with STATUS_NO_TARGET in *status, where nothing is left of what was asked for. */
bool prometheus_check_found(const struct pods *pods, int *status, struct error *err) MUST_CHECK;

/* The forms that were asked for: files, and one of them on standard output. */
bool prometheus_show(const struct pods *pods, const struct settings *settings, struct error *err) MUST_CHECK;

#endif
