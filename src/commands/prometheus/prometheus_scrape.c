/* SPDX-License-Identifier: MIT
 * carbon prometheus scrape: energies between two texts of exporters, without a Prometheus. */
#include "base/c_locale.h"
#include "commands/prometheus/prometheus.h"

#include "app/prometheus_server.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/sysroot.h"
#include "base/units.h"
#include "io/http.h"
#include "series/exposition.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXTS = 2, URL_SIZE = 1024 };

#define TIME "Time"

const struct option_spec option_scrape_for =
    OPTION(NUMBER, TIME, "for", .argument = "<duration>", .quantity = QUANTITY_SECONDS, .min = 0.001, .max = LONGEST_S,
           .cli_only = true,
           .help = "how long it is: 6m, 2h, 10d; of 'scrape' between two looks at an address, or between two files");

/* One text and when it was reported. */
struct scrape_text {
    const char *name;
    char *text;
    size_t length;
    uint64_t realtime_ns; /* time of an answer; 0: a file */
    size_t samples, timestamped;
};

/* The whole work. */
struct scraping {
    struct prometheus_access access;
    struct scrape_text texts[TEXTS];
    size_t count;
    double for_s; /* NAN: not said */
    bool timestamps;
    struct workload_report workloads;
    struct series_set set;
    struct workload_rows rows;
};

static bool is_url(const char *name)
{
    return c_strncasecmp(name, "http://", 7) == 0 || c_strncasecmp(name, "https://", 8) == 0;
}

static bool read_file(struct scrape_text *reported, struct error *err)
{
    const bool standard_input = strcmp(reported->name, "-") == 0;
    AUTO_CLOSE int own = standard_input ? -1 : open(reported->name, O_RDONLY | O_CLOEXEC);
    const int fd = standard_input ? STDIN_FILENO : own;
    char *shorter;

    if (fd < 0)
        return error_errno(err, "cannot read '%.200s'", reported->name);
    reported->text = malloc((size_t)EXPOSITION_MAX + 1);
    if (!reported->text || !fd_read_up_to(fd, reported->text, (size_t)EXPOSITION_MAX + 1, &reported->length))
        return error_errno(err, "cannot read '%.200s'", reported->name);
    shorter = realloc(reported->text, reported->length + 1);
    reported->text = shorter ? shorter : reported->text;
    return true;
}

/* Who names only a host means where exporters answer. */
static bool complete_url(const char *url, char complete[URL_SIZE], struct error *err)
{
    const char *authority = strstr(url, "://") + 3, *path = strchr(authority, '/');
    const bool bare = !path || !path[1];
    const int length = snprintf(complete, URL_SIZE, "%.*s%s", path && bare ? (int)(path - url) : URL_SIZE, url,
                                bare ? "/metrics" : "");

    return (length > 0 && length < URL_SIZE) || error_set(err, ERROR_USAGE, "'%.120s...' is too long", url);
}

static bool fetch(struct scrape_text *reported, const struct prometheus_server *server, struct error *err)
{
    char url[URL_SIZE];
    struct http_request request;
    struct http_answer answer = { .status = 0 };

    if (!complete_url(reported->name, url, err))
        return false;
    request = prometheus_request(server, url);
    request.max_bytes = EXPOSITION_MAX;
    if (!http_get(&request, &answer, err)) {
        http_close(&answer);
        return false;
    }
    reported->realtime_ns = clock_realtime_ns();
    reported->text = answer.body;
    reported->length = answer.length;
    answer.body = NULL;
    http_close(&answer);
    return reported->text || error_set(err, ERROR_BAD_DATA, "'%.200s' answers with nothing", reported->name);
}

/* Until so long after the first answer, by a clock that nobody sets. */
static void wait_for(double seconds)
{
    const uint64_t until_ns = clock_monotonic_ns() + (uint64_t)(seconds * NS_PER_S);
    const struct timespec until = { (time_t)(until_ns / NS_PER_S_INT), (long)(until_ns % NS_PER_S_INT) };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static bool read_exposition(struct scraping *scraping, const char *name, struct error *err)
{
    struct scrape_text *reported = &scraping->texts[scraping->count++];

    *reported = (struct scrape_text){ .name = name };
    return is_url(name) ? fetch(reported, &scraping->access.server, err) : read_file(reported, err);
}

/* Files, an address now, or one address twice. */
static bool take_all(struct scraping *scraping, char **names, size_t count, struct error *err)
{
    const bool twice = count == 1 && !isnan(scraping->for_s);

    if (count == 2 && is_url(names[0]) && is_url(names[1])) {
        error_set(err, ERROR_USAGE, "two addresses would be asked at the same time");
        return error_fix(err, "give one, and --for 30s: it is asked twice");
    }
    if (twice && !is_url(names[0])) {
        error_set(err, ERROR_USAGE, "--for needs an address, or two files");
        return error_fix(err, "carbon prometheus scrape BEFORE AFTER --for 30s");
    }
    for (size_t i = 0; i < count; i++)
        if (!read_exposition(scraping, names[i], err))
            return false;
    if (!twice)
        return true;
    wait_for(scraping->for_s);
    return read_exposition(scraping, names[0], err);
}

static bool read_texts(struct scraping *scraping, const double *times_s, struct error *err)
{
    struct series_builder builder;
    bool done = true;

    series_set_close(&scraping->set);
    series_builder_open(&builder, &scraping->set);
    for (size_t i = 0; i < scraping->count && done; i++) {
        struct scrape_text *reported = &scraping->texts[i];
        struct exposition exposition = { .name = reported->name,
                                         .time_s = times_s[i],
                                         .timestamps = scraping->timestamps };
        done = exposition_read(reported->text, reported->length, &exposition, &builder, err);
        reported->samples = exposition.samples;
        reported->timestamped = exposition.timestamped;
    }
    series_builder_close(&builder);
    series_set_sort(&scraping->set);
    return done;
}

static bool have_timestamps(const struct scraping *scraping)
{
    for (size_t i = 0; i < scraping->count; i++)
        if (scraping->texts[i].samples == 0 || scraping->texts[i].timestamped != scraping->texts[i].samples)
            return false;
    return true;
}

/* From the first to the last sample of what tells energy. */
static void find_window(struct scraping *scraping)
{
    struct kind_window *window = &scraping->workloads.window;

    for (size_t i = 0; i < scraping->set.count; i++) {
        const struct metric_series *series = &scraping->set.items[i];
        if (series->point_count == 0 || !kind_family_of(series->metric))
            continue;
        window->from_s = fmin(window->from_s, series->points[0].time_s);
        window->to_s = fmax(window->to_s, series->points[series->point_count - 1].time_s);
    }
}

static bool both_fetched(const struct scraping *scraping)
{
    return scraping->texts[0].realtime_ns && scraping->texts[TEXTS - 1].realtime_ns;
}

/* When the texts are of: when they were fetched, as --for says, as they say themselves, or nobody knows. */
static bool read_two(struct scraping *scraping, struct error *err)
{
    double times_s[TEXTS] = { 0, 1 };
    struct kind_window *window = &scraping->workloads.window;

    if (both_fetched(scraping)) {
        for (size_t i = 0; i < TEXTS; i++)
            times_s[i] = (double)scraping->texts[i].realtime_ns / NS_PER_S;
    } else if (!isnan(scraping->for_s)) {
        times_s[1] = scraping->for_s;
    } else {
        scraping->timestamps = true;
    }
    if (!read_texts(scraping, times_s, err))
        return false;
    if (scraping->timestamps && !have_timestamps(scraping)) {
        scraping->timestamps = false;
        window->untimed = true;
        if (!read_texts(scraping, times_s, err))
            return false;
        notice_add(&scraping->workloads.notices, NOTICE_UNKNOWN,
                   "watts are not known, and no counter is known to have wrapped",
                   "--for 30s says how long it was between them", "the texts do not say when they are of");
        return true;
    }
    find_window(scraping);
    scraping->workloads.duration_s = window->to_s - window->from_s;
    return true;
}

static bool read_one(struct scraping *scraping, struct error *err)
{
    const double now_s = 0;

    scraping->workloads.window.untimed = scraping->workloads.window.totals = true;
    return read_texts(scraping, &now_s, err);
}

static bool work_out(struct scraping *scraping, int *status, struct error *err)
{
    struct workload_report *workloads = &scraping->workloads;

    if (!(scraping->count == TEXTS ? read_two : read_one)(scraping, err) ||
        !workload_rows_of(&scraping->set, &workloads->window, &scraping->rows, &workloads->notices, err))
        return false;
    workloads->rows = &scraping->rows;
    return prometheus_check_found(workloads, status, err);
}

/* When the energy was used, for the year of the factor. */
static uint64_t when(const struct scraping *scraping)
{
    const double to_s = scraping->workloads.window.to_s;

    return to_s > 1e8 && to_s < 1e10 ? (uint64_t)to_s * NS_PER_S_INT : scraping->workloads.created_realtime_ns;
}

static void close_all(struct scraping *scraping)
{
    for (size_t i = 0; i < scraping->count; i++)
        free(scraping->texts[i].text);
    prometheus_server_forget(&scraping->access);
    workload_rows_close(&scraping->rows);
    notices_clear(&scraping->workloads.notices);
    series_set_close(&scraping->set);
}

static bool run_scrape(struct prometheus_work *work, int *status, struct error *err)
{
    const struct settings *settings = &work->line->settings;
    char **names = work->line->operands + 1;
    const size_t count = (size_t)work->line->operand_count - 1;
    struct scraping scraping = { .for_s = settings_number(settings, &option_scrape_for) };
    struct workload_report *workloads = &scraping.workloads;
    bool done;

    *workloads =
        (struct workload_report){ .command = "scrape", .created_realtime_ns = clock_realtime_ns(), .duration_s = NAN };
    workloads->window.from_s = workloads->window.to_s = NAN;
    for (size_t i = 0; i < count && i < WORKLOADS_SOURCES; i++)
        workloads->sources[workloads->source_count++] = names[i];
    prometheus_read_filter(settings, workloads);
    done = prometheus_access_read(settings, false, &scraping.access, err) && take_all(&scraping, names, count, err) &&
           work_out(&scraping, status, err) && prometheus_read_emissions(settings, when(&scraping), workloads, err) &&
           prometheus_show(workloads, settings, work->out, err);
    close_all(&scraping);
    return done;
}

const struct prometheus_action prometheus_scrape = { "scrape", 2, 3, run_scrape };
