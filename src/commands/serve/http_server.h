/* SPDX-License-Identifier: MIT
 * The exporter's HTTP server: no thread of its own, a bounded number of clients in a bounded time, one text for all.
 * Used by exporter.h. Begin with http_server_open(). */
#ifndef COMMANDS_SERVE_HTTP_SERVER_H
#define COMMANDS_SERVE_HTTP_SERVER_H

#include "commands/serve/metric_text.h"
#include "commands/serve/web_config.h"

#include <stdint.h>

/* A connection without a request, or whose client does not read its answer, is closed after this time. */
enum { HTTP_CLIENTS_MAX = 64, HTTP_CLIENTS_OF_ONE_ADDRESS = 16, HTTP_REQUEST_MEMORY = 16 << 10 };

struct http_server;

/* listen_fd stays the caller's. config: NULL, or read; its certificates outlive the
 * server. */
struct http_server *http_server_open(int listen_fd, const struct web_config *config, uint64_t patience_ns,
                                     struct error *err) MUST_CHECK;
void http_server_close(struct http_server *server); /* NULL is harmless */

/* A descriptor that becomes readable when there is work, and the latest time of work (CLOCK_MONOTONIC; UINT64_MAX:
 * never). */
int http_server_fd(const struct http_server *server);
uint64_t http_server_next_ns(const struct http_server *server, uint64_t now_ns);

/* Does all pending work, and returns. */
void http_server_run(struct http_server *server, uint64_t now_ns);

/* Sets the answer of /metrics. Takes the texts over. A client that is being served gets the whole old one. */
bool http_server_publish(struct http_server *server, struct metric_text texts[METRIC_FORMATS],
                         struct error *err) MUST_CHECK;

/* Until something is published, it serves the figures of another server, which then has none. */
void http_server_inherit(struct http_server *server, struct http_server *from);

/* Answers to requests of /metrics so far. */
uint64_t http_server_scrapes(const struct http_server *server);

#endif
