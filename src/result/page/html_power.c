/* SPDX-License-Identifier: MIT
 * Power over time in a page: from the windows of the record, and from the time series if it is given. */
#include "result/page/html_sections.h"

#include "base/clock.h"
#include "measurement/idle.h"
#include "measurement/slices.h"
#include "result/by_hour.h"
#include "result/samples.h"

#include <math.h>
#include <stdlib.h>

/* More than this many steps are not visible; then each window is one. */
enum { STEPS_MAX = 4000 };

struct html_power_steps {
    struct html_step *items;
    size_t count, size;
};

static void add(struct html_power_steps *steps, double from, double duration_s, double value)
{
    if (steps->count < steps->size)
        steps->items[steps->count++] = (struct html_step){ from, from + duration_s, value };
}

static bool steps_open(struct html_power_steps *steps, size_t size)
{
    *steps = (struct html_power_steps){ .items = calloc(size ? size : 1, sizeof *steps->items), .size = size };
    return steps->items;
}

bool html_has_power(const void *subject)
{
    const struct measurement *measurement = page_report(subject)->measurement;

    return measurement->run_count + measurement->baseline_count > 0 &&
           isfinite(page_report(subject)->summary.total.gross_j.mean);
}

static size_t steps_of(const struct measurement *measurement)
{
    size_t count = BASELINE_PARTS * measurement->baseline_count;

    for (size_t i = 0; i < measurement->run_count; i++)
        count += measurement->runs[i].slices ? measurement->runs[i].slices->count : 1;
    return count + 1;
}

static uint64_t first_ns(const struct measurement *measurement)
{
    uint64_t first = UINT64_MAX;

    for (size_t i = 0; i < measurement->baseline_count; i++)
        first = clock_earlier_ns(first, measurement->baselines[i].start_ns);
    for (size_t i = 0; i < measurement->run_count; i++)
        first = clock_earlier_ns(first, measurement->runs[i].window.start_ns);
    return first;
}

static void add_baseline(struct html_power_steps *steps, const struct measurement *measurement,
                         const struct window *window, double from, bool fine)
{
    const double duration_s = s_from_ns(window->duration_ns);

    for (size_t i = 0; fine && i < window->part_count; i++)
        add(steps, from + (double)i * duration_s / (double)window->part_count, duration_s / (double)window->part_count,
            window->parts_w[i]);
    if (!fine || !window->part_count)
        add(steps, from, duration_s, window_counted_w(measurement, window));
}

static void add_run(struct html_power_steps *steps, const struct measurement *measurement, const struct run *run,
                    double from, bool fine)
{
    const struct slices *slices = run->slices;

    for (size_t i = 0; fine && slices && i < slices->count; i++) {
        const double duration_s = s_from_ns(slices->items[i].duration_ns);
        add(steps, from + s_from_ns(slices->items[i].start_ns), duration_s,
            by_hour_counted_j(measurement, run, slice_energy_uj(slices, i)) / duration_s);
    }
    if (!fine || !slices || !slices->count)
        add(steps, from, s_from_ns(run->window.duration_ns), window_counted_w(measurement, &run->window));
}

/* What the counted domains draw together from one sample to the next. The series has a column for each domain that can
 * be read, in their order. */
static void add_samples(struct html_power_steps *steps, const struct record_page *page, uint64_t begun_realtime_ns)
{
    const struct measurement *measurement = page->report->measurement;
    const struct sample_series *samples = page->samples;
    const double offset_s = (double)(int64_t)(samples->realtime_ns - begun_realtime_ns) / NS_PER_S - samples->time_s[0];

    for (size_t point = 0; point + 1 < samples->point_count; point++) {
        const double from = samples->time_s[point], duration_s = samples->time_s[point + 1] - from;
        double sum_w = 0;
        if (!sample_is_drawn(samples, point))
            continue;
        for (size_t i = 0, column = 0; i < measurement->meter->domain_count; i++) {
            if (!samples_has_column(measurement->meter, i))
                continue;
            if (measurement->counting->is_counted[i] && samples->moved[column])
                sum_w += sample_power_w(samples, column, point);
            column++;
        }
        add(steps, from + offset_s, duration_s, sum_w);
    }
}

/* The series is drawn where it says when it began, and holds what the record does. */
static bool has_samples(const struct record_page *page)
{
    size_t columns = 0;

    for (size_t i = 0; i < page->report->measurement->meter->domain_count; i++)
        columns += samples_has_column(page->report->measurement->meter, i);
    return page->samples && page->samples->realtime_ns && page->samples->point_count > 1 &&
           page->samples->domain_count == columns;
}

struct powers {
    struct html_power_steps means, idle, bands, samples;
    double end_s;
};

static void fill_powers(struct powers *powers, const struct record_page *page, uint64_t begun_ns, bool fine)
{
    const struct measurement *measurement = page->report->measurement;
    uint64_t begun_realtime_ns = 0;

    for (size_t b = 0, r = 0; b < measurement->baseline_count || r < measurement->run_count;) {
        const struct window *baseline = b < measurement->baseline_count ? &measurement->baselines[b] : NULL;
        const struct run *run = r < measurement->run_count ? &measurement->runs[r] : NULL;
        const bool idle = baseline && (!run || baseline->start_ns <= run->window.start_ns);
        const struct window *window = idle ? baseline : &run->window;
        const double from = s_from_ns(window->start_ns - begun_ns), duration_s = s_from_ns(window->duration_ns);

        powers->end_s = fmax(powers->end_s, from + duration_s);
        if (!begun_realtime_ns)
            begun_realtime_ns = window->realtime_ns;
        if (idle) {
            add_baseline(&powers->means, measurement, window, from, fine);
            add(&powers->bands, from, duration_s, NAN);
            b++;
        } else {
            const struct neighbours neighbours = neighbours_of(measurement, window);
            add_run(&powers->means, measurement, run, from, fine);
            add(&powers->idle, from, duration_s, total_energies(measurement, &neighbours, window).idle_j / duration_s);
            r++;
        }
    }
    if (has_samples(page))
        add_samples(&powers->samples, page, begun_realtime_ns);
}

static const char *power_about(const struct report *report, struct text *text)
{
    char gross[UNITS_SIZE], idle[UNITS_SIZE];

    text_add(text, "chart: mean power of the runs %s", units_power(report->summary.total.gross_w, gross));
    if (isfinite(report->summary.total.idle_w))
        text_add(text, ", of the idle machine %s", units_power(report->summary.total.idle_w, idle));
    text_add(text, "; the tables of energy and runs have the figures");
    return text->data ? text->data : "";
}

static void draw(FILE *out, const struct report *report, const struct powers *powers)
{
    struct html_line lines[4];
    struct html_timeline timeline = {
        .title = "power of the counted domains over time",
        .lines = lines,
        .to = powers->end_s,
        .time = units_duration,
        .height = units_power,
    };
    struct text about;

    text_open(&about, 1024);
    timeline.about = power_about(report, &about);
    lines[timeline.count++] = (struct html_line){ "mean power of a window or of a part of it", HTML_LINE,
                                                  powers->means.items, powers->means.count };
    if (isfinite(report->summary.total.idle_w))
        lines[timeline.count++] = (struct html_line){ "idle power during the run, by the baselines around it",
                                                      HTML_DASHED, powers->idle.items, powers->idle.count };
    if (powers->samples.count)
        lines[timeline.count++] =
            (struct html_line){ "from sample to sample", HTML_FAINT, powers->samples.items, powers->samples.count };
    if (powers->bands.count)
        lines[timeline.count++] = (struct html_line){ "baseline", HTML_BAND, powers->bands.items, powers->bands.count };
    html_timeline(out, &timeline);
    text_close(&about);
}

void html_power(FILE *out, const void *subject)
{
    const struct record_page *page = subject;
    const struct measurement *measurement = page->report->measurement;
    const size_t fine = steps_of(measurement), windows = measurement->baseline_count + measurement->run_count;
    struct powers powers = { .end_s = 0 };

    if (steps_open(&powers.means, fine < STEPS_MAX ? fine : windows) &&
        steps_open(&powers.idle, measurement->run_count) && steps_open(&powers.bands, measurement->baseline_count) &&
        steps_open(&powers.samples, page->samples ? page->samples->point_count : 0)) {
        fill_powers(&powers, page, first_ns(measurement), fine < STEPS_MAX);
        draw(out, page->report, &powers);
    }
    free(powers.means.items);
    free(powers.idle.items);
    free(powers.bands.items);
    free(powers.samples.items);
}
