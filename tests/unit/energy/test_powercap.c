/* SPDX-License-Identifier: MIT
 * The powercap driver over trees made here. */
#include "source_fixture.h"
#include "unit.h"

#include <errno.h>

extern const struct energy_driver powercap_driver;

static const struct machine intel = { .cpu_vendor = "GenuineIntel", .packages = 1, .cpus_online = 1 };
static const struct machine amd = { .cpu_vendor = "AuthenticAMD", .packages = 1, .cpus_online = 1 };

static void zone(const char *id, const char *name, const char *energy_uj, const char *range_uj)
{
    char path[256];

    snprintf(path, sizeof path, "sys/class/powercap/%s/name", id);
    tree_put(&tree, path, name);
    if (energy_uj) {
        snprintf(path, sizeof path, "sys/class/powercap/%s/energy_uj", id);
        tree_put(&tree, path, energy_uj);
    }
    if (range_uj) {
        snprintf(path, sizeof path, "sys/class/powercap/%s/max_energy_range_uj", id);
        tree_put(&tree, path, range_uj);
    }
}

static bool open_source(const struct machine *machine)
{
    return source_open(&powercap_driver, machine);
}

START_TEST(modulus_is_the_range_and_one_unit)
{
    static const struct {
        const char *range_uj;
        uint64_t wraps_at_uj, resolution_uj;
    } known[] = {
        { "262143328850", 262143328911, 62 },
        { "65532610987", 65532611002, 16 },
        { "65712999613", 65712999628, 16 },
        { "262143999938", 262143999999, 62 },
        { "1000", 1001, 1 },
        { "131071999969", 131072000000, 31 }, /* 2^32 units of 2^-15 J, 30.52 uJ, are 131072 J */
        { "2147483647", 2147483648, 1 },
        { "6442450942", 6442450943, 2 }, /* half a unit less, 1.5 units less */
        { "6442450943", 6442450945, 2 },
        { "4294967295", 4294967296, 1 },
        { "4294967296", 4294967297, 2 },
        { "18446744069414584319", UINT64_MAX, 4294967296 },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        another_tree();
        zone("intel-rapl:0", "package-0", "5", known[i].range_uj);
        ck_assert(open_source(&intel));
        ck_assert_uint_eq(source.domains[0].wraps_at_uj, known[i].wraps_at_uj);
        ck_assert_uint_eq(source.domains[0].resolution_uj, known[i].resolution_uj);
        ck_assert(!source.domains[0].wrap_unknown);
    }
}
END_TEST

START_TEST(unreadable_range_is_no_modulus)
{
    zone("intel-rapl:0", "package-0", "5", NULL);
    zone("intel-rapl:1", "package-1", "5", "0");
    zone("intel-rapl:2", "package-2", "5", "18446744069414584320"); /* with a unit it would be 2^64 */
    ck_assert(open_source(&intel));
    for (size_t i = 0; i < 3; i++) {
        ck_assert(source.domains[i].wrap_unknown);
        ck_assert_uint_eq(source.domains[i].wraps_at_uj, 0);
    }
}
END_TEST

START_TEST(names_come_from_name_files)
{
    static const char *const names[] = {
        "package-0",    "package-0-mmio", "core-0", "uncore-0", "dram-0", "package-1-die-0", "package-1-die-1",
        "dram-1-die-1", "package-10",     "psys",   "psys#2",   "psys-0", "psys-1",
    };
    static const char *const zones[][3] = {
        { "intel-rapl:0", "package-1-die-1", "1" },
        { "intel-rapl:0:0", "dram", "2" },
        { "intel-rapl:1", "psys", "3" },
        { "intel-rapl:2", "psys-1", "3" },
        { "intel-rapl:3", "psys", "3" },
        { "intel-rapl:4", "psys-0", "3" },
        { "intel-rapl:5", "package-1-die-0", "1" },
        { "intel-rapl:a", "package-0", "4" },
        { "intel-rapl:a:a", "uncore", "5" },
        { "intel-rapl:a:0", "core", "6" },
        { "intel-rapl:a:1", "dram", "7" },
        { "intel-rapl:f", "package-10", "8" },
        { "intel-rapl-mmio:0", "package-0", "4" },
    };

    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        zone(zones[i][0], zones[i][1], zones[i][2], "1000");
    ck_assert(open_source(&intel));
    ck_assert_uint_eq(source.domain_count, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < source.domain_count; i++)
        ck_assert_str_eq(source.domains[i].name, names[i]);
    ck_assert_str_eq(domain_of("dram-1-die-1")->path, "sys/class/powercap/intel-rapl:0:0");
    ck_assert_int_eq(domain_of("dram-1-die-1")->package, 1);
    ck_assert_int_eq(domain_of("dram-1-die-1")->die, 1);
    ck_assert_int_eq(domain_of("package-1-die-0")->die, 0);
    ck_assert_int_eq(domain_of("package-0-mmio")->access, ACCESS_MMIO);
    ck_assert_int_eq(domain_of("psys")->package, -1);
    ck_assert_uint_eq(source.notices.count, 0);
}
END_TEST

START_TEST(other_entries_are_no_zones)
{
    static const char *const others[][2] = {
        { "intel-rapl", "package-7" },    { "dtpm:0", "package-8" },     { "intel-rapl:g", "package-9" },
        { ".intel-rapl:1", "package-6" }, { "intel-rapl:2", "mystery" }, { "intel-rapl:3", "package-x" },
    };

    zone("intel-rapl:0", "package-0", "1", "1000");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        zone(others[i][0], others[i][1], "1", "1000");
    ck_assert(open_source(&intel));
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_uint_eq(source.notices.count, 2); /* zones whose names say nothing */
}
END_TEST

START_TEST(zones_of_the_nested_view_are_not_seen_twice)
{
    tree_put(&tree, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/name", "package-0");
    tree_put(&tree, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj", "7");
    tree_put(&tree, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0/name", "dram");
    tree_put(&tree, "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0/energy_uj", "8");
    tree_put(&tree, "sys/class/powercap/.keep", "");
    tree_link(&tree, "sys/class/powercap/intel-rapl", "../../devices/virtual/powercap/intel-rapl");
    tree_link(&tree, "sys/class/powercap/intel-rapl:0", "../../devices/virtual/powercap/intel-rapl/intel-rapl:0");
    tree_link(&tree, "sys/class/powercap/intel-rapl:0:0",
              "../../devices/virtual/powercap/intel-rapl/intel-rapl:0/intel-rapl:0:0");
    ck_assert(open_source(&intel));
    ck_assert_uint_eq(source.domain_count, 2);
    ck_assert_str_eq(source.domains[0].name, "package-0");
    ck_assert_str_eq(source.domains[1].name, "dram-0");
}
END_TEST

START_TEST(counters_are_read_in_place)
{
    zone("intel-rapl:0", "package-0", "00000000000000000005", "1000");
    zone("intel-rapl:1", "package-1", "00000000000000000007", "1000");
    ck_assert(open_source(&intel));
    powercap_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert_uint_eq(readings[0].energy_uj, 5);
    ck_assert_uint_eq(readings[1].energy_uj, 7);
    tree_put(&tree, "sys/class/powercap/intel-rapl:0/energy_uj", "00000000000000000999");
    tree_put(&tree, "sys/class/powercap/intel-rapl:1/energy_uj", "");
    powercap_driver.read(&source, readings);
    ck_assert_uint_eq(readings[0].energy_uj, 999);
    ck_assert_int_eq(readings[1].error, EBADMSG); /* a failed read is not 0 */
}
END_TEST

START_TEST(one_bad_zone_does_not_stop_the_others)
{
    char pipe[512];

    zone("intel-rapl:4", "package-4", NULL, "1000"); /* nobody ever writes to it */
    snprintf(pipe, sizeof pipe, "%s/sys/class/powercap/intel-rapl:4/energy_uj", tree.path);
    ck_assert_int_eq(mkfifo(pipe, 0666), 0);
    zone("intel-rapl:0", "package-0", "5", "1000");
    zone("intel-rapl:1", "package-1", NULL, "1000");
    zone("intel-rapl:2", "package-2", "nonsense", "1000");
    zone("intel-rapl:3", "package-3", "5", "1000");
    keep_from_others("sys/class/powercap/intel-rapl:3/energy_uj");
    ck_assert(open_source(&intel));
    ck_assert_uint_eq(source.domain_count, 5);
    ck_assert_int_eq(source.domains[0].problem.kind, ERROR_NONE);
    ck_assert_int_eq(source.domains[1].problem.kind, ERROR_ABSENT);
    ck_assert_int_eq(source.domains[4].problem.kind, ERROR_SYSTEM);
    ck_assert_int_eq(source.domains[2].problem.kind, ERROR_BAD_DATA);
    ck_assert_int_eq(source.domains[3].problem.kind, ERROR_DENIED);
    powercap_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, 0);
    for (size_t i = 1; i < 5; i++)
        ck_assert_int_ne(readings[i].error, 0);
}
END_TEST

START_TEST(denied_names_the_file_and_a_safe_step)
{
    zone("intel-rapl:0", "package-0", NULL, "1000");
    zone("intel-rapl:1", "package-1", "5", "1000");
    keep_from_others("sys/class/powercap/intel-rapl:1/energy_uj");
    expect_refused(open_source(&intel), ERROR_DENIED); /* not absent, though that is the first domain's problem */
    HAS(err.what, "/sys/class/powercap/intel-rapl:1/energy_uj'");
    HAS(err.why, "Linux 5.10");
    HAS(err.fix, "udev rule");
    LACKS(err.fix, "chmod");
    ck_assert_uint_eq(source.domain_count, 2);
}
END_TEST

/* Opens an empty machine and gives the whole answer. */
enum class { NO_CLASS, EMPTY_CLASS, EMPTY_TYPE };

static struct error absence(const struct machine *machine, enum class with, const char *link)
{
    another_tree();
    tree_put(&tree, "proc/cpuinfo", "");
    if (with != NO_CLASS)
        tree_put(&tree, "sys/class/powercap/.keep", "");
    if (with == EMPTY_TYPE)
        tree_put(&tree, "sys/class/powercap/intel-rapl/enabled", "1");
    if (link)
        tree_link(&tree, "sys/class/powercap/intel-rapl:0", link);
    ck_assert(!open_source(machine));
    ck_assert_uint_eq(source.domain_count, 0);
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    HAS(err.what, "no RAPL counter in");
    return err;
}

START_TEST(absence_has_its_cause)
{
    const struct machine guest = { .cpu_vendor = "GenuineIntel", .guest = true, .hypervisor = "KVM" };
    const struct machine container = { .cpu_vendor = "GenuineIntel", .container = true };
    const struct machine both = { .cpu_vendor = "GenuineIntel", .container = true, .guest = true };
    const struct machine arm = { .cpu_vendor = "ARM:0x41" };
    const struct machine client = { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 77 };

    ck_assert_ptr_nonnull(strstr(absence(&client, NO_CLASS, NULL).why, "family 6 model 77"));
    ck_assert_ptr_nonnull(strstr(absence(&client, EMPTY_CLASS, NULL).fix, "modprobe"));
    ck_assert_ptr_nonnull(strstr(absence(&guest, EMPTY_CLASS, NULL).why, "virtual machine (KVM)"));
    ck_assert_ptr_nonnull(strstr(absence(&container, EMPTY_CLASS, NULL).why, "masked"));
    ck_assert_ptr_nonnull(strstr(absence(&client, EMPTY_CLASS, "../nowhere").why, "masked"));
    ck_assert_ptr_nonnull(strstr(absence(&client, EMPTY_CLASS, "../nowhere").fix, "bind-mount"));
    ck_assert_ptr_null(strstr(absence(&both, EMPTY_CLASS, NULL).why, "masked"));
    ck_assert_ptr_nonnull(strstr(absence(&arm, NO_CLASS, NULL).why, "Intel and AMD"));
}
END_TEST

/* The driver makes its control type where it starts, and zones where it knows the processor. */
START_TEST(a_control_type_without_zones_wants_a_newer_kernel)
{
    static const struct machine known[] = {
        { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 221, .kernel = "6.1.0-56-amd64" },
        { .cpu_vendor = "AuthenticAMD", .cpu_family = 26, .cpu_number = 2 },
        { .cpu_vendor = "GenuineIntel", .cpu_family = 6, .cpu_number = 221, .container = true },
    };
    const struct machine guest = { .cpu_vendor = "GenuineIntel", .guest = true };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct error reported = absence(&known[i], EMPTY_TYPE, NULL);
        ck_assert_msg(strstr(reported.why, "newer than this kernel"), "case %zu: %s", i, reported.why);
        HAS(reported.why, i == 1 ? "(family 26 model 2)" : "(family 6 model 221)");
        LACKS(reported.fix, "modprobe");
        HAS(reported.fix, "newer kernel");
    }
    ck_assert_ptr_nonnull(strstr(absence(&known[0], EMPTY_TYPE, NULL).why, ", 6.1.0-56-amd64"));
    ck_assert_ptr_nonnull(strstr(absence(&known[0], EMPTY_TYPE, "../nowhere").why, "masked"));
    ck_assert_ptr_nonnull(strstr(absence(&guest, EMPTY_TYPE, NULL).why, "virtual machine"));
}
END_TEST

START_TEST(zones_that_lead_nowhere_are_noticed)
{
    zone("intel-rapl:0", "package-0", "5", "1000");
    tree_link(&tree, "sys/class/powercap/intel-rapl:1", "../nowhere");
    ck_assert(open_source(&intel));
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_uint_eq(source.notices.count, 1);
}
END_TEST

START_TEST(amd_core_zone_is_one_core)
{
    zone("intel-rapl:0", "package-0", "5", "1000");
    zone("intel-rapl:0:0", "core", "5", "1000");
    ck_assert(open_source(&amd));
    ck_assert_str_eq(domain_of("package-0")->not_counted, "");
    ck_assert_ptr_nonnull(strstr(domain_of("core-0")->not_counted, "one core"));
}
END_TEST

START_TEST(counters_of_a_guest_are_virtual)
{
    const struct machine guest = { .cpu_vendor = "GenuineIntel", .guest = true };

    zone("intel-rapl:0", "package-0", "5", "1000");
    ck_assert(open_source(&guest));
    ck_assert_int_eq(source.domains[0].quality, QUALITY_VIRTUAL);
    ck_assert_uint_eq(source.domains[0].update_ns, 1000000000); /* QEMU makes it up once a second */
    powercap_driver.close(&source);
    ck_assert(open_source(&intel));
    ck_assert_int_eq(source.domains[0].quality, QUALITY_MEASURED);
    ck_assert(source.domains[0].low_ratio == 1 && source.domains[0].high_ratio == 1); /* no model */
    ck_assert_uint_eq(source.domains[0].update_ns, 1000000);
}
END_TEST

/* The highest limit that the zone has. */
START_TEST(the_highest_limit_is_the_zones)
{
    static const struct {
        const char *file;
        const char *limit_uw; /* that it holds */
        double limit_w;
    } known[] = {
        { "constraint_0_power_limit_uw", "65000000", 65 }, { "constraint_1_power_limit_uw", "250000000", 250 },
        { "constraint_0_max_power_uw", "300000000", 300 }, { "constraint_2_max_power_uw", "700000000", 700 },
        { "constraint_0_power_limit_uw", "6000000", 300 }, { "enabled", "1", 300 },
    };
    char path[128];

    zone("intel-rapl:0", "package-0", "5", "1000");
    ck_assert(open_source(&intel));
    ck_assert(source.domains[0].limit_w == 0);
    powercap_driver.close(&source);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (i == 4) /* the highest is not the last */
            tree_put(&tree, "sys/class/powercap/intel-rapl:0/constraint_2_max_power_uw", "0");
        snprintf(path, sizeof path, "sys/class/powercap/intel-rapl:0/%s", known[i].file);
        tree_put(&tree, path, known[i].limit_uw);
        ck_assert(open_source(&intel));
        ck_assert_msg(source.domains[0].limit_w == known[i].limit_w, "%zu: %.0f W", i, source.domains[0].limit_w);
        powercap_driver.close(&source);
    }
}
END_TEST

UNIT_SUITE_IN("powercap", open_tree, close_all, the_highest_limit_is_the_zones, modulus_is_the_range_and_one_unit,
              unreadable_range_is_no_modulus, names_come_from_name_files, other_entries_are_no_zones,
              zones_of_the_nested_view_are_not_seen_twice, counters_are_read_in_place,
              one_bad_zone_does_not_stop_the_others, denied_names_the_file_and_a_safe_step, absence_has_its_cause,
              a_control_type_without_zones_wants_a_newer_kernel, zones_that_lead_nowhere_are_noticed,
              amd_core_zone_is_one_core, counters_of_a_guest_are_virtual)
