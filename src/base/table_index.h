/* SPDX-License-Identifier: MIT
 * The index of the tables that carbon ships: they are parsed when carbon is built (data/index_tables.c), so that a
 * start maps one file and looks at the rows it wants where they lie, and parses no CSV. For base/shipped.c, which reads
 * the table itself if it has no index. Used by shipped.c. Begin with index_hash().
 *
 * The file, tables.index, is the same whatever machine made it. Its numbers have 32 bits, the lowest byte first. In it
 * are, in this order:
 *   - "carbon tables 1\n", the bytes of the file, how many tables it has;
 *   - the INDEX_NUMBERS of each table, as enum index_number has them;
 *   - the rows of each table, its header first: the line, and the fields, each with a NUL behind it;
 *   - the slots of each table: a field (0: the slot is free), its first posting, how many it has; by the hash of the
 *     field, and in the next slot where that is taken;
 *   - the postings of each table: its rows in which that field is, in their order;
 *   - names of tables, and one NUL: no text goes on behind the end of the file. */
#ifndef BASE_TABLE_INDEX_H
#define BASE_TABLE_INDEX_H

#include "base/csv.h"

#include <stdint.h>

#define INDEX_MAGIC "carbon tables 1\n"
#define INDEX_NAME "tables.index"

enum index_number {
    INDEX_TABLE,     /* where its name is: "zones.csv" */
    INDEX_BYTES,     /* of the CSV */
    INDEX_HASH_LOW,  /* of the CSV: index_hash */
    INDEX_HASH_HIGH, /* likewise */
    INDEX_COLUMNS,
    INDEX_ROWS, /* where they are; and how many, the header too */
    INDEX_ROW_COUNT,
    INDEX_SLOTS, /* likewise; a power of 2 */
    INDEX_SLOT_COUNT,
    INDEX_POSTINGS,
    INDEX_NUMBERS,
};

enum {
    INDEX_DIRECTORY = sizeof INDEX_MAGIC - 1 + 2 * 4, /* where the first table's numbers are */
    INDEX_SLOT_NUMBERS = 3,
};

/* FNV-1a of words of 64 bits, the last one filled up with zeros. */
uint64_t index_hash(const void *bytes, size_t length);

/* Which slot to begin with, before it is cut to their number. */
uint32_t index_slot(const char *field);

/* Whether rows can be found by such a field: neither numbers nor long texts have a slot. */
bool index_has(const char *field);

enum index_answer { INDEX_READ, INDEX_FAILED, INDEX_NONE };

/* As csv_read of the table at path, which ends with its name; with a field, only the header and the rows in which a
 * column but the last is just that. INDEX_NONE: this table has no valid index; nothing has been called. */
enum index_answer index_read(const char *path, const char *table, const char *field, csv_row_function *on_row,
                             void *context, struct error *err) MUST_CHECK;

/* NULL: there is an index, and it is of the table at path as it is. Else why none is used. */
const char *index_problem(const char *path, const char *table);

/* index_read of an index as it lies in memory, whatever is in it, whose last byte is NUL: for a test. */
enum index_answer index_read_bytes(const void *bytes, size_t size, const char *path, const char *table,
                                   const char *field, csv_row_function *on_row, void *context,
                                   struct error *err) MUST_CHECK;

#endif
