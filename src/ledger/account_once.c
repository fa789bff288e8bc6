/* SPDX-License-Identifier: MIT
 * When a record's runs were, as a text of its account, and what of them is in a sum already. */
#include "ledger/account.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "ledger/counted_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_CEILING = 1 << 24 };

/* A run without slices of time belongs as a whole to the time in which it started. */
static struct time_span span_within(const struct cJSON *run, uint64_t from_ns, uint64_t to_ns)
{
    const int64_t started_ns = json_time_of(run, "started_at");
    const double length_ns = json_number_of(run, "duration_s") * NS_PER_S;
    struct time_span span = { .start_ns = (uint64_t)started_ns };

    if (started_ns < 0 || !(length_ns >= 0) || length_ns >= (double)INT64_MAX / 2)
        return (struct time_span){ .start_ns = 0 };
    span.end_ns = span.start_ns + (uint64_t)(length_ns + 0.5);
    if (!json_first(json_member(run, "slices")))
        return span.start_ns >= from_ns && span.start_ns < to_ns ? span : (struct time_span){ .start_ns = 0 };
    span.start_ns = span.start_ns > from_ns ? span.start_ns : from_ns;
    span.end_ns = span.end_ns < to_ns ? span.end_ns : to_ns;
    return span.end_ns > span.start_ns ? span : (struct time_span){ .start_ns = 0 };
}

char *account_times(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns, struct error *err)
{
    const struct cJSON *runs = json_member(json_member(record, "windows"), "runs");
    char number[TEXT_NUMBER_SIZE];
    struct text text;
    char *times;

    text_open(&text, TIMES_CEILING);
    for (const struct cJSON *run = json_first(runs); run; run = json_next(run)) {
        const struct time_span span = span_within(run, from_ns, to_ns);
        const double part = (double)(span.end_ns - span.start_ns) / (json_number_of(run, "duration_s") * NS_PER_S);
        if (json_is_true(run, "counted") && span.end_ns > span.start_ns)
            text_add(&text, "%s%" PRIu64 "+%" PRIu64 "=%s", text.length ? " " : "", span.start_ns,
                     span.end_ns - span.start_ns,
                     text_number(json_number_of(run, "gross_j") * (part < 1 ? part : 1), number));
    }
    times = text_ok(&text) ? strdup(text.data ? text.data : "") : NULL;
    text_close(&text);
    if (!times)
        error_set(err, ERROR_SYSTEM, "no memory for the times of a record");
    return times;
}

struct piece {
    struct time_span span;
    double gross_j;
};

/* The next of a text of account_times; false: there is none, or it is damaged. */
static bool next_piece(const char **text, struct piece *piece)
{
    char *end;

    piece->span.start_ns = strtoull(*text, &end, 10);
    if (end == *text || *end != '+')
        return false;
    piece->span.end_ns = piece->span.start_ns + strtoull(end + 1, &end, 10);
    if (*end != '=')
        return false;
    piece->gross_j = c_strtod(end + 1, &end); /* "null" is 0: then the parts go by time */
    *text = end + strspn(end, "nul ");
    return true;
}

static size_t piece_count(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '=';
    return count;
}

/* As parts of all of it: by their energies, or, where one is not known, by their times. */
static bool left_over(struct counted_time *time, const char *text, struct account_once *once)
{
    const size_t room = piece_count(text);
    AUTO_FREE struct time_span *spans = calloc(room + 1, sizeof *spans);
    AUTO_FREE double *energies_j = calloc(room + 1, sizeof *energies_j);
    AUTO_FREE double *shares = calloc(room + 1, sizeof *shares);
    double all_j = 0, left_j = 0, all_ns = 0, left_ns = 0;
    bool known = true;
    struct piece piece;
    size_t count = 0;

    if (!spans || !energies_j || !shares)
        return false;
    for (; count < room && next_piece(&text, &piece); count++) {
        spans[count] = piece.span;
        energies_j[count] = piece.gross_j;
        known &= piece.gross_j > 0;
    }
    if (!counted_time_take(time, spans, count, shares))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double length_ns = (double)(spans[i].end_ns - spans[i].start_ns);
        all_ns += length_ns;
        left_ns += length_ns * shares[i];
        all_j += energies_j[i];
        left_j += energies_j[i] * shares[i];
    }
    once->of_time = all_ns > 0 ? left_ns / all_ns : 1;
    once->of_energy = known && all_j > 0 ? left_j / all_j : once->of_time;
    return true;
}

bool account_count_once(struct counted_times *times, struct account *account, struct account_once *once,
                        struct error *err)
{
    double *const of_machine[] = {
        &account->gross_j,           &account->gross_low_j,      &account->gross_high_j, &account->net_j,
        &account->facility_kwh,      &account->gross_kgco2eq,    &account->net_kgco2eq,  &account->market_kgco2eq,
        &account->td_losses_kgco2eq, &account->upstream_kgco2eq,
    };
    struct counted_time *time;

    *once = (struct account_once){ .of_energy = 1, .of_time = 1 };
    if (!account->machine || !account->times)
        return true;
    time = counted_times_of(times, account->machine);
    if (!time || !left_over(time, account->times, once))
        return error_set(err, ERROR_SYSTEM, "no memory for the times of a machine");
    if (once->of_energy >= 1)
        return true;
    once->gross_j = (1 - once->of_energy) * account->gross_j;
    for (size_t i = 0; i < sizeof of_machine / sizeof of_machine[0]; i++)
        *of_machine[i] *= once->of_energy;
    account->variance_j2 *= once->of_energy * once->of_energy;
    return true;
}
