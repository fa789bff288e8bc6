/* SPDX-License-Identifier: MIT
 * The options of `carbon serve`. */
#include "commands/serve/serve_options.h"

#include "base/units.h"
#include "commands/serve/listen.h"

#include <string.h>

bool serve_groups_of(const char *list, bool wanted[GROUP_KINDS], struct error *err)
{
    memset(wanted, 0, GROUP_KINDS * sizeof *wanted);
    for (size_t length; *list; list += length + (list[length] == ',')) {
        size_t kind = 0;
        length = strcspn(list, ",");
        while (kind < GROUP_KINDS && (strlen(group_kind_name((enum group_kind)kind)) != length ||
                                      strncmp(group_kind_name((enum group_kind)kind), list, length) != 0))
            kind++;
        if (kind == GROUP_KINDS) {
            error_set(err, ERROR_USAGE, "energy cannot be split by '%.*s'", (int)(length < 60 ? length : 60), list);
            return error_fix(err,
                             "one or several of cgroup, container, pod, slurm, user, process, separated by commas");
        }
        wanted[kind] = true;
    }
    return true;
}

static bool check_by(const char *text, struct error *err)
{
    bool wanted[GROUP_KINDS];

    return serve_groups_of(text, wanted, err);
}

const struct option_spec option_listen =
    OPTION(TEXT, "Serving", "listen", .argument = "<addr:port>", .default_text = LISTEN_STANDARD, .check = listen_check,
           .help = "listen address: ADDR:PORT, [ADDR]:PORT, :PORT or unix:PATH");
const struct option_spec option_web_config = OPTION(FILE, "Serving", "web-config", .argument = "<file>",
                                                    .help = "TLS and passwords, as Prometheus' exporters have them");
const struct option_spec option_client_timeout =
    OPTION(NUMBER, "Serving", "client-timeout", .argument = "<s>", .quantity = QUANTITY_SECONDS, .default_text = "30",
           .min = 0.1, .max = S_PER_H, .help = "time limit of a connection without an answer");
const struct option_spec option_resolution =
    OPTION(NUMBER, "Serving", "resolution", .argument = "<s>", .quantity = QUANTITY_SECONDS, .default_text = "5",
           .min = 0.05, .max = S_PER_H, .help = "collection interval in seconds");
const struct option_spec option_state = OPTION(FILE, "Serving", "state", .file = FILE_WRITTEN, .argument = "<file>",
                                               .help = "state file, so that counters continue after a restart");
const struct option_spec option_by_group =
    OPTION(TEXT, "Serving", "by", .argument = "<list>", .check = check_by, .sample = "cgroup",
           .help = "energy of each cgroup, container, pod, slurm, user, process");
const struct option_spec option_max_groups =
    OPTION(COUNT, "Serving", "most-groups", .argument = "<n>", .default_text = "1000", .min = 1, .max = 100000,
           .help = "maximum number of groups exported");
const struct option_spec option_max_processes =
    OPTION(COUNT, "Serving", "most-processes", .argument = "<n>", .default_text = "20", .min = 1, .max = 1000,
           .help = "maximum number of programs with --by process; the rest together");
const struct option_spec option_linger =
    OPTION(NUMBER, "Serving", "linger", .argument = "<s>", .quantity = QUANTITY_SECONDS, .default_text = "180",
           .min = 0, .max = S_PER_DAY, .help = "how long an ended group is still exported");
const struct option_spec option_no_sandbox =
    OPTION(FLAG, "Serving", "no-sandbox", .help = "after the start, leave system calls and files as they were");
const struct option_spec option_otlp_interval =
    OPTION(NUMBER, "OpenTelemetry", "otlp-interval", .argument = "<s>", .quantity = QUANTITY_SECONDS,
           .default_text = "60", .min = 0.05, .max = LONGEST_S, .help = "time between two pushes, in seconds");
