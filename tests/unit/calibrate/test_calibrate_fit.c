/* SPDX-License-Identifier: MIT
 * The loads of a calibration, the steps that their runs make, and readings by hand. */
#include "commands/calibrate/calibrate.h"
#include "commands/calibrate/calibrate_fit.h"

#include "base/units.h"
#include "measurement/statistics.h"

#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)
#define NEAR(got, expected) ck_assert_double_eq_tol(got, expected, 1e-9)

enum { PACKAGE, DRAM, DOMAINS, LOADS = 2, RUNS = 2 };

/* Baseline, run, baseline, run ... of 4 s each: the loads in turns. */
struct bench {
    struct domain domains[DOMAINS];
    struct root root;
    struct meter meter;
    struct counting counting;
    struct window baselines[LOADS * RUNS + 1];
    struct run runs[LOADS * RUNS];
    struct measurement measurement;
    struct breakdown_meter split;
    struct calibrate_plan plan;
    struct machine_profile profile;
    struct error err;
};

static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
static struct energy_source source = { .driver = &driver };

static void set_up(struct bench *bench)
{
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_MEMORY };
    static const struct machine machine = { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 86 };

    memset(bench, 0, sizeof *bench);
    for (size_t i = 0; i < DOMAINS; i++) {
        bench->domains[i] = (struct domain){
            .component = components[i],
            .package = 0,
            .die = -1,
            .quality = QUALITY_MEASURED,
            .update_ns = 1000000,
            .low_ratio = 1,
            .high_ratio = 1,
        };
        snprintf(bench->domains[i].name, sizeof bench->domains[i].name, "%s", i == PACKAGE ? "package-0" : "dram-0");
        bench->meter.domains[i] =
            (struct meter_domain){ .domain = &bench->domains[i], .source = &source, .started = true, .moved = true };
    }
    bench->meter.domain_count = DOMAINS;
    bench->meter.machine = &machine;
    bench->meter.root = &bench->root;
    bench->measurement = (struct measurement){
        .meter = &bench->meter,
        .counting = &bench->counting,
        .baselines = bench->baselines,
        .baseline_count = LOADS * RUNS + 1,
        .runs = bench->runs,
        .run_count = LOADS * RUNS,
    };
    calibrate_plan_make(&bench->plan, 1, 1, 4);
    ck_assert_uint_eq(bench->plan.count, LOADS);
}

static void put(struct window *window, uint64_t start_s, double package_w, double dram_w)
{
    *window = (struct window){ .start_ns = start_s * S, .duration_ns = 4 * S };
    window->known[PACKAGE] = window->known[DRAM] = 1;
    window->energy_uj[PACKAGE] = (uint64_t)(package_w * 4e6);
    window->energy_uj[DRAM] = (uint64_t)(dram_w * 4e6);
}

static void put_run(struct bench *bench, size_t i, double busy, double package_w, double dram_w)
{
    struct run *run = &bench->runs[i];

    put(&run->window, 8 * i + 4, package_w, dram_w);
    run->command = i % LOADS;
    run->ended = true;
    run->usage.cpu_ns = (struct usage_value){ true, (uint64_t)(busy * 4e9), "rusage" };
}

/* Idle goes up by 1 W from one baseline to the next, 20 to 24 W, and every net stands on the two beside it. */
static void fill(struct bench *bench)
{
    set_up(bench);
    for (size_t i = 0; i <= LOADS * RUNS; i++)
        put(&bench->baselines[i], 8 * i, 20 + (double)i, 2);
    put_run(bench, 0, 1, 20.5 + 10, 2);
    put_run(bench, 1, 1, 21.5 + 8, 5);
    put_run(bench, 2, 0.5, 22.5 + 6, 2); /* got half a CPU: 12 W for a whole one */
    put_run(bench, 3, 1, 23.5 + 8, 5);
    breakdown_meter_of(&bench->meter, &bench->split);
    ck_assert(calibrate_fit(&bench->measurement, &bench->split, &bench->plan, &bench->profile, &bench->err));
}

START_TEST(steps_are_idle_and_what_a_load_adds)
{
    const struct profile_step *steps;
    struct bench bench;

    fill(&bench);
    steps = bench.profile.steps;
    ck_assert_uint_eq(bench.profile.step_count, 3);
    ck_assert_int_eq(steps[0].work, PROFILE_IDLE);
    NEAR(steps[0].w[PROFILE_PACKAGE], 22);
    NEAR(steps[0].spread_w[PROFILE_PACKAGE], student_quantile(0.975, 4) * sqrt(2.5) / sqrt(5));
    NEAR(steps[0].w[PROFILE_MEMORY], 2);
    /* 10 and 12 W for each busy CPU: 11 W × the 0.75 that they had in the mean */
    ck_assert_int_eq(steps[1].work, PROFILE_CPU);
    NEAR(steps[1].busy_cpus, 0.75);
    NEAR(steps[1].w[PROFILE_PACKAGE], 22 + 11 * 0.75);
    NEAR(steps[1].spread_w[PROFILE_PACKAGE], student_quantile(0.975, 1) * sqrt(2) * 0.75 / sqrt(2));
    NEAR(steps[1].w[PROFILE_MEMORY], 2);
    ck_assert_int_eq(steps[2].work, PROFILE_STREAM);
    NEAR(steps[2].w[PROFILE_PACKAGE], 30);
    NEAR(steps[2].spread_w[PROFILE_PACKAGE], 0);
    NEAR(steps[2].w[PROFILE_MEMORY], 5);
    ck_assert(isnan(steps[2].w[PROFILE_MACHINE]) && isnan(steps[0].w[PROFILE_GPU]));
}
END_TEST

START_TEST(what_is_not_known_is_in_no_step)
{
    struct bench bench;

    fill(&bench);
    /* a model's words are no measurement; a load that failed has no step; a run with a hole no figure */
    bench.domains[DRAM].quality = QUALITY_MODELLED;
    bench.runs[1].end.exit_status = bench.runs[3].end.exit_status = 1;
    bench.runs[2].window.unknown_ns[PACKAGE] = S;
    breakdown_meter_of(&bench.meter, &bench.split);
    ck_assert(calibrate_fit(&bench.measurement, &bench.split, &bench.plan, &bench.profile, &bench.err));
    ck_assert_uint_eq(bench.profile.step_count, 2);
    ck_assert(isnan(bench.profile.steps[1].w[PROFILE_MEMORY]));
    NEAR(bench.profile.steps[1].w[PROFILE_PACKAGE], 22 + 10 * 0.75);
    ck_assert(isnan(bench.profile.steps[1].spread_w[PROFILE_PACKAGE])); /* of one run */
}
END_TEST

static void expect_loads(unsigned cores, unsigned threads, const char *expected)
{
    static struct calibrate_plan plan;
    char names[256] = "";

    calibrate_plan_make(&plan, cores, threads, 5);
    for (size_t i = 0; i < plan.count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", plan.loads[i].name);
    ck_assert_str_eq(names, expected);
}

START_TEST(one_half_of_the_cores_all_cores_and_all_threads)
{
    expect_loads(1, 1, "cpu × 1, memory × 1");
    expect_loads(2, 2, "cpu × 1, cpu × 2, memory × 2");
    expect_loads(1, 2, "cpu × 1, cpu × 2, memory × 2");
    expect_loads(4, 8, "cpu × 1, cpu × 2, cpu × 4, cpu × 8, memory × 8");
    expect_loads(64, 128, "cpu × 1, cpu × 32, cpu × 64, cpu × 128, memory × 128");
    expect_loads(64, 4, "cpu × 1, cpu × 4, memory × 4"); /* of which carbon may use few */
}
END_TEST

START_TEST(a_reading_is_right_to_half_of_its_last_digit)
{
    struct wall_reading reading;

    ck_assert(wall_reading_of("38", &reading));
    ck_assert(reading.w == 38 && reading.spread_w == 0.5);
    ck_assert(wall_reading_of("38.20", &reading));
    NEAR(reading.w, 38.2);
    NEAR(reading.spread_w, 0.005);
    ck_assert(wall_reading_of("38W", &reading));
    ck_assert(reading.w == 38 && reading.spread_w == 0.5);
    ck_assert(wall_reading_of("1.2e3", &reading));
    ck_assert(reading.w == 1200 && reading.spread_w == 50);
    ck_assert(wall_reading_of("0.038kW", &reading));
    NEAR(reading.w, 38);
    NEAR(reading.spread_w, 0.5);
    for (const char *const *bad = (const char *const[]){ "", "-38", "0", "38J", "nan", "3.8.1", "9999999", NULL }; *bad;
         bad++)
        ck_assert_msg(!wall_reading_of(*bad, &reading), "%s", *bad);
}
END_TEST

UNIT_SUITE("calibrate_fit", steps_are_idle_and_what_a_load_adds, what_is_not_known_is_in_no_step,
           one_half_of_the_cores_all_cores_and_all_threads, a_reading_is_right_to_half_of_its_last_digit)
