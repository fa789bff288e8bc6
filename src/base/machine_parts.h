/* SPDX-License-Identifier: MIT
 * The parts from which machine.c fills a struct machine; unreadable facts stay unknown. Used by
 * machine.c, machine_cpus.c and machine_guest.c. Begin with machine_read_hypervisor(). */
#ifndef BASE_MACHINE_PARTS_H
#define BASE_MACHINE_PARTS_H

#include <stdbool.h>

struct machine;
struct root;

enum { MACHINE_HEAD_SIZE = 8192 }; /* of cpuinfo, of mountinfo: the lines needed are near their start */

/* machine_guest.c: the hypervisor, and whether this is a container. */
void machine_read_hypervisor(struct machine *machine, const struct root *root, bool flags_seen);
bool machine_in_container(const struct root *root);

/* machine_cpus.c: CPUs, packages and dies; in a container, the CPUs in its own files. */
void machine_read_topology(struct machine *machine, const struct root *root);
void machine_find_own_cpus(struct machine *machine, const struct root *root);

#endif
