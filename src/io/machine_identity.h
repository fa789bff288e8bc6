/* SPDX-License-Identifier: MIT
 * Identifies a machine and its boot, without its name: so that the energy in several records of one machine at one
 * time can be counted once. Used by app/session.c. Begin with machine_identity(). */
#ifndef IO_MACHINE_IDENTITY_H
#define IO_MACHINE_IDENTITY_H

#include "base/machine.h"

/* Fills id and start: SHA-256, cut to 128 bits, of a salt and /etc/machine-id, or the kernel's boot_id, which
 * containers of one host share and clones of an image do not; one that has CPUs of its own has a machine's part, and no
 * start. What cannot be read, and all of a recorded machine, stays "". */
void machine_identity(struct machine *machine, const struct root *root);

#endif
