/* SPDX-License-Identifier: MIT
 * Containers as targets: one that runs, and one that carbon is about to have started. Used by app/attach_options.c,
 * app/container_job.c and target_coming.c. Begin with target_open_container(). */
#ifndef TARGET_TARGET_CONTAINER_H
#define TARGET_TARGET_CONTAINER_H

#include "container/container.h"
#include "target/target.h"
#include "target/target_made.h"

/* A container that runs: by its control group where that can be read (`from` "cgroup", "cgroup1"); where it has none of
 * its own (podman's may have none without root) by its first process and its descendants ("process tree"); else
 * by its engine's statistics ("docker stats", "podman stats"). Its network by the counters of a namespace of its own,
 * else by those statistics. Ends with its first process. ERROR_ABSENT: it does not run, or its usage cannot be read. */
bool target_open_container(struct target *target, const struct engine *engine, const struct container *container,
                           struct error *err) MUST_CHECK;

/* The kind of group in which the engine can put a container, for target_make_group; ROOT_GROUP_NONE: none. */
enum root_group_kind target_group_kind(const struct engine *engine);

/* A container that has been made and not started, where no group can be made for it: waits until it runs, and then
 * follows it as above from its start on. What it used between the last look and its end may be missing, and all of it
 * where it has ended before it was seen once: target->may_miss_end. Its end is seen by looking. */
bool target_open_coming(struct target *target, const struct engine *engine, const char *id,
                        struct error *err) MUST_CHECK;

/* As target_open_container, of one that has just started: all that it used counts. */
bool target_open_started(struct target *target, const struct engine *engine, const struct container *container,
                         struct error *err) MUST_CHECK;

#endif
