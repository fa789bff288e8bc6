/* SPDX-License-Identifier: MIT
 * What a parser of YAML finds wrong, in words for who wrote the file. Used by yaml_read.c. Begin with yaml_explain().
 */
#ifndef IO_YAML_WORDS_H
#define IO_YAML_WORDS_H

#include "base/error.h"

#include <stddef.h>

/* Places count from 1; opened_line is where what could not be ended began, 0: nothing did. */
struct yaml_problem {
    const char *path, *problem; /* the parser's own words */
    const char *at;             /* the text from the place of the problem on */
    const char *line_start;     /* the line that it is in */
    size_t line, column, opened_line;
};

/* Fails always. */
bool yaml_explain(const struct yaml_problem *problem, struct error *err);

#endif
