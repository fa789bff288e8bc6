/* SPDX-License-Identifier: MIT
 * The exporter of each node, from piece to piece. */
#include "commands/report/fleet_choice.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "commands/report/fleet_cover.h"
#include "series/kind_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fleet_node_name(const char *node, char room[FLEET_NODE_SIZE])
{
    const char *colon = strrchr(node, ':');
    const bool port = colon && colon > node && (colon == strchr(node, ':') || colon[-1] == ']') && colon[1] &&
                      !colon[1 + strspn(colon + 1, "0123456789")];

    text_copy(room, FLEET_NODE_SIZE, node);
    if (port && (size_t)(colon - node) < FLEET_NODE_SIZE)
        room[colon - node] = '\0';
    return room;
}

/* The place of its node, or of its node's cards; NULL: no memory. */
static struct fleet_chosen *chosen_of(struct fleet_choice *choice, const struct attribution *attribution,
                                      struct error *err)
{
    char name[FLEET_NODE_SIZE];
    const size_t before = choice->nodes.count;
    struct fleet_entry *entry;
    size_t place;

    entry = fleet_day_get(&choice->nodes, attribution->part != DOMAIN_GPU,
                          fleet_node_name(attribution->texts[ATTRIBUTION_NODE], name), NULL, err);
    if (!entry)
        return NULL;
    place = (size_t)(entry - choice->nodes.items);
    choice->items = array_room(choice->items, &choice->room, choice->nodes.count, sizeof *choice->items);
    if (choice->room < choice->nodes.count) {
        error_errno(err, "no memory for the nodes");
        return NULL;
    }
    if (choice->nodes.count > before)
        choice->items[place] = (struct fleet_chosen){ .until_s = -INFINITY };
    return &choice->items[place];
}

static void note_times(struct fleet_chosen *chosen, enum fleet_touch by, enum exporter_kind kind,
                       const struct metric_series *series, double from_s)
{
    if (chosen->touched > by)
        return;
    for (enum exporter_kind each = 0; each < EXPORTER_COUNT && !chosen->touched; each++) {
        chosen->kinds[each].first_s = INFINITY;
        chosen->kinds[each].last_s = -INFINITY;
        chosen->kinds[each].from_s = NAN;
    }
    chosen->touched = by;
    for (size_t i = 0; i < series->point_count; i++)
        if (isfinite(series->points[i].value) && series->points[i].time_s >= from_s) {
            chosen->kinds[kind].first_s = fmin(chosen->kinds[kind].first_s, series->points[i].time_s);
            chosen->kinds[kind].last_s = fmax(chosen->kinds[kind].last_s, series->points[i].time_s);
        }
}

/* The first in their order that tells anything behind a time. */
static enum exporter_kind next_kind(const struct fleet_chosen *chosen, double behind_s)
{
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (chosen->kinds[kind].last_s > behind_s)
            return kind;
    return EXPORTER_NONE;
}

static void note_change(struct fleet_choice *choice, enum exporter_kind from, enum exporter_kind to, double when_s,
                        struct notices *notices)
{
    char when[CLOCK_TEXT_SIZE];

    if (from == EXPORTER_NONE || choice->changes[from] & 1u << to)
        return;
    choice->changes[from] |= 1u << to;
    notice_add(notices, NOTICE_STAND_IN, "those have no values then; energy in both is counted once",
               "--exporter says which one is meant all the time", "from %s on, the counters of %s replace those of %s",
               clock_minute_text((uint64_t)when_s, when), exporter_title(to), exporter_title(from));
}

/* The one that counted goes on for as long as it tells anything; from its last value on, the next. */
static void choose(struct fleet_choice *choice, struct fleet_chosen *chosen, double step_s, struct notices *notices)
{
    enum exporter_kind kind = chosen->kind;

    if (kind == EXPORTER_NONE || !(chosen->kinds[kind].last_s > -INFINITY))
        kind = next_kind(chosen, -INFINITY);
    while (kind != EXPORTER_NONE) {
        if (kind != chosen->kind)
            note_change(choice, chosen->kind, kind, fmax(chosen->kinds[kind].first_s, chosen->until_s), notices);
        chosen->kinds[kind].from_s = kind == chosen->kind ? -INFINITY : chosen->until_s;
        chosen->kind = kind;
        chosen->until_s = chosen->kinds[kind].last_s;
        choice->used |= 1u << kind;
        kind = next_kind(chosen, chosen->until_s + FLEET_GAP * step_s);
    }
}

static void cut(struct metric_series *series, double from_s)
{
    size_t gone = 0;

    while (gone < series->point_count && !(series->points[gone].time_s >= from_s))
        gone++;
    series->points += gone;
    series->point_count -= gone;
}

/* Where each series' node is in the list, and when its exporters told: of a node whose own counters nobody tells, when
 * they told of its pods. */
static bool find_times(struct fleet_choice *choice, const struct series_set *set, const struct pod_names *names,
                       double from_s, size_t *places, struct error *err)
{
    struct fleet_chosen *chosen;
    struct attribution attribution;

    for (enum fleet_touch by = FLEET_BY_NODE; by > FLEET_UNTOUCHED; by--)
        for (size_t i = 0; i < set->count; i++) {
            const struct kind_family *family = kind_family_of_series(&set->items[i]);
            if (!family || (family->level == LEVEL_NODE) != (by == FLEET_BY_NODE))
                continue;
            attribute_series(&set->items[i], family, names, &attribution);
            attribution.part = attribution_domain(&set->items[i], family);
            chosen = chosen_of(choice, &attribution, err);
            if (!chosen)
                return false;
            places[i] = (size_t)(chosen - choice->items) + 1;
            note_times(chosen, by, family->kind, &set->items[i], from_s);
        }
    return true;
}

bool fleet_choose(struct fleet_choice *choice, struct series_set *set, const struct pod_names *names,
                  const struct chunk *chunk, int64_t step_s, struct notices *notices, struct error *err)
{
    AUTO_FREE size_t *places = calloc(set->count + 1, sizeof *places);

    if (!places)
        return error_errno(err, "no memory for the nodes");
    for (size_t i = 0; i < choice->nodes.count; i++)
        choice->items[i].touched = FLEET_UNTOUCHED;
    if (!find_times(choice, set, names, (double)chunk->from_s, places, err))
        return false;
    for (size_t i = 0; i < choice->nodes.count; i++)
        if (choice->items[i].touched)
            choose(choice, &choice->items[i], (double)step_s, notices);
    for (size_t i = 0; i < set->count; i++) {
        struct metric_series *series = &set->items[i];
        if (!places[i])
            continue;
        const enum exporter_kind kind = kind_family_of_series(series)->kind;
        const double from_s = choice->items[places[i] - 1].kinds[kind].from_s;
        choice->left_out |= isnan(from_s) && series->point_count ? 1u << kind : 0;
        cut(series, from_s);
    }
    return true;
}

void fleet_choice_close(struct fleet_choice *choice)
{
    fleet_day_close(&choice->nodes);
    free(choice->items);
    *choice = (struct fleet_choice){ .items = NULL };
}
