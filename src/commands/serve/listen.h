/* SPDX-License-Identifier: MIT
 * The socket of the exporter: an address and a port, a path, or a socket from systemd. Used by exporter.h and
 * serve_options.c. Begin with listen_open(). */
#ifndef COMMANDS_SERVE_LISTEN_H
#define COMMANDS_SERVE_LISTEN_H

#include "base/error.h"

/* Above the range of Prometheus' list of exporters (9100 to 9999, all assigned), and below the ephemeral ports of
 * Linux. */
#define LISTEN_STANDARD "127.0.0.1:28283"

enum { LISTEN_NAME_SIZE = 160 };

struct listener {
    int fd;
    bool loopback;               /* reachable from this machine only */
    char name[LISTEN_NAME_SIZE]; /* "127.0.0.1:28283", "[::1]:28283", "unix:/run/carbon.sock", with the actual port */
    char path[108];              /* of a socket that carbon created; "" for none */
};

/* "ADDR:PORT", "[ADDR]:PORT", ":PORT" (every address), "unix:PATH". Port 0: a free one. */
bool listen_check(const char *where, struct error *err) MUST_CHECK;
bool listen_open(struct listener *listener, const char *where, struct error *err) MUST_CHECK;

/* The socket from systemd (LISTEN_PID, LISTEN_FDS); *passed false: none. Removes the variables. */
bool listen_passed(struct listener *listener, bool *passed, struct error *err) MUST_CHECK;

void listen_close(struct listener *listener); /* harmless twice */

#endif
