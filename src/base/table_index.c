/* SPDX-License-Identifier: MIT
 * Reading the index of the shipped tables. Every number of it is read by number_at, which knows where the file ends. */
#include "base/table_index.h"

#include "base/auto.h"
#include "base/debug.h"

#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG_FIELD = 97, WINDOW = 1 << 11 }; /* bytes */

/* The part of the file that was read last. */
struct index_part {
    unsigned char *bytes;
    size_t room, length;
    uint64_t at;
};

/* In memory, or a file of which parts are read: a kernel may map the whole of it for one page of it. A text or row is
 * there until the next is read. */
struct index {
    const unsigned char *bytes; /* NULL: a file */
    int fd;
    uint64_t size;
    struct stat status;
    struct index_part numbers, texts;
};

/* One table of it. */
struct indexed {
    struct index *index;
    uint32_t number[INDEX_NUMBERS];
    const char *path;
};

uint64_t index_hash(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t taken; length > 0; at += taken, length -= taken) {
        uint64_t word = 0;
        taken = length < sizeof word ? length : sizeof word;
        memcpy(&word, at, taken);
        hash = (hash ^ le64toh(word)) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t index_slot(const char *field)
{
    uint32_t hash = 0x811c9dc5;

    for (; *field; field++)
        hash = (hash ^ (unsigned char)*field) * 0x01000193;
    return hash ^ hash >> 15;
}

bool index_has(const char *field)
{
    return *field && !strchr("0123456789-+.", *field) && strnlen(field, LONG_FIELD) < LONG_FIELD;
}

static bool load(const struct index *index, struct index_part *window, uint64_t at, size_t wanted)
{
    const uint64_t rest = index->size - at;
    const size_t length = rest < WINDOW ? (size_t)rest : wanted < WINDOW ? WINDOW : wanted;

    if (length > window->room) {
        unsigned char *bytes = realloc(window->bytes, length);
        if (!bytes)
            return false;
        window->bytes = bytes, window->room = length;
    }
    window->length = 0, window->at = at;
    while (window->length < wanted) {
        const ssize_t got =
            pread(index->fd, window->bytes + window->length, length - window->length, (off_t)(at + window->length));
        if (got <= 0)
            return false;
        window->length += (size_t)got;
    }
    return true;
}

/* At least this many bytes, fewer at the end of the file; NULL: none. */
static const unsigned char *bytes_at(const struct index *index, struct index_part *window, uint64_t at, size_t wanted,
                                     size_t *length)
{
    if (at >= index->size)
        return NULL;
    if (index->bytes) {
        *length = (size_t)(index->size - at);
        return index->bytes + at;
    }
    if (wanted > index->size - at)
        wanted = (size_t)(index->size - at);
    if ((at < window->at || at + wanted > window->at + window->length) && !load(index, window, at, wanted))
        return NULL;
    *length = (size_t)(window->at + window->length - at);
    return window->bytes + (at - window->at);
}

/* Beyond the end of the file everything is too large to be anywhere in it. */
static uint32_t number_at(struct index *index, uint64_t at)
{
    size_t length;
    const unsigned char *bytes = bytes_at(index, &index->numbers, at, 4, &length);

    if (!bytes || length < 4)
        return UINT32_MAX;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A name or a key of rows, a short text; NULL: it is not in the file. */
static const char *text_at(struct index *index, uint64_t at)
{
    size_t length;
    const unsigned char *bytes = bytes_at(index, &index->texts, at, LONG_FIELD, &length);

    return bytes && memchr(bytes, '\0', length) ? (const char *)bytes : NULL;
}

static bool is_index(struct index *index)
{
    const size_t magic = sizeof INDEX_MAGIC - 1;
    size_t length;
    const unsigned char *bytes = bytes_at(index, &index->numbers, 0, magic, &length);

    return index->size > INDEX_DIRECTORY && bytes && memcmp(bytes, INDEX_MAGIC, magic) == 0 &&
           number_at(index, magic) == index->size;
}

static bool find_table(struct index *index, const char *name, struct indexed *table)
{
    const uint32_t count = number_at(index, INDEX_DIRECTORY - 4);
    uint64_t at = INDEX_DIRECTORY;

    for (uint32_t i = 0; i < count && at < index->size; i++, at += 4 * INDEX_NUMBERS) {
        const char *text = text_at(index, number_at(index, at + 4 * INDEX_TABLE));
        if (!text || strcmp(text, name) != 0)
            continue;
        table->index = index;
        for (unsigned k = 0; k < INDEX_NUMBERS; k++)
            table->number[k] = number_at(index, at + 4 * k);
        return true;
    }
    return false;
}

static void close_index(struct index *index)
{
    if (index->fd >= 0)
        close(index->fd);
    free(index->numbers.bytes), free(index->texts.bytes);
    *index = (struct index){ .fd = -1 };
}

/* False: there is none. */
static bool open_index(const char *path, struct index *index)
{
    *index = (struct index){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
    debug_file(path, index->fd >= 0);
    if (index->fd >= 0 && fstat(index->fd, &index->status) == 0 && S_ISREG(index->status.st_mode) &&
        index->status.st_size > INDEX_DIRECTORY && (uint64_t)index->status.st_size < UINT32_MAX) {
        index->size = (uint64_t)index->status.st_size;
        if (is_index(index))
            return true;
    }
    close_index(index);
    return false;
}

/* A program that was built and not installed has it in its own folder: the tables are in the source tree. */
static bool open_of_program(struct index *index)
{
    char path[PATH_MAX], *slash;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    if (length <= 0)
        return false;
    path[length] = '\0';
    slash = strrchr(path, '/');
    return slash &&
           snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "data/emission_factors/" INDEX_NAME) <
               (int)(sizeof path - (size_t)(slash + 1 - path)) &&
           open_index(path, index);
}

static bool open_for(const char *csv, const char *table, struct index *index)
{
    const int folder = (int)(strlen(csv) - strlen(table));
    char path[PATH_MAX];

    return (snprintf(path, sizeof path, "%.*s" INDEX_NAME, folder, csv) < (int)sizeof path &&
            open_index(path, index)) ||
           open_of_program(index);
}

static bool has_hash(const char *csv, const struct indexed *table)
{
    const uint64_t wanted = (uint64_t)table->number[INDEX_HASH_HIGH] << 32 | table->number[INDEX_HASH_LOW];
    const size_t size = table->number[INDEX_BYTES];
    AUTO_CLOSE int fd = open(csv, O_RDONLY | O_CLOEXEC);
    void *bytes = fd < 0 || size == 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    const bool same = bytes != MAP_FAILED && index_hash(bytes, size) == wanted;

    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    return same;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* If the table is not newer than the index, by both of its times, the index is valid; else the content of the table
 * decides, for example after a copy of both. */
static bool is_of(const char *csv, const struct indexed *table)
{
    const struct stat *made = &table->index->status;
    struct stat status;

    if (stat(csv, &status) != 0 || (uint64_t)status.st_size != table->number[INDEX_BYTES])
        return false;
    return (!is_before(&made->st_mtim, &status.st_mtim) && !is_before(&made->st_ctim, &status.st_ctim)) ||
           has_hash(csv, table);
}

static bool fail(const struct indexed *table, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "the index of '%s' is damaged", table->path);
    return error_fix(err, "install carbon's tables again, or remove " INDEX_NAME);
}

/* How many bytes they have; 0: they go on behind these. */
static size_t take_fields(const char *bytes, size_t length, size_t count, struct csv_row *row)
{
    size_t at = 0;

    for (row->count = 0; row->count < count; row->count++) {
        const char *end = memchr(bytes + at, '\0', length - at);
        if (!end)
            return 0;
        row->fields[row->count] = bytes + at;
        at = (size_t)(end - bytes) + 1;
    }
    return at;
}

/* The row, and where the next one is; false: it is not in the file. */
static bool row_at(const struct indexed *table, uint64_t at, struct csv_row *row, uint64_t *next)
{
    for (size_t wanted = LONG_FIELD, length, taken = 0; taken == 0; wanted = 2 * length) {
        uint32_t line;
        const unsigned char *bytes = bytes_at(table->index, &table->index->texts, at, wanted, &length);
        if (!bytes || length <= 4)
            return false;
        memcpy(&line, bytes, sizeof line);
        row->line = le32toh(line);
        taken = take_fields((const char *)bytes + 4, length - 4, table->number[INDEX_COLUMNS], row);
        if (taken == 0 && at + length >= table->index->size)
            return false;
        *next = at + 4 + taken;
    }
    return true;
}

/* field: only rows that have it; NULL: all. */
static bool read_rows(const struct indexed *table, const char *field, struct csv_row *row, csv_row_function *on_row,
                      void *context, struct error *err)
{
    uint64_t at = table->number[INDEX_ROWS];

    for (uint32_t i = 0; i < table->number[INDEX_ROW_COUNT]; i++) {
        if (!row_at(table, at, row, &at))
            return fail(table, err);
        if ((i == 0 || !field || csv_has_field(row, field)) && !on_row(row, context, err))
            return false;
    }
    return true;
}

/* Where the slot of a field is; 0: no row has it. */
static uint64_t find_slot(const struct indexed *table, const char *field)
{
    const uint32_t count = table->number[INDEX_SLOT_COUNT];
    uint32_t slot = index_slot(field);

    for (uint32_t i = 0; i < count; i++, slot++) {
        const uint64_t at = table->number[INDEX_SLOTS] + UINT64_C(4) * INDEX_SLOT_NUMBERS * (slot & (count - 1));
        const uint32_t text_place = number_at(table->index, at);
        const char *text = text_place ? text_at(table->index, text_place) : NULL;
        if (!text)
            return 0;
        if (strcmp(text, field) == 0)
            return at;
    }
    return 0;
}

static bool read_postings(const struct indexed *table, const char *field, struct csv_row *row, csv_row_function *on_row,
                          void *context, struct error *err)
{
    struct index *index = table->index;
    const uint64_t slot = find_slot(table, field);
    const uint64_t first = slot ? number_at(index, slot + 4) : 0;
    const uint32_t count = slot ? number_at(index, slot + 8) : 0;
    uint64_t next;

    if (!row_at(table, table->number[INDEX_ROWS], row, &next))
        return fail(table, err);
    if (!on_row(row, context, err))
        return false;
    if (count > table->number[INDEX_ROW_COUNT])
        return fail(table, err);
    for (uint32_t i = 0; i < count; i++) {
        if (!row_at(table, number_at(index, table->number[INDEX_POSTINGS] + 4 * (first + i)), row, &next))
            return fail(table, err);
        if (!on_row(row, context, err))
            return false;
    }
    return true;
}

static enum index_answer read_table(const struct indexed *table, const char *field, csv_row_function *on_row,
                                    void *context, struct error *err)
{
    const uint32_t columns = table->number[INDEX_COLUMNS], slots = table->number[INDEX_SLOT_COUNT];
    struct csv_row row = { .path = table->path };
    bool good;

    if (columns == 0 || columns > CSV_MAX_COLUMNS || slots & (slots - 1) || !table->number[INDEX_ROW_COUNT])
        good = fail(table, err);
    else if (field && index_has(field))
        good = read_postings(table, field, &row, on_row, context, err);
    else
        good = read_rows(table, field, &row, on_row, context, err);
    return good ? INDEX_READ : INDEX_FAILED;
}

enum index_answer index_read_bytes(const void *bytes, size_t size, const char *path, const char *table,
                                   const char *field, csv_row_function *on_row, void *context, struct error *err)
{
    struct index index = { .bytes = bytes, .fd = -1, .size = size };
    struct indexed indexed = { .path = path };

    if (!is_index(&index) || !find_table(&index, table, &indexed))
        return INDEX_NONE;
    return read_table(&indexed, field, on_row, context, err);
}

/* NULL: it is to be used. */
static const char *open_table(const char *path, const char *table, struct index *index, struct indexed *indexed)
{
    *indexed = (struct indexed){ .path = path };
    if (!open_for(path, table, index))
        return "no index";
    if (!find_table(index, table, indexed))
        return "the index has no such table";
    return is_of(path, indexed) ? NULL : "the index is not of this table as it is now";
}

enum index_answer index_read(const char *path, const char *table, const char *field, csv_row_function *on_row,
                             void *context, struct error *err)
{
    struct index index;
    struct indexed indexed;
    const char *problem = open_table(path, table, &index, &indexed);
    enum index_answer answer = INDEX_NONE;

    if (problem) {
        DEBUG(DEBUG_FILES, "'%s' is parsed: %s", path, problem);
    } else {
        DEBUG(DEBUG_FILES, "read '%s' by its index", path);
        answer = read_table(&indexed, field, on_row, context, err);
    }
    close_index(&index);
    return answer;
}

const char *index_problem(const char *path, const char *table)
{
    struct index index;
    struct indexed indexed;
    const char *problem = open_table(path, table, &index, &indexed);

    close_index(&index);
    return problem;
}
