/* SPDX-License-Identifier: MIT
 * A growing string with a ceiling; numbers to and from text, in the C locale always. Used in most rooms of the program.
 * Begin with text_open(). */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Grows up to ceiling bytes; past it (or without memory) text_ok turns false and nothing is
 * added. data is NULL or NUL-terminated. */
struct text {
    char *data;
    size_t length, size, ceiling;
    bool failed;
};

void text_open(struct text *text, size_t ceiling);
void text_close(struct text *text);
void text_add(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_add_bytes(struct text *text, const char *bytes, size_t length); /* as they are; no NUL among them */
static inline bool text_ok(const struct text *text)
{
    return !text->failed;
}

/* "%s" into a field of fixed size, cut where it must be (never in the middle of a UTF-8 sequence). */
void text_copy(char *field, size_t size, const char *from);

/* The same without what logs in (base/redact.h): hidden first, and cut then. */
void text_copy_redacted(char *field, size_t size, const char *from);

/* The first line that is not empty, without white space around it: a program's message. A byte that cannot be printed
 * is '?'. */
void text_first_line(const char *text, char *line, size_t size);

enum { TEXT_NUMBER_SIZE = 32 };

/* The shortest decimal text that reads back as exactly this double ("0.1", "9.683e-06").
 * Not finite: "null". */
const char *text_number(double value, char out[TEXT_NUMBER_SIZE]);

/* For people: the same to 12 digits, so that a sum of decimal figures is one, too (0.4, not 0.3999999999999999). */
const char *text_rounded(double value, char out[TEXT_NUMBER_SIZE]);

/* The whole text must be a number ("1e3", "-2.5"; no "nan", "inf", hex, spaces). */
bool text_to_number(const char *text, double *value) MUST_CHECK;
bool text_to_u64(const char *text, uint64_t *value) MUST_CHECK;

/* FNV-1a, 64 bits: against damage and for names, not against malice. */
uint64_t text_hash(const char *bytes, size_t length);

/* Edit distance without regard to case, two neighbours that changed places being one slip; counts at most 64
 * characters. */
unsigned text_distance(const char *a, const char *b);

#endif
