/* SPDX-License-Identifier: MIT
 * Cutting a record into fields, and finding the next one where that cannot be done. */
#include "io/loose_table.h"

#include "base/c_locale.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A record that is longer has lost a quote. */
enum { RECORD_BYTES = 1 << 16, WINDOW_BYTES = 4 * RECORD_BYTES };

static const char *next_line(const char *at)
{
    at += strcspn(at, "\r\n");
    return at + (at[0] == '\r' && at[1] == '\n' ? 2 : *at != '\0');
}

/* Reads once, behind what is there. False: no memory, or it cannot be read. */
static bool read_more(struct loose_table *table)
{
    const size_t at = table->window ? (size_t)(table->at - table->window) : 0;
    ssize_t got;

    if (table->window_length + 1 >= table->window_size) {
        const size_t size = table->window_size ? 2 * table->window_size : WINDOW_BYTES;
        char *window = realloc(table->window, size);
        if (!window)
            return false;
        table->window = window;
        table->window_size = size;
        table->at = window + at;
    }
    do {
        got = read(table->fd, table->window + table->window_length, table->window_size - table->window_length - 1);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return false;
    table->window_length += (size_t)got;
    table->window[table->window_length] = '\0';
    if (got == 0)
        table->fd = -1;
    return true;
}

/* The longest record, the whole of the line that it begins with, and the first character behind it are there. */
static bool has_enough(const struct loose_table *table)
{
    const size_t length = table->window ? table->window_length - (size_t)(table->at - table->window) : 0;

    return table->fd < 0 || (length > RECORD_BYTES + 2 && strcspn(table->at, "\r\n") + 1 < length);
}

/* What was taken goes. */
static bool read_window(struct loose_table *table)
{
    if (has_enough(table))
        return true;
    if (table->window) {
        const size_t taken = (size_t)(table->at - table->window);
        table->window_length -= taken;
        memmove(table->window, table->at, table->window_length + 1);
        table->at = table->window;
    }
    while (!has_enough(table))
        if (!read_more(table))
            return false;
    return true;
}

static void take_separator(struct loose_table *table)
{
    const char *text = table->at;

    if (c_strncasecmp(text, "sep=", 4) == 0 && text[4] && strchr("\r\n", text[5])) {
        table->separator = text[4];
        table->at = next_line(text);
        table->line++;
    }
}

void loose_table_open(struct loose_table *table, const char *text)
{
    *table = (struct loose_table){ .at = text, .line = 1, .separator = ',', .fd = -1 };
    take_separator(table);
}

bool loose_table_open_file(struct loose_table *table, int fd)
{
    *table = (struct loose_table){ .line = 1, .separator = ',', .fd = fd };
    if (!read_window(table))
        return false;
    take_separator(table);
    return read_window(table);
}

void loose_table_close(struct loose_table *table)
{
    free(table->store);
    free(table->window);
    table->store = table->window = NULL;
}

static bool is_end(char c)
{
    return c == '\0' || c == '\r' || c == '\n';
}

/* From the opening quote; *to is moved behind what was copied. NULL: they do not close, or text follows them. */
static const char *take_quoted(const struct loose_table *table, const char *at, const char *limit, char **to)
{
    for (at++; at < limit && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        *(*to)++ = *at;
    }
    if (at >= limit)
        return NULL;
    for (at++; *at == ' ' || (*at == '\t' && table->separator != '\t'); at++)
        ;
    return *at == table->separator || is_end(*at) ? at : NULL;
}

static const char *take_plain(const struct loose_table *table, const char *at, const char *limit, char **to)
{
    const char *end = at;

    while (end < limit && !is_end(*end) && *end != table->separator)
        end++;
    const char *last = end;
    while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    memcpy(*to, at, (size_t)(last - at));
    *to += last - at;
    return end;
}

/* NULL: why tells. Else where the record ends. */
static const char *take_record(struct loose_table *table, struct csv_row *row, const char **why)
{
    const char *at = table->at, *limit = at + strnlen(at, RECORD_BYTES);
    char *to = table->store;

    for (row->count = 0;; at++) {
        while (*at == ' ' || (*at == '\t' && table->separator != '\t'))
            at++;
        *why = "a table may have 256 columns at most";
        if (row->count == CSV_MAX_COLUMNS)
            return NULL;
        row->fields[row->count++] = to;
        *why = "quotes belong round a whole field, and are doubled inside it";
        at = *at == '"' ? take_quoted(table, at, limit, &to) : take_plain(table, at, limit, &to);
        if (!at || (!is_end(*at) && *at != table->separator))
            return NULL;
        *to++ = '\0';
        if (is_end(*at))
            return at;
    }
}

/* Room for the longest record, which is no longer than what is left, each field with its end. */
static bool make_room(struct loose_table *table)
{
    const size_t size = strnlen(table->at, RECORD_BYTES) + CSV_MAX_COLUMNS + 1;

    if (size > table->size) {
        char *store = realloc(table->store, size);
        if (!store)
            return false;
        table->store = store;
        table->size = size;
    }
    return true;
}

enum loose_answer loose_table_next(struct loose_table *table, struct csv_row *row, const char **why)
{
    const char *end;

    if (!read_window(table))
        return LOOSE_NO_MEMORY;
    for (; *table->at && is_end(table->at[strspn(table->at, " \t")]); table->line++) {
        table->at = next_line(table->at + strspn(table->at, " \t"));
        if (!read_window(table))
            return LOOSE_NO_MEMORY;
    }
    if (!*table->at)
        return LOOSE_END;
    row->line = table->line;
    table->after_line = next_line(table->at);
    if (!make_room(table))
        return LOOSE_NO_MEMORY;
    end = take_record(table, row, why);
    if (!end) {
        loose_table_again(table, row);
        return LOOSE_BAD;
    }
    for (const char *next = table->at; next <= end && *next; table->at = next, table->line++)
        next = next_line(next);
    return LOOSE_RECORD;
}

void loose_table_again(struct loose_table *table, const struct csv_row *row)
{
    table->at = table->after_line;
    table->line = row->line + 1;
}
