/* SPDX-License-Identifier: MIT
 * The problems that libyaml names, and what they mean to who wrote the file. */
#include "io/yaml_words.h"

#include "io/yaml_source.h"

#include <stdio.h>
#include <string.h>

struct yaml_words {
    const char *problem; /* how libyaml's begins */
    const char *what;    /* "%zu": the line where it began */
    const char *fix;
};

static const struct yaml_words known[] = {
    { "mapping values are not allowed", "':' is not allowed here",
      "put a text that holds ': ' in quotes, and indent keys of one map alike" },
    { "could not find expected ':'", "this is no 'key: value'", "write 'key: value', with a blank behind the ':'" },
    { "did not find expected ',' or ']'", "the list that begins with '[' in line %zu is not ended",
      "put a ',' between its values and a ']' behind them" },
    { "did not find expected ',' or '}'", "the map that begins with '{' in line %zu is not ended",
      "put a ',' between its members and a '}' behind them" },
    { "did not find expected '-' indicator", "this does not belong to the list that begins in line %zu",
      "indent all of the list's '-' alike" },
    { "did not find expected key", "this does not belong to the map that begins in line %zu",
      "indent all keys of one map alike, and end quotes before anything else follows" },
    { "did not find expected node content", "a value is missing here", "write it, or '' for an empty text" },
    { "found unexpected end of stream", "the quotes that begin in line %zu are not ended", "end them" },
    { "found unexpected document indicator", "the quotes that begin in line %zu are not ended", "end them" },
    { "found unknown escape character", "'\\' begins an unknown escape",
      "in double quotes write '\\\\' for a '\\', or use single quotes" },
    { "did not find expected hexdecimal number", "this escape lacks digits", "write '\\\\' for a '\\'" },
    { "found invalid Unicode character escape code", "this escape is not a character", "write '\\\\' for a '\\'" },
    { "found unexpected ':'", "':' is not allowed here", "put a blank behind it, or the text in quotes" },
    { "block sequence entries are not allowed", "'-' is not allowed here",
      "begin a list in a line of its own, or put the text in quotes" },
    { "block collections are not allowed", "'?' and '-' are not allowed here", "put the text in quotes" },
    { "mapping keys are not allowed", "'?' is not allowed here", "put the text in quotes" },
    { "did not find expected <document start>", "text after the end of the document", "take it away" },
    { "did not find expected alphabetic or numeric character", "anchors and aliases (& and *) are not read here",
      "put a text that begins with '&' or '*' in quotes" },
    { "did not find expected comment or line break", "only a comment is allowed here",
      "put the text in quotes, or in the line below, indented" },
    { "found an indentation indicator equal to 0", "an indentation of 0 is none", "take the 0 away" },
    { "found a tab character", "a tab stands where YAML wants blanks", "indent with blanks" },
};

static bool is_tab_of_indentation(const struct yaml_problem *problem)
{
    const size_t blanks = strspn(problem->line_start, " \t");

    return *problem->at == '\t' || memchr(problem->line_start, '\t', blanks);
}

static bool explain_start(const struct yaml_problem *problem, struct error *err)
{
    yaml_refuse_at(problem->path, problem->line, problem->column, err, "no value can begin with '%c'", *problem->at);
    return error_fix(err, "put the text in quotes");
}

bool yaml_explain(const struct yaml_problem *problem, struct error *err)
{
    char what[160];

    if (is_tab_of_indentation(problem)) {
        yaml_refuse_at(problem->path, problem->line, problem->column, err, "a tab stands where YAML wants blanks");
        return error_fix(err, "indent with blanks");
    }
    if (strcmp(problem->problem, "found character that cannot start any token") == 0 && *problem->at > ' ')
        return explain_start(problem, err);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *place = strstr(known[i].what, "%zu");
        if (strncmp(problem->problem, known[i].problem, strlen(known[i].problem)) != 0)
            continue;
        if (place)
            snprintf(what, sizeof what, "%.*s%zu%s", (int)(place - known[i].what), known[i].what, problem->opened_line,
                     place + strlen("%zu"));
        else
            snprintf(what, sizeof what, "%s", known[i].what);
        yaml_refuse_at(problem->path, problem->line, problem->column, err, "%s", what);
        return error_fix(err, "%s", known[i].fix);
    }
    yaml_refuse_at(problem->path, problem->line, problem->column, err, "this is no YAML");
    return error_why(err, "%s", problem->problem);
}
