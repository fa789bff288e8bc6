/* SPDX-License-Identifier: MIT
 * The power of graphics cards by gpu_power.csv: a line from idle to rated power. */
#include "power/gpu_power.h"

#include "base/c_locale.h"
#include "base/near.h"
#include "base/shipped.h"
#include "base/text.h"
#include "power/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Idle power over the rating: the middle, least and greatest of the cards of which both are known. */
#define IDLE_SHARE 0.117
#define IDLE_SHARE_LOW 0.038
#define IDLE_SHARE_HIGH 0.389

enum { MODEL, TDP, IDLE, IDLE_MIN, IDLE_MAX, SOURCE, COLUMNS };
static const char *const column_names[] = { "model", "tdp_watts", "idle_watts", "idle_min", "idle_max", "source_id" };

struct gpu_power_reading {
    int column[COLUMNS];
    const char *name;
    struct gpu_power best;
    size_t fewest; /* words of the best */
    bool idle_stated, several;
    struct near_names near; /* should none have the words */
};

static double watts_of(const struct csv_row *line, const struct gpu_power_reading *reading, int column,
                       double otherwise)
{
    double w;

    return text_to_number(line->fields[reading->column[column]], &w) ? w : otherwise;
}

/* With or without its maker. */
static void take_near(struct gpu_power_reading *reading, const char *model)
{
    for (const char *from = model; from; from = strchr(from, ' ')) {
        from += strspn(from, " ");
        near_add(&reading->near, model, text_distance(reading->name, from));
    }
}

/* Fewer words before more, a row with idle power before one without. */
static void take_row(const struct csv_row *line, struct gpu_power_reading *reading, const char *model, double tdp_w)
{
    const double idle_w = watts_of(line, reading, IDLE, NAN);
    const size_t count = words_count(model);
    const bool again = reading->best.model[0] && strcmp(reading->best.model, model) == 0;

    if (reading->best.model[0] && (count > reading->fewest || (again && (reading->idle_stated || isnan(idle_w)))))
        return;
    reading->several = reading->best.model[0] && !again && count == reading->fewest;
    if (reading->several)
        return;
    reading->fewest = count;
    reading->idle_stated = !isnan(idle_w);
    text_copy(reading->best.model, sizeof reading->best.model, model);
    reading->best.full_w = tdp_w;
    reading->best.idle_w = reading->idle_stated ? idle_w : IDLE_SHARE * tdp_w;
    reading->best.idle_low_w = watts_of(line, reading, IDLE_MIN, IDLE_SHARE_LOW * tdp_w);
    reading->best.idle_high_w = watts_of(line, reading, IDLE_MAX, IDLE_SHARE_HIGH * tdp_w);
    c_snprintf(reading->best.how, sizeof reading->best.how, "%g W rated, %.3g W idle%s (%s)", tdp_w,
               reading->best.idle_w, reading->idle_stated ? "" : " by other cards",
               line->fields[reading->column[SOURCE]]);
}

static bool on_line(const struct csv_row *line, void *context, struct error *err)
{
    struct gpu_power_reading *reading = context;
    double tdp_w;

    if (line->line == 1)
        return csv_columns(line, column_names, COLUMNS, reading->column, err);
    const char *model = line->fields[reading->column[MODEL]];
    if (!text_to_number(line->fields[reading->column[TDP]], &tdp_w) || !(tdp_w > 0))
        return csv_bad_field(line, (size_t)reading->column[TDP], column_names[TDP], err, "'%s' is not a power",
                             line->fields[reading->column[TDP]]);
    take_near(reading, model);
    if (words_within(reading->name, model))
        take_row(line, reading, model, tdp_w);
    return true;
}

bool gpu_power_find(const char *name, struct gpu_power *power, struct error *err)
{
    struct gpu_power_reading reading = { .name = name };

    if (!shipped_read("gpu_power.csv", NULL, on_line, &reading, err))
        return false;
    *power = reading.best;
    if (power->model[0] && !reading.several)
        return true;
    error_set(err, ERROR_USAGE, "%s graphics card '%s'", reading.several ? "more than one is a" : "unknown", name);
    error_why(err, reading.several ? "several models of gpu_power.csv have these words"
                                   : "its model is not in gpu_power.csv");
    return error_fix(err, "a close one is '%s'; or give its --power",
                     reading.several ? power->model : reading.near.items[0].name);
}
