/* SPDX-License-Identifier: MIT
 * emissions: which factor answers, from which table, and what is said where it is not just as asked. */
#include "answer.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static struct answer ask(const char *zone, int year, enum factor_basis basis)
{
    return ask_query(&(struct factor_query){ .zone = zone, .year = year, .basis = basis, .intensity = NAN });
}

static struct answer ask_share_alike(const char *zone, int year, enum factor_basis basis)
{
    return ask_query(
        &(struct factor_query){ .zone = zone, .year = year, .basis = basis, .intensity = NAN, .share_alike = true });
}

/* Of many zones one publisher's direct figure is above another's lifecycle one. */
static size_t count_but_of_bases(const struct answer *answer)
{
    size_t count = 0;

    for (size_t i = 0; i < answer->notices.count; i++)
        count += strstr(answer->notices.item[i].what, "is above its lifecycle one") == NULL;
    return count;
}

static void check_refused(const struct answer *answer, const char *what, const char *why, const char *fix)
{
    ck_assert(!answer->found);
    ck_assert_int_eq(answer->err.kind, ERROR_USAGE);
    ck_assert_str_eq(answer->err.what, what);
    ck_assert_str_eq(answer->err.why, why);
    ck_assert_str_eq(answer->err.fix, fix);
}

/* Literals read from the tables by another program. */
START_TEST(figures_are_those_of_the_tables)
{
    static const struct {
        const char *zone;
        int year;
        enum factor_basis basis;
        double kgco2eq_per_kwh;
        const char *source_id, *gases;
    } figures[] = {
        { "FR", 2024, FACTOR_LIFECYCLE, 0.04048, "OWID_EMBER_2026", "co2eq" },
        { "FR", 2022, FACTOR_LIFECYCLE, 0.07854, "OWID_EMBER_2026", "co2eq" },
        { "FR", 2024, FACTOR_DIRECT, 0.018068, "AIB_RM_2024", "co2" },
        { "DE", 2024, FACTOR_LIFECYCLE, 0.33638, "OWID_EMBER_2026", "co2eq" },
        { "GB", 2024, FACTOR_DIRECT, 0.20705, "UK_DESNZ_2024", "co2eq" },
        { "GB", 2023, FACTOR_DIRECT, 0.20707, "UK_DESNZ_2023", "co2eq" },
        { "GB", 2024, FACTOR_LIFECYCLE, 0.2165, "OWID_EMBER_2026", "co2eq" },
        { "GB", 2025, FACTOR_DIRECT, 0.177, "UK_DESNZ_2025", "co2eq" },
        { "US", 2023, FACTOR_DIRECT, 0.349667, "EPA_EGRID_2023", "co2eq" },
        { "US", 2024, FACTOR_LIFECYCLE, 0.38378, "OWID_EMBER_2026", "co2eq" },
        { "US-CA", 2022, FACTOR_DIRECT, 0.207512, "EPA_EGRID_2022", "co2eq" },
        { "US-TX", 2016, FACTOR_DIRECT, 0.476057, "EPA_EGRID_2016", "co2" },
        { "EGRID:CAMX", 2023, FACTOR_DIRECT, 0.195037, "EPA_EGRID_2023", "co2eq" },
        { "EGRID:ERCT", 2010, FACTOR_DIRECT, 0.582866, "EPA_EGRID_2010", "co2eq" },
        { "PL", 2024, FACTOR_LIFECYCLE, 0.60818, "OWID_EMBER_2026", "co2eq" },
        { "NO", 2023, FACTOR_LIFECYCLE, 0.03046, "OWID_EMBER_2026", "co2eq" },
        { "SE", 2015, FACTOR_LIFECYCLE, 0.04086, "OWID_EMBER_2026", "co2eq" },
        { "IN", 2024, FACTOR_DIRECT, 0.7117, "IN_CEA_V21", "co2" },
        { "IN", 2010, FACTOR_LIFECYCLE, 0.73943, "OWID_EMBER_2026", "co2eq" },
        { "CN", 2023, FACTOR_DIRECT, 0.5306, "CN_MEE_2023", "co2" },
        { "GRID:CN-EAST", 2022, FACTOR_DIRECT, 0.5617, "CN_MEE_2022", "co2" },
        { "CN-BJ", 2022, FACTOR_DIRECT, 0.558, "CN_MEE_2022", "co2" },
        { "CA-QC", 2020, FACTOR_DIRECT, 0.0015, "ECCC_NIR_2022", "co2eq" },
        { "CA-AB", 2023, FACTOR_LIFECYCLE, 0.434377, "DERIVED_MIX_AR5", "co2eq" },
        { "AU-NSW", 2024, FACTOR_DIRECT, 0.66, "AU_NGA_2024", "co2eq" },
        { "JP", 2020, FACTOR_LIFECYCLE, 0.52775, "OWID_EMBER_2026", "co2eq" },
        { "BR", 2025, FACTOR_LIFECYCLE, 0.10995, "OWID_EMBER_2026", "co2eq" },
        { "ZA", 2012, FACTOR_LIFECYCLE, 0.80704, "OWID_EMBER_2026", "co2eq" },
        { "XK", 2021, FACTOR_LIFECYCLE, 0.94501, "OWID_EMBER_2026", "co2eq" },
        { "TM", 2010, FACTOR_LIFECYCLE, 1.30672, "OWID_EMBER_2026", "co2eq" },
        { "CZ", 2024, FACTOR_DIRECT, 0.529126, "AIB_RM_2024", "co2" },
        { "CH", 2023, FACTOR_LIFECYCLE, 0.03482, "OWID_EMBER_2026", "co2eq" },
        { "WORLD", 2024, FACTOR_LIFECYCLE, 0.47108, "OWID_EMBER_2026", "co2eq" },
        { "EU27", 2023, FACTOR_LIFECYCLE, 0.235842, "OWID_EMBER_2026", "co2eq" },
        { "FK", 2020, FACTOR_LIFECYCLE, 0.65, "DERIVED_MIX_AR5", "co2eq" },
        { "IS", 2019, FACTOR_LIFECYCLE, 0.02841, "OWID_EMBER_2026", "co2eq" },
    };

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct answer answer = ask(figures[i].zone, figures[i].year, figures[i].basis);
        check_factor(&answer, figures[i].zone, figures[i].year, figures[i].kgco2eq_per_kwh);
        ck_assert_int_eq(answer.factor.basis, figures[i].basis);
        const bool modelled = strncmp(figures[i].source_id, "DERIVED", 7) == 0;
        ck_assert_int_eq(answer.factor.quality, modelled ? QUALITY_MODELLED : QUALITY_GIVEN);
        ck_assert_str_eq(answer.factor.source_id, figures[i].source_id);
        ck_assert_str_eq(answer.factor.gases, figures[i].gases);
        ck_assert_str_eq(answer.factor.table, "grid_intensity.csv");
        ck_assert_uint_eq(count_but_of_bases(&answer), modelled);
    }
}
END_TEST

START_TEST(a_factor_says_where_it_comes_from)
{
    const struct answer answer = ask("FR", 2024, FACTOR_LIFECYCLE);

    check_factor(&answer, "FR", 2024, 0.04048);
    ck_assert_str_eq(answer.factor.zone_name, "France");
    ck_assert_str_eq(answer.factor.scope, "production");
    ck_assert_str_eq(answer.factor.td_losses, "excluded");
    ck_assert_str_eq(answer.factor.method, "location");
    ck_assert_str_eq(answer.factor.source,
                     "Carbon intensity of electricity generation (Ember, processed by Our World in Data)");
    ck_assert_str_eq(answer.factor.licence, "CC BY 4.0");
}
END_TEST

START_TEST(a_zone_has_many_names)
{
    /* what is typed, what is meant, and so on */
    static const char *const names[] = {
        "fr",    "FR",    "FRA",   "FR",    "fra",           "FR",    "France",     "FR",         "FRANCE",        "FR",
        "uk",    "GB",    "USA",   "US",    "united states", "US",    "eu",         "EU27",       "Great Britain", "GB",
        "AUS",   "AU",    "us-ca", "US-CA", "california",    "US-CA", "egrid:camx", "EGRID:CAMX", "türkiye",       "TR",
        "world", "WORLD",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i += 2) {
        const bool part_of_the_us = strpbrk(names[i + 1], "-:") != NULL;
        const struct answer answer = ask(names[i], 2022, part_of_the_us ? FACTOR_DIRECT : FACTOR_LIFECYCLE);
        ck_assert_msg(answer.found, "%s: %s", names[i], answer.err.what);
        ck_assert_str_eq(answer.factor.zone, names[i + 1]);
        ck_assert_uint_eq(count_but_of_bases(&answer), 0);
    }
}
END_TEST

START_TEST(a_country_goes_before_a_state_of_its_name)
{
    const struct answer answer = ask("Georgia", 2024, FACTOR_LIFECYCLE);

    ck_assert_str_eq(answer.factor.zone, "GE");
    check_one_notice(&answer, "'Georgia' is taken as GE, not as US-GA");
}
END_TEST

START_TEST(a_cloud_region_stands_in_a_zone)
{
    struct answer answer = ask("aws:eu-west-3", 2024, FACTOR_LIFECYCLE);

    check_factor(&answer, "FR", 2024, 0.04048);
    check_one_notice(&answer, "the electricity of cloud region aws:eu-west-3 is taken as that of zone FR");
    ck_assert_str_eq(answer.notices.item[0].why, "cloud_regions.csv places it in Europe (Paris)");
    answer = ask_share_alike("AWS:US-West-1", 2024, FACTOR_LIFECYCLE);
    check_factor(&answer, "EM:US-CAL-CISO", 2024, 0.229);
}
END_TEST

START_TEST(no_zone_is_the_world_by_default)
{
    const struct answer answer = ask(NULL, 2024, FACTOR_LIFECYCLE);

    check_factor(&answer, "WORLD", 2024, 0.47108);
    ck_assert_int_eq(answer.factor.quality, QUALITY_DEFAULT);
    check_one_notice(&answer, "no zone given; using the world average");
    ck_assert_ptr_nonnull(strstr(answer.notices.item[0].fix, "--zone FR, or CARBON_ZONE=FR"));
}
END_TEST

START_TEST(an_unknown_zone_is_refused_with_near_ones)
{
    struct answer answer = ask("UKX", 2024, FACTOR_LIFECYCLE);

    check_refused(&answer, "unknown zone 'UKX'",
                  "not in zones.csv, zone_aliases.csv or cloud_regions.csv; did you mean 'GB', 'UA', 'XK'?",
                  "carbon factors GB");
    answer = ask("Frnace", 2024, FACTOR_LIFECYCLE);
    ck_assert_str_eq(answer.err.fix, "carbon factors FR");
    answer = ask("aws:eu-west-9", 2024, FACTOR_LIFECYCLE);
    ck_assert_str_eq(answer.err.why, "not in zones.csv, zone_aliases.csv or cloud_regions.csv; did you mean "
                                     "'aws:eu-west-1', 'aws:eu-west-2', 'aws:eu-west-3'?");
    answer = ask("nowhere at all", 2024, FACTOR_LIFECYCLE);
    ck_assert_str_eq(answer.err.fix, "carbon factors");
    answer = ask("", 2024, FACTOR_LIFECYCLE);
    ck_assert_str_eq(answer.err.what, "unknown zone ''");
}
END_TEST

START_TEST(a_missing_year_takes_the_nearest_earlier_one)
{
    struct answer answer = ask("UA", 2026, FACTOR_LIFECYCLE);

    ck_assert_int_eq(answer.factor.year, 2022);
    check_one_notice(&answer, "no lifecycle factor of 2026 for UA (Ukraine); using 2022");
    answer = ask("US-CA", 2019, FACTOR_DIRECT);
    check_factor(&answer, "US-CA", 2016, 0.205269);
    check_one_notice(&answer, "no direct factor of 2019 for US-CA (California); using 2016");
}
END_TEST

START_TEST(where_all_years_are_later_the_earliest_is_taken)
{
    struct answer answer = ask("FR", 2005, FACTOR_LIFECYCLE);

    check_factor(&answer, "FR", 2010, 0.07856);
    check_one_notice(&answer, "no lifecycle factor of 2005 or before for FR (France); using 2010");
    answer = ask("FR", 0, FACTOR_LIFECYCLE);
    check_factor(&answer, "FR", 2025, 0.04144);
    ck_assert_uint_eq(answer.notices.count, 0);
}
END_TEST

START_TEST(one_zone_stands_in_for_another_along_a_wire)
{
    struct answer answer = ask("AD", 2024, FACTOR_LIFECYCLE);

    ck_assert_str_eq(answer.factor.zone, "ES");
    check_one_notice(&answer, "no lifecycle factor for AD (Andorra); using ES (Spain)");
    ck_assert_str_eq(answer.notices.item[0].why, "fallback order in zones.csv: AD, ES; interconnection: land "
                                                 "border, lines to both neighbours; geography; lines to ES FR");
    ck_assert_str_eq(answer.notices.item[0].fix, "give a figure of your own with --intensity or --factors");
    /* without one an island on oil, which is weak and says so */
    answer = ask("CW", 2014, FACTOR_LIFECYCLE);
    check_factor(&answer, "ISLAND-DIESEL", 2014, 0.65);
    ck_assert_int_eq(answer.factor.quality, QUALITY_MODELLED);
    ck_assert_str_eq(answer.notices.item[0].why,
                     "fallback order in zones.csv: CW, ISLAND-DIESEL; no wire is known: own grid");
    /* or, of one that is known to be no such island, the world */
    answer = ask("EH", 2024, FACTOR_LIFECYCLE);
    check_factor(&answer, "WORLD", 2024, 0.47108);
    answer = ask("CA-PE", 2020, FACTOR_DIRECT);
    check_factor(&answer, "CA-NB", 2020, 0.29);
}
END_TEST

START_TEST(below_the_nation_a_zone_has_its_own_figure)
{
    static const struct {
        const char *zone, *used;
        int year;
        double kgco2eq_per_kwh;
    } figures[] = {
        { "US-WA", "US-WA", 2022, 0.124556 },
        { "US-VT", "US-VT", 2022, 0.091523 },
        { "US-WV", "US-WV", 2022, 0.955537 },
        { "AU-TAS", "AU-TAS", 2025, 0.24 },
        { "YT", "YT", 2012, 0.765 },
        { "FR-20R", "FR-20R", 2012, 0.583 },
        { "CW", "ISLAND-DIESEL", 2014, 0.65 },
        { "aws:us-west-2", "US-OR", 2022, 0.194973 },
        { "EGRID:NWPP", "EGRID:NWPP", 2023, 0.35849 },
        { "CN-BJ", "CN-BJ", 2022, 0.610409 },
    };

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct answer answer = ask(figures[i].zone, 2026, FACTOR_LIFECYCLE);
        ck_assert_msg(answer.found, "%s: %s", figures[i].zone, answer.err.what);
        ck_assert_str_eq(answer.factor.zone, figures[i].used);
        ck_assert_int_eq(answer.factor.year, figures[i].year);
        ck_assert_double_eq_tol(answer.factor.kgco2eq_per_kwh, figures[i].kgco2eq_per_kwh, 1e-6);
    }
}
END_TEST

START_TEST(a_weak_figure_says_why_it_is_weak)
{
    struct answer answer = ask("AU-TAS", 2025, FACTOR_LIFECYCLE);

    check_one_notice(&answer, "the lifecycle factor of AU-TAS (Tasmania) for 2025 is modelled, not published");
    ck_assert_ptr_nonnull(strstr(answer.notices.item[0].why, "scope 2 of NGA 2025 x 1.2, between coal"));
    answer = ask("YT", 2026, FACTOR_LIFECYCLE);
    check_one_notice(&answer, "no lifecycle factor of 2026 for YT (Mayotte); using 2012");
    ck_assert_ptr_nonnull(strstr(answer.notices.item[0].why, "old, but of this island"));
}
END_TEST

START_TEST(names_as_people_type_them)
{
    /* what is typed, the zone, and what is said of it: "" nothing */
    static const char *const names[] = {
        "England",
        "GB",
        "'England' is taken as GB (United Kingdom)",
        "UAE",
        "AE",
        "",
        "Holland",
        "NL",
        "",
        "EU-27",
        "EU27",
        "",
        "Deutschland",
        "DE",
        "",
        "DEUTSCHLAND",
        "DE",
        "",
        ("Qu\xc3\xa9"
         "bec"),
        "CA-QC",
        "",
        "SE3",
        "SE",
        "'SE3' is taken as SE (Sweden), whose yearly factor it has",
        "no1",
        "NO",
        "'no1' is taken as NO (Norway), whose yearly factor it has",
        "DE-LU",
        "DE",
        "'DE-LU' is taken as DE (Germany), whose yearly factor it has",
        "DK1",
        "DK",
        "'DK1' is taken as DK (Denmark), whose yearly factor it has",
        "eu-west-3",
        "FR",
        "the electricity of cloud region aws:eu-west-3 is taken as that of zone FR",
        "fr-par",
        "FR",
        "the electricity of cloud region scaleway:fr-par is taken as that of zone FR",
        "Paris",
        "FR",
        "'Paris' is taken as FR (France)",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i += 3) {
        const struct answer answer = ask(names[i], 2023, FACTOR_LIFECYCLE);
        ck_assert_msg(answer.found, "%s: %s", names[i], answer.err.what);
        ck_assert_str_eq(answer.factor.zone, names[i + 1]);
        if (*names[i + 2])
            ck_assert_str_eq(answer.notices.item[0].what, names[i + 2]);
    }
    ck_assert_str_eq(ask_share_alike("SE3", 2024, FACTOR_LIFECYCLE).factor.zone, "EM:SE-SE3");
    /* one code of two providers */
    ck_assert_str_eq(ask("us-east-1", 2022, FACTOR_LIFECYCLE).notices.item[0].what,
                     "'us-east-1' is taken as cloud region aws:us-east-1");
}
END_TEST

START_TEST(one_basis_never_stands_in_for_the_other)
{
    struct answer answer = ask("KE", 2024, FACTOR_DIRECT);

    check_refused(&answer, "no direct factor for KE (Kenya)",
                  "no table has one for any of its chain of zones: KE, WORLD",
                  "--share-alike adds a table in which this zone is");
    answer = ask(NULL, 2024, FACTOR_DIRECT);
    ck_assert_str_eq(answer.err.what, "no direct factor for WORLD (World)");
    ck_assert_ptr_nonnull(strstr(answer.err.fix, "--basis lifecycle has a figure of its own"));
}
END_TEST

START_TEST(a_direct_figure_above_the_lifecycle_one_is_told)
{
    struct answer answer = ask("CZ", 2024, FACTOR_DIRECT);

    check_factor(&answer, "CZ", 2024, 0.529126);
    check_one_notice(&answer, "the direct factor of CZ (Czechia) (2024, AIB_RM_2024) is above its lifecycle one (2024, "
                              "OWID_EMBER_2026)");
    answer = ask("CZ", 2024, FACTOR_LIFECYCLE);
    check_one_notice(&answer, "the direct factor of CZ (Czechia) (2024, AIB_RM_2024) is above its lifecycle one (2024, "
                              "OWID_EMBER_2026)");
}
END_TEST

START_TEST(a_zero_of_a_source_is_not_a_grids)
{
    const struct answer answer = ask("NO", 2023, FACTOR_DIRECT);

    /* AIB prints 0, and 0.0072 and 0.0067 for the years beside it */
    check_factor(&answer, "NO", 2023, 0.007178);
    ck_assert_int_eq(answer.factor.quality, QUALITY_MODELLED);
    check_one_notice(&answer, "the direct factor of NO (Norway) for 2023 is modelled, not published");
    ck_assert_ptr_nonnull(strstr(answer.notices.item[0].why, "AIB prints 0"));
}
END_TEST

START_TEST(share_alike_rows_only_where_asked)
{
    struct answer answer = ask("FR", 2024, FACTOR_LIFECYCLE);

    check_factor(&answer, "FR", 2024, 0.04048);
    answer = ask_share_alike("FR", 2024, FACTOR_LIFECYCLE);
    check_factor(&answer, "FR", 2024, 0.033);
    ck_assert_str_eq(answer.factor.table, "grid_intensity_odbl.csv");
    ck_assert_str_eq(answer.factor.licence, "ODbL 1.0");
    ck_assert_ptr_nonnull(strstr(answer.factor.source, "Electricity Maps"));
    ck_assert_str_eq(answer.factor.scope, "consumption");
    answer = ask_share_alike("JP", 2024, FACTOR_DIRECT);
    check_factor(&answer, "JP", 2024, 0.38218);
    answer = ask_share_alike("EM:JP-TK", 2024, FACTOR_LIFECYCLE);
    check_factor(&answer, "EM:JP-TK", 2024, 0.539);
    /* before its first year the default table answers */
    answer = ask_share_alike("FR", 2015, FACTOR_LIFECYCLE);
    check_factor(&answer, "FR", 2015, 0.05917);
    ck_assert_uint_eq(answer.notices.count, 0);
    answer = ask("EM:JP-TK", 2024, FACTOR_LIFECYCLE);
    ck_assert_str_eq(answer.factor.zone, "JP");
    ck_assert_str_eq(answer.notices.item[0].fix, "--share-alike adds a table in which this zone is");
}
END_TEST

START_TEST(a_figure_of_ones_own_needs_no_table)
{
    struct factor_query query = { .zone = "UKX", .year = 2024, .basis = FACTOR_DIRECT, .intensity = 0.084879 };
    struct answer answer = ask_query(&query);

    ck_assert(answer.found);
    ck_assert_double_eq(answer.factor.kgco2eq_per_kwh, 0.084879);
    ck_assert_int_eq(answer.factor.quality, QUALITY_GIVEN);
    ck_assert_int_eq(answer.factor.basis, FACTOR_DIRECT);
    ck_assert_str_eq(answer.factor.zone, "");
    ck_assert_str_eq(answer.factor.source, "given by the user");
    ck_assert_int_eq(answer.factor.year, 0);
    ck_assert_uint_eq(answer.notices.count, 0);
    query.intensity = 0;
    ck_assert(ask_query(&query).found);
    query.intensity = 10.5;
    answer = ask_query(&query);
    ck_assert(!answer.found);
    ck_assert_int_eq(answer.err.kind, ERROR_USAGE);
    query.intensity = -1;
    ck_assert(!ask_query(&query).found);
    query.intensity = INFINITY;
    ck_assert(!ask_query(&query).found);
}
END_TEST

START_TEST(a_wrong_data_folder_is_told)
{
    struct factor_query query = { .zone = "FR", .year = 2024, .intensity = NAN };
    AUTO_NOTICES struct notices notices = { 0 };
    struct factor factor;
    struct error err = { 0 };

    setenv("CARBON_DATA", "/nonexistent", 1);
    ck_assert(!factor_lookup(&query, &factor, &notices, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_ptr_nonnull(strstr(err.fix, "CARBON_DATA"));
    query.intensity = 0.1;
    ck_assert(factor_lookup(&query, &factor, &notices, &err));
}
END_TEST

UNIT_SUITE("factors", figures_are_those_of_the_tables, a_factor_says_where_it_comes_from, a_zone_has_many_names,
           a_country_goes_before_a_state_of_its_name, a_cloud_region_stands_in_a_zone, no_zone_is_the_world_by_default,
           an_unknown_zone_is_refused_with_near_ones, a_missing_year_takes_the_nearest_earlier_one,
           where_all_years_are_later_the_earliest_is_taken, one_zone_stands_in_for_another_along_a_wire,
           below_the_nation_a_zone_has_its_own_figure, a_weak_figure_says_why_it_is_weak, names_as_people_type_them,
           one_basis_never_stands_in_for_the_other, a_direct_figure_above_the_lifecycle_one_is_told,
           a_zero_of_a_source_is_not_a_grids, share_alike_rows_only_where_asked, a_figure_of_ones_own_needs_no_table,
           a_wrong_data_folder_is_told)
