/* SPDX-License-Identifier: MIT
 * The perf driver: the arithmetic of counts, PMUs as sysfs tells them, and true events where this
 * kernel lets us open them. */
#include "energy/energy.h"

#include "base/pfm_names.h"
#include "energy/perf_count.h"
#include "energy/perf_pmu.h"
#include "tree.h"
#include "unit.h"

#include <errno.h>
#include <time.h>

extern const struct energy_driver perf_driver;

#define RAPL_SCALE "2.3283064365386962890625e-10"
#define DEVICES "sys/bus/event_source/devices/"

/* Counts are 2^-32 J; the unit of most Intel packages is 61035 nJ, that is 262143 of them. */
enum { HARDWARE_UNIT = 262143 };

static struct perf_count rapl_count(void)
{
    return (struct perf_count){ .uj_per_count = 1e6L / 0x1p32L };
}

START_TEST(fractions_are_not_lost)
{
    struct perf_count count = rapl_count();
    uint64_t raw = 0;

    /* 2^32 counts in steps of 4099: each is 0.95 µJ */
    while (raw + 4099 < UINT64_C(1) << 32) {
        raw += 4099;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
    }
    ck_assert_int_eq(perf_count_add(&count, UINT64_C(1) << 32), 0);
    ck_assert_uint_eq(count.energy_uj, 1000000);
    ck_assert(count.rest_uj == 0);
}
END_TEST

START_TEST(a_year_of_counts_is_exact)
{
    struct perf_count count = rapl_count();
    uint64_t raw = 0;

    /* 700 W read every 10 s: 7000 J a step, far beyond 2^64 counts in the end */
    for (int i = 0; i < 365 * 8640; i++) {
        raw += UINT64_C(7000) << 32;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
    }
    ck_assert_uint_eq(count.energy_uj, UINT64_C(365) * 8640 * 7000 * 1000000);
}
END_TEST

START_TEST(nanojoule_scale)
{
    struct perf_count count = { .uj_per_count = 1e-9 * 1e6L };

    ck_assert_int_eq(perf_count_add(&count, 999), 0);
    ck_assert_uint_eq(count.energy_uj, 0);
    ck_assert_int_eq(perf_count_add(&count, 1500), 0);
    ck_assert_uint_eq(count.energy_uj, 1);
    ck_assert_int_eq(perf_count_add(&count, UINT64_C(3600000000000)), 0);
    ck_assert_uint_eq(count.energy_uj, UINT64_C(3600000000));
}
END_TEST

START_TEST(step_back_by_the_range_is_a_wrap)
{
    static const uint64_t units[] = { 1, HARDWARE_UNIT, 65532, 65712 };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct perf_count count = { .uj_per_count = 1 };
        const uint64_t unit = units[i];
        uint64_t raw = 0;

        /* up to 1000 units below the end, in uneven steps; then 1500 on */
        ck_assert_int_eq(perf_count_add(&count, raw += 1000003 * unit), 0);
        ck_assert_int_eq(perf_count_add(&count, raw += 1000001 * unit), 0);
        raw += ((UINT64_C(1) << 32) - 1000 - 2000004) * unit;
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
        raw += 1500 * unit - (unit << 32);
        ck_assert_int_eq(perf_count_add(&count, raw), 0);
        ck_assert_uint_eq(count.energy_uj, ((UINT64_C(1) << 32) + 500) * unit);
        ck_assert_int_eq(perf_count_add(&count, raw + 7 * unit), 0);
        ck_assert_uint_eq(count.energy_uj, ((UINT64_C(1) << 32) + 507) * unit);
    }
}
END_TEST

START_TEST(wrap_below_zero)
{
    struct perf_count count = { .uj_per_count = 1 };

    /* the register was near its end when the event was opened: the count turns negative */
    ck_assert_int_eq(perf_count_add(&count, 5), 0);
    ck_assert_int_eq(perf_count_add(&count, 12), 0);
    ck_assert_int_eq(perf_count_add(&count, 20 - (UINT64_C(1) << 32)), 0);
    ck_assert_uint_eq(count.energy_uj, 20);
}
END_TEST

START_TEST(other_steps_back_are_faults)
{
    struct perf_count count = { .uj_per_count = 1 };
    const uint64_t high = UINT64_C(1) << 31;

    ck_assert_int_eq(perf_count_add(&count, high + 1), 0);
    ck_assert_int_eq(perf_count_add(&count, high + 4), 0);
    ck_assert_int_eq(perf_count_add(&count, 4), EIO); /* a failed read counts as a register of 0 */
    ck_assert_uint_eq(count.energy_uj, high + 4);
    ck_assert_int_eq(perf_count_add(&count, 10), 0); /* and on from there */
    ck_assert_uint_eq(count.energy_uj, high + 10);
    ck_assert_int_eq(perf_count_add(&count, 9), EIO);
    ck_assert_uint_eq(count.energy_uj, high + 10);
}
END_TEST

static void put_pmu(const struct tree *tree, const char *name, const char *type, const char *mask)
{
    char path[128];

    snprintf(path, sizeof path, DEVICES "%s/type", name);
    tree_put(tree, path, type);
    snprintf(path, sizeof path, DEVICES "%s/cpumask", name);
    tree_put(tree, path, mask);
    snprintf(path, sizeof path, DEVICES "%s/format/event", name);
    tree_put(tree, path, "config:0-7");
    snprintf(path, sizeof path, DEVICES "%s/format/umask", name);
    tree_put(tree, path, "config:8-15");
}

static void put_event(const struct tree *tree, const char *pmu, const char *name, const char *code, const char *scale,
                      const char *unit)
{
    char path[128];

    snprintf(path, sizeof path, DEVICES "%s/events/%s", pmu, name);
    tree_put(tree, path, code);
    snprintf(path, sizeof path, DEVICES "%s/events/%s.scale", pmu, name);
    tree_put(tree, path, scale);
    snprintf(path, sizeof path, DEVICES "%s/events/%s.unit", pmu, name);
    tree_put(tree, path, unit);
}

START_TEST(events_are_what_sysfs_says)
{
    struct tree tree;
    struct pmu pmu;
    struct pmu_event event;
    struct error err;

    tree_open(&tree);
    put_pmu(&tree, "power", "23", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event(&tree, "power", "energy-ram", "event=3,umask=0x10", "1e-3", "Joules");
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
    tree_close(&tree);
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
        struct tree tree;
        struct pmu pmu;
        struct pmu_event event;
        struct error err;

        tree_open(&tree);
        put_pmu(&tree, "power", "23", "0");
        put_event(&tree, "power", wrong[i].name, wrong[i].code, wrong[i].scale, wrong[i].unit);
        ck_assert(pmu_read(&pmu, &tree.root, "power", &err));
        ck_assert(!pmu_read_event(&pmu, &tree.root, wrong[i].name, &event, &err));
        ck_assert_msg(strstr(err.what, wrong[i].blamed) != NULL, "case %zu: %s", i, err.what);
        put_pmu(&tree, "power", "4294967297", "0"); /* not 1, the software PMU */
        ck_assert(!pmu_read(&pmu, &tree.root, "power", &err) && err.kind == ERROR_BAD_DATA);
        tree_close(&tree);
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
    struct tree tree;
    struct pmu pmu;
    struct pmu_places places;
    struct error err;

    tree_open(&tree);
    put_pmu(&tree, "power", "23", mask);
    ck_assert(pmu_read(&pmu, &tree.root, "power", &err));
    ck_assert_msg(pmu_read_places(&pmu, &tree.root, machine, &places, &err), "%s", err.why);
    tree_close(&tree);
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

static bool open_source(struct energy_source *source, const struct tree *tree, const struct machine *machine,
                        struct error *err)
{
    *err = (struct error){ .kind = ERROR_NONE };
    *source = (struct energy_source){ .driver = &perf_driver };
    return perf_driver.open(source, &tree->root, machine, err);
}

/* False: this kernel refuses, as it must then say. */
static bool opened_for_real(struct energy_source *source, const struct tree *tree, const struct machine *machine)
{
    struct error err;

    if (open_source(source, tree, machine, &err))
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
    struct tree tree;
    struct energy_source source;
    struct reading before[1], after[1];
    double times_us[4];

    tree_open(&tree);
    put_pmu(&tree, "power", "1", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x00", "1e-9", "Joules"); /* cpu-clock: 1 W */
    if (opened_for_real(&source, &tree, one_package(false))) {
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
    perf_driver.close(&source);
    perf_driver.close(&source);
    tree_close(&tree);
}
END_TEST

START_TEST(an_ordinary_user_is_told_what_would_help)
{
    struct tree tree;
    struct energy_source source;
    struct error err;

    tree_open(&tree);
    put_pmu(&tree, "power", "1", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x00", "1e-9", "Joules");
    tree_put(&tree, "proc/sys/kernel/perf_event_paranoid", "3");
    tree_become_ordinary(&tree);
    if (open_source(&source, &tree, one_package(false), &err)) {
        printf("this kernel lets everybody open perf events\n");
        ck_assert_uint_eq(source.domain_count, 1);
    } else {
        ck_assert_int_eq(err.kind, ERROR_DENIED);
        ck_assert_ptr_nonnull(strstr(err.why, "perf_event_paranoid is 3"));
        ck_assert_ptr_nonnull(strstr(err.why, "0 or less, or 2 or less and CAP_PERFMON"));
        ck_assert_ptr_nonnull(strstr(err.why, "CAP_PERFMON"));
        ck_assert_ptr_nonnull(strstr(err.fix, "CAP_PERFMON"));
        ck_assert_ptr_nonnull(strstr(err.fix, "carbon sources --grant"));
        ck_assert_int_eq(source.domains[0].problem.kind, ERROR_DENIED);
    }
    perf_driver.close(&source);
    tree_close(&tree);
}
END_TEST

START_TEST(events_of_another_machine_are_not_opened)
{
    struct tree tree;
    struct energy_source source;
    struct reading readings[2];
    struct error err;

    tree_open(&tree);
    put_pmu(&tree, "power", "23", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event(&tree, "power", "energy-ram", "event=0x03", RAPL_SCALE, "Watts");
    ck_assert(!open_source(&source, &tree, one_package(false), &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.what, "recorded"));
    ck_assert_uint_eq(source.domain_count, 1);
    ck_assert_int_eq(source.domains[0].problem.kind, ERROR_ABSENT);
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_uint_eq(source.notices.count, 1); /* the event in watts */
    ck_assert_ptr_nonnull(strstr(source.notices.item[0].what, "energy-ram"));
    perf_driver.read(&source, readings);
    ck_assert_int_ne(readings[0].error, 0);
    perf_driver.close(&source);

    ck_assert(!open_source(&source, &tree, one_package(true), &err));
    ck_assert_ptr_nonnull(strstr(source.domains[0].not_counted, "nobody has seen moving"));
    perf_driver.close(&source);
    tree_close(&tree);
}
END_TEST

START_TEST(what_stands_still_in_a_guest_is_no_energy)
{
    struct tree tree;
    struct energy_source source;

    tree_open(&tree);
    put_pmu(&tree, "power", "1", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x00", "1e-9", "Joules");
    put_event(&tree, "power", "energy-ram", "event=0x08", "1e-9", "Joules"); /* emulation-faults: none */
    if (opened_for_real(&source, &tree, one_package(true))) {
        ck_assert_uint_eq(source.domain_count, 2);
        ck_assert_str_eq(source.domains[0].not_counted, "");
        ck_assert_int_eq(source.domains[0].quality, QUALITY_VIRTUAL);
        ck_assert_str_eq(source.domains[1].not_counted, "a guest's counter that does not move");
    }
    perf_driver.close(&source);
    tree_close(&tree);
}
END_TEST

START_TEST(amd_has_no_other_counter_than_the_package)
{
    struct machine amd = *one_package(false);
    struct tree tree;
    struct energy_source source;
    struct error err;

    strcpy(amd.cpu_vendor, "AuthenticAMD");
    tree_open(&tree);
    put_pmu(&tree, "power", "23", "0");
    put_event(&tree, "power", "energy-pkg", "event=0x02", RAPL_SCALE, "Joules");
    put_event(&tree, "power", "energy-psys", "event=0x05", RAPL_SCALE, "Joules");
    put_pmu(&tree, "power_core", "24", "0");
    put_event(&tree, "power_core", "energy-core", "event=0x01", RAPL_SCALE, "Joules");
    ck_assert(!open_source(&source, &tree, &amd, &err));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert_str_eq(source.domains[0].name, "package-0");
    ck_assert_str_eq(source.domains[0].not_counted, "");
    ck_assert_str_eq(source.domains[1].name, "core-0");
    ck_assert_ptr_nonnull(strstr(source.domains[1].not_counted, "one core"));
    ck_assert_str_eq(source.domains[2].name, "psys");
    ck_assert_ptr_nonnull(strstr(source.domains[2].not_counted, "5.17"));
    perf_driver.close(&source);
    tree_close(&tree);
}
END_TEST

START_TEST(absence_has_its_cause)
{
    struct tree tree;
    struct energy_source source;
    struct error err;

    tree_open(&tree);
    tree_put(&tree, DEVICES "software/type", "1");
    ck_assert(!open_source(&source, &tree, one_package(false), &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.fix, "modprobe rapl"));
    perf_driver.close(&source);
    ck_assert(!open_source(&source, &tree, one_package(true), &err));
    ck_assert_ptr_nonnull(strstr(err.why, "virtual machine"));
    perf_driver.close(&source);
    tree_close(&tree);
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

UNIT_SUITE("perf", fractions_are_not_lost, a_year_of_counts_is_exact, nanojoule_scale, step_back_by_the_range_is_a_wrap,
           wrap_below_zero, other_steps_back_are_faults, events_are_what_sysfs_says, senseless_events_are_refused,
           one_place_per_package_or_die, software_pmu_counts_for_real, an_ordinary_user_is_told_what_would_help,
           events_of_another_machine_are_not_opened, what_stands_still_in_a_guest_is_no_energy,
           amd_has_no_other_counter_than_the_package, absence_has_its_cause, libpfm4_is_asked_by_name)
