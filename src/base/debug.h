/* SPDX-License-Identifier: MIT
 * Debug messages: readings, answers and the reasons of choices, one line each. Off until a
 * program asks for areas (app/debug.c does so for --debug and CARBON_DEBUG; libcarbon never does), and then costs one
 * branch a place. No line contains a secret: the code that makes the line omits it (io/secret.h for URLs).
 * Used in most rooms of the program. Begin with debug_areas_of(). */
#ifndef BASE_DEBUG_H
#define BASE_DEBUG_H

#include "base/error.h"

enum debug_area {
    DEBUG_SETTINGS,  /* each value, and where it comes from */
    DEBUG_FILES,     /* what is opened to be read */
    DEBUG_LIBRARIES, /* what is opened with dlopen */
    DEBUG_SOURCES,   /* what each driver answered, and its domains */
    DEBUG_FACTORS,   /* which row won, and over which */
    DEBUG_HTTP,      /* what was asked of whom, engines of containers too */
    DEBUG_LEDGER,
    DEBUG_TARGET, /* what runs already */
    DEBUG_RUN,    /* commands that are started */
    DEBUG_AREAS,
};

/* "settings", ... */
extern const char *const debug_area_names[DEBUG_AREAS + 1];

/* "files,http" or "all" as a set of bits. False: no area is called so; err lists them. */
bool debug_areas_of(const char *text, unsigned *areas, struct error *err) MUST_CHECK;

/* Where a line goes; it has no line end. */
typedef void debug_taker(enum debug_area area, const char *line);

/* Enables these areas. Call before any thread is started. */
void debug_begin(unsigned areas, debug_taker *taker);

extern unsigned debug_wanted; /* for the two below */
void debug_tell(enum debug_area area, const char *format, ...) PRINTF_LIKE(2, 3);

static inline bool debug_is_on(enum debug_area area)
{
    return __builtin_expect(debug_wanted != 0, 0) && (debug_wanted & 1U << area);
}

/* The arguments are not looked at when it is off. errno stays. */
#define DEBUG(area, ...) (debug_is_on(area) ? debug_tell(area, __VA_ARGS__) : (void)0)

/* What was opened to be read; or by errno why it was not. */
void debug_file(const char *path, bool opened);

#endif
