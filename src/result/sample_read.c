/* SPDX-License-Identifier: MIT
 * Reading a time series back. */
#include "result/sample_read.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counters are updated about every millisecond: two readings closer than that give no power. */
#define MIN_STEP_S 0.002

enum { TIMESTAMP, TIME_S, PHASE, RUN, FIXED_COLUMNS };

static const char *const fixed_columns[] = { "timestamp", "time_s", "phase", "run" };

/* While the file is read. */
struct thinning {
    struct sample_series *series;
    size_t stride; /* one of this many samples is kept */
    double last_time_s;
    double last_energy_j[CSV_MAX_COLUMNS]; /* of the last sample, NAN where it has none */
    double last_unknown_s[CSV_MAX_COLUMNS];
    bool last_stored, last_opens; /* a window */
    /* the last reading of each domain */
    double read_time_s[CSV_MAX_COLUMNS], read_energy_j[CSV_MAX_COLUMNS];
    bool read[CSV_MAX_COLUMNS];
};

static bool take_header(struct sample_series *series, const struct csv_row *row, struct error *err)
{
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (i >= row->count || strcmp(row->fields[i], fixed_columns[i]) != 0) {
            error_set(err, ERROR_BAD_DATA, "'%s' is not a time series of carbon", row->path);
            if (strcmp(row->fields[0], "schema") == 0)
                error_why(err, "it is a table of results, as --csv writes it");
            else
                error_why(err, "its column %zu is not '%s'", i + 1, fixed_columns[i]);
            return error_fix(err, "give what --samples or --json of 'carbon measure' has written");
        }
    series->has_holes = strcmp(row->fields[row->count - 1], SAMPLE_HOLES_COLUMN) == 0;
    series->domain_count = row->count - FIXED_COLUMNS - series->has_holes;
    for (size_t i = 0; i < series->domain_count; i++) {
        const char *name = row->fields[FIXED_COLUMNS + i];
        const size_t length = strlen(name);

        if (length < 4 || strcmp(name + length - 3, "_uj") != 0)
            return csv_bad_field(row, FIXED_COLUMNS + i, name, err, "the name of an energy ends in _uj");
        utf8_printable(series->names[i], sizeof series->names[i], name);
        if (length < sizeof series->names[i])
            series->names[i][length - 3] = '\0';
    }
    series->time_s = calloc(SAMPLE_POINTS + 1, sizeof *series->time_s);
    series->energy_j = calloc((SAMPLE_POINTS + 1) * (series->domain_count + 1), sizeof *series->energy_j);
    series->unknown_s = calloc((SAMPLE_POINTS + 1) * (series->domain_count + 1), sizeof *series->unknown_s);
    series->between = calloc(SAMPLE_POINTS + 1, sizeof *series->between);
    return (series->time_s && series->energy_j && series->unknown_s && series->between) ||
           error_set(err, ERROR_SYSTEM, "no memory to read '%s'", row->path);
}

static enum sample_phase phase_of(const char *name)
{
    static const char *const names[] = { "baseline", "warmup", "run" };
    enum sample_phase phase = SAMPLE_BASELINE;

    while (phase < SAMPLE_OTHER && strcmp(names[phase], name) != 0)
        phase++;
    return phase;
}

static bool take_window(struct thinning *thinning, const struct csv_row *row, double time_s, struct error *err)
{
    struct sample_series *series = thinning->series;
    struct sample_window *last = series->window_count ? &series->windows[series->window_count - 1] : NULL;
    const char *name = row->fields[PHASE];
    uint64_t number;

    if (!*name || strlen(name) >= sizeof last->name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")])
        return csv_bad_field(row, PHASE, "phase", err, "not a name of a phase");
    if (!text_to_u64(row->fields[RUN], &number))
        return csv_bad_field(row, RUN, "run", err, "not a whole number");
    if (last && strcmp(last->name, name) == 0 && last->number == number) {
        last->end_s = time_s;
        thinning->last_opens = false;
        return true;
    }
    if (series->window_count == SAMPLE_WINDOWS)
        return csv_bad_field(row, PHASE, "phase", err, "there are more windows than carbon measures");
    last = array_next(series->windows, series->window_count, sizeof *last);
    if (!last)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", row->path);
    series->windows = last;
    last += series->window_count++;
    *last = (struct sample_window){
        .phase = phase_of(name),
        .number = (size_t)number,
        .start_s = time_s,
        .end_s = time_s,
    };
    text_copy(last->name, sizeof last->name, name);
    thinning->last_opens = true;
    return true;
}

static double *energy_at(const struct sample_series *series, size_t point)
{
    return series->energy_j + point * series->domain_count;
}

static double *unknown_at(const struct sample_series *series, size_t point)
{
    return series->unknown_s + point * series->domain_count;
}

/* A sensor is not read at every sample: between two readings the power is their mean. Where the energy has not grown
 * meanwhile the domain may have been lost, and nothing is known. */
static void fill_before(struct thinning *thinning, size_t domain, double time_s, double energy_j)
{
    struct sample_series *series = thinning->series;
    const double since_s = thinning->read_time_s[domain], since_j = thinning->read_energy_j[domain];

    if (!thinning->read[domain] || energy_j <= since_j)
        return;
    for (size_t i = series->point_count; i-- > 0 && series->time_s[i] > since_s;) {
        if (!isnan(energy_at(series, i)[domain]))
            break;
        energy_at(series, i)[domain] =
            since_j + (energy_j - since_j) * (series->time_s[i] - since_s) / (time_s - since_s);
    }
}

static bool take_energies(struct thinning *thinning, const struct csv_row *row, double time_s, struct error *err)
{
    struct sample_series *series = thinning->series;

    for (size_t i = 0; i < series->domain_count; i++) {
        const char *field = row->fields[FIXED_COLUMNS + i];
        uint64_t uj;

        thinning->last_energy_j[i] = NAN;
        if (!*field)
            continue;
        if (!text_to_u64(field, &uj))
            return csv_bad_field(row, FIXED_COLUMNS + i, series->names[i], err, "not a whole number of microjoules");
        const double energy_j = j_from_uj(uj);
        if (thinning->read[i] && energy_j < thinning->read_energy_j[i])
            return csv_bad_field(row, FIXED_COLUMNS + i, series->names[i], err, "the energy is less than before");
        fill_before(thinning, i, time_s, energy_j);
        series->moved[i] |= thinning->read[i] && energy_j > thinning->read_energy_j[i];
        thinning->read[i] = true;
        thinning->read_time_s[i] = time_s;
        thinning->read_energy_j[i] = thinning->last_energy_j[i] = energy_j;
    }
    return true;
}

static bool take_holes(struct thinning *thinning, const struct csv_row *row, struct error *err)
{
    const struct sample_series *series = thinning->series;
    const char *at = series->has_holes ? row->fields[FIXED_COLUMNS + series->domain_count] : "";
    struct sample_hole hole;

    while (*at) {
        if (!(at = sample_hole_take(at, &hole)))
            return csv_bad_field(row, FIXED_COLUMNS + series->domain_count, SAMPLE_HOLES_COLUMN, err,
                                 "a hole is 'DOMAIN REASON SECONDS'");
        for (size_t i = 0; i < series->domain_count; i++)
            if (strcmp(series->names[i], hole.column) == 0)
                thinning->last_unknown_s[i] = s_from_ns(hole.unknown_ns);
    }
    return true;
}

/* The last point but the first of a window gives way to one that follows at once. */
static bool replaces_point(const struct thinning *thinning)
{
    const struct sample_series *series = thinning->series;
    const size_t count = series->point_count;

    return count > 1 && !thinning->last_opens && !series->between[count - 1] &&
           thinning->last_time_s - series->time_s[count - 1] < MIN_STEP_S;
}

static void keep_last(struct thinning *thinning)
{
    struct sample_series *series = thinning->series;

    if (replaces_point(thinning))
        series->point_count--;
    series->time_s[series->point_count] = thinning->last_time_s;
    series->between[series->point_count] = thinning->last_opens && thinning->stride == 1;
    memcpy(energy_at(series, series->point_count), thinning->last_energy_j,
           series->domain_count * sizeof *series->energy_j);
    memcpy(unknown_at(series, series->point_count), thinning->last_unknown_s,
           series->domain_count * sizeof *series->unknown_s);
    series->point_count++;
    thinning->last_stored = true;
}

/* Every second point goes. */
static void thin(struct thinning *thinning)
{
    struct sample_series *series = thinning->series;

    for (size_t i = 0; 2 * i < series->point_count; i++) {
        series->time_s[i] = series->time_s[2 * i];
        series->between[i] = false;
        memmove(energy_at(series, i), energy_at(series, 2 * i), series->domain_count * sizeof *series->energy_j);
        memmove(unknown_at(series, i), unknown_at(series, 2 * i), series->domain_count * sizeof *series->unknown_s);
    }
    series->point_count = (series->point_count + 1) / 2;
    thinning->stride *= 2;
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct thinning *thinning = context;
    struct sample_series *series = thinning->series;
    double time_s;

    if (row->line == 1)
        return take_header(series, row, err);
    if (!text_to_number(row->fields[TIME_S], &time_s))
        return csv_bad_field(row, TIME_S, "time_s", err, "not a number of seconds");
    if (series->sample_count > 0 && time_s < thinning->last_time_s)
        return csv_bad_field(row, TIME_S, "time_s", err, "it is before the line above");
    if (series->sample_count == 0 && !clock_of_text(row->fields[TIMESTAMP], &series->realtime_ns))
        series->realtime_ns = 0;
    if (!take_window(thinning, row, time_s, err))
        return false;
    if (series->sample_count > 0 && time_s == thinning->last_time_s)
        return true;
    if (!take_energies(thinning, row, time_s, err) || !take_holes(thinning, row, err))
        return false;
    thinning->last_time_s = time_s;
    thinning->last_stored = false;
    if (series->sample_count++ % thinning->stride == 0)
        keep_last(thinning);
    if (series->point_count == SAMPLE_POINTS)
        thin(thinning);
    return true;
}

bool sample_read(const char *path, struct sample_series *series, struct error *err)
{
    struct thinning *thinning = calloc(1, sizeof *thinning);
    bool good;

    *series = (struct sample_series){ .point_count = 0 };
    if (!thinning)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    thinning->series = series;
    thinning->stride = 1;
    good = csv_read(path, on_row, thinning, err);
    if (good && series->sample_count > 0 && !thinning->last_stored)
        keep_last(thinning);
    free(thinning);
    if (!good && err && err->kind == ERROR_BAD_DATA && !err->fix[0])
        error_fix(err, "where carbon was killed while it wrote the last line, remove that line");
    if (!good || series->sample_count > 1)
        return good;
    error_set(err, ERROR_BAD_DATA, "'%s' holds %zu sample%s", path, series->sample_count,
              series->sample_count == 1 ? "" : "s");
    error_why(err, "power is the energy between two samples");
    return error_fix(err, "measure again, with a shorter --interval");
}

void sample_close(struct sample_series *series)
{
    free(series->time_s);
    free(series->between);
    free(series->energy_j);
    free(series->unknown_s);
    free(series->windows);
    *series = (struct sample_series){ .point_count = 0 };
}

bool sample_is_drawn(const struct sample_series *series, size_t point)
{
    const double *time_s = series->time_s;
    const size_t last = series->point_count - 1;

    return last < 2 || point >= last ||
           time_s[point + 1] - time_s[point] >= (time_s[last] - time_s[0]) / (double)last / 4;
}

double sample_power_w(const struct sample_series *series, size_t domain, size_t point)
{
    double known_s;

    if (point + 1 >= series->point_count || !series->moved[domain] || series->between[point + 1])
        return NAN;
    known_s = series->time_s[point + 1] - series->time_s[point] -
              (unknown_at(series, point + 1)[domain] - unknown_at(series, point)[domain]);
    if (!(known_s > 0))
        return NAN;
    return (energy_at(series, point + 1)[domain] - energy_at(series, point)[domain]) / known_s;
}
