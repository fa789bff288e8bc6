/* SPDX-License-Identifier: MIT
 * Boards and small computers that were measured at their plugs, whole: single-board computers, Apple's, Arm servers. */
#include "power/cpu_search.h"

#include "base/shipped.h"
#include "base/text.h"
#include "power/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Idle power over that under load, the middle one of the boards of which both are known, and the least and greatest. */
#define IDLE_SHARE 0.32
#define IDLE_SHARE_LOW 0.05
#define IDLE_SHARE_HIGH 0.85

/* What the supply and the rest of the board have of its idle power: something between nothing and all of it. */
#define REST_SHARE 0.5

/* The processor has at least this part of its idle power. */
#define MIN_SHARE 0.1

/* A whole board of the same kind, with other disks, memory and supply. */
#define BOARD_LOW 0.75

struct board {
    char name[96], source_id[48];
    double idle_w, busy_w, max_w; /* idle_w NAN: not known */
};

enum { BOARD, SOC, IDLE, STRESS, LINPACK, SOURCE, COLUMNS };
static const char *const column_names[] = { "board", "soc", "w_idle", "w_stress", "w_hpl", "source_id" };

struct board_power_reading {
    int column[COLUMNS];
    const char *model; /* the name in firmware: it contains the board's words; or NULL */
    const char *typed; /* as a person writes it: its words are among the board's; or NULL */
    struct board best;
    size_t words; /* words of the best match */
};

static bool take_watts(const struct csv_row *line, const struct board_power_reading *reading, int column, double *w,
                       struct error *err)
{
    const char *text = line->fields[reading->column[column]];

    *w = NAN;
    return !*text || text_to_number(text, w) ||
           csv_bad_field(line, (size_t)reading->column[column], column_names[column], err, "'%s' is not a number",
                         text);
}

/* Known idle power before unknown, and of firmware's names the longest. */
static bool is_better(const struct board_power_reading *reading, const struct board *board, size_t words)
{
    if (!reading->best.name[0])
        return true;
    if (reading->model && words != reading->words)
        return words > reading->words;
    return isnan(reading->best.idle_w) && !isnan(board->idle_w);
}

static bool on_line(const struct csv_row *line, void *context, struct error *err)
{
    struct board_power_reading *reading = context;
    struct board board;
    char both[192];

    if (line->line == 1)
        return csv_columns(line, column_names, COLUMNS, reading->column, err);
    const char *name = line->fields[reading->column[BOARD]];
    snprintf(both, sizeof both, "%s %s", name, line->fields[reading->column[SOC]]);
    if (reading->model ? !words_within(name, reading->model) : !words_within(reading->typed, both))
        return true;
    if (!take_watts(line, reading, IDLE, &board.idle_w, err) ||
        !take_watts(line, reading, STRESS, &board.busy_w, err) ||
        !take_watts(line, reading, LINPACK, &board.max_w, err))
        return false;
    board.busy_w = isnan(board.busy_w) ? board.max_w : board.busy_w;
    board.max_w = fmax(board.busy_w, board.max_w);
    text_copy(board.name, sizeof board.name, name);
    text_copy(board.source_id, sizeof board.source_id, line->fields[reading->column[SOURCE]]);
    if (!isnan(board.busy_w) && is_better(reading, &board, words_count(name))) {
        reading->best = board;
        reading->words = words_count(name);
    }
    return true;
}

/* The whole board, or the processor's part: at most all of it, and at least slightly more than the power that load
 * adds. */
static void fill_power(const struct board *board, enum boundary boundary, struct cpu_power *power)
{
    const bool guessed = isnan(board->idle_w);
    const double idle_w = guessed ? IDLE_SHARE * board->busy_w : board->idle_w;
    const double low_w = guessed ? IDLE_SHARE_LOW * board->busy_w : BOARD_LOW * idle_w;
    const double high_w = guessed ? IDLE_SHARE_HIGH * board->busy_w : idle_w / BOARD_LOW;
    const double rest_w = boundary == BOUNDARY_PACKAGE ? REST_SHARE * idle_w : 0;

    power->curve = curve_straight(idle_w - rest_w, board->busy_w - rest_w);
    power->high = curve_straight(high_w, fmax(board->max_w, board->busy_w / BOARD_LOW));
    power->low = boundary == BOUNDARY_PACKAGE ? curve_straight(MIN_SHARE * low_w, BOARD_LOW * (board->busy_w - idle_w))
                                              : curve_straight(low_w, BOARD_LOW * board->busy_w);
    power->low_ratio = fmin(power->low.at_w[0] / power->curve.at_w[0],
                            power->low.at_w[CURVE_POINTS - 1] / power->curve.at_w[CURVE_POINTS - 1]);
    power->high_ratio = fmax(power->high.at_w[0] / power->curve.at_w[0],
                             power->high.at_w[CURVE_POINTS - 1] / power->curve.at_w[CURVE_POINTS - 1]);
}

bool board_find(struct search *search, enum boundary boundary, struct cpu_power *power, bool *found, struct error *err)
{
    const struct cpu_identity *identity = search->identity;
    const char *model = identity->board && *identity->board ? identity->board : NULL;
    struct board_power_reading reading = { .model = model,
                                           .typed = identity->named && !model ? identity->model : NULL };
    char id[64];

    *found = false;
    if (identity->by_thread || search->known || (!reading.model && !reading.typed))
        return true;
    if (!shipped_read("board_power.csv", NULL, on_line, &reading, err))
        return false;
    *found = reading.best.name[0];
    if (!*found)
        return true;
    fill_power(&reading.best, boundary, power);
    power->basis = POWER_BOARD;
    text_copy(power->model, sizeof power->model, reading.best.name);
    snprintf(id, sizeof id, "board:%.57s", reading.best.name);
    power_how(power, id, "%s measured at its plug, %.3g W busy (%s)%s", reading.best.name, reading.best.busy_w,
              reading.best.source_id, isnan(reading.best.idle_w) ? ", its idle power guessed" : "");
    return true;
}
