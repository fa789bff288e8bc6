/* SPDX-License-Identifier: MIT
 * Opening a ledger, in whichever database it is, and storing a record without opening it. */
#include "base/debug.h"
#include "ledger/spool.h"
#include "ledger/sql.h"

#include <stdlib.h>

struct ledger *ledger_open(const char *place, enum ledger_access access, struct notices *notices, struct error *err)
{
    struct ledger *ledger = calloc(1, sizeof *ledger);

    if (!ledger) {
        error_errno(err, "cannot use the ledger");
        return NULL;
    }
    ledger->backend = ledger_is_uri(place) ? &postgres_backend : &sqlite_backend;
    ledger_place_text(place, ledger->shown, sizeof ledger->shown);
    ledger->connection = ledger->backend->open(place, access, notices, err);
    if (ledger->connection) {
        DEBUG(DEBUG_LEDGER, "opened '%s' %s", ledger->shown, access == LEDGER_READ ? "to read" : "to write");
        if (ledger->backend->dialect == SQL_OF_SQLITE)
            spool_fold(ledger, place, notices);
        return ledger;
    }
    if (err)
        DEBUG(DEBUG_LEDGER, "cannot open '%s': %s: %s", ledger->shown, err->what, err->why);
    free(ledger);
    return NULL;
}

void ledger_close(struct ledger *ledger)
{
    if (ledger)
        ledger->backend->close(ledger->connection);
    free(ledger);
}

const char *ledger_shown(const struct ledger *ledger)
{
    return ledger->shown;
}

bool ledger_keep(struct ledger **ledger, const char *place, const char *record, struct notices *notices,
                 struct error *err)
{
    bool is_full;
    struct error unfolded;

    if (!ledger_is_uri(place) && spool_append(place, record, &is_full)) {
        if (is_full && !*ledger)
            *ledger = ledger_open(place, LEDGER_WRITE, notices, &unfolded);
        else if (is_full)
            spool_fold(*ledger, place, notices);
        return true;
    }
    if (!*ledger)
        *ledger = ledger_open(place, LEDGER_WRITE, notices, err);
    return *ledger && ledger_add(*ledger, record, err);
}
