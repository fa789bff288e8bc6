/* SPDX-License-Identifier: MIT
 * The driver of Cray's counters over trees made here. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include <errno.h>

extern const struct energy_driver cray_driver;

static const struct machine node = { .packages = 2, .cpus_online = 2 };

/* PUT({ "energy", "7 J" }, { "power", "3 W" }) */
#define PUT(...) TREE_PUT(&tree, "sys/cray/pm_counters", __VA_ARGS__)

static bool open_source(void)
{
    return source_open(&cray_driver, &node);
}

START_TEST(the_node_and_its_parts)
{
    static const struct {
        const char *name, *file;
        enum component component;
        bool part;
        uint64_t energy_j;
    } expected[] = {
        { "machine", "energy", COMPONENT_MACHINE, false, 123456789 },
        { "package", "cpu_energy", COMPONENT_PACKAGE, false, 34567890 },
        { "dram", "memory_energy", COMPONENT_MEMORY, false, 5678901 },
        { "gpu-0", "accel0_energy", COMPONENT_GPU, true, 10 },
        { "gpu-11", "accel11_energy", COMPONENT_GPU, true, 11 },
    };
    char text[64];

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        snprintf(text, sizeof text, "%lu J 1717671234567890 us", (unsigned long)expected[i].energy_j);
        PUT({ expected[i].file, text });
    }
    PUT({ "power", "1120 W 1717671234567890 us" }, { "accel0_power_cap", "0 W" }, { "freshness", "12345" },
        { "raw_scan_hz", "20" });
    PUT({ "accel1_energy", "0 J 1717671234567890 us" }); /* a place without a card */
    ck_assert_msg(open_source(), "%s", err.what);
    ck_assert_uint_eq(source.domain_count, sizeof expected / sizeof expected[0]);
    read_source();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct domain *domain = domain_of(expected[i].name);

        ck_assert_int_eq(domain->component, expected[i].component);
        ck_assert(domain->part == expected[i].part);
        ck_assert_str_eq(domain->not_counted, "");
        ck_assert_uint_eq(domain->update_ns, 50000000);
        ck_assert_uint_eq(domain->resolution_uj, 1000000);
        ck_assert_uint_eq(domain->poll_ns, 0);
        ck_assert_int_eq(readings[index_of(expected[i].name)].error, 0);
        ck_assert_uint_eq(readings[index_of(expected[i].name)].energy_uj, expected[i].energy_j * 1000000);
    }
    /* whole joules: one notice for all of them */
    ck_assert_uint_eq(source.notices.count, 1);
    ck_assert_int_eq(source.notices.item[0].kind, NOTICE_COARSE);
    ck_assert_ptr_nonnull(strstr(source.notices.item[0].what, "more count in steps of 1.00 J"));
}
END_TEST

START_TEST(older_forms)
{
    PUT({ "energy", "7 J" }, { "accel_energy", "9 J 1 us" }, { "fan_energy", "3 J 1 us" });
    ck_assert_msg(open_source(), "%s", err.what);
    ck_assert_uint_eq(domain_of("machine")->update_ns, 100000000);
    ck_assert_int_eq(domain_of("gpu")->component, COMPONENT_GPU);
    ck_assert_int_eq(domain_of("cray-fan_energy")->component, COMPONENT_RAIL);
    ck_assert_str_ne(domain_of("cray-fan_energy")->not_counted, "");
}
END_TEST

START_TEST(what_is_not_joules_is_no_energy)
{
    static const char *const texts[] = { "", "J", "12 kJ 1 us", "12 Joules", "-3 J", "99999999999999999 J 1 us" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        another_tree();
        PUT({ "energy", texts[i] });
        ck_assert_msg(!open_source(), "%s", texts[i]);
        ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
        ck_assert_int_eq(domain_of("machine")->problem.kind, ERROR_BAD_DATA);
        read_source();
        ck_assert_int_ne(readings[0].error, 0);
    }
}
END_TEST

START_TEST(one_that_cannot_be_read_leaves_the_others)
{
    PUT({ "energy", "7 J 1 us" }, { "cpu_energy", "5 J 1 us" });
    keep_from_others("sys/cray/pm_counters/cpu_energy");
    ck_assert_msg(open_source(), "%s", err.what);
    ck_assert_int_eq(domain_of("package")->problem.kind, ERROR_DENIED);
    read_source();
    ck_assert_int_eq(readings[index_of("machine")].error, 0);
    ck_assert_int_eq(readings[index_of("package")].error, ENODATA);
    /* and a reading that fails is none */
    PUT({ "energy", "?" });
    read_source();
    ck_assert_int_eq(readings[index_of("machine")].error, EBADMSG);
}
END_TEST

START_TEST(another_machine)
{
    expect_refused(open_source(), ERROR_ABSENT);
}
END_TEST

/* 300 W: it is refreshed ten times a second. A figure of another unit, or none, is no power. */
START_TEST(a_frozen_counter_gives_way_to_the_power_beside_it)
{
    PUT({ "energy", "1000 J 1 us" }, { "power", "1120 mW 1 us" }, { "accel0_energy", "500 J 1 us" },
        { "accel0_power", "300 W 1 us" });
    ck_assert_msg(open_source(), "%s", err.what);
    ck_assert_uint_eq(domain_of("machine")->held_ns, 0);
    ck_assert_uint_eq(domain_of("gpu-0")->held_ns, 500000000);
    for (int tenth = 0; tenth <= 4; tenth++) {
        set_clock_s = 1000 + tenth / 10.0;
        read_source();
        ck_assert_uint_eq(readings[index_of("gpu-0")].energy_uj, 500000000);
    }
    set_clock_s = 1002;
    read_source();
    ck_assert_uint_eq(readings[index_of("gpu-0")].energy_uj, 1100000000);
    ck_assert_uint_eq(readings[index_of("machine")].energy_uj, 1000000000);
    ck_assert_int_eq(domain_of("gpu-0")->doubt.notice, NOTICE_FROZEN);
    ck_assert_int_eq(domain_of("machine")->doubt.notice, NOTICE_NONE);
    set_clock_s = 0;
}
END_TEST

UNIT_SUITE_IN("cray", open_tree, close_all, the_node_and_its_parts, older_forms, what_is_not_joules_is_no_energy,
              one_that_cannot_be_read_leaves_the_others, another_machine,
              a_frozen_counter_gives_way_to_the_power_beside_it)
