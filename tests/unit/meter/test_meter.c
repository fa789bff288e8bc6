/* SPDX-License-Identifier: MIT
 * A sample over sensors that are read before, at and after its moment. */
#include "meter/meter.h"
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>

/* One sensor of a constant power, which is read late or early in what a sample takes. */
static const double power_w = 100;
static uint64_t before_ns, after_ns, zero_ns, reported_uj;
static bool has_time;
static int fails;

static void spend(uint64_t ns)
{
    const uint64_t begun_ns = clock_monotonic_ns();

    while (clock_monotonic_ns() - begun_ns < ns)
        ;
}

/* What a source that tells `power_w` has told by now. */
static void read_sensor(struct energy_source *source, struct reading *readings)
{
    uint64_t now_ns;

    (void)source;
    spend(before_ns);
    now_ns = clock_monotonic_ns();
    reported_uj = (uint64_t)(s_from_ns(now_ns - zero_ns) * power_w * 1e6);
    readings[0] = (struct reading){
        .energy_uj = reported_uj, .error = fails, .time_ns = has_time ? now_ns : 0, .power_uw = power_w * 1e6
    };
    spend(after_ns);
}

static const struct energy_driver sensor = { .name = "sensor", .read = read_sensor };
static struct domain domain = { .name = "machine", .component = COMPONENT_MACHINE, .access = ACCESS_SENSOR };
static struct meter meter;
static struct sample first, second;

static void begin(void)
{
    static const struct root root = { .live = true };
    static const struct machine machine = { .packages = 1 };

    meter = (struct meter){ .root = &root, .machine = &machine, .source_count = 1, .domain_count = 1 };
    meter.sources[0] = (struct energy_source){ .driver = &sensor, .domains = &domain, .domain_count = 1 };
    meter.opened[0] = true;
    meter.domains[0] = (struct meter_domain){ .domain = &domain, .source = &meter.sources[0] };
    zero_ns = clock_monotonic_ns() - NS_PER_S_INT;
    has_time = true;
    fails = 0;
}

/* Two samples, one read at its end, one at its start. What the source told between them. */
static uint64_t sample_twice(void)
{
    uint64_t first_uj;

    before_ns = 20000000, after_ns = 0;
    meter_sample(&meter, &first);
    first_uj = reported_uj;
    before_ns = 0, after_ns = 20000000;
    meter_sample(&meter, &second);
    return reported_uj - first_uj;
}

static uint64_t used_uj(void)
{
    return second.energy_uj[0] - first.energy_uj[0];
}

START_TEST(a_constant_power_is_that_power)
{
    uint64_t between_uj;

    begin();
    between_uj = sample_twice();
    /* to the µJ in which energies are counted */
    ck_assert_double_eq_tol((double)used_uj(), s_from_ns(second.time_ns - first.time_ns) * power_w * 1e6, 3);
    ck_assert_uint_ne(used_uj(), between_uj);
}
END_TEST

START_TEST(a_counter_stays_as_it_was_read)
{
    uint64_t between_uj;

    begin();
    has_time = false;
    between_uj = sample_twice();
    ck_assert_uint_eq(used_uj(), between_uj);
}
END_TEST

START_TEST(what_was_not_read_is_not_moved)
{
    begin();
    sample_twice();
    fails = EIO;
    meter_sample(&meter, &first);
    ck_assert_uint_eq(first.read[0], 0);
    ck_assert_uint_eq(first.energy_uj[0], second.energy_uj[0]);
    ck_assert_uint_eq(meter.domains[0].missed_reads, 1);
}
END_TEST

UNIT_SUITE("meter", a_constant_power_is_that_power, a_counter_stays_as_it_was_read, what_was_not_read_is_not_moved)
