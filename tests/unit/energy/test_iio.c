/* SPDX-License-Identifier: MIT
 * The IIO driver over trees made here: units, what a channel covers, and what reading it gives. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include <errno.h>

extern const struct energy_driver iio_driver;

static const struct machine board = { .packages = 1, .cpus_online = 1 };

/* Files of iio:device0: PUT({ "name", "ina226" }, { "in_power0_raw", "7" }) */
#define PUT(...) TREE_PUT(&tree, "sys/bus/iio/devices/iio:device0", __VA_ARGS__)

static bool open_source(void)
{
    return source_open(&iio_driver, &board);
}

/* The µJ of an energy channel. */
static uint64_t energy_of(const char *name)
{
    const size_t i = index_of(name);

    read_source();
    ck_assert_int_eq(readings[i].error, 0);
    return readings[i].energy_uj;
}

START_TEST(raw_times_scale_is_milliwatts)
{
    PUT({ "name", "ina226" }, { "label", "VDD_IN" }, { "in_power2_raw", "248" }, { "in_power2_scale", "25.000000000" });
    PUT({ "in_voltage1_raw", "4040" }); /* not a power */
    PUT({ "in_power_shunt_resistor", "10000" });
    ck_assert_msg(open_source(), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_str_eq(source.domains[0].name, "machine");
    ck_assert_str_eq(source.domains[0].path, "sys/bus/iio/devices/iio:device0/in_power2_raw");
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_int_eq(source.domains[0].access, ACCESS_SENSOR);
    ck_assert_uint_eq(source.domains[0].poll_ns, 100000000);
    expect_power(0, 6.2);
}
END_TEST

START_TEST(offset_and_a_scale_for_all)
{
    PUT({ "name", "ina226" }, { "label", "VDD_IN" }, { "in_power0_raw", "-50" }, { "in_power_scale", "2.5" },
        { "in_power0_offset", "1050" });
    ck_assert(open_source());
    expect_power(0, 2.5);
}
END_TEST

START_TEST(input_is_scaled_already)
{
    PUT({ "name", "ina226" }, { "in_power_input", "1250.75" }, { "in_power_raw", "7" }, { "in_power_scale", "2.5" },
        { "in_energy_input", "12.345678" });
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 2);
    ck_assert_str_eq(source.domains[0].path, "sys/bus/iio/devices/iio:device0/in_energy_input");
    ck_assert_str_eq(source.domains[1].path, "sys/bus/iio/devices/iio:device0/in_power_input");
    expect_power(1, 1.25075);
    ck_assert_uint_eq(readings[0].energy_uj, 12345678);
}
END_TEST

/* drivers/iio/adc/pac1934.c, with a shunt of 10 mΩ: 1.1921 µW and µJ a step. */
START_TEST(pac1934_scales_to_micro)
{
    PUT({ "name", "pac1934" }, { "in_energy1_raw", "1000000000" }, { "in_energy1_scale", "1.192100000" },
        { "in_energy1_en", "1" }, { "in_energy1_label", "VDD_IN_ENERGY_1" }, { "in_power1_raw", "5000000" },
        { "in_power1_scale", "1.192100000" }, { "in_power1_label", "VDD_IN_POWER_1" }, { "in_energy2_raw", "0" },
        { "in_energy2_scale", "1.192100000" });
    PUT({ "in_energy2_en", "0" }); /* switched off: its power is read instead */
    PUT({ "in_energy2_label", "VDD_CPU_ENERGY_2" }, { "in_power2_raw", "2000000" },
        { "in_power2_scale", "1.192100000" }, { "in_power2_label", "VDD_CPU_POWER_2" });
    ck_assert(open_source());
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert_uint_eq(energy_of("machine"), 1192100000);
    ck_assert_uint_eq(domain_of("machine")->poll_ns, 0); /* a counter */
    ck_assert_uint_eq(domain_of("machine")->resolution_uj, 2);
    ck_assert_uint_eq(domain_of("machine")->wraps_at_uj, 0);
    ck_assert_int_eq(domain_of("pac1934-vdd_in_power_1")->component, COMPONENT_RAIL);
    ck_assert_ptr_nonnull(strstr(domain_of("pac1934-vdd_in_power_1")->not_counted, "energy is counted"));
    ck_assert_ptr_nonnull(strstr(domain_of("pac1934-vdd_cpu_power_2")->not_counted, "one rail"));
    expect_power(index_of("pac1934-vdd_in_power_1"), 5.9605);
}
END_TEST

START_TEST(energy_is_joules)
{
    PUT({ "name", "other" }, { "in_energy0_raw", "3000" }, { "in_energy0_scale", "0.5" });
    ck_assert(open_source());
    ck_assert_uint_eq(energy_of("other"), 1500000000);
    ck_assert_uint_eq(domain_of("other")->resolution_uj, 500000);
    ck_assert_ptr_nonnull(strstr(domain_of("other")->not_counted, "nothing says"));
    PUT({ "in_energy0_raw", "3002.5" });
    ck_assert_uint_eq(energy_of("other"), 1501250000);
}
END_TEST

START_TEST(other_files_are_no_channels)
{
    PUT({ "name", "bq25890" }, { "in_energy_charge_online_input", "1" }, { "in_power1_active_raw", "1" },
        { "in_power123456789_raw", "1" }, { "in_power1_rawer", "1" }, { "out_power1_raw", "1" },
        { "energy_value", "CH0(T=1)[VDD], 5" });
    tree_put(&tree, "sys/bus/iio/devices/trigger0/name", "t");
    tree_put(&tree, "sys/bus/iio/devices/trigger0/in_power0_raw", "1");
    tree_put(&tree, "sys/bus/iio/devices/iio:device1/in_power0_raw", "1"); /* without a name */
    ck_assert(!open_source());
    ck_assert_uint_eq(source.domain_count, 0);
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    another_tree();
    expect_refused(open_source(), ERROR_ABSENT);
}
END_TEST

/* Channels that are there and make no sense: the raw value, and its scale. */
static void check_bad(const char *why, const char *const (*channels)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        another_tree();
        PUT({ "name", "ina226" }, { "in_power2_raw", channels[i][0] }, { "in_power2_scale", channels[i][1] });
        expect_bad_data(open_source(), why);
    }
}

START_TEST(what_makes_no_sense_has_no_reading)
{
    static const char *const no_number[][2] = { { "none", "25" }, { "", "25" }, { "248", "none" } };
    static const char *const no_power[][2] = { { "-3", "25" }, { "4294967295", "25" } };
    static const char *const no_scale[][2] = { { "248", "0.000000" }, { "248", "-25" } };

    check_bad("does not hold a number", no_number, 3);
    check_bad("no machine can draw", no_power, 2);
    check_bad("scale is not above 0", no_scale, 2);
}
END_TEST

START_TEST(denied_is_not_absent)
{
    PUT({ "name", "ina226" }, { "in_power2_raw", "248" });
    keep_from_others("sys/bus/iio/devices/iio:device0/in_power2_raw");
    expect_refused(open_source(), ERROR_DENIED);
    ck_assert_ptr_nonnull(strstr(err.what, "in_power2_raw"));
    ck_assert_ptr_nonnull(strstr(err.fix, "as root"));
}
END_TEST

START_TEST(a_failed_reading_is_not_zero)
{
    PUT({ "name", "pac1934" }, { "in_energy1_raw", "1000" }, { "in_power2_raw", "1000" });
    ck_assert(open_source());
    read_source();
    PUT({ "in_energy1_raw", "-1000" }); /* it flowed back */
    PUT({ "in_power2_raw", "" });
    read_source();
    ck_assert_int_eq(readings[0].error, ERANGE);
    ck_assert_int_eq(readings[1].error, EBADMSG);
    PUT({ "in_energy1_raw", "2000" }, { "in_power2_raw", "1000" });
    read_source();
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert(!readings[0].restarted); /* a counter goes on meanwhile */
    ck_assert_uint_eq(readings[0].energy_uj, 2000);
    ck_assert(readings[1].restarted); /* a power does not */
}
END_TEST

/* L4T up to 32, Jetson TX2: two chips on the module, one on the carrier board. */
START_TEST(rails_of_an_old_jetson)
{
    static const struct {
        int device, channel;
        const char *rail, *power_mw;
    } rails[] = {
        { 0, 0, "VDD_SYS_GPU", "152" }, { 0, 1, "VDD_SYS_SOC", "458" }, { 0, 2, "VDD_4V0_WIFI", "0" },
        { 1, 0, "VDD_IN", "3240" },     { 1, 1, "VDD_SYS_CPU", "305" }, { 1, 2, "VDD_SYS_DDR", "733" },
        { 2, 0, "VDD_MUX", "1910" },    { 2, 1, NULL, "58" },
    };
    char path[128];

    for (size_t i = 0; i < sizeof rails / sizeof rails[0]; i++) {
        snprintf(path, sizeof path, "sys/bus/iio/devices/iio:device%d/name", rails[i].device);
        tree_put(&tree, path, "ina3221x");
        snprintf(path, sizeof path, "sys/bus/iio/devices/iio:device%d/in_power%d_input", rails[i].device,
                 rails[i].channel);
        tree_put(&tree, path, rails[i].power_mw);
        snprintf(path, sizeof path, "sys/bus/iio/devices/iio:device%d/rail_name_%d", rails[i].device, rails[i].channel);
        if (rails[i].rail)
            tree_put(&tree, path, rails[i].rail);
    }
    ck_assert_msg(open_source(), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(source.domain_count, sizeof rails / sizeof rails[0]);
    for (size_t i = 0; i < source.domain_count; i++) {
        const bool input = source.domains[i].component == COMPONENT_MACHINE;

        ck_assert(input == !source.domains[i].not_counted[0] && input == source.domains[i].part);
    }
    ck_assert_int_eq(domain_of("ina3221x-vdd_in")->component, COMPONENT_MACHINE);
    ck_assert_int_eq(domain_of("ina3221x-vdd_mux")->component, COMPONENT_MACHINE);
    ck_assert_str_eq(domain_of("ina3221x-vdd_sys_cpu")->not_counted,
                     "one rail of the board, and no input of the board by its name");
    ck_assert_str_eq(domain_of("ina3221x")->not_counted, "no rail_name says what this shunt measures");
    expect_power(index_of("ina3221x-vdd_in"), 3.24);
    expect_power(index_of("ina3221x-vdd_mux"), 1.91);
}
END_TEST

/* 10 W by the power of the same channel: 1 J, and 10 J in each of 6 s in which the energy stood still. */
START_TEST(a_frozen_energy_gives_way_to_the_power_of_its_channel)
{
    PUT({ "name", "ina228" }, { "label", "VDD_IN" }, { "in_energy0_raw", "1000" }, { "in_energy0_scale", "0.001" },
        { "in_power0_raw", "100" }, { "in_power0_scale", "100" });
    ck_assert_msg(open_source(), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(domain_of("machine")->held_ns, UINT64_C(5000000000));
    for (int s = 0; s <= 4; s++) {
        set_clock_s = 1000 + s;
        ck_assert_uint_eq(energy_of("machine"), 1000000);
    }
    set_clock_s = 1006;
    ck_assert_uint_eq(energy_of("machine"), 61000000);
    ck_assert_int_eq(domain_of("machine")->doubt.notice, NOTICE_FROZEN);
    set_clock_s = 1008;
    ck_assert_uint_eq(energy_of("machine"), 81000000);
    set_clock_s = 0;
}
END_TEST

UNIT_SUITE_IN("iio", open_tree, close_all, raw_times_scale_is_milliwatts, offset_and_a_scale_for_all,
              input_is_scaled_already, pac1934_scales_to_micro, energy_is_joules, other_files_are_no_channels,
              what_makes_no_sense_has_no_reading, denied_is_not_absent, a_failed_reading_is_not_zero,
              rails_of_an_old_jetson, a_frozen_energy_gives_way_to_the_power_of_its_channel)
