/* SPDX-License-Identifier: MIT
 * The request of `carbon when`, its result, and its forms. Used throughout commands/when. Begin with when_read().
 *
 * when_options.c makes a job and a deadline of the command line, when_like.c a profile of a record; when_grid.c asks
 * the first service without a key that covers the zones, or reads a table; start_time.c finds the starts, when_advice.c
 * the best of all zones, and when_text.c and when_fields.c write it. Privileges are dropped before any of this. With
 * --wait, sleep_until.c sleeps on a timer of the wall clock, and carbon becomes the command by execve. */
#ifndef COMMANDS_WHEN_WHEN_H
#define COMMANDS_WHEN_WHEN_H

#include "app/options/command.h"
#include "app/options/hourly_options.h"
#include "commands/when/start_time.h"
#include "grid/intensity_file.h"

#include <stdio.h>

#define WHEN_SCHEMA "carbon.when/1"

/* The planned job. */
struct when_job {
    double duration_s, energy_j; /* energy NAN: not known */
    double pue;
    struct start_time_profile profile;
    const char *like; /* a similar earlier record, or NULL */
};

/* A possible zone of the job. */
struct when_zone {
    const char *typed;          /* NULL: the service's default, or the file's */
    struct intensities found;   /* to be closed by the caller */
    struct intensity_file file; /* valid if the intensities are from a file */
    struct live_about about;
    struct start_time shift;
    struct start_time_saving saving; /* of the best start compared with a start now, both in this zone */
};

enum { WHEN_ZONES_MAX = 8 };

struct when {
    uint64_t now_s, deadline_s;
    struct when_job job;
    struct when_zone zones[WHEN_ZONES_MAX];
    size_t count;
    size_t best;                     /* the recommended zone; 0, the first, unless there is a gain */
    uint64_t start_s;                /* the recommended start there */
    struct start_time_saving saving; /* of that start compared with a start now in the first zone; without a gain, of
                                      * the best start */
    struct notices notices;
};

static inline bool when_is_now(const struct when *when)
{
    return when->start_s == when->now_s;
}

/* The emissions of the job at an intensity; NAN if its energy is unknown. */
double when_kgco2eq(const struct when_job *job, double kgco2eq_per_kwh);

/* The end of the last intensity. */
uint64_t when_known_until_s(const struct when_zone *zone);

/* when_options.c: the options, and the job, the zones' names and the deadline from them. names holds the zones' texts,
 * freed by the caller. */
extern const struct option_spec option_when_zone, option_zones, option_duration, option_energy, option_like,
    option_until, option_wait;
bool when_read(const struct command_line *line, struct when *when, char **names, struct error *err) MUST_CHECK;

/* when_like.c: duration, energy and profile of an earlier run. */
bool when_like(const char *path, struct when_job *job, struct notices *notices, struct error *err) MUST_CHECK;

/* when_grid.c: the intensities of all zones, from a file or from services. */
bool when_grid(const struct settings *settings, struct when *when, struct error *err) MUST_CHECK;

/* when_advice.c: the best start in each zone, and the best of all. */
bool when_advise(struct when *when, struct error *err) MUST_CHECK;

/* when_answer.c, when_text.c, when_fields.c: the advice, and all details, for people; and the forms for machines. */
struct table_style;
void when_answer(const struct when *when, const struct table_style *style, FILE *out);
void when_table(const struct when *when, FILE *out);
/* "start at 2026-11-29 18:30 +0100 (in 3 h 00 min): 64 % less, 86.1 gCO2eq ± 22.1 gCO2eq". */
void when_add_verdict(const struct when *when, struct text *line);
extern const struct schema when_schema;
bool when_json(const struct when *when, FILE *out, struct error *err) MUST_CHECK;

#endif
