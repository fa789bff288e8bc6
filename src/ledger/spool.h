/* SPDX-License-Identifier: MIT
 * Records that wait next to a ledger's file, in FILE-spool, until the ledger is opened: one write and one wait for the
 * disk instead of a database. Used in open.c. Begin with spool_append().
 *
 * A record lies there behind a line that has its length and its hash. A writer holds the file's lock (flock) from
 * before its write until the disk has it; whoever opens the ledger holds it until the database has all records, and
 * then empties the file. Should it be killed in between, the records come again, and a database that has an id leaves
 * it as it is. A piece of a record, of a writer that was killed, was never acknowledged and is passed over. */
#ifndef LEDGER_SPOOL_H
#define LEDGER_SPOOL_H

#include "ledger/ledger.h"

/* Some 130 records, a few tenths of a second of whoever opens the ledger next. */
enum { SPOOL_MAX_BYTES = 4 << 20 };

/* True: the record is on the disk. False: the database is to take it, for it is not there or not of this carbon's form,
 * it is on a file system that machines share, or the spool cannot be written to; nothing was lost. is_full: it is to be
 * put into the database now. */
bool spool_append(const char *place, const char *record, bool *is_full) MUST_CHECK;

/* Puts what waits into the database. What cannot be put there stays, and is a notice: it is in no total yet. */
void spool_fold(struct ledger *ledger, const char *place, struct notices *notices);

#endif
