/* SPDX-License-Identifier: MIT
 * Advice in 80 columns, and in a sentence. */
#include "base/c_locale.h"
#include "commands/when/when.h"

#include "app/options/live_options.h"
#include "app/terminal.h"
#include "base/text.h"
#include "base/units.h"
#include "io/local_time.h"

#include <math.h>

static const char *duration_text(uint64_t duration_s, char out[UNITS_SIZE])
{
    return units_duration((double)duration_s, out);
}

/* "", or the emissions of the job. */
static const char *mass(const struct when *when, double kgco2eq_per_kwh, char out[UNITS_SIZE])
{
    out[0] = '\0';
    return isnan(when->job.energy_j) ? out : units_mass(when_kgco2eq(&when->job, kgco2eq_per_kwh), out);
}

static void print_figures(const struct when *when, double kgco2eq_per_kwh, FILE *out)
{
    char text[UNITS_SIZE];

    if (isnan(kgco2eq_per_kwh))
        fprintf(out, "%13s", "unknown");
    else
        c_fprintf(out, "%13.1f", kgco2eq_per_kwh * G_PER_KG);
    if (!isnan(when->job.energy_j))
        fprintf(out, "%16s", mass(when, kgco2eq_per_kwh, text));
    fputc('\n', out);
}

static void print_start(const struct when *when, const char *name, const struct start_time_choice *start, FILE *out)
{
    const uint64_t start_s = start->start_ns / NS_PER_S_INT;
    char when_text[CLOCK_TEXT_SIZE], duration[UNITS_SIZE], delay[UNITS_SIZE + 4] = "";

    if (start_s > when->now_s)
        snprintf(delay, sizeof delay, "in %s", duration_text(start_s - when->now_s, duration));
    fprintf(out, "%-7s %-25s  %-14s", name, local_time_text(start_s, when_text), delay);
    print_figures(when, start->kgco2eq_per_kwh, out);
}

static void print_zone(const struct when *when, const struct when_zone *zone, FILE *out)
{
    const struct intensities *found = &zone->found;
    char until[CLOCK_TEXT_SIZE], percent[40] = "unknown";

    live_title(&zone->about, found, out);
    fprintf(out, "known until %s\n\n%-7s %-25s  %-14s%13s\n", local_time_text(when_known_until_s(zone), until), "",
            "start", "", "gCO2eq/kWh");
    print_start(when, "now", &zone->shift.now, out);
    print_start(when, "best", &zone->shift.best, out);
    print_start(when, "worst", &zone->shift.worst, out);
    if (!isnan(zone->saving.percent))
        c_snprintf(percent, sizeof percent, "%.1f %%", zone->saving.percent);
    fprintf(out, "%-7s %-41s", "saving", percent);
    print_figures(when, zone->saving.kgco2eq_per_kwh, out);
    fprintf(out, "%-7s %-41s", "error", "");
    print_figures(when, zone->saving.doubt_kgco2eq_per_kwh, out);
    fputc('\n', out);
}

/* "2 h 00 min and 1.30 kWh, PUE 1.2; ended by 2026-11-29 18:30 +0100" */
static void print_job(const struct when *when, FILE *out)
{
    const struct when_job *job = &when->job;
    char text[UNITS_SIZE], until[CLOCK_TEXT_SIZE];

    fprintf(out, "job     %s", units_duration(job->duration_s, text));
    if (!isnan(job->energy_j))
        c_fprintf(out, ", %s kWh, PUE %g", units_digits(job->energy_j / J_PER_KWH, 3, text), job->pue);
    fprintf(out, "; ended by %s\n\n", local_time_text(when->deadline_s, until));
}

/* ": 64 % less, 86.1 gCO2eq ± 22.1 gCO2eq", or by the kilowatt-hour where the energy is not known. */
static void add_saved(const struct when *when, struct text *line)
{
    const struct start_time_saving *saving = &when->saving;
    const double doubt = saving->doubt_kgco2eq_per_kwh;
    char text[UNITS_SIZE];

    text_add(line, ": %.0f %% less, ", saving->percent);
    if (isnan(when->job.energy_j)) {
        text_add(line, "%.1f", saving->kgco2eq_per_kwh * G_PER_KG);
        if (!isnan(doubt))
            text_add(line, " ± %.1f", doubt * G_PER_KG);
        text_add(line, " gCO2eq/kWh");
        return;
    }
    text_add(line, "%s", mass(when, saving->kgco2eq_per_kwh, text));
    if (!isnan(doubt))
        text_add(line, " ± %s", mass(when, doubt, text));
}

void when_add_verdict(const struct when *when, struct text *line)
{
    const struct start_time_saving *saving = &when->saving;
    const bool several = when->count > 1, in_doubt = saving->kgco2eq_per_kwh < saving->doubt_kgco2eq_per_kwh;
    char text[CLOCK_TEXT_SIZE], delay[UNITS_SIZE];

    if (saving->verdict == START_TIME_UNKNOWN) {
        text_add(line, "start now: the saving is unknown");
        return;
    }
    if (saving->verdict == START_TIME_NO_GAIN)
        text_add(line, "no significant saving: ");
    if (when_is_now(when))
        text_add(line, "start now");
    else
        text_add(line, "start at %s (in %s)", local_time_text(when->start_s, text),
                 duration_text(when->start_s - when->now_s, delay));
    if (several)
        text_add(line, " in %s", when->zones[when->best].found.zone);
    if (saving->verdict == START_TIME_GAIN)
        add_saved(when, line);
    else if (saving->kgco2eq_per_kwh > 0)
        text_add(line, " (%.1f %% less at best, %s)", saving->percent,
                 in_doubt ? "below the forecast's error" : "under 5 %");
}

/* One line, but for eyes. */
static void print_verdict(const struct when *when, FILE *out)
{
    struct text line;

    text_open(&line, 1024);
    when_add_verdict(when, &line);
    terminal_wrap(out, line.data ? line.data : "", 0, terminal_page_width(out));
    text_close(&line);
}

void when_table(const struct when *when, FILE *out)
{
    print_job(when, out);
    for (size_t i = 0; i < when->count; i++)
        print_zone(when, &when->zones[i], out);
    print_verdict(when, out);
}
