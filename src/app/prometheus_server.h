/* SPDX-License-Identifier: MIT
 * The Prometheus server of a command line, carbon's login there, and the period. Used in
 * commands/prometheus and commands/report. Begin with prometheus_server_read(). */
#ifndef APP_PROMETHEUS_SERVER_H
#define APP_PROMETHEUS_SERVER_H

#include "app/options/server_options.h"
#include "series/api.h"

#include <stdint.h>

/* The server with all that is needed to ask it, for prometheus_server_forget in the end. */
struct prometheus_access {
    struct prometheus_server server;
    char *url, *secret, *login;
};

/* Of a command that has SERVER_OPTIONS, --url and --timeout. Rights beyond the user's have
 * been given up, and the environment is the user's. */
bool prometheus_server_read(const struct settings *settings, struct prometheus_access *access,
                            struct error *err) MUST_CHECK;
/* Of one that names the server by another option than --url. */
bool prometheus_server_read_url(const struct settings *settings, const char *url, struct prometheus_access *access,
                                struct error *err) MUST_CHECK;
/* All but the address, which is left as it is. environment: a key in it counts, too; it is Prometheus', and
 * an exporter is not to get it. */
bool prometheus_access_read(const struct settings *settings, bool environment, struct prometheus_access *access,
                            struct error *err) MUST_CHECK;
void prometheus_server_forget(struct prometheus_access *access); /* harmless twice, and on a zeroed one */

struct prometheus_window {
    double from_s, to_s;
    bool now, from_fixed; /* to_s is when it was asked; from_s was said, not the length */
};

/* Of --from, --to and --for; standard: "10d" where none of them is given, or NULL, which is an error then. */
bool prometheus_window_read(const struct settings *settings, const char *standard, uint64_t now_ns,
                            struct prometheus_window *window, struct error *err) MUST_CHECK;

#endif
