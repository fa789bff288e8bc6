/* SPDX-License-Identifier: MIT
 * Reading the index of the shipped tables. Every number of it is read by number_at, which knows where the file ends. */
#include "base/table_index.h"

#include "base/auto.h"
#include "base/debug.h"

#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG_FIELD = 97 }; /* bytes */

struct index {
    const unsigned char *bytes; /* the last one is NUL */
    size_t size;
    struct stat status;
};

/* One table of it. */
struct indexed {
    const struct index *index;
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

/* Beyond the end of the file everything is too large to be anywhere in it. */
static uint32_t number_at(const struct index *index, uint64_t at)
{
    const unsigned char *bytes;

    if (at + 4 > index->size)
        return UINT32_MAX;
    bytes = index->bytes + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* NULL: it is not in the file. */
static const char *text_at(const struct index *index, uint64_t at)
{
    return at < index->size ? (const char *)index->bytes + at : NULL;
}

static bool is_index(const struct index *index)
{
    const size_t magic = sizeof INDEX_MAGIC - 1;

    return index->size > INDEX_DIRECTORY && memcmp(index->bytes, INDEX_MAGIC, magic) == 0 &&
           number_at(index, magic) == index->size && index->bytes[index->size - 1] == '\0';
}

static bool find_table(const struct index *index, const char *name, struct indexed *table)
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

static void unmap(const struct index *index)
{
    if (index->bytes)
        munmap((void *)index->bytes, index->size);
}

/* False: none can be mapped there. */
static bool map(const char *path, struct index *index)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    void *bytes;

    index->bytes = NULL;
    debug_file(path, fd >= 0);
    if (fd < 0 || fstat(fd, &index->status) != 0 || !S_ISREG(index->status.st_mode) ||
        index->status.st_size <= INDEX_DIRECTORY || (uint64_t)index->status.st_size >= UINT32_MAX)
        return false;
    index->size = (size_t)index->status.st_size;
    bytes = mmap(NULL, index->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    index->bytes = bytes;
    if (is_index(index))
        return true;
    unmap(index);
    index->bytes = NULL;
    return false;
}

/* A program that was built and not installed has it in its own folder: the tables are in the source tree. */
static bool map_of_program(struct index *index)
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
           map(path, index);
}

static bool map_for(const char *csv, const char *table, struct index *index)
{
    const int folder = (int)(strlen(csv) - strlen(table));
    char path[PATH_MAX];

    return (snprintf(path, sizeof path, "%.*s" INDEX_NAME, folder, csv) < (int)sizeof path && map(path, index)) ||
           map_of_program(index);
}

static bool has_hash(const char *csv, const struct indexed *table)
{
    const uint64_t wanted = (uint64_t)table->number[INDEX_HASH_HIGH] << 32 | table->number[INDEX_HASH_LOW];
    const size_t size = table->number[INDEX_BYTES];
    AUTO_CLOSE int fd = open(csv, O_RDONLY | O_CLOEXEC);
    void *bytes = fd < 0 || size == 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    bool same;

    if (bytes == MAP_FAILED)
        return false;
    same = index_hash(bytes, size) == wanted;
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

/* The row, and where the next one is; false: it is not in the file. */
static bool row_at(const struct indexed *table, uint64_t at, struct csv_row *row, uint64_t *next)
{
    const struct index *index = table->index;

    row->line = number_at(index, at);
    at += 4;
    for (row->count = 0; row->count < table->number[INDEX_COLUMNS]; row->count++) {
        const char *field = text_at(index, at);
        if (!field)
            return false;
        row->fields[row->count] = field;
        at += strlen(field) + 1;
    }
    *next = at;
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
    const struct index *index = table->index;
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
    const struct index index = { .bytes = bytes, .size = size };
    struct indexed indexed = { .path = path };

    if (!is_index(&index) || !find_table(&index, table, &indexed))
        return INDEX_NONE;
    return read_table(&indexed, field, on_row, context, err);
}

/* NULL: it is to be used. */
static const char *open_table(const char *path, const char *table, struct index *index, struct indexed *indexed)
{
    *indexed = (struct indexed){ .path = path };
    if (!map_for(path, table, index))
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
    unmap(&index);
    return answer;
}

const char *index_problem(const char *path, const char *table)
{
    struct index index;
    struct indexed indexed;
    const char *problem = open_table(path, table, &index, &indexed);

    unmap(&index);
    return problem;
}
