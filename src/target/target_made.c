/* SPDX-License-Identifier: MIT
 * A group at the root of every hierarchy, followed from its making on and removed at the end. */
#include "target/target_made.h"

#include "target/target_groups.h"
#include "usage/cgroup_place.h"
#include "usage/cgroup_tree.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct made {
    struct target groups;
    char name[ROOT_GROUP_NAME_SIZE];
};

static void made_close(struct target *target)
{
    struct made *made = target->state;

    target_close(&made->groups);
    root_group_remove(made->name);
    free(made);
}

static const struct target_kind made_kind = {
    .close = made_close,
};

/* Controllers may share a hierarchy. */
static size_t open_folders(const char *name, int fds[GROUP_HIERARCHIES])
{
    char folders[GROUP_HIERARCHIES][PATH_MAX];
    size_t count = 0;

    for (size_t i = 0; i < GROUP_HIERARCHIES; i++) {
        bool shared = false;
        if (!cgroup_folder_named(name, group_hierarchies[i], folders[count], PATH_MAX))
            continue;
        for (size_t j = 0; j < count; j++)
            shared |= strcmp(folders[j], folders[count]) == 0;
        if (!shared && (fds[count] = cgroup_folder(AT_FDCWD, folders[count])) >= 0)
            count++;
    }
    return count;
}

bool target_make_group(struct target *target, enum root_group_kind kind, char parent[ROOT_GROUP_NAME_SIZE],
                       struct error *err)
{
    char name[ROOT_GROUP_NAME_SIZE];
    struct made *made = calloc(1, sizeof *made);
    int fds[GROUP_HIERARCHIES];
    size_t count;

    *target = (struct target){ .fd = -1 };
    if (!made)
        return error_errno(err, "no memory to follow a cgroup");
    if (!root_group_make(kind, name, err)) {
        free(made);
        return false;
    }
    snprintf(made->name, sizeof made->name, "%s", name);
    count = open_folders(name, fds);
    if (!target_open_groups(&made->groups, fds, count, GROUPS_SINCE_MADE_WAIT, name, err)) {
        root_group_remove(name);
        free(made);
        return false;
    }
    snprintf(target->name, sizeof target->name, "%s", name);
    snprintf(parent, ROOT_GROUP_NAME_SIZE, "%s", kind == ROOT_GROUP_SLICE ? name + 1 : name);
    target->kind = &made_kind;
    target->outlives = true;
    target->from_nothing = true;
    target->state = made;
    target->inside = &made->groups;
    return true;
}
