/* SPDX-License-Identifier: MIT
 * Time series read back: powers from a formula, however long the series is; and why others are refused. */
#include "unit.h"

#include "output_folder.h"

#include "result/sample_read.h"

#include <math.h>

#define HEADER "timestamp,time_s,phase,run,package-0_uj,dram-0_uj\n"
#define AT "2026-11-28T01:00:00.000Z,"

static struct sample_series *series_of(const char *text)
{
    struct sample_series *series = calloc(1, sizeof *series);
    struct error err;

    ck_assert_ptr_nonnull(series);
    put("s.csv", text);
    ck_assert_msg(sample_read("s.csv", series, &err), "%s: %s", err.what, err.why);
    return series;
}

static void release(struct sample_series *series)
{
    sample_close(series);
    free(series);
}

START_TEST(powers)
{
    struct sample_series *series;

    enter_folder();
    series = series_of(HEADER AT "1,baseline,1,0,0\n" AT "2,baseline,1,10000000,0\n" AT "2.01,run,1,10000000,0\n" AT
                                 "4.01,run,1,50000000,0\n");
    ck_assert_uint_eq(series->domain_count, 2);
    ck_assert_str_eq(series->names[0], "package-0");
    ck_assert_uint_eq(series->realtime_ns, UINT64_C(1795827600000000000));
    ck_assert_uint_eq(series->point_count, 4);
    ck_assert_double_eq_tol(sample_power_w(series, 0, 0), 10, 1e-9);
    ck_assert(isnan(sample_power_w(series, 0, 1))); /* between two windows */
    ck_assert_double_eq_tol(sample_power_w(series, 0, 2), 20, 1e-9);
    ck_assert(isnan(sample_power_w(series, 0, 3)));
    /* a domain that has never moved is unknown, not 0 */
    ck_assert(series->moved[0] && !series->moved[1]);
    ck_assert(isnan(sample_power_w(series, 1, 0)));
    ck_assert_uint_eq(series->window_count, 2);
    ck_assert_int_eq(series->windows[0].phase, SAMPLE_BASELINE);
    ck_assert(series->windows[0].start_s == 1 && series->windows[0].end_s == 2);
    ck_assert_int_eq(series->windows[1].phase, SAMPLE_RUN);
    ck_assert(series->windows[1].number == 1 && series->windows[1].end_s == 4.01);
    release(series);
    leave_folder();
}
END_TEST

static void refused(const char *text, const char *what, const char *why, const char *fix)
{
    struct sample_series *series = calloc(1, sizeof *series);
    struct error err;

    put("s.csv", text);
    ck_assert(!sample_read("s.csv", series, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, why);
    if (fix)
        ck_assert_str_eq(err.fix, fix);
    release(series);
}

/* What is known of a step is of the time that is known; old files say nothing of it. */
#define WITH_HOLES "timestamp,time_s,phase,run,package-0_uj,perf:package-0_uj,holes\n"

START_TEST(holes)
{
    static const char *const wrong[] = {
        "package-0",
        "package-0 reset",
        "package-0 reset x",
        "package-0 reset 0",
        "package-0 reset -1",
        "package-0 reset 1e300",
        "package-0 lost 1",
        "package-0 reset 1 out",
        "package-0 reset 1;",
        "package-0 reset 1; ",
        "package-0 reset 1;perf:package-0 reset 1",
    };
    struct sample_series *series;

    enter_folder();
    series = series_of(WITH_HOLES AT "1,run,1,0,0,\n" AT "3,run,1,10000000,20000000,perf:package-0 reset 0.5\n" AT
                                     "4,run,1,20000000,,package-0 failed 1 cut; perf:package-0 reset 0.5\n" AT
                                     "5,run,1,30000000,40000000,package-0 failed 1; perf:package-0 frozen 1\n");
    ck_assert_uint_eq(series->domain_count, 2);
    ck_assert_double_eq_tol(sample_power_w(series, 0, 0), 5, 1e-9);
    ck_assert(isnan(sample_power_w(series, 0, 1))); /* nothing of it is known */
    ck_assert_double_eq_tol(sample_power_w(series, 0, 2), 10, 1e-9);
    ck_assert_double_eq_tol(sample_power_w(series, 1, 0), 20 / 1.5, 1e-9);
    release(series);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, WITH_HOLES AT "1,run,1,0,0,%s\n" AT "2,run,1,1,1,\n", wrong[i]);
        refused(text, "'s.csv' line 2, column 7 (holes) is malformed", "a hole is 'DOMAIN REASON SECONDS'", NULL);
    }
    leave_folder();
}
END_TEST

/* A sensor that is read at every third sample has the mean power of the time between. */
START_TEST(a_sensor_that_is_read_seldom)
{
    struct sample_series *series;

    enter_folder();
    series = series_of(HEADER AT "0,run,1,0,0\n" AT "1,run,1,1000000,\n" AT "2,run,1,2000000,\n" AT
                                 "3,run,1,3000000,30000000\n" AT "4,run,1,4000000,\n");
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(sample_power_w(series, 1, i), 10, 1e-9);
    ck_assert(isnan(sample_power_w(series, 1, 3)));
    release(series);
    /* lost from 1 to 3 s, and found again with what it had */
    series = series_of(HEADER AT "0,run,1,0,0\n" AT "1,run,1,1000000,5000000\n" AT "2,run,1,2000000,\n" AT
                                 "3,run,1,3000000,5000000\n" AT "4,run,1,4000000,9000000\n");
    ck_assert_double_eq_tol(sample_power_w(series, 1, 0), 5, 1e-9);
    ck_assert(isnan(sample_power_w(series, 1, 1)) && isnan(sample_power_w(series, 1, 2)));
    ck_assert_double_eq_tol(sample_power_w(series, 1, 3), 4, 1e-9);
    release(series);
    leave_folder();
}
END_TEST

/* Two readings within a millisecond tell no power: the earlier one gives way. */
START_TEST(readings_that_follow_at_once)
{
    struct sample_series *series;

    enter_folder();
    series = series_of(HEADER AT "0,run,1,0,0\n" AT "1,run,1,7000000,1\n" AT "1.0005,run,1,7000000,1\n");
    ck_assert_uint_eq(series->point_count, 2);
    ck_assert_double_eq_tol(sample_power_w(series, 0, 0), 7 / 1.0005, 1e-9);
    release(series);
    leave_folder();
}
END_TEST

/* 100000 samples of 12 W and then 30 W are kept as 2000 points at most, and no joule is lost. */
START_TEST(a_long_series_is_thinned)
{
    enum { SAMPLES = 100001 };
    struct sample_series *series = calloc(1, sizeof *series);
    double energy_j = 0;
    struct error err;
    FILE *file;

    enter_folder();
    file = fopen("long.csv", "w");
    ck_assert_ptr_nonnull(file);
    fputs(HEADER, file);
    for (int i = 0; i < SAMPLES; i++)
        fprintf(file, AT "%.2f,run,1,%lld,\n", i * 0.01,
                i <= 50000 ? i * 120000LL : 50000 * 120000LL + (i - 50000) * 300000LL);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(sample_read("long.csv", series, &err));
    ck_assert_uint_eq(series->sample_count, SAMPLES);
    ck_assert_uint_le(series->point_count, SAMPLE_POINTS + 1);
    ck_assert_uint_ge(series->point_count, SAMPLE_POINTS / 2);
    ck_assert_double_eq(series->time_s[series->point_count - 1], 1000);
    for (size_t i = 0; i + 1 < series->point_count; i++) {
        const double w = sample_power_w(series, 0, i);

        ck_assert(w > 12 - 1e-6 && w < 30 + 1e-6);
        energy_j += w * (series->time_s[i + 1] - series->time_s[i]);
    }
    ck_assert_double_eq_tol(energy_j, 500 * 12 + 500 * 30, 1e-6);
    release(series);
    leave_folder();
}
END_TEST

#define GIVE "give what --samples or --json of 'carbon measure' has written"

START_TEST(what_is_no_time_series)
{
    struct sample_series *series = calloc(1, sizeof *series);
    struct error err;

    enter_folder();
    ck_assert(!sample_read("none.csv", series, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    refused("", "'s.csv' line 1, column 1 is malformed", "the file has no header row", NULL);
    refused("schema,id\n", "'s.csv' is not a time series of carbon", "it is a table of results, as --csv writes it", GIVE);
    refused("timestamp,seconds\n", "'s.csv' is not a time series of carbon", "its column 2 is not 'time_s'", GIVE);
    refused("timestamp,time_s,phase,run,package-0\n", "'s.csv' line 1, column 5 (package-0) is malformed",
            "the name of an energy ends in _uj", NULL);
    refused(HEADER, "'s.csv' holds 0 samples", "power is the energy between two samples",
            "measure again, with a shorter --interval");
    refused(HEADER AT "1,run,1,0,0\n", "'s.csv' holds 1 sample", "power is the energy between two samples",
            "measure again, with a shorter --interval");
    refused(HEADER AT "2,run,1,0,0\n" AT "1,run,1,0,0\n", "'s.csv' line 3, column 2 (time_s) is malformed",
            "it is before the line above", NULL);
    refused(HEADER AT "2,run,1,5,0\n" AT "3,run,1,4,0\n", "'s.csv' line 3, column 5 (package-0) is malformed",
            "the energy is less than before", NULL);
    refused(HEADER AT "2,run,1,5,0\n" AT "3,run,1,-4,0\n", "'s.csv' line 3, column 5 (package-0) is malformed",
            "not a whole number of microjoules", NULL);
    refused(HEADER AT "2,Run 1,1,5,0\n", "'s.csv' line 2, column 3 (phase) is malformed", "not a name of a phase",
            NULL);
    refused(HEADER AT "2,run,one,5,0\n", "'s.csv' line 2, column 4 (run) is malformed", "not a whole number", NULL);
    refused(HEADER AT "2,run,1,5,0\n" AT "3,run,1,6,0\n" AT "4,ru", "'s.csv' line 4, column 4 is malformed",
            "the header has 6 columns, this record 3",
            "where carbon was killed while it wrote the last line, remove that line");
    release(series);
    leave_folder();
}
END_TEST

/* The end of a series closes an interval of any length; one of a quarter of the others is a power yet. */
START_TEST(the_closing_interval_of_some_milliseconds_is_not_drawn)
{
    double time_s[] = { 0, 1, 2, 2.005 };
    struct sample_series series = { .time_s = time_s, .point_count = 4 };

    ck_assert(sample_is_drawn(&series, 0) && sample_is_drawn(&series, 1) && !sample_is_drawn(&series, 2));
    time_s[3] = 2.3;
    ck_assert(sample_is_drawn(&series, 2));
    series.point_count = 2;
    ck_assert(sample_is_drawn(&series, 0));
}
END_TEST

UNIT_SUITE("sample_read", powers, holes, a_sensor_that_is_read_seldom, readings_that_follow_at_once,
           a_long_series_is_thinned, what_is_no_time_series, the_closing_interval_of_some_milliseconds_is_not_drawn)
