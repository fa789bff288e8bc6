/* SPDX-License-Identifier: MIT
 * Zones by code, alpha-3, name and alias. */
#include "emissions/zones.h"

#include "base/c_locale.h"
#include "base/shipped.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
    "zone", "zone_name", "zone_type", "alpha3", "fallback_zone", "aliases", "in_grid_intensity_odbl",
};

enum { CODE, NAME, TYPE, ALPHA3, FALLBACK, ALIASES, IN_SHARE_ALIKE, COLUMN_COUNT };

struct zones_reading {
    struct zones *zones;
    int column[COLUMN_COUNT];
};

/* Zones lie in a few blocks, each with the texts of its row behind it: an allocation for each would take a start as
 * long as reading them. */
struct zone_block {
    struct zone_block *before;
    size_t used;
    _Alignas(struct zone) char room[];
};

enum { BLOCK_ROOM = 32 << 10 };

/* NULL: no memory. */
static void *room_for(struct zones *zones, size_t size)
{
    const size_t whole = (size + _Alignof(struct zone) - 1) / _Alignof(struct zone) * _Alignof(struct zone);
    struct zone_block *block = zones->blocks;

    if (!block || block->used + whole > BLOCK_ROOM) {
        block = malloc(sizeof *block + (whole > BLOCK_ROOM ? whole : BLOCK_ROOM));
        if (!block)
            return NULL;
        block->before = zones->blocks;
        block->used = 0;
        zones->blocks = block;
    }
    block->used += whole;
    return block->room + block->used - whole;
}

static struct zone *zone_of(struct zones *zones, const struct csv_row *row, const int *column)
{
    const char *texts = row->fields[0], *last = row->fields[row->count - 1];
    const size_t size = (size_t)(last - texts) + strlen(last) + 1;
    struct zone *zone = room_for(zones, sizeof *zone + size);

    if (!zone)
        return NULL;
    memcpy(zone->texts, texts, size);
#define STORED(which) (zone->texts + (row->fields[column[which]] - texts))
    zone->next = NULL;
    zone->code = STORED(CODE);
    zone->name = STORED(NAME);
    zone->type = STORED(TYPE);
    zone->alpha3 = STORED(ALPHA3);
    zone->fallback = STORED(FALLBACK);
    zone->aliases = STORED(ALIASES);
    zone->share_alike = strcmp(STORED(IN_SHARE_ALIKE), "1") == 0;
#undef STORED
    return zone;
}

static bool on_zone(const struct csv_row *row, void *context, struct error *err)
{
    struct zones_reading *reading = context;
    struct zones *zones = reading->zones;
    const int *column = reading->column;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    if (strlen(row->fields[column[CODE]]) >= ZONE_SIZE || strlen(row->fields[column[FALLBACK]]) >= ZONE_SIZE)
        return csv_bad_field(row, (size_t)column[CODE], columns[CODE], err, "the code is too long");
    struct zone *zone = zone_of(zones, row, column);
    if (!zone)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", row->path);
    *(zones->last ? &zones->last->next : &zones->first) = zone;
    zones->last = zone;
    return true;
}

bool zones_read(struct zones *zones, struct error *err)
{
    struct zones_reading reading = { .zones = zones };

    *zones = (struct zones){ 0 };
    if (shipped_read("zones.csv", NULL, on_zone, &reading, err))
        return true;
    zones_close(zones);
    return false;
}

void zones_close(struct zones *zones)
{
    for (struct zone_block *block = zones->blocks, *before; block; block = before) {
        before = block->before;
        free(block);
    }
    *zones = (struct zones){ 0 };
}

const struct zone *zones_find(const struct zones *zones, const char *code)
{
    for (const struct zone *zone = zones->first; zone; zone = zone->next)
        if (c_strcasecmp(zone->code, code) == 0)
            return zone;
    return NULL;
}

static bool is_country(const struct zone *zone)
{
    return strcmp(zone->type, "country") == 0;
}

/* Calls with each alias until one is wanted. */
static bool any_alias(const struct zone *zone, bool (*wanted)(const char *alias, void *context), void *context)
{
    for (const char *at = zone->aliases; *at; at += *at == ';') {
        char alias[ZONE_NAME_SIZE];
        const size_t length = strcspn(at, ";");
        snprintf(alias, sizeof alias, "%.*s", (int)length, at);
        if (wanted(alias, context))
            return true;
        at += length;
    }
    return false;
}

static bool alias_is(const char *alias, void *context)
{
    return c_strcasecmp(alias, context) == 0;
}

static const struct zone *match_short_name(const struct zones *zones, const char *text)
{
    char wanted[ZONE_NAME_SIZE];

    text_copy(wanted, sizeof wanted, text);
    for (const struct zone *zone = zones->first; zone; zone = zone->next) {
        /* subdivisions carry the alpha-3 code of their country */
        if ((*zone->alpha3 && is_country(zone) && c_strcasecmp(zone->alpha3, text) == 0) ||
            any_alias(zone, alias_is, wanted))
            return zone;
    }
    return NULL;
}

const struct zone *zones_match(const struct zones *zones, const char *text, const struct zone **namesake)
{
    const struct zone *match = zones_find(zones, text);

    *namesake = NULL;
    if (!match)
        match = match_short_name(zones, text);
    if (match)
        return match;
    for (const struct zone *zone = zones->first; zone; zone = zone->next) {
        if (c_strcasecmp(zone->name, text) != 0)
            continue;
        const bool better = !match || (is_country(zone) && !is_country(match));
        *namesake = better ? match : zone;
        if (better)
            match = zone;
    }
    return match;
}

struct offer {
    struct near_names *near;
    const char *code;
};

static bool offer_alias(const char *alias, void *context)
{
    const struct offer *offer = context;

    near_offer(offer->near, alias, offer->code);
    return false;
}

void near_offer_zones(struct near_names *near, const struct zones *zones)
{
    for (const struct zone *zone = zones->first; zone; zone = zone->next) {
        struct offer offer = { near, zone->code };
        near_offer(near, zone->code, zone->code);
        near_offer(near, zone->name, zone->code);
        if (is_country(zone))
            near_offer(near, zone->alpha3, zone->code);
        any_alias(zone, offer_alias, &offer);
    }
}
