/* SPDX-License-Identifier: MIT
 * What comparisons by own promise on a machine that others keep full and that has no sensor: series of two commands,
 * each of runs below a second, whose CPU times scatter and whose loads come in ticks. The seeds are fixed. */
#include "unit.h"

#include "base/units.h"
#include "chance.h"
#include "compared.h"
#include "measurement/idle.h"
#include "measurement/measurement.h"
#include "power/power_curve.h"

#include <math.h>
#include <string.h>

enum { EXPERIMENTS = 2000, RUNS = 5, CPUS = 2 };

#define CPU_S 0.3
#define TICK_S 0.01

struct lab {
    struct machine machine;
    struct power_curve curve;
    struct domain domain;
    struct meter meter;
    struct counting counting;
    struct window baselines[4 * RUNS + 2];
    struct run runs[2 * RUNS];
    struct measurement measurement;
    struct chance chance;
    double clock_s;
};

static void set_up(struct lab *lab, uint64_t seed)
{
    memset(lab, 0, sizeof *lab);
    lab->machine.cpus_online = CPUS;
    lab->curve = (struct power_curve){ .at_w = { 1, 3, NAN, NAN, NAN, 7, NAN, NAN, NAN, NAN, 9 }, .a = NAN };
    lab->domain = (struct domain){ .component = COMPONENT_PACKAGE,
                                   .quality = QUALITY_MODELLED,
                                   .low_ratio = 0.5,
                                   .high_ratio = 2,
                                   .curve = &lab->curve,
                                   .curve_factor = 1 };
    lab->meter.machine = &lab->machine;
    measure_one_domain(&lab->meter, &lab->counting, &lab->domain);
    lab->measurement = (struct measurement){
        .meter = &lab->meter, .counting = &lab->counting, .baselines = lab->baselines, .runs = lab->runs
    };
    lab->chance = chance_of(seed);
}

/* Ticks between two moments, of a load that is known. */
static uint64_t busy_ns(struct lab *lab, double busy_s)
{
    const double ticks = floor(busy_s / TICK_S + chance_uniform(&lab->chance));

    return (uint64_t)llround(ticks * TICK_S * NS_PER_S);
}

static void pass(struct lab *lab, struct window *window, double duration_s, double busy)
{
    *window = (struct window){
        .start_ns = (uint64_t)llround(lab->clock_s * NS_PER_S),
        .duration_ns = (uint64_t)llround(duration_s * NS_PER_S),
        .energy_uj = { (uint64_t)llround(curve_w(&lab->curve, busy / CPUS) * duration_s * UJ_PER_J) },
        .known = { 1 },
        .machine_busy_known = true,
        .machine_busy_ns = busy_ns(lab, busy * duration_s),
    };
    lab->clock_s += duration_s;
}

/* times: what the second command uses of the first's CPU time; others: CPUs that they want. */
static void make_series(struct lab *lab, double times, double scatter, double others)
{
    lab->measurement.baseline_count = lab->measurement.run_count = 0;
    lab->clock_s = 0;
    pass(lab, &lab->baselines[lab->measurement.baseline_count++], 0.5, fmin(others, CPUS));
    for (size_t i = 0; i < 2 * RUNS; i++) {
        struct run *run = &lab->runs[lab->measurement.run_count++];
        const double scattered = 1 + scatter * chance_normal(&lab->chance);
        const double cpu_s = CPU_S * (i % 2 ? times : 1) * fmax(scattered, 0.1);
        const double cores = fmin(1, CPUS / (1 + others)); /* a fair part of what there is */
        *run = (struct run){ .command = i % 2, .ended = true };
        run->usage.cpu_ns = (struct usage_value){ true, (uint64_t)llround(cpu_s * NS_PER_S), "cgroup" };
        pass(lab, &run->window, cpu_s / cores, fmin(others + cores, CPUS));
        pass(lab, &lab->baselines[lab->measurement.baseline_count++], 0.25, fmin(others, CPUS));
        pass(lab, &lab->baselines[lab->measurement.baseline_count++], 0.25, fmin(others, CPUS));
    }
}

/* How often the second is said to use more, and less. */
struct said {
    double more, less;
};

static struct said said_of(double times, double scatter, double others)
{
    static struct lab lab;
    struct said said = { 0, 0 };

    set_up(&lab, 17);
    for (int i = 0; i < EXPERIMENTS; i++) {
        struct series_verdict verdict;
        make_series(&lab, times, scatter, others);
        verdict = compared(&lab.measurement, QUALITY_MODELLED, 0);
        ck_assert_int_eq(verdict.own_method, OWN_CPU_TIME);
        said.more += verdict.verdict == VERDICT_MORE;
        said.less += verdict.verdict == VERDICT_LESS;
    }
    said.more /= EXPERIMENTS;
    said.less /= EXPERIMENTS;
    printf("%.2f times, scatter %.3f, others %.1f: more %.4f, less %.4f\n", times, scatter, others, said.more,
           said.less);
    return said;
}

static const double neighbours[] = { 0, 1, 2, 6 };
enum { NEIGHBOURS = sizeof neighbours / sizeof neighbours[0] };

/* One in twenty at most, as the interval says, whatever others do and however little the CPU times scatter. */
START_TEST(of_equal_commands_none_wins)
{
    static const double scatters[] = { 0.003, 0.05 };

    for (size_t i = 0; i < NEIGHBOURS; i++)
        for (size_t j = 0; j < sizeof scatters / sizeof scatters[0]; j++) {
            const struct said said = said_of(1, scatters[j], neighbours[i]);
            ck_assert_msg(said.more + said.less < 0.055, "%.4f", said.more + said.less);
        }
}
END_TEST

START_TEST(the_right_one_wins)
{
    for (size_t i = 0; i < NEIGHBOURS; i++) {
        const struct said half = said_of(0.5, 0.05, neighbours[i]), more = said_of(1.15, 0.05, neighbours[i]);
        ck_assert_msg(half.less > 0.999 && half.more == 0, "%.4f", half.less);
        ck_assert_msg(more.more > 0.95 && more.less == 0, "%.4f", more.more);
    }
}
END_TEST

UNIT_SUITE("own_chance", of_equal_commands_none_wins, the_right_one_wins)
