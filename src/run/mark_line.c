/* SPDX-License-Identifier: MIT
 * Lines, and the names in them. */
#include "run/mark_line.h"

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

bool mark_pattern_match(struct pattern *pattern, const char *line, char name[MARK_NAME_SIZE])
{
    size_t begin, end;

    if (!pattern_find(pattern, line, &begin, &end))
        return false;
    mark_name(line + begin, end - begin, name);
    return true;
}
