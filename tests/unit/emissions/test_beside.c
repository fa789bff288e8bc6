/* SPDX-License-Identifier: MIT
 * emissions: what stands beside the location-based figure; figures read from the tables by another program. */
#include "answer.h"
#include "unit.h"

#include "emissions/supplementary.h"

#include <math.h>
#include <string.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-12)

static struct answer market_of(const char *zone, int year, const struct contracts *contracts, double given)
{
    struct answer answer =
        ask_query(&(struct factor_query){ .zone = zone, .year = year, .basis = FACTOR_LIFECYCLE, .intensity = NAN });
    const struct factor location = answer.factor;
    const struct market_query query = {
        .location = &location,
        .year = year,
        .first_day = year * 10000 + 101,
        .last_day = year * 10000 + 1231,
        .given = given,
        .contracts = contracts,
    };

    ck_assert(answer.found);
    answer.notices = (struct notices){ .count = 0 };
    answer.found = market_factor(&query, &answer.factor, &answer.notices, &answer.err);
    answer_keep(&answer);
    ck_assert(answer.found);
    ck_assert_str_eq(answer.factor.method, "market");
    return answer;
}

START_TEST(a_residual_mix_is_that_of_the_table)
{
    static const struct {
        const char *zone;
        int year;
        double kgco2eq_per_kwh;
        const char *source_id;
    } mixes[] = {
        { "DE", 2022, 0.684028, "AIB_RM_2022" }, { "DE", 2024, 0.724564, "AIB_RM_2024" },
        { "FR", 2023, 0.040743, "AIB_RM_2023" }, { "FR", 2024, 0.02352, "AIB_RM_2024" },
        { "GB", 2024, 0.420757, "AIB_RM_2024" }, { "SE", 2022, 0.038952, "AIB_RM_2022" },
        { "CN", 2023, 0.6096, "CN_MEE_2023" },   { "BA", 2022, 0.843935, "AIB_RM_2022" },
    };

    for (size_t i = 0; i < sizeof mixes / sizeof mixes[0]; i++) {
        const struct answer answer = market_of(mixes[i].zone, mixes[i].year, NULL, NAN);
        check_factor(&answer, mixes[i].zone, mixes[i].year, mixes[i].kgco2eq_per_kwh);
        ck_assert_int_eq(answer.factor.basis, FACTOR_DIRECT);
        ck_assert_str_eq(answer.factor.gases, "co2");
        ck_assert_str_eq(answer.factor.source_id, mixes[i].source_id);
        ck_assert_str_eq(answer.factor.table, "residual_mix.csv");
        ck_assert_uint_eq(answer.notices.count, 0);
    }
}
END_TEST

START_TEST(another_year_of_the_residual_mix_is_told)
{
    const struct answer answer = market_of("FR", 2026, NULL, NAN);

    check_factor(&answer, "FR", 2024, 0.02352);
    check_one_notice(&answer, "no residual mix of 2026 for FR; using 2024 (market-based)");
}
END_TEST

START_TEST(without_a_residual_mix_there_is_no_figure)
{
    /* Austria and Switzerland disclose everything: their 0 is no factor */
    static const char *const zones[] = { "AT", "CH", "JP", "US-CA", NULL };

    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        const struct answer answer = market_of(zones[i], 2024, NULL, NAN);
        ck_assert(isnan(answer.factor.kgco2eq_per_kwh));
        ck_assert_int_eq(answer.factor.quality, QUALITY_UNKNOWN);
        ck_assert_uint_eq(answer.notices.count, 0);
    }
}
END_TEST

START_TEST(a_figure_of_ones_own_goes_before_all)
{
    const struct answer answer = market_of("AT", 2024, NULL, 0.0125);

    ck_assert_double_eq(answer.factor.kgco2eq_per_kwh, 0.0125);
    ck_assert_int_eq(answer.factor.quality, QUALITY_GIVEN);
    ck_assert_str_eq(answer.factor.source, "given by the user");
}
END_TEST

static const struct contracts two_contracts = {
    .count = 2,
    .file = "c.ini",
    .items = {
        { .share = 0.5, .kgco2eq_per_kwh = 0.01, .from = 20240101, .until = 20241231, .certificate = "GO-1" },
        { .share = 0.25, .kgco2eq_per_kwh = 0, .from = 20240101, .until = 20251231, .certificate = "GO-2" },
    },
};

START_TEST(contracts_cover_their_shares_and_the_residual_mix_the_rest)
{
    struct answer answer = market_of("DE", 2024, &two_contracts, NAN);

    NEAR(answer.factor.kgco2eq_per_kwh, 0.5 * 0.01 + 0.25 * 0 + 0.25 * 0.724564);
    ck_assert_str_eq(answer.factor.source,
                     "0.5 at 10 g/kWh (GO-1), 0.25 at 0 g/kWh (GO-2), 0.25 at 724.564 g/kWh (residual mix)");
    ck_assert_str_eq(answer.factor.table, "c.ini");
    ck_assert_int_eq(answer.factor.quality, QUALITY_GIVEN);
    ck_assert_uint_eq(answer.notices.count, 0);
    /* one of them does not hold in 2025 */
    answer = market_of("DE", 2025, &two_contracts, NAN);
    NEAR(answer.factor.kgco2eq_per_kwh, 0.75 * 0.724564);
    ck_assert_uint_eq(answer.notices.count, 2);
    ck_assert_str_eq(answer.notices.item[0].what, "contract 'GO-1' of 'c.ini' is left out");
    /* none holds */
    answer = market_of("DE", 2023, &two_contracts, NAN);
    check_factor(&answer, "DE", 2023, 0.719903);
    ck_assert_int_eq(answer.factor.basis, FACTOR_DIRECT);
    ck_assert_uint_eq(answer.notices.count, 2);
}
END_TEST

START_TEST(the_location_based_factor_is_the_last_resort)
{
    const struct answer answer = market_of("AT", 2024, &two_contracts, NAN);

    NEAR(answer.factor.kgco2eq_per_kwh, 0.5 * 0.01 + 0.25 * 0.086531);
    check_one_notice(&answer, "market-based: 25 % without a contract is at the location-based factor");
}
END_TEST

START_TEST(the_direct_location_based_figure_stands_beside_it_or_none)
{
    static const struct {
        const char *zone;
        double kgco2eq_per_kwh;
    } cases[] = { { "FR", 0.018068 }, { "AT", 0.086531 } };
    struct factor own = { .kgco2eq_per_kwh = 0.3, .basis = FACTOR_LIFECYCLE }, found;
    struct error err;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct answer answer = ask_query(
            &(struct factor_query){ .zone = cases[i].zone, .year = 2024, .basis = FACTOR_LIFECYCLE, .intensity = NAN });
        ck_assert(location_factor_of(&answer.factor, FACTOR_DIRECT, &found, &err));
        ck_assert_int_eq(found.basis, FACTOR_DIRECT);
        ck_assert_str_eq(found.zone, cases[i].zone);
        ck_assert_int_eq(found.year, 2024);
        ck_assert(found.kgco2eq_per_kwh > 0 && found.kgco2eq_per_kwh < answer.factor.kgco2eq_per_kwh);
        NEAR(found.kgco2eq_per_kwh, cases[i].kgco2eq_per_kwh);
    }
    /* nobody knows whose electricity a stated figure is of; on its own basis it is itself */
    ck_assert(location_factor_of(&own, FACTOR_DIRECT, &found, &err));
    ck_assert(isnan(found.kgco2eq_per_kwh));
    ck_assert(location_factor_of(&own, FACTOR_LIFECYCLE, &found, &err));
    ck_assert_double_eq(found.kgco2eq_per_kwh, 0.3);
}
END_TEST

START_TEST(contracts_for_all_need_no_residual_mix)
{
    struct contracts all = two_contracts;

    all.items[1].share = 0.3;
    all.items[0].share = 0.7;
    const struct answer answer = market_of("AT", 2024, &all, NAN);
    NEAR(answer.factor.kgco2eq_per_kwh, 0.7 * 0.01);
    ck_assert_str_eq(answer.factor.source, "0.7 at 10 g/kWh (GO-1), 0.3 at 0 g/kWh (GO-2)");
    ck_assert_uint_eq(answer.notices.count, 0);
}
END_TEST

START_TEST(grid_losses_are_the_difference_that_a_publisher_gives)
{
    struct factor_query query = { .zone = "GB", .year = 2024, .basis = FACTOR_DIRECT, .intensity = NAN };
    struct answer answer = ask_query(&query);

    NEAR(answer.factor.td_losses_kgco2eq_per_kwh, 0.22535 - 0.20705);
    ck_assert_double_eq(answer.factor.kgco2eq_per_kwh, 0.20705);
    ck_assert(isnan(answer.factor.upstream_kgco2eq_per_kwh));
    query.zone = "CA-QC";
    query.year = 2020;
    answer = ask_query(&query);
    NEAR(answer.factor.td_losses_kgco2eq_per_kwh, 0.0019 - 0.0015);
    /* another basis, a zone without, a figure of one's own */
    query.zone = "GB";
    query.basis = FACTOR_LIFECYCLE;
    ck_assert(isnan(ask_query(&query).factor.td_losses_kgco2eq_per_kwh));
    query.zone = "DE";
    query.basis = FACTOR_DIRECT;
    ck_assert(isnan(ask_query(&query).factor.td_losses_kgco2eq_per_kwh));
    query.intensity = 0.1;
    ck_assert(isnan(ask_query(&query).factor.td_losses_kgco2eq_per_kwh));
}
END_TEST

static struct published find(enum facility_figure figure, const char *name, int year, bool *found,
                             struct notices *notices)
{
    struct published published = { .value = NAN };
    struct error err;

    use_data();
    ck_assert_msg(facility_find(figure, name, year, &published, found, notices, &err), "%s", err.what);
    return published;
}

START_TEST(a_provider_publishes_its_pue)
{
    static const struct {
        enum facility_figure figure;
        const char *name;
        int year;
        double value;
        enum quality quality;
        const char *source;
        size_t notices;
    } figures[] = {
        /* the fleet's own figure goes before the median of its regions */
        { FACILITY_PUE, "aws", 2024, 1.15, QUALITY_GIVEN, "aws, fleet, 2024; AWS data centre PUE (Amazon Web Services)",
          0 },
        { FACILITY_PUE, "AWS", 2026, 1.15, QUALITY_GIVEN, "aws, fleet, 2024; AWS data centre PUE (Amazon Web Services)",
          1 },
        { FACILITY_PUE, "azure", 2024, 1.18, QUALITY_GIVEN, "azure, fleet, 2022; ", 1 },
        { FACILITY_PUE, "world", 2019, 1.67, QUALITY_DEFAULT, "world, largest site of each respondent, 2019; ", 0 },
        { FACILITY_PUE, "world", 2009, 2.5, QUALITY_DEFAULT, "world, largest site of each respondent, 2007; ", 1 },
        { FACILITY_PUE, "personal_computer", 2024, 1, QUALITY_DEFAULT, "personal_computer, 2024; ", 0 },
        { FACILITY_PUE, "nrel_esif", 2024, 1.036, QUALITY_GIVEN, "nrel_esif, annualised; ", 0 },
        { FACILITY_PUE, "aws:af-south-1", 2022, 1.36, QUALITY_GIVEN, "aws:af-south-1, Africa (Cape Town), 2022; ", 0 },
        { FACILITY_WUE, "aws:af-south-1", 2022, 0.19, QUALITY_GIVEN, "aws:af-south-1, Africa (Cape Town), 2022; ", 0 },
        { FACILITY_WUE, "aws:eu-west-3", 2023, 0.18, QUALITY_GIVEN, "aws:eu-west-3, Europe (Paris), 2023; ", 0 },
    };

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        AUTO_NOTICES struct notices notices = { .count = 0 };
        bool found;
        const struct published published = find(figures[i].figure, figures[i].name, figures[i].year, &found, &notices);
        ck_assert_msg(found, "%s", figures[i].name);
        ck_assert_double_eq(published.value, figures[i].value);
        ck_assert_int_eq(published.quality, figures[i].quality);
        ck_assert_msg(strstr(published.source, figures[i].source) == published.source, "%s", published.source);
        ck_assert_uint_eq(notices.count, figures[i].notices);
    }
}
END_TEST

START_TEST(what_nobody_publishes_is_not_known)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err;
    bool found;

    find(FACILITY_PUE, "awz", 2024, &found, &notices);
    ck_assert(!found);
    find(FACILITY_WUE, "aws", 2024, &found, &notices);
    ck_assert(!found);
    /* a region that publishes water alone */
    find(FACILITY_PUE, "aws:ap-east-1", 2022, &found, &notices);
    ck_assert(!found);
    ck_assert(!facility_unknown(FACILITY_PUE, "awz", &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "no PUE is known of 'awz'");
    ck_assert_str_eq(err.fix, "close ones are 'aws'");
}
END_TEST

UNIT_SUITE("beside", a_residual_mix_is_that_of_the_table, another_year_of_the_residual_mix_is_told,
           without_a_residual_mix_there_is_no_figure, a_figure_of_ones_own_goes_before_all,
           contracts_cover_their_shares_and_the_residual_mix_the_rest, the_location_based_factor_is_the_last_resort,
           the_direct_location_based_figure_stands_beside_it_or_none, contracts_for_all_need_no_residual_mix,
           grid_losses_are_the_difference_that_a_publisher_gives, a_provider_publishes_its_pue,
           what_nobody_publishes_is_not_known)
