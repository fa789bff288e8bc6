/* SPDX-License-Identifier: MIT
 * What a pattern becomes: a program whose threads take a line's bytes one by one. pattern_read.c makes it of the text,
 * pattern.c runs it over a line. Used by pattern.c and pattern_read.c. Begin with pattern_read(). */
#ifndef RUN_PATTERN_PROGRAM_H
#define RUN_PATTERN_PROGRAM_H

#include "base/c_locale.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PATTERN_MAX = 1000, PATTERN_STEPS_MAX = 4000 }; /* bytes of a pattern; its steps, repeats written out */

enum operation { TAKE, SPLIT, GO, KEEP, LINE_BEGIN, LINE_END, WORD, NO_WORD, WORD_BEGIN, WORD_END, FOUND };

/* Of bytes. */
struct byte_set {
    uint8_t bits[32];
};

struct instruction {
    enum operation operation;
    int to, other;       /* GO, SPLIT: the first is tried first; KEEP: the place */
    struct byte_set set; /* TAKE */
};

/* Where the whole and its first group begin and end; -1: not yet. */
struct places {
    int at[4];
};

struct pattern_thread {
    int at;
    struct places places;
};

struct threads {
    struct pattern_thread *items;
    size_t count;
};

struct pattern {
    struct instruction program[PATTERN_STEPS_MAX];
    int count;
    struct threads now, next;
    size_t *seen; /* by instruction: the step in which a thread came there */
    size_t step;
};

static inline bool is_word_byte(unsigned char byte)
{
    return c_isalnum((char)byte) || byte == '_';
}

/* Fills the program; its last instruction is FOUND. False: not an expression, or it has too many steps. */
bool pattern_read(struct pattern *pattern, const char *text, struct error *err) MUST_CHECK;

#endif
