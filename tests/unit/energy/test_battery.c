/* SPDX-License-Identifier: MIT
 * The battery driver over trees made here: when batteries are the whole machine, and when they tell nothing. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include <errno.h>

extern const struct energy_driver battery_driver;

static const struct machine laptop = { .packages = 1, .cpus_online = 1 };

/* PUT("AC", { "type", "Mains" }, { "online", "0" }), and a battery with its type. */
#define PUT(supply, ...) TREE_PUT(&tree, "sys/class/power_supply/" supply, __VA_ARGS__)
#define BATTERY(name, ...) PUT(name, { "type", "Battery" }, __VA_ARGS__)

static bool open_source(void)
{
    return source_open(&battery_driver, &laptop);
}

START_TEST(a_discharging_battery_is_the_machine)
{
    const struct domain *domain;

    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "26439000" });
    PUT("AC", { "type", "Mains" }, { "online", "0" });
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
    ck_assert(!readings[0].constant_power && !readings[0].off);
}
END_TEST

START_TEST(the_sign_is_left_out)
{
    BATTERY("macsmc-battery", { "status", "Discharging" }, { "power_now", "-4077000" });
    ck_assert(open_source());
    expect_power(0, 4.077);
}
END_TEST

START_TEST(voltage_times_current_where_there_is_no_power)
{
    BATTERY("BAT1", { "status", "Discharging" }, { "voltage_now", "11400000" }, { "current_now", "-1000000" });
    ck_assert(open_source());
    expect_power(0, 11.4);
}
END_TEST

START_TEST(a_battery_that_rests_gives_nothing)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "7500000" });
    BATTERY("BAT1", { "status", "Not charging" }, { "power_now", "0" });
    BATTERY("BAT2", { "status", "Unknown" }, { "power_now", "0" });
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 3);
    read_source();
    read_source();
    for (size_t i = 0; i < 3; i++) {
        ck_assert_str_eq(source.domains[i].not_counted, "");
        ck_assert_int_eq(readings[i].error, 0);
        ck_assert_int_eq(readings[i].off, i > 0); /* 0 W is the truth */
    }
}
END_TEST

static void expect_not_counted(const char *reason)
{
    ck_assert(open_source());
    for (size_t i = 0; i < source.domain_count; i++) {
        ck_assert_msg(strstr(source.domains[i].not_counted, reason) != NULL, "'%s'", source.domains[i].not_counted);
        ck_assert_uint_eq(source.domains[i].poll_ns, 0);
    }
    read_source();
    ck_assert_int_eq(readings[0].error, ENODATA);
    close_source();
}

START_TEST(on_mains_they_say_nothing)
{
    static const char *const types[] = { "Mains", "USB", "Wireless" };

    for (size_t i = 0; i < 3; i++) {
        another_tree();
        BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "9000000" }); /* the adapter is too weak */
        PUT("source", { "type", types[i] }, { "online", "1" });
        expect_not_counted("on mains");
        PUT("source", { "online", "0" });
        ck_assert(open_source());
        ck_assert_str_eq(source.domains[0].not_counted, "");
    }
    another_tree();
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "9000000" });
    BATTERY("BAT1", { "status", "Charging" }, { "power_now", "9000000" });
    expect_not_counted("on mains");
    BATTERY("BAT0", { "status", "Full" }, { "power_now", "0" });
    BATTERY("BAT1", { "status", "Not charging" }, { "power_now", "0" });
    expect_not_counted("on mains");
}
END_TEST

START_TEST(without_a_status_nothing_is_known)
{
    BATTERY("BAT0", { "power_now", "1576000" });
    BATTERY("BAT1", { "power_now", "0" });
    expect_not_counted("nothing says");
    BATTERY("BAT0", { "status", "Unknown" }, { "power_now", "1576000" });
    expect_not_counted("nothing says");
    BATTERY("BAT0", { "status", "" }, { "power_now", "1576000" });
    expect_not_counted("nothing says");
}
END_TEST

START_TEST(others_are_no_batteries_of_the_machine)
{
    expect_refused(open_source(), ERROR_ABSENT);
    close_source();
    BATTERY("hidpp_battery_0", { "status", "Discharging" }, { "power_now", "100000" }, { "scope", "Device" });
    BATTERY("BAT1", { "status", "Discharging" }, { "power_now", "100000" }, { "present", "0" });
    PUT("ucsi-source-psy-USBC000:001", { "type", "USB" }, { "online", "0" },
        { "current_now", "3000000" }); /* no rail */
    PUT("ucsi-source-psy-USBC000:001", { "voltage_now", "20000000" });
    expect_refused(open_source(), ERROR_ABSENT);
    ck_assert_uint_eq(source.domain_count, 0);
    close_source();
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "100000" }, { "scope", "System" }, { "present", "1" });
    PUT("mouse-charger", { "type", "USB" }, { "online", "1" }, { "scope", "Device" });
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_str_eq(source.domains[0].not_counted, "");
}
END_TEST

START_TEST(the_mains_coming_in_end_the_reading)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "10000000" });
    BATTERY("BAT1", { "status", "Not charging" }, { "power_now", "0" });
    PUT("AC", { "type", "Mains" }, { "online", "0" });
    ck_assert(open_source());
    read_source();
    ck_assert_int_eq(readings[0].error, 0);
    PUT("AC", { "online", "1" });
    read_source();
    ck_assert_int_eq(readings[0].error, ENODATA);
    ck_assert_int_eq(readings[1].error, ENODATA);
    PUT("AC", { "online", "0" });
    PUT("BAT0", { "status", "Charging" });
    read_source();
    ck_assert_int_eq(readings[0].error, ENODATA);
    PUT("BAT0", { "status", "Discharging" });
    read_source();
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert(readings[0].restarted);
    PUT("BAT0", { "power_now", "0" }); /* a running machine needs more than that */
    read_source();
    ck_assert_int_eq(readings[0].error, ENODATA);
    PUT("BAT0", { "power_now", "none" });
    read_source();
    ck_assert_int_eq(readings[0].error, EBADMSG);
    ck_assert_int_eq(readings[1].error, 0);
}
END_TEST

START_TEST(what_makes_no_sense_is_a_problem)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "0" });
    ck_assert(!open_source());
    ck_assert_ptr_nonnull(strstr(err.why, "no power yet"));
    close_source();
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "4294967295000" });
    expect_refused(open_source(), ERROR_BAD_DATA);
    another_tree();
    BATTERY("BAT0", { "status", "Discharging" }, { "voltage_now", "11400000" });
    expect_refused(open_source(), ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.what, "BAT0/power_now"));
    read_source();
    ck_assert_int_eq(readings[0].error, ENODATA);
}
END_TEST

START_TEST(denied_is_not_absent)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "10000000" });
    keep_from_others("sys/class/power_supply/BAT0/power_now");
    expect_refused(open_source(), ERROR_DENIED);
    ck_assert_ptr_nonnull(strstr(err.fix, "as root"));
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

        another_tree();
        BATTERY("BAT1", { "status", "Discharging" }, { "power_now", "5000000" }, { cases[i].file, cases[i].text });
        ck_assert(source_open(&battery_driver, &machine));
        ck_assert_msg((source.domains[0].not_counted[0] != '\0') == cases[i].made_up, "case %zu", i);
        if (cases[i].made_up)
            ck_assert_ptr_nonnull(strstr(source.domains[0].not_counted, "a virtual battery"));
        read_source();
        ck_assert_int_eq(readings[0].error, cases[i].made_up ? ENODATA : 0);
    }
}
END_TEST

/* A real one beside it is the machine all the same. */
START_TEST(a_virtual_battery_does_not_hide_a_real_one)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "9000000" });
    BATTERY("test_battery", { "status", "Charging" }, { "power_now", "1000000" }, { "model_name", "Test battery" });
    ck_assert(open_source());
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_ptr_nonnull(strstr(source.domains[1].not_counted, "a virtual battery"));
    expect_power(0, 9);
}
END_TEST

static bool is_disproved_at(double at_s)
{
    set_clock_s = 1000 + at_s;
    read_source();
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
        another_tree();
        BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "10000000" }, { "voltage_now", "10000000" },
                { cases[i].now, cases[i].now_value }, { cases[i].full, cases[i].full_value });
        ck_assert(open_source());
        ck_assert(!is_disproved_at(0));
        ck_assert(!is_disproved_at(359));
        PUT("BAT0", { cases[i].now, cases[i].less });
        ck_assert(!is_disproved_at(361));
        ck_assert(!is_disproved_at(720));
        ck_assert(is_disproved_at(722));
        ck_assert_str_eq(source.domains[0].doubt.what,
                         "battery-BAT0 is not a usable meter: it discharges at 10.0 W, and its charge does not fall");
        ck_assert_int_eq(source.domains[0].doubt.notice, NOTICE_NOT_MOVING);
        PUT("BAT0", { cases[i].now, cases[i].now_value });
        ck_assert(is_disproved_at(723)); /* it told what is not so */
        set_clock_s = 0;
    }
}
END_TEST

START_TEST(a_power_that_never_changes_is_no_meter)
{
    BATTERY("BAT0", { "status", "Discharging" }, { "power_now", "10000000" });
    ck_assert(open_source());
    ck_assert(!is_disproved_at(0));
    ck_assert(!is_disproved_at(299));
    PUT("BAT0", { "power_now", "10001000" });
    ck_assert(!is_disproved_at(301));
    ck_assert(!is_disproved_at(600));
    ck_assert(is_disproved_at(601));
    ck_assert_ptr_nonnull(strstr(source.domains[0].doubt.what, "and that never changes"));
    set_clock_s = 0;
}
END_TEST

UNIT_SUITE_IN("battery", open_tree, close_all, a_virtual_battery_is_no_meter,
              a_virtual_battery_does_not_hide_a_real_one, a_discharging_battery_is_the_machine, the_sign_is_left_out,
              voltage_times_current_where_there_is_no_power, a_battery_that_rests_gives_nothing,
              on_mains_they_say_nothing, without_a_status_nothing_is_known, others_are_no_batteries_of_the_machine,
              the_mains_coming_in_end_the_reading, what_makes_no_sense_is_a_problem, denied_is_not_absent,
              one_that_never_moves_is_no_meter, a_power_that_never_changes_is_no_meter)
