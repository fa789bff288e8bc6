/* SPDX-License-Identifier: MIT
 * The text of a YAML document before it is parsed. */
#include "io/yaml_source.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/c_locale.h"
#include "base/sysroot.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The private use area. */
enum { PRIVATE_FIRST = 0xe000, PRIVATE_LAST = 0xf8ff, PRIVATE_BYTES = 3, PATH_SHOWN = 100 };

static char *fail_with_file(struct error *err, const char *path, const char *why)
{
    error_set(err, ERROR_USAGE, "cannot read '%s'", path);
    error_why(err, "%s", why);
    return NULL;
}

static char *cannot_read(struct error *err, const char *path)
{
    error_errno(err, "cannot read '%s'", path);
    return NULL;
}

char *yaml_load(const char *path, size_t max_bytes, size_t *length, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    char *bytes;

    debug_file(path, fd >= 0);
    if (fd < 0 || fstat(fd, &status) != 0)
        return cannot_read(err, path);
    if (!S_ISREG(status.st_mode))
        return fail_with_file(err, path, S_ISDIR(status.st_mode) ? "it is a folder" : "not a regular file");
    if ((uint64_t)status.st_size > max_bytes) {
        error_set(err, ERROR_USAGE, "cannot read '%s'", path);
        error_why(err, "it is larger than %zu MiB; no description of a pipeline is", max_bytes >> 20);
        return NULL;
    }
    bytes = malloc((size_t)status.st_size + 1);
    if (!bytes || !fd_read_up_to(fd, bytes, (size_t)status.st_size, length)) {
        cannot_read(err, path);
        free(bytes);
        return NULL;
    }
    bytes[*length] = '\0';
    return bytes;
}

bool yaml_refuse_at(const char *path, size_t line, size_t column, struct error *err, const char *what, ...)
{
    const size_t length = strlen(path);
    char said[256];
    va_list arguments;

    va_start(arguments, what);
    c_vsnprintf(said, sizeof said, what, arguments);
    va_end(arguments);
    return error_set(err, ERROR_USAGE, "'%s%s' line %zu, column %zu: %s", length > PATH_SHOWN ? "..." : "",
                     path + (length > PATH_SHOWN ? length - PATH_SHOWN : 0), line, column, said);
}

/* What YAML lets stand in a text: no control characters but a tab and the ends of lines. */
static bool is_allowed(const char *at, size_t length)
{
    const unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];

    if (length == 1)
        return (first >= ' ' && first != 0x7f) || first == '\t' || first == '\n' || first == '\r';
    if (length == 2 && first == 0xc2)
        return second >= 0xa0 || second == 0x85;
    return length != 3 || memcmp(at, "\xef\xbf", 2) != 0 || (unsigned char)at[2] < 0xbe;
}

static bool refuse_byte(const char *path, const char *at, size_t length, size_t line, size_t column, struct error *err)
{
    yaml_refuse_at(path, line, column, err, "not text");
    if (!*at)
        return error_why(err, "it holds a NUL byte");
    if (length == 0)
        return error_why(err, "the byte 0x%02x is no UTF-8", (unsigned char)*at);
    return error_why(err, "it holds a control character");
}

bool yaml_is_text(const char *path, const char *text, size_t length, struct error *err)
{
    size_t line = 1, column = 1, taken;

    for (const char *at = text; at < text + length; at += taken) {
        taken = utf8_length(at);
        if (taken == 0 || !is_allowed(at, taken))
            return refuse_byte(path, at, taken, line, column, err);
        column = *at == '\n' ? 1 : column + (at > text || strncmp(at, BYTE_ORDER_MARK, 3) != 0);
        line += *at == '\n';
    }
    return true;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

size_t yaml_placeholder(const char *at, const char **name, size_t *name_length)
{
    const char *start, *end;

    if (strncmp(at, "${{", 3) != 0)
        return 0;
    start = at + 3 + strspn(at + 3, " \t");
    for (end = start; is_name(*end);)
        end++;
    if (name)
        *name = start;
    if (name_length)
        *name_length = (size_t)(end - start);
    if (end == start)
        return 0;
    end += strspn(end, " \t");
    return strncmp(end, "}}", 2) == 0 ? (size_t)(end - at) + 2 : 0;
}

static void mark(uint8_t *used, unsigned long character)
{
    if (character >= PRIVATE_FIRST && character <= PRIVATE_LAST)
        used[(character - PRIVATE_FIRST) / 8] |= (uint8_t)(1 << (character - PRIVATE_FIRST) % 8);
}

/* As it stands, or as "\uE000" or "\U0000E000". */
static void mark_used(uint8_t *used, const char *at)
{
    const unsigned char *bytes = (const unsigned char *)at;

    if (bytes[0] >= 0xee && bytes[0] <= 0xef && utf8_length(at) == PRIVATE_BYTES)
        mark(used, (bytes[0] & 15UL) << 12 | (bytes[1] & 63UL) << 6 | (bytes[2] & 63UL));
    if (at[0] == '\\' && (at[1] == 'u' || at[1] == 'U')) {
        char digits[9] = "";
        memcpy(digits, at + 2, strnlen(at + 2, at[1] == 'u' ? 4 : 8));
        mark(used, strtoul(digits, NULL, 16));
    }
}

/* The next character that is not used, as UTF-8; false: there is none. */
static bool take_unused(uint8_t *used, char out[4])
{
    for (unsigned character = PRIVATE_FIRST; character <= PRIVATE_LAST; character++)
        if (!(used[(character - PRIVATE_FIRST) / 8] & 1 << (character - PRIVATE_FIRST) % 8)) {
            mark(used, character);
            out[0] = (char)(0xe0 | character >> 12);
            out[1] = (char)(0x80 | (character >> 6 & 63));
            out[2] = (char)(0x80 | (character & 63));
            out[3] = '\0';
            return true;
        }
    return false;
}

/* The copy grows by 2 bytes for each of 4 braces in at least 6 bytes. */
static void hide_all(struct yaml_hidden *hidden, const char *text, size_t length)
{
    const char *end = text + length;
    char *to = hidden->text;
    size_t left = 0; /* bytes left of a placeholder */

    for (const char *at = text; at < end; at++) {
        left = left ? left : yaml_placeholder(at, NULL, NULL);
        const char *from = left && *at == '{' ? hidden->open : left && *at == '}' ? hidden->close : at;
        const size_t more = from == at ? 1 : PRIVATE_BYTES;
        memcpy(to, from, more);
        to += more;
        left -= left > 0;
    }
    *to = '\0';
    hidden->length = (size_t)(to - hidden->text);
}

bool yaml_hide(struct yaml_hidden *hidden, const char *path, const char *text, size_t length, struct error *err)
{
    uint8_t used[(PRIVATE_LAST - PRIVATE_FIRST) / 8 + 1] = { 0 };
    const size_t begin = strncmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;

    for (size_t i = begin; i < length; i++)
        mark_used(used, text + i);
    if (!take_unused(used, hidden->open) || !take_unused(used, hidden->close)) {
        fail_with_file(err, path,
                       "it holds every character for private use, so that none is left for its placeholders");
        return false;
    }
    hidden->text = malloc((length - begin) * 3 + 1);
    if (!hidden->text)
        return cannot_read(err, path) != NULL;
    hide_all(hidden, text + begin, length - begin);
    return true;
}

void yaml_hidden_close(struct yaml_hidden *hidden)
{
    free(hidden->text);
    hidden->text = NULL;
}

size_t yaml_show(const struct yaml_hidden *hidden, char *text, size_t length)
{
    const char *end = text + length;
    char *to = text;

    for (const char *at = text; at < end;) {
        const bool opens = strncmp(at, hidden->open, PRIVATE_BYTES) == 0;
        if (opens || strncmp(at, hidden->close, PRIVATE_BYTES) == 0) {
            *to++ = opens ? '{' : '}';
            at += PRIVATE_BYTES;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}

struct yaml_cursor yaml_cursor_of(const char *text, size_t length)
{
    return (struct yaml_cursor){
        .text = text,
        .length = length,
        .byte = strncmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0,
    };
}

static bool goes_on(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t yaml_byte(struct yaml_cursor *cursor, size_t character)
{
    for (; cursor->character < character && cursor->byte < cursor->length; cursor->character++)
        do
            cursor->byte++;
        while (goes_on(cursor->text[cursor->byte]));
    for (; cursor->character > character; cursor->character--)
        do
            cursor->byte--;
        while (goes_on(cursor->text[cursor->byte]));
    return cursor->byte;
}
