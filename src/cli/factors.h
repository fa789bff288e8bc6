/* SPDX-License-Identifier: MIT
 * What `carbon factors` shows, and its forms. */
#ifndef CLI_FACTORS_H
#define CLI_FACTORS_H

#include "cli/options.h"
#include "emissions/live.h"
#include "emissions/table.h"
#include "emissions/zones.h"

#include <stdio.h>

/* A zone with one of its rows. */
struct factor_entry {
    const struct zone *zone;      /* NULL: a zone of the user's own */
    const struct factor_row *row; /* NULL: it has none */
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
    const char *single;      /* the code of the one zone that is shown; NULL: a list of zones */
    int year;                /* the latest one wanted */
    enum factor_basis basis; /* of a list of zones */
};

/* For people. */
bool factors_table_zones(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;
bool factors_table_single(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

/* For machines. The CSV has the columns of grid_intensity.csv, so that it may be edited and given back
 * with --factors. False: out of memory, or sources.csv cannot be read; the stream is the caller's. */
bool factors_csv(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;
bool factors_json(const struct factor_list *list, FILE *out, struct error *err) MUST_CHECK;

/* `carbon factors --live`: the whole command. Returns the exit status. */
struct command_line;
int factors_live(const struct command_line *line);
extern const struct option_spec option_live, option_from, option_to, option_offline, option_live_timeout,
    option_live_url;

/* Its forms; notices stand in the JSON and, but for the CSV, are told beside the table. */
bool live_table(const struct live_about *about, const struct intensities *found, FILE *out,
                struct error *err) MUST_CHECK;
bool live_csv(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err) MUST_CHECK;
bool live_json(const struct live_about *about, const struct intensities *found, const struct notices *notices,
               FILE *out, struct error *err) MUST_CHECK;

#endif
