/* SPDX-License-Identifier: MIT
 * What of a machine's time is in a sum: whoever was measured on it meanwhile, its gross energy is there once. Of what
 * comes later counts the part that lies outside the time which is in already. All that adds up what a machine used by
 * several tellers does it by this: records in a report, an import or a merge, jobs and steps of Slurm, exporters. Used
 * in commands/slurm, ledger and series. Begin with counted_time_take(). */
#ifndef BASE_COUNTED_TIME_H
#define BASE_COUNTED_TIME_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct time_span {
    uint64_t start_ns, end_ns;
};

/* Of one machine; zeroed: nothing. */
struct counted_time {
    char *machine;           /* whose it is, of one of several */
    struct time_span *spans; /* sorted and disjoint */
    size_t count, room;
    /* Spans that are in but not laid out yet, as a text that the caller reads when another comes before their end: most
     * records overlap no other. */
    char *later;
    size_t later_room;
    uint64_t later_end_ns; /* 0: there are none */
};

/* shares[i]: the part of that span which is not in yet, 0 to 1, and then all are in. Those that are given together do
 * not part each other. A span without length is new. False: no memory. */
bool counted_time_take(struct counted_time *time, const struct time_span *spans, size_t count,
                       double *shares) MUST_CHECK;
/* The parts of a span that are not in yet, in order, without taking them; there is room for count + 1. */
size_t counted_time_rest(const struct counted_time *time, struct time_span span, struct time_span *rest);
/* How much of it is in already. */
uint64_t counted_time_within_ns(const struct counted_time *time, struct time_span span);
/* Adds what of a span is in another one. False: no memory. */
bool counted_time_add_within(struct counted_time *time, const struct counted_time *other,
                             struct time_span span) MUST_CHECK;
/* Whether nothing is in; then these are kept as a text. False: there is something, or no memory for it. */
bool counted_time_take_later(struct counted_time *time, const char *text, uint64_t end_ns) MUST_CHECK;
void counted_time_close(struct counted_time *time);

/* Of several machines; zeroed: nothing. */
struct counted_times {
    struct counted_time *items;
    size_t count, room;
};

/* NULL: no memory. Good until the next call. */
struct counted_time *counted_times_of(struct counted_times *times, const char *machine) MUST_CHECK;

/* No later interval begins before this time: intervals that ended before it are dropped. */
void counted_times_forget(struct counted_times *times, uint64_t before_ns);
void counted_times_close(struct counted_times *times);

#endif
