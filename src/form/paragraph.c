/* SPDX-License-Identifier: MIT
 * Breaking lines. */
#include "form/paragraph.h"

#include "base/c_locale.h"
#include "form/text_columns.h"

#include <string.h>

/* There is one terminal, which is found at the start: it is the same for all. */
static struct {
    const FILE *out;
    int width;
} page[PARAGRAPH_ANSWER + 1];

void paragraph_page(enum paragraph_of of, const FILE *out, int width)
{
    page[of].out = width ? out : NULL;
    page[of].width = width < PARAGRAPH_WIDTH ? width : PARAGRAPH_WIDTH;
}

static int width_for(const FILE *out)
{
    return page[PARAGRAPH_ANSWER].out == out     ? page[PARAGRAPH_ANSWER].width
           : page[PARAGRAPH_MESSAGES].out == out ? page[PARAGRAPH_MESSAGES].width
                                                 : PARAGRAPH_WIDTH;
}

static void write_word(FILE *out, const char *word, size_t length)
{
    const char *end = word + length, *begin = word;

    while (word < end) {
        const size_t whole = utf8_length(word);
        if (utf8_is_shown(word, whole)) {
            word += whole;
            continue;
        }
        fwrite(begin, 1, (size_t)(word - begin), out);
        fputc('?', out);
        begin = ++word;
    }
    fwrite(begin, 1, (size_t)(end - begin), out);
}

void paragraph_write_within(FILE *out, int width, const char *label, const char *text)
{
    const size_t indent = utf8_columns(label);
    size_t column = indent;

    fputs(label, out);
    while (*(text += strspn(text, " "))) {
        const size_t length = strcspn(text, " "), columns = utf8_columns_of(text, length);
        if (column > indent && column + 1 + columns > (size_t)width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        write_word(out, text, length);
        column += columns;
        text += length;
    }
    fputc('\n', out);
}

void paragraph_write(FILE *out, const char *label, const char *text)
{
    paragraph_write_within(out, width_for(out), label, text);
}
