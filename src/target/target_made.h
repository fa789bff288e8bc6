/* SPDX-License-Identifier: MIT
 * A control group of carbon's own as a target, for a container that carbon is about to have an engine make in it. */
#ifndef TARGET_TARGET_MADE_H
#define TARGET_TARGET_MADE_H

#include "target/target.h"
#include "usage/root_group.h"

/* Makes the group; its name is what the engine is told as the parent of the container's own. Its counters outlive the
 * container: all that ran there since it was made, however short, and the true peak of memory. It ends when somebody
 * has been in it and nobody is any more, and is removed with target_close: after the container. For an engine that
 * makes groups itself and runs with root's rights (see target_container.h). Errors as root_group_make. */
bool target_make_group(struct target *target, char name[ROOT_GROUP_NAME_SIZE], struct error *err) MUST_CHECK;

#endif
