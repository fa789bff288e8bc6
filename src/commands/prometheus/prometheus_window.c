/* SPDX-License-Identifier: MIT
 * The time that a question to Prometheus is about, as people type it. */
#include "app/prometheus_server.h"

#include "base/parse_quantity.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/prometheus/prometheus.h"
#include "io/local_time.h"

#include <stdio.h>
#include <string.h>

#define WINDOW "Time"
#define EPOCH_MIN_S 1e8 /* 1973: a smaller value is not the time of a measurement */

static bool check_time(const char *text, struct error *err)
{
    uint64_t realtime_s;
    double number;

    if (strcmp(text, "now") == 0 || (*text == '-' && quantity_duration(text + 1, &number)) ||
        (text_to_number(text, &number) && number >= EPOCH_MIN_S && number < 1e11) ||
        local_time_of(text, 0, &realtime_s))
        return true;
    error_set(err, ERROR_USAGE, "a time is needed");
    return error_fix(err, "2026-11-28T13:00Z, '2026-11-28T13:00' of your own zone, 13:00, 1795870800, -6m or now");
}

const struct option_spec option_window_from =
    OPTION(TEXT, WINDOW, "from", .argument = "<time>", .check = check_time, .sample = "2026-01-20", .cli_only = true,
           .help = "when it begins: 2026-11-28T13:00Z, 13:00, seconds since 1970, -6m (before now)");
const struct option_spec option_window_to =
    OPTION(TEXT, WINDOW, "to", .argument = "<time>", .check = check_time, .sample = "2026-01-21", .cli_only = true,
           .help = "when it ends, likewise; now when not given");
/* A bare date is the day's begin, or with `end` its end; a time of day without a date is the last one that was. */
static double time_of(const char *text, bool end, double now_s)
{
    const double day_s = S_PER_DAY;
    uint64_t realtime_s = 0;
    char begin[32];
    double number;

    if (strcmp(text, "now") == 0)
        return now_s;
    if (*text == '-' && quantity_duration(text + 1, &number))
        return now_s - number;
    if (text_to_number(text, &number) && number >= EPOCH_MIN_S)
        return number;
    snprintf(begin, sizeof begin, "%.20sT00:00", text);
    if (strlen(text) == 10 && !end && local_time_of(begin, 0, &realtime_s))
        return (double)realtime_s;
    (void)local_time_of(text, (uint64_t)(strchr(text, ':') && strlen(text) <= 5 ? now_s - day_s : now_s), &realtime_s);
    return (double)realtime_s;
}

bool prometheus_window_read(const struct settings *settings, const char *standard, uint64_t now_ns,
                            struct prometheus_window *window, struct error *err)
{
    const char *from = settings_text(settings, &option_window_from), *to = settings_text(settings, &option_window_to);
    const char *length = settings_text(settings, &option_scrape_for);
    const double now_s = (double)now_ns / NS_PER_S;
    double duration_s;

    if (from && length) {
        error_set(err, ERROR_USAGE, "--from and --for cannot be combined");
        return error_fix(err, "give --from and --to, or --for up to --to");
    }
    if (!length && !from)
        length = standard;
    if (!length && !from) {
        error_set(err, ERROR_USAGE, "no time is named");
        return error_fix(err, "give --for 6m, or --from TIME --to TIME");
    }
    window->now = !to || strcmp(to, "now") == 0;
    window->from_fixed = from;
    window->to_s = to ? time_of(to, true, now_s) : now_s;
    if (from)
        window->from_s = time_of(from, false, now_s);
    else if (quantity_of(QUANTITY_SECONDS, length, &duration_s))
        window->from_s = window->to_s - duration_s;
    if (window->from_s < window->to_s && window->from_s < now_s)
        return true;
    error_set(err, ERROR_USAGE,
              window->from_s < now_s ? "the time ends before it begins"
                                     : "the time that is asked about is still to come");
    return error_fix(err, "--from is before --to; -6m is six minutes before now");
}
