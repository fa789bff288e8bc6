/* SPDX-License-Identifier: MIT
 * The exporter: collects at each resolution interval, answers in between, ends at a signal. Used by cmd_serve.c. Begin
 * with exporter_open().
 *
 * exporter.c is one loop on one thread: it sleeps in ppoll on a signalfd, on the epoll descriptor of libmicrohttpd and
 * on the writer of the state, until a collection, a keep-alive read, a poll of sensors or a slow client is due. A
 * collection (collector.c) samples the meter, walks the cgroups and attributes the energy of the interval to them.
 * teller.c writes the text of both formats, has a thread save the state (state_writer.c) and then publishes the text;
 * http_server_publish makes one response of each format for all scrapes until the next collection: the cost of a scrape
 * does not depend on the length of the text. The meter's totals begin at 0 in each process; state.c adds the saved
 * totals (base_uj), which the meter does not know.
 *
 * The loop never waits: a separate process asks the engines for the names of containers (app/container_names.h) and
 * answers on a socket, name for ID. shutdown on its socket disconnects a slow client, because a client that trickles
 * bytes is never idle for the library. When the web configuration is read again, a new server starts on the same
 * socket; if it fails, the old one continues. */
#ifndef COMMANDS_SERVE_EXPORTER_H
#define COMMANDS_SERVE_EXPORTER_H

#include "commands/serve/http_server.h"
#include "commands/serve/listen.h"
#include "commands/serve/teller.h"
#include "groups/collector.h"

struct exporter {
    /* set by the caller */
    struct collector *collector;
    const struct listener *listener;
    const char *web_config_path; /* NULL: no TLS, no authentication */
    uint64_t resolution_ns, patience_ns;
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void (*push)(void *context, const char *metrics);      /* see teller.h */
    uint64_t push_interval_ns;
    void *context;

    struct teller teller; /* state_path set by the caller, if there is one */
    struct web_config config;
    struct http_server *server;
    uint64_t scrapes_before; /* of servers before a new configuration */
    int signal_fd;
    uint64_t next_collect_ns, next_keep_alive_ns, next_poll_ns; /* UINT64_MAX: never */
    bool ended;
};

/* Opens the server; handles SIGTERM, SIGINT and SIGHUP from here on. Call exporter_close in any case. */
bool exporter_open(struct exporter *exporter, struct error *err) MUST_CHECK;

/* Until SIGTERM or SIGINT. */
bool exporter_run(struct exporter *exporter, struct error *err) MUST_CHECK;

void exporter_close(struct exporter *exporter);

#endif
