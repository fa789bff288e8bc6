/* SPDX-License-Identifier: MIT
 * What draws how much: examples whose figures follow by hand. */
#include "commands/probe/power_breakdown.h"

#include "unit.h"

#include <math.h>

#define NEAR(got, expected) ck_assert_double_eq_tol(got, expected, 1e-9)
#define GIB 1073741824.0

static const enum quality measured[BREAKDOWN_DOMAINS] = { QUALITY_MEASURED, QUALITY_MEASURED, QUALITY_MEASURED,
                                                          QUALITY_MEASURED };

/* Round numbers in place of Student's: 3 for the interval and 1 for the power, whatever the freedom. */
static double three_and_one(double p, double freedom)
{
    ck_assert(freedom > 0);
    if (fabs(p - 0.975) < 1e-12)
        return 3;
    ck_assert_double_eq_tol(p, 0.8, 1e-12);
    return 1;
}

/* A run whose domains stand at 20 W, 4 W and 50 W; NAN: there is no such domain. */
static struct breakdown_run run(double package_w, double memory_w, double machine_w, double cpus, double bytes_per_s)
{
    return (struct breakdown_run){
        .net_w = { NAN, NAN, NAN, NAN }, /* the parts are of own */
        .own_w = { package_w, memory_w, machine_w, NAN },
        .gross_w = { package_w + 20, memory_w + 4, machine_w + 50, NAN },
        .busy_cpus = cpus,
        .bytes_per_s = bytes_per_s,
    };
}

#define LOAD(load_kind, load_threads, ...)                                                                             \
    {                                                                                                                  \
        .kind = load_kind, .threads = load_threads, .runs = (struct breakdown_run[]){ __VA_ARGS__ },                   \
        .count = sizeof((struct breakdown_run[]){ __VA_ARGS__ }) / sizeof(struct breakdown_run)                        \
    }

static double sum_of_parts(const struct breakdown_row *row)
{
    double sum_w = 0;

    for (size_t i = 0; i < POWER_PARTS; i++)
        sum_w += isnan(row->parts[i].w) ? 0 : row->parts[i].w;
    return sum_w;
}

/* Gross 51 + 12 = 63 W; net 31 + 8 = 39 W. The package's 30, 31, 32 W: deviation 1, error 1 / sqrt(3). */
START_TEST(with_a_meter_of_the_memory)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_MEMORY, 4, run(30, 8, NAN, 4, 16 * GIB), run(31, 8, NAN, 4, 16 * GIB), run(32, 8, NAN, 4, 16 * GIB)),
    };
    struct breakdown_row row;

    breakdown_rows(loads, 1, measured, three_and_one, &row);
    ck_assert_int_eq(row.kind, LOAD_MEMORY);
    ck_assert_uint_eq(row.threads, 4);
    NEAR(row.total_gross_w, 63);
    NEAR(row.busy_cpus, 4);
    NEAR(row.parts[PART_IDLE].w, 24);
    NEAR(row.parts[PART_CPU].w, 31);
    NEAR(row.parts[PART_MEMORY].w, 8);
    ck_assert(isnan(row.parts[PART_IO].w) && isnan(row.parts[PART_REST].w));
    NEAR(row.parts[PART_CPU].percent, 31 / 63.0 * 100);
    NEAR(row.parts[PART_CPU].error_w, 1 / sqrt(3));
    NEAR(row.parts[PART_CPU].freedom, 2);
    NEAR(row.parts[PART_CPU].detectable_w, 4 / sqrt(3));
    ck_assert(row.parts[PART_CPU].reported && row.parts[PART_MEMORY].reported);
    NEAR(row.parts[PART_MEMORY].error_w, 0);
    ck_assert(!row.parts[PART_CPU].assumed && !row.parts[PART_MEMORY].assumed);
    NEAR(row.j_per_gib, 0.5); /* 8 W for 16 GiB/s */
    NEAR(breakdown_spread(&loads[0], BREAKDOWN_PACKAGE, BREAKDOWN_OWN).mean, 31);
    NEAR(breakdown_spread(&loads[0], BREAKDOWN_PACKAGE, BREAKDOWN_GROSS).mean, 51);
    ck_assert_uint_eq(breakdown_spread(&loads[0], BREAKDOWN_MACHINE, BREAKDOWN_OWN).count, 0);
    ck_assert_int_eq(breakdown_largest(&row), PART_CPU);
}
END_TEST

/* Two busy CPUs draw 10 + (31 - 10) / 3 = 17 W, so that 3 of the 20 W are the memory's. The error: 1/3 of the load
 * itself, and (1/3)^2 * 1/3 of the load with four threads. */
START_TEST(without_one_by_comparison)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 4, run(30, NAN, NAN, 4, 0), run(31, NAN, NAN, 4, 0), run(32, NAN, NAN, 4, 0)),
        LOAD(LOAD_CPU, 1, run(10, NAN, NAN, 1, 0), run(10, NAN, NAN, 1, 0), run(10, NAN, NAN, 1, 0)),
        LOAD(LOAD_MEMORY, 2, run(19, NAN, NAN, 2, GIB), run(20, NAN, NAN, 2, GIB), run(21, NAN, NAN, 2, GIB)),
    };
    const double variance = 1 / 3.0 + 1 / 27.0;
    struct breakdown_row rows[3];

    breakdown_rows(loads, 3, measured, three_and_one, rows);
    NEAR(rows[0].parts[PART_CPU].w, 31);
    ck_assert(isnan(rows[0].parts[PART_MEMORY].w));
    NEAR(rows[2].parts[PART_IDLE].w, 20);
    NEAR(rows[2].parts[PART_CPU].w, 17);
    NEAR(rows[2].parts[PART_CPU].error_w, sqrt(1 / 27.0));
    NEAR(rows[2].parts[PART_MEMORY].w, 3);
    NEAR(rows[2].parts[PART_MEMORY].error_w, sqrt(variance));
    NEAR(rows[2].parts[PART_MEMORY].freedom, variance * variance / (1 / 18.0 + 1 / 1458.0));
    NEAR(rows[2].parts[PART_MEMORY].detectable_w, 4 * sqrt(variance));
    ck_assert(rows[2].parts[PART_MEMORY].reported);
    NEAR(rows[2].j_per_gib, 3);
    NEAR(rows[2].total_gross_w, 40);
    NEAR(sum_of_parts(&rows[2]), 40);
    ck_assert_int_eq(breakdown_largest(&rows[2]), PART_IDLE);
}
END_TEST

/* A memory load that draws less than computing: -1 W within an interval of 3 / sqrt(3) W. */
START_TEST(a_negative_part_stays_and_is_not_told)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 2, run(17, NAN, NAN, 2, 0), run(17, NAN, NAN, 2, 0), run(17, NAN, NAN, 2, 0)),
        LOAD(LOAD_MEMORY, 2, run(15, NAN, NAN, 2, GIB), run(16, NAN, NAN, 2, GIB), run(17, NAN, NAN, 2, GIB)),
    };
    struct breakdown_row rows[2];

    breakdown_rows(loads, 2, measured, three_and_one, rows);
    NEAR(rows[1].parts[PART_MEMORY].w, -1);
    ck_assert(!rows[1].parts[PART_MEMORY].reported);
    NEAR(rows[1].parts[PART_MEMORY].detectable_w, 4 / sqrt(3));
    ck_assert(isnan(rows[1].j_per_gib));
    NEAR(sum_of_parts(&rows[1]), 36);
}
END_TEST

/* A fifth of a CPU draws 2 of the 5 W. More CPUs than any cpu load had: the last piece of the curve goes on, and
 * through the origin where there is one point. */
START_TEST(io_less_its_cpu_time)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_DISK_WRITE, 1, run(5, NAN, NAN, 0.2, GIB / 2), run(5, NAN, NAN, 0.2, GIB / 2)),
        LOAD(LOAD_CPU, 1, run(10, NAN, NAN, 1, 0), run(10, NAN, NAN, 1, 0)),
        LOAD(LOAD_DISK_READ, 1, run(5, NAN, NAN, 0, GIB), run(5, NAN, NAN, 0, GIB)),
        LOAD(LOAD_MEMORY, 2, run(25, NAN, NAN, 2, GIB), run(25, NAN, NAN, 2, GIB)),
        LOAD(LOAD_MIXED, 2, run(26, NAN, NAN, 2.2, GIB), run(26, NAN, NAN, 2.2, GIB)),
        LOAD(LOAD_IDLE, 0, run(0.5, NAN, NAN, 0, 0), run(-0.5, NAN, NAN, 0, 0)),
    };
    struct breakdown_row rows[6];

    breakdown_rows(loads, 6, measured, three_and_one, rows);
    NEAR(rows[0].parts[PART_CPU].w, 2);
    NEAR(rows[0].parts[PART_IO].w, 3);
    NEAR(rows[0].j_per_gib, 6);
    NEAR(rows[2].parts[PART_CPU].w, 0);
    NEAR(rows[2].parts[PART_IO].w, 5);
    ck_assert(!rows[2].parts[PART_CPU].reported && rows[2].parts[PART_IO].reported);
    NEAR(rows[3].parts[PART_CPU].w, 20);
    NEAR(rows[3].parts[PART_MEMORY].w, 5);
    NEAR(rows[4].parts[PART_CPU].w, 22);
    NEAR(rows[4].parts[PART_REST].w, 4); /* memory and I/O together */
    ck_assert(isnan(rows[4].parts[PART_MEMORY].w) && isnan(rows[4].parts[PART_IO].w));
    NEAR(rows[5].parts[PART_REST].w, 0);
    ck_assert(!rows[5].parts[PART_REST].reported && isnan(rows[5].parts[PART_CPU].w));
}
END_TEST

/* 50 W at the plug: 31 of the package, 2 of the memory, 17 of supply, fans and board. The disk: 14 - 1 W of memory,
 * less half a CPU of the curve of what is not memory, (50 - 2) / 4 / 2 = 6 W. */
START_TEST(with_a_meter_of_the_machine)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 4, run(31, 2, 50, 4, 0), run(31, 2, 50, 4, 0)),
        LOAD(LOAD_DISK_READ, 1, run(6, 1, 14, 0.5, GIB), run(6, 1, 14, 0.5, GIB)),
    };
    struct breakdown_row rows[2];

    breakdown_rows(loads, 2, measured, three_and_one, rows);
    NEAR(rows[0].total_gross_w, 100);
    NEAR(rows[0].parts[PART_IDLE].w, 50);
    NEAR(rows[0].parts[PART_CPU].w, 31);
    NEAR(rows[0].parts[PART_MEMORY].w, 2);
    NEAR(rows[0].parts[PART_REST].w, 17);
    NEAR(rows[0].parts[PART_REST].percent, 17);
    for (size_t i = 0; i < POWER_PARTS; i++)
        ck_assert(!rows[0].parts[i].assumed);
    NEAR(rows[1].parts[PART_MEMORY].w, 1);
    NEAR(rows[1].parts[PART_CPU].w, 6);
    NEAR(rows[1].parts[PART_IO].w, 7);
    for (int i = 0; i < 2; i++)
        NEAR(sum_of_parts(&rows[i]), rows[i].total_gross_w);
}
END_TEST

/* Without a meter of the machine they are a part of the whole of their own: 15 W standing there, 6 W more. */
START_TEST(with_graphics_cards)
{
    struct breakdown_run runs[] = { run(31, 2, NAN, 4, 0), run(31, 2, NAN, 4, 0) };
    const struct breakdown_load load = { .kind = LOAD_MIXED, .threads = 4, .runs = runs, .count = 2 };
    struct breakdown_row row;

    for (size_t i = 0; i < 2; i++) {
        runs[i].own_w[BREAKDOWN_GPU] = 6;
        runs[i].gross_w[BREAKDOWN_GPU] = 21;
    }
    breakdown_rows(&load, 1, measured, three_and_one, &row);
    NEAR(row.total_gross_w, 51 + 6 + 21);
    NEAR(row.parts[PART_IDLE].w, 20 + 4 + 15);
    NEAR(row.parts[PART_CPU].w, 31);
    NEAR(row.parts[PART_REST].w, 6);
    NEAR(sum_of_parts(&row), row.total_gross_w);
    runs[0].own_w[BREAKDOWN_MACHINE] = runs[1].own_w[BREAKDOWN_MACHINE] = 50;
    runs[0].gross_w[BREAKDOWN_MACHINE] = runs[1].gross_w[BREAKDOWN_MACHINE] = 100;
    breakdown_rows(&load, 1, measured, three_and_one, &row);
    NEAR(row.total_gross_w, 100);
    NEAR(row.parts[PART_REST].w, 50 - 31 - 2);
}
END_TEST

/* The model gives a busy CPU the same watts whatever it does, and memory always the same: both parts are what it
 * takes for granted. */
START_TEST(a_model_assumes)
{
    const enum quality modelled[BREAKDOWN_DOMAINS] = { QUALITY_MODELLED, QUALITY_MODELLED, QUALITY_UNKNOWN };
    const enum quality beside[BREAKDOWN_DOMAINS] = { QUALITY_MODELLED, QUALITY_MODELLED, QUALITY_MEASURED };
    struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 2, run(20, 0, NAN, 2, 0), run(20, 0, NAN, 2, 0)),
        LOAD(LOAD_MEMORY, 2, run(20, 0, NAN, 2, GIB), run(20, 0, NAN, 2, GIB)),
    };
    struct breakdown_load at_the_plug[] = {
        LOAD(LOAD_CPU, 2, run(20, 0, 30, 2, 0), run(20, 0, 30, 2, 0)),
        LOAD(LOAD_MEMORY, 2, run(20, 0, 34, 2, GIB), run(20, 0, 34, 2, GIB)),
    };
    struct breakdown_row rows[2];

    breakdown_rows(loads, 2, modelled, three_and_one, rows);
    NEAR(rows[1].parts[PART_CPU].w, 20);
    NEAR(rows[1].parts[PART_MEMORY].w, 0);
    ck_assert(rows[1].parts[PART_CPU].assumed && rows[1].parts[PART_MEMORY].assumed &&
              rows[1].parts[PART_IDLE].assumed);
    ck_assert(!rows[1].parts[PART_MEMORY].reported);
    NEAR(rows[1].total_gross_w, 44);
    breakdown_rows(at_the_plug, 2, beside, three_and_one, rows);
    NEAR(rows[1].parts[PART_CPU].w, 30);
    NEAR(rows[1].parts[PART_MEMORY].w, 4);
    ck_assert(!rows[1].parts[PART_CPU].assumed && !rows[1].parts[PART_MEMORY].assumed);
}
END_TEST

/* Whatever takes in what a model says is assumed: of a modelled machine all but what is measured apart. */
START_TEST(a_modelled_machine_assumes_the_rest)
{
    const enum quality machine[BREAKDOWN_DOMAINS] = { QUALITY_MEASURED, QUALITY_MEASURED, QUALITY_MODELLED };
    const enum quality package[BREAKDOWN_DOMAINS] = { QUALITY_MODELLED, QUALITY_MEASURED, QUALITY_MEASURED };
    const struct breakdown_load load = LOAD(LOAD_CPU, 2, run(20, 5, 30, 2, 0), run(20, 5, 30, 2, 0));
    const struct breakdown_load alone = LOAD(LOAD_CPU, 2, run(20, NAN, NAN, 2, 0), run(20, NAN, NAN, 2, 0));
    struct breakdown_row row;

    breakdown_rows(&load, 1, machine, three_and_one, &row);
    ck_assert(row.parts[PART_IDLE].assumed && row.parts[PART_CPU].assumed && row.parts[PART_REST].assumed);
    ck_assert(!row.parts[PART_MEMORY].assumed && !row.parts[PART_IO].assumed);
    breakdown_rows(&load, 1, package, three_and_one, &row);
    ck_assert(!row.parts[PART_IDLE].assumed && row.parts[PART_CPU].assumed && row.parts[PART_REST].assumed);
    breakdown_rows(&alone, 1, machine, three_and_one, &row); /* that machine was not known in any run */
    ck_assert(!row.parts[PART_CPU].assumed);
}
END_TEST

/* Just as many CPUs as a cpu load had busy: the other end of the curve, of one run, takes no part in it. */
START_TEST(at_a_point_of_the_curve)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 1, run(10, NAN, NAN, 1, 0)),
        LOAD(LOAD_CPU, 4, run(30, NAN, NAN, 4, 0), run(32, NAN, NAN, 4, 0)),
        LOAD(LOAD_CPU, 8, run(50, NAN, NAN, 8, 0)),
        LOAD(LOAD_MIXED, 4, run(40, NAN, NAN, 4, 0), run(40, NAN, NAN, 4, 0)),
        LOAD(LOAD_MIXED, 6, run(60, NAN, NAN, 6, 0), run(60, NAN, NAN, 6, 0)),
    };
    struct breakdown_row rows[5];

    breakdown_rows(loads, 5, measured, three_and_one, rows);
    NEAR(rows[3].parts[PART_CPU].w, 31);
    NEAR(rows[3].parts[PART_CPU].error_w, 1); /* sqrt(2) / sqrt(2) */
    NEAR(rows[3].parts[PART_CPU].freedom, 1);
    NEAR(rows[3].parts[PART_REST].w, 9);
    ck_assert(rows[3].parts[PART_REST].reported);
    NEAR(rows[4].parts[PART_CPU].w, 40.5);
    ck_assert(isnan(rows[4].parts[PART_CPU].error_w));
}
END_TEST

/* A byte a second is slow, but it moves. */
START_TEST(a_slow_disk)
{
    const struct breakdown_load load = LOAD(LOAD_DISK_READ, 1, run(3, 1, NAN, 0, 1), run(3, 1, NAN, 0, 1));
    const struct breakdown_load loads[] = { load, LOAD(LOAD_CPU, 1, run(10, 1, NAN, 1, 0), run(10, 1, NAN, 1, 0)) };
    struct breakdown_row rows[2];

    breakdown_rows(loads, 2, measured, three_and_one, rows);
    NEAR(rows[0].parts[PART_IO].w, 3);
    ck_assert_double_eq(rows[0].j_per_gib, 3 * GIB);
    ck_assert(isnan(rows[1].j_per_gib)); /* that of a processor says nothing */
}
END_TEST

/* What is exact is told wherever it is not 0; 3 errors are told, and from there on. */
START_TEST(what_is_told)
{
    const struct breakdown_load loads[] = {
        LOAD(LOAD_CPU, 1, run(0, NAN, NAN, 1, 0), run(0, NAN, NAN, 1, 0)),
        LOAD(LOAD_CPU, 2, run(1.9, NAN, NAN, 2, 0), run(3.9, NAN, NAN, 2, 0)),
        LOAD(LOAD_CPU, 3, run(2.1, NAN, NAN, 3, 0), run(4.1, NAN, NAN, 3, 0)),
        LOAD(LOAD_CPU, 4, run(-2.1, NAN, NAN, 4, 0), run(-4.1, NAN, NAN, 4, 0)),
    };
    struct breakdown_row rows[4];

    breakdown_rows(loads, 4, measured, three_and_one, rows);
    ck_assert(!rows[0].parts[PART_CPU].reported);
    ck_assert_double_eq(rows[0].parts[PART_CPU].detectable_w, 0);
    ck_assert(!rows[1].parts[PART_CPU].reported); /* 2.9 +- 3 W */
    ck_assert(rows[2].parts[PART_CPU].reported);
    ck_assert(rows[3].parts[PART_CPU].reported);
    NEAR(rows[3].parts[PART_CPU].detectable_w, 4);
}
END_TEST

START_TEST(what_is_not_known)
{
    const struct breakdown_load one_run[] = { LOAD(LOAD_CPU, 1, run(10, NAN, NAN, 1, 0)) };
    const struct breakdown_load no_cpu[] = {
        LOAD(LOAD_MEMORY, 1, run(12, NAN, NAN, 1, GIB), run(12, NAN, NAN, 1, GIB)),
        LOAD(LOAD_DISK_READ, 1, run(3, 1, NAN, 1, GIB), run(3, 1, NAN, 1, GIB)),
    };
    const struct breakdown_load no_baseline[] = { LOAD(LOAD_CPU, 1, run(NAN, NAN, NAN, 1, 0),
                                                       run(NAN, NAN, NAN, 1, 0)) };
    struct breakdown_row rows[2];

    breakdown_rows(one_run, 1, measured, three_and_one, rows);
    NEAR(rows[0].parts[PART_CPU].w, 10);
    ck_assert(isnan(rows[0].parts[PART_CPU].error_w) && isnan(rows[0].parts[PART_CPU].detectable_w));
    ck_assert(!rows[0].parts[PART_CPU].reported);
    breakdown_rows(no_cpu, 1, measured, three_and_one, rows);
    ck_assert(isnan(rows[0].parts[PART_CPU].w) && isnan(rows[0].parts[PART_MEMORY].w));
    NEAR(rows[0].parts[PART_REST].w, 12);
    breakdown_rows(no_cpu + 1, 1, measured, three_and_one, rows);
    NEAR(rows[0].parts[PART_MEMORY].w, 1);
    NEAR(rows[0].parts[PART_REST].w, 3);
    ck_assert(isnan(rows[0].parts[PART_CPU].w) && isnan(rows[0].parts[PART_IO].w));
    breakdown_rows(no_baseline, 1, measured, three_and_one, rows);
    for (size_t i = 0; i < POWER_PARTS; i++)
        ck_assert(isnan(rows[0].parts[i].w) && !rows[0].parts[i].reported && !rows[0].parts[i].assumed);
    ck_assert_int_eq(breakdown_largest(&rows[0]), POWER_PARTS);
}
END_TEST

UNIT_SUITE("split", with_a_meter_of_the_memory, without_one_by_comparison, a_negative_part_stays_and_is_not_told,
           io_less_its_cpu_time, with_a_meter_of_the_machine, with_graphics_cards, a_model_assumes,
           a_modelled_machine_assumes_the_rest, at_a_point_of_the_curve, a_slow_disk, what_is_told, what_is_not_known)
