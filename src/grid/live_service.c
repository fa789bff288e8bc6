/* SPDX-License-Identifier: MIT
 * What several services of live grid data need. */
#include "grid/live_service.h"

#include "base/clock.h"
#include "io/http_url.h"
#include "io/json_read.h"

#include <string.h>

bool live_time(const struct cJSON *object, const char *key, uint64_t *realtime_s, struct error *err)
{
    return clock_of_iso_text(json_text_of(object, key), realtime_s) || live_malformed(err, "'%s' is not a time", key);
}

void live_add_date(struct text *url, uint64_t realtime_s)
{
    char text[CLOCK_TEXT_SIZE];

    text_add(url, "%.10s", clock_minute_text(realtime_s, text));
}

void live_add_time(struct text *url, uint64_t realtime_s, int64_t ahead_s)
{
    char text[CLOCK_TEXT_SIZE];

    text_add(url, "%.16s:00", clock_minute_text((uint64_t)((int64_t)realtime_s + ahead_s), text));
}

bool live_zone_of(const char *typed, const char *allowed, char zone[LIVE_ZONE_SIZE])
{
    const size_t length = strlen(typed);

    if (length == 0 || length >= LIVE_ZONE_SIZE || strspn(typed, allowed) != length)
        return false;
    for (size_t i = 0; i <= length; i++)
        zone[i] = typed[i] >= 'a' && typed[i] <= 'z' ? (char)(typed[i] - 'a' + 'A') : typed[i];
    return true;
}

void live_add_minute(struct text *url, const char *name, uint64_t realtime_s)
{
    char text[CLOCK_TEXT_SIZE];

    text_add(url, "&%s=", name);
    http_add_escaped(url, clock_minute_text(realtime_s, text));
}
