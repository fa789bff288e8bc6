/* SPDX-License-Identifier: MIT
 * The process that pushes to a collector of OpenTelemetry, so that the exporter waits for nothing of the network.
 * Used by cmd_serve.c. Begin with serve_push_open(). */
#ifndef COMMANDS_SERVE_SERVE_PUSH_H
#define COMMANDS_SERVE_SERVE_PUSH_H

#include "otlp/otlp_push.h"
#include "run/side_process.h"

struct serve_push {
    /* filled by the caller */
    struct otlp_collector collector; /* url NULL: none */
    struct otlp_resource resource;
    bool confined;                                         /* what the process may do is shut off */
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void *context;

    struct side_process process;
};

/* Started once all rights are given up, and before the exporter's own descriptors are open. What cannot be pushed is
 * tried again, after 1 s, 2 s, … a minute, or when the collector says; metrics that come meanwhile take its place, for
 * sums go on counting. */
bool serve_push_open(struct serve_push *push, struct error *err) MUST_CHECK;

/* Metrics to push (otlp_points.h); the next ones make up for those that cannot be handed over. */
void serve_push_give(const struct serve_push *push, const char *metrics);

/* Waits a few seconds for the last push. Harmless twice. */
void serve_push_close(struct serve_push *push);

#endif
