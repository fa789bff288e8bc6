/* SPDX-License-Identifier: MIT
 * Bounds of a process of carbon's own that reads a file which may be anything. Used by object_lines.c and
 * unwind_rules.c. Begin with reader_process_limit(). */
#ifndef PROFILE_READER_PROCESS_H
#define PROFILE_READER_PROCESS_H

/* Of this process: it ends with its parent, by what it does wrong, beyond 8 GiB more than it has, and after so many
 * seconds of CPU time (0: not by that); and leaves no core. */
void reader_process_limit(unsigned seconds);

#endif
