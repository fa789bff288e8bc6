/* SPDX-License-Identifier: MIT
 * A control group of carbon's own as a target, for a container that carbon is about to have an engine make in it. Used
 * by target_container.h. Begin with target_make_group(). */
#ifndef TARGET_TARGET_MADE_H
#define TARGET_TARGET_MADE_H

#include "target/target.h"
#include "usage/root_group.h"

/* Makes the group; `parent` is the name that the engine gets for the parent of the container's own. Its counters
 * outlive the container: all that ran there since it was made, however short, and the true peak of memory. It ends when
 * a process has been in it and none is any more, and is removed with target_close: after the container. The kind that
 * an engine can use: target_group_kind (target_container.h). Errors as root_group_make. */
bool target_make_group(struct target *target, enum root_group_kind kind, char parent[ROOT_GROUP_NAME_SIZE],
                       struct error *err) MUST_CHECK;

#endif
