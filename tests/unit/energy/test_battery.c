/* SPDX-License-Identifier: MIT
 * The battery driver over trees made here: when batteries are the whole machine, and when they tell nothing. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include "base/clock.h"

#include <errno.h>

extern const struct energy_driver battery_driver;

static const struct machine laptop = { .packages = 1, .cpus_online = 1 };

static void put(const char *supply, const char *file, const char *text)
{
    char path[192];

    snprintf(path, sizeof path, "sys/class/power_supply/%s/%s", supply, file);
    if (text)
        tree_put(&tree, path, text);
}

/* NULL: it has no such file. */
static void put_battery(const char *name, const char *status, const char *power_uw)
{
    put(name, "type", "Battery");
    put(name, "status", status);
    put(name, "power_now", power_uw);
}

static void put_adapter(const char *name, const char *type, const char *online)
{
    put(name, "type", type);
    put(name, "online", online);
}

static bool open_source(void)
{
    return source_open(&battery_driver, &laptop);
}

static void read_all(void)
{
    memset(readings, 0, sizeof readings);
    battery_driver.read(&source, readings);
}

/* Between two readings 20 ms apart the battery gave so many watts. */
static void expect_power(size_t i, double power_w)
{
    uint64_t first[2], second[2], energy_uj;

    first[0] = clock_monotonic_ns();
    read_all();
    first[1] = clock_monotonic_ns();
    ck_assert_int_eq(readings[i].error, 0);
    energy_uj = readings[i].energy_uj;
    usleep(20000);
    second[0] = clock_monotonic_ns();
    read_all();
    second[1] = clock_monotonic_ns();
    energy_uj = readings[i].energy_uj - energy_uj;
    ck_assert_double_ge((double)energy_uj + 1, power_w * (double)(second[0] - first[1]) / 1e3);
    ck_assert_double_le((double)energy_uj - 1, power_w * (double)(second[1] - first[0]) / 1e3);
}

START_TEST(a_discharging_battery_is_the_machine)
{
    const struct domain *domain;

    tree_open(&tree);
    put_battery("BAT0", "Discharging", "26439000");
    put_adapter("AC", "Mains", "0");
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 1);
    domain = &source.domains[0];
    ck_assert_str_eq(domain->name, "battery-BAT0");
    ck_assert_str_eq(domain->path, "sys/class/power_supply/BAT0");
    ck_assert_int_eq(domain->component, COMPONENT_MACHINE);
    ck_assert(domain->part);
    ck_assert_str_eq(domain->not_counted, "");
    ck_assert_uint_eq(domain->poll_ns, UINT64_C(1000000000));
    expect_power(0, 26.439);
    ck_assert(!readings[0].still && !readings[0].off);
    close_all();
}
END_TEST

START_TEST(the_sign_is_left_out)
{
    tree_open(&tree);
    put_battery("macsmc-battery", "Discharging", "-4077000");
    ck_assert(open_source());
    expect_power(0, 4.077);
    close_all();
}
END_TEST

START_TEST(voltage_times_current_where_there_is_no_power)
{
    tree_open(&tree);
    put_battery("BAT1", "Discharging", NULL);
    put("BAT1", "voltage_now", "11400000");
    put("BAT1", "current_now", "-1000000");
    ck_assert(open_source());
    expect_power(0, 11.4);
    close_all();
}
END_TEST

START_TEST(a_battery_that_rests_gives_nothing)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "7500000");
    put_battery("BAT1", "Not charging", "0");
    put_battery("BAT2", "Unknown", "0");
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 3);
    read_all();
    read_all();
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(source.domains[i].not_counted, "");
        ck_assert_int_eq(readings[i].error, 0);
        ck_assert_int_eq(readings[i].off, i > 0); /* 0 W is the truth */
    }
    close_all();
}
END_TEST

static void expect_not_counted(const char *reason)
{
    ck_assert(open_source());
    for (size_t i = 0; i < source.domain_count; i++) {
        ck_assert_msg(strstr(source.domains[i].not_counted, reason) != NULL, "'%s'", source.domains[i].not_counted);
        ck_assert_uint_eq(source.domains[i].poll_ns, 0);
    }
    read_all();
    ck_assert_int_eq(readings[0].error, ENODATA);
    close_source();
}

START_TEST(on_mains_they_say_nothing)
{
    static const char *const types[] = { "Mains", "USB", "Wireless" };

    for (size_t i = 0; i < 3; i++) {
        tree_open(&tree);
        put_battery("BAT0", "Discharging", "9000000"); /* the adapter is too weak */
        put_adapter("source", types[i], "1");
        expect_not_counted("on mains");
        put("source", "online", "0");
        ck_assert(open_source());
        ck_assert_str_eq(source.domains[0].not_counted, "");
        close_all();
    }
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "9000000");
    put_battery("BAT1", "Charging", "9000000");
    expect_not_counted("on mains");
    put_battery("BAT0", "Full", "0");
    put_battery("BAT1", "Not charging", "0");
    expect_not_counted("on mains");
    tree_close(&tree);
}
END_TEST

START_TEST(without_a_status_nothing_is_known)
{
    tree_open(&tree);
    put_battery("BAT0", NULL, "1576000");
    put_battery("BAT1", NULL, "0");
    expect_not_counted("nothing says");
    put_battery("BAT0", "Unknown", "1576000");
    expect_not_counted("nothing says");
    put_battery("BAT0", "", "1576000");
    expect_not_counted("nothing says");
    tree_close(&tree);
}
END_TEST

START_TEST(others_are_no_batteries_of_the_machine)
{
    tree_open(&tree);
    ck_assert(!open_source());
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    close_source();
    put_battery("hidpp_battery_0", "Discharging", "100000");
    put("hidpp_battery_0", "scope", "Device");
    put_battery("BAT1", "Discharging", "100000");
    put("BAT1", "present", "0");
    put_adapter("ucsi-source-psy-USBC000:001", "USB", "0");
    put("ucsi-source-psy-USBC000:001", "current_now", "3000000"); /* no rail */
    put("ucsi-source-psy-USBC000:001", "voltage_now", "20000000");
    ck_assert(!open_source());
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_uint_eq(source.domain_count, 0);
    close_source();
    put_battery("BAT0", "Discharging", "100000");
    put("BAT0", "scope", "System");
    put("BAT0", "present", "1");
    put_adapter("mouse-charger", "USB", "1");
    put("mouse-charger", "scope", "Device");
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_str_eq(source.domains[0].not_counted, "");
    close_all();
}
END_TEST

START_TEST(the_mains_coming_in_end_the_reading)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "10000000");
    put_battery("BAT1", "Not charging", "0");
    put_adapter("AC", "Mains", "0");
    ck_assert(open_source());
    read_all();
    ck_assert_int_eq(readings[0].error, 0);
    put("AC", "online", "1");
    read_all();
    ck_assert_int_eq(readings[0].error, ENODATA);
    ck_assert_int_eq(readings[1].error, ENODATA);
    put("AC", "online", "0");
    put("BAT0", "status", "Charging");
    read_all();
    ck_assert_int_eq(readings[0].error, ENODATA);
    put("BAT0", "status", "Discharging");
    read_all();
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert(readings[0].restarted);
    put("BAT0", "power_now", "0"); /* a running machine needs more than that */
    read_all();
    ck_assert_int_eq(readings[0].error, ENODATA);
    put("BAT0", "power_now", "none");
    read_all();
    ck_assert_int_eq(readings[0].error, EBADMSG);
    ck_assert_int_eq(readings[1].error, 0);
    close_all();
}
END_TEST

START_TEST(what_makes_no_sense_is_a_problem)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "0");
    ck_assert(!open_source());
    ck_assert_ptr_nonnull(strstr(err.why, "no power yet"));
    close_source();
    put_battery("BAT0", "Discharging", "4294967295000");
    ck_assert(!open_source());
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    close_all();
    tree_open(&tree);
    put_battery("BAT0", "Discharging", NULL);
    put("BAT0", "voltage_now", "11400000");
    ck_assert(!open_source());
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.what, "BAT0/power_now"));
    read_all();
    ck_assert_int_eq(readings[0].error, ENODATA);
    close_all();
}
END_TEST

START_TEST(denied_is_not_absent)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "10000000");
    tree_mode(&tree, "sys/class/power_supply/BAT0/power_now", 0);
    tree_become_ordinary(&tree);
    ck_assert(!open_source());
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert_ptr_nonnull(strstr(err.fix, "as root"));
    close_all();
}
END_TEST

/* A guest's are its host's whatever they are called; elsewhere their names tell. */
START_TEST(a_virtual_battery_is_no_meter)
{
    static const struct {
        const char *file, *text;
        bool guest, made_up;
    } cases[] = {
        { "model_name", "Primary", true, true },
        { "model_name", "Microsoft Hyper-V Virtual Battery", false, true },
        { "manufacturer", "innotek", false, true },
        { "manufacturer", "QEMU", false, true },
        { "model_name", "Test battery", false, true },
        { "model_name", "Primary", false, false },
        { "manufacturer", "SMP", false, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct machine machine = { .packages = 1, .cpus_online = 1, .guest = cases[i].guest };

        tree_open(&tree);
        put_battery("BAT1", "Discharging", "5000000");
        put("BAT1", cases[i].file, cases[i].text);
        ck_assert(source_open(&battery_driver, &machine));
        ck_assert_msg((source.domains[0].not_counted[0] != '\0') == cases[i].made_up, "case %zu", i);
        if (cases[i].made_up)
            ck_assert_ptr_nonnull(strstr(source.domains[0].not_counted, "a virtual battery"));
        read_all();
        ck_assert_int_eq(readings[0].error, cases[i].made_up ? ENODATA : 0);
        close_all();
    }
}
END_TEST

/* A real one beside it is the machine all the same. */
START_TEST(a_virtual_battery_does_not_hide_a_real_one)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "9000000");
    put_battery("test_battery", "Charging", "1000000");
    put("test_battery", "model_name", "Test battery");
    ck_assert(open_source());
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_ptr_nonnull(strstr(source.domains[1].not_counted, "a virtual battery"));
    expect_power(0, 9);
    close_all();
}
END_TEST

static bool is_disproved_at(double at_s)
{
    set_clock_s = 1000 + at_s;
    read_all();
    ck_assert_int_eq(readings[0].error, 0);
    return source.domains[0].disproved;
}

/* 50 Wh; at 10 W 2 % of them are drawn in 360 s. A charge is worth its voltage. */
START_TEST(one_that_never_moves_is_no_meter)
{
    static const struct {
        const char *now, *full, *now_value, *full_value, *less;
    } cases[] = {
        { "energy_now", "energy_full", "40000000", "50000000", "39000000" },
        { "charge_now", "charge_full", "4000000", "5000000", "3900000" }, /* Ah, at 10 V */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tree_open(&tree);
        put_battery("BAT0", "Discharging", "10000000");
        put("BAT0", "voltage_now", "10000000");
        put("BAT0", cases[i].now, cases[i].now_value);
        put("BAT0", cases[i].full, cases[i].full_value);
        ck_assert(open_source());
        ck_assert(!is_disproved_at(0));
        ck_assert(!is_disproved_at(359));
        put("BAT0", cases[i].now, cases[i].less);
        ck_assert(!is_disproved_at(361));
        ck_assert(!is_disproved_at(720));
        ck_assert(is_disproved_at(722));
        ck_assert_str_eq(source.domains[0].doubt.what,
                         "battery-BAT0 is no meter: it discharges at 10.0 W, and its charge does not fall");
        ck_assert_int_eq(source.domains[0].doubt.notice, NOTICE_NOT_MOVING);
        put("BAT0", cases[i].now, cases[i].now_value);
        ck_assert(is_disproved_at(723)); /* it told what is not so */
        set_clock_s = 0;
        close_all();
    }
}
END_TEST

START_TEST(a_power_that_never_changes_is_no_meter)
{
    tree_open(&tree);
    put_battery("BAT0", "Discharging", "10000000");
    ck_assert(open_source());
    ck_assert(!is_disproved_at(0));
    ck_assert(!is_disproved_at(299));
    put("BAT0", "power_now", "10001000");
    ck_assert(!is_disproved_at(301));
    ck_assert(!is_disproved_at(600));
    ck_assert(is_disproved_at(601));
    ck_assert_ptr_nonnull(strstr(source.domains[0].doubt.what, "and that never changes"));
    set_clock_s = 0;
    close_all();
}
END_TEST

UNIT_SUITE("battery", a_virtual_battery_is_no_meter, a_virtual_battery_does_not_hide_a_real_one,
           a_discharging_battery_is_the_machine, the_sign_is_left_out, voltage_times_current_where_there_is_no_power,
           a_battery_that_rests_gives_nothing, on_mains_they_say_nothing, without_a_status_nothing_is_known,
           others_are_no_batteries_of_the_machine, the_mains_coming_in_end_the_reading,
           what_makes_no_sense_is_a_problem, denied_is_not_absent, one_that_never_moves_is_no_meter,
           a_power_that_never_changes_is_no_meter)
