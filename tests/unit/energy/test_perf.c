/* SPDX-License-Identifier: MIT
 * The perf driver: PMUs as sysfs tells them, and true events where this kernel lets us open them. */
#include "source_fixture.h"

#include "base/pfm_names.h"
#include "energy/perf_pmu.h"
#include "unit.h"

#include <errno.h>
#include <time.h>

extern const struct energy_driver perf_driver;

#define RAPL_SCALE "2.3283064365386962890625e-10"
#define DEVICES "sys/bus/event_source/devices/"

static void put_pmu(const char *name, const char *type, const char *mask)
{
    char path[128];

    snprintf(path, sizeof path, DEVICES "%s/type", name);
    tree_put(&tree, path, type);
    snprintf(path, sizeof path, DEVICES "%s/cpumask", name);
    tree_put(&tree, path, mask);
    snprintf(path, sizeof path, DEVICES "%s/format/event", name);
    tree_put(&tree, path, "config:0-7");
    snprintf(path, sizeof path, DEVICES "%s/format/umask", name);
    tree_put(&tree, path, "config:8-15");
}

static void put_event(const char *pmu, const char *name, const char *code, const char *scale, const char *unit)
{
    char path[128];

    snprintf(path, sizeof path, DEVICES "%s/events/%s", pmu, name);
    tree_put(&tree, path, code);
    snprintf(path, sizeof path, DEVICES "%s/events/%s.scale", pmu, name);
    tree_put(&tree, path, scale);
    snprintf(path, sizeof path, DEVICES "%s/events/%s.unit", pmu, name);
    tree_put(&tree, path, unit);
}

START_TEST(events_are_what_sysfs_says)
{
    struct pmu pmu;
    struct pmu_event event;

    put_pmu("power", "23", "0");
    put_event("power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event("power", "energy-ram", "event=3,umask=0x10", "1e-3", "Joules");
    ck_assert(pmu_read(&pmu, &tree.root, "power", &err));
    ck_assert_uint_eq(pmu.type, 23);
    ck_assert(!pmu_is_static(&pmu));
    ck_assert(pmu_read_event(&pmu, &tree.root, "energy-pkg", &event, &err));
    ck_assert_uint_eq(event.config, 2);
    ck_assert_int_eq(event.component, COMPONENT_PACKAGE);
    ck_assert(event.j_per_count == 0x1p-32);
    ck_assert(pmu_read_event(&pmu, &tree.root, "energy-ram", &event, &err));
    ck_assert_uint_eq(event.config, 0x1003);
    ck_assert_int_eq(event.component, COMPONENT_MEMORY);
}
END_TEST

START_TEST(senseless_events_are_refused)
{
    static const struct {
        const char *name, *code, *scale, *unit, *blamed;
    } wrong[] = {
        { "energy-pkg", "event=0x02", RAPL_SCALE, "Watts", ".unit" },
        { "energy-pkg", "event=0x02", RAPL_SCALE, "", ".unit" },
        { "energy-pkg", "event=0x02", "nan", "Joules", ".scale" },
        { "energy-pkg", "event=0x02", "0", "Joules", ".scale" },
        { "energy-pkg", "event=0x02", "-1", "Joules", ".scale" },
        { "energy-pkg", "event=0x102", RAPL_SCALE, "Joules", "format/event" }, /* does not fit */
        { "energy-pkg", "event=two", RAPL_SCALE, "Joules", "format/event" },
        { "energy-pkg", "event=", RAPL_SCALE, "Joules", "format/event" },
        { "energy-pkg", "colour=2", RAPL_SCALE, "Joules", "format/colour" },
        { "energy-moon", "event=0x02", RAPL_SCALE, "Joules", "energy-moon" },
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pmu pmu;
        struct pmu_event event;

        another_tree();
        put_pmu("power", "23", "0");
        put_event("power", wrong[i].name, wrong[i].code, wrong[i].scale, wrong[i].unit);
        ck_assert(pmu_read(&pmu, &tree.root, "power", &err));
        ck_assert(!pmu_read_event(&pmu, &tree.root, wrong[i].name, &event, &err));
        ck_assert_msg(strstr(err.what, wrong[i].blamed) != NULL, "case %zu: %s", i, err.what);
        put_pmu("power", "4294967297", "0"); /* not 1, the software PMU */
        ck_assert(!pmu_read(&pmu, &tree.root, "power", &err) && err.kind == ERROR_BAD_DATA);
    }
}
END_TEST

/* Two packages of two dies with two CPUs each. */
static void eight_cpus(struct machine *machine, const char *vendor)
{
    *machine = (struct machine){ .packages = 2, .cpus_online = 8, .cpu_limit = 8 };
    strcpy(machine->cpu_vendor, vendor);
    for (int cpu = 0; cpu < MACHINE_MAX_CPUS; cpu++) {
        machine->package_of[cpu] = (int16_t)(cpu < 8 ? cpu / 4 : -1);
        machine->die_of[cpu] = (int16_t)(cpu < 8 ? cpu / 2 % 2 : -1);
    }
}

static struct pmu_places places_of(const struct machine *machine, const char *mask)
{
    struct pmu pmu;
    struct pmu_places places;

    another_tree();
    put_pmu("power", "23", mask);
    ck_assert(pmu_read(&pmu, &tree.root, "power", &err));
    ck_assert_msg(pmu_read_places(&pmu, &tree.root, machine, &places, &err), "%s", err.why);
    return places;
}

START_TEST(one_place_per_package_or_die)
{
    static struct machine machine; /* too large for a small stack */
    struct pmu_places places;

    eight_cpus(&machine, "GenuineIntel");
    places = places_of(&machine, "0,4"); /* one CPU per package */
    ck_assert_uint_eq(places.count, 2);
    ck_assert_int_eq(places.places[1].cpu, 4);
    ck_assert_int_eq(places.places[1].package, 1);
    ck_assert_int_eq(places.places[1].die, -1);
    places = places_of(&machine, "0,2,4,6"); /* one per die */
    ck_assert_uint_eq(places.count, 4);
    ck_assert_int_eq(places.places[1].package, 0);
    ck_assert_int_eq(places.places[1].die, 1);
    places = places_of(&machine, "0-7"); /* every CPU: the event is the package's */
    ck_assert_uint_eq(places.count, 2);
    ck_assert_int_eq(places.places[0].die, -1);

    eight_cpus(&machine, "AuthenticAMD");
    places = places_of(&machine, "0,2,4,6"); /* one counter per package, whatever the dies */
    ck_assert_uint_eq(places.count, 2);

    machine.packages = 1;
    memset(machine.package_of, -1, sizeof machine.package_of); /* no topology: one event, not eight */
    places = places_of(&machine, "0-7");
    ck_assert_uint_eq(places.count, 1);
    ck_assert_int_eq(places.places[0].package, 0);
}
END_TEST

static const struct machine *one_package(bool guest)
{
    static struct machine machine;

    machine = (struct machine){ .cpu_vendor = "GenuineIntel", .packages = 1, .cpu_limit = 1, .guest = guest };
    memset(machine.package_of, -1, sizeof machine.package_of);
    memset(machine.die_of, -1, sizeof machine.die_of);
    machine.package_of[0] = 0;
    return &machine;
}

static bool open_source(const struct machine *machine)
{
    return source_open(&perf_driver, machine);
}

/* False: this kernel refuses, as it must then say. */
static bool opened_for_real(const struct machine *machine)
{
    if (open_source(machine))
        return true;
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    printf("perf events are denied here: %s\n", err.why);
    return false;
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

START_TEST(software_pmu_counts_for_real)
{
    const struct timespec pause = { .tv_nsec = 200000000 };
    struct reading before[1], after[1];
    double times_us[4];

    put_pmu("power", "1", "0");
    put_event("power", "energy-pkg", "event=0x00", "1e-9", "Joules"); /* cpu-clock: 1 W */
    if (opened_for_real(one_package(false))) {
        ck_assert_uint_eq(source.domain_count, 1);
        ck_assert_str_eq(source.domains[0].name, "package-0");
        ck_assert_str_eq(source.domains[0].path, DEVICES "power/events/energy-pkg");
        ck_assert_uint_eq(source.domains[0].wraps_at_uj, 0);
        times_us[0] = now_us();
        perf_driver.read(&source, before);
        times_us[1] = now_us();
        nanosleep(&pause, NULL);
        times_us[2] = now_us();
        perf_driver.read(&source, after);
        times_us[3] = now_us();
        ck_assert_int_eq(before[0].error, 0);
        ck_assert_int_eq(after[0].error, 0);
        /* 1 µJ a µs, however long the system took for each step */
        const double energy_uj = (double)(after[0].energy_uj - before[0].energy_uj);
        ck_assert_double_ge(energy_uj, 0.99 * (times_us[2] - times_us[1]));
        ck_assert_double_le(energy_uj, 1.01 * (times_us[3] - times_us[0]));
    }
}
END_TEST

START_TEST(an_ordinary_user_is_told_what_would_help)
{
    put_pmu("power", "1", "0");
    put_event("power", "energy-pkg", "event=0x00", "1e-9", "Joules");
    tree_put(&tree, "proc/sys/kernel/perf_event_paranoid", "3");
    tree_become_ordinary(&tree);
    if (open_source(one_package(false))) {
        printf("this kernel lets everybody open perf events\n");
        ck_assert_uint_eq(source.domain_count, 1);
    } else {
        ck_assert_int_eq(err.kind, ERROR_DENIED);
        HAS(err.why, "perf_event_paranoid is 3", "0 or less, or 2 or less and CAP_PERFMON", "CAP_PERFMON");
        HAS(err.fix, "CAP_PERFMON", "carbon sources --grant");
        ck_assert_int_eq(source.domains[0].problem.kind, ERROR_DENIED);
    }
}
END_TEST

START_TEST(events_of_another_machine_are_not_opened)
{
    put_pmu("power", "23", "0");
    put_event("power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event("power", "energy-ram", "event=0x03", RAPL_SCALE, "Watts");
    expect_refused(open_source(one_package(false)), ERROR_ABSENT);
    HAS(err.what, "recorded");
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_int_eq(source.domains[0].problem.kind, ERROR_ABSENT);
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_uint_eq(source.notices.count, 1); /* the event in watts */
    HAS(source.notices.item[0].what, "energy-ram");
    perf_driver.read(&source, readings);
    ck_assert_int_ne(readings[0].error, 0);
    perf_driver.close(&source);

    ck_assert(!open_source(one_package(true)));
    HAS(source.domains[0].not_counted, "that has not moved so far");
}
END_TEST

START_TEST(what_stands_still_in_a_guest_is_no_energy)
{
    put_pmu("power", "1", "0");
    put_event("power", "energy-pkg", "event=0x00", "1e-9", "Joules");
    put_event("power", "energy-ram", "event=0x08", "1e-9", "Joules"); /* emulation-faults: none */
    if (opened_for_real(one_package(true))) {
        ck_assert_uint_eq(source.domain_count, 2);
        ck_assert_str_eq(source.domains[0].not_counted, "");
        ck_assert_int_eq(source.domains[0].quality, QUALITY_VIRTUAL);
        ck_assert_str_eq(source.domains[1].not_counted, "a guest's counter that does not move");
    }
}
END_TEST

START_TEST(amd_has_no_other_counter_than_the_package)
{
    struct machine amd = *one_package(false);

    strcpy(amd.cpu_vendor, "AuthenticAMD");
    put_pmu("power", "23", "0");
    put_event("power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event("power", "energy-psys", "event=0x05", RAPL_SCALE, "Joules");
    put_pmu("power_core", "24", "0");
    put_event("power_core", "energy-core", "event=0x01", RAPL_SCALE, "Joules");
    ck_assert(!open_source(&amd));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert_str_eq(source.domains[0].name, "package-0");
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_str_eq(source.domains[1].name, "core-0");
    HAS(source.domains[1].not_counted, "one core");
    ck_assert_str_eq(source.domains[2].name, "psys");
    HAS(source.domains[2].not_counted, "5.17");
}
END_TEST

START_TEST(absence_has_its_cause)
{
    tree_put(&tree, DEVICES "software/type", "1");
    expect_refused(open_source(one_package(false)), ERROR_ABSENT);
    HAS(err.fix, "modprobe rapl");
    perf_driver.close(&source);
    ck_assert(!open_source(one_package(true)));
    HAS(err.why, "virtual machine");
}
END_TEST

START_TEST(libpfm4_is_asked_by_name)
{
    struct pfm_names names;
    uint32_t type = 99;
    uint64_t config = 99;

    pfm_names_open(&names);
    if (names.library) {
        ck_assert(pfm_names_encode(&names, "perf::CPU-CLOCK", &type, &config));
        ck_assert_uint_eq(type, 1);
        ck_assert_uint_eq(config, 0);
    } else {
        printf("libpfm4 is not here\n");
    }
    ck_assert(!pfm_names_encode(&names, "NO_SUCH_EVENT", &type, &config));
    pfm_names_close(&names);
    pfm_names_close(&names);
}
END_TEST

UNIT_SUITE_IN("perf", open_tree, close_all, events_are_what_sysfs_says, senseless_events_are_refused,
              one_place_per_package_or_die, software_pmu_counts_for_real, an_ordinary_user_is_told_what_would_help,
              events_of_another_machine_are_not_opened, what_stands_still_in_a_guest_is_no_energy,
              amd_has_no_other_counter_than_the_package, absence_has_its_cause, libpfm4_is_asked_by_name)
