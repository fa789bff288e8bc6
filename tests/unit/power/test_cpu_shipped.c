/* SPDX-License-Identifier: MIT
 * The tables of processors that are shipped: names as firmware, clouds and people give them, and the constants in the
 * source against what is in them. */
#include "model_fixture.h"
#include "power/cloud_guest.h"
#include "power/cpu_tables.h"
#include "unit.h"

#include <math.h>

struct keys {
    size_t rows, odd, bad;
};

static void check_key(const struct cpu_row *row, void *context)
{
    struct keys *keys = context;
    char key[CPU_KEY_SIZE];

    keys->rows++;
    if (strstr(row->key, "processor-")) /* five Pentiums of 2003, which no kernel names so */
        keys->odd++;
    else if (strcmp(cpu_match_key(row->model, key), row->key) != 0) {
        printf("'%s' is '%s', not '%s'\n", row->model, row->key, key);
        keys->bad++;
    }
}

START_TEST(every_model_of_the_shipped_table_has_its_key)
{
    struct keys keys = { 0 };
    struct error err;

    ck_assert_msg(cpu_rows(NULL, check_key, &keys, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_gt(keys.rows, 5000);
    ck_assert_uint_eq(keys.bad, 0);
    ck_assert_uint_le(keys.odd, 5);
}
END_TEST

START_TEST(near_names_are_offered)
{
    struct error err;

    ck_assert(!cpu_unknown("EPYC 7763B", "--power", &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_eq(strstr(err.fix, "close ones are 'AMD EPYC 7763', 'AMD EPYC"), err.fix);
    ck_assert_ptr_nonnull(strstr(err.fix, "; or give its --power"));
    ck_assert(!cpu_unknown("ARMv8 Processor rev 0 (v8l)", "--power", &err));
    ck_assert_str_eq(err.fix, "give its --power");
}
END_TEST

struct spread_of_curves {
    struct power_curve generic;
    double low, high;
    size_t models;
};

static void take_generic(const struct profile_row *row, void *context)
{
    if (row->kind == KIND_GENERIC)
        ((struct spread_of_curves *)context)->generic = row->curve;
}

struct cpu_wanted {
    const char *key;
    struct cpu_row row;
};

static void take_wanted(const struct cpu_row *row, void *context)
{
    struct cpu_wanted *wanted = context;

    if (strcmp(row->key, wanted->key) == 0)
        wanted->row = *row;
}

static void compare_curve(const struct profile_row *row, void *context)
{
    struct spread_of_curves *spread = context;
    struct cpu_wanted wanted = { .key = row->key };
    struct error err;

    if (row->kind != KIND_MODEL || row->boundary != BOUNDARY_PACKAGE || !row->key[0])
        return;
    ck_assert_msg(cpu_rows(row->key, take_wanted, &wanted, &err), "%s", err.what);
    ck_assert_msg(wanted.row.threads > 0, "%s", row->key);
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double w = row->curve.at_w[i] * (row->per == PER_THREAD ? wanted.row.threads : 1);
        const double ratio = w / (wanted.row.tdp_w * curve_w(&spread->generic, i / 10.0));
        if (isnan(ratio))
            continue;
        spread->low = fmin(spread->low, ratio);
        spread->high = fmax(spread->high, ratio);
    }
    spread->models++;
}

START_TEST(what_was_measured_lies_within_the_range_of_the_generic_curve)
{
    struct spread_of_curves spread = { .low = INFINITY };
    struct error err;

    ck_assert_msg(profile_rows("teads:generic", take_generic, &spread, &err), "%s", err.what);
    ck_assert_msg(profile_rows("CPU package", compare_curve, &spread, &err), "%s", err.what);
    ck_assert_uint_ge(spread.models, 20);
    printf("measured / (TDP × generic): %.3f to %.3f in %zu models\n", spread.low, spread.high, spread.models);
    ck_assert_double_ge(spread.low, 0.2);
    ck_assert_double_le(spread.high, 2);
    /* and the range is no wider than it has to be */
    ck_assert_double_lt(spread.low, 0.3);
    ck_assert_double_gt(spread.high, 1.3);
}
END_TEST

struct all_models {
    double w_per_thread[8192];
    size_t count;
    int since;
};

static void take_all(const struct cpu_row *row, void *context)
{
    struct all_models *all = context;

    if (row->threads > 0 && row->year >= all->since && all->count < 8192)
        all->w_per_thread[all->count++] = row->tdp_w / row->threads;
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

START_TEST(the_default_is_the_middle_of_all_models)
{
    static struct all_models all = { .since = 2014 };
    const struct cpu_identity unknown = NAMED("", false);
    const struct cpu_power power = fixture_find(&unknown, BOUNDARY_PACKAGE);
    struct error err;
    double full_w;

    ck_assert_msg(cpu_rows(NULL, take_all, &all, &err), "%s", err.what);
    ck_assert_uint_gt(all.count, 2000);
    qsort(all.w_per_thread, all.count, sizeof all.w_per_thread[0], by_size);
    const double low_w = all.w_per_thread[all.count / 20], middle_w = all.w_per_thread[all.count / 2];
    const double high_w = all.w_per_thread[all.count * 19 / 20];
    full_w = curve_w(&power.curve, 1) / 1.02;
    ck_assert_double_eq_tol(full_w, middle_w, 1e-9);
    ck_assert_double_eq_tol(power.low_ratio * full_w / 0.2, low_w, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio * full_w / 2, high_w, 1e-9);
}
END_TEST

/* No shipped curve of a range may be used where it is known to be nonsense. */
START_TEST(the_implausible_curve_is_not_used)
{
    const struct cpu_identity e3 = NAMED("Intel Xeon E3-9999 v9", false);
    const struct cpu_power power = fixture_find(&e3, BOUNDARY_PACKAGE);

    ck_assert_int_ne(power.basis, POWER_MODEL_RANGE);
    ck_assert_str_ne(power.id, "boavizta:xeon_e3");
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

/* Names as people, lscpu and /proc/cpuinfo write them, in the shipped tables; tdp_w: of those whose package draws about
 * that at full load. */
START_TEST(people_write_so)
{
    static const struct {
        const char *typed;
        const char *model; /* as the tables call it */
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

UNIT_SUITE("cpu_shipped", every_model_of_the_shipped_table_has_its_key, near_names_are_offered,
           what_was_measured_lies_within_the_range_of_the_generic_curve, the_default_is_the_middle_of_all_models,
           the_implausible_curve_is_not_used, a_guest_knows_its_cloud_by_firmware,
           an_instance_type_is_a_part_of_its_host, people_write_so, what_is_no_model_is_not_known)
