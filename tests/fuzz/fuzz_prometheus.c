/* SPDX-License-Identifier: MIT
 * Answers of a Prometheus, one behind the other into one set: whatever stands there, the points of a series are in the
 * order of their times, and what is taken can be worked out. */
#include "fuzz.h"

#include "series/api_answer.h"
#include "series/kind.h"

#include <math.h>

static void check(const struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        for (size_t p = 0; p < set->items[i].point_count; p++) {
            FUZZ_MUST(isfinite(set->items[i].points[p].time_s));
            FUZZ_MUST(p == 0 || set->items[i].points[p - 1].time_s < set->items[i].points[p].time_s);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const struct kind_window window = { .from_s = NAN, .to_s = NAN };
    struct series_set set = { .count = 0 };
    struct workload_rows rows = { .count = 0 };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    while (input_left(&input)) {
        char *text = input_text(&input);
        bool refused;
        if (!api_answer_read(text, strlen(text), "host", &set, &notices, &refused, &err))
            FUZZ_MUST(err.kind != ERROR_NONE && *err.what && *err.why);
        free(text);
    }
    check(&set);
    series_set_sort(&set);
    if (!workload_rows_of(&set, &window, &rows, &notices, &err))
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    workload_rows_close(&rows);
    series_set_close(&set);
    return 0;
}
