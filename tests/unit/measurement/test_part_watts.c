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
    struct breakdown_meter split;
    struct {
        double gross_w[BREAKDOWN_DOMAINS], net_w[BREAKDOWN_DOMAINS];
    } watts;
};

/* One for all tests: each runs in a process of its own. */
static struct bench b;

static struct energy_driver driver = { .name = "powercap", .quality = QUALITY_MEASURED };
static struct energy_source source = { .driver = &driver };

static void begin(void)
{
    static const char *const names[] = { "package-0", "core-0", "dram-0", "psys", "card0", "plug" };
    static const enum component components[] = { COMPONENT_PACKAGE,  COMPONENT_CORES, COMPONENT_MEMORY,
                                                 COMPONENT_PLATFORM, COMPONENT_GPU,   COMPONENT_MACHINE };
    static const struct machine machine = { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 86 };

    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < DOMAINS; i++) {
        b.domains[i] = (struct domain){
            .component = components[i],
            .package = i <= DRAM ? 0 : -1,
            .die = -1,
            .quality = QUALITY_MEASURED,
            .update_ns = 1000000,
            .low_ratio = 1,
            .high_ratio = 1,
        };
        snprintf(b.domains[i].name, sizeof b.domains[i].name, "%s", names[i]);
        b.meter.domains[i] =
            (struct meter_domain){ .domain = &b.domains[i], .source = &source, .started = true, .moved = true };
    }
    b.meter.domain_count = DOMAINS;
    b.meter.machine = &machine;
    b.meter.root = &b.root;
    b.baseline = (struct window){ .start_ns = S, .duration_ns = 10 * S };
    b.run.window = (struct window){ .start_ns = 11 * S, .duration_ns = 4 * S };
    memset(b.baseline.known, 1, sizeof b.baseline.known);
    memset(b.run.window.known, 1, sizeof b.run.window.known);
    for (size_t i = 0; i < DOMAINS; i++) { /* 10, 20 ... 60 W, and 10 % more in the run */
        b.baseline.energy_uj[i] = (i + 1) * 10 * 10 * J;
        b.run.window.energy_uj[i] = (i + 1) * 11 * 4 * J;
    }
    b.measurement = (struct measurement){
        .meter = &b.meter,
        .counting = &b.counting,
        .baselines = &b.baseline,
        .baseline_count = 1,
        .runs = &b.run,
        .run_count = 1,
    };
}

static void read_watts(void)
{
    breakdown_meter_of(&b.meter, &b.split);
    split_watts(&b.split, &b.measurement, &b.run, b.watts.gross_w, b.watts.net_w);
}

START_TEST(a_lower_bound_is_no_power)
{
    b.run.window.unknown_ns[DRAM] = S;
    read_watts();
    ck_assert(isnan(b.watts.gross_w[BREAKDOWN_MEMORY]) && isnan(b.watts.net_w[BREAKDOWN_MEMORY]));
    NEAR(b.watts.gross_w[BREAKDOWN_PACKAGE], 11);
}
END_TEST

START_TEST(each_domain_has_its_place)
{
    read_watts();
    NEAR(b.watts.gross_w[BREAKDOWN_PACKAGE], 11);
    NEAR(b.watts.net_w[BREAKDOWN_PACKAGE], 1);
    NEAR(b.watts.gross_w[BREAKDOWN_MEMORY], 33);
    NEAR(b.watts.net_w[BREAKDOWN_MEMORY], 3);
    NEAR(b.watts.gross_w[BREAKDOWN_GPU], 55);
    NEAR(b.watts.net_w[BREAKDOWN_GPU], 5);
    NEAR(b.watts.gross_w[BREAKDOWN_MACHINE], 66);
    NEAR(b.watts.net_w[BREAKDOWN_MACHINE], 6);
    ck_assert(!b.split.platform && !b.split.in[BREAKDOWN_PACKAGE][CORES]);
    ck_assert_int_eq(b.split.quality[BREAKDOWN_MACHINE], QUALITY_MEASURED);
}
END_TEST

/* The platform's meter leaves graphics cards out: with them it is what stands for the machine. */
START_TEST(the_platform_where_there_is_no_plug)
{
    b.meter.domain_count = PLUG;
    read_watts();
    ck_assert(b.split.platform);
    NEAR(b.watts.gross_w[BREAKDOWN_MACHINE], 44 + 55);
    NEAR(b.watts.net_w[BREAKDOWN_MACHINE], 4 + 5);
    b.meter.domain_count = DRAM;
    read_watts();
    ck_assert(!b.split.platform);
    ck_assert_int_eq(b.split.quality[BREAKDOWN_MACHINE], QUALITY_UNKNOWN);
    ck_assert(isnan(b.watts.gross_w[BREAKDOWN_MACHINE]) && isnan(b.watts.net_w[BREAKDOWN_MEMORY]));
    NEAR(b.watts.gross_w[BREAKDOWN_PACKAGE], 11);
}
END_TEST

START_TEST(no_power_that_is_not_told)
{
    b.domains[PLUG].update_ns = 4 * S / 10 + 1;
    b.run.window.known[DRAM] = 0;
    read_watts();
    ck_assert(isnan(b.watts.gross_w[BREAKDOWN_MACHINE]) && isnan(b.watts.gross_w[BREAKDOWN_MEMORY]));
    NEAR(b.watts.gross_w[BREAKDOWN_PACKAGE], 11);
    b.domains[PLUG].update_ns = 4 * S / 10;
    b.measurement.baseline_count = 0;
    read_watts();
    NEAR(b.watts.gross_w[BREAKDOWN_MACHINE], 66);
    ck_assert(isnan(b.watts.net_w[BREAKDOWN_MACHINE]));
}
END_TEST

UNIT_SUITE_IN("part_watts", begin, NULL, a_lower_bound_is_no_power, each_domain_has_its_place,
              the_platform_where_there_is_no_plug, no_power_that_is_not_told)
