/* SPDX-License-Identifier: MIT
 * Texts as UTF-8, by their byte-order marks, their NUL bytes, or their bytes above 127. */
#include "io/text_file.h"

#include "base/auto.h"
#include "base/debug.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16, REPLACEMENT = 0xFFFD, UTF8_BYTES = 4 };

struct text_file_bytes {
    unsigned char *data; /* two NUL bytes stand behind them */
    size_t length;
};

static bool read_all(int fd, struct text_file_bytes *bytes)
{
    size_t size = 0;

    for (;;) {
        if (size - bytes->length < BLOCK_BYTES) {
            unsigned char *more = realloc(bytes->data, (size = 2 * size + 2 * BLOCK_BYTES));
            if (!more)
                return false;
            bytes->data = more;
        }
        const ssize_t got = read(fd, bytes->data + bytes->length, size - bytes->length - 2);
        if (got < 0 && errno != EINTR)
            return false;
        if (got == 0)
            break;
        bytes->length += got > 0 ? (size_t)got : 0;
    }
    memset(bytes->data + bytes->length, 0, 2);
    return true;
}

static char *put(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

static uint32_t unit_at(const struct text_file_bytes *bytes, size_t at, bool big)
{
    return (uint32_t)bytes->data[at + (big ? 0 : 1)] << 8 | bytes->data[at + (big ? 1 : 0)];
}

/* A unit of 16 bits is three bytes of UTF-8 at most. An odd byte at the end is half a character that was cut. */
static char *of_utf16(const struct text_file_bytes *bytes, bool big)
{
    char *text = malloc(bytes->length / 2 * 3 + 1), *to = text;

    for (size_t at = 0; text && at + 1 < bytes->length; at += 2) {
        uint32_t code = unit_at(bytes, at, big);
        const uint32_t next = at + 3 < bytes->length ? unit_at(bytes, at + 2, big) : 0;
        if (code >= 0xD800 && code < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (next - 0xDC00);
            at += 2;
        } else if (code >= 0xD800 && code < 0xE000) {
            code = REPLACEMENT;
        }
        if (code != 0xFEFF || at > 0)
            to = put(to, code ? code : REPLACEMENT);
    }
    if (text)
        *to = '\0';
    return text;
}

static char *of_latin1(const struct text_file_bytes *bytes)
{
    char *text = malloc(2 * bytes->length + 1), *to = text;

    for (size_t at = 0; text && at < bytes->length; at++)
        to = put(to, bytes->data[at]);
    if (text)
        *to = '\0';
    return text;
}

static bool is_utf8(const char *text)
{
    for (size_t length; *text; text += length)
        if (!(length = utf8_length(text)))
            return false;
    return true;
}

/* By its mark, or since the first character, which is of ASCII in any table, log or document, has a NUL beside it. */
static bool is_utf16(const struct text_file_bytes *bytes, bool *big)
{
    const unsigned char *data = bytes->data;

    *big = (data[0] == 0xFE && data[1] == 0xFF) || (!data[0] && data[1]);
    return bytes->length >= 2 && (*big || (data[0] == 0xFF && data[1] == 0xFE) || (data[0] && !data[1]));
}

/* A block with what was left of the one before; *length: what is left of it, a character that is not whole. False: not
 * UTF-8, or a NUL. */
static bool check_block(char *block, size_t *length, size_t *lines, bool last)
{
    char *at = block;

    block[*length] = '\0';
    while (*at && (last || block + *length - at >= UTF8_BYTES)) {
        const size_t bytes = utf8_length(at);
        if (!bytes)
            return false;
        *lines += *at == '\n' || *at == '\r';
        at += bytes;
    }
    if (!*at && at < block + *length)
        return false;
    *length -= (size_t)(at - block);
    memmove(block, at, *length);
    return true;
}

static bool check_all(int fd, size_t *lines, char begin[TEXT_FILE_BEGIN])
{
    AUTO_FREE char *block = malloc(BLOCK_BYTES + UTF8_BYTES + 1);
    size_t length = 0;
    ssize_t got = 0;

    *lines = 1;
    *begin = '\0';
    while (block && (got = read(fd, block + length, BLOCK_BYTES)) > 0) {
        length += (size_t)got;
        if (!*begin)
            snprintf(begin, TEXT_FILE_BEGIN, "%.*s", (int)length, block);
        if (!check_block(block, &length, lines, false))
            return false;
    }
    return block && got == 0 && check_block(block, &length, lines, true);
}

int text_file_open(const char *path, size_t *lines, char begin[TEXT_FILE_BEGIN])
{
    static const char mark[] = "\xEF\xBB\xBF";
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    off_t start;

    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && check_all(fd, lines, begin)) {
        start = strncmp(begin, mark, strlen(mark)) == 0 ? (off_t)strlen(mark) : 0;
        memmove(begin, begin + start, strlen(begin + start) + 1);
        if (lseek(fd, start, SEEK_SET) == start)
            return fd;
    }
    close(fd);
    return -1;
}

static char *decode(struct text_file_bytes *bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    char *text = (char *)bytes->data;
    bool big;

    if (is_utf16(bytes, &big))
        return of_utf16(bytes, big);
    if (!is_utf8(text))
        return of_latin1(bytes);
    bytes->data = NULL;
    if (strncmp(text, mark, strlen(mark)) == 0)
        memmove(text, text + strlen(mark), strlen(text + strlen(mark)) + 1);
    return text;
}

char *text_file_read(const char *path, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct text_file_bytes bytes = { .data = NULL };
    char *text = NULL;
    bool big;

    debug_file(path, fd >= 0);
    if (fd < 0 || !read_all(fd, &bytes)) {
        error_errno(err, "cannot read '%.200s'", path);
    } else if (!is_utf16(&bytes, &big) && memchr(bytes.data, '\0', bytes.length)) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' cannot be read as text", path);
        error_why(err, "it holds a NUL byte");
    } else if (!(text = decode(&bytes))) {
        error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    }
    free(bytes.data);
    return text;
}

size_t text_file_lines(const char *text)
{
    size_t lines = 1;

    for (; *text; text++)
        lines += *text == '\n' || *text == '\r';
    return lines;
}
