/* SPDX-License-Identifier: MIT
 * A filter of system calls (seccomp): those that are named go on, and for all others it is as if the kernel had none.
 * Used by commands/serve/confine.c. Begin with system_calls_prepare(). */
#ifndef RUN_SYSTEM_CALLS_H
#define RUN_SYSTEM_CALLS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct system_call {
    const char *names;   /* with blanks between them; one that this processor's Linux does not have is left out */
    unsigned argument;   /* this one, from 0 on, decides, too, */
    uint64_t mask, bits; /* and has these bits of the mask; a mask of 0: it may be anything */
};

/* Opens the library, for where no file can be read any more once calls are to be confined. */
void system_calls_prepare(void);

/* Once and for all: for the calling thread and those that it makes. After PR_SET_NO_NEW_PRIVS. Calls for another
 * architecture than carbon's own end the process. False: libseccomp is not there, or the kernel has no filters. */
bool system_calls_confine(const struct system_call *calls, size_t count, struct error *err) MUST_CHECK;

#endif
