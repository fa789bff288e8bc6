/* SPDX-License-Identifier: MIT
 * Names of processors as keys, curves, and what the tables make of a processor. */
#include "power/cpu_power.h"

#include "model_fixture.h"
#include "power/cpu_tables.h"
#include "unit.h"

#include <math.h>

START_TEST(a_name_becomes_the_key_of_the_tables)
{
    static const char *const names[][2] = {
        { "Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz", "intel xeon e5-2620 v3" },
        { "AMD EPYC 7742 64-Core Processor", "amd epyc 7742" },
        { "Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz", "intel core i7-920" },
        { "Intel(R) Core(TM) i7 CPU       M 620  @ 2.67GHz", "intel core i7-620m" },
        { "Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", "intel xeon e5-2670" },
        { "Intel(R) Xeon(R) CPU E5-2660v2 @ 2.20GHz", "intel xeon e5-2660 v2" },
        { "Intel(R) Xeon(R) CPU E3-1240 V2 @ 3.40GHz", "intel xeon e3-1240 v2" },
        { "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", "intel core i7-1165g7" },
        { "AMD Ryzen 7 PRO 4750U with Radeon Graphics", "amd ryzen 7 pro 4750u" },
        { "AMD Ryzen 5 2600X Six-Core Processor", "amd ryzen 5 2600x" },
        { "AMD A10-7850K Radeon R7, 12 Compute Cores 4C+8G", "amd a10-7850k" },
        { "Intel(R) Core(TM)2 Duo CPU     E8400  @ 3.00GHz", "intel core2 duo e8400" },
        { "Intel® Core™ 2 Quad Processor Q6600", "intel core2 quad q6600" },
        { "Intel(R) Atom(TM) CPU  C2558  @ 2.40GHz", "intel atom c2558" },
        { "Intel Xeon 3.20 GHz, 1M Cache", "intel xeon 3.20ghz" },
        { "Pentium(R) Dual-Core  CPU      E5200  @ 2.50GHz", "pentium e5200" },
        { "Intel\u00a0Core\u2122 i9-9900K\u200b", "intel core i9-9900k" },
        { "AMD 7th Gen AMD PRO A10-9700 APU", "amd pro a10-9700" },
        { "Intel Core i7 - 8700", "intel core i7-8700" },
        { "AMD EPYC", "amd epyc" },
        { "Intel Xeon Processor (Skylake, IBRS)", "intel xeon (skylake" },
        { "", "" },
        { "   ", "" },
    };
    char key[CPU_KEY_SIZE], longest[4096];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_str_eq(cpu_match_key(names[i][0], key), names[i][1]);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_uint_lt(strlen(cpu_match_key(longest, key)), CPU_KEY_SIZE);
    for (size_t i = 1; i < sizeof longest - 1; i += 2)
        longest[i] = ' ';
    ck_assert_uint_lt(strlen(cpu_match_key(longest, key)), CPU_KEY_SIZE);
}
END_TEST

static struct power_curve points(double idle, double w_50, double w_100)
{
    struct power_curve curve = { .a = NAN };

    for (int i = 0; i < CURVE_POINTS; i++)
        curve.at_w[i] = NAN;
    curve.at_w[0] = idle;
    curve.at_w[5] = w_50;
    curve.at_w[10] = w_100;
    return curve;
}

START_TEST(a_curve_is_straight_between_its_points)
{
    const struct power_curve curve = points(10, 40, 50), no_idle = points(NAN, 40, 50), none = points(NAN, NAN, NAN);

    ck_assert_double_eq(curve_w(&curve, 0), 10);
    ck_assert_double_eq(curve_w(&curve, 0.5), 40);
    ck_assert_double_eq(curve_w(&curve, 1), 50);
    ck_assert_double_eq_tol(curve_w(&curve, 0.25), 25, 1e-12);
    ck_assert_double_eq_tol(curve_w(&curve, 0.1), 16, 1e-12);
    ck_assert_double_eq_tol(curve_w(&curve, 0.875), 47.5, 1e-12);
    ck_assert_double_eq(curve_w(&curve, -1), 10);
    ck_assert_double_eq(curve_w(&curve, 7), 50);
    ck_assert_double_eq(curve_w(&no_idle, 0.2), 40);
    ck_assert_double_nan(curve_w(&none, 0.5));
    ck_assert_int_eq(curve_points(&curve), 3);
    const struct power_curve twice = curve_scaled(curve, 2);
    ck_assert_double_eq_tol(curve_w(&twice, 0.25), 50, 1e-12);
}
END_TEST

START_TEST(a_fitted_curve_is_its_logarithm)
{
    const struct power_curve curve = { .a = 35.5688, .b = 0.2438, .c = 9.6694, .d = -0.6087 };
    const struct power_curve half = curve_scaled(curve, 0.5);

    ck_assert_double_eq_tol(curve_w(&curve, 0), 29.89, 0.01);
    ck_assert_double_eq_tol(curve_w(&curve, 0.1), 55.15, 0.01);
    ck_assert_double_eq_tol(curve_w(&curve, 1), 116.27, 0.01);
    ck_assert_double_eq_tol(curve_w(&curve, 0.333), 35.5688 * log(0.2438 * (33.3 + 9.6694)) - 0.6087, 1e-9);
    ck_assert_double_eq_tol(curve_w(&half, 1), 116.27 / 2, 0.01);
}
END_TEST

#define NUMBERED(number_, stepping_, thread)                                                                           \
    {                                                                                                                  \
        .model = "", .vendor = "AcmeVendor", .family = 6, .number = number_, .stepping = stepping_,                    \
        .by_thread = thread                                                                                            \
    }

START_TEST(the_curve_of_the_very_model_comes_first)
{
    const struct cpu_identity whole = NAMED("ACME(R) One CPU @ 3GHz", false), guest = NAMED("Acme One", true);
    struct cpu_power power;

    power = fixture_find(&whole, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_MODEL);
    ck_assert_str_eq(power.id, "one");
    ck_assert_str_eq(power.model, "Acme One");
    ck_assert(power.per_thread);
    ck_assert_double_eq(cpu_power_of_package(&power, 4), 16);
    /* TDP 80 W × generic is 8, 24, 56, 80 W; 16 × the curve is 8, 24, 56, 80 W: they agree */
    ck_assert_double_eq_tol(power.low_ratio, 0.75, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 4.0 / 3, 1e-9);
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_double_eq(cpu_power_share(&power, 2) * curve_w(&power.curve, 1), 10);
}
END_TEST

START_TEST(an_idle_reading_that_is_missing_is_the_generic_one)
{
    const struct cpu_identity whole = NAMED("Acme Two", false), guest = NAMED("Acme Two", true);
    struct cpu_power power;

    power = fixture_find(&whole, BOUNDARY_PACKAGE);
    ck_assert(!power.per_thread);
    ck_assert_double_eq(curve_w(&power.curve, 0), 10); /* 0.1 × TDP 100 W, below the 30 W at 10 % */
    ck_assert_double_eq(curve_w(&power.curve, 0.05), 20);
    ck_assert_double_eq(cpu_power_of_package(&power, 4), 1);
    /* other lists say 50 W and 200 W: 0.1 × 50 / 10 at idle, 200 × 1 / 95 at full load */
    ck_assert_double_eq_tol(power.low_ratio, 0.5, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 200.0 / 95, 1e-9);
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.threads, 16);
    ck_assert_double_eq(cpu_power_share(&power, 4), 0.25);
}
END_TEST

START_TEST(without_a_curve_it_is_the_tdp)
{
    const struct cpu_identity whole = NAMED("Acme Three", false), guest = NAMED("Acme Three", true);
    const struct cpu_identity unsure = NAMED("Acme Four", true);
    struct cpu_power power;

    power = fixture_find(&whole, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_TDP);
    ck_assert_str_eq(power.id, "teads:generic");
    ck_assert_double_eq(curve_w(&power.curve, 0), 20);
    ck_assert_double_eq(curve_w(&power.curve, 1), 200);
    ck_assert_double_eq_tol(power.low_ratio, 0.2 * 150 / 200, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 2, 1e-9);
    ck_assert_ptr_nonnull(strstr(power.how, "TDP 200 W"));
    ck_assert_ptr_nonnull(strstr(power.how, "LIST, GENERIC"));
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_double_eq(cpu_power_share(&power, 5) * curve_w(&power.curve, 1), 50);
    /* two threads a core is a guess: the share may be twice as large */
    power = fixture_find(&unsure, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.threads, 20);
    ck_assert_double_eq_tol(power.high_ratio, 4, 1e-9);
}
END_TEST

START_TEST(a_range_of_models_serves_whole_packages)
{
    const struct cpu_identity gold = NAMED("Acme Gold 9999X", false), golden = NAMED("Acme Golden 1", false);
    const struct cpu_identity guest = NAMED("Acme Gold 9999X", true), lead = NAMED("Acme Lead 5", false);
    struct cpu_power power;

    power = fixture_find(&gold, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_MODEL_RANGE);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 10 * log(0.5 * 108) + 2, 1e-9);
    ck_assert_str_eq(power.model, "");
    ck_assert_int_eq(fixture_find(&golden, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
    ck_assert_int_eq(fixture_find(&guest, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
    /* the row says that it must not be used */
    ck_assert_int_eq(fixture_find(&lead, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
}
END_TEST

static struct cpu_power find_by_kin(const struct cpu_identity *cpu, const char *microarchitecture)
{
    const struct cpu_power power = fixture_find(cpu, BOUNDARY_PACKAGE);

    ck_assert_int_eq(power.basis, POWER_MICROARCHITECTURE);
    ck_assert_str_eq(power.microarchitecture, microarchitecture);
    return power;
}

START_TEST(a_hidden_name_falls_back_on_its_microarchitecture)
{
    const struct cpu_identity guest = NUMBERED(15, 3, true), bare = NUMBERED(15, 3, false);
    struct cpu_power power;

    /* one, kin and kin2 have 5, 3 and 6 W a thread at full load: one is in the middle */
    power = find_by_kin(&guest, "Curved");
    ck_assert_str_eq(power.id, "one");
    ck_assert_double_eq(cpu_power_share(&power, 2) * curve_w(&power.curve, 0.5), 7);
    ck_assert_double_eq_tol(power.low_ratio, 2 / 3.5, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 2, 1e-9);
    /* the same cores in a machine that is no cloud's may be quite another product */
    power = fixture_find(&bare, BOUNDARY_PACKAGE);
    ck_assert_double_eq_tol(power.low_ratio, 0.2, 1e-9);
    ck_assert_double_eq(cpu_power_of_package(&power, 12), 12);
}
END_TEST

START_TEST(or_on_the_tdp_of_others_like_it)
{
    const struct cpu_identity guest = NUMBERED(15, 7, true), bare = NUMBERED(15, 7, false);
    struct cpu_power power;

    /* servers: 100 W / 100 threads, 200 / 20, 40 / 2; most of their 122 threads are of the first */
    power = find_by_kin(&guest, "Plain");
    ck_assert(power.per_thread);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 1, 1e-12);
    ck_assert_double_eq_tol(power.low_ratio, 0.2, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 2 * 20, 1e-9);
    /* elsewhere those that are no servers: 10 W / 4 */
    power = fixture_find(&bare, BOUNDARY_PACKAGE);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 2.5, 1e-12);
}
END_TEST

START_TEST(what_is_quite_unknown_has_a_stated_default)
{
    const struct cpu_identity unknown = NAMED("", false), no_counts = NAMED("Acme Five", true);
    struct cpu_power power;

    power = fixture_find(&unknown, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_DEFAULT);
    ck_assert(power.per_thread);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 4.25, 1e-12);
    ck_assert_double_eq_tol(power.low_ratio, 0.2 * 1.25 / 4.25, 1e-9);
    ck_assert_double_eq_tol(power.high_ratio, 2 * 16.25 / 4.25, 1e-9);
    /* a share of a package needs to know what it is a share of */
    ck_assert_int_eq(fixture_find(&no_counts, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
}
END_TEST

START_TEST(whole_servers_are_a_boundary_of_their_own)
{
    const struct cpu_identity whole = NAMED("Acme One", false), guest = NAMED("Acme One", true);
    const struct cpu_identity hidden = NUMBERED(15, 3, true), bare = NUMBERED(15, 3, false);
    const struct cpu_identity none = NAMED("Acme Three", false);
    struct cpu_power power;

    power = fixture_find(&whole, BOUNDARY_SERVER);
    ck_assert_str_eq(power.id, "srv:one");
    ck_assert(!power.per_thread);
    ck_assert_double_eq(curve_w(&power.curve, 1), 140);
    /* 16 threads of srv:curved: 192 W at full load; of few:curved 16 W at idle */
    ck_assert_double_eq_tol(power.high_ratio, 192.0 / 140, 1e-9);
    ck_assert_double_eq_tol(power.low_ratio, 16.0 / 40, 1e-9);
    power = fixture_find(&guest, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(cpu_power_share(&power, 4) * curve_w(&power.curve, 1), 35, 1e-9);
    /* the curve with more steps is taken; the row without a measurement is not */
    power = fixture_find(&hidden, BOUNDARY_SERVER);
    ck_assert_str_eq(power.id, "srv:curved");
    ck_assert_double_eq(cpu_power_share(&power, 2) * curve_w(&power.curve, 0), 4);
    ck_assert_double_le(power.high_ratio, 4.0 / 3 + 1e-9);
    /* cores of a server in something that is none */
    ck_assert(!fixture_has_machine(&bare, &power));
    ck_assert(!fixture_has_machine(&none, &power));
}
END_TEST

START_TEST(a_malformed_row_names_its_place)
{
    static const char *const bad[] = {
        "x,model,,X,acme one,,vcpu,CPU package,one,,,,,,,,,,,,,,,,,,S,", /* no number */
        "x,model,,X,acme one,,vcpu,CPU package,,,,,,,,,,,,,,,,,,,S,",    /* no figures */
        "x,model,,X,acme one,,core,CPU package,1,,,,,,,,,,,,,,,,,,S,",   /* no unit */
        "x,model,,X,acme one,,vcpu,the rack,1,,,,,,,,,,,,,,,,,,S,",      /* no boundary */
    };
    const struct cpu_identity one = NAMED("Acme One", false);
    struct cpu_power power;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[2048];
        struct error err = { .kind = ERROR_NONE };
        snprintf(text, sizeof text,
                 PROFILE_HEADER "teads:generic,generic,,g,,,tdp_fraction,CPU package,0.1,,,,,,,,,,1,,,,,,,,G,\n%s",
                 bad[i]);
        tree_put(&data, "emission_factors/cpu_profiles.csv", text);
        ck_assert_msg(!cpu_power_find(&one, &power, NULL, &err), "case %zu", i);
        ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
        ck_assert_msg(strstr(err.what, "cpu_profiles.csv' line 3, column"), "%s", err.what);
    }
}
END_TEST

UNIT_SUITE_IN("cpu_power", open_tables, close_tables, a_name_becomes_the_key_of_the_tables,
              a_curve_is_straight_between_its_points, a_fitted_curve_is_its_logarithm,
              the_curve_of_the_very_model_comes_first, an_idle_reading_that_is_missing_is_the_generic_one,
              without_a_curve_it_is_the_tdp, a_range_of_models_serves_whole_packages,
              a_hidden_name_falls_back_on_its_microarchitecture, or_on_the_tdp_of_others_like_it,
              what_is_quite_unknown_has_a_stated_default, whole_servers_are_a_boundary_of_their_own,
              a_malformed_row_names_its_place)
