/* SPDX-License-Identifier: MIT
 * What a virtual machine sees of its host's meters: whose energy that is, only its hypervisor could say. */
#ifndef METER_BORROWED_H
#define METER_BORROWED_H

#include "meter/meter.h"

/* In a guest, meters of processors, memory, board and machine are not its own, but for one package under a hypervisor
 * that is known to tell a guest its share. Such a domain is marked `borrowed`; unless the user named its source it does
 * not count. One notice says so. */
void borrowed_judge(struct meter *meter, bool named);

#endif
