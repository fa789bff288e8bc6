/* SPDX-License-Identifier: MIT
 * Ledgers of a test's own: in a file and, where one can be run, on a server. */
#ifndef LEDGER_FIXTURE_H
#define LEDGER_FIXTURE_H

#include "output_folder.h"
#include "report_fixture.h"
#include "server.h"
#include "unit.h"

#include "ledger/ledger.h"

/* What is kept; of each check its own. */
static struct fixture *fixture;

static inline void begin(void)
{
    fixture = fixture_new();
}

static inline void end(void)
{
    fixture_free(fixture);
}

static inline void begin_in_folder(void)
{
    enter_folder();
    begin();
}

static inline void end_in_folder(void)
{
    end();
    leave_folder();
}

/* What is kept, as a record whose id begins with this number in eight digits; freed by the caller. */
static inline char *numbered_record(unsigned i)
{
    snprintf(fixture->report.id, sizeof fixture->report.id, "%08x-5c3b-4f64-9d1f-6f6a3c1b7a55", i);
    report_finish(&fixture->report);
    return fixture_write(fixture, &json_format);
}

/* Each test does the same with both kinds of ledger, an empty one of each. uri "": there is no server. */
static inline void with_each_of(struct server *server, void (*check)(const char *place))
{
    char command[256];

    enter_folder();
    check("ledger.db");
    end();
    begin();
    if (server->uri[0]) {
        snprintf(command, sizeof command,
                 "psql -q -h %s -U carbon -c 'DROP TABLE IF EXISTS carbon_run, carbon_record, carbon_basis, "
                 "carbon_account, carbon_form' postgres",
                 server->folder);
        ck_assert(server_run(server, command));
        check(server->uri);
    }
    leave_folder();
}

/* A file whose tests have a server beside the ledger in a file, where one can be run. */
static inline int ledger_suite(const char *name, struct server *server, const unit_test *tests, size_t count)
{
    int failed;

    if (!server_start(server))
        server->uri[0] = '\0';
    failed = unit_run_in(name, begin, end, tests, count);
    server_stop(server);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline struct ledger *opened_noting(const char *place, enum ledger_access access, struct notices *notices)
{
    struct error err;
    struct ledger *ledger = ledger_open(place, access, notices, &err);

    ck_assert_msg(ledger != NULL, "%s: %s", err.what, err.why);
    return ledger;
}

static inline struct ledger *opened(const char *place, enum ledger_access access)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };

    return opened_noting(place, access, &notices);
}

static inline void not_opened(const char *place, enum ledger_access access, enum error_kind kind, const char *why)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    ck_assert_ptr_null(ledger_open(place, access, &notices, &err));
    ck_assert_msg(err.kind == kind && strstr(err.why, why), "%s: %s: %s", error_kind_name(err.kind), err.what, err.why);
    ck_assert_str_ne(err.fix, "");
}

#endif
