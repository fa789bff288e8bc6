/* SPDX-License-Identifier: MIT
 * Hourly accounting in a page: carbon intensity, and the energy of each hour. */
#include "result/page/html_sections.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "result/by_hour.h"
#include "result/hourly_text.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_NS (3600 * NS_PER_S_INT)
#define DAY_NS (24 * HOUR_NS)

enum { HOURS_MAX = 72 }; /* of more of them the table is by the day */

bool html_has_hours(const void *subject)
{
    return page_report(subject)->by_hour.enabled;
}

/* "2026-01-20 12:00Z" */
static const char *minute(double realtime_s, char out[UNITS_SIZE])
{
    char text[CLOCK_TEXT_SIZE];

    clock_minute_text((uint64_t)realtime_s, text);
    snprintf(out, UNITS_SIZE, "%.10s %.6s", text, text + 11);
    return out;
}

/* "12:00:03Z", of less than an hour */
static const char *second(double realtime_s, char out[UNITS_SIZE])
{
    char text[CLOCK_TEXT_SIZE];

    clock_text((uint64_t)(realtime_s * NS_PER_S), text);
    snprintf(out, UNITS_SIZE, "%.8sZ", text + 11);
    return out;
}

static const char *grams(double kgco2eq_per_kwh, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    snprintf(out, UNITS_SIZE, "%.20s g/kWh", units_digits(1000 * kgco2eq_per_kwh, 3, digits));
    return out;
}

/* Where two intervals lie next to one another the line goes on. */
static void draw_intensities(FILE *out, const struct report *report, double from, double to)
{
    const struct intensities *known = report->by_hour.known;
    AUTO_FREE struct html_step *steps = calloc(known->count + 1, sizeof *steps);
    AUTO_FREE struct html_step *runs = calloc(report->measurement->run_count + 1, sizeof *runs);
    struct html_line lines[] = { { "reported by the service or table", HTML_LINE, steps, 0 },
                                 { "a run", HTML_BAND, runs, 0 } };
    const struct html_timeline timeline = {
        .title = "intensity of the grid during the runs (gCO2eq/kWh)",
        .about = "chart: intensity of the grid over time; the table of intensities has the figures",
        .lines = lines,
        .count = 2,
        .from = from,
        .to = to,
        .time = to - from < 3600 ? second : minute,
        .height = grams,
    };

    if (!steps || !runs)
        return;
    for (size_t i = 0; i < known->count; i++) {
        const double start = fmax(from, (double)known->items[i].start_realtime_s);
        const double end = fmin(to, (double)known->items[i].end_realtime_s);
        if (start < end)
            steps[lines[0].count++] = (struct html_step){ start, end, known->items[i].kgco2eq_per_kwh };
    }
    for (size_t i = 0; i < report->measurement->run_count; i++) {
        const struct run *run = &report->measurement->runs[i];
        const double start = s_from_ns(run->window.realtime_ns);
        if (run_is_counted(run))
            runs[lines[1].count++] = (struct html_step){ start, start + s_from_ns(run->window.duration_ns), NAN };
    }
    html_timeline(out, &timeline);
}

static void write_rows(FILE *out, const struct report *report, uint64_t from_ns, uint64_t to_ns)
{
    const bool at_least = report->summary.at_least;
    const char *const columns[] = { "from (UTC)", at_least ? "gross energy, at least" : "gross energy",
                                    at_least ? "emissions, at least" : "emissions", "intensity", NULL };
    const uint64_t step_ns = (to_ns - from_ns) / HOUR_NS > HOURS_MAX ? DAY_NS : HOUR_NS;
    struct by_hour_rows rows;
    char text[UNITS_SIZE];

    if (!by_hour_rows_of(report, step_ns, &rows))
        return;
    html_table(out,
               step_ns == DAY_NS ? "all counted runs together, day by day, with the PUE"
                                 : "all counted runs together, hour by hour, with the PUE",
               columns, 3);
    for (size_t i = 0; i < rows.count && i < HTML_ROWS_MAX; i++) {
        const struct by_hour_row *row = &rows.items[i];
        html_row(out, minute(s_from_ns(row->from_ns), text));
        html_cell_figure(out, units_energy, row->gross_j, "hours.%zu.gross_j", i);
        html_cell_figure(out, units_mass, row->kgco2eq, "hours.%zu.kgco2eq", i);
        html_cell_number(out,
                         row->gross_j > 0 ? grams(row->kgco2eq / (row->gross_j / J_PER_KWH * report->pue), text) : "");
        html_row_end(out);
    }
    html_table_end(out);
    html_rows_left_out(out, rows.count > HTML_ROWS_MAX ? rows.count - HTML_ROWS_MAX : 0, "rows");
    free(rows.items);
}

static void write_intensities(FILE *out, const struct intensities *known)
{
    static const char *const columns[] = { "from (UTC)", "intensity", "until", "kind", NULL };
    char text[UNITS_SIZE];

    html_table(out, "intensities as reported", columns, 1);
    for (size_t i = 0; i < known->count && i < HTML_ROWS_MAX; i++) {
        const struct intensity *item = &known->items[i];
        html_row(out, minute((double)item->start_realtime_s, text));
        html_cell_figure(out, grams, item->kgco2eq_per_kwh, "hourly.intensities.%zu.kgco2eq_per_kwh", i);
        html_cell(out, minute((double)item->end_realtime_s, text));
        html_cell(out, intensity_kind_name(item->kind));
        html_row_end(out);
    }
    html_table_end(out);
    html_rows_left_out(out, known->count > HTML_ROWS_MAX ? known->count - HTML_ROWS_MAX : 0, "intensities");
}

static void write_source(FILE *out, const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;

    html_terms(out);
    html_term(out, "service", by_hour->source.title);
    html_term(out, "zone", by_hour->source.zone);
    html_term(out, "licence", by_hour->source.licence);
    html_term_open(out, "intensity, weighted by gross energy");
    html_figure(out, grams, by_hour->gross_kgco2eq_per_kwh, "emissions.gross.kgco2eq_per_kwh");
    html_term_end(out);
    html_term_open(out, "gross by the factor of the year instead");
    fputs(report->summary.at_least ? "at least " : "", out);
    html_figure(out, units_mass, by_hour->yearly_gross_kgco2eq, "hourly.yearly.gross_kgco2eq");
    html_term_end(out);
    html_terms_end(out);
}

void html_hours(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);
    uint64_t from_ns, to_ns;
    struct text text;

    text_open(&text, 4096);
    hourly_terms(report, &text);
    html_paragraph_of(out, NULL, &text);
    if (by_hour_span(report, &from_ns, &to_ns)) {
        if (report->by_hour.known->count)
            draw_intensities(out, report, s_from_ns(from_ns), s_from_ns(to_ns));
        write_rows(out, report, from_ns, to_ns);
    }
    if (report->by_hour.known->count)
        write_intensities(out, report->by_hour.known);
    write_source(out, report);
}
