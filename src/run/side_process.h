/* SPDX-License-Identifier: MIT
 * A process of carbon's own that works at the other end of a socket, so that nothing waits for it. Used in app and
 * commands/serve. Begin with side_process_open(). */
#ifndef RUN_SIDE_PROCESS_H
#define RUN_SIDE_PROCESS_H

#include "base/error.h"

#include <sys/types.h>

struct side_process {
    int fd; /* packets to it and from it; -1: there is none */
    pid_t pid;
};

/* Calls work in the new process, with the socket as its only descriptor above standard error; the process ends when
 * work returns, or carbon does. Opened once all rights are given up, and before descriptors are open that it is not to
 * have. False: errno is set, and fd is -1. */
bool side_process_open(struct side_process *process, void (*work)(void *context, int fd), void *context) MUST_CHECK;

/* Ends it. Harmless twice, and where fd is -1. */
void side_process_close(struct side_process *process);

#endif
