/* SPDX-License-Identifier: MIT
 * A pod without a group of its own, but with one for each of its containers, next to one another: a runtime that makes
 * groups itself, and is given a place as SLICE:PREFIX:ID, makes a folder of that name. They are followed as one target.
 * Used by target_pod.c. Begin with target_open_parts(). */
#ifndef TARGET_TARGET_PARTS_H
#define TARGET_TARGET_PARTS_H

#include "target/target.h"

/* above: the folder in which they are. Those that come later count from their start; it has ended once no process is in
 * any of them. */
bool target_open_parts(struct target *target, const char *above, const char *uid, struct error *err) MUST_CHECK;

#endif
