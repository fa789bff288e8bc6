/* SPDX-License-Identifier: MIT
 * What the processor's counters are asked for: by the first of these names that it knows (libpfm4's; each list ends
 * with NULL). The kernel's own "cache-misses" is not among them: it is the last level on Intel alone, the second on AMD
 * and the first on ARM. Used by hardware.c and machine_counter.h. Begin with hardware_events. */
#ifndef USAGE_HARDWARE_EVENTS_H
#define USAGE_HARDWARE_EVENTS_H

enum hardware_event { HARDWARE_CYCLES, HARDWARE_INSTRUCTIONS, HARDWARE_MISSES, HARDWARE_EVENTS };

extern const char *const *const hardware_events[HARDWARE_EVENTS];

#endif
