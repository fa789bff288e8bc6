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

/* The last row of a run, from which the next one may go on. */
struct last_row {
    size_t line;
    uint64_t ended_realtime_ns;
    struct codecarbon_figures reported;
};

static double start_s(uint64_t ended_realtime_ns, double duration_s)
{
    return s_from_ns(ended_realtime_ns) - duration_s;
}

static bool fell(double now, double before)
{
    return now < before;
}

/* The later one holds the earlier one: both began at the same time, or it began while that went on; and nothing is less
 * than it was. A run of its own begins when that had ended. */
static bool holds(const struct codecarbon_run *later, const struct last_row *earlier)
{
    const double between_s = start_s(later->ended_realtime_ns, later->reported.duration_s) -
                             start_s(earlier->ended_realtime_ns, earlier->reported.duration_s);
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

static void go_on_from(struct codecarbon_run *later, const struct last_row *earlier)
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

/* A row without figures is passed over: the next one goes on from the last that has them. */
static bool can_relate(const struct codecarbon_run *run)
{
    return !run->repeats && !isnan(run->reported.kwh) && !isnan(run->reported.duration_s);
}

/* Rows without the id of a run may belong together and may not: that is reported, and each is kept whole. */
static void go_on(struct codecarbon_run *run, const struct last_row *last, struct notices *notices)
{
    if (!holds(run, last))
        return;
    if (*text_of(run, CODECARBON_RUN_ID))
        go_on_from(run, last);
    else
        notice_add(notices, NOTICE_DUPLICATE, "without the ID of a run it is unknown whether one includes the other",
                   "", "the rows of lines %zu and %zu began together", last->line, run->line);
}

static bool mark_repeat(struct codecarbon_relations *relations, struct codecarbon_run *run, struct error *err)
{
    bool found;

    return disk_map_find(&relations->ids, run->id, &run->repeats, &found, err) &&
           (found || disk_map_put(&relations->ids, run->id, &run->line, err));
}

bool codecarbon_relate(struct codecarbon_relations *relations, struct codecarbon_run *run, struct notices *notices,
                       struct error *err)
{
    const char *id = text_of(run, CODECARBON_RUN_ID);
    struct last_row last;
    bool found;

    if (!mark_repeat(relations, run, err))
        return false;
    if (!can_relate(run))
        return true;
    if (!disk_map_find(&relations->runs, id, &last, &found, err))
        return false;
    if (found)
        go_on(run, &last, notices);
    last =
        (struct last_row){ .line = run->line, .ended_realtime_ns = run->ended_realtime_ns, .reported = run->reported };
    return disk_map_put(&relations->runs, id, &last, err);
}

bool codecarbon_relate_open(struct codecarbon_relations *relations, size_t lines, struct error *err)
{
    *relations = (struct codecarbon_relations){ .ids = { .fd = -1 }, .runs = { .fd = -1 } };
    return disk_map_open(&relations->ids, lines, sizeof(size_t), err) &&
           disk_map_open(&relations->runs, lines, sizeof(struct last_row), err);
}

void codecarbon_relate_close(struct codecarbon_relations *relations)
{
    disk_map_close(&relations->ids);
    disk_map_close(&relations->runs);
}
