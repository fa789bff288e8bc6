/* SPDX-License-Identifier: MIT
 * `carbon sources --watch`: live power, for people and for machines. Used throughout commands/sources. Begin with
 * watch_check_options(). */
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

/* ERROR_USAGE: options that need --watch, or values out of its range. */
bool watch_check_options(const struct settings *settings, struct error *err) MUST_CHECK;

/* Shows the power of the sources until it is interrupted, its reader goes away or --count is reached; all three are
 * a success. */
bool watch_sources(struct sources *sources, const struct settings *settings, struct error *err) MUST_CHECK;

/* One update, ready for display. */
struct watch_view {
    const struct sources *sources;
    const struct sample *sample;
    struct power_update update;
    uint64_t realtime_ns;
    struct counting countings[SCOPE_COUNT]; /* the counted domains of each scope; scopes are never added to each other
                                             */
    struct power_figures totals[SCOPE_COUNT];
    struct notices notices;
};

struct watch_style {
    bool colour;
    const char *mark; /* mark of a counted domain */
    int width;        /* columns; 0: no limit */
};

/* Lines for people: a row for every domain, the totals, the warnings. */
void watch_write_text(const struct watch_view *view, const struct watch_style *style, FILE *out);

/* One line of JSON. */
bool watch_write_json(const struct watch_view *view, FILE *out, struct error *err) MUST_CHECK;

/* A block of lines that is drawn over itself. */
struct screen {
    int lines, columns; /* of the current block; 0 lines: begin a new one below */
};

/* Lines that are too wide are cut, so that each takes one row. If the terminal has too few rows for the block, or
 * became so narrow that its lines wrap, the block is drawn again below. */
void screen_draw(struct screen *screen, const char *text, int width, int height, FILE *out);

#endif
