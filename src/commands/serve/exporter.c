/* SPDX-License-Identifier: MIT
 * One loop on one thread: signals, the server's descriptor, and timers. */
#include "commands/serve/exporter.h"

#include "base/clock.h"
#include "base/units.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static bool open_signals(struct exporter *exporter, struct error *err)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    exporter->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return exporter->signal_fd >= 0 || error_errno(err, "cannot install signal handlers");
}

static bool open_server(const struct exporter *exporter, struct web_config *config, struct http_server **server,
                        struct error *err)
{
    const char *path = exporter->web_config_path;

    *config = (struct web_config){ .user_count = 0 };
    *server = NULL;
    if (!path || web_config_read(path, config, err))
        *server = http_server_open(exporter->listener->fd, path ? config : NULL, exporter->patience_ns, err);
    return *server != NULL;
}

bool exporter_open(struct exporter *exporter, struct error *err)
{
    exporter->signal_fd = -1;
    exporter->server = NULL;
    return open_signals(exporter, err) && open_server(exporter, &exporter->config, &exporter->server, err);
}

static bool publish(void *context, struct metric_text texts[METRIC_FORMATS], struct error *err)
{
    const struct exporter *exporter = context;

    return http_server_publish(exporter->server, texts, err);
}

static void push(void *context, const char *metrics)
{
    const struct exporter *exporter = context;

    exporter->push(exporter->context, metrics);
}

static void print_error(void *context, const struct error *what)
{
    const struct exporter *exporter = context;

    exporter->tell(exporter->context, what);
}

/* The configuration is read again where a file was named; one that cannot be used leaves everything as it was. The
 * passwords that were right belong to the old one and go with it. */
static void reload(struct exporter *exporter)
{
    struct web_config config;
    struct http_server *server;
    struct error err;

    if (!exporter->web_config_path)
        return;
    if (!open_server(exporter, &config, &server, &err)) {
        web_config_close(&config);
        if (err.kind == ERROR_DENIED)
            error_fix(&err, "make it readable; a file in another folder than those of the start wants a new start");
        exporter->tell(exporter->context, &err);
        return;
    }
    exporter->scrapes_before += http_server_scrapes(exporter->server);
    http_server_inherit(server, exporter->server);
    http_server_close(exporter->server);
    web_config_close(&exporter->config);
    exporter->server = server;
    exporter->config = config;
    error_set(&err, ERROR_NONE, "the web configuration was read again");
    exporter->tell(exporter->context, &err);
}

static void take_signals(struct exporter *exporter)
{
    struct signalfd_siginfo info;

    while (read(exporter->signal_fd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGHUP)
            reload(exporter);
        else
            exporter->ended = true;
    }
}

static void meter_was_read(struct exporter *exporter, uint64_t now_ns)
{
    const uint64_t poll_ns = meter_poll_ns(exporter->collector->meter);

    exporter->next_keep_alive_ns = now_ns + meter_look_ns(exporter->collector->meter);
    exporter->next_poll_ns = poll_ns ? now_ns + poll_ns : UINT64_MAX;
}

static bool run_due_tasks(struct exporter *exporter, struct error *err)
{
    const uint64_t now_ns = clock_monotonic_ns();

    if (now_ns >= exporter->next_poll_ns) {
        meter_poll(exporter->collector->meter);
        exporter->next_poll_ns = now_ns + meter_poll_ns(exporter->collector->meter);
    }
    if (now_ns >= exporter->next_collect_ns) {
        const uint64_t late_ns = now_ns - exporter->next_collect_ns;
        collector_collect(exporter->collector);
        meter_was_read(exporter, now_ns);
        /* a late wake-up drops collections; it does not bunch them */
        exporter->next_collect_ns += exporter->resolution_ns * (late_ns / exporter->resolution_ns + 1);
        exporter->collector->scrapes = exporter->scrapes_before + http_server_scrapes(exporter->server);
        if (!teller_collected(&exporter->teller, err))
            return false;
    } else if (now_ns >= exporter->next_keep_alive_ns) {
        collector_keep_alive(exporter->collector);
        meter_was_read(exporter, now_ns);
    }
    if (!teller_run(&exporter->teller, err))
        return false;
    http_server_run(exporter->server, now_ns);
    return true;
}

static void sleep_until_due(struct exporter *exporter)
{
    struct pollfd waits[] = { { .fd = exporter->signal_fd, .events = POLLIN },
                              { .fd = http_server_fd(exporter->server), .events = POLLIN },
                              { .fd = teller_fd(&exporter->teller), .events = POLLIN } };
    const uint64_t now_ns = clock_monotonic_ns();
    uint64_t next_ns = clock_earlier_ns(exporter->next_collect_ns, exporter->next_keep_alive_ns), left_ns;
    struct timespec left;

    next_ns = clock_earlier_ns(next_ns,
                               clock_earlier_ns(exporter->next_poll_ns, http_server_next_ns(exporter->server, now_ns)));
    left_ns = next_ns > now_ns ? next_ns - now_ns : 0;
    left = (struct timespec){ (time_t)(left_ns / NS_PER_S_INT), (long)(left_ns % NS_PER_S_INT) };
    if (ppoll(waits, sizeof waits / sizeof waits[0], &left, NULL) > 0 && waits[0].revents)
        take_signals(exporter);
}

bool exporter_run(struct exporter *exporter, struct error *err)
{
    struct teller *teller = &exporter->teller;
    const uint64_t now_ns = clock_monotonic_ns();
    bool good;

    teller->collector = exporter->collector;
    teller->publish = publish;
    teller->push = exporter->push ? push : NULL;
    teller->push_interval_ns = exporter->push_interval_ns;
    teller->tell = print_error;
    teller->context = exporter;
    collector_begin(exporter->collector);
    exporter->next_collect_ns = now_ns + exporter->resolution_ns;
    meter_was_read(exporter, now_ns);
    if (!teller_open(teller, err))
        return false;
    do {
        sleep_until_due(exporter);
        good = exporter->ended || run_due_tasks(exporter, err);
    } while (good && !exporter->ended);
    if (!good)
        return false;
    collector_collect(exporter->collector);
    return teller_end(teller, err);
}

void exporter_close(struct exporter *exporter)
{
    teller_close(&exporter->teller);
    http_server_close(exporter->server);
    web_config_close(&exporter->config);
    if (exporter->signal_fd >= 0)
        close(exporter->signal_fd);
}
