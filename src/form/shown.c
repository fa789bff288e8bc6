/* SPDX-License-Identifier: MIT
 * Printing what may come from outside. */
#include "form/shown.h"

#include "base/c_locale.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void write_shown(FILE *out, const char *text)
{
    for (size_t length, whole; *text; text += length) {
        whole = utf8_length(text);
        const bool shown = utf8_is_shown(text, whole);

        length = shown ? whole : 1;
        fwrite(shown ? text : "?", 1, length, out);
    }
}

void shown_print(FILE *out, const char *format, ...)
{
    const size_t written = strlen(format);
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = c_vasprintf(format, arguments);
    va_end(arguments);
    if (text) {
        const bool ends = written && format[written - 1] == '\n';

        if (ends)
            text[strlen(text) - 1] = '\0';
        write_shown(out, text);
        if (ends)
            fputc('\n', out);
    }
    free(text);
}
