/* SPDX-License-Identifier: MIT
 * What machine.c asks for one after another when it fills a struct machine; what cannot be read stays unknown. Used by
 * machine.c, machine_cpus.c and machine_guest.c. Begin with machine_read_hypervisor(). */
#ifndef BASE_MACHINE_PARTS_H
#define BASE_MACHINE_PARTS_H

#include <stdbool.h>

struct machine;
struct root;

enum { MACHINE_HEAD_SIZE = 8192 }; /* of cpuinfo, of mountinfo: what is looked for stands early */

/* machine_guest.c: which hypervisor it runs under, and whether this is a container. */
void machine_read_hypervisor(struct machine *machine, const struct root *root, bool flags_seen);
bool machine_in_container(const struct root *root);

/* machine_cpus.c: CPUs, packages and dies; and of a container which CPUs its own files tell of. */
void machine_read_topology(struct machine *machine, const struct root *root);
void machine_find_own_cpus(struct machine *machine, const struct root *root);

#endif
