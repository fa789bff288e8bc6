/* SPDX-License-Identifier: MIT
 * A result hour by hour, by the same arithmetic as its sum: within a slice energy is taken to come evenly. */
#include "result/report.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/slices.h"
#include "result/by_hour.h"

#include <stdlib.h>

enum { ROWS_MAX = 100000 };

struct laying {
    const struct report *report;
    const struct hourly *hourly;
    struct by_hour_rows *rows;
    uint64_t step_ns;
};

static void lay(const struct laying *laying, uint64_t realtime_ns, uint64_t duration_ns, double energy_j)
{
    const struct by_hour_rows *rows = laying->rows;
    const uint64_t start_ns = realtime_ns / NS_PER_MS * NS_PER_MS, end_ns = start_ns + duration_ns;
    size_t i = 0;

    if (start_ns > rows->items[0].from_ns)
        i = (size_t)(start_ns / laying->step_ns - rows->items[0].from_ns / laying->step_ns);
    if (i >= rows->count) /* the clock was set meanwhile: nothing is lost by it */
        i = rows->count - 1;
    for (uint64_t at_ns = start_ns; at_ns < end_ns && i < rows->count; i++) {
        const bool last = i + 1 == rows->count;
        const uint64_t to_ns = last ? end_ns : clock_earlier_ns(end_ns, rows->items[i].to_ns);
        const struct hourly_factor price = hourly_factor(laying->hourly, at_ns, to_ns);
        const double part_j = energy_j * (double)(to_ns - at_ns) / (double)duration_ns;

        rows->items[i].gross_j += part_j;
        rows->items[i].kgco2eq += footprint_of(part_j, laying->report->pue, price.kgco2eq_per_kwh).kgco2eq;
        at_ns = to_ns;
    }
}

static void lay_run(const struct laying *laying, const struct run *run)
{
    const struct measurement *measurement = laying->report->measurement;
    const struct slices *slices = run->slices;

    for (size_t i = 0; slices && i < slices->count; i++)
        lay(laying, slices->items[i].realtime_ns, slices->items[i].duration_ns,
            by_hour_counted_j(measurement, run, slice_energy_uj(slices, i)));
    if (!slices || !slices->count)
        lay(laying, run->window.realtime_ns, run->window.duration_ns,
            by_hour_counted_j(measurement, run, run->window.energy_uj));
}

bool by_hour_rows_of(const struct report *report, uint64_t step_ns, struct by_hour_rows *rows)
{
    const struct measurement *measurement = report->measurement;
    struct laying laying = { .report = report, .rows = rows, .step_ns = step_ns };
    struct hourly hourly;
    uint64_t from_ns, to_ns;

    *rows = (struct by_hour_rows){ .count = 0 };
    if (!by_hour_span(report, &from_ns, &to_ns) || to_ns / step_ns - from_ns / step_ns >= ROWS_MAX)
        return false;
    rows->count = (size_t)((to_ns - 1) / step_ns - from_ns / step_ns + 1);
    rows->items = calloc(rows->count, sizeof *rows->items);
    if (!rows->items)
        return false;
    for (size_t i = 0; i < rows->count; i++) {
        const uint64_t edge_ns = (from_ns / step_ns + i) * step_ns;
        rows->items[i].from_ns = edge_ns > from_ns ? edge_ns : from_ns;
        rows->items[i].to_ns = clock_earlier_ns(edge_ns + step_ns, to_ns);
    }
    hourly = hourly_of(report->by_hour.known, from_ns, to_ns, report->factor.kgco2eq_per_kwh);
    laying.hourly = &hourly;
    for (size_t i = 0; i < measurement->run_count; i++)
        if (run_is_counted(&measurement->runs[i]))
            lay_run(&laying, &measurement->runs[i]);
    return true;
}
