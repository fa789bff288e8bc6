/* SPDX-License-Identifier: MIT
 * What the intervals and tests promise, held against thousands of series whose truth is known: made-up windows go the
 * way of measured ones. The seeds are fixed, so that every figure is the same each time; docs/METHOD.md states them. */
#include "unit.h"

#include "base/units.h"
#include "chance.h"
#include "compared.h"
#include "measurement/idle.h"
#include "measurement/measurement.h"
#include "measurement/schedule.h"

#include <stdio.h>
#include <string.h>

#define COUNT(values) (sizeof(values) / sizeof(values)[0])

/* A command of 400 J above 20 W of idle power, in runs of 10 s. A baseline of 10 s begins and ends the series; of that
 * between two runs one half is each run's. */
#define IDLE_W 20.0
#define NET_J 400.0
#define RUN_S 10.0
#define BASELINE_S 10.0
#define HALF_S (BASELINE_S / 2)

enum { EXPERIMENTS = 10000, MAX_RUNS = 60 };

enum shape {
    SHAPE_NORMAL,
    SHAPE_SKEWED,    /* log-normal */
    SHAPE_OUTLIERS,  /* one run in twenty scatters ten times as far */
    SHAPE_DISTURBED, /* one run in twenty has something beside it that adds ten deviations */
};

enum design {
    DESIGN_HALVES,          /* each run has a baseline of its own before it and one after it */
    DESIGN_SHARED,          /* the whole baseline between two runs serves both */
    DESIGN_BASELINES_FIRST, /* all baselines, then all runs */
};

/* How a machine and a command are; deviations and drifts as shares. */
struct world {
    enum shape shape;
    enum design design;
    double run_s;          /* 0: RUN_S */
    double run_deviation;  /* of the command's own energy */
    double idle_deviation; /* of idle power, over HALF_S */
    double idle_drift;     /* of idle power, from the begin of the series to its end */
    double own_drift;      /* of the command's own energy, likewise */
};

/* A measurement of one counted domain, whose windows are made up anew for each experiment. */
struct lab {
    struct domain domain;
    struct meter meter;
    struct counting counting;
    struct window baselines[2 * MAX_RUNS];
    struct run runs[MAX_RUNS];
    struct measurement measurement;
    struct chance chance;
    double clock_s, whole_s;
};

static void set_up(struct lab *lab, uint64_t seed)
{
    memset(lab, 0, sizeof *lab);
    lab->domain = (struct domain){ .component = COMPONENT_PACKAGE,
                                   .quality = QUALITY_MEASURED,
                                   .update_ns = 1000000,
                                   .low_ratio = 1,
                                   .high_ratio = 1 };
    measure_one_domain(&lab->meter, &lab->counting, &lab->domain);
    lab->measurement = (struct measurement){
        .meter = &lab->meter, .counting = &lab->counting, .baselines = lab->baselines, .runs = lab->runs
    };
    lab->chance = chance_of(seed);
}

/* The energy of the command itself in one run. */
static double own_energy_j(struct lab *lab, const struct world *world)
{
    const double z = chance_normal(&lab->chance), log_variance = log1p(world->run_deviation * world->run_deviation);
    const bool apart = world->shape >= SHAPE_OUTLIERS && chance_uniform(&lab->chance) < 0.05;

    if (world->shape == SHAPE_SKEWED)
        return NET_J * exp(z * sqrt(log_variance) - log_variance / 2);
    if (world->shape == SHAPE_OUTLIERS && apart)
        return NET_J * (1 + 10 * world->run_deviation * z);
    return NET_J * (1 + world->run_deviation * (z + (apart ? 10 : 0)));
}

/* The next window: the idle power at its middle, with noise that evens out with its length, and the command's own. */
static void pass(struct lab *lab, const struct world *world, struct window *window, double duration_s, double own_j)
{
    const double way = (lab->clock_s + duration_s / 2) / lab->whole_s;
    const double noise = world->idle_deviation * sqrt(HALF_S / duration_s) * chance_normal(&lab->chance);
    const double energy_j =
        IDLE_W * (1 + world->idle_drift * way + noise) * duration_s + own_j * (1 + world->own_drift * (way - 0.5));

    window->start_ns = (uint64_t)llround(lab->clock_s * NS_PER_S);
    window->duration_ns = (uint64_t)llround(duration_s * NS_PER_S);
    window->energy_uj[0] = (uint64_t)llround(energy_j * UJ_PER_J);
    window->known[0] = 1;
    lab->clock_s += duration_s;
}

static void pass_baseline(struct lab *lab, const struct world *world, double duration_s)
{
    pass(lab, world, &lab->baselines[lab->measurement.baseline_count++], duration_s, 0);
}

static double run_s(const struct world *world)
{
    return world->run_s > 0 ? world->run_s : RUN_S;
}

/* Their durations scatter by 1 %. */
static void pass_run(struct lab *lab, const struct world *world, size_t command)
{
    const double own_j = own_energy_j(lab, world);
    const double duration_s = run_s(world) * (1 + 0.01 * chance_normal(&lab->chance));
    struct run *run = &lab->runs[lab->measurement.run_count++];

    run->command = command;
    run->ended = true;
    pass(lab, world, &run->window, duration_s, own_j);
}

/* One series; commands[i] is run i's, or all are of one command. */
static void make_series(struct lab *lab, const struct world *world, size_t runs, const struct step *steps)
{
    const bool before_all = world->design == DESIGN_BASELINES_FIRST;

    lab->measurement.baseline_count = lab->measurement.run_count = 0;
    lab->clock_s = 0;
    lab->whole_s = (double)runs * (run_s(world) + BASELINE_S) + BASELINE_S;
    for (size_t i = 0; i < (before_all ? runs + 1 : 1); i++)
        pass_baseline(lab, world, BASELINE_S);
    for (size_t i = 0; i < runs; i++) {
        pass_run(lab, world, steps ? steps[i].command : 0);
        if (before_all)
            continue;
        if (world->design == DESIGN_HALVES && i + 1 < runs) {
            pass_baseline(lab, world, HALF_S);
            pass_baseline(lab, world, HALF_S);
        } else {
            pass_baseline(lab, world, BASELINE_S);
        }
    }
}

struct outcome {
    double covered; /* share of the intervals of net that hold the truth */
    double bias;    /* of the mean net, as a share of the truth */
    double flagged; /* share of the series of which a run is flagged as an outlier */
};

static bool has_outlier(const struct lab *lab)
{
    const size_t runs = lab->measurement.run_count;
    double energies_j[MAX_RUNS] = { 0 };
    bool outlier[MAX_RUNS], any = false;

    for (size_t i = 0; i < runs; i++)
        energies_j[i] = j_from_uj(lab->runs[i].window.energy_uj[0]);
    ck_assert(outliers_of(energies_j, runs, outlier));
    for (size_t i = 0; i < runs; i++)
        any |= outlier[i];
    return any;
}

static struct outcome outcome_of(const struct world *world, size_t runs)
{
    static struct lab lab;
    static struct summary summary;
    struct outcome outcome = { 0, 0, 0 };

    set_up(&lab, 1 + runs);
    for (int i = 0; i < EXPERIMENTS; i++) {
        const struct interval *interval = &summary.verdict.net_j_interval;
        make_series(&lab, world, runs, NULL);
        summarize(&lab.measurement, &summary);
        outcome.covered += interval->low <= NET_J && NET_J <= interval->high;
        outcome.bias += summary.verdict.net_j.mean / NET_J - 1;
        outcome.flagged += has_outlier(&lab);
    }
    outcome.covered /= EXPERIMENTS;
    outcome.bias /= EXPERIMENTS;
    outcome.flagged /= EXPERIMENTS;
    printf("shape %d, design %d, runs of %.0f s, drift %.2f, n = %zu: ", (int)world->shape, (int)world->design,
           run_s(world), world->idle_drift, runs);
    printf("covered %.2f %%, bias %+.2f %%, flagged %.1f %%\n", 100 * outcome.covered, 100 * outcome.bias,
           100 * outcome.flagged);
    return outcome;
}

static void within(double value, double low, double high, const char *what, size_t runs)
{
    ck_assert_msg(value >= low && value <= high, "%s, %zu runs: %.4f is not within %.4f .. %.4f", what, runs, value,
                  low, high);
}

static const size_t run_counts[] = { 3, 5, 10 };

/* And one of few runs often looks like an outlier though nothing was wrong. */
START_TEST(intervals_cover_the_truth)
{
    static const double flagged[] = { 0.29, 0.21, 0.12 };
    static const struct world worlds[] = {
        { .run_deviation = 0.02, .idle_deviation = 0.01 },
        { .run_deviation = 0.02, .idle_deviation = 0.01, .idle_drift = 0.1 },
        { .run_deviation = 0.005, .idle_deviation = 0.05, .run_s = 60 },
        { .run_deviation = 0.05, .idle_deviation = 0.01, .shape = SHAPE_SKEWED },
    };
    static const char *const names[] = { "steady", "drift", "doubtful baselines", "skewed" };

    for (size_t i = 0; i < COUNT(worlds); i++)
        for (size_t j = 0; j < COUNT(run_counts); j++) {
            const struct outcome outcome = outcome_of(&worlds[i], run_counts[j]);
            within(outcome.covered, 0.94, 0.96, names[i], run_counts[j]);
            within(outcome.bias, -0.002, 0.002, names[i], run_counts[j]);
            within(outcome.flagged, flagged[j] - 0.02, flagged[j] + 0.02, names[i], run_counts[j]);
        }
}
END_TEST

/* Outliers to both sides widen the intervals: they cover more than they say. Those to one side are part of what is
 * measured: the mean is too high by theirs, here 5 % of 10 deviations of 2 %, and many runs only make that surer. */
START_TEST(outliers_widen_and_disturbances_shift)
{
    const struct world outliers = { .run_deviation = 0.02, .idle_deviation = 0.01, .shape = SHAPE_OUTLIERS };
    const struct world disturbed = { .run_deviation = 0.02, .idle_deviation = 0.01, .shape = SHAPE_DISTURBED };
    static const struct {
        size_t runs;
        double outliers_low, outliers_high, disturbed_low, disturbed_high;
    } bands[] = { { 3, 0.945, 0.96, 0.95, 0.965 }, { 5, 0.95, 0.965, 0.955, 0.97 }, { 10, 0.957, 0.972, 0.96, 0.975 } };

    for (size_t i = 0; i < COUNT(bands); i++) {
        const struct outcome wide = outcome_of(&outliers, bands[i].runs), off = outcome_of(&disturbed, bands[i].runs);
        within(wide.covered, bands[i].outliers_low, bands[i].outliers_high, "outliers", bands[i].runs);
        within(wide.bias, -0.002, 0.002, "outliers", bands[i].runs);
        within(off.covered, bands[i].disturbed_low, bands[i].disturbed_high, "disturbed", bands[i].runs);
        within(off.bias, 0.009, 0.011, "disturbed", bands[i].runs);
    }
    within(outcome_of(&disturbed, 50).covered, 0.76, 0.82, "disturbed", 50);
}
END_TEST

/* A baseline that serves two runs ties their nets together, which Student's interval takes for independent. */
START_TEST(shared_baselines_would_cover_less)
{
    static const double bands[][2] = { { 0.9, 0.92 }, { 0.865, 0.885 }, { 0.85, 0.88 } };
    const struct world world = { .run_deviation = 0.005, .idle_deviation = 0.05, .run_s = 60, .design = DESIGN_SHARED };

    for (size_t i = 0; i < COUNT(run_counts); i++)
        within(outcome_of(&world, run_counts[i]).covered, bands[i][0], bands[i][1], "shared", run_counts[i]);
}
END_TEST

/* From the middle of the last baseline to that of n runs it is (5 n + 5) s out of (20 n + 10) s; the rest is the idle
 * energy of a run, as a share of net. */
START_TEST(baselines_before_all_runs_do_not_cancel_drift)
{
    static const double bands[][2] = { { 0.885, 0.905 }, { 0.785, 0.81 }, { 0.575, 0.605 } };
    const struct world world = {
        .run_deviation = 0.02, .idle_deviation = 0.01, .idle_drift = 0.1, .design = DESIGN_BASELINES_FIRST
    };

    for (size_t i = 0; i < COUNT(run_counts); i++) {
        const double n = (double)run_counts[i], way = (5 * n + 5) / (20 * n + 10);
        const double bias = way * world.idle_drift * IDLE_W * RUN_S / NET_J;
        const struct outcome outcome = outcome_of(&world, run_counts[i]);
        within(outcome.bias, bias - 0.001, bias + 0.001, "baselines first", run_counts[i]);
        within(outcome.covered, bands[i][0], bands[i][1], "baselines first", run_counts[i]);
    }
}
END_TEST

/* A series whose nets are given by their mean and deviation. */
static struct run_series random_series(struct chance *chance, struct run_figures *runs,
                                       const struct sample_stats *net_j)
{
    for (size_t i = 0; i < net_j->count; i++) {
        const double one_j = net_j->mean + net_j->deviation * chance_normal(chance);
        runs[i] = (struct run_figures){ RUN_S, one_j + IDLE_W * RUN_S, IDLE_W * RUN_S, one_j, NAN, NAN };
    }
    return (struct run_series){ .name = "A", .runs = runs, .count = net_j->count, .quality = QUALITY_MEASURED };
}

/* How often it is told from idle. */
static double told_from_idle(const struct sample_stats *net_j)
{
    struct chance chance = chance_of(net_j->count);
    struct run_figures runs[MAX_RUNS];
    int reported = 0;

    for (int i = 0; i < EXPERIMENTS; i++) {
        const struct run_series series = random_series(&chance, runs, net_j);
        reported += net_verdict_of(&series).verdict != VERDICT_NOISE;
    }
    printf("%.2f J, deviation %.0f J, n = %zu: told from idle in %.2f %%\n", net_j->mean, net_j->deviation,
           net_j->count, 100.0 * reported / EXPERIMENTS);
    return (double)reported / EXPERIMENTS;
}

/* Four of five, a little less in the smallest series: both quantiles stand for the exact power. */
START_TEST(a_detectable_mean_is_told)
{
    static const struct {
        size_t count;
        double low, high;
    } bands[] = { { 2, 0.72, 0.75 }, { 3, 0.76, 0.79 }, { 5, 0.78, 0.82 }, { 10, 0.78, 0.82 }, { 30, 0.78, 0.82 } };

    for (size_t i = 0; i < COUNT(bands); i++) {
        struct sample_stats net_j = { 0, 10, NAN, NAN, bands[i].count };
        within(told_from_idle(&net_j), 0.045, 0.055, "nothing", net_j.count);
        net_j.mean = detectable_mean(&net_j);
        within(told_from_idle(&net_j), bands[i].low, bands[i].high, "detectable", net_j.count);
    }
}
END_TEST

/* What is asked for where a net was not told does tell it. */
START_TEST(runs_needed_are_enough)
{
    for (double mean_j = 3.8; mean_j < 20; mean_j *= 2) {
        const struct sample_stats net_j = { mean_j, 10, NAN, NAN, runs_to_tell(mean_j, 10) };
        ck_assert_uint_le(net_j.count, MAX_RUNS);
        within(told_from_idle(&net_j), 0.78, 0.87, "runs needed", net_j.count);
    }
}
END_TEST

/* How often two commands are told apart. */
static double told_apart(const struct sample_stats *a_j, const struct sample_stats *b_j, uint64_t seed)
{
    struct chance chance = chance_of(seed);
    struct run_figures runs_a[MAX_RUNS], runs_b[MAX_RUNS];
    int reported = 0;

    for (int i = 0; i < EXPERIMENTS; i++) {
        const struct run_series a = random_series(&chance, runs_a, a_j), b = random_series(&chance, runs_b, b_j);
        reported += series_verdict_of(&a, &b).verdict != VERDICT_NOISE;
    }
    printf("%.2f J apart, deviations %.0f and %.0f J, n = %zu and %zu: told apart in %.2f %%\n", b_j->mean - a_j->mean,
           a_j->deviation, b_j->deviation, a_j->count, b_j->count, 100.0 * reported / EXPERIMENTS);
    return (double)reported / EXPERIMENTS;
}

/* Welch's test claims too little with few runs of each, and a little too much where the few scatter the most. */
START_TEST(two_commands_are_told_apart_as_often_as_said)
{
    static const struct {
        size_t count_a, count_b;
        double deviation_a, deviation_b;
        double null_low, null_high, power_low, power_high;
    } pairs[] = {
        { 3, 3, 8, 8, 0.03, 0.04, 0.67, 0.70 },     { 5, 5, 8, 8, 0.039, 0.05, 0.76, 0.79 },
        { 10, 10, 8, 8, 0.045, 0.055, 0.78, 0.82 }, { 5, 5, 8, 24, 0.045, 0.058, 0.775, 0.80 },
        { 5, 10, 8, 24, 0.045, 0.055, 0.78, 0.82 }, { 10, 5, 8, 24, 0.05, 0.062, 0.775, 0.80 },
    };

    for (size_t i = 0; i < COUNT(pairs); i++) {
        const struct sample_stats a_j = { NET_J, pairs[i].deviation_a, NAN, NAN, pairs[i].count_a };
        struct sample_stats b_j = { NET_J, pairs[i].deviation_b, NAN, NAN, pairs[i].count_b };
        within(told_apart(&a_j, &b_j, 2 * i), pairs[i].null_low, pairs[i].null_high, "no difference", a_j.count);
        b_j.mean += welch_of(&a_j, &b_j).detectable;
        within(told_apart(&a_j, &b_j, 2 * i + 1), pairs[i].power_low, pairs[i].power_high, "detectable", a_j.count);
    }
}
END_TEST

enum { ORDERED_RUNS = 10, ORDERED_EXPERIMENTS = 1000 };

/* Interleaved or shuffled by the schedule; in blocks: all of the first command, then all of the second. */
static void order_runs(struct schedule *schedule, bool blocks, enum order order, uint64_t seed)
{
    struct error err;

    ck_assert(schedule_make(schedule, 2, 0, ORDERED_RUNS, order, seed, &err));
    for (size_t i = 0; blocks && i < schedule->count; i++)
        schedule->steps[i].command = i >= ORDERED_RUNS;
}

/* Two commands that are the same, in a series that drifts by 10 %. In blocks, half of the drift stands between them;
 * interleaved, what passes in one run. Idle power that drifts is taken off with a run's own baselines, whatever the
 * order; a drift of the runs' own energy is not, and widens the interval instead. */
START_TEST(interleaving_keeps_a_drift_out_of_the_difference)
{
    /* the way from one run to the next, and from the middle of one block to that of the other, in a series of 20 */
    const double next = (RUN_S + BASELINE_S) / (20 * (RUN_S + BASELINE_S) + BASELINE_S), apart = ORDERED_RUNS * next;
    const double idle = IDLE_W * RUN_S / NET_J;
    const struct {
        const char *name;
        double idle_drift, own_drift, bias; /* of net */
        bool blocks, without_baselines;
        enum order order;
        double told_low, told_high;
    } cases[] = {
        { "idle, gross, blocks", 0.1, 0, 0.1 * apart * idle, true, true, ORDER_INTERLEAVED, 0.6, 0.71 },
        { "idle, gross, interleaved", 0.1, 0, 0.1 * next * idle, false, true, ORDER_INTERLEAVED, 0.01, 0.03 },
        { "idle, net, blocks", 0.1, 0, 0, true, false, ORDER_INTERLEAVED, 0.04, 0.06 },
        { "idle, net, interleaved", 0.1, 0, 0, false, false, ORDER_INTERLEAVED, 0.04, 0.06 },
        { "own, net, blocks", 0, 0.1, 0.1 * apart, true, false, ORDER_INTERLEAVED, 0.98, 1 },
        { "own, net, interleaved", 0, 0.1, 0.1 * next, false, false, ORDER_INTERLEAVED, 0, 0.01 },
        { "own, net, shuffled", 0, 0.1, 0, false, false, ORDER_SHUFFLED, 0, 0.01 },
    };
    static struct lab lab;

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct world world = { .run_deviation = 0.02,
                                     .idle_deviation = 0.01,
                                     .idle_drift = cases[i].idle_drift,
                                     .own_drift = cases[i].own_drift };
        double bias = 0, reported = 0;
        set_up(&lab, i + 1);
        for (int j = 0; j < ORDERED_EXPERIMENTS; j++) {
            struct schedule schedule;
            struct series_verdict verdict;
            order_runs(&schedule, cases[i].blocks, cases[i].order, chance_word(&lab.chance));
            make_series(&lab, &world, schedule.count, schedule.steps);
            schedule_close(&schedule);
            if (cases[i].without_baselines)
                lab.measurement.baseline_count = 0;
            verdict = compared(&lab.measurement, QUALITY_MEASURED, ORDERED_RUNS);
            ck_assert_int_eq(verdict.compared, cases[i].without_baselines ? FIGURE_GROSS_J : FIGURE_NET_J);
            bias += verdict.energy_j.difference / NET_J / ORDERED_EXPERIMENTS;
            reported += (verdict.verdict != VERDICT_NOISE) / (double)ORDERED_EXPERIMENTS;
        }
        printf("%s: bias %+.2f %%, told apart in %.2f %%\n", cases[i].name, 100 * bias, 100 * reported);
        within(bias, cases[i].bias - 0.001, cases[i].bias + 0.001, cases[i].name, ORDERED_RUNS);
        within(reported, cases[i].told_low, cases[i].told_high, cases[i].name, ORDERED_RUNS);
    }
}
END_TEST

UNIT_SUITE("simulation", intervals_cover_the_truth, outliers_widen_and_disturbances_shift,
           shared_baselines_would_cover_less, baselines_before_all_runs_do_not_cancel_drift, a_detectable_mean_is_told,
           runs_needed_are_enough, two_commands_are_told_apart_as_often_as_said,
           interleaving_keeps_a_drift_out_of_the_difference)
