/* SPDX-License-Identifier: MIT
 * The figures of a year: sums, doubt, gaps, and that all forms say the same. */
#include "annual_fixture.h"
#include "unit.h"

#include "base/text.h"
#include "io/json_read.h"

enum { RUNS = 20, DAYS = 365 };

/* Run k of day d uses 1000 (k + 1) + d joules in a minute. */
static struct year *synthetic_year(void)
{
    static const char *const projects[] = { "thesis", "web | *site*", NULL };
    struct year *year = open_year(2026, false);

    for (unsigned day = 0; day < DAYS; day++)
        for (unsigned k = 0; k < RUNS; k++) {
            struct account account = account_with(at("2026-01-01") + (UINT64_C(86400) * day + 3600 * k) * NS_PER_S_INT,
                                                  60, 1000 * (k + 1) + day);
            account.project = projects[k % 3];
            add(year, &account);
        }
    finish(year);
    return year;
}

START_TEST(a_year_is_summed_exactly)
{
    struct year *year = synthetic_year();
    const struct annual *annual = &year->annual;
    /* 365 x 1000 x (1 + ... + 20) + 20 x (0 + ... + 364) */
    const double joules = 365.0 * 210000 + 20.0 * 66430;
    /* k = 0, 3, ... 18: 1000 x (1 + 4 + ... + 19) a day, and 7 of 20 runs */
    const double thesis = 365.0 * 70000 + 7.0 * 66430;

    ck_assert_uint_eq(annual->total.records, 7300);
    ck_assert_uint_eq(annual->total.runs, 7300);
    CLOSE(annual->total.it_kwh, joules / 3.6e6);
    CLOSE(annual->total.facility_kwh, joules / 3.6e6 * 1.2);
    CLOSE(annual->total.kgco2eq, joules / 3.6e6 * 1.2 * 0.05);
    CLOSE(annual->total.kgco2eq_per_kwh, 0.05);
    CLOSE(annual->total.net_kwh.value, joules / 7.2e6);
    ck_assert_uint_eq(annual->total.net_kwh.records, 7300);
    ck_assert(annual->measured.it_kwh == annual->total.it_kwh);
    ck_assert_uint_eq(annual->month_count, 12);
    ck_assert_str_eq(annual->months[0].name, "2026-01");
    CLOSE(annual->months[0].figures.it_kwh, (31.0 * 210000 + 20 * 465.0) / 3.6e6);
    ck_assert_uint_eq(annual->months[1].figures.records, 28 * 20);
    CLOSE(annual->measured_share, 7300 * 60.0 / (8760 * 3600.0));
    CLOSE(annual->covered_share, annual->measured_share);
    ck_assert_uint_eq(annual->project_count, 3);
    ck_assert_str_eq(annual->projects[1].name, "thesis");
    CLOSE(annual->projects[1].figures.it_kwh, thesis / 3.6e6);
    ck_assert_int_eq(annual->projects[2].kind, GROUP_NONE);
    ck_assert_uint_eq(annual->factor_count, 1);
    ck_assert_str_eq(annual->factors[0].factor.zone, "FR");
    ck_assert(annual->factors[0].figures.kgco2eq == annual->total.kgco2eq);
    ck_assert_uint_eq(annual->pue_count, 1);
    ck_assert(annual->pues[0].value == 1.2);
    ck_assert(!annual->scarce);
    close_year(year);
}
END_TEST

static char *form_of(const struct annual *annual,
                     bool (*form)(const struct annual *annual, FILE *out, struct error *err))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct error err;

    ck_assert_msg(form(annual, out, &err), "%s", err.what);
    fclose(out);
    return text;
}

static void holds(const char *text, const char *form, double value)
{
    char number[TEXT_NUMBER_SIZE];

    ck_assert_msg(strstr(text, text_number(value, number)), "%s is not in the %s", number, form);
}

START_TEST(the_forms_agree_digit_for_digit)
{
    struct year *year = synthetic_year();
    const struct annual *annual = &year->annual;
    char *json = form_of(annual, annual_json), *csv = form_of(annual, annual_csv),
         *markdown = form_of(annual, annual_markdown), *text = form_of(annual, annual_text),
         *page = form_of(annual, annual_html);
    struct error err;
    struct cJSON *document = json_parse(json, "json", &err);
    const struct cJSON *total = json_member(document, "total");

    ck_assert(json_number_of(total, "it_kwh") == annual->total.it_kwh);
    ck_assert(json_number_of(total, "kgco2eq") == annual->total.kgco2eq);
    ck_assert(json_number_of(json_member(total, "net_kwh"), "value") == annual->total.net_kwh.value);
    for (size_t i = 0; i < annual->month_count; i++) {
        const struct annual_figures *figures = &annual->months[i].figures;
        holds(json, "json", figures->it_kwh);
        holds(json, "json", figures->kgco2eq);
        holds(csv, "csv", figures->it_kwh);
        holds(csv, "csv", figures->kgco2eq);
        holds(markdown, "markdown", figures->it_kwh);
        holds(markdown, "markdown", figures->kgco2eq);
        holds(page, "page", figures->it_kwh);
        holds(page, "page", figures->kgco2eq);
    }
    for (size_t i = 0; i < annual->project_count; i++) {
        holds(json, "json", annual->projects[i].figures.facility_kwh);
        holds(csv, "csv", annual->projects[i].figures.facility_kwh);
        holds(markdown, "markdown", annual->projects[i].figures.facility_kwh);
        holds(page, "page", annual->projects[i].figures.facility_kwh);
    }
    ck_assert_ptr_nonnull(strstr(markdown, "web \\| \\*site\\*"));
    ck_assert_ptr_nonnull(strstr(text, "web | *site*"));
    json_close(document);
    free(json);
    free(csv);
    free(markdown);
    free(page);
    free(text);
    close_year(year);
}
END_TEST

START_TEST(years_have_their_own_edges)
{
    struct year *leap = open_year(2024, false), *year;

    ck_assert_double_eq(leap->annual.period_hours, 8784);
    ck_assert_uint_eq(leap->annual.months[1].to_ns, at("2024-03-01"));
    ck_assert_uint_eq(leap->annual.months[1].to_ns - leap->annual.months[1].from_ns, 29 * 86400 * NS_PER_S_INT);
    close_year(leap);
    setenv("TZ", "NZT-13", 1);
    year = open_year(2026, true);
    ck_assert_uint_eq(year->annual.from_ns, at("2025-12-31T11:00Z"));
    ck_assert_uint_eq(year->annual.to_ns, at("2026-12-31T11:00Z"));
    ck_assert_uint_eq(year->annual.month_count, 12);
    ck_assert_str_eq(year->annual.months[0].name, "2026-01");
    close_year(year);
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    year = open_year(2026, true);
    ck_assert_uint_eq(year->annual.from_ns, at("2025-12-31T23:00Z"));
    ck_assert_uint_eq(year->annual.months[3].to_ns, at("2026-04-30T22:00Z")); /* in summer */
    ck_assert_double_eq(year->annual.period_hours, 8760);
    close_year(year);
    unsetenv("TZ");
}
END_TEST

START_TEST(a_period_may_begin_anywhere)
{
    struct annual annual = { .from_ns = at("2026-01-15"), .to_ns = at("2026-03-02") };
    struct error err;

    ck_assert(annual_set_months(&annual, &err));
    ck_assert_uint_eq(annual.month_count, 3);
    ck_assert_uint_eq(annual.months[0].from_ns, at("2026-01-15"));
    ck_assert_uint_eq(annual.months[2].to_ns, at("2026-03-02"));
    annual_close(&annual);
    annual = (struct annual){ .from_ns = 2, .to_ns = 1 };
    ck_assert(!annual_set_months(&annual, &err));
    annual = (struct annual){ .from_ns = at("2000-01-01"), .to_ns = at("2026-01-01") };
    ck_assert(!annual_set_months(&annual, &err));
    annual_close(&annual);
    ck_assert(!annual_set_year(&annual, 1900, &err));
}
END_TEST

START_TEST(doubt_is_combined_by_its_kind)
{
    struct year *year = open_year(2026, false);
    struct account account = account_with(at("2026-02-01"), 60, 3.6e6);

    account.runs = 4;
    account.variance_j2 = 3600.0 * 3600.0 * 9; /* 0.003 kWh */
    add(year, &account);
    account.started_ns += (int64_t)NS_PER_S_INT * 3600;
    account.variance_j2 = 3600.0 * 3600.0 * 16; /* 0.004 kWh */
    add(year, &account);
    account = account_with(at("2026-03-01"), 60, 3.6e6);
    account.quality = "modelled";
    account.gross_low_j = 1.8e6;
    account.gross_high_j = 7.2e6;
    add(year, &account);
    add(year, &account); /* the same range twice: end to end, not in quadrature */
    finish(year);
    ck_assert_uint_eq(year->annual.total.noise_records, 2);
    CLOSE(year->annual.total.noise_kwh, 0.005);
    CLOSE(year->annual.total.noise_kgco2eq, 0.005 * 1.2 * 0.05);
    CLOSE(year->annual.total.model_low_kwh, 3);
    CLOSE(year->annual.total.model_high_kwh, 6);
    CLOSE(year->annual.total.kwh_interval.low, 3 - 1.959963984540054 * 0.005);
    CLOSE(year->annual.total.kwh_interval.high, 6 + 1.959963984540054 * 0.005);
    CLOSE(year->annual.total.kgco2eq_interval.high, 0.12 + 0.24 + 1.959963984540054 * 0.0003);
    ck_assert_int_eq(year->annual.total.kwh_digits, 2);
    CLOSE(year->annual.by_quality[QUALITY_MODELLED].it_kwh, 2);
    CLOSE(year->annual.measured.it_kwh, 2);
    ck_assert(isnan(year->annual.by_quality[QUALITY_GIVEN].it_kwh));
    ck_assert(told(&year->annual, "the total mixes 2 qualities of energy"));
    close_year(year);
}
END_TEST

START_TEST(what_is_left_out_is_told)
{
    struct year *year = open_year(2026, false);
    struct account account = account_with(at("2026-02-01"), 3600, 3.6e6);
    struct error err;

    account.market_kgco2eq = 0.01;
    account.warmup_j = 7.2e6;
    add(year, &account);
    account = account_with(at("2026-02-01T00:30Z"), 3600, 3.6e6); /* half an hour at once */
    account.complete = 0;
    add(year, &account);
    ck_assert(annual_sum_account(year->sum, &account, 1, true, &err));
    account.recorded = 1;
    add(year, &account);
    account.recorded = 0;
    account.gross_j = NAN;
    add(year, &account);
    finish(year);
    ck_assert_uint_eq(year->annual.total.records, 2);
    CLOSE(year->annual.total.it_kwh, 2);
    CLOSE(year->annual.total.market_kgco2eq.value, 0.01);
    CLOSE(year->annual.total.market_kgco2eq.kwh, 1);
    CLOSE(year->annual.total.market_location_kgco2eq.value, 0.06);
    CLOSE(year->annual.total.own_kwh.value, 0.5);
    CLOSE(year->annual.total.own_by_method[OWN_PROFILE].value, 0.5);
    CLOSE(year->annual.total.scope2_kgco2eq.value, 0.12);
    ck_assert_uint_eq(year->annual.gaps.restated, 1);
    ck_assert_uint_eq(year->annual.gaps.recorded, 1);
    CLOSE(year->annual.gaps.recorded_kwh, 1);
    ck_assert_uint_eq(year->annual.gaps.unknown, 1);
    ck_assert_uint_eq(year->annual.gaps.incomplete, 1);
    CLOSE(year->annual.gaps.warmup_kwh, 2);
    CLOSE(year->annual.gaps.overlap_s, 1800);
    CLOSE(year->annual.measured_share, 1.5 / 8760);
    ck_assert_uint_eq(year->annual.gaps.empty_months, 11);
    ck_assert(year->annual.scarce);
    ck_assert_ptr_nonnull(strstr(year->annual.notices.item[0].what, "% of the period"));
    ck_assert(told(&year->annual, "1 record is left out for being the same as others"));
    ck_assert(told(&year->annual, "runs overlapped for at least"));
    /* of the other one the location-based factor stands */
    CLOSE(year->annual.total.scope2_market_kgco2eq.value, 0.07);
    CLOSE(year->annual.total.scope2_stand_in_kwh.value, 1);
    close_year(year);
}
END_TEST

START_TEST(any_number_of_names_is_summed)
{
    struct year *year = open_year(2026, false);
    struct annual_figures all = { .records = 0 };

    for (unsigned i = 0; i < 20000; i++) {
        struct account account = account_with(at("2026-02-01") + i * NS_PER_S_INT, 1, 3600 * (1 + i % 7));
        char label[32];
        snprintf(label, sizeof label, "job %u", i);
        account.label = label;
        add(year, &account);
    }
    finish(year);
    ck_assert_uint_eq(year->annual.label_count, ANNUAL_NAMES_MOST + 1);
    ck_assert_int_eq(year->annual.labels[ANNUAL_NAMES_MOST].kind, GROUP_OTHERS);
    for (size_t i = 0; i < year->annual.label_count; i++) {
        all.records += year->annual.labels[i].figures.records;
        all.it_kwh += year->annual.labels[i].figures.it_kwh;
    }
    ck_assert_uint_eq(all.records, 20000);
    CLOSE(all.it_kwh, year->annual.total.it_kwh);
    CLOSE(year->annual.labels[0].figures.it_kwh, 0.007);
    close_year(year);
}
END_TEST

UNIT_SUITE("annual", a_year_is_summed_exactly, the_forms_agree_digit_for_digit, years_have_their_own_edges,
           a_period_may_begin_anywhere, doubt_is_combined_by_its_kind, what_is_left_out_is_told,
           any_number_of_names_is_summed)
