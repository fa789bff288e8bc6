/* SPDX-License-Identifier: MIT
 * The style of texts for people. */
#include "app/style.h"

#include "app/terminal.h"
#include "form/paragraph.h"

#include <unistd.h>

enum { LEAST_WIDTH = 60 };

static int width_of(FILE *out)
{
    const int width = isatty(fileno(out)) ? terminal_width(out) : PARAGRAPH_WIDTH;

    if (width < LEAST_WIDTH)
        return LEAST_WIDTH;
    return width < PARAGRAPH_WIDTH ? width : PARAGRAPH_WIDTH;
}

struct table_style style_of(const struct settings *settings, FILE *out)
{
    return (struct table_style){
        .colour = terminal_colour(settings, out),
        .detail = settings_flag(settings, &option_quiet)     ? DETAIL_LINE
                  : settings_flag(settings, &option_verbose) ? DETAIL_ALL
                                                             : DETAIL_ANSWER,
        .width = width_of(out),
    };
}
