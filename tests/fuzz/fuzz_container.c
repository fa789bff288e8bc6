/* SPDX-License-Identifier: MIT
 * What an engine of containers sends: answers of its stats API, one behind the other, and the frames of a container's
 * output, cut anywhere. */
#include "fuzz.h"

#include "base/error.h"
#include "container/container_output.h"
#include "container/container_stats.h"

#include <math.h>

static void check(const struct container_stats *stats)
{
    const double percent =
        stats_cpu_percent(stats->before_cpu_ns, stats->cpu_ns, stats->before_system_cpu_ns, stats->system_cpu_ns);

    FUZZ_MUST(isnan(percent) || percent >= 0);
    FUZZ_MUST(!stats->before_system_cpu_ns.known || stats->before_system_cpu_ns.value < stats->system_cpu_ns.value);
    FUZZ_MUST(stats->working_set_bytes.known == stats->memory_bytes.known);
    FUZZ_MUST(stats->working_set_bytes.value <= stats->memory_bytes.value);
    FUZZ_MUST(!stats->memory_limit_bytes.known || stats->memory_limit_bytes.value > 0);
}

/* The same bytes at once and in pieces come to the same place in the same frame. */
static void take_output(const char *bytes, size_t length, size_t piece)
{
    struct container_output whole = { .fds = { -1, -1, -1 }, .wake = -1 }, pieces = whole;
    const bool good = container_output_take(&whole, bytes, length);
    bool same = true;

    for (size_t at = 0; same && at < length; at += piece)
        same = container_output_take(&pieces, bytes + at, length - at < piece ? length - at : piece);
    FUZZ_MUST(good == same);
    FUZZ_MUST(whole.left == pieces.left && whole.header_length == pieces.header_length);
    FUZZ_MUST(!good || whole.left == 0 || whole.stream == 1 || whole.stream == 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const size_t piece = 1 + input_number(&input, 1) % 16;
    char *text = input_text(&input);
    const char *at = text;
    struct container_stats stats;
    struct error err = { .kind = ERROR_NONE };

    while (*at && container_stats_parse(&at, &stats, &err))
        check(&stats);
    FUZZ_MUST(!*at || (err.kind != ERROR_NONE && *err.what && *err.why));
    take_output((const char *)input.at, input_left(&input), piece);
    free(text);
    return 0;
}
