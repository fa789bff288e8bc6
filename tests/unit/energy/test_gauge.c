/* SPDX-License-Identifier: MIT
 * Power × time: exact energies, what is no power, and devices that sleep. */
#include "energy/gauge.h"
#include "tree.h"
#include "unit.h"

#include "base/units.h"

#include <errno.h>

#define W 1e6

static struct tree tree;

static int file_with(const char *name, const char *text)
{
    struct error err;
    int fd;

    tree_put(&tree, name, text);
    fd = root_open_file(&tree.root, name, &err);
    ck_assert_int_ge(fd, 0);
    return fd;
}

/* At this second so many watts. */
static struct reading add(struct gauge *gauge, uint64_t second, double power_w)
{
    struct reading reading = { .error = 0 };

    gauge_add(gauge, second * NS_PER_S_INT, power_w * W, &reading);
    ck_assert_int_eq(reading.error, 0);
    return reading;
}

START_TEST(energy_is_the_mean_of_both_ends)
{
    struct gauge gauge = GAUGE_NONE;

    ck_assert_uint_eq(add(&gauge, 10, 100).energy_uj, 0);
    ck_assert_uint_eq(add(&gauge, 12, 100).energy_uj, 200000000);
    ck_assert_uint_eq(add(&gauge, 14, 300).energy_uj, 600000000); /* 200 J, and 2 s at 200 W */
    ck_assert_uint_eq(add(&gauge, 14, 50).energy_uj, 600000000);  /* no time, no energy */
    ck_assert_uint_eq(add(&gauge, 24, 0).energy_uj, 850000000);
    ck_assert_uint_eq(add(&gauge, 34, 0).energy_uj, 850000000);
}
END_TEST

START_TEST(small_powers_are_not_rounded_away)
{
    struct gauge gauge = GAUGE_NONE;
    struct reading reading = { .error = 0 };

    /* 0.3 µW, ten times a second for a hundred seconds */
    for (uint64_t i = 1; i <= 1001; i++)
        gauge_add(&gauge, i * UINT64_C(100000000), 0.3, &reading);
    ck_assert_uint_ge(reading.energy_uj, 29);
    ck_assert_uint_le(reading.energy_uj, 30);
}
END_TEST

START_TEST(a_gap_is_left_out_and_told)
{
    struct gauge gauge = GAUGE_NONE;
    struct reading reading = { .error = 0 };

    tree_open(&tree);
    gauge.fd = file_with("power", "100000000");
    ck_assert(!add(&gauge, 1, 100).restarted);
    ck_assert(!add(&gauge, 2, 100).restarted);
    tree_put(&tree, "power", "nonsense");
    gauge_read(&gauge, 3 * NS_PER_S_INT, &reading);
    ck_assert_int_eq(reading.error, EBADMSG);
    tree_put(&tree, "power", "100000000");
    gauge_read(&gauge, 9 * NS_PER_S_INT, &reading);
    ck_assert_int_eq(reading.error, 0);
    ck_assert(reading.restarted);
    ck_assert_uint_eq(reading.energy_uj, 100000000);
    reading = (struct reading){ .error = 0 };
    gauge_read(&gauge, 10 * NS_PER_S_INT, &reading);
    ck_assert(!reading.restarted);
    ck_assert_uint_eq(reading.energy_uj, 200000000);
    gauge_close(&gauge);
    gauge_close(&gauge);
    gauge_read(&gauge, 11 * NS_PER_S_INT, &reading);
    ck_assert_int_eq(reading.error, ENODATA);
    tree_close(&tree);
}
END_TEST

START_TEST(a_sensor_that_never_changes_is_still)
{
    struct gauge frozen = GAUGE_NONE, coarse = GAUGE_NONE, alive = GAUGE_NONE;

    for (uint64_t second = 1; second < 4; second++) {
        ck_assert(add(&frozen, second, 434.397552).constant_power);
        ck_assert(!add(&coarse, second, 150).constant_power); /* whole watts say nothing */
        add(&alive, second, 35.21);
    }
    ck_assert(!add(&alive, 4, 35.22).constant_power);
    ck_assert(!add(&alive, 5, 35.22).constant_power);
}
END_TEST

static int power_of(const char *text, bool magnitude, double *power_uw)
{
    struct gauge gauge = GAUGE_NONE;
    int number;

    gauge.fd = file_with("power", text);
    gauge.magnitude = magnitude;
    number = gauge_power_uw(&gauge, power_uw);
    gauge_close(&gauge);
    return number;
}

START_TEST(what_is_no_power_has_an_errno)
{
    static const struct {
        const char *text;
        int number;
        double power_uw;
    } known[] = {
        { "176000", 0, 176000 },
        { "0", 0, 0 },
        { "12.5", 0, 12.5 },
        { "-4077000", ERANGE, 0 },
        { "", EBADMSG, 0 },
        { "nonsense", EBADMSG, 0 },
        { "12 W", 0, 12 },
        { "12W", EBADMSG, 0 },
        { "--5", EBADMSG, 0 },
        { "4294967295000", ERANGE, 0 }, /* 0xffffffff mW */
        { "60000000000", 0, 6e10 },     /* as much as any machine draws */
        { "60000000001", ERANGE, 0 },
    };
    double power_uw;

    tree_open(&tree);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const int number = power_of(known[i].text, false, &power_uw);
        ck_assert_msg(number == known[i].number, "'%s': %d", known[i].text, number);
        ck_assert(number || power_uw == known[i].power_uw);
    }
    ck_assert_int_eq(power_of("-4077000", true, &power_uw), 0);
    ck_assert(power_uw == 4077000);
    tree_close(&tree);
}
END_TEST

START_TEST(voltage_times_current)
{
    struct gauge gauge = GAUGE_NONE;
    double power_uw;

    tree_open(&tree);
    gauge.fd = file_with("in1_input", "5048");
    gauge.current_fd = file_with("curr1_input", "1096");
    ck_assert_int_eq(gauge_power_uw(&gauge, &power_uw), 0);
    ck_assert(power_uw == 5532608); /* mV × mA = µW */
    gauge.uw_per_unit = 1e-6;
    tree_put(&tree, "in1_input", "15200000");
    tree_put(&tree, "curr1_input", "1500000");
    ck_assert_int_eq(gauge_power_uw(&gauge, &power_uw), 0);
    ck_assert_double_eq_tol(power_uw, 22800000, 1e-3); /* µV × µA */
    tree_put(&tree, "curr1_input", "none");
    ck_assert_int_eq(gauge_power_uw(&gauge, &power_uw), EBADMSG);
    gauge_close(&gauge);
    tree_close(&tree);
}
END_TEST

START_TEST(a_device_that_sleeps_is_not_read)
{
    struct gauge gauge = GAUGE_NONE;
    struct reading reading = { .error = 0 };

    tree_open(&tree);
    gauge.fd = file_with("power", "nonsense"); /* reading it would fail */
    gauge.status_fd = file_with("runtime_status", "suspended");
    gauge_read(&gauge, NS_PER_S_INT, &reading);
    ck_assert_int_eq(reading.error, 0);
    ck_assert(reading.off);
    ck_assert(!reading.constant_power);
    tree_put(&tree, "power", "20000000");
    tree_put(&tree, "runtime_status", "active");
    gauge_read(&gauge, 2 * NS_PER_S_INT, &reading);
    ck_assert(!reading.off);
    gauge_read(&gauge, 3 * NS_PER_S_INT, &reading);
    ck_assert_uint_eq(reading.energy_uj, 30000000); /* half of the second in which it woke */
    gauge_close(&gauge);
    tree_close(&tree);
}
END_TEST

START_TEST(polled_as_often_as_it_changes)
{
    static const struct {
        enum component component;
        uint64_t update_ns, poll_ns;
    } known[] = {
        { COMPONENT_MACHINE, GAUGE_POLL_NS, GAUGE_POLL_NS },
        { COMPONENT_GPU, 1000000, GAUGE_POLL_NS },
        { COMPONENT_GPU, 500000000, 500000000 },
        { COMPONENT_MACHINE, 300 * NS_PER_S_INT, NS_PER_S_INT },
        { COMPONENT_RAIL, GAUGE_POLL_NS, NS_PER_S_INT },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct domain domain = { .component = known[i].component, .update_ns = known[i].update_ns };
        ck_assert_uint_eq(gauge_poll_ns(&domain), known[i].poll_ns);
    }
}
END_TEST

UNIT_SUITE("gauge", energy_is_the_mean_of_both_ends, small_powers_are_not_rounded_away, a_gap_is_left_out_and_told,
           a_sensor_that_never_changes_is_still, what_is_no_power_has_an_errno, voltage_times_current,
           a_device_that_sleeps_is_not_read, polled_as_often_as_it_changes)
