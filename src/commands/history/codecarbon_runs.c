/* SPDX-License-Identifier: MIT
 * What the rows of one table have to do with each other. CodeCarbon writes a row at each flush and at the end, and each
 * holds all since the start of the run: their sum would count the energy several times. */
#include "commands/history/codecarbon.h"

#include "base/text.h"
#include "base/units.h"
#include "io/content_id.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are reported to the second, durations exactly. */
#define SLACK_S 2.0

static const char *text_of(const struct codecarbon_run *run, enum codecarbon_column column)
{
    return run->texts[column] ? run->texts[column] : "";
}

/* A row that carbon itself has added: its run is a record of carbon, whose id it has. */
static bool is_own(const struct codecarbon_run *run)
{
    const char *id = text_of(run, CODECARBON_RUN_ID);

    return strncmp(text_of(run, CODECARBON_VERSION), "carbon ", 7) == 0 && strlen(id) == 36 &&
           strspn(id, "0123456789abcdef-") == 36;
}

/* A run has an id since the second generation; with the time and how long it had lasted that is one row. Figures are
 * taken to 12 digits: a table that was read and written again by another program is the same table. */
void codecarbon_identify(struct codecarbon_run *run)
{
    const bool named = *text_of(run, CODECARBON_RUN_ID);
    char duration[TEXT_NUMBER_SIZE], energy[TEXT_NUMBER_SIZE], mass[TEXT_NUMBER_SIZE];
    const char *texts[] = {
        "codecarbon",
        text_of(run, CODECARBON_TIMESTAMP),
        text_of(run, CODECARBON_RUN_ID),
        text_rounded(run->reported.duration_s, duration),
        named ? "" : text_of(run, CODECARBON_PROJECT_NAME),
        named ? "" : text_of(run, CODECARBON_EXPERIMENT_ID),
        named ? "" : text_rounded(run->reported.kwh, energy),
        named ? "" : text_rounded(run->reported.kgco2eq, mass),
    };

    if (is_own(run))
        text_copy(run->id, sizeof run->id, text_of(run, CODECARBON_RUN_ID));
    else
        content_id(texts, sizeof texts / sizeof texts[0], run->id);
}

static int by_id(const void *a, const void *b)
{
    const struct codecarbon_run *of_a = *(struct codecarbon_run *const *)a, *of_b = *(struct codecarbon_run *const *)b;
    const int order = strcmp(of_a->id, of_b->id);

    return order ? order : (of_a->line > of_b->line) - (of_a->line < of_b->line);
}

static int by_run(const void *a, const void *b)
{
    const struct codecarbon_run *of_a = *(struct codecarbon_run *const *)a, *of_b = *(struct codecarbon_run *const *)b;
    const int order = strcmp(text_of(of_a, CODECARBON_RUN_ID), text_of(of_b, CODECARBON_RUN_ID));

    return order ? order : (of_a->line > of_b->line) - (of_a->line < of_b->line);
}

static bool of_one_run(const struct codecarbon_run *a, const struct codecarbon_run *b)
{
    return strcmp(text_of(a, CODECARBON_RUN_ID), text_of(b, CODECARBON_RUN_ID)) == 0;
}

static double start_s(const struct codecarbon_run *run)
{
    return s_from_ns(run->ended_realtime_ns) - run->reported.duration_s;
}

static bool fell(double now, double before)
{
    return now < before;
}

/* The later one holds the earlier one: both began at the same time, or it began while that went on; and nothing is less
 * than it was. A run of its own begins when that had ended. */
static bool holds(const struct codecarbon_run *later, const struct codecarbon_run *earlier)
{
    const double between_s = start_s(later) - start_s(earlier);
    const bool at_once = fabs(between_s) <= SLACK_S, within = between_s < earlier->reported.duration_s - SLACK_S;

    return (at_once || within) && later->ended_realtime_ns >= earlier->ended_realtime_ns &&
           !fell(later->reported.duration_s, earlier->reported.duration_s) &&
           !fell(later->reported.kwh, earlier->reported.kwh) &&
           !fell(later->reported.kgco2eq, earlier->reported.kgco2eq);
}

/* One part may have fallen where the whole has not: its share of what was added is unknown then. */
static double grown(double now, double before)
{
    return now >= before ? now - before : NAN;
}

static void go_on_from(struct codecarbon_run *later, const struct codecarbon_run *earlier)
{
    later->goes_on_from = earlier->line;
    later->added = (struct codecarbon_figures){
        .duration_s = grown(later->reported.duration_s, earlier->reported.duration_s),
        .cpu_kwh = grown(later->reported.cpu_kwh, earlier->reported.cpu_kwh),
        .gpu_kwh = grown(later->reported.gpu_kwh, earlier->reported.gpu_kwh),
        .ram_kwh = grown(later->reported.ram_kwh, earlier->reported.ram_kwh),
        .kwh = grown(later->reported.kwh, earlier->reported.kwh),
        .kgco2eq = grown(later->reported.kgco2eq, earlier->reported.kgco2eq),
    };
}

static void mark_repeats(struct codecarbon_run **runs, size_t count)
{
    qsort(runs, count, sizeof *runs, by_id);
    for (size_t i = 1; i < count; i++)
        if (strcmp(runs[i]->id, runs[i - 1]->id) == 0)
            runs[i]->repeats = runs[i - 1]->repeats ? runs[i - 1]->repeats : runs[i - 1]->line;
}

/* A row without figures is passed over: the next one goes on from the last that has them. */
static bool can_relate(const struct codecarbon_run *run)
{
    return !run->repeats && !isnan(run->reported.kwh) && !isnan(run->reported.duration_s);
}

/* Rows without the id of a run may belong together and may not: that is reported, and each is kept whole. */
static void mark_runs(struct codecarbon_file *file, struct codecarbon_run **runs, size_t count)
{
    const struct codecarbon_run *last = NULL;

    qsort(runs, count, sizeof *runs, by_run);
    for (size_t i = 0; i < count; i++) {
        if (!can_relate(runs[i]))
            continue;
        if (last && of_one_run(runs[i], last) && holds(runs[i], last)) {
            if (*text_of(runs[i], CODECARBON_RUN_ID))
                go_on_from(runs[i], last);
            else
                notice_add(&file->notices, NOTICE_DUPLICATE,
                           "without the ID of a run it is unknown whether one includes the other", "",
                           "the rows of lines %zu and %zu began together", last->line, runs[i]->line);
        }
        last = runs[i];
    }
}

bool codecarbon_relate(struct codecarbon_file *file, struct error *err)
{
    struct codecarbon_run **runs = reallocarray(NULL, file->count + 1, sizeof *runs);

    if (!runs)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", file->path);
    for (size_t i = 0; i < file->count; i++)
        runs[i] = &file->runs[i];
    mark_repeats(runs, file->count);
    mark_runs(file, runs, file->count);
    free(runs);
    return true;
}
