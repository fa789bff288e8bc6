/* SPDX-License-Identifier: MIT
 * What an exporter that has started may still do: read its meters, groups and web configuration, write its state, and
 * answer. Another program, another file, or a connection of its own making is what only an intruder would want. Used by
 * cmd_serve.c and serve_push.c. Begin with confine_exporter(). */
#ifndef COMMANDS_SERVE_CONFINE_H
#define COMMANDS_SERVE_CONFINE_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "otlp/otlp_push.h"

struct web_config;

struct confine_places {
    const struct root *root;
    const struct web_config *web_config; /* each NULL: there is none */
    const char *state_path, *socket_path;
};

/* Of the exporter, before it makes a thread. Whatever it opens by dlopen later is opened first. What cannot be had here
 * is noted. */
void confine_exporter(const struct confine_places *places, struct notices *notices);

/* Of the process that asks engines for the names of containers: it connects to their sockets. */
void confine_names(void);

/* Of the process that pushes to a collector: it connects, and reads certificates. */
void confine_push(const struct otlp_collector *collector);

#endif
