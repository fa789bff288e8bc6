/* SPDX-License-Identifier: MIT
 * Local time, by the C library's knowledge of daylight saving. */
#include "io/local_time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static struct tm local_of(uint64_t realtime_s)
{
    const time_t seconds = (time_t)realtime_s;
    struct tm local;

    tzset(); /* localtime_r need not look at TZ */
    localtime_r(&seconds, &local);
    return local;
}

const char *local_time_text(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE])
{
    const struct tm local = local_of(realtime_s);

    strftime(out, CLOCK_TEXT_SIZE, local.tm_sec ? "%Y-%m-%d %H:%M:%S %z" : "%Y-%m-%d %H:%M %z", &local);
    return out;
}

const char *local_time_begin(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE])
{
    const struct tm local = local_of(realtime_s);

    strftime(out, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &local);
    return out;
}

/* Whether that is in summer or winter is found from the date. */
static bool realtime_of(struct tm local, uint64_t *realtime_s)
{
    time_t seconds;

    local.tm_isdst = -1;
    seconds = mktime(&local);
    *realtime_s = (uint64_t)seconds;
    return seconds >= 0;
}

/* The end of the day that is so many days on. */
static bool end_of_day(struct tm local, int days, uint64_t *realtime_s)
{
    local.tm_mday += days + 1;
    local.tm_hour = local.tm_min = local.tm_sec = 0;
    return realtime_of(local, realtime_s);
}

/* "18:00" or "7:05" */
static bool next_clock(const char *text, uint64_t now_s, uint64_t *realtime_s)
{
    struct tm local = local_of(now_s);
    int end = 0;

    local.tm_sec = 0;
    if (sscanf(text, "%2d:%2d%n", &local.tm_hour, &local.tm_min, &end) != 2 || end < 4 || text[end] ||
        strspn(text, "0123456789:") != (size_t)end || local.tm_hour > 23 || local.tm_min > 59)
        return false;
    if (!realtime_of(local, realtime_s))
        return false;
    local.tm_mday++;
    return *realtime_s > now_s || realtime_of(local, realtime_s);
}

bool local_time_of(const char *text, uint64_t now_s, uint64_t *realtime_s)
{
    struct tm fields;
    time_t seconds;

    if (strcmp(text, "today") == 0)
        return end_of_day(local_of(now_s), 0, realtime_s);
    if (strcmp(text, "tomorrow") == 0)
        return end_of_day(local_of(now_s), 1, realtime_s);
    if (next_clock(text, now_s, realtime_s))
        return true;
    if (!clock_of_iso_text(text, realtime_s))
        return false;
    if (strlen(text) > 10 && strpbrk(text + 10, "Z+-"))
        return true;
    /* read as if it were UTC, its fields are those of the local time */
    seconds = (time_t)*realtime_s;
    gmtime_r(&seconds, &fields);
    return strlen(text) == 10 ? end_of_day(fields, 0, realtime_s) : realtime_of(fields, realtime_s);
}
