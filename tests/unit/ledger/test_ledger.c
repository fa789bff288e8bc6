/* SPDX-License-Identifier: MIT
 * Records kept and found again, the same in a file and on a server. */
#include "unit.h"

#include "ledger_fixture.h"

#include "io/json_read.h"
#include "ledger/sql.h"

#include <sys/wait.h>

static struct server server; /* of all tests; uri "": there is none */

static void with_each(void (*check)(const char *place))
{
    with_each_of(&server, check);
}

static struct ledger *opened_without_notices(const char *place, enum ledger_access access)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct ledger *ledger = opened_noting(place, access, &notices);

    ck_assert_uint_eq(notices.count, 0);
    return ledger;
}

static void add(struct ledger *ledger, const char *record)
{
    struct error err;

    ck_assert_msg(ledger_add(ledger, record, &err), "%s: %s", err.what, err.why);
}

/* Record number i: its id begins with it, and it starts i seconds after the first. */
static char *record_number(unsigned i)
{
    fixture->report.started_realtime_ns = (UINT64_C(1795827600) + i) * FIXTURE_S;
    return numbered_record(i);
}

/* What a listing has found, as "3 2 1". */
struct found {
    char ids[4096];
    size_t count;
    struct ledger_row last; /* without its texts */
    const char *record;     /* which each must be, or NULL */
};

static bool on_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct found *found = context;

    (void)err;
    if (found->record)
        ck_assert_str_eq(record, found->record);
    found->count++;
    found->last = *row;
    if (strlen(found->ids) < sizeof found->ids - 16)
        snprintf(found->ids + strlen(found->ids), 16, "%s%lx", found->ids[0] ? " " : "", strtoul(row->id, NULL, 16));
    return true;
}

static void lists(struct ledger *ledger, const struct ledger_filter *filter, const char *ids)
{
    struct found found = { .count = 0 };
    struct error err;

    ck_assert_msg(ledger_list(ledger, filter, on_row, &found, &err), "%s: %s", err.what, err.why);
    ck_assert_str_eq(found.ids, ids);
}

static void check_kept(const char *place)
{
    const struct ledger_filter all = { .with_record = true };
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    struct ledger_check check;
    struct found found = { .count = 0 };
    char *record, *again, id[40];
    struct error err;
    bool has;

    fixture->report.label = "näch\"tly\n";
    fixture->report.project = "thesis";
    fixture->report.meta[0] = (struct report_meta){ "commit", "4f1c9e2" };
    fixture->report.meta_count = 1;
    record = record_number(7);
    add(ledger, record);
    ledger_close(ledger);
    ledger = opened_without_notices(place, LEDGER_READ);
    again = ledger_record(ledger, "00000007", id, &err);
    ck_assert_ptr_nonnull(again);
    ck_assert_str_eq(again, record);
    ck_assert_str_eq(id, fixture->report.id);
    ck_assert(ledger_has(ledger, id, &has, &err) && has);
    ck_assert(ledger_has(ledger, "00000007", &has, &err) && !has);
    found.record = record;
    ck_assert(ledger_list(ledger, &all, on_row, &found, &err));
    ck_assert_uint_eq(found.count, 1);
    ck_assert(found.last.started_ns == (int64_t)(1795827607 * FIXTURE_S));
    ck_assert(found.last.ended_ns == (int64_t)(1795827630 * FIXTURE_S));
    ck_assert_int_eq(found.last.exit_status, 0);
    ck_assert_int_eq(found.last.runs, 2);
    ck_assert_int_eq(found.last.complete, 1);
    ck_assert(found.last.duration_s == 10 && found.last.gross_j == 942 && found.last.net_j == 562);
    ck_assert(found.last.gross_kgco2eq == fixture->report.gross.footprint.kgco2eq);
    ck_assert_double_eq_tol(found.last.gross_kgco2eq, 942 / 3.6e6 * 1.2 * 0.044, 1e-15);
    ck_assert(found.last.net_kgco2eq == fixture->report.net.footprint.kgco2eq);
    ck_assert(isnan(found.last.gross_market_kgco2eq) && isnan(found.last.net_market_kgco2eq));
    ck_assert_ptr_null(found.last.parent_id);
    ck_assert(ledger_check(ledger, NULL, NULL, &check, &err));
    ck_assert_uint_eq(check.records, 1);
    ck_assert_uint_eq(check.faults, 0);
    ledger_close(ledger);
    free(again);
    free(record);
}

START_TEST(a_record_is_kept_as_it_is)
{
    with_each(check_kept);
}
END_TEST

static void check_unknown(const char *place)
{
    const struct ledger_filter all = { .limit = 0 };
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    struct found found = { .count = 0 };
    struct error err;
    char *record;

    fixture->measurement.baseline_count = 0; /* no idle power: net is unknown, and never 0 */
    fixture->measurement.run_count = 0;
    fixture->report.complete = false;
    record = record_number(1);
    add(ledger, record);
    ck_assert(ledger_list(ledger, &all, on_row, &found, &err));
    ck_assert(isnan(found.last.net_j) && isnan(found.last.gross_j) && isnan(found.last.duration_s));
    ck_assert_int_eq(found.last.exit_status, -1);
    ck_assert_int_eq(found.last.complete, 0);
    ck_assert(!found.last.label && !found.last.project);
    ledger_close(ledger);
    free(record);
}

START_TEST(unknown_stays_unknown)
{
    with_each(check_unknown);
}
END_TEST

static void check_found(const char *place)
{
    static const unsigned order[] = { 2, 5, 3, 1, 6, 4 };
    static const char *const zones[] = { "FR", "GB", "" };
    static char *const gzip[] = { (char *)"gzip", (char *)"-9", (char *)"a b", NULL };
    static const char *const one[] = { "n=4", NULL }, *const two[] = { "n=4", "of=six", NULL },
                             *const none[] = { "n=5", "of=none", NULL };
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    char *const *job = fixture->report.command;

    /* 1 to 6, put in otherwise than they were started */
    for (size_t k = 0; k < 6; k++) {
        const unsigned i = order[k];
        char number[8], *record;

        snprintf(number, sizeof number, "%u", i);
        fixture->report.label = i % 2 ? "odd" : NULL;
        fixture->report.project = i > 3 ? "new" : "old";
        fixture->report.command = i == 2 ? gzip : job;
        strcpy(fixture->report.factor.zone, zones[i % 3]);
        fixture->domains[FIXTURE_PACKAGE].quality = i == 5 ? QUALITY_MODELLED : QUALITY_MEASURED;
        fixture->report.meta[0] = (struct report_meta){ "n", number };
        fixture->report.meta[1] = (struct report_meta){ "of", "six" };
        fixture->report.meta_count = 2;
        record = record_number(i);
        add(ledger, record);
        free(record);
    }
    lists(ledger, &(struct ledger_filter){ .limit = 0 }, "6 5 4 3 2 1");
    lists(ledger, &(struct ledger_filter){ .limit = 2 }, "6 5");
    lists(ledger, &(struct ledger_filter){ .label = "odd" }, "5 3 1");
    lists(ledger, &(struct ledger_filter){ .label = "od" }, "");
    lists(ledger, &(struct ledger_filter){ .project = "new", .label = "odd" }, "5");
    lists(ledger, &(struct ledger_filter){ .zone = "gb" }, "4 1");
    lists(ledger, &(struct ledger_filter){ .quality = "modelled" }, "5");
    lists(ledger, &(struct ledger_filter){ .command = "-9 'a b'" }, "2");
    lists(ledger, &(struct ledger_filter){ .command = "%" }, "");
    lists(ledger, &(struct ledger_filter){ .command = "--size", .limit = 1 }, "6");
    lists(ledger, &(struct ledger_filter){ .since_ns = UINT64_C(1795827605) * FIXTURE_S }, "6 5");
    lists(ledger, &(struct ledger_filter){ .until_ns = UINT64_C(1795827602) * FIXTURE_S }, "1");
    lists(ledger, &(struct ledger_filter){ .meta = one }, "4");
    lists(ledger, &(struct ledger_filter){ .meta = two, .with_record = true }, "4");
    lists(ledger, &(struct ledger_filter){ .meta = two + 1, .limit = 2 }, "6 5");
    lists(ledger, &(struct ledger_filter){ .meta = none }, "");
    lists(ledger, &(struct ledger_filter){ .label = "'; DROP TABLE carbon_run; --" }, "");
    lists(ledger, &(struct ledger_filter){ .limit = 100 }, "6 5 4 3 2 1");
    ledger_close(ledger);
}

START_TEST(records_are_found)
{
    with_each(check_found);
}
END_TEST

static void not_found(struct ledger *ledger, const char *id, const char *what)
{
    struct error err = { .kind = ERROR_NONE };
    char whole[40];

    ck_assert_ptr_null(ledger_record(ledger, id, whole, &err));
    ck_assert_msg(strstr(err.what, what), "%s", err.what);
}

static void check_ids(const char *place)
{
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    char *records[3], *again, id[40];
    struct error err;

    records[0] = record_number(0xabc00001);
    records[1] = record_number(0xabc00002);
    fixture->report.project = "another record of the same id";
    records[2] = record_number(0xabc00002);
    for (size_t i = 0; i < 3; i++)
        add(ledger, records[i]);
    lists(ledger, &(struct ledger_filter){ .limit = 0 }, "abc00002 abc00001");
    again = ledger_record(ledger, "abc00002", id, &err);
    ck_assert_str_eq(again, records[1]); /* the first stays */
    free(again);
    again = ledger_record(ledger, "abc00001-5c3b-4f64-9d1f-6f6a3c1b7a55", id, &err);
    ck_assert_str_eq(again, records[0]);
    free(again);
    not_found(ledger, "abc0", "is ambiguous");
    not_found(ledger, "abc", "is too short for an ID");
    not_found(ledger, "abd0", "no record has the ID");
    not_found(ledger, "", "no record has the ID");
    not_found(ledger, "ABC00001", "no record has the ID");
    not_found(ledger, "%", "no record has the ID");
    not_found(ledger, "abc00001-5c3b-4f64-9d1f-6f6a3c1b7a55a", "no record has the ID");
    ck_assert(ledger_delete(ledger, "abc00001-5c3b-4f64-9d1f-6f6a3c1b7a55", &err));
    ck_assert(ledger_delete(ledger, "abc00001-5c3b-4f64-9d1f-6f6a3c1b7a55", &err)); /* there is none any more */
    lists(ledger, &(struct ledger_filter){ .with_record = true }, "abc00002");
    add(ledger, records[0]);
    lists(ledger, &(struct ledger_filter){ .limit = 0 }, "abc00002 abc00001");
    ck_assert(!ledger_add(ledger, "{\"schema\": \"carbon.estimate/1\"}", &err));
    ck_assert(!ledger_add(ledger, "{\"schema\": \"carbon.record/1\"}", &err));
    ck_assert(!ledger_add(ledger, "{", &err));
    for (size_t i = 0; i < 3; i++)
        free(records[i]);
    ledger_close(ledger);
}

START_TEST(ids_name_records)
{
    with_each(check_ids);
}
END_TEST

static void on_fault(const char *fault, void *context)
{
    char *faults = context;

    snprintf(faults + strlen(faults), 1024 - strlen(faults), "%s\n", fault);
}

static void check_tampered(const char *place)
{
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    struct ledger_check check;
    char faults[1024] = "", *record;
    struct error err;

    for (unsigned i = 1; i <= 4; i++) {
        record = record_number(i);
        add(ledger, record);
        free(record);
    }
    ck_assert(sql_run(ledger, "UPDATE carbon_run SET gross_j = gross_j + 1 WHERE id LIKE '00000001%'", &err));
    ck_assert(sql_run(ledger,
                      "UPDATE carbon_record SET record = '{' WHERE number = "
                      "(SELECT number FROM carbon_run WHERE id LIKE '00000002%')",
                      &err));
    ck_assert(sql_run(ledger, "DELETE FROM carbon_run WHERE id LIKE '00000003%'", &err));
    ck_assert(ledger_check(ledger, on_fault, faults, &check, &err));
    ck_assert_uint_eq(check.records, 3);
    ck_assert_uint_eq(check.faults, 3);
    ck_assert_ptr_nonnull(strstr(faults, "record 00000001-5c3b-4f64-9d1f-6f6a3c1b7a55: the column gross_j is not"));
    ck_assert_ptr_nonnull(strstr(faults, "record 00000002-5c3b-4f64-9d1f-6f6a3c1b7a55: 'it' is not valid JSON"));
    ck_assert_ptr_nonnull(strstr(faults, "1 records have no row"));
    ledger_close(ledger);
}

START_TEST(what_was_changed_is_found)
{
    with_each(check_tampered);
}
END_TEST

enum { WRITERS = 8, RECORDS = 12 };

/* Each opens it anew for every record, as each carbon does. */
static void write_some(const char *place, unsigned writer)
{
    for (unsigned i = 0; i < RECORDS; i++) {
        char *record = record_number(1 + writer * RECORDS + i);
        struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);

        add(ledger, record);
        ledger_close(ledger);
        free(record);
    }
}

/* From the first on, which find no ledger and make it at once. */
static void check_writers(const char *place)
{
    const struct ledger_filter all = { .limit = 0 };
    struct ledger_check check;
    struct found found = { .count = 0 };
    struct ledger *ledger;
    pid_t pids[WRITERS];
    struct error err;

    for (unsigned writer = 0; writer < WRITERS; writer++) {
        pids[writer] = fork();
        if (pids[writer] == 0) {
            write_some(place, writer);
            _exit(0);
        }
    }
    for (unsigned writer = 0; writer < WRITERS; writer++) {
        int status = -1;
        ck_assert_int_eq(waitpid(pids[writer], &status, 0), pids[writer]);
        ck_assert_int_eq(status, 0);
    }
    ledger = opened_without_notices(place, LEDGER_READ);
    ck_assert(ledger_list(ledger, &all, on_row, &found, &err));
    ck_assert_uint_eq(found.count, WRITERS * RECORDS);
    ck_assert(ledger_check(ledger, NULL, NULL, &check, &err));
    ck_assert_uint_eq(check.faults, 0);
    ledger_close(ledger);
}

START_TEST(eight_write_at_once)
{
    with_each(check_writers);
}
END_TEST

static void check_form(const char *place)
{
    struct ledger *ledger;
    struct error err;

    not_opened(place, LEDGER_READ, ERROR_ABSENT, "nothing has been kept there");
    ledger = opened_without_notices(place, LEDGER_WRITE);
    ck_assert(
        sql_run(ledger, ledger_is_uri(place) ? "UPDATE carbon_form SET form = 99" : "PRAGMA user_version = 99", &err));
    ledger_close(ledger);
    not_opened(place, LEDGER_READ, ERROR_BAD_DATA, "it is form 99, made by a later carbon; this one knows form 7");
    not_opened(place, LEDGER_WRITE, ERROR_BAD_DATA, "it is form 99");
}

START_TEST(a_newer_form_is_refused)
{
    with_each(check_form);
}
END_TEST

/* Whether an error passes through a listing. */
static bool refuse_row(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    (void)row;
    (void)record;
    (void)context;
    return error_set(err, ERROR_SYSTEM, "no more of these");
}

static void check_refused(const char *place)
{
    const struct ledger_filter filters[] = { { .limit = 0 }, { .limit = 1 } };
    struct ledger *ledger = opened_without_notices(place, LEDGER_WRITE);
    struct error err;

    for (unsigned i = 1; i <= 3; i++) {
        char *record = record_number(i);
        add(ledger, record);
        free(record);
    }
    for (size_t i = 0; i < 2; i++) {
        ck_assert(!ledger_list(ledger, &filters[i], refuse_row, NULL, &err));
        ck_assert_str_eq(err.what, "no more of these");
    }
    lists(ledger, &filters[0], "3 2 1"); /* and the ledger can be used on */
    ck_assert(!sql_run(ledger, "SELECT nonsense", &err));
    ck_assert_ptr_nonnull(strstr(err.why, "nonsense"));
    lists(ledger, &filters[0], "3 2 1");
    ledger_close(ledger);
}

START_TEST(a_listing_can_be_ended)
{
    with_each(check_refused);
}
END_TEST

START_TEST(a_server_that_is_not_there)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    if (!server.uri[0])
        return;
    ck_assert_ptr_null(
        ledger_open("postgresql://me:geheim@127.0.0.1:1/x?password=geheim", LEDGER_WRITE, &notices, &err));
    ck_assert_int_eq(err.kind, ERROR_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.what, "postgresql://...@127.0.0.1:1/x"));
    ck_assert_ptr_null(strstr(err.what, "geheim"));
    ck_assert_ptr_null(strstr(err.why, "geheim"));
    ck_assert_str_ne(err.why, "");
}
END_TEST

int main(void)
{
    const unit_test tests[] = {
        a_record_is_kept_as_it_is, unknown_stays_unknown,     records_are_found,
        ids_name_records,          what_was_changed_is_found, eight_write_at_once,
        a_newer_form_is_refused,   a_listing_can_be_ended,    a_server_that_is_not_there,
    };

    return ledger_suite("ledger", &server, tests, sizeof tests / sizeof tests[0]);
}
