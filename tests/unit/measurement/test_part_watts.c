/* SPDX-License-Identifier: MIT
 * Which domains a split stands on, and what a run drew by them. */
#include "measurement/part_watts.h"

#include "base/units.h"

#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)
#define NEAR(got, expected) ck_assert_double_eq_tol(got, expected, 1e-9)

enum { PACKAGE, CORES, DRAM, PSYS, CARD, PLUG, DOMAINS };

/* A machine with all of them; what a test needs is changed in place. */
struct bench {
    struct domain domains[DOMAINS];
    struct root root;
    struct meter meter;
    struct counting counting;
    struct window baseline;
    struct run run;
    struct measurement measurement;
    struct split_meter split;
    struct {
        double gross_w[SPLIT_DOMAINS], net_w[SPLIT_DOMAINS];
    } watts;
};

static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
static struct energy_source source = { .driver = &driver };

static void set_up(struct bench *bench)
{
    static const char *const names[] = { "package-0", "core-0", "dram-0", "psys", "card0", "plug" };
    static const enum component components[] = { COMPONENT_PACKAGE,  COMPONENT_CORES, COMPONENT_MEMORY,
                                                 COMPONENT_PLATFORM, COMPONENT_GPU,   COMPONENT_MACHINE };
    static const struct machine machine = { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 86 };

    memset(bench, 0, sizeof *bench);
    for (size_t i = 0; i < DOMAINS; i++) {
        bench->domains[i] = (struct domain){
            .component = components[i], .package = i <= DRAM ? 0 : -1, .die = -1, .quality = QUALITY_MEASURED,
            .update_ns = 1000000, .low_ratio = 1, .high_ratio = 1,
        };
        snprintf(bench->domains[i].name, sizeof bench->domains[i].name, "%s", names[i]);
        bench->meter.domains[i] =
            (struct meter_domain){ .domain = &bench->domains[i], .source = &source, .started = true, .moved = true };
    }
    bench->meter.domain_count = DOMAINS;
    bench->meter.machine = &machine;
    bench->meter.root = &bench->root;
    bench->baseline = (struct window){ .start_ns = S, .duration_ns = 10 * S };
    bench->run.window = (struct window){ .start_ns = 11 * S, .duration_ns = 4 * S };
    memset(bench->baseline.known, 1, sizeof bench->baseline.known);
    memset(bench->run.window.known, 1, sizeof bench->run.window.known);
    for (size_t i = 0; i < DOMAINS; i++) { /* 10, 20 ... 60 W, and 10 % more in the run */
        bench->baseline.energy_uj[i] = (i + 1) * 10 * 10 * J;
        bench->run.window.energy_uj[i] = (i + 1) * 11 * 4 * J;
    }
    bench->measurement = (struct measurement){
        .meter = &bench->meter, .counting = &bench->counting, .baselines = &bench->baseline, .baseline_count = 1,
        .runs = &bench->run, .run_count = 1,
    };
}

static void read_watts(struct bench *bench)
{
    split_meter_of(&bench->meter, &bench->split);
    split_watts(&bench->split, &bench->measurement, &bench->run, bench->watts.gross_w, bench->watts.net_w);
}

START_TEST(a_lower_bound_is_no_power)
{
    struct bench bench;

    set_up(&bench);
    bench.run.window.unknown_ns[DRAM] = S;
    read_watts(&bench);
    ck_assert(isnan(bench.watts.gross_w[SPLIT_MEMORY]) && isnan(bench.watts.net_w[SPLIT_MEMORY]));
    NEAR(bench.watts.gross_w[SPLIT_PACKAGE], 11);
}
END_TEST

START_TEST(each_domain_has_its_place)
{
    struct bench bench;

    set_up(&bench);
    read_watts(&bench);
    NEAR(bench.watts.gross_w[SPLIT_PACKAGE], 11);
    NEAR(bench.watts.net_w[SPLIT_PACKAGE], 1);
    NEAR(bench.watts.gross_w[SPLIT_MEMORY], 33);
    NEAR(bench.watts.net_w[SPLIT_MEMORY], 3);
    NEAR(bench.watts.gross_w[SPLIT_GPU], 55);
    NEAR(bench.watts.net_w[SPLIT_GPU], 5);
    NEAR(bench.watts.gross_w[SPLIT_MACHINE], 66);
    NEAR(bench.watts.net_w[SPLIT_MACHINE], 6);
    ck_assert(!bench.split.platform && !bench.split.in[SPLIT_PACKAGE][CORES]);
    ck_assert_int_eq(bench.split.quality[SPLIT_MACHINE], QUALITY_MEASURED);
}
END_TEST

/* The platform's meter leaves graphics cards out: with them it is what stands for the machine. */
START_TEST(the_platform_where_there_is_no_plug)
{
    struct bench bench;

    set_up(&bench);
    bench.meter.domain_count = PLUG;
    read_watts(&bench);
    ck_assert(bench.split.platform);
    NEAR(bench.watts.gross_w[SPLIT_MACHINE], 44 + 55);
    NEAR(bench.watts.net_w[SPLIT_MACHINE], 4 + 5);
    bench.meter.domain_count = DRAM;
    read_watts(&bench);
    ck_assert(!bench.split.platform);
    ck_assert_int_eq(bench.split.quality[SPLIT_MACHINE], QUALITY_UNKNOWN);
    ck_assert(isnan(bench.watts.gross_w[SPLIT_MACHINE]) && isnan(bench.watts.net_w[SPLIT_MEMORY]));
    NEAR(bench.watts.gross_w[SPLIT_PACKAGE], 11);
}
END_TEST

START_TEST(no_power_that_is_not_told)
{
    struct bench bench;

    set_up(&bench);
    bench.domains[PLUG].update_ns = 4 * S / 10 + 1;
    bench.run.window.known[DRAM] = 0;
    read_watts(&bench);
    ck_assert(isnan(bench.watts.gross_w[SPLIT_MACHINE]) && isnan(bench.watts.gross_w[SPLIT_MEMORY]));
    NEAR(bench.watts.gross_w[SPLIT_PACKAGE], 11);
    bench.domains[PLUG].update_ns = 4 * S / 10;
    bench.measurement.baseline_count = 0;
    read_watts(&bench);
    NEAR(bench.watts.gross_w[SPLIT_MACHINE], 66);
    ck_assert(isnan(bench.watts.net_w[SPLIT_MACHINE]));
}
END_TEST

UNIT_SUITE("part_watts", a_lower_bound_is_no_power, each_domain_has_its_place,
           the_platform_where_there_is_no_plug, no_power_that_is_not_told)
