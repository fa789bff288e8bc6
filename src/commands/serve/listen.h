/* SPDX-License-Identifier: MIT
 * The socket that the exporter is asked at: an address and a port, a path, or one that systemd has opened. Used by
 * exporter.h and serve_options.c. Begin with listen_open(). */
#ifndef COMMANDS_SERVE_LISTEN_H
#define COMMANDS_SERVE_LISTEN_H

#include "base/error.h"

/* Above the range of Prometheus' list of exporters (9100 to 9999, all given away), and below the ports that Linux gives
 * out by itself. */
#define LISTEN_STANDARD "127.0.0.1:28283"

enum { LISTEN_NAME_SIZE = 160 };

struct listener {
    int fd;
    bool loopback;               /* nobody but this machine can reach it */
    char name[LISTEN_NAME_SIZE]; /* "127.0.0.1:28283", "[::1]:28283", "unix:/run/carbon.sock", with the port that it has
                                  */
    char path[108];              /* of a socket that was made; "" for none */
};

/* "ADDR:PORT", "[ADDR]:PORT", ":PORT" (every address), "unix:PATH". Port 0: a free one. */
bool listen_check(const char *where, struct error *err) MUST_CHECK;
bool listen_open(struct listener *listener, const char *where, struct error *err) MUST_CHECK;

/* The socket that was passed on (LISTEN_PID, LISTEN_FDS); *passed false: none was. The variables are taken away. */
bool listen_passed(struct listener *listener, bool *passed, struct error *err) MUST_CHECK;

void listen_close(struct listener *listener); /* harmless twice */

#endif
