/* SPDX-License-Identifier: MIT
 * A year of accounts that are made here, and its sum. */
#ifndef TESTS_ANNUAL_FIXTURE_H
#define TESTS_ANNUAL_FIXTURE_H

#include "base/clock.h"
#include "base/units.h"
#include "commands/report/annual.h"

#include "noticed.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

static const char basis[] =
    "{\"scope\":\"machine\",\"cpu_model\":\"CPU\",\"pue\":{\"value\":1.2,\"quality\":\"given\",\"source\":null},"
    "\"factor\":{\"kgco2eq_per_kwh\":0.05,\"quality\":\"given\",\"zone\":\"FR\",\"year\":2025,\"basis\":\"direct\"}}";

static inline uint64_t at(const char *text)
{
    uint64_t realtime_s = 0;

    ck_assert_msg(clock_of_iso_text(text, &realtime_s), "%s", text);
    return realtime_s * NS_PER_S_INT;
}

/* All at 1.2 and 0.05. */
static inline struct contribution account_with(uint64_t started_ns, double duration_s, double gross_j)
{
    return (struct contribution){
        .started_ns = (int64_t)started_ns,
        .ended_ns = (int64_t)started_ns + (int64_t)(duration_s * NS_PER_S),
        .quality = "measured",
        .complete = 1,
        .runs = 1,
        .duration_s = duration_s,
        .gross_j = gross_j,
        .net_j = gross_j / 2,
        .own_j = gross_j / 4,
        .facility_kwh = gross_j / 3.6e6 * 1.2,
        .gross_kgco2eq = gross_j / 3.6e6 * 1.2 * 0.05,
        .net_kgco2eq = gross_j / 7.2e6 * 1.2 * 0.05,
        .own_kgco2eq = gross_j / 14.4e6 * 1.2 * 0.05,
        .own_method = "profile",
        .variance_j2 = NAN,
        .gross_low_j = NAN,
        .gross_high_j = NAN,
        .market_kgco2eq = NAN,
        .td_losses_kgco2eq = NAN,
        .upstream_kgco2eq = NAN,
        .embodied_kgco2eq = NAN,
        .covered = NAN,
        .sci_units = NAN,
    };
}

struct year {
    struct annual annual;
    struct annual_sum *sum;
};

static inline struct year *open_year(int number, bool local_time)
{
    struct year *year = calloc(1, sizeof *year);
    struct error err;

    year->annual.local_time = local_time;
    year->annual.made_realtime_ns = at("2030-01-01");
    ck_assert(annual_set_year(&year->annual, number, &err) && annual_set_months(&year->annual, &err));
    year->sum = annual_sum_open(&year->annual, &err);
    ck_assert_ptr_nonnull(year->sum);
    ck_assert_msg(annual_sum_basis(year->sum, 1, basis, &err), "%s", err.what);
    return year;
}

static inline void add(struct year *year, const struct contribution *contribution)
{
    struct error err;

    ck_assert(annual_sum_contribution(year->sum, contribution, 1, false, &err));
}

static inline void finish(struct year *year)
{
    struct error err;

    ck_assert(annual_sum_finish(year->sum, &err));
    annual_notices(&year->annual);
}

static inline void close_year(struct year *year)
{
    annual_sum_close(year->sum);
    annual_close(&year->annual);
    free(year);
}

static inline bool reported(const struct annual *annual, const char *what)
{
    return notices_have(&annual->notices, what);
}

#endif
