/* SPDX-License-Identifier: MIT
 * How many cores the online CPUs are threads of. */
#ifndef BASE_CORES_H
#define BASE_CORES_H

#include "base/root.h"

/* 0: not known. */
int cores_online(const struct root *root);

#endif
