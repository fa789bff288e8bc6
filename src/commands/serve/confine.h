/* SPDX-License-Identifier: MIT
 * Restricts a running exporter to its tasks: read its meters, groups and web configuration, write its state, and answer
 * requests. Only an intruder would want another program, another file, or an outgoing connection. Used by cmd_serve.c
 * and serve_push.c. Begin with confine_exporter(). */
#ifndef COMMANDS_SERVE_CONFINE_H
#define COMMANDS_SERVE_CONFINE_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "otlp/otlp_push.h"

struct web_config;

struct confine_places {
    const struct root *root;
    const struct web_config *web_config; /* each NULL: none */
    const char *state_path, *socket_path;
};

/* Restricts the exporter; call it before it creates a thread. Libraries that it loads later by dlopen are loaded first.
 * A missing kernel feature becomes a note. */
void confine_exporter(const struct confine_places *places, struct notices *notices);

/* Restricts the process that asks engines for container names: it connects to their sockets. */
void confine_names(void);

/* Restricts the process that pushes to a collector: it connects, and reads certificates. */
void confine_push(const struct otlp_collector *collector);

#endif
