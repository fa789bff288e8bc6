/* SPDX-License-Identifier: MIT
 * Reading YAML by libyaml, which is opened when there is some to be read; the only file that knows it. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "io/yaml_read.h"

#include "base/library.h"
#include "io/yaml_source.h"
#include "io/yaml_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define YAML_FUNCTIONS(FUNCTION)                                                                                       \
    FUNCTION(open, yaml_parser_initialize)                                                                             \
    FUNCTION(set_encoding, yaml_parser_set_encoding)                                                                   \
    FUNCTION(set_input, yaml_parser_set_input_string)                                                                  \
    FUNCTION(parse, yaml_parser_parse)                                                                                 \
    FUNCTION(delete_event, yaml_event_delete)                                                                          \
    FUNCTION(close, yaml_parser_delete)

struct yaml_library {
    YAML_FUNCTIONS(LIBRARY_MEMBER)
};

#ifdef CARBON_STATIC
static bool find_yaml(struct yaml_library *library, struct error *err)
{
    (void)err;
    YAML_FUNCTIONS(LIBRARY_LINKED)
    return true;
}
#else
static bool find_yaml(struct yaml_library *library, struct error *err)
{
    static const char *const files[] = { YAML_SONAME, NULL };
    const struct library_function wanted[] = { YAML_FUNCTIONS(LIBRARY_WANTED) };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0], "YAML needs libyaml",
                        "install libyaml-0-2 (Debian)", err);
}
#endif

/* A list or a map that is open. */
struct level {
    struct yaml_node *node, *last; /* its last child */
    const char *key;               /* a map's key whose value comes next */
    yaml_mark_t key_mark;
    size_t key_begin;
};

struct yaml_read_parsing {
    struct yaml *yaml;
    struct yaml_hidden hidden;
    struct yaml_cursor cursor;
    struct level levels[YAML_MAX_DEPTH];
    size_t depth, node_count;
    bool document, ended; /* it has begun; the stream is at its end */
    struct error *err;
};

static bool refuse_mark(struct yaml_read_parsing *parsing, const yaml_mark_t *mark, const char *what, const char *fix)
{
    yaml_refuse_at(parsing->yaml->path, mark->line + 1, mark->column + 1, parsing->err, "%s", what);
    return error_fix(parsing->err, "%s", fix);
}

static bool no_memory(struct yaml_read_parsing *parsing)
{
    return error_set(parsing->err, ERROR_SYSTEM, "no memory for '%.150s'", parsing->yaml->path);
}

/* The new node hangs in what is open; NULL: it failed. */
static struct yaml_node *add_node(struct yaml_read_parsing *parsing, enum yaml_kind kind, const yaml_event_t *event)
{
    struct level *level = parsing->depth ? &parsing->levels[parsing->depth - 1] : NULL;
    struct yaml_node *node;

    if (++parsing->node_count > YAML_MAX_NODES) {
        refuse_mark(parsing, &event->start_mark, "there are more than 100000 values", "divide the file");
        return NULL;
    }
    node = arena_get(&parsing->yaml->store, sizeof *node);
    if (!node) {
        no_memory(parsing);
        return NULL;
    }
    node->kind = kind;
    node->line = event->start_mark.line + 1;
    node->column = event->start_mark.column + 1;
    node->begin = yaml_byte(&parsing->cursor, event->start_mark.index);
    node->end = yaml_byte(&parsing->cursor, event->end_mark.index);
    if (!level) {
        parsing->yaml->root = node;
        return node;
    }
    if (level->node->kind == YAML_MAP) {
        node->key = level->key;
        node->key_line = level->key_mark.line + 1;
        node->key_column = level->key_mark.column + 1;
        node->key_begin = level->key_begin;
        level->key = NULL;
    }
    *(level->last ? &level->last->next : &level->node->first) = node;
    level->last = node;
    level->node->count++;
    return node;
}

/* With its braces put back. */
static char *text_of(struct yaml_read_parsing *parsing, const yaml_event_t *event)
{
    char *text = arena_copy(&parsing->yaml->store, (const char *)event->data.scalar.value, event->data.scalar.length);

    if (!text) {
        no_memory(parsing);
        return NULL;
    }
    yaml_show(&parsing->hidden, text, event->data.scalar.length);
    return text;
}

static bool is_null(const char *text)
{
    static const char *const words[] = { "", "~", "null", "Null", "NULL" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool take_key(struct yaml_read_parsing *parsing, struct level *level, const yaml_event_t *event)
{
    const bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    char *key = text_of(parsing, event);

    if (!key)
        return false;
    if (plain && strcmp(key, "<<") == 0)
        return refuse_mark(parsing, &event->start_mark, "merge keys (<<) are not read here", "write the members out");
    if (!*key)
        return refuse_mark(parsing, &event->start_mark, "a key is empty", "write 'key: value'");
    level->key = key;
    level->key_mark = event->start_mark;
    level->key_begin = yaml_byte(&parsing->cursor, event->start_mark.index);
    return true;
}

static bool take_scalar(struct yaml_read_parsing *parsing, const yaml_event_t *event)
{
    struct level *level = parsing->depth ? &parsing->levels[parsing->depth - 1] : NULL;
    const bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    struct yaml_node *node;

    if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length)
        return refuse_mark(parsing, &event->start_mark, "this text holds a NUL (\\0)", "take it away");
    if (level && level->node->kind == YAML_MAP && !level->key)
        return take_key(parsing, level, event);
    node = add_node(parsing, YAML_TEXT, event);
    if (!node)
        return false;
    node->text = text_of(parsing, event);
    if (!node->text)
        return false;
    node->quoted = !plain;
    node->null = plain && is_null(node->text);
    node->text = node->null ? "" : node->text;
    return true;
}

static bool open_level(struct yaml_read_parsing *parsing, enum yaml_kind kind, bool flow, const yaml_event_t *event)
{
    const struct level *level = parsing->depth ? &parsing->levels[parsing->depth - 1] : NULL;
    struct yaml_node *node;

    if (level && level->node->kind == YAML_MAP && !level->key)
        return refuse_mark(parsing, &event->start_mark, "a key is a list or a map",
                           "a key is a text; put one that begins with '[' or '{' in quotes");
    if (parsing->depth == YAML_MAX_DEPTH) {
        refuse_mark(parsing, &event->start_mark, "lists and maps are nested too deep", "nest them less");
        return error_why(parsing->err, "%d in one another are the most", YAML_MAX_DEPTH);
    }
    node = add_node(parsing, kind, event);
    if (!node)
        return false;
    node->flow = flow;
    parsing->levels[parsing->depth++] = (struct level){ .node = node };
    return true;
}

static bool close_level(struct yaml_read_parsing *parsing, const yaml_event_t *event)
{
    struct yaml_node *node = parsing->levels[--parsing->depth].node;

    node->end = yaml_byte(&parsing->cursor, event->end_mark.index);
    return node->kind != YAML_MAP || yaml_keys_differ(parsing->yaml, node, parsing->err);
}

/* Anchors, aliases and tags. */
static bool is_plain(struct yaml_read_parsing *parsing, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;

    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    } else if (event->type == YAML_ALIAS_EVENT) {
        return refuse_mark(parsing, &event->start_mark, "aliases (*) are not read here",
                           "write the value out; put a text that begins with '*' in quotes");
    }
    if (anchor)
        return refuse_mark(parsing, &event->start_mark, "anchors (&) are not read here",
                           "write each value out; put a text that begins with '&' in quotes");
    if (tag)
        return refuse_mark(parsing, &event->start_mark, "tags (!) are not read here",
                           "take it away; put a text that begins with '!' in quotes");
    return true;
}

static bool read_event(struct yaml_read_parsing *parsing, const yaml_event_t *event)
{
    if (!is_plain(parsing, event))
        return false;
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(parsing, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(parsing, YAML_LIST, event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, event);
    case YAML_MAPPING_START_EVENT:
        return open_level(parsing, YAML_MAP, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_level(parsing, event);
    case YAML_DOCUMENT_START_EVENT:
        if (parsing->document)
            return refuse_mark(parsing, &event->start_mark, "a second document begins here",
                               "put it into a file of its own");
        parsing->document = true;
        return true;
    case YAML_STREAM_END_EVENT: parsing->ended = true; return true;
    default: return true;
    }
}

static bool explain(struct yaml_read_parsing *parsing, const yaml_parser_t *parser)
{
    const struct yaml *yaml = parsing->yaml;
    const char *at = yaml->text + yaml_byte(&parsing->cursor, parser->problem_mark.index), *start = at;

    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return no_memory(parsing);
    while (start > yaml->text && start[-1] != '\n')
        start--;
    return yaml_explain(
        &(struct yaml_problem){
            .path = yaml->path,
            .problem = parser->problem,
            .at = at,
            .line_start = start,
            .line = parser->problem_mark.line + 1,
            .column = parser->problem_mark.column + 1,
            .opened_line = parser->context_mark.line + 1,
        },
        parsing->err);
}

static bool parse_events(struct yaml_read_parsing *parsing)
{
    struct yaml_library library;
    yaml_parser_t parser;
    yaml_event_t event;
    bool good = true;

    if (!find_yaml(&library, parsing->err))
        return false;
    if (!library.open(&parser))
        return no_memory(parsing);
    library.set_encoding(&parser, YAML_UTF8_ENCODING);
    library.set_input(&parser, (const unsigned char *)parsing->hidden.text, parsing->hidden.length);
    while (good && !parsing->ended) {
        if (!library.parse(&parser, &event)) {
            good = explain(parsing, &parser);
            break;
        }
        good = read_event(parsing, &event);
        library.delete_event(&event);
    }
    library.close(&parser);
    return good;
}

/* Of a text that is the tree's own. */
static bool parse_text(struct yaml *yaml, const char *path, struct error *err)
{
    struct yaml_read_parsing *parsing;
    bool good;

    yaml->path = arena_copy(&yaml->store, path, strlen(path));
    parsing = calloc(1, sizeof *parsing);
    if (!yaml->path || !parsing || !yaml->text) {
        free(parsing);
        return error_set(err, ERROR_SYSTEM, "no memory for '%.150s'", path);
    }
    parsing->yaml = yaml;
    parsing->cursor = yaml_cursor_of(yaml->text, yaml->length);
    parsing->err = err;
    good = yaml_is_text(path, yaml->text, yaml->length, err) &&
           yaml_hide(&parsing->hidden, path, yaml->text, yaml->length, err) && parse_events(parsing);
    if (good && (!yaml->root || yaml->root->null)) {
        good = error_set(err, ERROR_USAGE, "cannot read '%.150s'", path);
        error_why(err, yaml->length ? "there is nothing in it but comments" : "it is empty");
    }
    yaml_hidden_close(&parsing->hidden);
    free(parsing);
    return good;
}

bool yaml_read(struct yaml *yaml, const char *path, struct error *err)
{
    *yaml = (struct yaml){ .text = NULL };
    yaml->text = yaml_load(path, YAML_MAX_BYTES, &yaml->length, err);
    return yaml->text && parse_text(yaml, path, err);
}

bool yaml_parse(struct yaml *yaml, const char *path, const char *text, size_t length, struct error *err)
{
    *yaml = (struct yaml){ .length = length };
    if (length > YAML_MAX_BYTES) {
        error_set(err, ERROR_USAGE, "cannot read '%.150s'", path);
        return error_why(err, "it is larger than %d MiB", YAML_MAX_BYTES >> 20);
    }
    yaml->text = malloc(length + 1);
    if (yaml->text) {
        memcpy(yaml->text, text, length);
        yaml->text[length] = '\0';
    }
    return parse_text(yaml, path, err);
}

void yaml_close(struct yaml *yaml)
{
    free(yaml->text);
    arena_close(&yaml->store);
    *yaml = (struct yaml){ .text = NULL };
}
