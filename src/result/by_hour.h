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

/* Calculates the hourly emissions; called by report_work_out once the energies are known. */
void by_hour_work_out(struct report *report);

/* The counted energy of a run or of a slice of it: the sum over the domains of the run's gross. */
double by_hour_counted_j(const struct measurement *measurement, const struct run *run, const uint64_t *energy_uj);

/* by_hour_rows.c: the gross energy of all counted runs in each hour (or other step) of UTC, and its emissions with the
 * PUE. The rows add up to the number of runs × the record's mean. */
struct by_hour_row {
    uint64_t from_ns, to_ns; /* CLOCK_REALTIME; cut at the start of the first run and the end of the last */
    double gross_j;          /* 0: no run in this hour */
    double kgco2eq;
};

struct by_hour_rows {
    struct by_hour_row *items;
    size_t count;
};

/* False: no counted run, or no memory. The caller frees rows->items. */
bool by_hour_rows_of(const struct report *report, uint64_t step_ns, struct by_hour_rows *rows) MUST_CHECK;

#endif
