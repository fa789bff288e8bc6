/* SPDX-License-Identifier: MIT
 * The model source on machines made for it, on recorded ones, and here. */
#include "energy/energy.h"

#include "base/clock.h"
#include "model_fixture.h"
#include "unit.h"

#include <errno.h>
#include <math.h>

extern const struct energy_driver model_driver;

#define MS UINT64_C(1000000)

#define GUEST_CPUINFO                                                                                                  \
    "processor\t: 0\nvendor_id\t: AcmeVendor\ncpu family\t: 6\nmodel\t\t: 15\nmodel name\t: Acme\n"                    \
    "stepping\t: 3\nflags\t\t: fpu hypervisor"
#define HOST_CPUINFO                                                                                                   \
    "processor\t: 0\nvendor_id\t: AcmeVendor\ncpu family\t: 6\nmodel\t\t: 15\nmodel name\t: Acme One\n"                \
    "stepping\t: 3\nflags\t\t: fpu"

struct bench {
    struct tree data, tree;
    struct machine machine;
    struct energy_source source;
    struct error err;
    uint64_t open_begun_ns, open_done_ns, read_begun_ns, read_done_ns;
    struct reading readings[ENERGY_MAX_DOMAINS];
};

static bool bench_open(struct bench *bench)
{
    machine_read(&bench->machine, &bench->tree.root);
    bench->source = (struct energy_source){ .driver = &model_driver };
    bench->open_begun_ns = clock_monotonic_ns();
    const bool opened = model_driver.open(&bench->source, &bench->tree.root, &bench->machine, &bench->err);
    bench->open_done_ns = clock_monotonic_ns();
    return opened;
}

static void bench_start(struct bench *bench, const char *cpuinfo, const char *stat)
{
    fixture_open(&bench->data);
    tree_open(&bench->tree);
    tree_put(&bench->tree, "proc/cpuinfo", cpuinfo);
    tree_put(&bench->tree, "proc/meminfo", "MemTotal: 8388608 kB");
    tree_put(&bench->tree, "proc/stat", stat);
}

static void bench_close(struct bench *bench)
{
    model_driver.close(&bench->source);
    model_driver.close(&bench->source); /* harmless twice */
    notices_clear(&bench->source.notices);
    tree_close(&bench->tree);
    tree_close(&bench->data);
}

static size_t domain_named(const struct bench *bench, const char *name)
{
    size_t i = 0;

    while (i < bench->source.domain_count && strcmp(bench->source.domains[i].name, name) != 0)
        i++;
    ck_assert_msg(i < bench->source.domain_count, "no domain '%s'", name);
    return i;
}

/* Lets 150 ms pass with these ticks at the end. */
static void bench_pass(struct bench *bench, const char *stat)
{
    usleep(150000);
    tree_put(&bench->tree, "proc/stat", stat);
    bench->read_begun_ns = clock_monotonic_ns();
    model_driver.read(&bench->source, bench->readings);
    bench->read_done_ns = clock_monotonic_ns();
}

/* The mean power since the opening; when exactly the source looked at the clock is known to lie
 * between two moments, however slow this machine is just now. */
static void check_power(const struct bench *bench, const char *name, double expected_w)
{
    const struct reading *reading = &bench->readings[domain_named(bench, name)];
    const double longest_s = (double)(bench->read_done_ns - bench->open_begun_ns) / 1e9;
    const double shortest_s = (double)(bench->read_begun_ns - bench->open_done_ns) / 1e9;

    ck_assert_int_eq(reading->error, 0);
    ck_assert_double_ge((double)reading->energy_uj / 1e6, expected_w * shortest_s - 1e-6);
    ck_assert_double_le((double)reading->energy_uj / 1e6, expected_w * longest_s + 1e-6);
}

START_TEST(a_guest_is_a_share_of_a_processor)
{
    struct bench bench;

    bench_start(&bench, GUEST_CPUINFO,
                "cpu  0 0 0 1000 0 0 0 0 0 0\ncpu0 0 0 0 500 0 0 0 0 0 0\ncpu1 0 0 0 500 0 0 0 0 0 0");
    tree_put(&bench.tree, "sys/devices/system/cpu/online", "0-1");
    ck_assert_msg(bench_open(&bench), "%s: %s", bench.err.what, bench.err.why);
    ck_assert_uint_eq(bench.source.domain_count, 3);
    const size_t package = domain_named(&bench, "package"), machine = domain_named(&bench, "machine");
    const struct domain *domain = &bench.source.domains[package];
    ck_assert_int_eq(domain->component, COMPONENT_PACKAGE);
    ck_assert_int_eq(domain->quality, QUALITY_MODELLED);
    ck_assert_int_eq(domain->access, ACCESS_MODEL);
    ck_assert_int_eq(domain->package, -1);
    ck_assert_str_eq(domain->path, "model:one");
    ck_assert_uint_eq(domain->wraps_at_uj, 0);
    ck_assert_double_lt(domain->low_ratio, 1);
    ck_assert_double_gt(domain->high_ratio, 1);
    ck_assert_uint_eq(domain->update_ns, 10 * MS);
    /* one tick of one of two CPUs: (10 W - 1 W) / 2 × 10 ms */
    ck_assert_uint_eq(domain->resolution_uj, 45000);
    ck_assert_ptr_nonnull(strstr(bench.source.domains[machine].path, "whole servers at the plug"));
    /* half busy: 2 threads × 3.5 W; 8 GiB × 3/32 W; 2 threads of a server × 7 W */
    bench_pass(&bench, "cpu  100 0 0 1100 0 0 0 0 0 0\ncpu0 50 0 0 550 0 0 0 0 0 0\ncpu1 50 0 0 550 0 0 0 0 0 0");
    check_power(&bench, "package", 7);
    check_power(&bench, "dram", 0.75);
    check_power(&bench, "machine", 14);
    ck_assert_uint_eq(bench.source.notices.count, 2);
    ck_assert_ptr_nonnull(
        strstr(bench.source.notices.item[0].what, "modelled, not measured: 1.00 W idle to 10.0 W busy"));
    ck_assert_ptr_nonnull(strstr(bench.source.notices.item[0].why, "Curved (CPUID 6/15/3), a guest with 2 threads"));
    ck_assert_ptr_nonnull(strstr(bench.source.notices.item[1].what, "8.0 GiB, 500 mW idle to 1.00 W busy"));
    bench_close(&bench);
}
END_TEST

static void put_package(const struct bench *bench, int cpu, const char *package)
{
    char path[96];

    snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
    tree_put(&bench->tree, path, package);
}

START_TEST(each_package_has_its_own_load)
{
    struct bench bench;

    bench_start(&bench, HOST_CPUINFO,
                "cpu  0 0 0 1000 0 0 0 0 0 0\ncpu0 0 0 0 500 0 0 0 0 0 0\ncpu1 0 0 0 500 0 0 0 0 0 0");
    tree_put(&bench.tree, "sys/devices/system/cpu/online", "0-1");
    put_package(&bench, 0, "1");
    put_package(&bench, 1, "0");
    ck_assert_msg(bench_open(&bench), "%s: %s", bench.err.what, bench.err.why);
    ck_assert_uint_eq(bench.source.domain_count, 4);
    ck_assert_int_eq(bench.source.domains[domain_named(&bench, "package-1")].package, 1);
    /* CPU 0, which is package 1, is busy; 16 threads × 5 W and × 0.5 W; two servers' halves at load 0.5 */
    bench_pass(&bench, "cpu  100 0 0 1100 0 0 0 0 0 0\ncpu0 100 0 0 500 0 0 0 0 0 0\ncpu1 0 0 0 600 0 0 0 0 0 0");
    check_power(&bench, "package-1", 80);
    check_power(&bench, "package-0", 8);
    check_power(&bench, "machine", 2 * 90);
    bench_close(&bench);
}
END_TEST

/* Its /proc/stat tells of 4 of 16 CPUs: all busy, they are a quarter of the package, and of the server. */
START_TEST(a_container_that_sees_its_own_cpus_is_not_the_whole_package)
{
    struct bench bench;

    bench_start(&bench, HOST_CPUINFO,
                "cpu  0 0 0 400 0 0 0 0 0 0\ncpu0 0 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0 0 0\n"
                "cpu2 0 0 0 100 0 0 0 0 0 0\ncpu3 0 0 0 100 0 0 0 0 0 0");
    tree_put(&bench.tree, "sys/devices/system/cpu/online", "0-15");
    tree_put(&bench.tree, "run/.containerenv", "");
    for (int cpu = 0; cpu < 16; cpu++)
        put_package(&bench, cpu, "0");
    ck_assert_msg(bench_open(&bench), "%s: %s", bench.err.what, bench.err.why);
    ck_assert_uint_eq(bench.source.domain_count, 3);
    ck_assert_ptr_nonnull(strstr(bench.source.notices.item[0].why, "a container with 4 of 16 CPUs"));
    ck_assert_ptr_nonnull(strstr(bench.source.notices.item[0].what, "2.00 W idle to 20.0 W busy"));
    /* one tick of one of its CPUs: (20 W - 2 W) / 4 × 10 ms */
    ck_assert_uint_eq(bench.source.domains[domain_named(&bench, "package")].resolution_uj, 45000);
    bench_pass(&bench, "cpu  400 0 0 400 0 0 0 0 0 0\ncpu0 100 0 0 100 0 0 0 0 0 0");
    check_power(&bench, "package", 20);
    check_power(&bench, "machine", 35); /* of 140 W */
    bench_close(&bench);
}
END_TEST

START_TEST(packages_share_the_load_where_the_topology_is_thin)
{
    struct bench bench;

    bench_start(&bench, HOST_CPUINFO, "cpu  0 0 0 1000 0 0 0 0 0 0");
    tree_put(&bench.tree, "sys/devices/system/cpu/online", "0-31");
    put_package(&bench, 0, "0");
    put_package(&bench, 16, "1");
    ck_assert_msg(bench_open(&bench), "%s: %s", bench.err.what, bench.err.why);
    ck_assert_uint_eq(bench.source.domain_count, 3);
    bench_pass(&bench, "cpu  100 0 0 1000 0 0 0 0 0 0");
    check_power(&bench, "package", 160);
    bench_close(&bench);
}
END_TEST

START_TEST(a_recorded_machine_stands_still)
{
    struct reading readings[ENERGY_MAX_DOMAINS];
    struct bench bench;

    bench_start(&bench, GUEST_CPUINFO, "cpu  10 0 0 1000 0 0 0 0 0 0");
    ck_assert_msg(bench_open(&bench), "%s", bench.err.what);
    usleep(120000);
    model_driver.read(&bench.source, readings);
    for (size_t i = 0; i < bench.source.domain_count; i++)
        ck_assert_int_eq(readings[i].error, ENODATA);
    bench_close(&bench);
}
END_TEST

START_TEST(without_cpu_time_there_is_no_model)
{
    struct bench bench;
    char path[128];

    bench_start(&bench, GUEST_CPUINFO, "intr 1");
    ck_assert(!bench_open(&bench));
    ck_assert_int_eq(bench.err.kind, ERROR_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(bench.err.what, "/proc/stat"));
    ck_assert_uint_eq(bench.source.domain_count, 0);
    model_driver.close(&bench.source);
    notices_clear(&bench.source.notices);
    snprintf(path, sizeof path, "%s/proc/stat", bench.tree.path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert(!bench_open(&bench));
    ck_assert_int_eq(bench.err.kind, ERROR_ABSENT);
    bench_close(&bench);
}
END_TEST

START_TEST(without_tables_there_is_no_model)
{
    struct bench bench;

    bench_start(&bench, GUEST_CPUINFO, "cpu  10 0 0 1000 0 0 0 0 0 0");
    ck_assert_int_eq(setenv("CARBON_DATA", bench.tree.path, 1), 0);
    ck_assert(!bench_open(&bench));
    ck_assert_int_eq(bench.err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(bench.err.what, "cloud_dmi.csv"));
    bench_close(&bench);
}
END_TEST

START_TEST(memory_of_unknown_size_is_left_out_and_told)
{
    struct bench bench;

    bench_start(&bench, GUEST_CPUINFO, "cpu  10 0 0 1000 0 0 0 0 0 0");
    tree_put(&bench.tree, "proc/meminfo", "");
    ck_assert_msg(bench_open(&bench), "%s", bench.err.what);
    ck_assert_uint_eq(bench.source.domain_count, 2);
    ck_assert_ptr_nonnull(strstr(bench.source.notices.item[1].what, "memory is left out"));
    bench_close(&bench);
}
END_TEST

/* What the shipped tables make of recorded machines. */
START_TEST(recorded_machines_are_known)
{
    static const struct {
        const char *machine, *microarchitecture, *id;
        enum power_basis basis;
    } known[] = {
        { "vm-ec2-empty-powercap", "Cascade Lake", "teads:intel_xeon_platinum_8259cl", POWER_MODEL },
        { "vm-gce-perf-zero", "Haswell", "teads:intel_xeon_e5-2676_v3", POWER_MICROARCHITECTURE },
        { "vm-kvm-epyc-none", "Zen 3", "teads:generic", POWER_MICROARCHITECTURE },
        { "amd-zen4-epyc8024p", "Zen 4", "codecarbon:amd_epyc_8024p", POWER_MODEL },
        { "intel-hswep-2s-e5-2620v3", "Haswell", "codecarbon:intel_xeon_e5-2620_v3", POWER_MODEL },
        { "intel-haswell-i7-4770s", "Haswell", "servers:Haswell", POWER_SERVERS },
        { "intel-4s-dram", "Skylake", "servers:intel xeon gold 6140", POWER_SERVERS },
        { "arm-rpi4-none", "Cortex-A72", "teads:graviton", POWER_MICROARCHITECTURE },
        { "riscv-milkv-pioneer", "", "teads:generic", POWER_DEFAULT },
        { "s390-lpar-none", "", "teads:generic", POWER_DEFAULT },
    };

    if (!unit_shared()) {
        puts("SKIPPED: recorded machines are not beside the source tree");
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct machine machine;
        struct cpu_power power;
        struct root root;
        char path[512];

        snprintf(path, sizeof path, "%s/machines/%s", unit_shared(), known[i].machine);
        ck_assert(root_open(&root, path, NULL));
        machine_read(&machine, &root);
        root_close(&root);
        power = fixture_find(&(struct cpu_identity){ .model = machine.cpu_model,
                                                     .vendor = machine.cpu_vendor,
                                                     .family = machine.cpu_family,
                                                     .number = machine.cpu_number,
                                                     .stepping = machine.cpu_stepping,
                                                     .by_thread = machine.guest },
                             BOUNDARY_PACKAGE);
        ck_assert_msg(power.basis == known[i].basis, "%s: %d", known[i].machine, power.basis);
        ck_assert_msg(strcmp(power.id, known[i].id) == 0, "%s: %s", known[i].machine, power.id);
        ck_assert_msg(strcmp(power.microarchitecture, known[i].microarchitecture) == 0, "%s: %s", known[i].machine,
                      power.microarchitecture);
    }
}
END_TEST

/* This machine, live: between its idle and its full power, and only growing. */
START_TEST(the_model_runs_here)
{
    struct reading first[ENERGY_MAX_DOMAINS], last[ENERGY_MAX_DOMAINS];
    struct bench bench = { .source = { .driver = &model_driver } };
    uint64_t start_ns;

    ck_assert(root_open(&bench.tree.root, "/", NULL));
    ck_assert_msg(bench_open(&bench), "%s: %s", bench.err.what, bench.err.why);
    model_driver.read(&bench.source, first);
    start_ns = clock_monotonic_ns();
    memcpy(last, first, sizeof last);
    while (clock_monotonic_ns() - start_ns < 300 * MS) {
        struct reading now[ENERGY_MAX_DOMAINS];
        usleep(3000);
        model_driver.read(&bench.source, now);
        for (size_t i = 0; i < bench.source.domain_count; i++) {
            ck_assert_int_eq(now[i].error, 0);
            ck_assert_uint_ge(now[i].energy_uj, last[i].energy_uj);
        }
        memcpy(last, now, sizeof last);
    }
    for (size_t i = 0; i < bench.source.domain_count; i++)
        ck_assert_uint_gt(last[i].energy_uj, first[i].energy_uj);
    model_driver.close(&bench.source);
    notices_clear(&bench.source.notices);
    root_close(&bench.tree.root);
}
END_TEST

UNIT_SUITE("model", a_guest_is_a_share_of_a_processor, each_package_has_its_own_load,
           a_container_that_sees_its_own_cpus_is_not_the_whole_package,
           packages_share_the_load_where_the_topology_is_thin, a_recorded_machine_stands_still,
           without_cpu_time_there_is_no_model, without_tables_there_is_no_model,
           memory_of_unknown_size_is_left_out_and_told, recorded_machines_are_known, the_model_runs_here)
