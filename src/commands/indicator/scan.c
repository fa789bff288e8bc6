/* SPDX-License-Identifier: MIT
 * Access to a JSON text that was read: members, texts, keys and numbers. */
#include "commands/indicator/scan.h"

#include "base/auto.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SURROGATE_HIGH 0xd800U
#define SURROGATE_LOW 0xdc00U
#define SURROGATE_END 0xe000U
#define REPLACEMENT 0xfffdU

static unsigned hex_of(const char *digits)
{
    unsigned code = 0;

    for (int i = 0; i < 4; i++) {
        const char c = digits[i];
        code = code << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
}

/* \uXXXX, and the one that goes with it; `from` is behind the u. */
static unsigned code_of(const char *from, const char *end, size_t *used)
{
    const unsigned code = hex_of(from);
    unsigned low;

    *used = 4;
    if (code < SURROGATE_HIGH || code >= SURROGATE_END)
        return code ? code : REPLACEMENT; /* a NUL would end the text */
    if (code >= SURROGATE_LOW || end - from < 10 || from[4] != '\\' || from[5] != 'u')
        return REPLACEMENT;
    low = hex_of(from + 6);
    if (low < SURROGATE_LOW || low >= SURROGATE_END)
        return REPLACEMENT;
    *used = 10;
    return 0x10000 + ((code - SURROGATE_HIGH) << 10) + (low - SURROGATE_LOW);
}

static size_t write_utf8(unsigned code, char *out)
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

    for (size_t i = length; i > 1; i--, code >>= 6)
        out[i - 1] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(marks[length] | code);
    return length;
}

static char plain_escape(char c)
{
    static const char names[] = "bfnrt", bytes[] = "\b\f\n\r\t";
    const char *found = strchr(names, c);

    return found ? bytes[found - names] : c;
}

/* What stands between two quotes. No escape is longer undone than written. */
static char *unescaped(const char *from, const char *end)
{
    char *text = malloc((size_t)(end - from) + 1);
    size_t length = 0, used;

    while (text && from < end) {
        if (*from != '\\') {
            text[length++] = *from++;
        } else if (from[1] != 'u') {
            text[length++] = plain_escape(from[1]);
            from += 2;
        } else {
            length += write_utf8(code_of(from + 2, end, &used), text + length);
            from += 2 + used;
        }
    }
    if (text)
        text[length] = '\0';
    return text;
}

char *scan_text(const struct scan *scan, uint32_t node)
{
    const struct json_span *text = scan_span(scan, node);

    return unescaped(scan->text + text->start + 1, scan->text + text->end - 1);
}

char *scan_key(const struct scan *scan, uint32_t node)
{
    const struct json_span *member = scan_span(scan, node);

    return unescaped(scan->text + member->key_start + 1, scan->text + member->key_end - 1);
}

/* Most keys have no escapes, and are compared where they stand. */
static bool key_is(const struct scan *scan, uint32_t node, const char *key)
{
    const struct json_span *member = scan_span(scan, node);
    const char *from = scan->text + member->key_start + 1;
    const size_t length = member->key_end - member->key_start - 2;
    AUTO_FREE char *said = NULL;

    if (!memchr(from, '\\', length))
        return strlen(key) == length && memcmp(from, key, length) == 0;
    said = scan_key(scan, node);
    return said && strcmp(said, key) == 0;
}

uint32_t scan_member(const struct scan *scan, uint32_t object, const char *key)
{
    uint32_t node;

    if (scan_span(scan, object)->kind != SCAN_OBJECT)
        return 0;
    for (node = scan_span(scan, object)->first; node && !key_is(scan, node, key); node = scan_span(scan, node)->next)
        continue;
    return node;
}

void scan_close(struct scan *scan)
{
    free(scan->nodes);
    *scan = (struct scan){ .text = NULL };
}

double scan_number(const struct scan *scan, uint32_t node)
{
    const struct json_span *number = &scan->nodes[node];
    const size_t length = number->end - number->start;
    char *text;
    double value;

    if (number->kind != SCAN_NUMBER)
        return NAN;
    text = strndup(scan->text + number->start, length);
    if (!text || !text_to_number(text, &value))
        value = NAN;
    free(text);
    return value;
}
