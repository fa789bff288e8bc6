/* SPDX-License-Identifier: MIT
 * Electricity zones: the zones of zones.csv, their names, the zone of a cloud region, and the
 * wires of the fallback from one to another. Used in app, commands/factors, commands/help, commands/history and
 * emissions. Begin with zones_read(). */
#ifndef EMISSIONS_ZONES_H
#define EMISSIONS_ZONES_H

#include "base/error.h"
#include "base/near.h"

#include <stddef.h>

enum { ZONE_SIZE = 24, ZONE_NAME_SIZE = 80, REGION_SIZE = 80 };

struct zone {
    const char *code, *name;
    const char *type;     /* "country", "subdivision", ... */
    const char *alpha3;   /* of the country it belongs to; "" for an aggregate */
    const char *fallback; /* the zone whose factors replace missing ones; "" at the end of the chain */
    const char *aliases;  /* "UK;Great Britain" */
    bool share_alike;     /* has rows under share-alike/ */
    struct zone *next;    /* order of the file */
    char texts[];
};

struct zones {
    struct zone *first, *last;
    struct zone_block *blocks; /* the memory of all */
};

bool zones_read(struct zones *zones, struct error *err) MUST_CHECK;
void zones_close(struct zones *zones);

/* By code, without regard to case; NULL: not there. */
const struct zone *zones_find(const struct zones *zones, const char *code);

/* By code, alias, alpha-3 code of a country, or name. namesake gets another zone of that name, or
 * NULL: where a country and a state share one, the country is meant. */
const struct zone *zones_match(const struct zones *zones, const char *text, const struct zone **namesake);

struct cloud_region {
    char name[REGION_SIZE];    /* "aws:eu-west-3" */
    char zone[ZONE_SIZE];      /* zone in the default table */
    char grid_zone[ZONE_SIZE]; /* zone in the share-alike table */
    char location[64];
};

/* found is false if no such region exists. */
bool cloud_region_find(const char *text, struct cloud_region *region, bool *found, struct error *err) MUST_CHECK;

/* Calls for each region, "aws:eu-west-3", in this zone of the default or the
 * share-alike table. */
bool cloud_regions_in(const char *zone, void (*on_region)(const char *name, void *context), void *context,
                      struct error *err) MUST_CHECK;

/* A name as people type it, a bidding zone ("SE3") or a cloud region without its provider ("eu-west-3"). */
struct zone_alias {
    char zone[80];             /* a code, or a cloud region "aws:eu-west-3" */
    char grid_zone[ZONE_SIZE]; /* in the share-alike table; "": the zone */
    char kind[32];             /* "name de", "bidding zone", "bare region", ... */
    char notes[160];
};

bool zone_alias_find(const char *text, struct zone_alias *alias, bool *found, struct error *err) MUST_CHECK;

/* Whether a wire leads from a zone to its fallback. */
struct wire {
    bool there;
    char stand_in[ZONE_SIZE];
    char kind[24]; /* "interconnection", "same grid", "inside", "partly", "none" */
    char notes[160];
};

/* found is false for a zone that is not in wires.csv. */
bool wire_find(const char *zone, struct wire *wire, bool *found, struct error *err) MUST_CHECK;

/* What may have been meant by a zone, region or name that nothing has. */
void near_offer_zones(struct near_names *near, const struct zones *zones);
bool near_offer_cloud_regions(struct near_names *near, struct error *err) MUST_CHECK;
bool near_offer_aliases(struct near_names *near, struct error *err) MUST_CHECK;

#endif
