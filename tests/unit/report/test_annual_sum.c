/* SPDX-License-Identifier: MIT
 * What goes into the sum of a year: edges of the period and of its months, what counts as measured, what was at once.
 */
#include "annual_fixture.h"
#include "unit.h"

/* What an edge of the period runs through is told; what only touches it is not. */
START_TEST(records_at_the_edges)
{
    struct year *year = open_year(2026, false);
    struct contribution contribution = account_with(at("2025-12-31T23:59:59Z"), 2, 3600);

    add(year, &contribution);
    contribution = account_with(at("2026-01-01"), 2, 3600);
    add(year, &contribution);
    contribution = account_with(at("2026-01-31T23:59:58Z"), 2, 3600);
    add(year, &contribution);
    contribution = account_with(at("2026-02-01"), 2, 3600);
    add(year, &contribution);
    contribution = account_with(at("2026-12-31T23:59:58Z"), 2, 3600);
    add(year, &contribution);
    contribution = account_with(at("2026-12-31T23:59:59Z"), 2, 3600);
    add(year, &contribution);
    finish(year);
    ck_assert_uint_eq(year->annual.gaps.cut, 2);
    ck_assert_uint_eq(year->annual.months[0].figures.records, 3);
    ck_assert_uint_eq(year->annual.months[1].figures.records, 1);
    ck_assert_uint_eq(year->annual.months[11].figures.records, 2);
    ck_assert_uint_eq(year->annual.gaps.empty_months, 9);
    close_year(year);
}
END_TEST

/* Every month gets its own: the search finds each. */
START_TEST(each_month_has_its_records)
{
    struct year *year = open_year(2026, false);

    for (size_t i = 0; i < 12; i++)
        for (size_t k = 0; k <= i; k++) {
            const struct contribution contribution = account_with(year->annual.months[i].from_ns, 1, 3600);
            add(year, &contribution);
        }
    finish(year);
    for (size_t i = 0; i < 12; i++)
        ck_assert_uint_eq(year->annual.months[i].figures.records, i + 1);
    ck_assert_uint_eq(year->annual.gaps.empty_months, 0);
    close_year(year);
    year = open_year(2026, false);
    year->annual.made_realtime_ns = year->annual.months[3].from_ns; /* April is yet to come */
    finish(year);
    ck_assert_uint_eq(year->annual.gaps.empty_months, 3);
    close_year(year);
}
END_TEST

/* What is below it is left out, and told; what is just it is not. */
START_TEST(what_is_too_small)
{
    struct year *year = open_year(2026, false);
    struct contribution contribution = account_with(at("2026-02-01"), 3600, 3.6e6);

    year->annual.at_least_j = 3.6e6;
    add(year, &contribution);
    contribution = account_with(at("2026-02-02"), 3600, 3.6e6 - 1);
    add(year, &contribution);
    finish(year);
    ck_assert_uint_eq(year->annual.gaps.small, 1);
    CLOSE(year->annual.gaps.small_kwh, (3.6e6 - 1) / 3.6e6);
    CLOSE(year->annual.total.it_kwh, 1);
    close_year(year);
}
END_TEST

/* Of a counter, of a hypervisor's and of a share of either: 1 + 2 + 4 kWh. A model's and a declared one's: no. */
START_TEST(what_counts_as_measured)
{
    static const char *const qualities[] = { "measured", "virtual", "attributed", "modelled", "given", NULL };
    struct year *year = open_year(2026, false);
    double kwh = 1;

    for (size_t i = 0; i < 6; i++, kwh *= 2) {
        struct contribution contribution = account_with(at("2026-02-01") + i * 7200 * NS_PER_S_INT, 3600, 3.6e6 * kwh);
        contribution.quality = qualities[i];
        contribution.complete = i != 1;
        contribution.estimated = i == 4;
        if (i == 3)
            contribution.gross_kgco2eq = NAN;
        add(year, &contribution);
    }
    finish(year);
    CLOSE(year->annual.total.it_kwh, 63);
    CLOSE(year->annual.measured.it_kwh, 7);
    ck_assert_uint_eq(year->annual.total.records, 6);
    ck_assert_uint_eq(year->annual.measured.records, 3);
    ck_assert_uint_eq(year->annual.estimated.records, 1);
    ck_assert_uint_eq(year->annual.by_quality[QUALITY_ATTRIBUTED].records, 1);
    CLOSE(year->annual.estimated.it_kwh, 16);
    CLOSE(year->annual.by_quality[QUALITY_VIRTUAL].it_kwh, 2);
    CLOSE(year->annual.by_quality[QUALITY_UNKNOWN].it_kwh, 32);
    CLOSE(year->annual.measured_share, 3 / 8760.0);
    CLOSE(year->annual.covered_share, 5 / 8760.0); /* an estimate covers nothing */
    ck_assert_uint_eq(year->annual.gaps.incomplete, 1);
    ck_assert_uint_eq(year->annual.gaps.without_mass, 1);
    close_year(year);
}
END_TEST

/* Two hours at once, right after them half an hour that took a whole one, and later three half hours within one: 1 h +
 * 0.5 h more than went by. */
START_TEST(what_was_measured_at_once_counts_once)
{
    static const char *const starts[] = { "2026-02-01T00:00Z", "2026-02-01T00:00Z", "2026-02-01T01:00Z",
                                          "2026-02-02T00:00Z", "2026-02-02T00:00Z", "2026-02-02T00:30Z" };
    struct year *year = open_year(2026, false);

    for (size_t i = 0; i < 6; i++) {
        struct contribution contribution = account_with(at(starts[i]), i < 3 ? 3600 : 1800, 3.6e6);
        if (i == 2) {
            contribution.warmup_j = NAN;
            contribution.duration_s = 1800;
        }
        add(year, &contribution);
    }
    finish(year);
    CLOSE(year->annual.gaps.overlap_s, 3600 + 1800);
    CLOSE(year->annual.covered_share, (1 + 0.5 + 1) / 8760.0);
    ck_assert_double_eq(year->annual.gaps.warmup_kwh, 0);
    close_year(year);
    year = open_year(2026, false);
    for (int i = 0; i < 2; i++) { /* more than the whole of it is all of it */
        const struct contribution contribution = account_with(at("2026-01-01"), 9000 * 3600, 3.6e6);
        add(year, &contribution);
    }
    finish(year);
    CLOSE(year->annual.gaps.overlap_s, 9000 * 3600);
    ck_assert_double_eq(year->annual.covered_share, 1);
    ck_assert_double_eq(year->annual.measured_share, 1);
    close_year(year);
    year = open_year(2026, false);
    for (int i = 0; i < 2; i++) { /* an end before the start, as of a clock that was set: it is as long as nothing */
        struct contribution contribution = account_with(at("2026-02-01"), 60, 3.6e6);
        contribution.ended_ns = contribution.started_ns - 1;
        contribution.duration_s = i ? NAN : 60;
        add(year, &contribution);
    }
    finish(year);
    CLOSE(year->annual.gaps.overlap_s, 60);
    ck_assert_double_eq(year->annual.covered_share, 0);
    close_year(year);
}
END_TEST

/* A job of an hour on one machine, within it half of one and one that goes on half an hour longer, and at the same time
 * one on another machine, each of 1 kWh but the short one: 1 + 0 + 0.5 + 1 kWh; own energies are all there. */
START_TEST(a_machines_energy_counts_once)
{
    static const struct {
        const char *start, *machine, *times;
        double duration_s, gross_j;
    } jobs[] = {
        { "2026-02-01T00:00Z", "a", "1769904000000000000+3600000000000=3600000", 3600, 3.6e6 },
        { "2026-02-01T00:00Z", "b", "1769904000000000000+3600000000000=3600000", 3600, 3.6e6 },
        { "2026-02-01T00:15Z", "a", "1769904900000000000+1800000000000=1800000", 1800, 1.8e6 },
        { "2026-02-01T00:30Z", "a", "1769905800000000000+3600000000000=3600000", 3600, 3.6e6 },
    };
    struct year *year = open_year(2026, false);

    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        struct contribution contribution = account_with(at(jobs[i].start), jobs[i].duration_s, jobs[i].gross_j);
        contribution.machine = jobs[i].machine;
        contribution.times = jobs[i].times;
        contribution.project = i == 3 ? "late" : "early";
        add(year, &contribution);
    }
    finish(year);
    annual_notices(&year->annual);
    CLOSE(year->annual.total.it_kwh, 2.5);
    CLOSE(year->annual.total.facility_kwh, 2.5 * 1.2);
    CLOSE(year->annual.total.kgco2eq, 2.5 * 1.2 * 0.05);
    CLOSE(year->annual.total.net_kwh.value, 1.25);
    CLOSE(year->annual.total.own_kwh.value, 3.5 / 4);
    CLOSE(year->annual.projects[0].figures.it_kwh, 2);
    CLOSE(year->annual.projects[1].figures.it_kwh, 0.5);
    ck_assert_uint_eq(year->annual.gaps.once, 2);
    CLOSE(year->annual.gaps.counted_once_kwh, 1);
    ck_assert_double_eq(year->annual.gaps.unknown_overlap_s, 0); /* all say where they were */
    CLOSE(year->annual.covered_share, 1.5 / 8760);
    ck_assert(reported(&year->annual, "of gross energy counted once: 2 records overlap others of the same machine"));
    ck_assert(!reported(&year->annual, "several runs were measured at once"));
    close_year(year);
}
END_TEST

/* Under a hundredth of 8760 h, and a hundredth. */
START_TEST(little_is_told_to_be_little)
{
    for (int i = 0; i < 2; i++) {
        struct year *year = open_year(2026, false);
        const struct contribution contribution =
            account_with(at("2026-02-01"), (87.6 + 0.001 * i - 0.0005) * 3600, 3.6e6);

        add(year, &contribution);
        finish(year);
        ck_assert(year->annual.scarce == (i == 0));
        close_year(year);
    }
}
END_TEST

UNIT_SUITE("annual_sum", records_at_the_edges, each_month_has_its_records, what_counts_as_measured,
           what_was_measured_at_once_counts_once, a_machines_energy_counts_once, little_is_told_to_be_little,
           what_is_too_small)
