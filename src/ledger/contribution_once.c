/* SPDX-License-Identifier: MIT
 * When a record's runs were, as a text of its account, and what of them is in a sum already. */
#include "ledger/contribution.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/counted_machines.h"
#include "result/estimate/estimate.h"
#include "result/record_fields.h"
#include "result/window_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_CEILING = 1 << 24 };

/* A run without slices of time belongs as a whole to the time in which it started. */
static struct time_span span_within(const struct cJSON *run, uint64_t from_ns, uint64_t to_ns)
{
    const int64_t started_ns = json_time_ns(WINDOW_ITEM(run, realtime_ns));
    const double length_ns = json_number(WINDOW_ITEM(run, duration_ns)) * NS_PER_S;
    struct time_span span = { .start_ns = (uint64_t)started_ns };

    if (started_ns < 0 || !(length_ns >= 0) || length_ns >= (double)INT64_MAX / 2)
        return (struct time_span){ .start_ns = 0 };
    span.end_ns = span.start_ns + (uint64_t)(length_ns + 0.5);
    if (!json_first(FIELD_MADE(run, run_fields, record_slices)))
        return span.start_ns >= from_ns && span.start_ns < to_ns ? span : (struct time_span){ .start_ns = 0 };
    span.start_ns = span.start_ns > from_ns ? span.start_ns : from_ns;
    span.end_ns = span.end_ns < to_ns ? span.end_ns : to_ns;
    return span.end_ns > span.start_ns ? span : (struct time_span){ .start_ns = 0 };
}

/* Power is even over it. */
static void add_even(int64_t started_ns, double length_s, double energy_j, uint64_t from_ns, uint64_t to_ns,
                     struct text *text)
{
    const double length_ns = length_s * NS_PER_S;
    char number[TEXT_NUMBER_SIZE];
    struct time_span span;

    if (started_ns < 0 || !(length_ns > 0) || length_ns >= (double)INT64_MAX / 2)
        return;
    span = (struct time_span){ (uint64_t)started_ns, (uint64_t)started_ns + (uint64_t)(length_ns + 0.5) };
    span.start_ns = span.start_ns > from_ns ? span.start_ns : from_ns;
    span.end_ns = span.end_ns < to_ns ? span.end_ns : to_ns;
    if (span.end_ns > span.start_ns)
        text_add(text, "%s%" PRIu64 "+%" PRIu64 "=%s", text->length ? " " : "", span.start_ns,
                 span.end_ns - span.start_ns,
                 text_number(energy_j * (double)(span.end_ns - span.start_ns) / length_ns, number));
}

/* What Slurm has told of a job. */
static void add_reported(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns, struct text *text)
{
    const struct cJSON *slice = json_first(FIELD_MADE(record, estimate_fields, estimate_slices));

    if (!slice)
        add_even(json_time_ns(ESTIMATE_ITEM(record, started_realtime_ns)),
                 json_number(ESTIMATE_ITEM(record, hours)) * S_PER_H, json_number(ESTIMATE_ITEM(record, energy_j)),
                 from_ns, to_ns, text);
    for (; slice; slice = json_next(slice))
        add_even(json_time_ns(ESTIMATE_SLICE_ITEM(slice, started_ns)),
                 json_number(ESTIMATE_SLICE_ITEM(slice, duration_s)), json_number(ESTIMATE_SLICE_ITEM(slice, energy_j)),
                 from_ns, to_ns, text);
}

char *contribution_times(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns, struct error *err)
{
    char number[TEXT_NUMBER_SIZE];
    struct text text;
    char *times;

    text_open(&text, TIMES_CEILING);
    if (ESTIMATE_ITEM(record, job) && strcmp(json_schema(record), ESTIMATE_SCHEMA) == 0)
        add_reported(record, from_ns, to_ns, &text);
    for (const struct cJSON *run = json_first(RECORD_MADE(record, record_runs)); run; run = json_next(run)) {
        const struct time_span span = span_within(run, from_ns, to_ns);
        const double part =
            (double)(span.end_ns - span.start_ns) / (json_number(WINDOW_ITEM(run, duration_ns)) * NS_PER_S);
        if (json_truth(RUN_ITEM(run, counted)) && span.end_ns > span.start_ns)
            text_add(&text, "%s%" PRIu64 "+%" PRIu64 "=%s", text.length ? " " : "", span.start_ns,
                     span.end_ns - span.start_ns,
                     text_number(json_number(RUN_ITEM(run, summary.gross_j)) * (part < 1 ? part : 1), number));
    }
    times = text_ok(&text) ? strdup(text.data ? text.data : "") : NULL;
    text_close(&text);
    if (!times)
        error_set(err, ERROR_SYSTEM, "no memory for the times of a record");
    return times;
}

/* As parts of all of it: by their energies, or, where one is not known, by their times. */
static bool left_over(struct counted_time *time, const char *text, struct contribution_once *once)
{
    double all_j = 0, left_j = 0, all_ns = 0, left_ns = 0;
    struct contribution_pieces pieces = { .count = 0 };
    const bool good = contribution_lay_out(time) && contribution_pieces_take(time, text, &pieces);
    bool known = true;

    for (size_t i = 0; i < pieces.count; i++) {
        const double length_ns = (double)(pieces.spans[i].end_ns - pieces.spans[i].start_ns);
        all_ns += length_ns;
        left_ns += length_ns * pieces.shares[i];
        all_j += pieces.energies_j[i];
        left_j += pieces.energies_j[i] * pieces.shares[i];
        known &= pieces.energies_j[i] > 0;
    }
    once->of_time = all_ns > 0 ? left_ns / all_ns : 1;
    once->of_energy = known && all_j > 0 ? left_j / all_j : once->of_time;
    contribution_pieces_close(&pieces);
    return good;
}

/* Of a record that was measured. False: no memory. */
static bool left_of_measured(struct counted_machines *machines, const struct contribution *contribution,
                             struct contribution_once *once)
{
    struct counted_time *time;

    if (!contribution->machine || !contribution->times)
        return true;
    time = counted_times_of(&machines->times, contribution->machine);
    if (!time || (machines->with_reported &&
                  !contribution_note_node(machines, contribution, (size_t)(time - machines->times.items))))
        return false;
    return (contribution->ended_ns > contribution->started_ns &&
            counted_time_take_later(time, contribution->times, (uint64_t)contribution->ended_ns)) ||
           left_over(time, contribution->times, once);
}

bool contribution_count_once(struct counted_machines *machines, struct contribution *contribution,
                             struct contribution_once *once, struct error *err)
{
    double *const of_machine[] = { CONTRIBUTION_OF_MACHINE(contribution) };

    *once = (struct contribution_once){ .of_energy = 1, .of_time = 1 };
    if (!(contribution->reported ? contribution_left_of_reported : left_of_measured)(machines, contribution, once))
        return error_set(err, ERROR_SYSTEM, "no memory for the times of a machine");
    if (once->of_energy >= 1)
        return true;
    once->gross_j = (1 - once->of_energy) * contribution->gross_j;
    for (size_t i = 0; i < sizeof of_machine / sizeof of_machine[0]; i++)
        *of_machine[i] *= once->of_energy;
    contribution->variance_j2 *= once->of_energy * once->of_energy;
    return true;
}
