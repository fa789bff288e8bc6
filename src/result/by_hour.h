/* SPDX-License-Identifier: MIT
 * A result by the hour: the energy of each time slice at the carbon intensity of its time, instead of a factor of
 * the year. Used in app and result. Begin with by_hour_span(). */
#ifndef RESULT_BY_HOUR_H
#define RESULT_BY_HOUR_H

#include "result/report.h"

/* The time from the first counted run's start to the last one's end, CLOCK_REALTIME; false: there is none. */
bool by_hour_span(const struct report *report, uint64_t *from_ns, uint64_t *to_ns) MUST_CHECK;

/* Adds its warnings to the report's notices: from first_notice on they are all about this. */
void by_hour_notices(struct report *report);

/* Called by report_work_out once the energies are known. */
void by_hour_work_out(struct report *report);

/* Of the energies of a run or a slice of it: the sum over the domains that make up the run's gross. */
double by_hour_counted_j(const struct measurement *measurement, const struct run *run, const uint64_t *energy_uj);

/* by_hour_rows.c: the gross energy of all counted runs in each hour (or other step) of UTC, and what it
 * emitted with the PUE. They add up to the runs times what the record says of the mean one. */
struct by_hour_row {
    uint64_t from_ns, to_ns; /* CLOCK_REALTIME; without what lies before the first run or after the last */
    double gross_j;          /* 0: nothing ran */
    double kgco2eq;
};

struct by_hour_rows {
    struct by_hour_row *items;
    size_t count;
};

/* False: no counted run, or no memory. rows->items is to be freed. */
bool by_hour_rows_of(const struct report *report, uint64_t step_ns, struct by_hour_rows *rows) MUST_CHECK;

#endif
