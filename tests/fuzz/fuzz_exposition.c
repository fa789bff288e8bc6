/* SPDX-License-Identifier: MIT
 * What an exporter answers, and the energies in it. The input: two texts, a form feed between. */
#include "fuzz.h"

#include "series/exposition.h"
#include "series/kind.h"

static bool add(struct series_set *set, double time_s, const uint8_t *text, size_t length)
{
    struct exposition exposition = { .name = "fuzz", .time_s = time_s, .timestamps = true };
    struct series_builder builder;
    struct error err;
    bool read;

    series_builder_open(&builder, set);
    read = exposition_read((const char *)text, length, &exposition, &builder, &err);
    series_builder_close(&builder);
    FUZZ_MUST(read || err.kind == ERROR_BAD_DATA);
    FUZZ_MUST(exposition.timestamped <= exposition.samples + 1);
    return read;
}

static void work_out(const struct series_set *set)
{
    const struct kind_window window = { .from_s = 0, .to_s = 30 };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct workload_rows rows;
    struct error err;

    FUZZ_MUST(workload_rows_of(set, &window, &rows, &notices, &err));
    for (size_t i = 0; i < rows.count; i++)
        FUZZ_MUST(rows.items[i].level < LEVEL_COUNT && rows.items[i].pod && rows.items[i].id);
    workload_rows_close(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *feed = size ? memchr(data, '\f', size) : NULL;
    const size_t first = feed ? (size_t)(feed - data) : size;
    struct series_set set = { .items = NULL };

    if (add(&set, 0, data, first) && (!feed || add(&set, 30, feed + 1, size - first - 1))) {
        series_set_sort(&set);
        work_out(&set);
    }
    series_set_close(&set);
    return 0;
}
