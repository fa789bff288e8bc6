/* SPDX-License-Identifier: MIT
 * Lines, and the names in them. */
#include "run/mark_line.h"

#include "base/c_locale.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t mark_line_add(struct mark_line *line, const char *bytes, size_t count, const char *ends)
{
    size_t used = 0;

    if (line->ended)
        line->length = 0;
    line->ended = false;
    while (used < count && !line->ended) {
        const char byte = bytes[used++];
        if (byte && strchr(ends, byte))
            line->ended = true;
        else if (line->length < sizeof line->text - 1)
            line->text[line->length++] = byte ? byte : '?';
    }
    line->text[line->length] = '\0';
    return used;
}

/* Blanks, and the controls of ASCII. */
static bool is_nothing(char byte)
{
    return (unsigned char)byte <= ' ' || byte == 0x7f;
}

void mark_name(const char *text, size_t length, char name[MARK_NAME_SIZE])
{
    char part[MARK_LINE_SIZE];
    const char *end = text + length;

    while (text < end && is_nothing(*text))
        text++;
    while (text < end && is_nothing(end[-1]))
        end--;
    snprintf(part, sizeof part, "%.*s", (int)(end - text), text);
    utf8_printable(name, MARK_NAME_SIZE, part);
    /* where it was cut */
    for (size_t filled = strlen(name); filled && name[filled - 1] == ' '; filled--)
        name[filled - 1] = '\0';
}

bool mark_pattern_compile(const char *text, regex_t *pattern, struct error *err)
{
    AUTO_C_LOCALE;
    const int number = regcomp(pattern, text, REG_EXTENDED);
    char why[128];

    if (number == 0)
        return true;
    regerror(number, pattern, why, sizeof why);
    why[0] = c_tolower(why[0]);
    error_set(err, ERROR_USAGE, "it is no extended regular expression: %s", why);
    return error_fix(err, "regex(7) has the rules");
}

bool mark_pattern_match(const regex_t *pattern, const char *line, char name[MARK_NAME_SIZE])
{
    regmatch_t found[2] = { { .rm_so = -1 }, { .rm_so = -1 } };
    const regmatch_t *named = &found[1];

    if (regexec(pattern, line, 2, found, 0) != 0)
        return false;
    if (named->rm_so < 0)
        named = &found[0];
    mark_name(line + named->rm_so, (size_t)(named->rm_eo - named->rm_so), name);
    return true;
}
