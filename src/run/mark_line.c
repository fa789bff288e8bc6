/* SPDX-License-Identifier: MIT
 * Lines, and the names in them. */
#include "run/mark_line.h"

#include "base/utf8.h"

#include <ctype.h>
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

/* The controls of ISO 6429 beyond ASCII: U+0080 to U+009F. */
static bool is_control(const char *text, size_t length)
{
    return length == 2 && (unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0;
}

void mark_name(const char *text, size_t length, char name[MARK_NAME_SIZE])
{
    const char *end = text + length;
    size_t filled = 0;

    while (text < end && is_nothing(*text))
        text++;
    while (text < end && is_nothing(end[-1]))
        end--;
    while (text < end) {
        const size_t bytes = utf8_length(text);
        const bool whole = bytes && bytes <= (size_t)(end - text);
        const bool shown = whole && (*text == ' ' || !is_nothing(*text)) && !is_control(text, bytes);
        const size_t taken = shown ? bytes : 1;

        if (filled + taken >= MARK_NAME_SIZE)
            break;
        if (shown)
            memcpy(name + filled, text, bytes);
        else
            name[filled] = '?';
        filled += taken;
        text += whole ? bytes : 1;
    }
    while (filled && name[filled - 1] == ' ')
        filled--;
    name[filled] = '\0';
}

bool mark_pattern_compile(const char *text, regex_t *pattern, struct error *err)
{
    const int number = regcomp(pattern, text, REG_EXTENDED);
    char why[128];

    if (number == 0)
        return true;
    regerror(number, pattern, why, sizeof why);
    why[0] = (char)tolower((unsigned char)why[0]);
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
