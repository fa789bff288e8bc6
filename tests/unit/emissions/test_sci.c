/* SPDX-License-Identifier: MIT
 * The Software Carbon Intensity: the examples of the standard, what is not declared, and embodied.csv; equivalents. */
#include "tree.h"
#include "unit.h"

#include "emissions/equivalents.h"
#include "emissions/sci.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct sci declared(double units, double machine_kgco2eq, double years, double share)
{
    return (struct sci){
        .enabled = true,
        .units = units,
        .machine_kgco2eq = { machine_kgco2eq, QUALITY_GIVEN },
        .lifetime_years = { years, QUALITY_GIVEN },
        .reserved_share = { share, QUALITY_GIVEN },
    };
}

/* ISO/IEC 21031: 1000 kg over 4 years, taken up for an hour, come to about 28.5 g. */
START_TEST(the_standard_example_of_m)
{
    struct sci sci = declared(1, 1000, 4, 1);

    sci_work_out(&sci, 0, 3600);
    ck_assert_double_eq_tol(sci.embodied_kgco2eq, 1000.0 / 35040, 1e-15);
    ck_assert_double_eq_tol(sci.embodied_kgco2eq, 0.0285, 5e-5);
    ck_assert_double_eq(sci.hours, 1);
}
END_TEST

/* A quarter of the machine, half an hour, 10 g of operation, 500 requests: (10 + 1000 kg / 35040 / 2 / 4) / 500. */
START_TEST(every_term_counts)
{
    struct sci sci = declared(500, 1000, 4, 0.25);

    sci_work_out(&sci, 0.010, 1800);
    ck_assert_double_eq_tol(sci.embodied_kgco2eq, 1000.0 / 35040 / 8, 1e-15);
    ck_assert_double_eq_tol(sci.kgco2eq_per_unit, (0.010 + 1000.0 / 280320) / 500, 1e-18);
    ck_assert_double_eq(sci.operational_kgco2eq, 0.010);
}
END_TEST

START_TEST(what_is_not_declared_is_unknown)
{
    struct sci sci = declared(10, NAN, 4, 1);

    sci_work_out(&sci, 0.010, 1800);
    ck_assert(isnan(sci.embodied_kgco2eq) && isnan(sci.kgco2eq_per_unit));
    ck_assert_double_eq(sci.operational_kgco2eq, 0.010);
    sci = declared(10, 1000, 4, 1);
    sci_work_out(&sci, 0.010, NAN);
    ck_assert(isnan(sci.hours) && isnan(sci.embodied_kgco2eq) && isnan(sci.kgco2eq_per_unit));
    sci.enabled = false;
    sci_work_out(&sci, 0.010, 3600);
    ck_assert(isnan(sci.units) && isnan(sci.operational_kgco2eq) && isnan(sci.kgco2eq_per_unit));
    ck_assert_str_eq(sci.unit, "");
}
END_TEST

START_TEST(units_of_work_and_their_name)
{
    static const char *const refused[] = { "", "0", "-1", "x", ":a", "1:", "1 a", "nan", "inf", "1e999" };
    struct sci sci = { .enabled = false };
    struct error err;
    char text[200];

    ck_assert(sci_units_of("1000:alerts", &sci, &err));
    ck_assert(sci.enabled);
    ck_assert_double_eq(sci.units, 1000);
    ck_assert_str_eq(sci.unit, "alerts");
    ck_assert(sci_units_of("2.5e6", &sci, &err));
    ck_assert_double_eq(sci.units, 2.5e6);
    ck_assert_str_eq(sci.unit, "");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ck_assert_msg(!sci_units_of(refused[i], &sci, &err), "'%s'", refused[i]);
        ck_assert_int_eq(err.kind, ERROR_USAGE);
    }
    snprintf(text, sizeof text, "1:%0100d", 1);
    ck_assert(!sci_units_of(text, &sci, &err));
    ck_assert_str_eq(err.what, "the name of the unit is too long");
}
END_TEST

START_TEST(machines_of_the_table)
{
    struct sci sci = { .enabled = true };
    struct error err;

    ck_assert(sci_machine_find("Laptop Pro", &sci, &err));
    ck_assert_double_eq(sci.machine_kgco2eq.value, 181);
    ck_assert_double_eq(sci.lifetime_years.value, 4);
    ck_assert_int_eq(sci.machine_kgco2eq.quality, QUALITY_GIVEN);
    ck_assert_int_eq(sci.lifetime_years.quality, QUALITY_GIVEN);
    ck_assert_str_eq(sci.machine, "laptop pro");
    ck_assert_str_eq(sci.source_id, "ADEME_BASE_IMPACTS");
    ck_assert_str_eq(sci.version, "2022");
    /* a row of its own, not the sum of all servers */
    sci = (struct sci){ .enabled = true };
    ck_assert(sci_machine_find("server", &sci, &err));
    ck_assert_double_eq(sci.machine_kgco2eq.value, 3660);
    ck_assert(isnan(sci.lifetime_years.value));
    /* the parts of one machine: 3379 + 64 + 533 + 109 + 59 + 47 + 34 + 30 + 20 + 13 */
    ck_assert(sci_machine_find("Dell R740", &sci, &err));
    ck_assert_double_eq(sci.machine_kgco2eq.value, 4288);
    ck_assert_str_eq(sci.source_id, "DELL_R740_LCA");
    ck_assert(!sci_machine_find("laptop pri", &sci, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.fix, "'laptop pro'"));
    /* a component, a gigabyte and an hour are no machine */
    ck_assert(!sci_machine_find("SSD 1 TB", &sci, &err));
    ck_assert(!sci_machine_find("ARCHER2 node-hour", &sci, &err));
    ck_assert(!sci_machine_find("", &sci, &err));
}
END_TEST

/* A table with a mass or a time that is none, or below 0, is refused with its place. */
START_TEST(a_table_says_masses_and_years)
{
    static const struct {
        const char *row;
        const char *why; /* it is refused */
    } cases[] = {
        { "device,box,x,,,device,4,,2021,S,", "not a mass" },
        { "device,box,-1,,,device,4,,2021,S,", "not a mass" },
        { "device,box,100,,,device,x,,2021,S,", "not a time" },
        { "device,box,100,,,device,0,,2021,S,", "not a time" },
    };
    const char *data = getenv("CARBON_DATA");
    char *before = data ? strdup(data) : NULL, text[512];
    struct tree tree;

    tree_open(&tree);
    ck_assert_int_eq(setenv("CARBON_DATA", tree.path, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sci sci = { .enabled = true };
        struct error err = { .kind = ERROR_NONE };

        snprintf(text, sizeof text,
                 "category,item,kgco2eq_manufacturing,kgco2eq_min,kgco2eq_max,per,lifetime_years,n_reports,year,"
                 "source_id,notes\n%s",
                 cases[i].row);
        tree_put(&tree, "emission_factors/embodied.csv", text);
        ck_assert(!sci_machine_find("box", &sci, &err));
        ck_assert_msg(strcmp(err.why, cases[i].why) == 0, "case %zu: %s: %s", i, err.what, err.why);
        ck_assert_ptr_nonnull(strstr(err.what, "line 2"));
    }
    if (before)
        setenv("CARBON_DATA", before, 1);
    free(before);
    tree_close(&tree);
}
END_TEST

START_TEST(the_nearest_to_one_come_first)
{
    struct equivalents equivalents = { .count = 4 };
    const double each[] = { 8, 0.5, 3, 20 }; /* of 4: 0.5, 8, 1.33, 0.2 */
    const struct equivalent *nearest[3];

    for (size_t i = 0; i < 4; i++)
        equivalents.items[i].kgco2eq_per_unit = each[i];
    equivalents_work_out(&equivalents, 4);
    ck_assert_uint_eq(equivalents_nearest(&equivalents, nearest, 3), 3);
    ck_assert_ptr_eq(nearest[0], &equivalents.items[2]);
    ck_assert_ptr_eq(nearest[1], &equivalents.items[0]);
    ck_assert_ptr_eq(nearest[2], &equivalents.items[3]);
    equivalents_work_out(&equivalents, NAN);
    ck_assert_uint_eq(equivalents_nearest(&equivalents, nearest, 3), 0);
}
END_TEST

START_TEST(equivalents_have_their_source)
{
    struct equivalents *equivalents = calloc(1, sizeof *equivalents);
    struct error err;
    bool car = false;

    ck_assert_ptr_nonnull(equivalents);
    ck_assert_msg(equivalents_read(equivalents, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_gt(equivalents->count, 20);
    equivalents_work_out(equivalents, 1.6664);
    for (size_t i = 0; i < equivalents->count; i++) {
        const struct equivalent *item = &equivalents->items[i];
        ck_assert(item->source_id[0] && item->source[0] && item->unit[0]);
        ck_assert_str_ne(item->source, item->source_id);
        ck_assert_double_eq(item->amount, 1.6664 / item->kgco2eq_per_unit);
        if (strcmp(item->name, "car_average") == 0) {
            car = true;
            ck_assert_double_eq_tol(item->amount, 10, 1e-12);
            ck_assert_str_eq(item->source_id, "UK_DESNZ_2023");
            ck_assert_int_eq(item->year, 2023);
        }
    }
    ck_assert(car);
    equivalents_work_out(equivalents, NAN);
    ck_assert(isnan(equivalents->items[0].amount));
    free(equivalents);
}
END_TEST

UNIT_SUITE("sci", the_standard_example_of_m, every_term_counts, what_is_not_declared_is_unknown,
           units_of_work_and_their_name, machines_of_the_table, a_table_says_masses_and_years,
           the_nearest_to_one_come_first, equivalents_have_their_source)
