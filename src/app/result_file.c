/* SPDX-License-Identifier: MIT
 * Files of results. */
#include "app/result_file.h"

#include "app/terminal.h"
#include "base/clock.h"

/* Pause between two writings of a partial document, in multiples of the last duration. */
#define PROGRESS_REST 19

bool result_file_open(struct output *output, const char *path, struct error *err)
{
    return !path || output_open(output, path, err);
}

bool result_file_is_due(const struct output *output, uint64_t next_ns)
{
    return output->file && !output->in_place && clock_monotonic_ns() >= next_ns;
}

uint64_t result_file_next(uint64_t begun_ns)
{
    const uint64_t now_ns = clock_monotonic_ns();

    return now_ns + PROGRESS_REST * (now_ns - begun_ns);
}

int result_file_end(struct output *output, bool written, struct error *err, int status)
{
    if ((written || output_failed(output, err)) && output_finish(output, err))
        return status;
    return terminal_fail(err, STATUS_CARBON_FAILED);
}

void result_file_keep(struct output *output)
{
    char stored[sizeof output->partial] = "";

    if (output->file)
        output_keep_partial(output, stored, sizeof stored);
    if (stored[0])
        terminal_say("carbon: partial results are in '%s'\n", stored);
}

void result_file_discard(struct output *output)
{
    struct error ignored;

    if (output->file)
        IGNORED(output_restart(output, &ignored), "the file is given up");
    result_file_keep(output);
}

void result_file_leave(struct output *output, bool empty)
{
    if (empty)
        result_file_discard(output);
    else
        result_file_keep(output);
}
