/* SPDX-License-Identifier: MIT
 * Which form the times of a list are in: each form that may be is tried on all of them, and one that would end a job
 * before it began, or sooner than it took, is not it. */
#include "commands/slurm/sacct_times.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "commands/slurm/sacct_fields.h"
#include "io/local_time.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const dates[] = {
    "%Y-%m-%d", "%Y/%m/%d",    "%Y.%m.%d",    "%Y%m%d",       "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y",
    "%d-%m-%Y", "%m-%d-%Y",    "%d.%m.%y",    "%d/%m/%y",     "%m/%d/%y", "%y/%m/%d", "%y-%m-%d",
    "%y%m%d",   "%d %b %Y",    "%b %d %Y",    "%b %d, %Y",    "%d-%b-%Y", "%d/%b/%Y", "%d %b %y",
    "%d-%b-%y", "%a %d %b %Y", "%a %b %d %Y", "%a, %d %b %Y", "%Y-%j",
};
static const char *const clocks[] = { "%H:%M:%S", "%H:%M", "%H%M%S", "%H%M", "%H.%M.%S", "%I:%M:%S %p", "%I:%M %p" };
static const char *const between[] = { " ", "T", "-", "_", ", ", ":" };

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* sacct cuts longer ones, or prints number signs (width of its field, unless --format=Start%30 says another). */
enum { CUT_LENGTH = 19 };
/* What a day of twelve hours may have been cut to. */
static const char half_day[] = "%m/%d/%Y %I:%M:%S";

/* No Slurm is older; a year of two digits that was read as one of four is. */
enum { YEAR_MIN = 2002, YEAR_MAX = 2199 };
enum { MINUTE_S = 60 }; /* forms without seconds cut them off */

/* In the zone that is named behind it, or in the local one. False: it is no such time or zone. */
static bool in_zone(struct tm fields, const char *zone, int64_t *time_s)
{
    static const int seasons[] = { -1, 0, 1 };
    int hours, minutes, end = 0;
    char sign;

    if (strcmp(zone, "Z") == 0 || strcmp(zone, "UTC") == 0 || strcmp(zone, "GMT") == 0) {
        *time_s = timegm(&fields);
        return true;
    }
    if (sscanf(zone, "%c%2d:%2d%n", &sign, &hours, &minutes, &end) == 3 ||
        sscanf(zone, "%c%2d%2d%n", &sign, &hours, &minutes, &end) == 3) {
        *time_s = timegm(&fields) - (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
        return !zone[end] && strchr("+-", sign);
    }
    for (size_t i = 0; i < (*zone ? COUNT(seasons) : 1); i++) { /* the hour that is there twice is told by its zone */
        struct tm local = fields;
        local.tm_isdst = seasons[i];
        *time_s = mktime(&local);
        if (*time_s >= 0 && (!*zone || (strcmp(zone, local.tm_zone) == 0 && local.tm_hour == fields.tm_hour)))
            return true;
    }
    return false;
}

/* strftime writes two digits: one is what a cut has left. */
static bool is_whole(const char *text, const char *form)
{
    const size_t length = strlen(text), end = strlen(form);

    if (form == half_day && length != CUT_LENGTH)
        return false;
    return !strchr("MS", form[end - 1]) || (length > 1 && c_isdigit(text[length - 2]));
}

static bool read_as(const char *text, const char *form, int64_t *time_s)
{
    struct tm fields = { .tm_mday = 1 }, again;
    const char *rest = c_strptime(text, form, &fields);
    time_t day;

    if (!rest || fields.tm_year + 1900 < YEAR_MIN || fields.tm_year + 1900 > YEAR_MAX ||
        (!*rest && !is_whole(text, form)))
        return false;
    if (form == half_day)
        fields.tm_hour = fields.tm_hour % 12 + 12;
    again = fields;
    again.tm_hour = again.tm_min = again.tm_sec = 0;
    day = timegm(&again);
    if (again.tm_mday != fields.tm_mday || (strstr(form, "%a") && again.tm_wday != fields.tm_wday) || day < 0)
        return false;
    return in_zone(fields, rest + strspn(rest, " "), time_s);
}

static bool is_unread(const char *said, int64_t time_s)
{
    return time_s < 0 && !sacct_says_no_time(said);
}

/* Of a row by this form; what is read already, or is none, stays. */
static bool row_as(const struct sacct_row *row, const char *form, int64_t *start_s, int64_t *end_s)
{
    *start_s = row->start_s;
    *end_s = row->end_s;
    if ((is_unread(row->start_said, row->start_s) && !read_as(row->start_said, form, start_s)) ||
        (is_unread(row->end_said, row->end_s) && !read_as(row->end_said, form, end_s)))
        return false;
    if (*start_s < 0 || *end_s < 0)
        return true;
    return *end_s >= *start_s && !((double)(*end_s - *start_s) < row->elapsed_s - MINUTE_S);
}

/* All of the list. at: room for two of each row. */
static bool list_as(const struct sacct_list *list, const char *form, int64_t *at)
{
    for (size_t i = 0; i < list->count; i++)
        if (!row_as(&list->rows[i], form, &at[2 * i], &at[2 * i + 1]))
            return false;
    return true;
}

static size_t unread_count(const struct sacct_list *list)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += is_unread(list->rows[i].start_said, list->rows[i].start_s) +
                 is_unread(list->rows[i].end_said, list->rows[i].end_s);
    return count;
}

static void take_time(struct sacct_list *list, const int64_t *at)
{
    for (size_t i = 0; i < list->count; i++) {
        list->rows[i].start_s = at[2 * i];
        list->rows[i].end_s = at[2 * i + 1];
    }
}

/* Forms that are tried, one after the other; NULL: there are no more. */
static const char *next_form(size_t *number, char form[SACCT_FORM_SIZE])
{
    const size_t at = (*number)++, all = COUNT(dates) * COUNT(between) * COUNT(clocks);
    const char *date = dates[at % COUNT(dates)], *gap = between[at / COUNT(dates) % COUNT(between)];
    const char *clock = clocks[at / COUNT(dates) / COUNT(between) % COUNT(clocks)];

    if (at < all)
        snprintf(form, SACCT_FORM_SIZE, "%s%s%s", date, gap, clock);
    else if (at < 2 * all)
        snprintf(form, SACCT_FORM_SIZE, "%s%s%s", clock, gap, date);
    else if (at == 2 * all)
        return "%a %b %d %H:%M:%S %Y"; /* %c */
    else
        return at == 2 * all + 1 ? half_day : NULL;
    return form;
}

static bool read_in_one(struct sacct_list *list, struct sacct_times *times, struct error *err)
{
    AUTO_FREE int64_t *found = calloc(2 * list->count + 1, sizeof *found);
    AUTO_FREE int64_t *other = calloc(2 * list->count + 1, sizeof *other);
    const size_t bytes = 2 * list->count * sizeof *found;
    char room[SACCT_FORM_SIZE];
    const char *form;

    if (!found || !other)
        return error_set(err, ERROR_SYSTEM, "no memory for the times of the jobs");
    for (size_t number = 0; (form = next_form(&number, room));) {
        if (!list_as(list, form, other))
            continue;
        if (!*times->form) {
            text_copy(times->form, sizeof times->form, form);
            memcpy(found, other, bytes);
        } else if (memcmp(found, other, bytes) != 0) {
            snprintf(times->why, sizeof times->why, "ambiguous: '%s' or '%s'", times->form, form);
            times->form[0] = '\0';
            return true;
        }
    }
    if (*times->form)
        take_time(list, found);
    return true;
}

/* As Slurm's src/common/parse_time.c writes them: "12:26:38", "Ystday 20:13", "Tomorr 03:22", "Sat 02:17" of the days
 * behind tomorrow, "18 Jun 13:14" of the same year. Another year's day has no time of day. */
static bool relative(const char *text, const struct tm *asked, int64_t *time_s)
{
    struct tm fields = {
        .tm_year = asked->tm_year, .tm_mon = asked->tm_mon, .tm_mday = asked->tm_mday, .tm_isdst = -1
    };
    struct tm named = { .tm_mday = 1 };
    const char *rest = c_strptime(text, "%H:%M:%S", &named);

    if (rest && !*rest)
        ;
    else if ((rest = c_strptime(text, "Ystday %H:%M", &named)) && !*rest)
        fields.tm_mday--;
    else if ((rest = c_strptime(text, "Tomorr %H:%M", &named)) && !*rest)
        fields.tm_mday++;
    else if ((rest = c_strptime(text, "%a %H:%M", &named)) && !*rest)
        fields.tm_mday += (named.tm_wday - asked->tm_wday + 7) % 7;
    else if ((rest = c_strptime(text, "%d %b %H:%M", &named)) && !*rest) {
        fields.tm_mon = named.tm_mon;
        fields.tm_mday = named.tm_mday;
    } else
        return false;
    fields.tm_hour = named.tm_hour;
    fields.tm_min = named.tm_min;
    fields.tm_sec = named.tm_sec;
    *time_s = mktime(&fields);
    return *time_s >= 0;
}

static void read_relative(struct sacct_list *list, const struct tm *asked)
{
    for (size_t i = 0; i < list->count; i++) {
        struct sacct_row *row = &list->rows[i];
        if (is_unread(row->start_said, row->start_s) && !relative(row->start_said, asked, &row->start_s))
            row->start_s = -1;
        if (is_unread(row->end_said, row->end_s) && !relative(row->end_said, asked, &row->end_s))
            row->end_s = -1;
    }
}

static bool looks_relative(const struct sacct_list *list)
{
    const struct tm any = { .tm_year = 126, .tm_mday = 15 };
    int64_t time_s;

    for (size_t i = 0; i < list->count; i++)
        if (is_unread(list->rows[i].start_said, list->rows[i].start_s) &&
            relative(list->rows[i].start_said, &any, &time_s))
            return true;
    return false;
}

static bool looks_cut(const struct sacct_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *said = list->rows[i].start_said;
        if (is_unread(said, list->rows[i].start_s) && (strlen(said) == CUT_LENGTH || *said == '#'))
            return true;
    }
    return false;
}

static void say_why(const struct sacct_list *list, bool asked, struct sacct_times *times)
{
    text_copy(times->fix, sizeof times->fix, "SLURM_TIME_FORMAT=%s sacct ...");
    if (*times->why)
        return;
    if (!asked && looks_relative(list)) {
        text_copy(times->why, sizeof times->why, "it is relative to the day on which sacct was run");
        text_copy(times->fix, sizeof times->fix, "--date 2026-11-30, that day; or SLURM_TIME_FORMAT=%s sacct ...");
    } else if (looks_cut(list))
        text_copy(times->why, sizeof times->why, "sacct prints 19 characters of a time, and this form may have more");
    else
        text_copy(times->why, sizeof times->why, "no date and time of day in it");
}

bool sacct_times_read(struct sacct_list *list, const struct tm *asked, struct sacct_times *times, struct error *err)
{
    size_t unread = unread_count(list);

    *times = (struct sacct_times){ .form = "" };
    if (!unread)
        return true;
    tzset();
    if (!read_in_one(list, times, err))
        return false;
    if (asked && !*times->form && !*times->why) {
        read_relative(list, asked);
        if (unread_count(list) < unread)
            text_copy(times->form, sizeof times->form, "relative");
    }
    if (unread_count(list))
        say_why(list, asked != NULL, times);
    return true;
}
