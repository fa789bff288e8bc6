/* SPDX-License-Identifier: MIT
 * Built-in loads, each of which works one part of the machine for a given time. Run in a process of their own: a signal
 * ends it at once, and nothing stays behind. Used by power_breakdown.h and probe_plan.h. Begin with load_run(). */
#ifndef COMMANDS_PROBE_LOAD_H
#define COMMANDS_PROBE_LOAD_H

#include "commands/probe/load_done.h"

enum { LOAD_MAX_THREADS = 4096 };

struct load_options {
    enum load_kind kind;
    unsigned threads; /* of cpu, memory and mixed; the disk loads have one, idle has none */
    double seconds;
    const char *folder; /* of the disk loads and of mixed */
};

/* False: it could not be run, or not to its end: err says why. A block that is just being written or read is waited
 * for. */
bool load_run(const struct load_options *options, struct load_done *done, struct error *err) MUST_CHECK;

#endif
