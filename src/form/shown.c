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
    va_list arguments, again;
    char *text;
    int length;

    va_start(arguments, format);
    va_copy(again, arguments);
    length = c_vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        const bool ends = written && format[written - 1] == '\n';

        c_vsnprintf(text, (size_t)length + 1, format, arguments);
        if (ends)
            text[length - 1] = '\0';
        write_shown(out, text);
        if (ends)
            fputc('\n', out);
    }
    va_end(arguments);
    free(text);
}
