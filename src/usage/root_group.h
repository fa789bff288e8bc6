/* SPDX-License-Identifier: MIT
 * A control group of carbon's own at the root of every hierarchy, by one name: for an engine to put a container into.
 * For an engine that has systemd make its groups it is called as a slice: systemd takes over the group that is there,
 * and keeps it with all its counters until it is asked to stop that slice. Used by target/target_made.h. Begin with
 * root_group_make(). */
#ifndef USAGE_ROOT_GROUP_H
#define USAGE_ROOT_GROUP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ROOT_GROUP_NAME_SIZE = 64 };

enum root_group_kind {
    ROOT_GROUP_NONE,
    ROOT_GROUP_FOLDER, /* "/carbon-1234-0-4026531836" */
    ROOT_GROUP_SLICE   /* "/carbon_1234_0_4026531836.slice": a '-' would mean a slice above it */
};

/* Whether systemd runs here and can stop a slice. */
bool root_group_has_slices(void);

/* Makes it; those of a killed carbon are cleared away first. ERROR_ABSENT: carbon does not see the roots that an engine
 * would; ERROR_DENIED, ERROR_SYSTEM: it may not be made there. */
bool root_group_make(enum root_group_kind kind, char name[ROOT_GROUP_NAME_SIZE], struct error *err) MUST_CHECK;

/* Removes it in all of them, with an engine's remaining groups below; waits a moment for processes in it to end, and
 * moves none. */
void root_group_remove(const char *name);

#endif
