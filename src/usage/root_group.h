/* SPDX-License-Identifier: MIT
 * A control group of carbon's own at the root of every hierarchy, by one name: for an engine to put a container into.
 */
#ifndef USAGE_ROOT_GROUP_H
#define USAGE_ROOT_GROUP_H

#include "base/error.h"

#include <stddef.h>

enum { ROOT_GROUP_NAME_SIZE = 48 };

/* Makes it, "/carbon-1234-0-4026531836"; those of a killed carbon are cleared away first. ERROR_ABSENT: carbon does not
 * see the roots that an engine would; ERROR_DENIED, ERROR_SYSTEM: it may not be made there. */
bool root_group_make(char name[ROOT_GROUP_NAME_SIZE], struct error *err) MUST_CHECK;

/* Removes it in all of them, with what an engine has left below; waits a moment for those in it to end, and moves
 * nobody. */
void root_group_remove(const char *name);

#endif
