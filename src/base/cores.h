/* SPDX-License-Identifier: MIT
 * How many cores the online CPUs are threads of. Used by commands/calibrate/calibrate_measure.c,
 * commands/calibrate/calibrate_store.c and commands/calibrate/cmd_calibrate.c. Begin with cores_online(). */
#ifndef BASE_CORES_H
#define BASE_CORES_H

#include "base/sysroot.h"

/* 0: not known. */
int cores_online(const struct root *root);

#endif
