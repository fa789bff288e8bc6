/* SPDX-License-Identifier: MIT
 * What the figures of recorded steps of load come to, as repeated runs. */
#include "unit.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/units.h"
#include "measurement/run_series.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#define COUNT(values) (sizeof(values) / sizeof(values)[0])

static struct run_figures run_of(double duration_s, double gross_j, double idle_w)
{
    return (struct run_figures){ duration_s, gross_j, idle_w * duration_s, gross_j - idle_w * duration_s, NAN, NAN };
}

static struct run_series series_of(struct run_figures *runs, size_t count)
{
    return (struct run_series){ .name = "A", .runs = runs, .count = count, .quality = QUALITY_MEASURED };
}

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
    const struct run_series a = series_of(runs_a, REPEATS), b = series_of(runs_b, REPEATS);

    for (size_t step = 1; step + 1 < STEPS; step++) {
        const double difference_w = step_w(ladder, step + 1) - step_w(ladder, step);
        const double deviation_j = 0.01 * hypot(ladder->steps[step].energy_j, ladder->steps[step + 1].energy_j);
        struct series_verdict verdict;
        repeat(ladder, step, 0, runs_a);
        repeat(ladder, step + 1, 0, runs_b);
        verdict = series_verdict_of(&a, &b);
        ck_assert_int_eq(verdict.verdict, verdict.energy_j.difference > 0 ? VERDICT_MORE : VERDICT_LESS);
        ck_assert_double_eq_tol(verdict.power_w.difference, difference_w, 1e-9);
        ck_assert_double_eq_tol(verdict.percent, 100 * (runs_b[1].net_j / runs_a[1].net_j - 1), 1e-9);
        repeat(ladder, step, 0.01, runs_a);
        repeat(ladder, step + 1, 0.01, runs_b);
        verdict = series_verdict_of(&a, &b);
        ck_assert_double_eq_tol(verdict.power_w.difference, difference_w, 1e-9);
        if (fabs(verdict.energy_j.difference) > 3.19 * deviation_j / sqrt(REPEATS))
            ck_assert_msg(verdict.verdict == (difference_w > 0 ? VERDICT_MORE : VERDICT_LESS), "%s, step %zu", path,
                          step);
        if (fabs(verdict.energy_j.difference) < 2.77 * deviation_j / sqrt(REPEATS))
            ck_assert_msg(verdict.verdict == VERDICT_NOISE, "%s, step %zu", path, step);
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
    const struct run_series series = series_of(runs, REPEATS), one = series_of(runs, 1);
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
        const struct run_series at_half = series_of(half, REPEATS), at_full = series_of(full, REPEATS);
        struct series_verdict verdict;
        snprintf(path, sizeof path, "%s/cases/fink/rapl-vs-load/%s.csv", unit_shared(), tables[i].name);
        ladder = read_ladder(path, read_table_row, STEPS);
        repeat(&ladder, 5, 0, half);
        repeat(&ladder, 10, 0, full);
        ck_assert_double_eq_tol(series_spread(&at_half, FIGURE_NET_W).mean, tables[i].half_w - tables[i].idle_w,
                                0.0011);
        ck_assert_double_eq_tol(series_spread(&at_full, FIGURE_NET_W).mean, tables[i].full_w - tables[i].idle_w,
                                0.0011);
        /* both processors lower their clock before full load */
        verdict = series_verdict_of(&at_half, &at_full);
        ck_assert_int_eq(verdict.verdict, VERDICT_LESS);
        ck_assert_double_eq_tol(verdict.power_w.difference, tables[i].full_w - tables[i].half_w, 0.0011);
        check_neighbours(path, &ladder);
    }
}
END_TEST

UNIT_SUITE("series_recorded", recorded_ladders_have_their_net, recorded_tables_have_their_net)
