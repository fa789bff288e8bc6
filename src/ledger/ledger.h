/* SPDX-License-Identifier: MIT
 * The ledger: every record made here, as it was written, and the columns to find and to sum records. It is a file
 * (SQLite) or a database on a server (PostgreSQL); the place decides. Used in app, commands/history and ledger. Begin
 * with ledger_open().
 *
 * It stores the JSON record, byte for byte; its columns are members of the record and never calculated a second time
 * (row.c), so that carbon ledger check can compare them and repair needs the records only. The statements are the same
 * for both databases (records.c); a backend runs them. A change to the tables is one more row in the list of forms
 * (migrations.c), which are applied in order; a ledger of a later form is refused.
 *
 * app/ledger_options.c saves results: after the job, its report and the files, one by one (ledger_keep). A record is on
 * the disk when the call returns (synchronous = FULL with either kind of log). A write-ahead log, which processes share
 * in memory, is used only on a local file system (ledger_wal_is_safe).
 *
 * carbon compare and carbon batch save a record for each command, as carbon measure would have made it of the same runs
 * (campaign_keep): the sum of a ledger includes all energy, and a resumed batch adds only its own measurement. A record
 * with a parent restates another, and a sum excludes it. The loads of carbon probe are not the user's work and are not
 * saved. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "base/notice.h"

#include <stdint.h>

struct cJSON;
struct ledger;

/* The columns of a record. Nothing is calculated here: each is a member of the record. A value unknown there is NULL,
 * NAN or negative. Texts are borrowed. */
struct ledger_row {
    const char *id, *schema;
    int64_t started_ns, ended_ns; /* since 1970, UTC */
    const char *label, *project;
    const char *command; /* command line for a shell */
    const char *zone, *quality;
    int64_t exit_status;
    int64_t runs;     /* of counted runs; the following figures are their means */
    int64_t complete; /* 1, 0 */
    double duration_s, gross_j, net_j;
    double gross_kgco2eq, net_kgco2eq;
    double gross_market_kgco2eq, net_market_kgco2eq;
    const char *parent_id; /* it restates that record: the same energy, to be summed once */
};

/* One for each member, in the same order. */
enum ledger_kind { LEDGER_TEXT, LEDGER_INTEGER, LEDGER_TIME, LEDGER_TRUTH, LEDGER_REAL };
struct ledger_column {
    const char *name; /* "gross_j" */
    enum ledger_kind kind;
    size_t offset; /* offset in struct ledger_row */
};
enum { LEDGER_COLUMNS = 20 };
extern const struct ledger_column ledger_columns[LEDGER_COLUMNS];

/* row.c: the columns of a record. line is where its command is put (text_close). */
struct text;
bool ledger_row_of(const struct cJSON *record, const char *path, struct ledger_row *row, struct text *line,
                   struct error *err) MUST_CHECK;

/* The name of the first column in which the two differ; NULL: none. */
const char *ledger_rows_differ(const struct ledger_row *a, const struct ledger_row *b);

enum ledger_access {
    LEDGER_READ,  /* ERROR_ABSENT if there is none */
    LEDGER_WRITE, /* created if missing, and migrated to the current form */
};

/* place: a path, or "postgresql://...". A notice reports a new ledger. NULL: see err. A ledger of a later form is
 * refused. Call ledger_close in the end, also with NULL. */
struct ledger *ledger_open(const char *place, enum ledger_access access, struct notices *notices,
                           struct error *err) MUST_CHECK;
void ledger_close(struct ledger *ledger);
const char *ledger_shown(const struct ledger *ledger); /* the place, for messages */

/* A record as `--json` writes it. When this returns true it is saved, even if the power fails immediately after. A
 * record with an existing ID does not change the stored one. */
bool ledger_add(struct ledger *ledger, const char *record, struct error *err) MUST_CHECK;

/* The same promise, without the database where that can wait: the record goes to its spool (spool.h), and into the
 * database when that is opened next. place: as of ledger_open, which is called where the database has to take it;
 * *ledger: NULL at first, given to ledger_close in the end. */
bool ledger_keep(struct ledger **ledger, const char *place, const char *record, struct notices *notices,
                 struct error *err) MUST_CHECK;

/* Several as one: each ledger_put between these two is saved if ledger_end is called with good, and it returns true;
 * else none is. */
bool ledger_begin(struct ledger *ledger, struct error *err) MUST_CHECK;
bool ledger_put(struct ledger *ledger, const char *record, struct error *err) MUST_CHECK;
bool ledger_end(struct ledger *ledger, bool good, struct error *err) MUST_CHECK;

/* Several, all of them or none. */
bool ledger_add_all(struct ledger *ledger, const char *const *records, size_t count, struct error *err) MUST_CHECK;

/* Whether there is a record with this whole ID. */
bool ledger_has(struct ledger *ledger, const char *id, bool *has, struct error *err) MUST_CHECK;

/* Filter of records; NULL and 0: any. */
struct ledger_filter {
    uint64_t since_ns, until_ns; /* started at or after, and before */
    const char *id;              /* the beginning of it */
    const char *label, *project, *zone, *quality;
    const char *command;     /* a part of it */
    const char *const *meta; /* "KEY=VALUE", NULL-ended, all of them; the records are read for it */
    uint64_t limit;          /* maximum number of rows */
    bool with_record;        /* the text is required, too */
};

/* Called for each record, newest first; record is NULL unless required. False stops and fails. */
typedef bool ledger_row_function(const struct ledger_row *row, const char *record, void *context, struct error *err);
bool ledger_list(struct ledger *ledger, const struct ledger_filter *filter, ledger_row_function *on_row, void *context,
                 struct error *err) MUST_CHECK;

/* The record whose ID begins with this text, freed by the caller, and its whole ID. NULL: none, or several (see err).
 */
char *ledger_record(struct ledger *ledger, const char *id, char whole_id[40], struct error *err) MUST_CHECK;

/* Deletes by the whole id. */
bool ledger_delete(struct ledger *ledger, const char *id, struct error *err) MUST_CHECK;

/* check.c: the faults of a ledger, each as a text; true if it could be checked, sound or not. */
typedef void ledger_fault_function(const char *fault, void *context);
struct ledger_check {
    uint64_t records, faults;
};
bool ledger_check(struct ledger *ledger, ledger_fault_function *on_fault, void *context, struct ledger_check *check,
                  struct error *err) MUST_CHECK;

/* A copy as of now into a new file, while others may write. */
bool ledger_backup(struct ledger *ledger, const char *path, struct error *err) MUST_CHECK;

/* repair.c: copies the readable records of a file into a new one, which replaces it; the old one stays as PATH.broken.
 */
struct ledger_repair {
    uint64_t stored, lost; /* records; lost: known, but not readable */
    char broken[4096];     /* where the old one is now */
};
bool ledger_repair(const char *place, struct ledger_repair *repair, struct error *err) MUST_CHECK;

/* place.c: whether it is on a server. */
bool ledger_is_uri(const char *place);

/* $XDG_DATA_HOME/carbon/ledger.db, else ~/.local/share/carbon/ledger.db, by these variables ("NAME=value", NULL-ended).
 * False: they define neither. */
bool ledger_default_place(char *const *variables, char *path, size_t size);

/* Creates the folders of a file, accessible to the user only. */
bool ledger_make_folder(const char *path, struct error *err) MUST_CHECK;

/* The folder that a file is in. */
void ledger_folder_of(const char *path, char *folder, size_t size);

/* The place without its password. */
void ledger_place_text(const char *place, char *text, size_t size);

/* Whether several processes may share a write-ahead log on such a file system (statfs f_type): it needs shared memory,
 * which network file systems do not have. */
bool ledger_wal_is_safe(uint64_t filesystem);

#endif
