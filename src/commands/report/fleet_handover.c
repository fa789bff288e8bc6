/* SPDX-License-Identifier: MIT
 * What a day of a fleet comes to, told part by part: nodes, the rest of each, groups. */
#include "commands/report/fleet_handover.h"

static bool hand_over_part(const struct fleet_handover *telling, const struct fleet_entry *entry,
                           enum fleet_part_kind kind, const char *group, double joules, const struct fleet_part *day,
                           struct error *err)
{
    struct fleet_part part = *day;

    part.kind = kind;
    part.node = entry->node;
    part.group = group;
    part.joules = joules;
    part.first_s = entry->first_s;
    part.last_s = entry->last_s;
    part.covered_s = entry->covered_s;
    part.doubtful_j = entry->doubtful_j;
    part.resets = entry->resets;
    part.wraps = entry->wraps;
    part.gaps = entry->gaps;
    part.quality = entry->quality;
    if (kind == FLEET_REST && entry->groups)
        part.quality = QUALITY_ATTRIBUTED;
    return telling->on_part(&part, telling->context, err);
}

/* What groups are told is a part of their node's energy, on the same day or, after a gap, later. */
static bool add_to_node(const struct fleet_handover *telling, const struct fleet_entry *group, struct error *err)
{
    struct fleet_entry *node = fleet_day_find(telling->day, true, group->node, NULL);

    if (!node || !node->reported)
        node = fleet_day_get(telling->ahead, true, group->node, NULL, err);
    if (!node)
        return false;
    node->groups_j += group->joules;
    node->groups++;
    return true;
}

static bool add_groups(const struct fleet_handover *telling, struct error *err)
{
    bool good = true;

    for (size_t i = 0; i < telling->day->count && good; i++)
        if (!telling->day->items[i].is_node)
            good = add_to_node(telling, &telling->day->items[i], err);
    for (size_t i = 0; i < telling->ahead->count && good; i++) {
        struct fleet_entry *ahead = &telling->ahead->items[i];
        struct fleet_entry *node = fleet_day_find(telling->day, true, ahead->node, NULL);
        if (node && node->reported) {
            node->groups_j += ahead->groups_j;
            node->groups += ahead->groups;
            ahead->groups_j = 0;
            ahead->groups = 0;
        }
    }
    return good;
}

bool fleet_hand_over_day(const struct fleet_handover *telling, const struct fleet_part *day, struct error *err)
{
    const struct fleet_day *entries = telling->day;
    const bool groups = telling->groups;
    const char *group = NULL;
    bool good = add_groups(telling, err);

    for (size_t i = 0; i < entries->count && good; i++) {
        const struct fleet_entry *entry = &entries->items[i];
        if (!entry->is_node || !entry->reported)
            continue;
        good = fleet_labels_find(telling->labels, entry->node, "", &group, err) &&
               hand_over_part(telling, entry, FLEET_NODE, groups ? NULL : group, entry->joules, day, err) &&
               (!groups || hand_over_part(telling, entry, FLEET_REST, NULL, entry->joules - entry->groups_j, day, err));
    }
    for (size_t i = 0; i < entries->count && good; i++)
        if (!entries->items[i].is_node)
            good = hand_over_part(telling, &entries->items[i], FLEET_GROUP, entries->items[i].group,
                                  entries->items[i].joules, day, err);
    return good;
}
