/* SPDX-License-Identifier: MIT
 * What a user calls a zone, as its code. */
#include "base/c_locale.h"
#include "emissions/factor_table.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool unknown_zone(const char *text, const struct factor_rows *own, const struct zones *zones, struct error *err)
{
    struct near_names near = { .typed = text };
    char list[NEAR_LIST_SIZE];

    for (size_t i = 0; i < own->count; i++)
        near_offer(&near, own->items[i].zone, own->items[i].zone);
    near_offer_zones(&near, zones);
    if (!(strchr(text, ':') ? near_offer_cloud_regions : near_offer_aliases)(&near, err))
        return false;
    error_set(err, ERROR_USAGE, "unknown zone '%.64s'", text);
    if (near.count)
        error_why(err, "not in zones.csv, zone_aliases.csv or cloud_regions.csv%s; did you mean %s?",
                  own->table_count ? ", nor in your tables" : "", near_list(&near, list));
    else
        error_why(err, "not in zones.csv, zone_aliases.csv or cloud_regions.csv%s",
                  own->table_count ? ", nor in your tables" : "");
    return near.count ? error_fix_instead(err, "carbon factors %s", near.items[0].name)
                      : error_fix(err, "carbon factors");
}

static const char *own_zone(const struct factor_rows *own, const char *text)
{
    for (size_t i = 0; i < own->count; i++)
        if (c_strcasecmp(own->items[i].zone, text) == 0 || c_strcasecmp(own->items[i].zone_name, text) == 0)
            return own->items[i].zone;
    return NULL;
}

static void place_region(const struct cloud_region *region, const char *text, bool share_alike,
                         struct zone_meant *meant, struct notices *notices)
{
    char why[256];

    text_copy(meant->code, sizeof meant->code, share_alike ? region->grid_zone : region->zone);
    text_copy(meant->cloud_region, sizeof meant->cloud_region, region->name);
    snprintf(why, sizeof why, "cloud_regions.csv places it in %s", region->location);
    notice_add(notices, NOTICE_ASSUMED, why, "", "the electricity of cloud region %s is taken as that of zone %s", text,
               meant->code);
}

/* A name in another language needs no word; a part of a country that has no factor of its own does. */
static void understood_as(const char *text, const struct zone_alias *alias, const struct zones *zones, const char *code,
                          struct notices *notices)
{
    const struct zone *zone = zones_find(zones, code);
    const bool name = strncmp(alias->kind, "name", strlen("name")) == 0 || strcmp(alias->kind, "alpha-3") == 0;
    const bool market = strcmp(alias->kind, "bidding zone") == 0 || strcmp(alias->kind, "market area") == 0;
    char why[256];

    if (name && !*alias->notes)
        return;
    snprintf(why, sizeof why, "%s%s%s", alias->kind, *alias->notes ? "; " : "", alias->notes);
    notice_add(notices, NOTICE_ASSUMED, why, "", "'%s' is taken as %s%s%s%s%s", text, code, zone ? " (" : "",
               zone ? zone->name : "", zone ? ")" : "", market ? ", whose yearly factor it has" : "");
}

static bool resolve_alias(const char *text, const struct zones *zones, bool share_alike, struct zone_meant *meant,
                          bool *found, struct notices *notices, struct error *err)
{
    struct zone_alias alias;
    struct cloud_region region;
    bool is_region = false;

    if (!zone_alias_find(text, &alias, found, err))
        return false;
    if (!*found)
        return true;
    if (!zones_find(zones, alias.zone) && !cloud_region_find(alias.zone, &region, &is_region, err))
        return false;
    if (is_region) {
        if (*alias.notes)
            notice_add(notices, NOTICE_ASSUMED, alias.notes, "--zone with its provider, as in --zone aws:eu-west-3",
                       "'%s' is taken as cloud region %s", text, alias.zone);
        place_region(&region, alias.zone, share_alike, meant, notices);
        return true;
    }
    meant->part = strncmp(alias.kind, "name", strlen("name")) == 0 && *alias.notes;
    text_copy(meant->grid_zone, sizeof meant->grid_zone, alias.grid_zone);
    text_copy(meant->code, sizeof meant->code, share_alike && *alias.grid_zone ? alias.grid_zone : alias.zone);
    understood_as(text, &alias, zones, meant->code, notices);
    return true;
}

bool zone_resolve(const char *text, const struct factor_rows *own, const struct zones *zones, bool share_alike,
                  struct zone_meant *meant, struct notices *notices, struct error *err)
{
    struct cloud_region region;
    const struct zone *namesake = NULL;
    const char *mine = *text ? own_zone(own, text) : NULL;
    const struct zone *zone = *text ? zones_match(zones, mine ? mine : text, &namesake) : NULL;
    bool found = false;

    *meant = (struct zone_meant){ .code = "" };
    if (mine && !zone && !cloud_region_find(text, &region, &found, err))
        return false;
    if (zone || mine) {
        text_copy(meant->cloud_region, sizeof meant->cloud_region, found ? region.name : "");
        text_copy(meant->code, sizeof meant->code, zone ? zone->code : mine);
        if (namesake)
            notice_add(notices, NOTICE_ASSUMED, "both have this name", "--zone with its code",
                       "'%s' is taken as %s, not as %s", text, meant->code, namesake->code);
        return true;
    }
    if (!cloud_region_find(text, &region, &found, err))
        return false;
    if (found) {
        place_region(&region, text, share_alike, meant, notices);
        return true;
    }
    if (*text && !resolve_alias(text, zones, share_alike, meant, &found, notices, err))
        return false;
    return found || unknown_zone(text, own, zones, err);
}
