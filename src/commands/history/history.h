/* SPDX-License-Identifier: MIT
 * The output of `carbon history`, and its forms. Used by cmd_history.c, history_forms.c and history_show.c. Begin with
 * history_show(). */
#ifndef COMMANDS_HISTORY_HISTORY_H
#define COMMANDS_HISTORY_HISTORY_H

#include "app/options/options.h"
#include "form/field.h"
#include "ledger/ledger.h"

#include <stdio.h>

/* A list while it is written. */
struct history_list {
    FILE *out;
    int width;       /* columns of the table */
    uint64_t limit;  /* maximum number of rows; 0: all */
    uint64_t count;  /* written so far */
    bool more;       /* more than the limit */
    bool cut, again; /* some were interrupted, some restate others */
};

/* A form of the list: its beginning, each row (a ledger_row_function with a list as its context), its end. */
struct history_form {
    void (*begin)(const struct history_list *list);
    ledger_row_function *row;
    void (*end)(const struct history_list *list);
};

extern const struct schema history_schema;
extern const struct history_form history_table, history_csv, history_json;

/* A record as a page into a file (html), or as a table or text into out (html NULL). */
bool history_show(const char *record, const char *id, const char *html, const struct settings *settings, FILE *out,
                  struct error *err) MUST_CHECK;

/* A record on one line, every figure and text unchanged. */
void history_json_line(const char *record, FILE *out);

#endif
