/* SPDX-License-Identifier: MIT
 * What `carbon factors` shows, and its forms. */
#ifndef COMMANDS_FACTORS_FACTORS_H
#define COMMANDS_FACTORS_FACTORS_H

#include "app/options/live_options.h"
#include "commands/factors/cloud_list.h"
#include "emissions/table.h"
#include "emissions/zones.h"
#include "form/field.h"

#include <stdio.h>

/* A zone with one of its rows. */
struct factor_entry {
    const struct zone *zone;      /* NULL: a zone of the user's own */
    const struct factor_row *row; /* NULL: the zone has no factor */
};

static inline const char *factor_entry_name(const struct factor_entry *entry)
{
    return entry->zone ? entry->zone->name : entry->row->zone_name;
}

struct factor_list {
    struct zones zones;
    struct factor_rows rows;
    struct factor_entry *entries;
    size_t count;
    struct factor_comparison *comparison; /* NULL: none was asked for */
    const char *single;                   /* the code of the one zone that is shown; NULL: a list of zones */
    const char *region;                   /* the cloud region that was asked for; "" */
    int year;                             /* the latest one wanted */
    enum factor_basis basis;              /* basis of a list of zones */
};

/* Figures of one kind, as a column of a comparison: what they count and who publishes them. Figures of one basis and
 * method may be held against each other; direct and lifecycle, location and market never. */
struct factor_kind {
    const struct factor_row *row; /* the latest of them */
    char source[48];              /* its source_id without the year at its end: "UK_DESNZ" */
    size_t reference;             /* the kind that this is held against; itself: it is the first of its basis */
};

enum { FACTOR_KINDS_MAX = 16 };

struct factor_comparison {
    struct factor_kind kinds[FACTOR_KINDS_MAX];
    size_t count;
};

/* Sorts the entries of a single zone into kinds. */
bool factors_compare(struct factor_list *list, struct factor_comparison *comparison, struct error *err) MUST_CHECK;
/* The figure of this kind and year; NULL: none. */
const struct factor_row *factors_compared(const struct factor_list *list, size_t kind, int year);
/* The kind of an entry. */
size_t factors_kind(const struct factor_list *list, const struct factor_row *row);

bool factors_table_comparison(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

/* "FR  France (country, FRA)" with its line end. */
void factors_title(const struct factor_list *list, FILE *out);

/* For people. */
bool factors_table_zones(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;
bool factors_table_single(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

#define FACTORS_SCHEMA "carbon.factors/1"
extern const struct schema factors_schema;

/* For machines. The CSV has the columns of grid_intensity.csv, so that it may be edited and given back
 * with --factors. False: out of memory, or sources.csv cannot be read; the stream is the caller's. */
bool factors_csv(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;
bool factors_json(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

/* Whether the zone of that code is this one, its country, or stands in for it. zone: NULL is within none. */
bool factors_zone_within(const struct zones *zones, const struct zone *zone, const char *code);

#define CLOUDS_SCHEMA "carbon.clouds/1"
extern const struct schema clouds_schema;

/* A cloud region with its zone and that one's factor. */
struct cloud_line {
    const struct cloud_entry *entry;
    const char *zone;             /* of the default table, or of the share-alike one */
    const struct factor_row *row; /* NULL: no table has any for it */
};

struct cloud_table {
    struct zones zones;
    struct factor_rows rows;
    struct cloud_list list;
    struct cloud_line *lines; /* those that are wanted */
    size_t count;
    int year; /* the latest one wanted */
    enum factor_basis basis;
};

/* `carbon factors --clouds`: the whole command. within: a zone as the user calls it, or NULL. out: standard output.
 * Returns the exit status. */
struct command_line;
int factors_clouds(const struct command_line *line, const char *within, FILE *out);
extern const struct option_spec option_clouds;

bool clouds_table(const struct cloud_table *table, FILE *out, struct error *err) MUST_CHECK;
bool clouds_csv(const struct cloud_table *table, FILE *out, struct error *err) MUST_CHECK;
bool clouds_json(const struct cloud_table *table, FILE *out, struct error *err) MUST_CHECK;

/* `carbon factors --live`: the whole command. Returns the exit status. */
int factors_live(const struct command_line *line, FILE *out);
extern const struct option_spec option_from, option_to;

#define LIVE_SCHEMA "carbon.live/1"
extern const struct schema live_schema;

/* Its forms; notices stand in the JSON and, but for the CSV, are told beside the table. */
bool live_table(const struct live_about *about, const struct intensities *found, FILE *out,
                struct error *err) MUST_CHECK;
bool live_csv(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err) MUST_CHECK;
bool live_json(const struct live_about *about, const struct intensities *found, const struct notices *notices,
               FILE *out, struct error *err) MUST_CHECK;

#endif
