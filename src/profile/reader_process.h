/* SPDX-License-Identifier: MIT
 * Bounds of a process of carbon's own that reads a file which may be anything. Used by object_lines.c and
 * unwind_rules.c. Begin with reader_process_limit(). */
#ifndef PROFILE_READER_PROCESS_H
#define PROFILE_READER_PROCESS_H

/* This process ends with its parent, at a fault, and after these seconds of CPU time (0: no limit); it gets at most
 * 8 GiB more memory than it has, and leaves no core. */
void reader_process_limit(unsigned seconds);

#endif
