/* SPDX-License-Identifier: MIT
 * Extended regular expressions that cannot hang: libc's may take time ("(a*|b)*x" of some forms) or memory
 * ("((a{1,50}){1,50}){1,50}") without bound. This takes both by the lengths of expression and line alone, for it
 * follows all ways at once. No back-references: these cannot be matched in bounded time. Used by
 * commands/indicator/indicator_cputype.c and mark_line.h. Begin with pattern_open(). */
#ifndef RUN_PATTERN_H
#define RUN_PATTERN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* Bytes, in the C locale: | ( ) * + ? {m,n} . [...] [^...] [[:alpha:]] ^ $ \w \W \s \S \b \B \< \>, and \ before any
 * other sign. NULL: ERROR_USAGE says what it is. */
struct pattern *pattern_open(const char *text, struct error *err) MUST_CHECK;
void pattern_close(struct pattern *pattern); /* NULL is well */

/* The leftmost and longest match of the line; begin and end are those of its first group, where that took part, else of
 * the whole. */
bool pattern_find(struct pattern *pattern, const char *line, size_t *begin, size_t *end);

#endif
