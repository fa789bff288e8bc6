/* SPDX-License-Identifier: MIT
 * An index of tables, whatever is in it: nothing beyond it is read, and what is read is whole. The input: a field and
 * NUL, and the index; its first bytes, its size and its last byte are put right, which any other would be turned away
 * by. */
#include "fuzz.h"

#include "base/table_index.h"

#include <stdbool.h>

static bool take_row(const struct csv_row *row, void *context, struct error *err)
{
    size_t *bytes = context;

    (void)err;
    FUZZ_MUST(row->count > 0 && row->count <= CSV_MAX_COLUMNS);
    for (size_t i = 0; i < row->count; i++)
        *bytes += strlen(row->fields[i]);
    return *bytes < 1 << 22;
}

static void try_read(const unsigned char *index, size_t size, const char *field)
{
    size_t bytes = 0;
    struct error err = { .kind = ERROR_NONE };
    const enum index_answer answer =
        index_read_bytes(index, size, "/data/zones.csv", "zones.csv", field, take_row, &bytes, &err);

    FUZZ_MUST(answer != INDEX_FAILED || err.kind == ERROR_BAD_DATA || bytes >= 1 << 22);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    char *field = input_text(&input);
    const size_t magic = sizeof INDEX_MAGIC - 1, length = input_left(&input);
    unsigned char *index = malloc(length + 1);

    FUZZ_MUST(index);
    if (length > INDEX_DIRECTORY) {
        memcpy(index, input.at, length);
        memcpy(index, INDEX_MAGIC, magic);
        for (int i = 0; i < 4; i++)
            index[magic + (size_t)i] = (unsigned char)(length >> (8 * i));
        index[length - 1] = '\0';
        try_read(index, length, field);
        try_read(index, length, NULL);
    }
    free(index);
    free(field);
    return 0;
}
