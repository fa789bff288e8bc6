/* SPDX-License-Identifier: MIT
 * Entries of a day, found by node and group. */
#include "commands/report/fleet_day.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The slot of the entry, or the free one where it would be put. */
static size_t slot_of(const struct fleet_day *day, bool is_node, const char *node, const char *group)
{
    uint64_t hash = text_hash(node, strlen(node)) + is_node;
    size_t slot;

    if (group)
        hash = hash * UINT64_C(0x9e3779b97f4a7c15) ^ text_hash(group, strlen(group));
    slot = (size_t)(hash ^ hash >> 32) & (day->slot_count - 1);
    while (day->slots[slot]) {
        const struct fleet_entry *entry = &day->items[day->slots[slot] - 1];
        if (entry->is_node == is_node && strcmp(entry->node, node) == 0 && same_text(entry->group, group))
            break;
        slot = (slot + 1) & (day->slot_count - 1);
    }
    return slot;
}

static bool grow(struct fleet_day *day)
{
    const size_t room = day->room ? 2 * day->room : 64, slot_count = 4 * room;
    struct fleet_entry *items = realloc(day->items, room * sizeof *items);
    uint32_t *slots = calloc(slot_count, sizeof *slots);

    if (items)
        day->items = items;
    if (!items || !slots) {
        free(slots);
        return false;
    }
    free(day->slots);
    day->slots = slots;
    day->slot_count = slot_count;
    day->room = room;
    for (size_t i = 0; i < day->count; i++)
        day->slots[slot_of(day, items[i].is_node, items[i].node, items[i].group)] = (uint32_t)i + 1;
    return true;
}

struct fleet_entry *fleet_day_find(const struct fleet_day *day, bool is_node, const char *node, const char *group)
{
    const size_t slot = day->count ? slot_of(day, is_node, node, group) : 0;

    return day->count && day->slots[slot] ? &day->items[day->slots[slot] - 1] : NULL;
}

struct fleet_entry *fleet_day_get(struct fleet_day *day, bool is_node, const char *node, const char *group,
                                  struct error *err)
{
    struct fleet_entry *entry = fleet_day_find(day, is_node, node, group);

    if (entry)
        return entry;
    if (day->count == day->room && !grow(day)) {
        error_errno(err, "no memory for the nodes of a day");
        return NULL;
    }
    entry = &day->items[day->count];
    *entry = (struct fleet_entry){ .is_node = is_node, .first_s = NAN, .last_s = NAN };
    entry->node = arena_copy(&day->arena, node, strlen(node));
    entry->group = group ? arena_copy(&day->arena, group, strlen(group)) : NULL;
    if (!entry->node || (group && !entry->group)) {
        error_errno(err, "no memory for the nodes of a day");
        return NULL;
    }
    day->slots[slot_of(day, is_node, node, group)] = (uint32_t)++day->count;
    return entry;
}

void fleet_day_close(struct fleet_day *day)
{
    free(day->items);
    free(day->slots);
    arena_close(&day->arena);
    *day = (struct fleet_day){ .count = 0 };
}
