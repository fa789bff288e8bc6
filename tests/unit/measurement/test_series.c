/* SPDX-License-Identifier: MIT
 * What the figures of repeated runs come to, by hand and for recorded steps of load. */
#include "unit.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/units.h"
#include "measurement/series.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(values) (sizeof(values) / sizeof(values)[0])

static struct run_figures run_of(double duration_s, double gross_j, double idle_w)
{
    return (struct run_figures){ duration_s, gross_j, idle_w * duration_s, gross_j - idle_w * duration_s, NAN, NAN };
}

static struct series series_of(struct run_figures *runs, size_t count)
{
    return (struct series){ .name = "A", .runs = runs, .count = count, .quality = QUALITY_MEASURED };
}

START_TEST(powers_are_worked_out_run_by_run)
{
    struct run_figures runs[] = { { 10, 1000, 400, 600, 50, NAN }, { 20, 1000, 800, 200, 50, NAN } };
    const struct series series = series_of(runs, 2);

    ck_assert_double_eq(series_spread(&series, FIGURE_DURATION_S).mean, 15);
    ck_assert_double_eq(series_spread(&series, FIGURE_GROSS_J).mean, 1000);
    ck_assert_double_eq(series_spread(&series, FIGURE_IDLE_J).mean, 600);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_J).mean, 400);
    ck_assert_double_eq(series_spread(&series, FIGURE_GROSS_W).mean, 75);
    ck_assert_double_eq(series_spread(&series, FIGURE_IDLE_W).mean, 40);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_W).mean, 35);
    ck_assert_double_eq(series_spread(&series, FIGURE_NET_W).deviation, sqrt(2 * 25 * 25));
    ck_assert_double_eq(series_spread(&series, FIGURE_ITEMS_PER_S).mean, 3.75);
}
END_TEST

/* One unknown figure makes the spread unknown; the others stand. */
START_TEST(a_spread_is_of_all_runs_or_unknown)
{
    struct run_figures runs[] = { { 10, 1000, 400, 600, 50, NAN },
                                  { 20, 1000, NAN, NAN, NAN, NAN },
                                  { 0, 1000, 0, 1000, 5, NAN } };
    const struct series two = series_of(runs, 2), instant = series_of(runs + 2, 1), none = series_of(NULL, 0);

    ck_assert_uint_eq(series_spread(&two, FIGURE_NET_J).count, 0);
    ck_assert(isnan(series_spread(&two, FIGURE_NET_W).mean));
    ck_assert_uint_eq(series_spread(&two, FIGURE_ITEMS_PER_S).count, 0);
    ck_assert_uint_eq(series_spread(&two, FIGURE_GROSS_J).count, 2);
    ck_assert_uint_eq(series_spread(&instant, FIGURE_GROSS_W).count, 0);
    ck_assert_uint_eq(series_spread(&none, FIGURE_GROSS_J).count, 0);
}
END_TEST

START_TEST(verdicts_have_names)
{
    static const char *const names[] = { "unknown", "one-run",  "less",           "more",
                                         "noise",   "modelled", "not-measurable", "no-idle-baseline" };

    for (size_t i = 0; i < COUNT(names); i++)
        ck_assert_str_eq(verdict_name((enum verdict)i), names[i]);
}
END_TEST

/* 590, 600, 610 J: deviation 10, so 600 +- 4.3027 x 10 / sqrt(3), and (4.3027 + 1.0607) x 10 / sqrt(3) is detectable.
 */
START_TEST(net_has_an_interval_and_a_verdict)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct series series = series_of(runs, 3);
    struct net_verdict net = net_verdict_of(&series);

    ck_assert_double_eq(net.net_j.mean, 600);
    ck_assert_double_eq_tol(net.net_j_interval.low, 600 - 24.841, 0.001);
    ck_assert_double_eq_tol(net.net_j_interval.high, 600 + 24.841, 0.001);
    ck_assert_double_eq_tol(net.detectable_j, 30.965, 0.001);
    ck_assert_uint_eq(net.runs_needed, 2);
    ck_assert_int_eq(net.verdict, VERDICT_MORE);
    for (size_t i = 0; i < 3; i++)
        runs[i] = run_of(10, 990 + 10 * (double)i, 99);
    net = net_verdict_of(&series);
    ck_assert_int_eq(net.verdict, VERDICT_NOISE);
    /* a deviation of 10 J against a mean of 10 J: 10 runs, by (2.262 + 0.883) / sqrt(10) < 1 < (2.306 + 0.889) / 3 */
    ck_assert_uint_eq(net.runs_needed, 10);
    for (size_t i = 0; i < 3; i++)
        runs[i] = run_of(10, 990 + 10 * (double)i, 110);
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_LESS);
}
END_TEST

START_TEST(what_can_be_said_depends_on_the_source)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures unknown[] = { run_of(10, NAN, 40), run_of(10, 1000, 40) };
    struct series series = series_of(runs, 3), one = series_of(runs, 1), nothing = series_of(unknown, 2);
    struct net_verdict net;

    series.quality = QUALITY_MODELLED;
    net = net_verdict_of(&series);
    ck_assert_int_eq(net.verdict, VERDICT_MODELLED);
    ck_assert_double_eq_tol(net.net_j_interval.low, 600 - 24.841, 0.001);
    series.constant = true;
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_NOT_MEASURABLE);
    series.no_idle = true; /* a full machine says nothing of the source */
    ck_assert_int_eq(net_verdict_of(&series).verdict, VERDICT_NO_IDLE_BASELINE);
    ck_assert(!verdict_has_net(VERDICT_NO_IDLE_BASELINE) && !verdict_has_net(VERDICT_NOT_MEASURABLE));
    ck_assert(verdict_has_net(VERDICT_NOISE) && verdict_has_net(VERDICT_MODELLED));
    net = net_verdict_of(&one);
    ck_assert_int_eq(net.verdict, VERDICT_ONE_RUN);
    ck_assert_double_eq(net.net_j.mean, 590);
    ck_assert(isnan(net.net_j_interval.low) && isnan(net.net_j_interval.high) && isnan(net.detectable_j));
    ck_assert_uint_eq(net.runs_needed, 0);
    net = net_verdict_of(&nothing);
    ck_assert_int_eq(net.verdict, VERDICT_UNKNOWN);
    ck_assert_uint_eq(net.net_j.count, 0);
    nothing.constant = true;
    ck_assert_int_eq(net_verdict_of(&nothing).verdict, VERDICT_UNKNOWN);
}
END_TEST

/* 600 against 660 J net, 10 J of deviation each: 60 +- 2.7764 x 10 x sqrt(2 / 3), in per cent of 600. */
START_TEST(two_commands_are_compared_by_net)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1130, 40), run_of(12, 1140, 40), run_of(12, 1150, 40) };
    const struct series a = series_of(runs_a, 3), b = series_of(runs_b, 3);
    const struct comparison forth = comparison_of(&a, &b), back = comparison_of(&b, &a);

    ck_assert_int_eq(forth.compared, FIGURE_NET_J);
    ck_assert_double_eq(forth.energy_j.difference, 60);
    ck_assert_double_eq_tol(forth.energy_j.low, 60 - 22.670, 0.001);
    ck_assert_double_eq_tol(forth.energy_j.high, 60 + 22.670, 0.001);
    ck_assert_double_eq_tol(forth.percent, 10, 1e-12);
    ck_assert_double_eq_tol(forth.percent_low, 10 - 22.670 / 6, 0.001);
    ck_assert_double_eq_tol(forth.percent_high, 10 + 22.670 / 6, 0.001);
    /* (2.7764 + 0.9410) x 10 x sqrt(2 / 3) J */
    ck_assert_double_eq_tol(forth.detectable_percent, 30.353 / 6, 0.001);
    ck_assert_double_eq_tol(forth.power_w.difference, 55 - 60, 1e-12);
    ck_assert_double_eq(forth.duration_s.difference, 2);
    ck_assert_double_eq(forth.duration_s.low, 2);
    ck_assert_uint_eq(forth.runs_needed, 2);
    ck_assert_int_eq(forth.verdict, VERDICT_MORE);
    ck_assert_int_eq(back.verdict, VERDICT_LESS);
    ck_assert_double_eq_tol(back.percent, -100 * 60 / 660.0, 1e-12);
}
END_TEST

/* Own: a third of net, by this method. */
static struct series by_own(struct run_figures *runs, size_t count, enum own_method method)
{
    struct series series = series_of(runs, count);

    for (size_t i = 0; i < count; i++)
        runs[i].own_j = runs[i].net_j / 3;
    series.own_method = method;
    return series;
}

/* Only where both tell it alike, and otherwise than by net. */
START_TEST(two_commands_are_compared_by_own)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1130, 40), run_of(12, 1140, 40), run_of(12, 1150, 40) };
    struct series a = by_own(runs_a, 3, OWN_CPU_TIME), b = by_own(runs_b, 3, OWN_CPU_TIME);
    struct comparison comparison;

    a.quality = b.quality = QUALITY_MODELLED;
    a.constant = true; /* a model tells the same of a machine that is full */
    comparison = comparison_of(&a, &b);
    ck_assert_int_eq(comparison.compared, FIGURE_OWN_J);
    ck_assert_int_eq(comparison.own_method, OWN_CPU_TIME);
    ck_assert_double_eq_tol(comparison.energy_j.difference, 20, 1e-9);
    ck_assert_double_eq_tol(comparison.energy_j.low, (60 - 22.670) / 3, 0.001);
    ck_assert_double_eq_tol(comparison.power_w.difference, 55 / 3.0 - 20, 1e-9);
    ck_assert_double_eq_tol(comparison.percent, 10, 1e-9);
    ck_assert_int_eq(comparison.verdict, VERDICT_MORE);
    ck_assert_int_eq(comparison_of(&b, &a).verdict, VERDICT_LESS);
    b.count = 1;
    ck_assert_int_eq(comparison_of(&a, &b).verdict, VERDICT_ONE_RUN);
    b.count = 3;
    b.own_method = OWN_SHARE;
    comparison = comparison_of(&a, &b);
    ck_assert_int_eq(comparison.compared, FIGURE_NET_J);
    ck_assert_int_eq(comparison.own_method, OWN_UNKNOWN);
    a.own_method = b.own_method = OWN_NET;
    ck_assert_int_eq(comparison_of(&a, &b).compared, FIGURE_NET_J);
    a.own_method = b.own_method = OWN_CPU_TIME;
    runs_b[1].own_j = NAN;
    ck_assert_int_eq(comparison_of(&a, &b).compared, FIGURE_NET_J);
}
END_TEST

/* Where one of them has a run without a baseline, gross is compared. */
START_TEST(without_a_baseline_gross_is_compared)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(12, 1000, NAN), run_of(12, 1010, 40), run_of(12, 1020, 40) };
    const struct series a = series_of(runs_a, 3), b = series_of(runs_b, 3);
    const struct comparison comparison = comparison_of(&a, &b);

    ck_assert_int_eq(comparison.compared, FIGURE_GROSS_J);
    ck_assert_double_eq(comparison.energy_j.difference, 10);
    ck_assert_double_eq_tol(comparison.percent, 1, 1e-12);
    ck_assert_double_eq_tol(comparison.power_w.difference, 1010 / 12.0 - 100, 1e-12);
    ck_assert_int_eq(comparison.verdict, VERDICT_NOISE);
    /* one deviation apart */
    ck_assert_uint_eq(comparison.runs_needed, 17);
}
END_TEST

START_TEST(a_comparison_says_no_more_than_its_worse_half)
{
    struct run_figures runs_a[] = { run_of(10, 990, 40), run_of(10, 1010, 40) };
    struct run_figures runs_b[] = { run_of(10, 1990, 40), run_of(10, 2010, 40) };
    struct series a = series_of(runs_a, 2), b = series_of(runs_b, 2), one = series_of(runs_b, 1);
    const struct series none = series_of(NULL, 0);
    struct comparison comparison = comparison_of(&a, &one);

    ck_assert_int_eq(comparison.verdict, VERDICT_ONE_RUN);
    ck_assert_double_eq(comparison.energy_j.difference, 990);
    ck_assert_double_eq_tol(comparison.percent, 165, 1e-9);
    ck_assert(isnan(comparison.energy_j.low) && isnan(comparison.percent_low) && isnan(comparison.detectable_percent));
    ck_assert_uint_eq(comparison.runs_needed, 0);
    comparison = comparison_of(&none, &b);
    ck_assert_int_eq(comparison.verdict, VERDICT_UNKNOWN);
    ck_assert(isnan(comparison.energy_j.difference) && isnan(comparison.percent));
    b.quality = QUALITY_MODELLED;
    comparison = comparison_of(&a, &b);
    ck_assert_int_eq(comparison.verdict, VERDICT_MODELLED);
    ck_assert(comparison.energy_j.low > 0);
    a.constant = true;
    ck_assert_int_eq(comparison_of(&a, &b).verdict, VERDICT_NOT_MEASURABLE);
    b.no_idle = true;
    ck_assert_int_eq(comparison_of(&a, &b).verdict, VERDICT_NO_IDLE_BASELINE);
    runs_b[0].net_j = NAN; /* gross needs no baseline */
    b.quality = QUALITY_MEASURED;
    a.constant = false;
    ck_assert_int_eq(comparison_of(&a, &b).verdict, VERDICT_MORE);
}
END_TEST

/* Of a mean that is above what it may be off by: 600 +- 24.8 J; 20 +- 24.8 J is not. */
START_TEST(a_percentage_is_of_what_is_above_its_noise)
{
    struct run_figures runs[] = { run_of(10, 990, 40), run_of(10, 1000, 40), run_of(10, 1010, 40) };
    struct run_figures little[] = { run_of(10, 410, 40), run_of(10, 420, 40), run_of(10, 430, 40) };
    struct series series = series_of(runs, 3), noise = series_of(little, 3), one = series_of(runs, 1);

    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_NET_J), 100 / 600.0, 1e-12);
    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_NET_W), 100 / 60.0, 1e-12);
    ck_assert(isnan(series_per_cent(&noise, FIGURE_NET_J)) && isnan(series_per_cent(&noise, FIGURE_NET_W)));
    ck_assert_double_eq_tol(series_per_cent(&noise, FIGURE_GROSS_J), 100 / 420.0, 1e-12);
    ck_assert(isnan(comparison_of(&noise, &series).percent));
    ck_assert_double_eq_tol(comparison_of(&series, &noise).percent, -100 * 580 / 600.0, 1e-9);

    series.no_idle = true;
    ck_assert(isnan(series_per_cent(&series, FIGURE_NET_J)));
    ck_assert_double_eq_tol(series_per_cent(&series, FIGURE_GROSS_J), 0.1, 1e-12);
    series.no_idle = false;
    series.constant = true;
    ck_assert(isnan(series_per_cent(&series, FIGURE_NET_J)));

    one.net_noise_j = 589;
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_NET_J), 100 / 590.0, 1e-12);
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_NET_W), 100 / 59.0, 1e-12);
    one.net_noise_j = 590;
    ck_assert(isnan(series_per_cent(&one, FIGURE_NET_J)) && isnan(series_per_cent(&one, FIGURE_NET_W)));
    one.net_noise_j = NAN;
    ck_assert(isnan(series_per_cent(&one, FIGURE_NET_J)));
    ck_assert_double_eq_tol(series_per_cent(&one, FIGURE_DURATION_S), 10, 1e-12);
}
END_TEST

/* A share of nothing, or of less than nothing, says nothing. */
START_TEST(no_percentage_of_what_is_not_above_zero)
{
    struct run_figures runs_a[] = { run_of(10, 395, 40), run_of(10, 405, 40) };
    struct run_figures runs_b[] = { run_of(10, 990, 40), run_of(10, 1010, 40) };
    const struct series a = series_of(runs_a, 2), b = series_of(runs_b, 2);
    const struct comparison comparison = comparison_of(&a, &b);

    ck_assert_double_eq(comparison.energy_j.difference, 600);
    ck_assert_int_eq(comparison.verdict, VERDICT_MORE);
    ck_assert(isnan(comparison.percent) && isnan(comparison.percent_low) && isnan(comparison.percent_high));
    ck_assert(isnan(comparison.detectable_percent));
}
END_TEST

START_TEST(nothing_is_not_minus_nothing)
{
    struct run_figures runs_a[] = { { 10, -0.0, 0, -0.0, NAN, NAN }, { 10, -0.0, 0, -0.0, NAN, NAN } };
    struct run_figures runs_b[] = { { 10, 400, 400, 0, NAN, NAN }, { 10, 400, 400, 0, NAN, NAN } };
    const struct series a = series_of(runs_a, 2), b = series_of(runs_b, 2);
    const struct net_verdict net = net_verdict_of(&a);
    const struct comparison forth = comparison_of(&a, &b), back = comparison_of(&b, &a);

    ck_assert_int_eq(net.verdict, VERDICT_NOISE);
    ck_assert(!signbit(net.net_j.mean) && !signbit(net.net_j.min) && !signbit(net.net_j.max));
    ck_assert(!signbit(net.net_j_interval.low) && !signbit(net.net_j_interval.high));
    ck_assert_int_eq(forth.verdict, VERDICT_NOISE);
    ck_assert(!signbit(forth.energy_j.difference) && !signbit(back.energy_j.difference));
    ck_assert(!signbit(forth.energy_j.low) && !signbit(back.energy_j.low));
    ck_assert(!signbit(forth.energy_j.high) && !signbit(back.energy_j.high));
    ck_assert(!signbit(back.power_w.difference) && !signbit(back.duration_s.difference));
}
END_TEST

enum { STEPS = 11, REPEATS = 3 };

/* The steps of a recorded ladder of load, the first of them idle. */
struct ladder {
    size_t rows;
    int duration, energy; /* columns */
    uint64_t time_ns, energy_uj;
    struct {
        double duration_s, energy_j;
    } steps[STEPS];
};

/* t_ns,domain,energy_uj: each step is an opening and a closing reading. */
static bool read_trace_row(const struct csv_row *row, void *context, struct error *err)
{
    struct ladder *ladder = context;
    uint64_t time_ns, energy_uj;

    (void)err;
    if (row->line == 1)
        return true;
    time_ns = strtoull(row->fields[0], NULL, 10);
    energy_uj = strtoull(row->fields[2], NULL, 10);
    ck_assert_uint_lt(ladder->rows, 2 * STEPS);
    if (ladder->rows % 2) {
        ladder->steps[ladder->rows / 2].duration_s = s_from_ns(time_ns - ladder->time_ns);
        ladder->steps[ladder->rows / 2].energy_j = j_from_uj(energy_uj - ladder->energy_uj);
    }
    ladder->time_ns = time_ns;
    ladder->energy_uj = energy_uj;
    ladder->rows++;
    return true;
}

/* codecarbon's own table: the energy in kWh; its column of power belongs to the step before. */
static bool read_table_row(const struct csv_row *row, void *context, struct error *err)
{
    static const char *const names[] = { "duration", "rapl_energy" };
    struct ladder *ladder = context;
    int columns[2];

    if (row->line == 1) {
        if (!csv_columns(row, names, 2, columns, err))
            return false;
        ladder->duration = columns[0];
        ladder->energy = columns[1];
        return true;
    }
    ck_assert_uint_lt(ladder->rows, STEPS);
    ladder->steps[ladder->rows].duration_s = strtod(row->fields[ladder->duration], NULL);
    ladder->steps[ladder->rows].energy_j = strtod(row->fields[ladder->energy], NULL) * J_PER_KWH;
    ladder->rows++;
    return true;
}

static struct ladder read_ladder(const char *path, csv_row_function *on_row, size_t rows)
{
    struct ladder ladder = { 0 };
    struct error err;

    ck_assert_msg(csv_read(path, on_row, &ladder, &err), "%s: %s: %s", path, err.what, err.why);
    ck_assert_uint_eq(ladder.rows, rows);
    return ladder;
}

/* A step over the idle one, read REPEATS times: as it is, or 1 % less and more each time. */
static void repeat(const struct ladder *ladder, size_t step, double spread, struct run_figures *runs)
{
    const double idle_w = ladder->steps[0].energy_j / ladder->steps[0].duration_s;

    for (int i = 0; i < REPEATS; i++)
        runs[i] = run_of(ladder->steps[step].duration_s, ladder->steps[step].energy_j * (1 + spread * (i - 1)), idle_w);
}

static double step_w(const struct ladder *ladder, size_t step)
{
    return ladder->steps[step].energy_j / ladder->steps[step].duration_s;
}

/* Exact figures are told apart whatever their distance; with 1 % of deviation, by the interval of 4 degrees of freedom
 * or nearly. */
static void check_neighbours(const char *path, const struct ladder *ladder)
{
    struct run_figures runs_a[REPEATS], runs_b[REPEATS];
    const struct series a = series_of(runs_a, REPEATS), b = series_of(runs_b, REPEATS);

    for (size_t step = 1; step + 1 < STEPS; step++) {
        const double difference_w = step_w(ladder, step + 1) - step_w(ladder, step);
        const double deviation_j = 0.01 * hypot(ladder->steps[step].energy_j, ladder->steps[step + 1].energy_j);
        struct comparison comparison;
        repeat(ladder, step, 0, runs_a);
        repeat(ladder, step + 1, 0, runs_b);
        comparison = comparison_of(&a, &b);
        ck_assert_int_eq(comparison.verdict, comparison.energy_j.difference > 0 ? VERDICT_MORE : VERDICT_LESS);
        ck_assert_double_eq_tol(comparison.power_w.difference, difference_w, 1e-9);
        ck_assert_double_eq_tol(comparison.percent, 100 * (runs_b[1].net_j / runs_a[1].net_j - 1), 1e-9);
        repeat(ladder, step, 0.01, runs_a);
        repeat(ladder, step + 1, 0.01, runs_b);
        comparison = comparison_of(&a, &b);
        ck_assert_double_eq_tol(comparison.power_w.difference, difference_w, 1e-9);
        if (fabs(comparison.energy_j.difference) > 3.19 * deviation_j / sqrt(REPEATS))
            ck_assert_msg(comparison.verdict == (difference_w > 0 ? VERDICT_MORE : VERDICT_LESS), "%s, step %zu", path,
                          step);
        if (fabs(comparison.energy_j.difference) < 2.77 * deviation_j / sqrt(REPEATS))
            ck_assert_msg(comparison.verdict == VERDICT_NOISE, "%s, step %zu", path, step);
    }
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, name);

    ck_assert_msg(cJSON_IsNumber(number), "no number %s", name);
    return number->valuedouble;
}

static void check_steps(const char *path, const struct ladder *ladder, const cJSON *expected)
{
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(expected, "steps");
    const cJSON *whole = cJSON_GetObjectItemCaseSensitive(expected, "baseline_versus_workload");
    const double idle_w = number_of(cJSON_GetArrayItem(steps, 0), "mean_w");
    struct run_figures runs[REPEATS];
    const struct series series = series_of(runs, REPEATS), one = series_of(runs, 1);
    struct net_verdict net;

    ck_assert_int_eq(cJSON_GetArraySize(steps), STEPS);
    for (int step = 1; step < STEPS; step++) {
        const double net_w = number_of(cJSON_GetArrayItem(steps, step), "mean_w") - idle_w;
        repeat(ladder, (size_t)step, 0, runs);
        net = net_verdict_of(&series);
        ck_assert_msg(net.verdict == VERDICT_MORE, "%s, step %d: %s", path, step, verdict_name(net.verdict));
        ck_assert_double_eq_tol(series_spread(&series, FIGURE_NET_W).mean, net_w, 0.0011);
        ck_assert_int_eq(net_verdict_of(&one).verdict, VERDICT_ONE_RUN);
        repeat(ladder, (size_t)step, 0.01, runs);
        net = net_verdict_of(&series);
        ck_assert_double_eq_tol(net.net_j_interval.high - net.net_j.mean,
                                4.30265 / sqrt(REPEATS) * 0.01 * runs[1].gross_j, 1e-5 * runs[1].gross_j);
    }
    ck_assert_double_eq_tol(runs[1].net_j, number_of(whole, "net_uj") / UJ_PER_J, 1e-4);
}

START_TEST(recorded_ladders_have_their_net)
{
    static const char *const names[] = { "e3", "epyc8024p", "hswep", "tr1950x" };

    if (!unit_shared()) {
        puts("SKIPPED: recorded traces are not beside the source tree");
        return;
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[4096], text[16384];
        struct ladder ladder;
        cJSON *expected;
        snprintf(path, sizeof path, "%s/machines/traces/%s-load-ladder.expected.json", unit_shared(), names[i]);
        AUTO_FCLOSE FILE *in = fopen(path, "r");
        ck_assert_ptr_nonnull(in);
        text[fread(text, 1, sizeof text - 1, in)] = '\0';
        expected = cJSON_Parse(text);
        ck_assert_ptr_nonnull(expected);
        snprintf(path, sizeof path, "%s/machines/traces/%s-load-ladder.csv", unit_shared(), names[i]);
        ladder = read_ladder(path, read_trace_row, 2 * STEPS);
        check_steps(path, &ladder, expected);
        check_neighbours(path, &ladder);
        cJSON_Delete(expected);
    }
}
END_TEST

/* Net power of the last step over the first: 46.247 - 18.262 W and 165.324 - 44.384 W by the energies in kWh and the
 * durations of the file; half load is 16 threads of 32. */
START_TEST(recorded_tables_have_their_net)
{
    static const struct {
        const char *name;
        double idle_w, half_w, full_w;
    } tables[] = { { "epyc-8024p-all-cores", 18.262, 47.565, 46.247 },
                   { "threadripper-1950x-some-cores", 44.384, 174.706, 165.324 } };

    if (!unit_shared()) {
        puts("SKIPPED: recorded tables are not beside the source tree");
        return;
    }
    for (size_t i = 0; i < COUNT(tables); i++) {
        char path[4096];
        struct ladder ladder;
        struct run_figures half[REPEATS], full[REPEATS];
        const struct series at_half = series_of(half, REPEATS), at_full = series_of(full, REPEATS);
        struct comparison comparison;
        snprintf(path, sizeof path, "%s/cases/fink/rapl-vs-load/%s.csv", unit_shared(), tables[i].name);
        ladder = read_ladder(path, read_table_row, STEPS);
        repeat(&ladder, 5, 0, half);
        repeat(&ladder, 10, 0, full);
        ck_assert_double_eq_tol(series_spread(&at_half, FIGURE_NET_W).mean, tables[i].half_w - tables[i].idle_w,
                                0.0011);
        ck_assert_double_eq_tol(series_spread(&at_full, FIGURE_NET_W).mean, tables[i].full_w - tables[i].idle_w,
                                0.0011);
        /* both processors lower their clock before full load */
        comparison = comparison_of(&at_half, &at_full);
        ck_assert_int_eq(comparison.verdict, VERDICT_LESS);
        ck_assert_double_eq_tol(comparison.power_w.difference, tables[i].full_w - tables[i].half_w, 0.0011);
        check_neighbours(path, &ladder);
    }
}
END_TEST

UNIT_SUITE("series", powers_are_worked_out_run_by_run, a_spread_is_of_all_runs_or_unknown, verdicts_have_names,
           net_has_an_interval_and_a_verdict, what_can_be_said_depends_on_the_source, two_commands_are_compared_by_net,
           two_commands_are_compared_by_own, without_a_baseline_gross_is_compared,
           a_comparison_says_no_more_than_its_worse_half, a_percentage_is_of_what_is_above_its_noise,
           no_percentage_of_what_is_not_above_zero, nothing_is_not_minus_nothing, recorded_ladders_have_their_net,
           recorded_tables_have_their_net)
