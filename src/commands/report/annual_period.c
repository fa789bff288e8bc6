/* SPDX-License-Identifier: MIT
 * The edges of a year and of its months, of UTC or of the local time. */
#include "commands/report/annual.h"

#include "base/clock.h"
#include "base/units.h"
#include "io/local_time.h"

#include <stdlib.h>

enum { MONTHS = 12, YEAR_FIRST = 1971, YEAR_LAST = 2200 };

/* Month 12 is January of the next year. */
static uint64_t month_start_ns(bool local_time, int year, int month)
{
    char text[CLOCK_TEXT_SIZE];
    uint64_t realtime_s = 0;

    snprintf(text, sizeof text, "%04d-%02d-01T00:00%s", year + month / MONTHS, month % MONTHS + 1,
             local_time ? "" : "Z");
    if (!(local_time ? local_time_of(text, 0, &realtime_s) : clock_of_iso_text(text, &realtime_s)))
        return 0;
    return realtime_s * NS_PER_S_INT;
}

bool annual_set_year(struct annual *annual, int year, struct error *err)
{
    if (year < YEAR_FIRST || year > YEAR_LAST)
        return error_set(err, ERROR_USAGE, "no records of the year %d", year);
    annual->year = year;
    annual->from_ns = month_start_ns(annual->local_time, year, 0);
    annual->to_ns = month_start_ns(annual->local_time, year, MONTHS);
    return true;
}

/* The first and the last may be parts of months. */
bool annual_set_months(struct annual *annual, struct error *err)
{
    const int first_year = clock_year(annual->from_ns) - 1; /* a local year may have begun in the one before of UTC */
    int month = 0;

    if (annual->from_ns >= annual->to_ns) {
        error_set(err, ERROR_USAGE, "the period ends before it begins");
        return error_fix(err, "give --from a time before that of --to");
    }
    annual->period_hours = s_from_ns(annual->to_ns - annual->from_ns) / S_PER_H;
    annual->months = calloc(ANNUAL_MONTHS_MAX, sizeof *annual->months);
    if (!annual->months)
        return error_errno(err, "no memory for the months");
    while (month_start_ns(annual->local_time, first_year, month + 1) <= annual->from_ns)
        month++;
    for (uint64_t at_ns = annual->from_ns; at_ns < annual->to_ns; month++) {
        const uint64_t end_ns = month_start_ns(annual->local_time, first_year, month + 1);
        struct annual_group *group = &annual->months[annual->month_count];

        if (++annual->month_count > ANNUAL_MONTHS_MAX - 1) {
            error_set(err, ERROR_USAGE, "the period is too long");
            return error_fix(err, "--from and --to of at most ten years");
        }
        group->from_ns = at_ns;
        group->to_ns = end_ns < annual->to_ns ? end_ns : annual->to_ns;
        snprintf(group->name, sizeof group->name, "%04d-%02d", first_year + month / MONTHS, month % MONTHS + 1);
        at_ns = group->to_ns;
    }
    return true;
}
