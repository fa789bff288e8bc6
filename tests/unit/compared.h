/* SPDX-License-Identifier: MIT
 * How the second command of a measurement differs from the first. */
#ifndef TESTS_COMPARED_H
#define TESTS_COMPARED_H

#include "unit.h"

#include "measurement/idle.h"

/* That meter has this one domain, which counts. */
static inline void measure_one_domain(struct meter *meter, struct counting *counting, const struct domain *domain)
{
    meter->domains[0] = (struct meter_domain){ .domain = domain, .started = true, .moved = true };
    meter->domain_count = 1;
    counting->is_counted[0] = true;
    counting->counted = 1;
}

/* By the own energy of its runs, of this quality, so many of which count; 0: however many. */
static inline struct series_verdict compared(const struct measurement *measurement, enum quality quality, size_t runs)
{
    struct measurement view[2];
    struct run_series series[2];
    struct series_verdict verdict;
    static struct summary summary;

    for (size_t i = 0; i < 2; i++) {
        ck_assert(measurement_of_command(measurement, i, &view[i]));
        summarize(&view[i], &summary);
        ck_assert(measurement_series(&view[i], &summary.own_basis, "", &series[i]));
        ck_assert(!runs || series[i].count == runs);
        series[i].quality = quality;
    }
    verdict = series_verdict_of(&series[0], &series[1]);
    for (size_t i = 0; i < 2; i++) {
        series_free(&series[i]);
        measurement_close(&view[i]);
    }
    return verdict;
}

#endif
