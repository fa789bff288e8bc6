/* SPDX-License-Identifier: MIT
 * What a machine is looked up by: itself, its cloud, its user and its power limits. */
#include "power/machine_profile.h"
#include "power/modelled_machine.h"

#include "machine_fixture.h"
#include "model_fixture.h"
#include "unit.h"

#include <math.h>

struct bench {
    struct tree data, tree;
    struct machine machine;
    struct modelled_machine modelled;
    struct error err;
};

static void bench_open(struct bench *bench)
{
    fixture_open(&bench->data);
    tree_open(&bench->tree);
    bench->machine = (struct machine){
        .cpu_model = "Acme Three", .cpu_family = -1, .cpu_number = -1, .cpus_online = 40, .packages = 2
    };
}

static void bench_close(struct bench *bench)
{
    tree_close(&bench->tree);
    tree_close(&bench->data);
}

static struct cpu_power find(struct bench *bench)
{
    ck_assert_msg(modelled_machine_find(&bench->modelled, &bench->tree.root, &bench->machine, &bench->err), "%s",
                  bench->err.what);
    return fixture_find(&bench->modelled.identity, BOUNDARY_PACKAGE);
}

static double full_w(struct bench *bench)
{
    const struct cpu_power power = find(bench);

    return curve_w(&power.curve, 1);
}

static void expect_text(struct bench *bench, const struct cpu_power *power, const char *expected)
{
    struct text text;

    text_open(&text, 512);
    modelled_machine_describe(&bench->modelled, power, &text);
    ck_assert_str_eq(text.data, expected);
    text_close(&text);
}

/* 200 W TDP, whose list has 150 W, too; the machine's two packages are half of what the user says each. */
START_TEST(what_the_user_says_goes_first)
{
    struct cpu_power power;
    struct bench bench;

    bench_open(&bench);
    power = find(&bench);
    ck_assert_int_eq(power.basis, POWER_TDP);
    ck_assert_str_eq(power.model, "Acme Three");
    expect_text(&bench, &power, "Acme Three, Plain, all its 40 threads");
    bench.machine.reported.cpu = "seven";
    power = find(&bench);
    ck_assert_str_eq(power.model, "Acme Seven");
    expect_text(&bench, &power, "Acme Seven, Served (--cpu), all its 40 threads");
    bench.machine.reported.idle_w = 40;
    bench.machine.reported.full_w = 200;
    power = find(&bench);
    ck_assert_int_eq(power.basis, POWER_GIVEN);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 20, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.25), 40, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 1), 75, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 100 / 0.75, 1e-9);
    ck_assert_str_eq(power.how, "as given, 20 W idle to 100 W busy");
    bench_close(&bench);
}
END_TEST

/* The guest has all of it, whatever the host's package. */
START_TEST(what_is_said_of_a_guest_is_the_guests)
{
    struct cpu_power power;
    struct bench bench;

    bench_open(&bench);
    bench.machine.guest = true;
    bench.machine.cpus_online = 4;
    bench.machine.reported = (struct machine_stated){ .idle_w = 3, .full_w = 12 };
    power = find(&bench);
    ck_assert_double_eq_tol(cpu_power_share(&power, 4) * curve_w(&power.curve, 1), 12, 1e-9);
    expect_text(&bench, &power, "Acme Three, Plain, a guest with 4 threads");
    bench_close(&bench);
}
END_TEST

/* A type tells the host's threads and its processor; what the guest sees of it goes before that. 100 W at full clock.
 */
START_TEST(a_type_is_told_by_firmware_or_by_the_user)
{
    static const char header[] = "provider,instance_type,vcpus,memory_gib,match_key,host_threads,host_sockets\naws,";
    static const char types[] = "a1.large,2,4,acme eight,40,2\naws,a1.metal,20,40,acme eight,40,2";
    struct cpu_power power;
    struct bench bench;
    char table[512];

    bench_open(&bench);
    snprintf(table, sizeof table, "%s%s", header, types);
    tree_put(&bench.data, "emission_factors/cloud_instances.csv", table);
    tree_put(&bench.data, "emission_factors/cloud_dmi.csv",
             "provider,field,match,value,instance_type_from\naws,sys_vendor,exact,Acme Cloud,product_name");
    bench.machine = (struct machine){
        .guest = true, .cpu_family = -1, .cpus_online = 2, .packages = 1, .dmi_vendor = "Acme Cloud"
    };
    power = find(&bench);
    ck_assert_int_eq(power.basis, POWER_DEFAULT);
    ck_assert_ptr_nonnull(strstr(modelled_machine_hint(&bench.modelled, &power), "--instance m6i.large"));
    strcpy(bench.machine.dmi_product, "a9.new");
    ck_assert_int_eq(find(&bench).basis, POWER_DEFAULT);
    strcpy(bench.machine.dmi_product, "a1.large");
    power = find(&bench);
    ck_assert_int_eq(power.basis, POWER_CLOUD);
    ck_assert_int_eq(power.threads, 20);
    ck_assert_double_eq_tol(cpu_power_share(&power, 2) * curve_w(&power.curve, 1), 10, 1e-9);
    expect_text(&bench, &power, "processor without a name, Served, a guest with 2 of a package's 20 threads, a1.large");
    ck_assert_ptr_null(strstr(modelled_machine_hint(&bench.modelled, &power), "--instance"));
    strcpy(bench.machine.dmi_product, "");
    bench.machine.reported.instance = "a1.large";
    ck_assert_int_eq(find(&bench).basis, POWER_CLOUD);
    /* where nothing says that it is a guest, but for bare metal */
    bench.machine.guest = false;
    ck_assert_int_eq(find(&bench).basis, POWER_CLOUD);
    bench.machine.reported.instance = "a1.metal";
    ck_assert_int_eq(find(&bench).basis, POWER_SERVERS);
    bench.machine.reported.instance = "a1.none";
    ck_assert(!modelled_machine_find(&bench.modelled, &bench.tree.root, &bench.machine, &bench.err));
    ck_assert_int_eq(bench.err.kind, ERROR_USAGE);
    bench_close(&bench);
}
END_TEST

static void put_zone(const struct bench *bench, const char *name, const char *limit_uw, const char *peak_uw)
{
    tree_put(&bench->tree, "sys/class/powercap/intel-rapl:0/name", name);
    tree_put(&bench->tree, "sys/class/powercap/intel-rapl:0/constraint_0_name", "long_term");
    tree_put(&bench->tree, "sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw", limit_uw);
    tree_put(&bench->tree, "sys/class/powercap/intel-rapl:0/constraint_1_name", "short_term");
    tree_put(&bench->tree, "sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw", peak_uw);
}

/* Acme Three: TDP 200 W, 20 W idle, 140 W at half and 200 W at full load, up to 2 × 200 W. */
START_TEST(no_package_is_above_its_limit)
{
    struct cpu_power power;
    struct bench bench;

    bench_open(&bench);
    put_zone(&bench, "package-0", "150000000", "180000000");
    power = find(&bench);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 20, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.5), 140, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 150, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 180, 1e-9);
    ck_assert_double_le(power.low_ratio * 150, curve_w(&power.low, 1) + 1e-9);
    ck_assert_double_ge(power.high_ratio * 20, curve_w(&power.high, 0) - 1e-9);
    ck_assert_ptr_nonnull(strstr(power.how, "its power limit is 150 W"));
    /* not in force, another zone's, a guest's */
    put_zone(&bench, "package-0", "10000000", "10000000");
    ck_assert_double_eq_tol(full_w(&bench), 200, 1e-9);
    put_zone(&bench, "psys", "150000000", "180000000");
    ck_assert_double_eq_tol(full_w(&bench), 200, 1e-9);
    put_zone(&bench, "package-0", "150000000", "180000000");
    bench.machine.guest = true;
    ck_assert_double_eq_tol(full_w(&bench), 200, 1e-9);
    bench_close(&bench);
}
END_TEST

/* Acme Eight: 30 W to 120 W of a socket, of which 0.8 and 0.9 reach it, with 64 GB of 4 W and 8 W. */
START_TEST(the_machine_of_a_limited_package_is_lower)
{
    struct cpu_power wall;
    struct bench bench;

    bench_open(&bench);
    strcpy(bench.machine.cpu_model, "Acme Eight");
    bench.machine.packages = 1;
    put_zone(&bench, "package-0", "55000000", "55000000");
    ck_assert_double_eq_tol(full_w(&bench), 55, 1e-9);
    wall = fixture_find(&bench.modelled.identity, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 20 + 30, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 1), 40 + (55 + 8) / 0.9, 1e-9);
    bench_close(&bench);
}
END_TEST

/* At any load and at both ends of the range. */
static void expect_parts_inside(const struct machine *machine, const struct root *root, const char *called)
{
    struct modelled_machine modelled;
    struct modelled_powers powers;
    struct error err;

    ck_assert_msg(modelled_machine_find(&modelled, root, machine, &err), "%s: %s", called, err.what);
    ck_assert_msg(modelled_machine_powers(&modelled, &powers, &err), "%s: %s", called, err.what);
    for (int i = 0; i <= 100 && powers.machine.how[0]; i++) {
        const double load = i / 100.0, gib = powers.memory_gib;
        const struct power_curve *of[][3] = {
            { &powers.machine.curve, &powers.package.curve, &powers.memory.w_per_gib },
            { &powers.machine.low, &powers.package.low, &powers.memory.low_w_per_gib },
            { &powers.machine.high, &powers.package.high, &powers.memory.high_w_per_gib },
        };
        for (size_t j = 0; j < 3; j++) {
            const double machine_w = powers.machine_factor * curve_w(of[j][0], load);
            const double parts_w =
                powers.package_factor * curve_w(of[j][1], load) + (gib > 0 ? gib * curve_w(of[j][2], load) : 0);
            ck_assert_msg(machine_w >= parts_w - 1e-6, "%s at %d %%: %g W of %g W", called, i, machine_w, parts_w);
        }
        ck_assert_double_ge(curve_w(&powers.machine.low, load),
                            powers.machine.low_ratio * curve_w(&powers.machine.curve, load) - 1e-6);
        ck_assert_double_le(curve_w(&powers.machine.high, load),
                            powers.machine.high_ratio * curve_w(&powers.machine.curve, load) + 1e-6);
    }
}

static struct machine guest_of_acme(uint64_t memory_gib)
{
    struct machine machine = fixture_machine();

    machine.guest = true;
    strcpy(machine.cpu_vendor, "AcmeVendor");
    machine.cpu_number = 15;
    strcpy(machine.cpu_model, "Acme");
    machine.memory_bytes = memory_gib << 30;
    return machine;
}

/* 16 threads of a server that draws 12 W a thread, with more memory than all of that needs. */
START_TEST(a_machine_is_at_least_what_is_in_it)
{
    struct modelled_powers powers;
    struct bench bench;

    bench_open(&bench);
    bench.machine = guest_of_acme(512);
    ck_assert(modelled_machine_find(&bench.modelled, &bench.tree.root, &bench.machine, &bench.err));
    ck_assert(modelled_machine_powers(&bench.modelled, &powers, &bench.err));
    /* 2 threads of 5 W, and 512 GiB of 1/8 W, where the published server has 2 × 12 W */
    ck_assert_double_eq_tol(powers.machine_factor * curve_w(&powers.machine.curve, 1), 10 + 64, 1e-9);
    ck_assert_ptr_nonnull(strstr(powers.machine.how, "; at least its package and memory"));
    bench.machine.memory_bytes = UINT64_C(1) << 30;
    ck_assert(modelled_machine_find(&bench.modelled, &bench.tree.root, &bench.machine, &bench.err));
    ck_assert(modelled_machine_powers(&bench.modelled, &powers, &bench.err));
    ck_assert_double_eq_tol(powers.machine_factor * curve_w(&powers.machine.curve, 1), 24, 1e-9);
    ck_assert_ptr_null(strstr(powers.machine.how, "at least"));
    bench_close(&bench);
}
END_TEST

/* The same guest, whose package was found to draw 40 to 100 W, and its memory 3 to 5 W. */
START_TEST(what_a_profile_has_is_in_it_too)
{
    static const struct machine_profile profile = {
        .hardware = { .threads = 2 },
        .steps = { { .work = PROFILE_IDLE, .w = { 40, 3, NAN, NAN } },
                   { .work = PROFILE_CPU, .busy_cpus = 2, .w = { 100, 5, NAN, NAN } } },
        .step_count = 2,
    };
    struct modelled_powers powers;
    struct bench bench;

    bench_open(&bench);
    bench.machine = guest_of_acme(4);
    bench.machine.reported.profile = &profile;
    ck_assert(modelled_machine_find(&bench.modelled, &bench.tree.root, &bench.machine, &bench.err));
    ck_assert(modelled_machine_powers(&bench.modelled, &powers, &bench.err));
    ck_assert_double_eq_tol(powers.package_factor * curve_w(&powers.package.curve, 0.5), 70, 1e-9);
    ck_assert_double_eq_tol(powers.memory_gib * curve_w(&powers.memory.w_per_gib, 1), 5, 1e-9);
    ck_assert_double_eq_tol(powers.machine_factor * curve_w(&powers.machine.curve, 1), 105, 1e-9);
    ck_assert_double_eq_tol(powers.machine_factor * curve_w(&powers.machine.curve, 0), 43, 1e-9);
    bench_close(&bench);
}
END_TEST

/* By the shipped tables: guests with and without a type, bare metal, containers, a board, what the user says. */
START_TEST(no_machine_of_any_kind_is_below_its_parts)
{
    static const struct {
        const char *called;
        struct machine machine;
    } kinds[] = {
        { "guest",
          { .guest = true,
            .cpu_model = "AMD EPYC",
            .cpu_vendor = "AuthenticAMD",
            .cpu_family = 25,
            .cpu_number = 1,
            .cpu_stepping = 1,
            .cpus_online = 2,
            .packages = 1 } },
        { "guest without a name", { .guest = true, .cpu_family = -1, .cpus_online = 2, .packages = 1 } },
        { "instance",
          { .guest = true, .cpu_family = -1, .cpus_online = 2, .packages = 1, .reported.instance = "m6i.large" } },
        { "Graviton",
          { .guest = true,
            .cpu_vendor = "ARM:0x41",
            .cpu_family = 8,
            .cpu_number = 0xd0c,
            .cpus_online = 2,
            .packages = 1,
            .dmi_vendor = "Amazon EC2",
            .dmi_product = "m6g.large" } },
        { "named guest",
          { .guest = true, .cpu_family = -1, .cpus_online = 4, .packages = 1, .reported.cpu = "EPYC 7763" } },
        { "server",
          { .cpu_model = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
            .cpu_family = -1,
            .cpus_online = 80,
            .packages = 2 } },
        { "server with results",
          { .cpu_model = "AMD EPYC 9754 128-Core Processor", .cpu_family = -1, .cpus_online = 256, .packages = 1 } },
        { "server with a curve",
          { .cpu_model = "Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz",
            .cpu_family = -1,
            .cpus_online = 40,
            .packages = 2 } },
        { "desktop",
          { .cpu_model = "Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz",
            .cpu_family = -1,
            .cpus_online = 8,
            .packages = 1 } },
        { "laptop",
          { .cpu_model = "12th Gen Intel(R) Core(TM) i7-1270P", .cpu_family = -1, .cpus_online = 16, .packages = 1 } },
        { "board",
          { .board = "Raspberry Pi 5 Model B Rev 1.0",
            .cpu_vendor = "ARM:0x41",
            .cpu_family = 8,
            .cpu_number = 0xd0b,
            .cpus_online = 4,
            .packages = 1 } },
        { "container",
          { .container = true,
            .cpu_model = "AMD EPYC 7513 32-Core Processor",
            .cpu_family = -1,
            .cpus_online = 128,
            .cpus_ours = 2,
            .packages = 2 } },
        { "given",
          { .cpu_family = -1, .cpus_online = 8, .packages = 2, .reported.idle_w = 50, .reported.full_w = 900 } },
        { "unknown", { .cpu_family = -1, .cpus_online = 8, .packages = 1 } },
    };
    static const uint64_t gibs[] = { 0, 1, 24, 384, 6000 };
    struct machine machine;
    struct tree tree;

    tree_open(&tree);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t j = 0; j < sizeof gibs / sizeof gibs[0]; j++) {
            machine = kinds[i].machine;
            machine.memory_bytes = gibs[j] << 30;
            expect_parts_inside(&machine, &tree.root, kinds[i].called);
            machine.memory_ours_bytes = machine.container ? machine.memory_bytes / 2 : 0;
            expect_parts_inside(&machine, &tree.root, kinds[i].called);
        }
    tree_close(&tree);
}
END_TEST

UNIT_SUITE("modelled_machine", what_the_user_says_goes_first, what_is_said_of_a_guest_is_the_guests,
           a_type_is_told_by_firmware_or_by_the_user, no_package_is_above_its_limit,
           the_machine_of_a_limited_package_is_lower, a_machine_is_at_least_what_is_in_it,
           what_a_profile_has_is_in_it_too, no_machine_of_any_kind_is_below_its_parts)
