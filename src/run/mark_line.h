/* SPDX-License-Identifier: MIT
 * From bytes that a job writes to the names of its phases: lines, however they are cut, and the characters of a name.
 * Used by app/options/measuring_options.c and marks.h. Begin with mark_line_add(). */
#ifndef RUN_MARK_LINE_H
#define RUN_MARK_LINE_H

#include "run/pattern.h"

#include <stddef.h>

enum {
    MARK_NAME_SIZE = 64,
    /* What is kept of a line. No more of it is matched: carbon has a meter to read. */
    MARK_LINE_SIZE = 4096,
};

/* A line while it comes in; zeroed at first. */
struct mark_line {
    char text[MARK_LINE_SIZE];
    size_t length;
    bool ended; /* the text is a whole line, as a string */
};

/* Adds bytes up to the first of the characters in `ends`, and returns their number; line->ended: whether it
 * was found. A NUL becomes '?'; bytes that do not fit into the line are dropped. */
size_t mark_line_add(struct mark_line *line, const char *bytes, size_t count, const char *ends);

/* The name in a part of a string: without blanks around it, UTF-8, '?' for invalid bytes and unprintable characters,
 * at most 63 bytes. */
void mark_name(const char *text, size_t length, char name[MARK_NAME_SIZE]);

/* The name that a line gives: the pattern's first group where that takes part, else what it matches as a whole. */
bool mark_pattern_match(struct pattern *pattern, const char *line, char name[MARK_NAME_SIZE]);

#endif
