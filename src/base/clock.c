/* SPDX-License-Identifier: MIT
 * Clocks. */
#include "base/clock.h"

#include "base/error.h"
#include "base/units.h"

#include <stdio.h>
#include <time.h>

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S_INT + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

uint64_t clock_realtime_ns(void)
{
    return now_ns(CLOCK_REALTIME);
}

uint64_t clock_cpu_ns(void)
{
    return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Maximum error of clock_asleep_ns, and the minimum of a suspend, which shifts the clocks by whole seconds. */
#define APART_NS UINT64_C(10000000)
#define SUSPEND_NS UINT64_C(50000000)

uint64_t clock_asleep_ns(void)
{
    uint64_t before_ns, boottime_ns;

    do { /* a busy machine may take the processor away between two clocks */
        before_ns = now_ns(CLOCK_MONOTONIC);
        boottime_ns = now_ns(CLOCK_BOOTTIME);
    } while (now_ns(CLOCK_MONOTONIC) - before_ns > APART_NS);
    return boottime_ns - before_ns;
}

uint64_t clock_slept_ns(uint64_t boottime_ns, uint64_t monotonic_ns)
{
    return boottime_ns > monotonic_ns + SUSPEND_NS ? boottime_ns - monotonic_ns : 0;
}

int64_t clock_set_ns(uint64_t begun_realtime_ns, uint64_t now_realtime_ns, uint64_t elapsed_ns)
{
    const int64_t set_ns = (int64_t)(now_realtime_ns - (begun_realtime_ns + elapsed_ns));
    const int64_t slewed_ns = (int64_t)(NS_PER_S_INT + elapsed_ns / 2000);

    return set_ns > slewed_ns || set_ns < -slewed_ns ? set_ns : 0;
}

static struct tm utc_of(uint64_t realtime_ns)
{
    const time_t seconds = (time_t)(realtime_ns / NS_PER_S_INT);
    struct tm utc;

    gmtime_r(&seconds, &utc);
    return utc;
}

const char *clock_text(uint64_t realtime_ns, char out[CLOCK_TEXT_SIZE])
{
    const struct tm utc = utc_of(realtime_ns);
    const size_t length = strftime(out, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);

    snprintf(out + length, CLOCK_TEXT_SIZE - length, ".%03uZ", (unsigned)(realtime_ns % NS_PER_S_INT / NS_PER_MS));
    return out;
}

bool clock_of_text(const char *text, uint64_t *realtime_ns)
{
    struct tm utc = { .tm_isdst = 0 };
    unsigned milliseconds;
    char end, more;
    time_t seconds;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3u%c%c", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour,
               &utc.tm_min, &utc.tm_sec, &milliseconds, &end, &more) != 8 ||
        end != 'Z')
        return false;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    seconds = timegm(&utc);
    if (seconds < 0)
        return false;
    *realtime_ns = (uint64_t)seconds * NS_PER_S_INT + milliseconds * UINT64_C(1000000);
    return true;
}

/* This many digits as a number; the text continues after them. */
static bool take_digits(const char **text, int digits, int *number)
{
    *number = 0;
    for (; digits > 0; digits--, (*text)++) {
        if (**text < '0' || **text > '9')
            return false;
        *number = *number * 10 + (**text - '0');
    }
    return true;
}

static bool take_character(const char **text, char wanted)
{
    if (**text != wanted)
        return false;
    (*text)++;
    return true;
}

/* "Z", "+01:00", "+0100" or nothing. */
static bool take_zone(const char **text, int *east_s)
{
    const bool east = **text == '+';
    int hours, minutes;

    *east_s = 0;
    if (!**text || take_character(text, 'Z'))
        return true;
    if (!take_character(text, east ? '+' : '-') || !take_digits(text, 2, &hours))
        return false;
    IGNORED(take_character(text, ':'), "it may be left out");
    if (!take_digits(text, 2, &minutes) || hours > 14 || minutes > 59)
        return false;
    *east_s = (east ? 1 : -1) * (hours * 3600 + minutes * 60);
    return true;
}

static bool take_clock(const char **text, struct tm *utc)
{
    if (!take_digits(text, 2, &utc->tm_hour) || !take_character(text, ':') || !take_digits(text, 2, &utc->tm_min))
        return false;
    if (!take_character(text, ':'))
        return true;
    if (!take_digits(text, 2, &utc->tm_sec))
        return false;
    if (take_character(text, '.'))
        while (**text >= '0' && **text <= '9')
            (*text)++;
    return true;
}

bool clock_of_iso_text(const char *text, uint64_t *realtime_s)
{
    struct tm utc = { .tm_isdst = 0 }, checked;
    int east_s = 0;
    time_t seconds;

    if (!take_digits(&text, 4, &utc.tm_year) || !take_character(&text, '-') || !take_digits(&text, 2, &utc.tm_mon) ||
        !take_character(&text, '-') || !take_digits(&text, 2, &utc.tm_mday))
        return false;
    if ((take_character(&text, 'T') || take_character(&text, ' ')) &&
        !(take_clock(&text, &utc) && take_zone(&text, &east_s)))
        return false;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    checked = utc;
    seconds = timegm(&checked);
    /* timegm makes the 2nd of March of a 30th of February */
    if (*text || checked.tm_mon != utc.tm_mon || checked.tm_mday != utc.tm_mday || checked.tm_hour != utc.tm_hour ||
        checked.tm_min != utc.tm_min || checked.tm_sec != utc.tm_sec || seconds - east_s < 0)
        return false;
    *realtime_s = (uint64_t)(seconds - east_s);
    return true;
}

const char *clock_minute_text(uint64_t realtime_s, char out[CLOCK_TEXT_SIZE])
{
    const time_t seconds = (time_t)realtime_s;
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(out, CLOCK_TEXT_SIZE, "%Y-%m-%dT%H:%MZ", &utc);
    return out;
}

int clock_year(uint64_t realtime_ns)
{
    return utc_of(realtime_ns).tm_year + 1900;
}
