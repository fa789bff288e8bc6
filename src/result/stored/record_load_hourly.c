/* SPDX-License-Identifier: MIT
 * The intensities that the figures of a record stand on, from the record. */
#include "result/stored/record_load.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_answers(const struct cJSON *array, struct intensities *known)
{
    if (json_count(array) > LIVE_ANSWERS_MAX)
        return false;
    for (const struct cJSON *node = json_first(array); node; node = json_next(node)) {
        struct live_answer *answer = &known->answers[known->answer_count++];
        if (!clock_of_iso_text(json_text(ANSWER_ITEM(node, retrieved_ns)), &answer->retrieved_realtime_s))
            answer->retrieved_realtime_s = 0;
        answer->stored = json_truth(ANSWER_ITEM(node, stored));
        TAKE(answer->url, ANSWER_ITEM(node, url));
    }
    return true;
}

static bool take_item(const struct cJSON *node, struct intensity *item)
{
    const double answer = json_number(INTENSITY_ITEM(node, answer));

    item->kgco2eq_per_kwh = json_number(INTENSITY_ITEM(node, kgco2eq_per_kwh));
    item->answer = answer >= 0 && answer < LIVE_ANSWERS_MAX ? (unsigned)answer : 0;
    for (item->kind = INTENSITY_FORECAST; item->kind < INTENSITY_ACTUAL; item->kind++)
        if (strcmp(intensity_kind_name(item->kind), json_text(INTENSITY_ITEM(node, kind))) == 0)
            break;
    return clock_of_iso_text(json_text(INTENSITY_ITEM(node, start)), &item->start_realtime_s) &&
           clock_of_iso_text(json_text(INTENSITY_ITEM(node, end)), &item->end_realtime_s) &&
           item->start_realtime_s < item->end_realtime_s && isfinite(item->kgco2eq_per_kwh);
}

bool record_load_hourly(struct loaded_record *loaded)
{
    const struct cJSON *hourly = RECORD_OBJECT(loaded->document, hourly_fields);
    const struct cJSON *array = FIELD_MADE(hourly, hourly_fields, hourly_intensities);
    struct by_hour *by_hour = &loaded->report.by_hour;
    struct intensities *known = &loaded->intensities;
    uint64_t before_s = 0;

    by_hour->enabled = json_kind(hourly) == JSON_OBJECT;
    by_hour->known = known;
    if (!by_hour->enabled)
        return true;
    fields_take(hourly, &hourly_source_fields, &by_hour->source);
    loaded->report.factor.td_losses_kgco2eq_per_kwh =
        json_number(RECORD_ITEM(loaded->document, factor.td_losses_kgco2eq_per_kwh));
    record_load_notice_range(FIELD_MADE(hourly, hourly_fields, hourly_notices), &loaded->report.own_notices,
                             &by_hour->first_notice, &by_hour->notice_count);
    known->items = calloc(json_count(array) + 1, sizeof *known->items);
    if (!known->items || !take_answers(FIELD_MADE(hourly, hourly_fields, hourly_answers), known))
        return false;
    for (const struct cJSON *node = json_first(array); node; node = json_next(node)) {
        struct intensity *item = &known->items[known->count++];
        if (!take_item(node, item) || item->start_realtime_s < before_s)
            return false;
        before_s = item->end_realtime_s;
    }
    return true;
}
