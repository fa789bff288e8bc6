/* SPDX-License-Identifier: MIT
 * `carbon serve`: energy and carbon of this machine, and of the groups of processes on it, for Prometheus. */
#include "app/options/command.h"

#include "app/command_work.h"
#include "app/container_names.h"
#include "app/live_machine.h"
#include "app/options/otlp_options.h"
#include "app/session.h"
#include "app/terminal.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/serve/confine.h"
#include "commands/serve/exporter.h"
#include "commands/serve/metrics.h"
#include "commands/serve/serve_options.h"
#include "commands/serve/serve_push.h"
#include "commands/serve/state.h"
#include "commands/serve/state_file.h"
#include "run/privileges.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Below it the figures tell more of what the machine does than energy. */
#define SAFE_RESOLUTION_S 1.0

static const struct option_spec option_errors_alone =
    OPTION(FLAG, "Output", "quiet", .short_name = 'q', .help = "say nothing but errors");

static const struct option_spec option_list_metrics =
    OPTION(FLAG, "Serving", "list-metrics", .hidden = true, .cli_only = true, .help = "print the names of the metrics");

struct serve {
    const struct settings *settings;
    struct environment environment;
    struct live_machine live;
    struct notices resumed;
    struct listener listener;
    struct container_names names;
    struct serve_push push;
    struct collector collector;
    struct exporter exporter;
    bool passed; /* systemd has opened the socket */
    char state_path[512];
    int lock_fd; /* lock of the state file; -1: none */
};

static void print_notice(const struct serve *serve, const struct notice *notice)
{
    terminal_notice_in(stderr, notice, terminal_colour(serve->settings, stderr), 0);
}

static void print_error(void *context, const struct error *what)
{
    const struct notice notice = notice_of_error(what);

    print_notice(context, &notice);
}

static void tell_all(const struct serve *serve, const struct notices *notices)
{
    for (size_t i = 0; i < notices->count && !settings_flag(serve->settings, &option_quiet); i++)
        print_notice(serve, &notices->item[i]);
}

/* Rights beyond the user's serve to open the counters. What listens to a network has none at all from then on. */
static bool open_machine(struct serve *serve, struct error *err)
{
    struct live_machine *live = &serve->live;

    return live_machine_open_root(live, serve->settings, err) &&
           (live->root.live || privileges_drop(&serve->environment, err)) &&
           live_machine_open(live, serve->settings, err) &&
           (!live->root.live || privileges_drop(&serve->environment, err)) && privileges_end(err);
}

static bool open_groups(struct serve *serve, struct error *err)
{
    const struct settings *settings = serve->settings;
    struct collector *collector = &serve->collector;
    const char *by = settings_text(settings, &option_by_group);

    collector->ask_fd = -1;
    if (!by)
        return true;
    if (!serve_groups_of(by, collector->groups.wanted, err) || !collector_open_groups(collector, err))
        return false;
    process_scan_notices(&collector->processes, &serve->resumed);
    if (collector->groups.wanted[GROUP_PROCESS])
        collector->processes.names.max = (size_t)settings_number(settings, &option_max_processes);
    collector->groups.max = (size_t)settings_number(settings, &option_max_groups);
    collector->groups.linger_ns = (uint64_t)(settings_number(settings, &option_linger) * NS_PER_S);
    if (!collector->groups.wanted[GROUP_CONTAINER] || !serve->live.root.live)
        return true;
    if (!container_names_open(&serve->names, settings_flag(settings, &option_no_sandbox) ? NULL : confine_names, err))
        return false;
    collector->ask_fd = serve->names.process.fd;
    return true;
}

static void give_metrics(void *context, const char *metrics)
{
    const struct serve *serve = context;

    serve_push_give(&serve->push, metrics);
}

/* Nothing is pushed of what was not yet collected: the first push is of the start. */
static bool open_push(struct serve *serve, struct error *err)
{
    const struct settings *settings = serve->settings;
    struct exporter *exporter = &serve->exporter;
    struct serve_push *push = &serve->push;
    char id[40];

    if (!otlp_options_read(settings, &push->collector, err))
        return false;
    if (!push->collector.url)
        return true;
    session_make_id(id);
    otlp_resource_self(&push->resource);
    otlp_options_resource(&push->resource, &serve->live.root, id, &serve->resumed);
    push->confined = !settings_flag(settings, &option_no_sandbox);
    push->tell = print_error;
    push->context = serve;
    exporter->push = give_metrics;
    exporter->push_interval_ns = (uint64_t)(settings_number(settings, &option_otlp_interval) * NS_PER_S);
    return serve_push_open(push, err);
}

static bool open_listener(struct serve *serve, struct error *err)
{
    struct listener *listener = &serve->listener;

    if (!listen_passed(listener, &serve->passed, err))
        return false;
    return serve->passed || listen_open(listener, settings_text(serve->settings, &option_listen), err);
}

/* --state, else where systemd has made a folder for it (the first of a list). */
static void choose_state(struct serve *serve)
{
    const char *given = settings_text(serve->settings, &option_state), *folder = getenv("STATE_DIRECTORY");

    if (given)
        text_copy(serve->state_path, sizeof serve->state_path, given);
    else if (folder && *folder)
        snprintf(serve->state_path, sizeof serve->state_path, "%.*s/serve.json", (int)strcspn(folder, ":"), folder);
    serve->exporter.teller.state_path = serve->state_path[0] ? serve->state_path : NULL;
}

/* What may surprise whoever has not thought of it. */
static void note_risks(struct serve *serve)
{
    const struct web_config *config = &serve->exporter.config;
    const char *open = config->certificate && (config->user_count || config->client_auth == CLIENT_VERIFIED) ? NULL
                       : config->certificate ? "no authentication"
                       : config->user_count  ? "passwords are sent without TLS"
                                             : "no authentication, without TLS";

    if (!serve->listener.loopback && open)
        notice_add(&serve->resumed, NOTICE_EXPOSED, open,
                   "--web-config adds TLS and passwords; or listen on 127.0.0.1 alone", "other machines can reach %s",
                   serve->listener.name);
    if (settings_number(serve->settings, &option_resolution) < SAFE_RESOLUTION_S)
        notice_add(&serve->resumed, NOTICE_EXPOSED,
                   "energy readings at a high rate leak computed data, keys included (PLATYPUS, CVE-2020-8694)",
                   "--resolution 1 or more", "the resolution is below a second");
}

static void confine(struct serve *serve)
{
    const struct exporter *exporter = &serve->exporter;
    const struct confine_places places = {
        .root = &serve->live.root,
        .web_config = exporter->web_config_path ? &exporter->config : NULL,
        .state_path = exporter->teller.state_path,
        .socket_path = serve->listener.path[0] ? serve->listener.path : NULL,
    };

    if (!settings_flag(serve->settings, &option_no_sandbox))
        confine_exporter(&places, &serve->resumed);
}

static void tell_start(const struct serve *serve)
{
    const struct web_config *config = &serve->exporter.config;

    tell_all(serve, &serve->live.notices);
    tell_all(serve, &serve->resumed);
    if (!settings_flag(serve->settings, &option_quiet))
        fprintf(stderr, "carbon: listening at %s%s%s, every %s s\n", serve->listener.name,
                config->certificate ? " with TLS" : "", config->user_count ? " with passwords" : "",
                settings_text(serve->settings, &option_resolution));
}

static bool open_exporter(struct serve *serve, struct error *err)
{
    struct exporter *exporter = &serve->exporter;

    exporter->collector = &serve->collector;
    exporter->listener = &serve->listener;
    exporter->web_config_path = settings_text(serve->settings, &option_web_config);
    exporter->resolution_ns = (uint64_t)(settings_number(serve->settings, &option_resolution) * NS_PER_S);
    exporter->patience_ns = (uint64_t)(settings_number(serve->settings, &option_client_timeout) * NS_PER_S);
    exporter->tell = print_error;
    exporter->context = serve;
    return exporter_open(exporter, err);
}

static bool serve_all(struct serve *serve, struct error *err)
{
    struct collector *collector = &serve->collector;

    if (!open_machine(serve, err) || !live_machine_begin(&serve->live, serve->settings, collector, err) ||
        !open_groups(serve, err) || !open_push(serve, err) || !open_listener(serve, err) || !open_exporter(serve, err))
        return false;
    choose_state(serve);
    if (serve->state_path[0] && (!state_file_lock(serve->state_path, &serve->lock_fd, err) ||
                                 !state_read(serve->state_path, collector, &serve->resumed, err)))
        return false;
    note_risks(serve);
    confine(serve);
    tell_start(serve);
    return exporter_run(&serve->exporter, err);
}

static int run(void *context, const struct command_line *line)
{
    struct serve *serve = context;
    struct error err = { .kind = ERROR_NONE };

    signal(SIGPIPE, SIG_IGN);
    serve->settings = &line->settings;
    serve->lock_fd = serve->live.root.fd = serve->listener.fd = serve->exporter.signal_fd = -1;
    serve->names.process.fd = serve->push.process.fd = -1;
    return serve_all(serve, &err) ? EXIT_SUCCESS : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static void close_serve(void *context)
{
    struct serve *serve = context;

    exporter_close(&serve->exporter);
    serve_push_close(&serve->push);
    listen_close(&serve->listener);
    collector_close(&serve->collector);
    container_names_close(&serve->names);
    live_machine_close(&serve->live);
    if (serve->lock_fd >= 0)
        close(serve->lock_fd);
    environment_close(&serve->environment);
    notices_clear(&serve->resumed);
}

static int list_metrics(void)
{
    struct metric_text metrics;
    struct error err;
    const bool ok = metrics_list(&metrics, &err);
    size_t count;
    const struct otlp_metric *rows = otlp_metrics_all(&count);

    if (ok)
        fputs(metrics.text.data, stdout);
    for (size_t i = 0; ok && i < count; i++)
        printf("# OTLP %s %s %s %s\n", rows[i].name, rows[i].unit, otlp_kind_name(rows[i].kind), rows[i].from);
    metric_text_close(&metrics);
    return ok ? terminal_finish_stdout(0) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static int serve_run(const struct command_line *line)
{
    if (settings_flag(&line->settings, &option_list_metrics))
        return list_metrics();
    return command_run_with(sizeof(struct serve), line, run, close_serve);
}

COMMAND(cmd_serve) = {
    .name = "serve",
    .purpose = "export energy and carbon metrics to Prometheus",
    .synopsis = "[options]",
    .options = OPTIONS(&option_listen, &option_web_config, &option_client_timeout, &option_resolution, &option_state,
                       &option_by_group, &option_max_groups, &option_max_processes, &option_linger, &option_no_sandbox,
                       &option_list_metrics, OTLP_OPTIONS, &option_otlp_interval, COUNTER_OPTIONS, SITE_OPTIONS,
                       FACTOR_OPTIONS, &option_color, &option_errors_alone, HELP_OPTIONS),
    .common = COMMON("listen", "by", "state", "resolution", "web-config", "zone", "pue", "source", "scope", "quiet"),
    .examples = EXAMPLES("carbon serve --zone FR", "carbon serve --by container,pod --state /var/lib/carbon/serve.json",
                         "carbon serve --listen :28283 --web-config /etc/carbon/web.yml"),
    .run = serve_run,
    .about =
        "Answer Prometheus with the energy, power and emissions of this machine, and of control groups, containers, "
        "pods and jobs of Slurm on it, until ended by a signal.",
};
