/* SPDX-License-Identifier: MIT
 * Makes the index of the shipped tables while carbon is built: base/table_index.h.
 *
 *     index_tables OUT FOLDER TABLE...     FOLDER/TABLE is the CSV */
#include "base/array.h"
#include "base/table_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *data;
    size_t length, room;
};

struct posting {
    uint32_t field, row; /* where they are */
};

struct slot {
    uint32_t field, first, count;
};

struct making {
    struct bytes out;
    size_t table; /* where its numbers are */
    struct posting *postings;
    size_t posting_count, posting_room, rows, columns;
};

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "index_tables: %s%s%s\n", what, *why ? ": " : "", why);
    exit(EXIT_FAILURE);
}

static uint32_t add(struct making *making, const void *data, size_t length)
{
    struct bytes *out = &making->out;
    const size_t at = out->length;

    out->data = array_room(out->data, &out->room, at + length, 1);
    if (out->room < at + length || at + length >= UINT32_MAX)
        stop("no memory", "");
    memcpy(out->data + at, data, length);
    out->length += length;
    return (uint32_t)at;
}

static void put(struct making *making, size_t at, size_t number)
{
    for (int i = 0; i < 4; i++)
        making->out.data[at + (size_t)i] = (char)(number >> (8 * i) & 0xff);
}

static uint32_t add_number(struct making *making, size_t number)
{
    const uint32_t at = add(making, "\0\0\0", 4);

    put(making, at, number);
    return at;
}

static void set(struct making *making, enum index_number which, size_t number)
{
    put(making, making->table + 4 * (size_t)which, number);
}

static void add_posting(struct making *making, uint32_t field, uint32_t row)
{
    making->postings =
        array_room(making->postings, &making->posting_room, making->posting_count + 1, sizeof *making->postings);
    if (making->posting_room == making->posting_count)
        stop("no memory", "");
    making->postings[making->posting_count++] = (struct posting){ field, row };
}

static bool seen_before(const struct csv_row *row, size_t column)
{
    for (size_t i = 0; i < column; i++)
        if (strcmp(row->fields[i], row->fields[column]) == 0)
            return true;
    return false;
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct making *making = context;
    const uint32_t place = add_number(making, row->line);

    (void)err;
    for (size_t i = 0; i < row->count; i++) {
        const uint32_t field = add(making, row->fields[i], strlen(row->fields[i]) + 1);
        if (making->rows > 0 && i + 1 < row->count && index_has(row->fields[i]) && !seen_before(row, i))
            add_posting(making, field, place);
    }
    making->columns = row->count;
    making->rows++;
    return true;
}

static size_t slots_for(size_t fields)
{
    size_t count = 1;

    while (count < 2 * fields)
        count *= 2;
    return count;
}

static struct slot *slot_of(const struct making *making, struct slot *slots, size_t count, uint32_t field)
{
    const char *text = making->out.data + field;
    size_t at = index_slot(text) & (count - 1);

    while (slots[at].field && strcmp(making->out.data + slots[at].field, text) != 0)
        at = (at + 1) & (count - 1);
    return &slots[at];
}

/* As many as there are different fields, twice over; each with the number of its postings. */
static struct slot *make_slots(const struct making *making, size_t *count)
{
    const size_t most = slots_for(making->posting_count);
    struct slot *all = calloc(most, sizeof *all), *slots;
    size_t fields = 0;

    if (!all)
        stop("no memory", "");
    for (size_t i = 0; i < making->posting_count; i++) {
        struct slot *slot = slot_of(making, all, most, making->postings[i].field);
        fields += !slot->field;
        slot->field = slot->field ? slot->field : making->postings[i].field;
        slot->count++;
    }
    *count = slots_for(fields);
    slots = calloc(*count, sizeof *slots);
    if (!slots)
        stop("no memory", "");
    for (size_t i = 0; i < most; i++)
        if (all[i].field)
            *slot_of(making, slots, *count, all[i].field) = all[i];
    free(all);
    return slots;
}

static void add_slots(struct making *making)
{
    size_t count;
    struct slot *slots = make_slots(making, &count);
    uint32_t *rows = calloc(making->posting_count + 1, sizeof *rows), first = 0;

    if (!rows)
        stop("no memory", "");
    for (size_t i = 0; i < count; i++) {
        slots[i].first = first;
        first += slots[i].count;
        slots[i].count = 0;
    }
    for (size_t i = 0; i < making->posting_count; i++) {
        struct slot *slot = slot_of(making, slots, count, making->postings[i].field);
        rows[slot->first + slot->count++] = making->postings[i].row;
    }
    set(making, INDEX_SLOTS, making->out.length);
    set(making, INDEX_SLOT_COUNT, count);
    for (size_t i = 0; i < count; i++) {
        add_number(making, slots[i].field);
        add_number(making, slots[i].first);
        add_number(making, slots[i].count);
    }
    set(making, INDEX_POSTINGS, making->out.length);
    for (size_t i = 0; i < making->posting_count; i++)
        add_number(making, rows[i]);
    free(rows);
    free(slots);
}

static void set_hash(struct making *making, const char *path)
{
    FILE *in = fopen(path, "rb");
    struct bytes csv = { .length = 0 };
    uint64_t hash;
    size_t got;

    do {
        csv.data = array_room(csv.data, &csv.room, csv.length + 65536, 1);
        if (!in || csv.room < csv.length + 65536)
            stop(path, "it cannot be read");
        got = fread(csv.data + csv.length, 1, 65536, in);
        csv.length += got;
    } while (got > 0);
    hash = index_hash(csv.data, csv.length);
    set(making, INDEX_BYTES, csv.length);
    set(making, INDEX_HASH_LOW, (uint32_t)hash);
    set(making, INDEX_HASH_HIGH, hash >> 32);
    free(csv.data);
    fclose(in);
}

static void add_table(struct making *making, const char *folder, const char *name)
{
    struct error err = { .kind = ERROR_NONE };
    char path[4096];

    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        stop(name, "its path is too long");
    making->rows = making->posting_count = 0;
    set(making, INDEX_ROWS, making->out.length);
    if (!csv_read(path, on_row, making, &err))
        stop(err.what, err.why);
    set(making, INDEX_ROW_COUNT, making->rows);
    set(making, INDEX_COLUMNS, making->columns);
    add_slots(making);
    set_hash(making, path);
    set(making, INDEX_TABLE, add(making, name, strlen(name) + 1));
}

static void write_out(const struct making *making, const char *path)
{
    char made[4096];
    FILE *out;

    if (snprintf(made, sizeof made, "%s.new", path) >= (int)sizeof made)
        stop(path, "the path is too long");
    out = fopen(made, "wb");
    if (!out || fwrite(making->out.data, 1, making->out.length, out) != making->out.length || fclose(out) != 0 ||
        rename(made, path) != 0)
        stop(path, "it cannot be written");
}

int main(int argc, char **argv)
{
    struct making making = { .rows = 0 };
    const size_t count = argc > 3 ? (size_t)argc - 3 : 0;

    if (count == 0)
        stop("usage: index_tables OUT FOLDER TABLE...", "");
    add(&making, INDEX_MAGIC, sizeof INDEX_MAGIC - 1);
    add_number(&making, 0);
    add_number(&making, count);
    making.table = making.out.length;
    for (size_t i = 0; i < count * INDEX_NUMBERS; i++)
        add_number(&making, 0);
    for (size_t i = 0; i < count; i++, making.table += 4 * INDEX_NUMBERS)
        add_table(&making, argv[2], argv[3 + i]);
    add(&making, "", 1);
    put(&making, sizeof INDEX_MAGIC - 1, making.out.length);
    write_out(&making, argv[1]);
    free(making.postings);
    free(making.out.data);
    return EXIT_SUCCESS;
}
