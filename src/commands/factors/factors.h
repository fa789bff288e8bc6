/* SPDX-License-Identifier: MIT
 * The output of `carbon factors`, and its forms. Used throughout commands/factors. Begin with factors_compare(). */
#ifndef COMMANDS_FACTORS_FACTORS_H
#define COMMANDS_FACTORS_FACTORS_H

#include "app/options/live_options.h"
#include "commands/factors/cloud_list.h"
#include "emissions/factor_table.h"
#include "emissions/zones.h"
#include "form/field.h"

#include <stdio.h>

/* A zone with one of its rows. */
struct factor_entry {
    const struct zone *zone;      /* NULL: a zone of the user's own table */
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
    struct factor_comparison *comparison; /* NULL: not requested */
    const char *single;                   /* the code of the one zone that is shown; NULL: a list of zones */
    const char *region;                   /* the requested cloud region; "" */
    int year;                             /* the latest requested year */
    enum factor_basis basis;              /* basis of a list of zones */
};

/* Figures of one kind, as a column of a comparison: their scope and publisher. Figures of the same basis and method may
 * be compared; direct and lifecycle, location-based and market-based never. */
struct factor_kind {
    const struct factor_row *row; /* the latest of them */
    char source[48];              /* its source_id without the year at its end: "UK_DESNZ" */
    size_t reference;             /* the kind that this one is compared with; itself: the first of its basis */
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

/* For machines. The CSV has the columns of grid_intensity.csv, so that an edited copy works with --factors. False: out
 * of memory, or sources.csv cannot be read; the stream is the caller's. */
bool factors_csv(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;
bool factors_json(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

/* Whether the zone of that code is this one, its country, or its fallback. zone: NULL is within none. */
bool factors_zone_within(const struct zones *zones, const struct zone *zone, const char *code);

#define CLOUDS_SCHEMA "carbon.clouds/1"
extern const struct schema clouds_schema;

/* A cloud region with its zone and the zone's factor. */
struct cloud_line {
    const struct cloud_entry *entry;
    const char *zone;             /* zone in the default table, or in the share-alike one */
    const struct factor_row *row; /* NULL: no table has one */
};

struct cloud_table {
    struct zones zones;
    struct factor_rows rows;
    struct cloud_list list;
    struct cloud_line *lines; /* the requested ones */
    size_t count;
    int year; /* the latest requested year */
    enum factor_basis basis;
};

/* `carbon factors --clouds`: the whole command. within: a zone as the user typed it, or NULL. out: standard output.
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

/* Its forms; notices are in the JSON, and printed with the table. */
bool live_table(const struct live_about *about, const struct intensities *found, FILE *out,
                struct error *err) MUST_CHECK;
bool live_csv(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err) MUST_CHECK;
bool live_json(const struct live_about *about, const struct intensities *found, const struct notices *notices,
               FILE *out, struct error *err) MUST_CHECK;

#endif
