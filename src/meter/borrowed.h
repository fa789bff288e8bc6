/* SPDX-License-Identifier: MIT
 * What a virtual machine sees of its host's meters: whose energy that is, only its hypervisor could say. Used by
 * meter_open.c. Begin with borrowed_judge(). */
#ifndef METER_BORROWED_H
#define METER_BORROWED_H

#include "energy/energy.h"

/* In a guest, meters of processors, memory, board and machine are not its own, but for one package under a hypervisor
 * that is known to report a guest's share. Such a domain is marked `borrowed`; unless the user named its source it does
 * not count. One notice, among those of the first source, says so. */
void borrowed_judge(struct energy_source *sources, size_t count, const struct machine *machine, bool named);

#endif
