/* SPDX-License-Identifier: MIT
 * The zone in which a cloud region stands: cloud_regions.csv. */
#include "base/c_locale.h"
#include "base/shipped.h"
#include "emissions/zones.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { PROVIDER, REGION, LOCATION, ZONE, GRID_ZONE, COLUMN_COUNT };

static const char *const columns[COLUMN_COUNT] = { "provider", "region", "location", "zone", "grid_zone" };

struct region {
    const char *name; /* "aws:eu-west-3" */
    const char *location, *zone, *grid_zone;
};

/* A region has a row for each year; only its first is shown. */
struct regions_reading {
    void (*on_region)(const struct region *region, void *context);
    void *context;
    int column[COLUMN_COUNT];
    char last[REGION_SIZE];
};

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct regions_reading *reading = context;
    char name[REGION_SIZE];

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, reading->column, err);
    snprintf(name, sizeof name, "%s:%s", row->fields[reading->column[PROVIDER]], row->fields[reading->column[REGION]]);
    if (strcmp(name, reading->last) == 0)
        return true;
    text_copy(reading->last, sizeof reading->last, name);
    const struct region region = {
        .name = name,
        .location = row->fields[reading->column[LOCATION]],
        .zone = row->fields[reading->column[ZONE]],
        .grid_zone = row->fields[reading->column[GRID_ZONE]],
    };
    reading->on_region(&region, reading->context);
    return true;
}

static bool read_regions(void (*on_region)(const struct region *region, void *context), void *context,
                         struct error *err)
{
    struct regions_reading reading = { .on_region = on_region, .context = context };

    return shipped_read("cloud_regions.csv", NULL, on_row, &reading, err);
}

struct cloud_search {
    const char *text;
    struct cloud_region *found_region;
    bool found;
};

static void compare_region(const struct region *region, void *context)
{
    struct cloud_search *search = context;
    struct cloud_region *found = search->found_region;

    if (search->found || c_strcasecmp(region->name, search->text) != 0)
        return;
    text_copy(found->name, sizeof found->name, region->name);
    text_copy(found->zone, sizeof found->zone, region->zone);
    text_copy(found->grid_zone, sizeof found->grid_zone, region->grid_zone);
    text_copy(found->location, sizeof found->location, region->location);
    search->found = true;
}

bool cloud_region_find(const char *text, struct cloud_region *region, bool *found, struct error *err)
{
    struct cloud_search search = { .text = text, .found_region = region };

    *found = false;
    if (!strchr(text, ':'))
        return true;
    if (!read_regions(compare_region, &search, err))
        return false;
    *found = search.found;
    return true;
}

static void offer_region(const struct region *region, void *context)
{
    near_offer(context, region->name, region->name);
}

bool near_offer_cloud_regions(struct near_names *near, struct error *err)
{
    return read_regions(offer_region, near, err);
}

struct cloud_listing {
    const char *zone;
    void (*on_region)(const char *name, void *context);
    void *context;
};

static void list_region(const struct region *region, void *context)
{
    const struct cloud_listing *listing = context;

    if (strcmp(region->zone, listing->zone) == 0 || strcmp(region->grid_zone, listing->zone) == 0)
        listing->on_region(region->name, listing->context);
}

bool cloud_regions_in(const char *zone, void (*on_region)(const char *name, void *context), void *context,
                      struct error *err)
{
    struct cloud_listing listing = { .zone = zone, .on_region = on_region, .context = context };

    return read_regions(list_region, &listing, err);
}
