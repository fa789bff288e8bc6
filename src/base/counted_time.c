/* SPDX-License-Identifier: MIT
 * Times of machines that are in a sum, and the remaining part of another one. */
#include "base/counted_time.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* This many machines without counted time are kept: most records are of the previous one. */
enum { EMPTY_MAX = 16 };

/* The first that ends behind this time, or the end of the list. */
static size_t first_behind(const struct counted_time *time, uint64_t at_ns)
{
    size_t low = 0, high = time->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (time->spans[middle].end_ns > at_ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* It becomes one with those that it meets or touches. */
static bool add_span(struct counted_time *time, struct time_span added)
{
    size_t first = added.start_ns ? first_behind(time, added.start_ns - 1) : 0, last;

    time->spans = array_room(time->spans, &time->room, time->count + 1, sizeof *time->spans);
    if (time->count == time->room)
        return false;
    for (last = first; last < time->count && time->spans[last].start_ns <= added.end_ns; last++) {
        const struct time_span *span = &time->spans[last];
        added.start_ns = span->start_ns < added.start_ns ? span->start_ns : added.start_ns;
        added.end_ns = span->end_ns > added.end_ns ? span->end_ns : added.end_ns;
    }
    memmove(time->spans + first + 1, time->spans + last, (time->count - last) * sizeof *time->spans);
    time->spans[first] = added;
    time->count += 1 + first - last;
    return true;
}

uint64_t counted_time_within_ns(const struct counted_time *time, struct time_span span)
{
    uint64_t in_ns = 0;

    for (size_t i = first_behind(time, span.start_ns); i < time->count && time->spans[i].start_ns < span.end_ns; i++) {
        const struct time_span *taken = &time->spans[i];
        const uint64_t from = taken->start_ns > span.start_ns ? taken->start_ns : span.start_ns;
        in_ns += (taken->end_ns < span.end_ns ? taken->end_ns : span.end_ns) - from;
    }
    return in_ns;
}

size_t counted_time_rest(const struct counted_time *time, struct time_span span, struct time_span *rest)
{
    size_t count = 0;

    for (size_t i = first_behind(time, span.start_ns); i < time->count && time->spans[i].start_ns < span.end_ns; i++) {
        if (time->spans[i].start_ns > span.start_ns)
            rest[count++] = (struct time_span){ span.start_ns, time->spans[i].start_ns };
        span.start_ns = time->spans[i].end_ns;
    }
    if (span.start_ns < span.end_ns)
        rest[count++] = span;
    return count;
}

bool counted_time_add_within(struct counted_time *time, const struct counted_time *other, struct time_span span)
{
    bool good = true;

    for (size_t i = first_behind(other, span.start_ns);
         i < other->count && other->spans[i].start_ns < span.end_ns && good; i++) {
        struct time_span part = other->spans[i];
        part.start_ns = part.start_ns > span.start_ns ? part.start_ns : span.start_ns;
        part.end_ns = part.end_ns < span.end_ns ? part.end_ns : span.end_ns;
        good = add_span(time, part);
    }
    return good;
}

static double new_share(const struct counted_time *time, struct time_span span)
{
    if (span.end_ns <= span.start_ns)
        return 1;
    return (double)(span.end_ns - span.start_ns - counted_time_within_ns(time, span)) /
           (double)(span.end_ns - span.start_ns);
}

bool counted_time_take(struct counted_time *time, const struct time_span *spans, size_t count, double *shares)
{
    bool good = true;

    for (size_t i = 0; i < count; i++)
        shares[i] = new_share(time, spans[i]);
    for (size_t i = 0; i < count && good; i++)
        good = spans[i].end_ns <= spans[i].start_ns || add_span(time, spans[i]);
    return good;
}

bool counted_time_take_later(struct counted_time *time, const char *text, uint64_t end_ns)
{
    const size_t size = strlen(text) + 1;

    if (time->count || time->later_end_ns)
        return false;
    time->later = array_room(time->later, &time->later_room, size, 1);
    if (time->later_room < size)
        return false;
    memcpy(time->later, text, size);
    time->later_end_ns = end_ns;
    return true;
}

void counted_time_close(struct counted_time *time)
{
    free(time->spans);
    free(time->later);
    free(time->machine);
    *time = (struct counted_time){ .spans = NULL };
}

struct counted_time *counted_times_of(struct counted_times *times, const char *machine)
{
    for (size_t i = 0; i < times->count; i++)
        if (strcmp(times->items[i].machine, machine) == 0)
            return &times->items[i];
    times->items = array_room(times->items, &times->room, times->count + 1, sizeof *times->items);
    if (times->count == times->room)
        return NULL;
    times->items[times->count] = (struct counted_time){ .machine = strdup(machine) };
    return times->items[times->count].machine ? &times->items[times->count++] : NULL;
}

static void forget(struct counted_time *time, uint64_t before_ns)
{
    size_t gone = 0;

    if (time->later_end_ns <= before_ns)
        time->later_end_ns = 0;
    while (gone < time->count && time->spans[gone].end_ns <= before_ns)
        gone++;
    if (!gone)
        return;
    time->count -= gone;
    memmove(time->spans, time->spans + gone, time->count * sizeof *time->spans);
}

void counted_times_forget(struct counted_times *times, uint64_t before_ns)
{
    for (size_t i = 0; i < times->count; i++)
        forget(&times->items[i], before_ns);
    for (size_t i = 0; i < times->count && times->count > EMPTY_MAX;) {
        if (times->items[i].count || times->items[i].later_end_ns) {
            i++;
            continue;
        }
        counted_time_close(&times->items[i]);
        times->items[i] = times->items[--times->count];
    }
}

void counted_times_close(struct counted_times *times)
{
    for (size_t i = 0; i < times->count; i++)
        counted_time_close(&times->items[i]);
    free(times->items);
    *times = (struct counted_times){ .items = NULL };
}
