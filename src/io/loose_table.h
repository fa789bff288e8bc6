/* SPDX-License-Identifier: MIT
 * A table (RFC 4180, and spreadsheets' variants) read record by record, so that a damaged one costs no
 * other: where quotes are not as they should be, the record ends with its line. Used by
 * commands/history/codecarbon_read.c. Begin with loose_table_open(). */
#ifndef IO_LOOSE_TABLE_H
#define IO_LOOSE_TABLE_H

#include "base/csv.h"

struct loose_table {
    const char *at; /* NUL-terminated text that is still to be read */
    size_t line;    /* the one at which that begins, from 1 */
    char separator;
    char *store; /* the fields of this record */
    size_t size;
    int fd;       /* the rest of the text is read from it as it is needed; -1: all of it is there */
    char *window; /* what is there of such a text, NUL-terminated */
    size_t window_size, window_length;
    const char *after_line; /* behind the first line of this record, for loose_table_again */
};

enum loose_answer {
    LOOSE_END,
    LOOSE_RECORD,
    LOOSE_BAD,       /* row->line is that of a record that cannot be cut into fields */
    LOOSE_NO_MEMORY, /* or an error of the file: nothing more can be read */
};

/* text outlives the table. A first line "sep=;", as spreadsheets write it, names the separator; else it is the comma.
 */
void loose_table_open(struct loose_table *table, const char *text);

/* Likewise, of a file of UTF-8 without NUL bytes (text_file_open()), which outlives the table. False: no memory, or it
 * cannot be read. */
bool loose_table_open_file(struct loose_table *table, int fd) MUST_CHECK;
void loose_table_close(struct loose_table *table);

/* Fields live until the next call; blanks round those without quotes are none of theirs. Lines that are blank are no
 * records. why is the reason. */
enum loose_answer loose_table_next(struct loose_table *table, struct csv_row *row, const char **why) MUST_CHECK;

/* The record is not valid: the next one begins after its first line. */
void loose_table_again(struct loose_table *table, const struct csv_row *row);

#endif
