/* SPDX-License-Identifier: MIT
 * A long time, asked for in parts that the service takes. */
#include "grid/live.h"

#include "base/clock.h"
#include "base/units.h"
#include "grid/live_service.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts one part behind the others. Answers beyond what there is room for share the last place. */
static bool join(struct intensities *whole, const struct intensities *part, struct error *err)
{
    const unsigned room = LIVE_ANSWERS_MAX - whole->answer_count, offset = whole->answer_count;
    struct intensity *items;

    if (part->count == 0)
        return true;
    items = reallocarray(whole->items, whole->count + part->count, sizeof *items);
    if (!items)
        return error_set(err, ERROR_SYSTEM, "no memory for the intensities");
    whole->items = items;
    whole->size = whole->count + part->count;
    for (unsigned i = 0; i < part->answer_count && i < room; i++)
        whole->answers[whole->answer_count++] = part->answers[i];
    for (size_t i = 0; i < part->count; i++) {
        struct intensity *item = &whole->items[whole->count++];
        *item = part->items[i];
        item->answer = item->answer < room ? offset + item->answer : LIVE_ANSWERS_MAX - 1;
    }
    return true;
}

static bool fetch_part(const struct live_service *service, const struct live_query *query, uint64_t deadline_ns,
                       struct intensities *part, struct notices *notices, struct error *err)
{
    const uint64_t now_ns = clock_monotonic_ns();
    struct live_query left = *query;

    left.limit_s = deadline_ns > now_ns ? s_from_ns(deadline_ns - now_ns) : 0;
    return live_fetch(service, &left, part, notices, err);
}

bool live_fetch_span(const struct live_service *service, const struct live_query *query, struct intensities *found,
                     struct notices *notices, struct error *err)
{
    const uint64_t deadline_ns = clock_monotonic_ns() + (uint64_t)(query->limit_s * NS_PER_S);
    const uint64_t max_s = service->max_days * LIVE_DAY_S;
    struct live_query part_query = *query;
    struct error failed = { .kind = ERROR_NONE };
    double squares = 0;
    size_t judged = 0;
    bool any = false;

    *found = (struct intensities){ .count = 0 };
    for (uint64_t from_s = query->from_realtime_s; from_s < query->to_realtime_s; from_s += max_s) {
        struct intensities part;
        bool joined;

        part_query.from_realtime_s = from_s;
        part_query.to_realtime_s = query->to_realtime_s - from_s < max_s ? query->to_realtime_s : from_s + max_s;
        if (!fetch_part(service, &part_query, deadline_ns, &part, notices,
                        failed.kind ? &(struct error){ 0 } : &failed)) {
            intensities_close(&part);
            continue;
        }
        any = true;
        found->basis = part.basis;
        memcpy(found->zone, part.zone, sizeof found->zone);
        if (part.forecasts_judged)
            squares += part.forecast_error_kgco2eq_per_kwh * part.forecast_error_kgco2eq_per_kwh *
                       (double)part.forecasts_judged;
        judged += part.forecasts_judged;
        joined = join(found, &part, err);
        intensities_close(&part);
        if (!joined)
            return false;
    }
    if (!any) {
        *err = failed;
        return false;
    }
    if (failed.kind)
        notice_add_error(notices, NOTICE_FAILED, &failed);
    found->from_realtime_s = query->from_realtime_s;
    found->to_realtime_s = query->to_realtime_s;
    intensities_settle(found);
    found->forecasts_judged = judged;
    found->forecast_error_kgco2eq_per_kwh = judged ? sqrt(squares / (double)judged) : NAN;
    return true;
}
