/* SPDX-License-Identifier: MIT
 * Who is asked for the names of containers: a process beside the exporter, which asks the engines. Used by cmd_serve.c.
 * Begin with serve_names_open(). */
#ifndef COMMANDS_SERVE_SERVE_NAMES_H
#define COMMANDS_SERVE_SERVE_NAMES_H

#include "base/error.h"

#include <sys/types.h>

struct serve_names {
    int fd; /* see groups/group_titles.h; -1: nobody is asked */
    pid_t pid;
};

/* Started once all rights are given up, and before the exporter's own descriptors are open. An engine may take long to
 * answer, or never: the exporter does not wait for it. confined: what it may do is shut off as the exporter's own is.
 */
bool serve_names_open(struct serve_names *names, bool confined, struct error *err) MUST_CHECK;
void serve_names_close(struct serve_names *names);

#endif
