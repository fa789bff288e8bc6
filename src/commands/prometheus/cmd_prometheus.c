/* SPDX-License-Identifier: MIT
 * carbon prometheus: energy from a cluster's exporters, read from them or from Prometheus. */
#include "commands/prometheus/prometheus.h"
#include "commands/prometheus/resources.h"
#include "commands/prometheus/workload_energy.h"

#include "app/options/emission_options.h"
#include "app/prometheus_server.h"
#include "app/terminal.h"
#include "base/near.h"
#include "run/privileges.h"

#include <stdlib.h>
#include <string.h>

static const struct prometheus_action *const actions[] = { &prometheus_scrape, &prometheus_energy,
                                                           &prometheus_resources, NULL };

static const struct prometheus_action *action_of(const struct command_line *line, struct error *err)
{
    struct near_name near = { .typed = line->operands[0] };

    for (size_t i = 0; actions[i]; i++) {
        near_try(&near, actions[i]->name);
        if (strcmp(actions[i]->name, line->operands[0]) == 0 && line->operand_count >= actions[i]->min_operands &&
            line->operand_count <= actions[i]->max_operands)
            return actions[i];
    }
    error_set(err, ERROR_USAGE, "'carbon prometheus %.80s%s' is not understood", line->operands[0],
              line->operand_count > 1 ? " ..." : "");
    error_why(err, "usage: carbon prometheus %s", line->command->synopsis);
    error_fix(err, "carbon help prometheus");
    if (near.name && strcmp(near.name, line->operands[0]) != 0)
        typed_line_replaced(&line->typed, line->operands[0], near.name, err);
    return NULL;
}

static int run_prometheus(const struct command_line *line)
{
    struct prometheus_work work = { .line = line, .out = stdout };
    int status = STATUS_CARBON_FAILED;
    const struct prometheus_action *action;
    struct error err;
    bool done;

    action = action_of(line, &err);
    done = action && privileges_drop(&work.environment, &err) && action->run(&work, &status, &err);
    environment_close(&work.environment);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, status);
}

COMMAND(cmd_prometheus) = {
    .name = "prometheus",
    .alias = "prom",
    .purpose = "energy and use of nodes and pods, from Kepler and other exporters",
    .synopsis = "[options] scrape URL|FILE [URL|FILE] | energy | resources",
    .options = OPTIONS(&option_prometheus_namespace, &option_prometheus_pod, &option_prometheus_node, &option_all_pods,
                       &option_exporter, &option_window_from, &option_window_to, &option_scrape_for,
                       &option_prometheus_url, SERVER_OPTIONS, &option_scrape_timeout, &option_zone, &option_fuel,
                       &option_pue, &option_pue_of, MARKET_OPTIONS, FACTOR_OPTIONS, &option_irate, RESULT_OPTIONS,
                       COLOR_OPTIONS),
    .common = COMMON("url", "for", "from", "to", "namespace", "pod", "node", "all-pods", "exporter", "zone", "pue",
                     "output", "bearer-file"),
    .examples = EXAMPLES("carbon prometheus scrape http://node-1:9102/metrics --for 30s --zone FR",
                         "carbon prometheus scrape before.prom after.prom --for 60s --pod web-7d9",
                         "carbon prometheus energy --url http://prometheus:9090 --pod web-7d9 --for 6m",
                         "carbon prometheus resources --url http://prometheus:9090 --pod web-7d9"),
    .schemas = SCHEMAS(&workloads_schema, &resources_schema),
    .run = run_prometheus,
    .prints_page = true,
    OPERANDS(1, 3, OPERAND_FILE),
    .first_file = 1,
    .about = "Calculate energy and emissions of nodes, namespaces, pods and containers from metrics of Kepler, "
             "node_exporter, Scaphandre or carbon.",
};
