/* SPDX-License-Identifier: MIT
 * A long time in pieces. */
#include "commands/report/chunks.h"

bool chunks_next(struct chunks *chunks, int64_t from_s, int64_t to_s, size_t max_points, struct chunk *chunk)
{
    int64_t first_s = chunks->begun ? chunks->asked_s + chunks->step_s : from_s;
    int64_t steps;

    if (chunks->begun && chunks->asked_s >= to_s)
        return false;
    if (first_s > to_s)
        first_s = to_s;
    steps = (to_s - first_s) / chunks->step_s;
    if (max_points > 0 && steps > (int64_t)max_points - 1)
        steps = (int64_t)max_points - 1;
    *chunk = (struct chunk){ .from_s = first_s, .to_s = first_s + steps * chunks->step_s, .points = (size_t)steps + 1 };
    chunks->asked_s = chunk->to_s;
    chunks->begun = true;
    return true;
}
