/* SPDX-License-Identifier: MIT
 * A YAML document of settings: read whole into nodes that know where they stand. Anchors, aliases, tags, several
 * documents, duplicate keys, and too deep or too long input are refused, with line and column. Used
 * in commands/model, commands/pipeline, commands/serve and io. Begin with yaml_read(). */
#ifndef IO_YAML_READ_H
#define IO_YAML_READ_H

#include "base/error.h"
#include "io/arena.h"

#include <stddef.h>

enum { YAML_MAX_BYTES = 4 << 20, YAML_MAX_DEPTH = 64, YAML_MAX_NODES = 100000 };

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node {
    enum yaml_kind kind;
    const char *key;  /* of a member of a map; NULL in a list */
    const char *text; /* of YAML_TEXT, else NULL; "" for null */
    bool null;        /* nothing, ~ or null, not quoted */
    bool quoted;
    bool flow;                   /* [...] or {...} */
    size_t line, column;         /* place of the value, from 1 */
    size_t key_line, key_column; /* of a member's key; 0 in a list */
    /* the value's bytes in the text; unless it is in flow style, the end may be in blanks or comments after it */
    size_t begin, end;
    size_t key_begin;
    struct yaml_node *first, *next; /* children; the next of the same parent */
    size_t count;                   /* children */
};

struct yaml {
    char *path; /* for messages */
    char *text; /* the whole file as it is, NUL behind it */
    size_t length;
    struct yaml_node *root;
    struct arena store;
};

/* Both are followed by yaml_close, after a failure too. The text is copied. "${{ NAME }}" is part of a text wherever it
 * stands. Keys are not case-sensitive, except in a map "variables" or "env": programs distinguish
 * HTTP_PROXY from http_proxy. */
bool yaml_read(struct yaml *yaml, const char *path, struct error *err) MUST_CHECK;
bool yaml_parse(struct yaml *yaml, const char *path, const char *text, size_t length, struct error *err) MUST_CHECK;
void yaml_close(struct yaml *yaml); /* harmless twice */

/* Whether no key of a map is there twice; capitals and small letters are the same but for names of variables. The
 * error names the first such key of the file. */
bool yaml_keys_differ(const struct yaml *yaml, const struct yaml_node *map, struct error *err) MUST_CHECK;

/* A member, by a key that is not case-sensitive; NULL: there is none, or the node is not a map (or NULL). */
const struct yaml_node *yaml_member(const struct yaml_node *map, const char *key);

/* "'demo.yaml' line 3, column 5: a step has no 'imputs'" with err's why and fix left to the caller; the second names
 * the place of a member's key. */
bool yaml_refuse(const struct yaml *yaml, const struct yaml_node *at, struct error *err, const char *what, ...)
    PRINTF_LIKE(4, 5);
bool yaml_refuse_key(const struct yaml *yaml, const struct yaml_node *at, struct error *err, const char *what, ...)
    PRINTF_LIKE(4, 5);

#endif
