/* SPDX-License-Identifier: MIT
 * What a user calls a zone, as its code. */
#include "base/c_locale.h"
#include "emissions/table.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool unknown_zone(const char *text, const struct factor_rows *own, const struct zones *zones, struct error *err)
{
    struct near near = { .typed = text };
    char list[256] = "";

    for (size_t i = 0; i < own->count; i++)
        near_offer(&near, own->items[i].zone, own->items[i].zone);
    near_offer_zones(&near, zones);
    if (strchr(text, ':') && !near_offer_cloud_regions(&near, err))
        return false;
    for (size_t i = 0, used = 0; i < near.count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", near.items[i].code);
    error_set(err, ERROR_USAGE, "unknown zone '%.64s'", text);
    error_why(err, "it is neither in zones.csv nor in cloud_regions.csv%s",
              own->table_count ? " nor in the tables of your own" : "");
    return error_fix(err,
                     near.count > 1    ? "'carbon factors' lists them; close ones are %s"
                     : near.count == 1 ? "'carbon factors' lists them; a close one is %s"
                                       : "'carbon factors' lists them%s",
                     list);
}

static const char *own_zone(const struct factor_rows *own, const char *text)
{
    for (size_t i = 0; i < own->count; i++)
        if (c_strcasecmp(own->items[i].zone, text) == 0 || c_strcasecmp(own->items[i].zone_name, text) == 0)
            return own->items[i].zone;
    return NULL;
}

static void understood_as(const char *text, const struct cloud_region *region, const char *code,
                          struct notices *notices)
{
    char why[256];

    snprintf(why, sizeof why, "cloud_regions.csv places it in %s", region->location);
    notice_add(notices, NOTICE_ASSUMED, why, "", "the electricity of cloud region %s is taken as that of zone %s", text,
               code);
}

bool zone_resolve(const char *text, const struct factor_rows *own, const struct zones *zones, bool share_alike,
                  char code[ZONE_SIZE], struct notices *notices, struct error *err)
{
    struct cloud_region region;
    const struct zone *namesake = NULL;
    const char *mine = *text ? own_zone(own, text) : NULL;
    const struct zone *zone = *text ? zones_match(zones, mine ? mine : text, &namesake) : NULL;
    bool found = false;

    if (zone || mine) {
        text_copy(code, ZONE_SIZE, zone ? zone->code : mine);
        if (namesake)
            notice_add(notices, NOTICE_ASSUMED, "both have this name", "name it by its code",
                       "'%s' is taken as %s, not as %s", text, code, namesake->code);
        return true;
    }
    if (!cloud_region_find(text, &region, &found, err))
        return false;
    if (!found)
        return unknown_zone(text, own, zones, err);
    text_copy(code, ZONE_SIZE, share_alike ? region.grid_zone : region.zone);
    understood_as(text, &region, code, notices);
    return true;
}
