/* SPDX-License-Identifier: MIT
 * The exporter: collects every resolution interval, answers in between, ends at a signal. Used by cmd_serve.c. Begin
 * with exporter_open().
 *
 * exporter.c is one loop on one thread: it sleeps in ppoll on a signalfd, on the epoll descriptor of libmicrohttpd and
 * on the writer of the state, until a collection, a keep-alive read, a poll of sensors or a slow client is due. A
 * collection (collector.c) samples the meter, walks through the control groups and lays the interval's energy on them.
 * teller.c writes the text of both formats, has the state kept by a thread (state_writer.c) and then the text
 * published; http_server_publish makes a response of each, which all scrapes until the next one share: what a client
 * costs does not depend on what there is to tell. The meter's totals begin at 0 with each process; state.c puts what
 * was kept in front of them (base_uj), so that the meter knows nothing of it.
 *
 * Nothing is waited for: names of containers that no folder tells are asked of the engines by a process of its own
 * (app/container_names.h), an id there and a name back by a socket. A client is cut off by shutdown on its socket, for
 * one that trickles is never idle to the library. With a web configuration read anew the server is made anew on the
 * same socket, and the old one goes on where that fails. */
#ifndef COMMANDS_SERVE_EXPORTER_H
#define COMMANDS_SERVE_EXPORTER_H

#include "commands/serve/http_server.h"
#include "commands/serve/listen.h"
#include "commands/serve/teller.h"
#include "groups/collector.h"

struct exporter {
    /* filled by the caller */
    struct collector *collector;
    const struct listener *listener;
    const char *web_config_path; /* NULL: no TLS, no authentication */
    uint64_t resolution_ns, patience_ns;
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void (*push)(void *context, const char *metrics);      /* see teller.h */
    uint64_t push_interval_ns;
    void *context;

    struct teller teller; /* state_path by the caller, where there is one */
    struct web_config config;
    struct http_server *server;
    uint64_t scrapes_before; /* of servers that a new configuration has ended */
    int signal_fd;
    uint64_t next_collect_ns, next_keep_alive_ns, next_poll_ns; /* UINT64_MAX: never */
    bool ended;
};

/* Opens the server; takes SIGTERM, SIGINT and SIGHUP from here on. exporter_close in any case. */
bool exporter_open(struct exporter *exporter, struct error *err) MUST_CHECK;

/* Until SIGTERM or SIGINT. */
bool exporter_run(struct exporter *exporter, struct error *err) MUST_CHECK;

void exporter_close(struct exporter *exporter);

#endif
