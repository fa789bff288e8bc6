/* SPDX-License-Identifier: MIT
 * A run without a start: a window over a running target. Used by workload_step.h. Begin with
 * attach_run(). */
#ifndef MEASUREMENT_ATTACH_H
#define MEASUREMENT_ATTACH_H

#include "measurement/watcher.h"

/* Takes the window and the usage of a target until it ends, for_ns (0: however long) have passed, or a signal comes. */
void attach_run(struct watcher *watcher, struct target *target, uint64_t for_ns, struct run *run);

/* What a target has used since `before` (target_read) becomes the run's usage; of memory the peak. What was unknown
 * before is known all the same of a target that began after it (target->from_nothing): all that it used since. */
void attach_usage(struct target *target, const struct usage *before, struct run *run);

#endif
