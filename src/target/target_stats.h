/* SPDX-License-Identifier: MIT
 * A container whose cgroup cannot be read: the statistics of its engine. Used by target_container.c. Begin with
 * target_open_stats(). */
#ifndef TARGET_TARGET_STATS_H
#define TARGET_TARGET_STATS_H

#include "container/container.h"
#include "target/target.h"

/* "docker stats", "podman stats": where figures are from. */
extern const char *const stats_from[ENGINE_KINDS];

/* Asks for a sample at each poll; the peak of memory is the engine's mark where it has risen, else the highest of the
 * samples. since_start: all that it used counts, else what it uses from now on. */
bool target_open_stats(struct target *target, const struct engine *engine, const char *id, bool since_start,
                       struct error *err) MUST_CHECK;

#endif
