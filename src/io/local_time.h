/* SPDX-License-Identifier: MIT
 * Local time, for people and for programs that take no other; of the zone that TZ or /etc/localtime names. Used in
 * result and 5 commands. Begin with local_time_of(). */
#ifndef IO_LOCAL_TIME_H
#define IO_LOCAL_TIME_H

#include "base/clock.h"

/* "2026-11-29 18:30 +0100"; with seconds where there are any. */
const char *local_time_text(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE]);

/* "2026-11-29T18:30:00", as `sbatch --begin=` takes it. */
const char *local_time_begin(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE]);

/* "18:00" (the next one after now_s), "2026-11-29T18:30"; "2026-11-29", "today" and "tomorrow" are the end of that day.
 * A time with an offset uses it. False: not a valid time. */
bool local_time_of(const char *text, uint64_t now_s, uint64_t *realtime_s);

#endif
