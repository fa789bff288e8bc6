/* SPDX-License-Identifier: MIT
 * Drawing a block of lines over the one before: the cursor goes up, and ends below the block. It is never hidden, and
 * the screen never switched, so that no way to end leaves anything to mend. */
#include "commands/sources/watch.h"

#include "form/text_columns.h"

#include <string.h>

void screen_draw(struct screen *screen, const char *text, int width, int height, FILE *out)
{
    const bool over = screen->lines && screen->lines < height && screen->columns < width;

    if (over)
        fprintf(out, "\r\033[%dA", screen->lines);
    screen->lines = screen->columns = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        size_t bytes;
        /* the last column stays free: writing there would start a new line on some terminals */
        const int columns = text_fitting(text, length, width - 1, &bytes);

        fprintf(out, "%.*s%s\033[K\n", (int)bytes, text, bytes < length ? "\033[0m" : "");
        screen->columns = columns > screen->columns ? columns : screen->columns;
        screen->lines++;
        text += length + (text[length] == '\n');
    }
    fputs("\033[J", out);
}
