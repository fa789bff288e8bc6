/* SPDX-License-Identifier: MIT
 * What records come to in a sum of many, the same in a file and on a server: kept with them, brought on from an older
 * ledger, and cut at the edges of a period. */
#include "unit.h"

#include "ledger_fixture.h"

#include "base/clock.h"
#include "io/json_read.h"
#include "ledger/contributions.h"
#include "ledger/sql.h"
#include "measurement/slices.h"

#define CLOSE(a, b) ck_assert_double_eq_tol(a, b, 1e-12 * fabs((double)(b)))

static struct server server; /* of all tests; uri "": there is none */

static void with_each(void (*check)(const char *place))
{
    with_each_of(&server, check);
}

static void run(struct ledger *ledger, const char *sql)
{
    struct error err;

    ck_assert_msg(sql_run(ledger, sql, &err), "%s", err.why);
}

static uint64_t at(const char *text)
{
    uint64_t realtime_s = 0;

    ck_assert_msg(clock_of_iso_text(text, &realtime_s), "%s", text);
    return realtime_s * FIXTURE_S;
}

static void add(struct ledger *ledger, unsigned id, uint64_t started_ns, uint64_t ended_ns)
{
    struct error err;
    char *record;

    snprintf(fixture->report.id, sizeof fixture->report.id, "%08x-5c3b-4f64-9d1f-6f6a3c1b7a55", id);
    fixture->report.started_realtime_ns = started_ns;
    fixture->report.ended_realtime_ns = ended_ns;
    report_finish(&fixture->report);
    record = fixture_write(fixture, &json_format);
    ck_assert_msg(ledger_add(ledger, record, &err), "%s: %s", err.what, err.why);
    free(record);
}

struct found {
    size_t count, restated;
    int64_t basis, runs;
    double gross_j, duration_s, kgco2eq;
    struct contribution last; /* without its texts */
};

static bool on_contribution(const struct contribution *contribution, int64_t basis, bool restated, void *context,
                            struct error *err)
{
    struct found *found = context;

    (void)err;
    found->restated += restated;
    if (restated)
        return true;
    /* in the order in which they began, those that an edge cuts, too: what of a machine's time is counted stands on it
     */
    ck_assert_int_ge(contribution->started_ns, found->count ? found->last.started_ns : 0);
    found->count++;
    found->basis = basis;
    found->runs += contribution->runs;
    found->gross_j += contribution->gross_j;
    found->duration_s += contribution->duration_s;
    found->kgco2eq += contribution->gross_kgco2eq;
    found->last = *contribution;
    return true;
}

static struct found list(struct ledger *ledger, struct contribution_filter filter)
{
    struct found found = { .count = 0 };
    struct error err;

    ck_assert_msg(ledger_contributions(ledger, &filter, on_contribution, &found, &err), "%s: %s", err.what, err.why);
    return found;
}

static struct found listed(struct ledger *ledger, const char *from, const char *to, const char *project)
{
    return list(ledger, (struct contribution_filter){ .from_ns = at(from), .to_ns = at(to), .project = project });
}

static bool on_basis(int64_t number, const char *basis, void *context, struct error *err)
{
    (void)err;
    ck_assert_int_gt(number, 0);
    ck_assert_ptr_nonnull(strstr(basis, "\"zone\":\"FR\""));
    ck_assert_ptr_nonnull(strstr(basis, "\"scope\":\"compute\""));
    ++*(size_t *)context;
    return true;
}

static size_t bases(struct ledger *ledger)
{
    size_t count = 0;
    struct error err;

    ck_assert(ledger_bases(ledger, on_basis, &count, &err));
    return count;
}

static void on_fault(const char *fault, void *context)
{
    snprintf(context, 256, "%s", fault);
}

static uint64_t faults(struct ledger *ledger, char text[256])
{
    struct ledger_check check;
    struct error err;

    text[0] = '\0';
    ck_assert(ledger_check(ledger, on_fault, text, &check, &err));
    return check.faults;
}

/* Two runs of 10 s, 930 and 954 J. */
static void check_kept(const char *place)
{
    struct ledger *ledger = opened(place, LEDGER_WRITE);
    struct found found;
    char text[256];

    fixture->report.project = "thesis";
    add(ledger, 1, at("2026-03-01"), at("2026-03-01T00:00:30Z"));
    fixture->report.project = NULL;
    add(ledger, 2, at("2026-03-02"), at("2026-03-02T00:00:30Z"));
    add(ledger, 2, at("2026-03-03"), at("2026-03-03T00:00:30Z")); /* its id is there already */
    found = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_int_eq(found.runs, 4);
    CLOSE(found.gross_j, 2 * 1884.0);
    CLOSE(found.duration_s, 40.0);
    CLOSE(found.kgco2eq, 2 * 1884 / 3.6e6 * 1.2 * 0.044);
    CLOSE(found.last.variance_j2, 2 * 12.0 * 12 * 2); /* n s^2, s^2 = (12^2 + 12^2) / 1 */
    CLOSE(found.last.net_j, 2 * 562.0);
    ck_assert(isnan(found.last.market_kgco2eq) && isnan(found.last.gross_low_j) && isnan(found.last.embodied_kgco2eq));
    ck_assert_int_eq(found.last.complete, 1);
    ck_assert_uint_eq(bases(ledger), 1);
    ck_assert_uint_eq(listed(ledger, "2026-01-01", "2027-01-01", "thesis").count, 1);
    ck_assert_uint_eq(listed(ledger, "2026-03-02", "2026-03-03", NULL).count, 1);
    ck_assert_uint_eq(listed(ledger, "2025-01-01", "2026-03-01", NULL).count, 0);
    ck_assert_uint_eq(faults(ledger, text), 0);
    run(ledger, "UPDATE carbon_account SET gross_kgco2eq = gross_kgco2eq * 2 WHERE project = 'thesis'");
    ck_assert_uint_eq(faults(ledger, text), 1);
    ck_assert_ptr_nonnull(strstr(text, "00000001"));
    ck_assert_ptr_nonnull(strstr(text, "gross_kgco2eq is not what the record says"));
    run(ledger, "DELETE FROM carbon_account WHERE project = 'thesis'");
    ck_assert_uint_eq(faults(ledger, text), 1);
    ck_assert_str_eq(text, "1 records have no account");
    ledger_close(ledger);
}

START_TEST(accounts_are_kept)
{
    with_each(check_kept);
}
END_TEST

/* As a carbon of form 2 has left it: without own energy, units of work, times and jobs of Slurm. */
static void from_form_2(const char *place)
{
    static const char *const columns[] = { "own_j", "own_kgco2eq", "own_method", "sci_units", "sci_unit",   "machine",
                                           "times", "job",         "cluster",    "nodes",     "node_count", "told" };
    struct ledger *ledger = opened(place, LEDGER_READ);
    char text[96];

    run(ledger, "DROP INDEX carbon_account_told");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        snprintf(text, sizeof text, "ALTER TABLE carbon_account DROP COLUMN %s", columns[i]);
        run(ledger, text);
    }
    run(ledger, ledger_is_uri(place) ? "UPDATE carbon_form SET form = 2" : "PRAGMA user_version = 2");
    ledger_close(ledger);
}

static void check_older(const char *place)
{
    struct ledger *ledger = opened(place, LEDGER_WRITE);
    struct found before, after;
    struct error err;
    char text[256];

    for (unsigned i = 1; i <= 5; i++) {
        fixture->report.factor.kgco2eq_per_kwh = i % 2 ? 0.044 : 0.05;
        add(ledger, i, at("2026-03-01") + i * FIXTURE_S, at("2026-03-01T00:01:00Z"));
    }
    before = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    /* as a carbon of form 1 has left it, one record being damaged */
    run(ledger, "UPDATE carbon_record SET record = '{' WHERE number = 3");
    run(ledger, "DROP TABLE carbon_account");
    run(ledger, "DROP TABLE carbon_basis");
    run(ledger, ledger_is_uri(place) ? "UPDATE carbon_form SET form = 1" : "PRAGMA user_version = 1");
    ledger_close(ledger);
    ledger = opened(place, LEDGER_READ);
    after = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    ck_assert_uint_eq(before.count, 5);
    ck_assert_uint_eq(after.count, 4);
    CLOSE(after.gross_j, before.gross_j * 4 / 5);
    CLOSE(after.last.gross_kgco2eq, before.last.gross_kgco2eq);
    ck_assert_uint_eq(bases(ledger), 2);
    ck_assert_uint_eq(faults(ledger, text), 2); /* that record, and that it has no account */
    ck_assert(ledger_delete(ledger, "00000001-5c3b-4f64-9d1f-6f6a3c1b7a55", &err));
    ck_assert_uint_eq(listed(ledger, "2026-01-01", "2027-01-01", NULL).count, 3);
    ledger_close(ledger);
    from_form_2(place);
    ledger = opened(place, LEDGER_READ);
    after = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    ck_assert_uint_eq(after.count, 3);
    CLOSE(after.gross_j, before.gross_j * 3 / 5);
    ledger_close(ledger);
}

START_TEST(an_older_ledger_is_brought_on)
{
    with_each(check_older);
}
END_TEST

static void check_restated(const char *place)
{
    struct ledger *ledger = opened(place, LEDGER_WRITE);
    struct found found;

    add(ledger, 1, at("2026-03-01"), at("2026-03-01T00:00:30Z"));
    strcpy(fixture->report.parent.id, "00000001-5c3b-4f64-9d1f-6f6a3c1b7a55");
    add(ledger, 2, at("2026-03-01"), at("2026-03-01T00:00:30Z"));
    /* what these restate is in another ledger: the last one counts */
    strcpy(fixture->report.parent.id, "00000009-5c3b-4f64-9d1f-6f6a3c1b7a55");
    add(ledger, 3, at("2026-03-02"), at("2026-03-02T00:00:30Z"));
    fixture->report.factor.kgco2eq_per_kwh = 0.088;
    add(ledger, 4, at("2026-03-02"), at("2026-03-02T00:00:30Z"));
    found = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(found.restated, 2);
    CLOSE(found.gross_j, 2 * 1884.0);
    CLOSE(found.kgco2eq, 1884 / 3.6e6 * 1.2 * (0.044 + 0.088));

    /* 1 is restated by 2 and 6, 2 by 5, in this order: the last of all counts, and 4 as before */
    strcpy(fixture->report.parent.id, "00000001-5c3b-4f64-9d1f-6f6a3c1b7a55");
    fixture->report.factor.kgco2eq_per_kwh = 0.2;
    add(ledger, 6, at("2026-03-01"), at("2026-03-01T00:00:30Z"));
    strcpy(fixture->report.parent.id, "00000002-5c3b-4f64-9d1f-6f6a3c1b7a55");
    fixture->report.factor.kgco2eq_per_kwh = 0.3;
    add(ledger, 5, at("2026-03-01"), at("2026-03-01T00:00:30Z"));
    found =
        list(ledger,
             (struct contribution_filter){ .from_ns = at("2026-01-01"), .to_ns = at("2027-01-01"), .restated = true });
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(found.restated, 4);
    CLOSE(found.gross_j, 2 * 1884.0);
    CLOSE(found.kgco2eq, 1884 / 3.6e6 * 1.2 * (0.3 + 0.088));
    found = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    ck_assert_uint_eq(found.count, 2);
    CLOSE(found.kgco2eq, 1884 / 3.6e6 * 1.2 * (0.044 + 0.088));
    ledger_close(ledger);
}

START_TEST(energy_is_summed_once)
{
    with_each(check_restated);
}
END_TEST

/* The second run goes from 23:59:56 to 00:00:06: 354 J before New Year, 600 J after it. */
static void check_new_year(const char *place)
{
    struct ledger *ledger = opened(place, LEDGER_WRITE);
    struct slices *slices = slices_new(FIXTURE_DOMAINS, 2, 300 * FIXTURE_S);
    const struct slice first = { .realtime_ns = at("2026-12-31T23:59:56Z"), .duration_ns = 4 * FIXTURE_S };
    const struct slice second = { at("2027-01-01"), 4 * FIXTURE_S, 6 * FIXTURE_S };
    struct found old, new;

    fixture->runs[0].window.realtime_ns = at("2026-12-31T23:59:30Z");
    fixture->runs[1].window.realtime_ns = first.realtime_ns;
    ck_assert(slices_add(slices, &first));
    slices_give(slices, FIXTURE_PACKAGE, 300 * FIXTURE_J);
    slices_give(slices, FIXTURE_DRAM, 54 * FIXTURE_J);
    slices_give(slices, FIXTURE_CORES, 200 * FIXTURE_J); /* which do not count */
    ck_assert(slices_add(slices, &second));
    slices_give(slices, FIXTURE_PACKAGE, 520 * FIXTURE_J);
    slices_give(slices, FIXTURE_DRAM, 80 * FIXTURE_J);
    fixture->runs[1].slices = slices;
    add(ledger, 1, at("2026-12-31T23:59:20Z"), at("2027-01-01T00:00:06Z"));
    old = listed(ledger, "2026-01-01", "2027-01-01", NULL);
    new = listed(ledger, "2027-01-01", "2028-01-01", NULL);
    CLOSE(old.gross_j, 930.0 + 354);
    CLOSE(new.gross_j, 600.0);
    CLOSE(old.kgco2eq, 1284 / 3.6e6 * 1.2 * 0.044);
    CLOSE(new.kgco2eq, 600 / 3.6e6 * 1.2 * 0.044);
    CLOSE(old.duration_s, 14.0);
    CLOSE(new.duration_s, 6.0);
    ck_assert_int_eq(old.runs, 2);
    ck_assert_int_eq(new.runs, 0);
    CLOSE(listed(ledger, "2026-12-31T23:59:58Z", "2027-01-01T00:00:03Z", NULL).gross_j, 354 / 2.0 + 600 / 2.0);
    ck_assert_uint_eq(listed(ledger, "2027-01-01T00:00:06Z", "2028-01-01", NULL).count, 0);

    /* without slices a run belongs to where it started */
    fixture->runs[1].slices = NULL;
    add(ledger, 2, at("2026-12-31T23:59:20Z"), at("2027-01-01T00:00:06Z"));
    CLOSE(listed(ledger, "2026-01-01", "2027-01-01", NULL).gross_j, 1284.0 + 1884);
    CLOSE(listed(ledger, "2027-01-01", "2028-01-01", NULL).gross_j, 600.0);
    ledger_close(ledger);
    slices_free(slices);
}

START_TEST(a_run_across_new_year_is_cut)
{
    with_each(check_new_year);
}
END_TEST

static void check_estimate(const char *place)
{
    static const char record[] =
        "{\"schema\":\"carbon.estimate/1\",\"id\":\"0000000e-5c3b-4f64-9d1f-6f6a3c1b7a55\",\"started_at\":"
        "\"2026-12-31T18:00:00.000Z\",\"label\":null,\"project\":\"old\",\"hours\":24,\"energy_j\":8640000,"
        "\"energy_low_j\":null,\"energy_high_j\":null,\"quality\":\"given\",\"emissions\":{\"facility_kwh\":2.4,"
        "\"kgco2eq\":0.12}}";
    struct ledger *ledger = opened(place, LEDGER_WRITE);
    struct found found;
    struct error err;
    char text[256];

    ck_assert_msg(ledger_add(ledger, record, &err), "%s", err.what);
    found = listed(ledger, "2026-01-01", "2027-01-01", "old");
    CLOSE(found.gross_j, 8640000 / 4.0); /* six of its hours */
    CLOSE(listed(ledger, "2027-01-01", "2028-01-01", NULL).kgco2eq, 0.12 * 3 / 4);
    ck_assert_int_eq(found.last.estimated, 1);
    ck_assert(isnan(found.last.net_j));
    ck_assert_uint_eq(faults(ledger, text), 0);
    ledger_close(ledger);
}

START_TEST(an_estimate_can_be_kept)
{
    with_each(check_estimate);
}
END_TEST

int main(void)
{
    const unit_test tests[] = {
        accounts_are_kept,       an_older_ledger_is_brought_on, energy_is_summed_once, a_run_across_new_year_is_cut,
        an_estimate_can_be_kept,
    };

    return ledger_suite("accounts", &server, tests, sizeof tests / sizeof tests[0]);
}
