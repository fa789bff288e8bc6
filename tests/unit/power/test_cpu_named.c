/* SPDX-License-Identifier: MIT
 * Processors, boards and instances by the names that people, firmware and clouds give them. */
#include "model_fixture.h"
#include "power/cloud_guest.h"
#include "power/words.h"
#include "unit.h"

START_TEST(words_are_within_a_name)
{
    ck_assert(words_within("Xeon Gold 6248", "intel xeon gold 6248"));
    ck_assert(!words_within("Xeon Gold 6248", "intel xeon gold 6248r"));
    ck_assert(words_within("gold xeon", "Intel Xeon Gold 6248"));
    ck_assert(words_within("apple m2", "Mac mini (Apple M2)"));
    /* a number may follow letters, not digits */
    ck_assert(words_within("H100 SXM", "NVIDIA H100 (SXM5)"));
    ck_assert(!words_within("L4", "NVIDIA L40"));
    /* another grade is another thing */
    ck_assert(!words_within("apple m2", "apple m2 max"));
    ck_assert(words_within("apple m2 max", "apple m2 max"));
    ck_assert(!words_within("", "anything"));
    ck_assert(!words_within(" , ", "anything"));
    ck_assert_uint_eq(words_count("Mac mini (Apple M2)"), 4);
    ck_assert_uint_eq(words_count(""), 0);
}
END_TEST

static struct cpu_identity typed(const char *name)
{
    return (
        struct cpu_identity){ .model = name, .vendor = "", .family = -1, .number = -1, .stepping = -1, .named = true };
}

static void expect_model(const char *name, const char *model)
{
    const struct cpu_identity identity = typed(name);
    const struct cpu_power power = fixture_find(&identity, BOUNDARY_PACKAGE);

    ck_assert_msg(strcmp(power.model, model) == 0, "'%s' is '%s', not '%s'", name, power.model, model);
}

START_TEST(a_processor_is_found_by_words_of_its_name)
{
    const struct cpu_identity kernel = { .model = "Eight", .vendor = "", .family = -1, .number = -1, .stepping = -1 };
    struct tree data;

    fixture_open(&data);
    expect_model("eight", "Acme Eight");
    expect_model("Acme Eight", "Acme Eight");
    /* several have it */
    expect_model("acme", "");
    expect_model("Acme Ten", "");
    /* what a kernel tells is whole, or nothing */
    ck_assert_str_eq(fixture_find(&kernel, BOUNDARY_PACKAGE).model, "");
    tree_close(&data);
}
END_TEST

START_TEST(a_clouds_own_processor_is_its_retail_part)
{
    const struct cpu_identity cloudy = { .model = "Acme 8C 12-Core Processor",
                                         .vendor = "",
                                         .family = -1,
                                         .number = -1,
                                         .stepping = -1,
                                         .by_thread = true };
    struct cpu_power power;
    struct tree data;

    fixture_open(&data);
    /* TDP 100 W of Eight, with its own 24 threads */
    power = fixture_find(&cloudy, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Acme 8C");
    ck_assert_int_eq(power.basis, POWER_TDP);
    ck_assert_double_eq_tol(cpu_power_share(&power, 6) * curve_w(&power.curve, 1), 25, 1e-9);
    /* what the kernel shows of a core that more than one cloud has is no name of a part */
    expect_model("Acme-V1", "Acme Three");
    tree_close(&data);
}
END_TEST

/* TDP 100 W, of which hosts at full clock have 0.1 to 1; an instance of a type tells the host's threads, and its
 * processor where the guest does not see it. */
START_TEST(an_instance_is_a_part_of_a_host_at_full_clock)
{
    struct cpu_identity guest = { .model = "Acme Eight",
                                  .vendor = "",
                                  .family = -1,
                                  .number = -1,
                                  .stepping = -1,
                                  .by_thread = true,
                                  .cloud = true };
    struct cpu_power power;
    struct tree data;

    fixture_open(&data);
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_CLOUD);
    ck_assert_int_eq(power.threads, 20);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 10, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.1), 30, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.3), 50, 1e-9); /* between 30 and 70 */
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 130, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 0), 8, 1e-9);
    guest.model = "Acme";
    guest.key = "acme eight";
    guest.threads = 10;
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Acme Eight");
    ck_assert_double_eq_tol(cpu_power_share(&power, 2) * curve_w(&power.curve, 1), 20, 1e-9);
    /* elsewhere a guest has the wide range */
    guest.cloud = false;
    ck_assert_int_eq(fixture_find(&guest, BOUNDARY_PACKAGE).basis, POWER_TDP);
    tree_close(&data);
}
END_TEST

START_TEST(a_guest_knows_its_cloud_by_firmware)
{
    static const struct {
        const char *vendor, *product, *asset, *provider, *type;
    } known[] = {
        { "Amazon EC2", "m6i.large", "", "aws", "m6i.large" },
        { "Google", "Google Compute Engine", "", "gcp", "" },
        { "Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77", "azure", "" },
        { "Microsoft Corporation", "Virtual Machine", "", "", "" },
        { "OpenStack Foundation", "OpenStack Nova", "", "openstack", "" },
        { "Xen", "HVM domU", "", "aws", "" },
        { "QEMU", "Standard PC", "", "", "" },
    };
    struct cloud_guest guest;
    struct error err;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        static struct machine machine;
        machine = (struct machine){ .guest = true };
        snprintf(machine.dmi_vendor, sizeof machine.dmi_vendor, "%s", known[i].vendor);
        snprintf(machine.dmi_product, sizeof machine.dmi_product, "%s", known[i].product);
        snprintf(machine.dmi_asset, sizeof machine.dmi_asset, "%s", known[i].asset);
        ck_assert_msg(cloud_guest_find(&machine, &guest, &err), "%s", err.what);
        ck_assert_msg(strcmp(guest.provider, known[i].provider) == 0, "%s: '%s'", known[i].product, guest.provider);
        ck_assert_str_eq(guest.type, known[i].type);
        machine.guest = false;
        ck_assert(cloud_guest_find(&machine, &guest, &err));
        ck_assert_str_eq(guest.provider, "");
    }
}
END_TEST

START_TEST(an_instance_type_is_a_part_of_its_host)
{
    struct cloud_instance instance;
    struct error err;

    ck_assert_msg(cloud_instance_find("m6i.large", &instance, &err), "%s", err.what);
    ck_assert_str_eq(instance.key, "intel xeon platinum 8375c");
    ck_assert_double_eq(instance.vcpus, 2);
    ck_assert_double_eq(instance.memory_gib, 8);
    ck_assert_int_eq(instance.threads, 64); /* 128 of two sockets */
    ck_assert(!cloud_instance_find("m6i", &instance, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
}
END_TEST

START_TEST(a_board_is_what_was_measured_at_its_plug)
{
    const struct cpu_identity five = typed("Cherry Pi 5"), mini = typed("Fruit M2"), pro = typed("Mini M2 Pro");
    const struct cpu_identity firmware = {
        .model = "", .vendor = "", .family = -1, .number = -1, .stepping = -1, .board = "Cherry Pi 5 Model B Rev 1.0"
    };
    const struct cpu_identity other = {
        .model = "", .vendor = "", .family = -1, .number = -1, .stepping = -1, .board = "Cherry Pi 4 Model B"
    };
    struct cpu_power power;
    struct tree data;

    fixture_open(&data);
    /* the row that knows idle power, from 2 W to 8 W, 10 W at most */
    power = fixture_find(&five, BOUNDARY_SERVER);
    ck_assert_int_eq(power.basis, POWER_BOARD);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 2, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.5), 5, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 1), 6, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 8 / 0.75, 1e-9);
    /* the processor: all but half of idle, between what load adds and all of it */
    power = fixture_find(&firmware, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Cherry Pi 5");
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 1, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 7, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 1), 0.75 * 6, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 8 / 0.75, 1e-9);
    ck_assert_int_eq(fixture_find(&other, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
    /* of an idle power that nobody tells, a third of the load's, and a wide range */
    power = fixture_find(&mini, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 0.32 * 40, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 0), 0.05 * 40, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 0), 0.85 * 40, 1e-9);
    ck_assert_ptr_nonnull(strstr(power.how, "guessed"));
    power = fixture_find(&pro, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 80, 1e-9);
    tree_close(&data);
}
END_TEST

/* Names as people, lscpu and /proc/cpuinfo write them, in the shipped tables; tdp_w: of those whose package draws about
 * that at full load. */
START_TEST(people_write_so)
{
    static const struct {
        const char *typed, *model;
        double tdp_w;
    } names[] = {
        { "Xeon Gold 6248", "Intel Xeon Gold 6248", 150 },
        { "Graviton3", "Annapurna Labs Graviton3", 0 },
        { "Neoverse-N1", "Annapurna Labs Graviton2", 0 },
        { "Apple M2", "Apple Mac mini M2", 0 },
        { "Raspberry Pi 5", "Raspberry Pi 5 model B", 0 },
        { "EPYC 7763", "AMD EPYC 7763", 280 },
        { "Apple M2 Max", "Apple M2 Max", 0 },
        { "AMD EPYC 9R45", "AMD EPYC 9R45", 0 },
        { "Intel(R) Xeon(R) W-2275 CPU @ 3.30GHz", "Intel Xeon W-2275", 165 },
        { "12th Gen Intel(R) Core(TM) i7-1270P", "Intel Core i7-1270P", 28 },
        { "12th Gen Intel(R) Core(TM) i7-12700K", "Intel Core i7-12700K", 125 },
        { "i7-12700K", "Intel Core i7-12700K", 125 },
        { "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz", "Intel Xeon Gold 5222", 105 },
        { "AMD EPYC 9454 48-Core Processor", "AMD EPYC 9454", 290 },
        { "Intel(R) Xeon(R) Gold 6330N CPU @ 2.20GHz", "Intel Xeon Gold 6330N", 165 },
        { "Intel(R) Core(TM) i5-2400 CPU @ 3.10GHz", "Intel Core i5-2400", 95 },
        { "11th Gen Intel(R) Core(TM) i7-11370H @ 3.30GHz", "Intel Core i7-11370H", 35 },
        { "Intel(R) Xeon(R) CPU E5-2670 v2 @ 2.50GHz", "Intel Xeon E5-2670 v2", 115 },
        { "AMD EPYC 7513 32-Core Processor", "AMD EPYC 7513", 200 },
        { "11th Gen Intel(R) Core(TM) i5-1135G7", "Intel Core i5-1135G7", 28 },
        { "Intel(R) Core(TM) Ultra 7 155H", "Intel Core Ultra 7 155H", 28 },
        { "AMD Ryzen AI 9 HX 370 w/ Radeon 890M", "AMD Ryzen AI 9 HX 370", 28 },
        { "Intel(R) N100", "Intel N100", 6 },
        { "AMD EPYC 9965 192-Core Processor", "AMD EPYC 9965", 500 },
        { "Intel(R) Xeon(R) 6980P", "Intel Xeon 6980P", 500 },
        { "AMD Ryzen 7 9800X3D 8-Core Processor", "AMD Ryzen 7 9800X3D", 120 },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct cpu_identity identity = typed(names[i].typed);
        const struct cpu_power power = fixture_find(&identity, BOUNDARY_PACKAGE);
        const double full_w = cpu_power_of_package(&power, NAN) * curve_w(&power.curve, 1);
        ck_assert_msg(strcmp(power.model, names[i].model) == 0, "'%s' is '%s'", names[i].typed, power.model);
        ck_assert_msg(names[i].tdp_w == 0 || (full_w > 0.6 * names[i].tdp_w && full_w < 1.05 * names[i].tdp_w),
                      "%s: %g W", names[i].typed, full_w);
    }
}
END_TEST

/* What stands for a whole kind, or is of a kernel's making, is no model. */
START_TEST(what_is_no_model_is_not_known)
{
    static const char *const names[] = { "ARMv8 Processor rev 0 (v8l)", "Cortex-A76", "AMD EPYC 7A53 64-Core Processor",
                                         "Xeon", "EPYC" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct cpu_identity identity = typed(names[i]);
        const struct cpu_power power = fixture_find(&identity, BOUNDARY_PACKAGE);
        ck_assert_msg(!cpu_is_known(&power), "'%s' is '%s'", names[i], power.model);
    }
}
END_TEST

UNIT_SUITE("cpu_named", words_are_within_a_name, a_processor_is_found_by_words_of_its_name,
           a_clouds_own_processor_is_its_retail_part, an_instance_is_a_part_of_a_host_at_full_clock,
           a_guest_knows_its_cloud_by_firmware, an_instance_type_is_a_part_of_its_host,
           a_board_is_what_was_measured_at_its_plug, people_write_so, what_is_no_model_is_not_known)
