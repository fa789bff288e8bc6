/* SPDX-License-Identifier: MIT
 * A JSON document while it is made: numbers exact, text always UTF-8. Used in container, form, ledger and 5 commands.
 * Begin with tree_open(). */
#ifndef IO_JSON_TREE_H
#define IO_JSON_TREE_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

struct cJSON;

struct tree {
    struct cJSON *json;
    bool failed; /* no memory; nothing else is to be checked until tree_write */
};

/* A place in the tree, an object or an array. */
struct tree_node {
    struct cJSON *json;
    bool *failed;
};

void tree_open(struct tree *tree);
struct tree_node tree_root(struct tree *tree); /* an object */

/* Each adds under a key, which must live as long as the tree; key NULL: to an array. */
struct tree_node tree_object(struct tree_node parent, const char *key);
struct tree_node tree_array(struct tree_node parent, const char *key);
void tree_null(struct tree_node parent, const char *key);
void tree_bool(struct tree_node parent, const char *key, bool value);
void tree_number(struct tree_node parent, const char *key, double value); /* not finite: null */
void tree_integer(struct tree_node parent, const char *key, uint64_t value);
void tree_int_or_null(struct tree_node parent, const char *key, int value);          /* negative: null */
void tree_nonzero_or_null(struct tree_node parent, const char *key, uint64_t value); /* 0: null */

/* Bytes that are no UTF-8 become U+FFFD. The second makes null of NULL and "". */
void tree_text(struct tree_node parent, const char *key, const char *value);
void tree_text_or_null(struct tree_node parent, const char *key, const char *value);

/* What is JSON already, as it stands. */
void tree_json(struct tree_node parent, const char *key, const char *json);

void tree_close(struct tree *tree); /* without writing it */

/* Writes the document and frees it. what: "the JSON record", for the error. */
bool tree_write(struct tree *tree, FILE *out, const char *what, struct error *err) MUST_CHECK;

/* The same on a line of its own (JSON Lines). */
bool tree_write_line(struct tree *tree, FILE *out, const char *what, struct error *err) MUST_CHECK;

/* What they write, with the line's end; freed by the caller. NULL: no memory. The tree is closed. */
char *tree_string(struct tree *tree, const char *what, struct error *err) MUST_CHECK;
char *tree_string_line(struct tree *tree, const char *what, struct error *err) MUST_CHECK;

#endif
