/* SPDX-License-Identifier: MIT
 * Tables by libcsv, with the line and column of every fault. */
#include "base/csv.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/csv_library.h"
#include "base/debug.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Files are read in small pieces: pages touched for the first time are most of the cost of a start. */
enum { BLOCK_BYTES = 32768, RECORD_BYTES = 16384 };

struct csv_reading {
    struct csv_library library;
    struct csv_row row;
    size_t columns; /* of the header; 0 before it is read */
    size_t line;    /* being parsed */
    bool in_record;
    bool ragged;   /* records may be of any width */
    bool together; /* lines that begin with the needle do not come again after others */
    bool begun;    /* one of them was seen */
    bool failed;
    csv_row_function *on_row;
    void *context;
    struct error *err;
    char *store; /* the fields of this record: libcsv reuses its own buffer for each */
    size_t used; /* bytes used of RECORD_BYTES */
};

static bool bad_place(struct csv_reading *reading, size_t line, size_t column, const char *why)
{
    reading->failed = true;
    error_set(reading->err, ERROR_BAD_DATA, "'%s' line %zu, column %zu is malformed", reading->row.path, line, column);
    return error_why(reading->err, "%s", why);
}

static void on_field(void *text, size_t length, void *context)
{
    struct csv_reading *reading = context;
    struct csv_row *row = &reading->row;

    if (reading->failed)
        return;
    if (!reading->in_record)
        row->line = reading->line;
    reading->in_record = true;
    if (row->count == CSV_MAX_COLUMNS)
        bad_place(reading, row->line, row->count + 1, "a table may have 256 columns at most");
    else if (length >= RECORD_BYTES - reading->used)
        bad_place(reading, row->line, row->count + 1, "the record is longer than 16 KiB; is a quote missing?");
    else if (length > 0 && memchr(text, '\0', length))
        bad_place(reading, row->line, row->count + 1, "the field has a NUL byte: not a text file");
    if (reading->failed)
        return;
    char *field = reading->store + reading->used;
    if (length > 0)
        memcpy(field, text, length);
    field[length] = '\0';
    reading->used += length + 1;
    row->fields[row->count++] = field;
}

static bool header_is_good(struct csv_reading *reading)
{
    const struct csv_row *row = &reading->row;

    for (size_t i = 1; i < row->count; i++)
        if (*row->fields[i] && csv_column(row, row->fields[i]) < (int)i)
            return csv_bad_field(row, i, row->fields[i], reading->err, "two columns have this name");
    return true;
}

static bool record_is_good(struct csv_reading *reading)
{
    const size_t count = reading->row.count;

    if (count == reading->columns || reading->ragged)
        return true;
    const size_t column = (count < reading->columns ? count : reading->columns) + 1;
    bad_place(reading, reading->row.line, column, "");
    return error_why(reading->err, "the header has %zu columns, this record %zu", reading->columns, count);
}

static void on_record(int end, void *context)
{
    struct csv_reading *reading = context;
    struct csv_row *row = &reading->row;

    (void)end;
    if (reading->failed)
        return;
    reading->in_record = false;
    if (reading->columns == 0) {
        reading->columns = row->count;
        row->line = 1; /* even below blank lines: this is how on_row knows the header */
        reading->failed = !header_is_good(reading);
    } else {
        reading->failed = !record_is_good(reading);
    }
    if (!reading->failed)
        reading->failed = !reading->on_row(row, reading->context, reading->err);
    row->count = 0;
    reading->used = 0;
}

/* Blank lines are not records, anywhere. */
static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\r\n") >= length;
}

/* One line, with its line break where it has one. */
static bool parse_line(struct csv_reading *reading, struct csv_parser *parser, const char *line, size_t length)
{
    if (!reading->in_record) {
        if (is_blank(line, length))
            return true;
        reading->row.line = reading->line;
        reading->in_record = true;
    }
    if (reading->library.parse(parser, line, length, on_field, on_record, reading) == length)
        return !reading->failed;
    if (reading->failed)
        return false;
    if (reading->library.error(parser) == CSV_EPARSE)
        return bad_place(reading, reading->line, reading->row.count + 1,
                         "quotes belong round the whole field, and are doubled inside it");
    reading->failed = true;
    return error_set(reading->err, ERROR_SYSTEM, "no memory to read '%s'", reading->row.path);
}

static bool parse_end(struct csv_reading *reading, struct csv_parser *parser)
{
    if (reading->library.fini(parser, on_field, on_record, reading) != 0)
        return bad_place(reading, reading->row.line, reading->row.count + 1,
                         "the quotes that open here are never closed");
    if (reading->failed)
        return false;
    return reading->columns > 0 || bad_place(reading, 1, 1, "the file has no header row");
}

/* The line that starts at `at` ends before this. */
static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline + 1 : end;
}

static bool parse_block(struct csv_reading *reading, struct csv_parser *parser, const char *at, const char *end)
{
    for (const char *next; at < end; at = next) {
        next = line_end(at, end);
        reading->line++;
        if (!parse_line(reading, parser, at, (size_t)(next - at)))
            return false;
    }
    return true;
}

/* As memmem, by a letter of the needle that is rare in tables: memchr is fast enough to make this worthwhile. */
static const char *find_text(const char *at, const char *end, const char *needle)
{
    const char *capital = strpbrk(needle, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const char *rare = capital ? capital : strpbrk(needle, "jkqvwxz");
    const size_t length = strlen(needle), before = rare ? (size_t)(rare - needle) : 0;

    if (!rare || (size_t)(end - at) < length)
        return memmem(at, (size_t)(end - at), needle, length);
    at += before;
    end -= length - before - 1;
    for (; (at = memchr(at, *rare, (size_t)(end - at))); at++)
        if (memcmp(at - before, needle, length) == 0)
            return at - before;
    return NULL;
}

static bool parse_lines_with(struct csv_reading *reading, struct csv_parser *parser, const char *needle, const char *at,
                             const char *end)
{
    const char *next = at;

    if (reading->columns == 0) {
        next = line_end(at, end);
        if (!parse_block(reading, parser, at, next))
            return false;
    }
    while (next < end) {
        const char *found = find_text(next, end, needle);
        for (reading->line++, at = next; (next = line_end(at, end)) < end && (!found || next <= found); at = next)
            reading->line++;
        reading->begun = reading->begun || (found && found == at);
        if (found && !parse_line(reading, parser, at, (size_t)(next - at)))
            return false;
    }
    return true;
}

/* Whether what is wanted was before the last of these lines: the rest of the file need not be read. */
static bool is_behind(const struct csv_reading *reading, const char *needle, const char *at, const char *end)
{
    const char *newline = reading->together && reading->begun ? memrchr(at, '\n', (size_t)(end - at - 1)) : NULL;

    return newline && strncmp(newline + 1, needle, strlen(needle)) != 0;
}

/* The file in pieces of whole lines. */
struct csv_block {
    int fd;
    char data[BLOCK_BYTES + 1];
    size_t length; /* whole lines, from the start of data */
    size_t read;   /* bytes in data */
};

/* length is 0 at the end of the file. */
static bool block_next(struct csv_block *block, struct csv_reading *reading)
{
    block->read -= block->length;
    memmove(block->data, block->data + block->length, block->read);
    block->length = 0;
    while (block->read < BLOCK_BYTES) {
        const ssize_t got = read(block->fd, block->data + block->read, BLOCK_BYTES - block->read);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_errno(reading->err, "cannot read '%s'", reading->row.path);
        if (got == 0) {
            block->length = block->read;
            block->data[block->read] = '\0';
            return true;
        }
        block->read += (size_t)got;
    }
    const char *newline = memrchr(block->data, '\n', block->read);
    if (!newline)
        return bad_place(reading, reading->line + 1, 1, "the line is longer than 32 KiB: not a table");
    block->length = (size_t)(newline + 1 - block->data);
    block->data[block->read] = '\0';
    return true;
}

static bool parse_file(struct csv_reading *reading, struct csv_parser *parser, const char *needle,
                       struct csv_block *block)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";

    if (!block_next(block, reading))
        return false;
    const char *start = block->data + (strncmp(block->data, byte_order_mark, 3) == 0 ? 3 : 0);
    while (block->length > 0) {
        const char *end = block->data + block->length;
        if (!(needle ? parse_lines_with(reading, parser, needle, start, end)
                     : parse_block(reading, parser, start, end)))
            return false;
        if (needle && is_behind(reading, needle, start, end))
            break;
        if (!block_next(block, reading))
            return false;
        start = block->data;
    }
    return parse_end(reading, parser);
}

static bool read_table(const char *path, const char *needle, bool ragged, bool together, csv_row_function *on_row,
                       void *context, struct error *err)
{
    char store[RECORD_BYTES];
    struct csv_block block;
    struct csv_parser parser;
    struct csv_reading reading = {
        .row.path = path,
        .ragged = ragged,
        .together = together,
        .on_row = on_row,
        .context = context,
        .err = err,
        .store = store,
    };
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    debug_file(path, fd >= 0);
    if (fd < 0)
        return error_errno(err, "cannot read '%s'", path);
    if (!csv_library_of(&reading.library, path, err))
        return false;
    if (reading.library.init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    block.fd = fd;
    block.length = block.read = 0;
    const bool good = parse_file(&reading, &parser, needle, &block);
    reading.library.free(&parser);
    return good;
}

bool csv_read(const char *path, csv_row_function *on_row, void *context, struct error *err)
{
    return read_table(path, NULL, false, false, on_row, context, err);
}

bool csv_read_ragged(const char *path, csv_row_function *on_row, void *context, struct error *err)
{
    return read_table(path, NULL, true, false, on_row, context, err);
}

bool csv_read_lines_with(const char *path, const char *needle, csv_row_function *on_row, void *context,
                         struct error *err)
{
    return read_table(path, needle, false, false, on_row, context, err);
}

bool csv_read_lines_together(const char *path, const char *needle, csv_row_function *on_row, void *context,
                             struct error *err)
{
    return read_table(path, needle, false, true, on_row, context, err);
}

_Static_assert(CSV_MAX_COLUMNS == 256, "as the message of on_field says");

int csv_column(const struct csv_row *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++)
        if (strcmp(header->fields[i], name) == 0)
            return (int)i;
    return -1;
}

bool csv_has_field(const struct csv_row *row, const char *field)
{
    for (size_t i = 0; i + 1 < row->count; i++)
        if (strcmp(row->fields[i], field) == 0)
            return true;
    return false;
}

bool csv_columns(const struct csv_row *header, const char *const *names, size_t count, int *columns, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        columns[i] = csv_column(header, names[i]);
        if (columns[i] < 0)
            return error_set(err, ERROR_BAD_DATA, "'%s' line 1 has no column '%s'", header->path, names[i]);
    }
    return true;
}

bool csv_bad_field(const struct csv_row *row, size_t column, const char *name, struct error *err, const char *why, ...)
{
    char reason[sizeof((struct error *)0)->why];
    va_list arguments;

    va_start(arguments, why);
    c_vsnprintf(reason, sizeof reason, why, arguments);
    va_end(arguments);
    error_set(err, ERROR_BAD_DATA, "'%s' line %zu, column %zu (%s) is malformed", row->path, row->line, column + 1,
              name);
    return error_why(err, "%s", reason);
}

void csv_write_field(FILE *out, const char *field)
{
    const size_t length = strlen(field);
    /* blanks at an end are part of the field, but readers drop them where there are no quotes */
    const bool blank_end = length > 0 && (strchr(" \t", field[0]) || strchr(" \t", field[length - 1]));

    if (!blank_end && !strpbrk(field, ",\"\r\n")) {
        fputs(field, out);
        return;
    }
    fputc('"', out);
    for (const char *c = field; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

void csv_add_number(FILE *out, double value)
{
    char number[TEXT_NUMBER_SIZE];

    fprintf(out, ",%s", isfinite(value) ? text_number(value, number) : "");
}

void csv_add_field(FILE *out, const char *field)
{
    fputc(',', out);
    csv_write_field(out, field);
}
