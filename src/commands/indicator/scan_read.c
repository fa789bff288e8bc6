/* SPDX-License-Identifier: MIT
 * Where each value of a JSON text begins and ends. */
#include "commands/indicator/scan_read.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct scan *scan;
    struct fault *fault;
    size_t at;
    unsigned depth;
};

static bool at_end(const struct reader *reader)
{
    return reader->at >= reader->scan->length;
}

/* The next byte; NUL at the end, which is none that JSON knows. */
static char next_byte(const struct reader *reader)
{
    return at_end(reader) ? '\0' : reader->scan->text[reader->at];
}

static void skip_blanks(struct reader *reader)
{
    while (!at_end(reader) && strchr(" \t\r\n", next_byte(reader)) && next_byte(reader))
        reader->at++;
}

static bool malformed(struct reader *reader, const char *why)
{
    if (at_end(reader))
        return fault_at(reader->fault, FAULT_CUT_SHORT, reader->scan->text, reader->at, "it ends there",
                        "the output ends in the middle");
    return fault_at(reader->fault, FAULT_NOT_JSON, reader->scan->text, reader->at, why, "the output is no JSON");
}

/* False: there is no room for another one, and the fault is reported. */
static bool new_node(struct reader *reader, uint32_t *node)
{
    struct scan *scan = reader->scan;

    if (scan->count == SCAN_VALUES)
        return fault_at(reader->fault, FAULT_TOO_MANY, scan->text, reader->at, "", "the output has more than %d values",
                        SCAN_VALUES);
    if (scan->count == scan->size) {
        const uint32_t size = scan->size ? 2 * scan->size : 64;
        struct json_span *nodes = realloc(scan->nodes, size * sizeof *nodes);
        if (!nodes)
            return fault_of(reader->fault, FAULT_TOO_MANY, "no memory for it", "the output cannot be read");
        scan->nodes = nodes;
        scan->size = size;
    }
    *node = scan->count++;
    scan->nodes[*node] = (struct json_span){ .start = (uint32_t)reader->at };
    return true;
}

static bool read_escape(struct reader *reader)
{
    const size_t begun = reader->at++;
    const char c = next_byte(reader);

    if (!c || !strchr("\"\\/bfnrtu", c)) {
        if (!at_end(reader))
            reader->at = begun;
        return malformed(reader, "unknown escape");
    }
    reader->at++;
    for (int i = 0; c == 'u' && i < 4; i++, reader->at++)
        if (!next_byte(reader) || !strchr("0123456789abcdefABCDEF", next_byte(reader)))
            return malformed(reader, "four hexadecimal digits follow \\u");
    return true;
}

/* From its quote to behind the other one. */
static bool read_text(struct reader *reader)
{
    for (reader->at++; next_byte(reader) != '"';) {
        if (next_byte(reader) == '\\') {
            if (!read_escape(reader))
                return false;
        } else if (at_end(reader) || (unsigned char)next_byte(reader) < ' ') {
            return malformed(reader, "a control character in a text is written as an escape");
        } else {
            reader->at++;
        }
    }
    reader->at++;
    return true;
}

static bool read_digits(struct reader *reader)
{
    if (next_byte(reader) < '0' || next_byte(reader) > '9')
        return malformed(reader, "a digit is missing");
    while (next_byte(reader) >= '0' && next_byte(reader) <= '9')
        reader->at++;
    return true;
}

static bool read_number(struct reader *reader)
{
    if (next_byte(reader) == '-')
        reader->at++;
    if (next_byte(reader) == '0')
        reader->at++;
    else if (!read_digits(reader))
        return false;
    if (next_byte(reader) == '.') {
        reader->at++;
        if (!read_digits(reader))
            return false;
    }
    if (next_byte(reader) == 'e' || next_byte(reader) == 'E') {
        reader->at++;
        if (next_byte(reader) == '+' || next_byte(reader) == '-')
            reader->at++;
        return read_digits(reader);
    }
    return true;
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The literals, and Python's NaN and Infinity. False without an error: another kind of value. */
static bool read_word(struct reader *reader, enum scan_kind *kind)
{
    static const struct {
        const char *word;
        enum scan_kind kind;
    } words[] = {
        { "true", SCAN_TRUE }, { "false", SCAN_FALSE },  { "null", SCAN_NULL },
        { "NaN", SCAN_NAN },   { "Infinity", SCAN_NAN }, { "-Infinity", SCAN_NAN },
    };
    const struct scan *scan = reader->scan;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].word);
        if (scan->length - reader->at < length || memcmp(scan->text + reader->at, words[i].word, length) != 0 ||
            (scan->length - reader->at > length && is_word_byte(scan->text[reader->at + length])))
            continue;
        *kind = words[i].kind;
        reader->at += length;
        return true;
    }
    return false;
}

/* Nothing follows but the beginning of a word: the text was cut. */
static bool ends_in_word(struct reader *reader)
{
    static const char *const words[] = { "true", "false", "null", "NaN", "Infinity", "-Infinity" };
    const size_t left = reader->scan->length - reader->at;

    for (size_t i = 0; left && i < sizeof words / sizeof words[0]; i++)
        if (left < strlen(words[i]) && memcmp(reader->scan->text + reader->at, words[i], left) == 0) {
            reader->at = reader->scan->length;
            return true;
        }
    return false;
}

static bool read_value(struct reader *reader, uint32_t *node);

static bool read_key(struct reader *reader, uint32_t *start, uint32_t *end)
{
    if (next_byte(reader) != '"')
        return malformed(reader, "a key in quotes is missing");
    *start = (uint32_t)reader->at;
    if (!read_text(reader))
        return false;
    *end = (uint32_t)reader->at;
    skip_blanks(reader);
    if (next_byte(reader) != ':')
        return malformed(reader, "a colon is missing behind the key");
    reader->at++;
    skip_blanks(reader);
    return true;
}

static bool read_children(struct reader *reader, uint32_t parent, bool object)
{
    const char closing = object ? '}' : ']';
    uint32_t last = 0;

    reader->at++;
    skip_blanks(reader);
    if (next_byte(reader) == closing) {
        reader->at++;
        return true;
    }
    for (;;) {
        uint32_t key_start = 0, key_end = 0, child;

        if ((object && !read_key(reader, &key_start, &key_end)) || !read_value(reader, &child))
            return false;
        reader->scan->nodes[child].key_start = key_start;
        reader->scan->nodes[child].key_end = key_end;
        *(last ? &reader->scan->nodes[last].next : &reader->scan->nodes[parent].first) = child;
        reader->scan->nodes[parent].count++;
        last = child;
        skip_blanks(reader);
        if (next_byte(reader) == closing)
            break;
        if (next_byte(reader) != ',')
            return malformed(reader, object ? "a comma or a closing brace is missing"
                                            : "a comma or a closing bracket is missing");
        reader->at++;
        skip_blanks(reader);
    }
    reader->at++;
    return true;
}

struct scan_read_named {
    char *key;
    uint32_t node;
};

static int by_key(const void *a, const void *b)
{
    const struct scan_read_named *left = a, *right = b;
    const int order = strcmp(left->key, right->key);

    return order ? order : (left->node > right->node) - (left->node < right->node);
}

static bool given_twice(const struct scan *scan, const struct scan_read_named *named, struct fault *fault)
{
    char shown[80];

    utf8_printable(shown, sizeof shown, named->key);
    return fault_at(fault, FAULT_DUPLICATE_KEY, scan->text, scan_span(scan, named->node)->key_start,
                    "it was there before in the same object", "the output has the key '%s' twice", shown);
}

/* Sorted, so that an object of many keys costs no more than it must. False: two say the same; the fault is at the
 * second of them. */
static bool keys_differ(const struct scan *scan, uint32_t object, struct fault *fault)
{
    const uint32_t max = scan_span(scan, object)->count;
    struct scan_read_named *all = calloc(max + 1, sizeof *all);
    const struct scan_read_named *twice = NULL;
    uint32_t count = 0;
    bool good = all != NULL;

    for (uint32_t node = scan_span(scan, object)->first; good && node; node = scan_span(scan, node)->next) {
        all[count] = (struct scan_read_named){ .key = scan_key(scan, node), .node = node };
        good = all[count].key != NULL;
        count += good;
    }
    if (good)
        qsort(all, count, sizeof *all, by_key);
    else
        fault_of(fault, FAULT_TOO_MANY, "no memory for it", "the output cannot be read");
    for (uint32_t i = 1; good && i < count; i++)
        if (strcmp(all[i - 1].key, all[i].key) == 0 && (!twice || all[i].node < twice->node))
            twice = &all[i];
    if (twice)
        good = given_twice(scan, twice, fault);
    for (uint32_t i = 0; i < count; i++)
        free(all[i].key);
    free(all);
    return good;
}

static bool read_nested(struct reader *reader, uint32_t node, bool object)
{
    bool good;

    if (++reader->depth > SCAN_DEPTH)
        return fault_at(reader->fault, FAULT_TOO_DEEP, reader->scan->text, reader->at, "",
                        "the output is nested deeper than %d times", SCAN_DEPTH);
    good = read_children(reader, node, object);
    reader->depth--;
    return good && (!object || keys_differ(reader->scan, node, reader->fault));
}

static bool read_scalar(struct reader *reader, uint32_t node, char c)
{
    struct scan *scan = reader->scan;
    enum scan_kind kind = SCAN_NUMBER;

    if (c == '"') {
        scan->nodes[node].kind = SCAN_TEXT;
        return read_text(reader);
    }
    if (!read_word(reader, &kind)) {
        if (ends_in_word(reader) || (c != '-' && (c < '0' || c > '9')))
            return malformed(reader, "a value is missing");
        if (!read_number(reader))
            return false;
    }
    scan->nodes[node].kind = kind;
    if (kind == SCAN_NAN && scan->nan_count++ == 0)
        scan->first_nan = node;
    return true;
}

static bool read_value(struct reader *reader, uint32_t *node)
{
    const char c = next_byte(reader);
    bool good;

    if (!new_node(reader, node))
        return false;
    if (c == '{' || c == '[') {
        reader->scan->nodes[*node].kind = c == '{' ? SCAN_OBJECT : SCAN_ARRAY;
        good = read_nested(reader, *node, c == '{');
    } else {
        good = read_scalar(reader, *node, c);
    }
    reader->scan->nodes[*node].end = (uint32_t)reader->at;
    return good;
}

static bool check_utf8(const struct scan *scan, struct fault *fault)
{
    for (size_t at = 0; at < scan->length;) {
        char bytes[5] = "";
        size_t length;

        memcpy(bytes, scan->text + at, scan->length - at < 4 ? scan->length - at : 4);
        length = bytes[0] ? utf8_length(bytes) : 1;
        if (!length)
            return fault_at(fault, FAULT_NOT_UTF8, scan->text, at, "", "the output is no UTF-8");
        at += length;
    }
    return true;
}

static bool check_rest(struct reader *reader)
{
    const struct scan *scan = reader->scan;

    skip_blanks(reader);
    if (at_end(reader))
        return true;
    if (scan->nodes[0].kind != SCAN_OBJECT)
        return malformed(reader, "the first value ends before it");
    if (next_byte(reader) == '{')
        return fault_at(reader->fault, FAULT_TWO_OBJECTS, scan->text, reader->at, "the second one begins there",
                        "the output holds two objects");
    return fault_at(reader->fault, FAULT_TRAILING_TEXT, scan->text, reader->at, "messages belong on standard error",
                    "text follows the object in the output");
}

bool scan_read(const char *text, size_t length, struct scan *scan, struct fault *fault)
{
    struct reader reader = { .scan = scan, .fault = fault };
    uint32_t root;

    *scan = (struct scan){ .text = text, .length = length };
    skip_blanks(&reader);
    if (at_end(&reader))
        return fault_of(fault, FAULT_EMPTY, "", "the output is empty");
    return check_utf8(scan, fault) && read_value(&reader, &root) && check_rest(&reader);
}
