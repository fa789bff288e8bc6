/* SPDX-License-Identifier: MIT
 * Steps that counters tell, and what lies between. */
#include "commands/report/fleet_cover.h"

#include <math.h>

bool fleet_cover_open(struct fleet_cover *cover, const struct chunk *chunk, struct arena *arena)
{
    *cover = (struct fleet_cover){ .steps = arena_get(arena, chunk->points) };
    return cover->steps != NULL;
}

static void add_step(struct fleet_cover *cover, const struct chunk *chunk, double step_s, double from_s, double to_s)
{
    const double begin_s = (double)chunk->from_s;
    const size_t to = (size_t)llround((to_s - begin_s) / step_s);
    const size_t from = from_s < begin_s ? 0 : (size_t)llround((from_s - begin_s) / step_s) + 1;

    if (to >= chunk->points)
        return;
    if (to_s - from_s > FLEET_GAP * step_s) {
        cover->steps[to] |= COVER_BACK;
        return;
    }
    for (size_t i = from; i <= to; i++)
        cover->steps[i] |= COVER_REPORTED;
    if (from_s < begin_s)
        cover->first_s = fmax(cover->first_s, begin_s - from_s);
}

void fleet_cover_add(struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s,
                     const struct metric_series *series)
{
    double before_s = NAN;

    for (size_t i = 0; i < series->point_count; i++) {
        const struct series_point *point = &series->points[i];
        if (!isfinite(point->value))
            continue;
        if (!isnan(before_s) && point->time_s >= (double)chunk->from_s)
            add_step(cover, chunk, (double)step_s, before_s, point->time_s);
        before_s = point->time_s;
    }
}

double fleet_cover_time(const struct fleet_cover *cover, const struct chunk *chunk, int64_t step_s)
{
    double time_s = cover->first_s;

    for (size_t i = 1; i < chunk->points; i++)
        time_s += cover->steps[i] & COVER_REPORTED ? (double)step_s : 0;
    return time_s;
}

/* What one counter left out, another may have reported. */
unsigned fleet_cover_gaps(const struct fleet_cover *cover, const struct chunk *chunk)
{
    unsigned gaps = 0;

    for (size_t i = 0; i < chunk->points; i++)
        gaps += cover->steps[i] == COVER_BACK;
    return gaps;
}
