/* SPDX-License-Identifier: MIT
 * A table of programs by name and user. */
#include "groups/process_names.h"

#include "base/array.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs that had a group stay in the table; beyond this many times as many as are shown, nobody gets a new one. */
enum { KNOWN_TIMES = 4, TAKES_PLACE = 2 };

static struct process_name *find_name(const struct process_names *names, const char *comm, uid_t owner)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].owner == owner && strcmp(names->items[i].comm, comm) == 0)
            return &names->items[i];
    return NULL;
}

static struct process_name *add_name(struct process_names *names, const char *comm, uid_t owner)
{
    struct process_name *found = find_name(names, comm, owner);

    if (found)
        return found;
    names->items = array_room(names->items, &names->room, names->count + 1, sizeof *names->items);
    if (names->count == names->room)
        return NULL;
    found = &names->items[names->count++];
    *found = (struct process_name){ .owner = owner };
    text_copy(found->comm, sizeof found->comm, comm);
    return found;
}

void process_names_credit(struct process_names *names, const char *comm, uid_t owner, uint64_t used_ns)
{
    struct process_name *name = add_name(names, comm, owner);

    if (!name)
        return;
    name->alive = true;
    name->recent_ns += used_ns;
    name->cpu_ns += used_ns;
}

/* Programs with a group in the state, at the first walk. */
static void resume(struct process_names *names, const struct groups *groups)
{
    for (size_t i = 0; i < groups->count && !names->begun; i++) {
        const struct group *group = &groups->items[i];
        struct process_name *name;
        if (group->name.kind != GROUP_PROCESS || !group->name.user[0])
            continue;
        name = add_name(names, group->name.id, (uid_t)strtoul(group->name.user, NULL, 10));
        if (!name)
            continue;
        name->known = true;
        name->cpu_ns += group->cpu_ns;
    }
    names->begun = true;
}

/* The largest that is not shown, or the smallest that is; NULL: there is none. */
static struct process_name *find_extreme(const struct process_names *names, bool shown, bool may_be_new)
{
    struct process_name *found = NULL;

    for (size_t i = 0; i < names->count; i++) {
        struct process_name *name = &names->items[i];
        if (name->shown != shown || !name->cpu_ns || (!shown && !name->known && !may_be_new))
            continue;
        if (!found || (shown ? name->cpu_ns < found->cpu_ns : name->cpu_ns > found->cpu_ns))
            found = name;
    }
    return found;
}

static size_t count_names(const struct process_names *names, bool known)
{
    size_t count = 0;

    for (size_t i = 0; i < names->count; i++)
        count += known ? names->items[i].known : names->items[i].shown;
    return count;
}

static void choose(struct process_names *names)
{
    for (;;) {
        const bool may_be_new = count_names(names, true) < KNOWN_TIMES * names->max;
        struct process_name *next = find_extreme(names, false, may_be_new), *last = find_extreme(names, true, true);

        if (!next)
            return;
        if (count_names(names, false) >= names->max) {
            if (!last || next->cpu_ns / TAKES_PLACE <= last->cpu_ns)
                return;
            last->shown = false;
        }
        next->shown = next->known = true;
    }
}

static struct group_name group_of(const struct process_name *name)
{
    struct group_name group = { .kind = GROUP_PROCESS };

    if (!name)
        return group;
    text_copy(group.id, sizeof group.id, name->comm);
    snprintf(group.user, sizeof group.user, "%u", (unsigned)name->owner);
    return group;
}

/* All that had a group are looked for in each walk, so that none is forgotten. */
static size_t take_group(struct groups *groups, const struct process_name *name)
{
    const struct group_name wanted = group_of(name);
    const size_t at = groups_take(groups, &wanted);

    if (at != GROUP_NONE)
        groups->items[at].hidden = name && !name->shown;
    return at;
}

void process_names_share(struct process_names *names, struct groups *groups)
{
    const size_t rest = take_group(groups, NULL);
    size_t stored = 0;

    resume(names, groups);
    choose(names);
    for (size_t i = 0; i < names->count; i++) {
        struct process_name name = names->items[i];
        const size_t own = name.known ? take_group(groups, &name) : GROUP_NONE;
        const size_t at = name.shown && own != GROUP_NONE ? own : rest;
        if (at != GROUP_NONE)
            groups->items[at].recent_ns[0] += name.recent_ns;
        if (!name.alive && !name.known)
            continue;
        name.alive = false;
        name.recent_ns = 0;
        names->items[stored++] = name;
    }
    names->count = stored;
}

size_t process_names_group(const struct process_names *names, struct groups *groups, const char *comm, uid_t owner)
{
    const struct process_name *name = find_name(names, comm, owner);

    return take_group(groups, name && name->shown ? name : NULL);
}

void process_names_close(struct process_names *names)
{
    free(names->items);
    names->items = NULL;
    names->count = names->room = 0;
}
