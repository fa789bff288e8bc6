/* SPDX-License-Identifier: MIT
 * `carbon sources --watch`: live power, for eyes and for machines. */
#ifndef COMMANDS_SOURCES_WATCH_H
#define COMMANDS_SOURCES_WATCH_H

#include "app/options/options.h"
#include "commands/sources/sources_list.h"
#include "measurement/power.h"

#include <stdio.h>

#define WATCH_SCHEMA "carbon.watch/1"
extern const struct schema watch_schema;

#define SCOPE_COUNT (SCOPE_MACHINE + 1)

extern const struct option_spec option_watch, option_count;

/* ERROR_USAGE: options that mean nothing without --watch, or out of its range. */
bool watch_check_options(const struct settings *settings, struct error *err) MUST_CHECK;

/* Shows the power of the sources until it is interrupted, its reader goes away or --count is reached; all three are
 * a success. */
bool watch_sources(struct sources *sources, const struct settings *settings, struct error *err) MUST_CHECK;

/* One update, ready to be shown. */
struct watch_view {
    const struct sources *sources;
    const struct sample *sample;
    struct power_update update;
    uint64_t realtime_ns;
    struct counting countings[SCOPE_COUNT]; /* what each scope would count; none are ever added to each other */
    struct power_figures totals[SCOPE_COUNT];
    struct notices notices;
};

struct watch_style {
    bool colour;
    const char *mark; /* mark of a counted domain */
    int width;        /* columns; 0: as many as it takes */
};

/* Lines for people: a row for every domain, the totals, the doubts. */
void watch_write_text(const struct watch_view *view, const struct watch_style *style, FILE *out);

/* One line of JSON. */
bool watch_write_json(const struct watch_view *view, FILE *out, struct error *err) MUST_CHECK;

/* A block of lines that is drawn again over itself. */
struct screen {
    int lines, columns; /* of the block as it stands; 0 lines: begin a new one below */
};

/* Lines that are too wide are cut, so that each takes one row. Where the terminal is too low for the block, or was
 * made so narrow that its lines are broken, the block is drawn anew below. */
void screen_draw(struct screen *screen, const char *text, int width, int height, FILE *out);

#endif
