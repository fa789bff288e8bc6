/* SPDX-License-Identifier: MIT
 * When a record's runs were, as a text of its account, and what of them is in a sum already. */
#include "ledger/account.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "base/counted_time.h"

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

struct pieces {
    struct time_span *spans;
    double *energies_j, *shares;
    size_t count;
};

static void close_pieces(struct pieces *pieces)
{
    free(pieces->spans);
    free(pieces->energies_j);
    free(pieces->shares);
}

/* False: no memory. */
static bool take_text(struct counted_time *time, const char *text, struct pieces *pieces)
{
    const size_t room = piece_count(text);
    struct piece piece;

    *pieces = (struct pieces){ .spans = calloc(room + 1, sizeof *pieces->spans) };
    pieces->energies_j = calloc(room + 1, sizeof *pieces->energies_j);
    pieces->shares = calloc(room + 1, sizeof *pieces->shares);
    if (!pieces->spans || !pieces->energies_j || !pieces->shares)
        return false;
    for (; pieces->count < room && next_piece(&text, &piece); pieces->count++) {
        pieces->spans[pieces->count] = piece.span;
        pieces->energies_j[pieces->count] = piece.gross_j;
    }
    return counted_time_take(time, pieces->spans, pieces->count, pieces->shares);
}

static bool take_what_was_left(struct counted_time *time)
{
    struct pieces pieces = { .count = 0 };
    const bool good = !time->later_end_ns || take_text(time, time->later, &pieces);

    time->later_end_ns = 0;
    close_pieces(&pieces);
    return good;
}

/* As parts of all of it: by their energies, or, where one is not known, by their times. */
static bool left_over(struct counted_time *time, const char *text, struct account_once *once)
{
    double all_j = 0, left_j = 0, all_ns = 0, left_ns = 0;
    struct pieces pieces = { .count = 0 };
    const bool good = take_what_was_left(time) && take_text(time, text, &pieces);
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
    close_pieces(&pieces);
    return good;
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
    if (time && account->ended_ns > account->started_ns &&
        counted_time_take_later(time, account->times, (uint64_t)account->ended_ns))
        return true;
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
