/* SPDX-License-Identifier: MIT
 * The exporter: collects every resolution interval, answers in between, ends at a signal. */
#ifndef COMMANDS_SERVE_EXPORTER_H
#define COMMANDS_SERVE_EXPORTER_H

#include "commands/serve/collector.h"
#include "commands/serve/http_server.h"
#include "commands/serve/listen.h"

struct exporter {
    /* filled by the caller */
    struct collector *collector;
    const struct listener *listener;
    const char *web_config_path; /* NULL: no TLS, and everybody may ask */
    const char *state_path;      /* NULL: nothing is kept */
    uint64_t resolution_ns, patience_ns;
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void *context;

    struct web_config config;
    struct http_server *server;
    uint64_t scrapes_before; /* of servers that a new configuration has ended */
    int signal_fd;
    uint64_t next_collect_ns, next_keep_alive_ns, next_poll_ns, next_keep_ns; /* UINT64_MAX: never */
    bool keeping_failed;                                                      /* told once */
    bool ended;
};

/* Opens the server; takes SIGTERM, SIGINT and SIGHUP from here on. exporter_close in any case. */
bool exporter_open(struct exporter *exporter, struct error *err) MUST_CHECK;

/* Until SIGTERM or SIGINT. */
bool exporter_run(struct exporter *exporter, struct error *err) MUST_CHECK;

void exporter_close(struct exporter *exporter);

#endif
