/* SPDX-License-Identifier: MIT
 * CodeCarbon's log, as it goes to a terminal or a file. Each tracker tells, again and again, what it has counted since
 * it began: the last of that is what it used. Energies are reported to a millionth of a kilowatt-hour. */
#include "base/c_locale.h"
#include "commands/history/codecarbon.h"

#include "base/auto.h"
#include "base/text.h"
#include "base/units.h"
#include "io/content_id.h"
#include "io/local_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK "[codecarbon "
#define DAY_S 86400

enum { VALUE_SIZE = 256, DISORDER_S = 600 };

/* One tracker while its lines are read. */
struct tracker {
    char values[CODECARBON_COLUMNS][VALUE_SIZE]; /* "": not told */
    double total_kwh;                            /* NAN: not told yet */
    int day, second;                             /* when that was reported; the day from 0 at the head of the log */
    size_t line;
    bool set_up; /* another tracker was set up since */
};

struct log {
    struct codecarbon_file *file;
    struct tracker tracker;
    int day, second; /* time of the last line */
    int *days;       /* day of each run */
};

/* "CPU model: ...": lines that tell what the machine is. */
static const struct {
    const char *key;
    enum codecarbon_column column;
} facts[] = {
    { "Platform system", CODECARBON_OS },         { "Python version", CODECARBON_PYTHON_VERSION },
    { "CodeCarbon version", CODECARBON_VERSION }, { "Available RAM", CODECARBON_RAM_TOTAL_SIZE },
    { "CPU count", CODECARBON_CPU_COUNT },        { "CPU model", CODECARBON_CPU_MODEL },
    { "GPU count", CODECARBON_GPU_COUNT },        { "GPU model", CODECARBON_GPU_MODEL },
};

/* The header of a table names the energy, whatever its rows say. */
bool codecarbon_is_log(const char *text)
{
    const char *energy = strstr(text, codecarbon_columns[CODECARBON_ENERGY_CONSUMED]), *mark = strstr(text, MARK);

    return mark && (!energy || energy > text + strcspn(text, "\n"));
}

/* "[codecarbon INFO @ 15:59:51] text"; NULL: it is none of its lines. */
static const char *take_head(const char *line, int *second)
{
    const char *mark = strstr(line, MARK), *at = mark ? strstr(mark, " @ ") : NULL;
    int hour, minute, end = 0;

    if (!at || sscanf(at, " @ %2d:%2d:%2d]%n", &hour, &minute, second, &end) != 3 || !end || hour < 0 || hour > 23 ||
        minute < 0 || minute > 59 || *second < 0 || *second > 60)
        return NULL;
    *second += 60 * (minute + 60 * hour);
    at += end;
    return at + strspn(at, " ");
}

/* Its mark is there, or what is left of it. */
static bool begins_mark(const char *text)
{
    return strstr(text, MARK) || (*text && strncmp(MARK, text, strlen(text)) == 0);
}

/* The number that a text begins with. */
static bool take_number(const char *text, char number[VALUE_SIZE], double *value)
{
    const size_t length = strspn(text, "0123456789.eE+-");

    if (!length || length >= VALUE_SIZE)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    return text_to_number(number, value) && *value >= 0;
}

static bool add_fault(struct log *log, size_t line, const char *why, struct error *err)
{
    return line_faults_add(&log->file->faults, line, log->file->path, err, "%s", why);
}

static void take_fact(struct tracker *tracker, const char *text)
{
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const size_t length = strlen(facts[i].key);
        const char *value = text + length;
        if (strncmp(text, facts[i].key, length) != 0 || value[strspn(value, " ")] != ':')
            continue;
        value += strspn(value, " :");
        text_copy(tracker->values[facts[i].column], VALUE_SIZE, strcmp(value, "None") == 0 ? "" : value);
        if (facts[i].column == CODECARBON_RAM_TOTAL_SIZE)
            tracker->values[CODECARBON_RAM_TOTAL_SIZE][strcspn(value, " ")] = '\0';
    }
}

/* "Energy consumed for all CPUs : 0.000090 kWh. Total CPU Power : 100.0 W" */
static void take_energy(struct tracker *tracker, const char *text)
{
    const char *of = strstr(text, "Energy consumed for "), *energy, *power;
    enum codecarbon_column column;
    char number[VALUE_SIZE];
    double value;

    if (!of || strstr(text, "Delta energy"))
        return;
    of += strlen("Energy consumed for ");
    energy = strstr(of, ": ");
    column = strncmp(of, "RAM", 3) == 0             ? CODECARBON_RAM_ENERGY
             : c_strncasecmp(of, "all CPU", 7) == 0 ? CODECARBON_CPU_ENERGY
             : c_strncasecmp(of, "all GPU", 7) == 0 ? CODECARBON_GPU_ENERGY
                                                    : CODECARBON_COLUMNS;
    if (!energy || column == CODECARBON_COLUMNS || !take_number(energy + 2, number, &value))
        return;
    text_copy(tracker->values[column], VALUE_SIZE, number);
    power = strstr(energy, "Power : ");
    if (power && take_number(power + strlen("Power : "), number, &value))
        text_copy(tracker->values[column - CODECARBON_CPU_ENERGY + CODECARBON_CPU_POWER], VALUE_SIZE, number);
}

/* "Energy consumed for all CPUs : 0.000090 kWh", and nothing or its power behind it; or of another sort of line. */
static bool is_whole(const char *text)
{
    static const char phrase[] = "Energy consumed for ";
    const size_t length = strlen(text), min = length < strlen(phrase) ? length : strlen(phrase);
    const char *energy, *power;

    if (strncmp(text, phrase, min) != 0)
        return true;
    energy = length > strlen(phrase) ? strstr(text, " kWh") : NULL;
    power = energy ? strstr(energy, "Power : ") : NULL;
    return energy && (!energy[strlen(" kWh")] || (power && text[length - 1] == 'W'));
}

static double value_of(const struct tracker *tracker, enum codecarbon_column column)
{
    double value;

    return text_to_number(tracker->values[column], &value) ? value : NAN;
}

static double zero_unless(double value)
{
    return isnan(value) ? 0 : value;
}

/* A counter that was set up anew, has fallen, or has counted next to nothing of what its own power came to since. */
static bool is_another(const struct log *log, double total_kwh)
{
    const struct tracker *tracker = &log->tracker;
    const double since_s = (log->day - tracker->day) * (double)DAY_S + log->second - tracker->second;
    const double power_w = zero_unless(value_of(tracker, CODECARBON_CPU_POWER)) +
                           zero_unless(value_of(tracker, CODECARBON_GPU_POWER)) +
                           zero_unless(value_of(tracker, CODECARBON_RAM_POWER));
    const double due_kwh = power_w * since_s / J_PER_KWH;

    if (isnan(tracker->total_kwh))
        return false;
    return tracker->set_up || total_kwh < tracker->total_kwh ||
           (due_kwh > 2e-5 && total_kwh - tracker->total_kwh < due_kwh / 10);
}

static void fill_figures(struct codecarbon_run *run, const struct tracker *tracker)
{
    run->reported = (struct codecarbon_figures){
        .duration_s = NAN,
        .cpu_kwh = value_of(tracker, CODECARBON_CPU_ENERGY),
        .gpu_kwh = value_of(tracker, CODECARBON_GPU_ENERGY),
        .ram_kwh = value_of(tracker, CODECARBON_RAM_ENERGY),
        .kwh = tracker->total_kwh,
        .kgco2eq = NAN,
    };
    run->added = run->reported;
    if (run->reported.kwh == 0)
        text_copy(run->doubt, sizeof run->doubt, "a log shows 0.000001 kWh or more");
}

/* What the tracker has reported becomes a run. Its energies are not those of the next one; what the machine is stays.
 */
static bool finish_tracker(struct log *log, struct error *err)
{
    struct tracker *tracker = &log->tracker;
    const char *texts[CODECARBON_COLUMNS] = { NULL };
    struct codecarbon_run *run;
    int *days;

    if (isnan(tracker->total_kwh))
        return true;
    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        texts[i] = tracker->values[i][0] ? tracker->values[i] : NULL;
    run = codecarbon_add(log->file, texts, tracker->line, err);
    days = run ? reallocarray(log->days, log->file->count, sizeof *days) : NULL;
    if (!days)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", log->file->path);
    log->days = days;
    days[log->file->count - 1] = tracker->day;
    fill_figures(run, tracker);
    tracker->total_kwh = NAN;
    return true;
}

/* "0.000091 kWh of electricity used since the beginning."; since 3.0.8 "0.000130 kWh of electricity and 0.000000 L of
 * water were used since the beginning." */
static bool is_total(const char *text)
{
    const char *energy = strstr(text, " kWh of electricity ");

    return energy && strstr(energy, "used since the begin");
}

/* A line that stands before one that was written earlier: the counter has not fallen. */
static bool is_out_of_order(const struct log *log, double total_kwh)
{
    const struct tracker *tracker = &log->tracker;
    const int back_s = tracker->second - log->second;

    return !isnan(tracker->total_kwh) && !tracker->set_up && total_kwh < tracker->total_kwh &&
           tracker->day == log->day && back_s > 0 && back_s <= DISORDER_S;
}

static bool take_total(struct log *log, const char *text, size_t line, const struct tracker *next, struct error *err)
{
    struct tracker *tracker = &log->tracker;
    char number[VALUE_SIZE];
    double total_kwh;

    if (*text < '0' || *text > '9')
        return true;
    if (!take_number(text, number, &total_kwh) || !is_total(text))
        return add_fault(log, line, "it begins with a number, without the energy since the beginning", err);
    if (is_out_of_order(log, total_kwh))
        return add_fault(log, line, "it follows a line that was written later", err);
    if (is_another(log, total_kwh) && !finish_tracker(log, err))
        return false;
    *tracker = *next;
    text_copy(tracker->values[CODECARBON_ENERGY_CONSUMED], VALUE_SIZE, number);
    snprintf(tracker->values[CODECARBON_TIMESTAMP], VALUE_SIZE, "%02d:%02d:%02d", log->second / 3600,
             log->second / 60 % 60, log->second % 60);
    tracker->total_kwh = total_kwh;
    tracker->day = log->day;
    tracker->second = log->second;
    tracker->line = line;
    tracker->set_up = false;
    return true;
}

static bool take_line(struct log *log, struct tracker *next, const char *text, size_t line, struct error *err)
{
    int second = 0;
    const char *reported = take_head(text, &second);

    if (!reported)
        return !begins_mark(text) || add_fault(log, line, "it has CodeCarbon's mark, and no time", err);
    if (strstr(reported, MARK))
        return add_fault(log, line, "two lines in one", err);
    if (!is_whole(reported))
        return add_fault(log, line, "it ends before an energy", err);
    log->day += second < log->second - DAY_S / 2;
    log->second = second;
    if (strncmp(reported, "[setup]", 7) == 0)
        log->tracker.set_up = true;
    take_fact(next, reported);
    take_energy(next, reported);
    return take_total(log, reported, line, next, err);
}

/* date is the day of the last line. */
static void date_runs(const struct log *log, const char *date)
{
    uint64_t day_s = 0, realtime_s = 0;

    if (!date || !clock_of_iso_text(date, &day_s))
        return;
    for (size_t i = 0; i < log->file->count; i++) {
        struct codecarbon_run *run = &log->file->runs[i];
        char text[CLOCK_TEXT_SIZE];
        clock_text((day_s - (uint64_t)(log->day - log->days[i]) * DAY_S) * NS_PER_S_INT, text);
        text_copy(text + 11, sizeof text - 11, run->texts[CODECARBON_TIMESTAMP]);
        if (local_time_of(text, 0, &realtime_s))
            run->ended_realtime_ns = realtime_s * NS_PER_S_INT;
    }
}

/* By all that it tells and where that stands: a log has no id of a run. */
static void identify(struct codecarbon_run *run, const char *date)
{
    const char *texts[CODECARBON_COLUMNS + 3];
    char line[TEXT_NUMBER_SIZE];

    memcpy(texts, run->texts, sizeof run->texts);
    texts[CODECARBON_COLUMNS] = "codecarbon log";
    texts[CODECARBON_COLUMNS + 1] = date;
    texts[CODECARBON_COLUMNS + 2] = text_number((double)run->line, line);
    content_id(texts, sizeof texts / sizeof texts[0], run->id);
}

static bool read_lines(struct log *log, const char *text, struct error *err)
{
    struct tracker next = { .total_kwh = NAN }; /* what was reported since the last total */
    AUTO_FREE char *line = malloc(strlen(text) + 1);

    log->tracker.total_kwh = NAN;
    if (!line)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", log->file->path);
    for (size_t number = 1; *text; number++) {
        const size_t length = strcspn(text, "\r\n");
        memcpy(line, text, length);
        line[length] = '\0';
        if (!take_line(log, &next, line, number, err))
            return false;
        text += length;
        text += text[0] == '\r' && text[1] == '\n' ? 2 : *text != '\0';
    }
    return finish_tracker(log, err);
}

bool codecarbon_log_read(const char *text, const char *path, const char *date, struct codecarbon_file *file,
                         struct error *err)
{
    struct log log = { .file = file };
    bool good;

    *file = (struct codecarbon_file){ .path = path };
    good = read_lines(&log, text, err);
    if (good)
        date_runs(&log, date);
    for (size_t i = 0; i < file->count; i++)
        identify(&file->runs[i], date);
    free(log.days);
    if (good && !file->count)
        notice_add(&file->notices, NOTICE_UNKNOWN, "its lines name the machine, or nothing", "",
                   "the log has no energy");
    return good;
}
