/* SPDX-License-Identifier: MIT
 * The style of texts for people. */
#include "app/style.h"

#include "form/paragraph.h"

enum { NARROW = 60 };

static struct table_style style_with(const struct settings *settings, bool colour, int width)
{
    /* a command with --details has another -v: the output of the steps */
    const bool details = settings_find(settings, &option_details) != NULL;

    return (struct table_style){
        .colour = colour,
        .detail = settings_flag(settings, &option_quiet)                                 ? DETAIL_LINE
                  : settings_flag(settings, details ? &option_details : &option_verbose) ? DETAIL_ALL
                                                                                         : DETAIL_ANSWER,
        .width = width < NARROW            ? NARROW
                 : width < PARAGRAPH_WIDTH ? width
                                           : PARAGRAPH_WIDTH,
        .more = details ? "--details" : "-v",
    };
}

struct table_style style_of(const struct settings *settings, FILE *out)
{
    const int width = terminal_page_width(out);

    return style_with(settings, terminal_colour(settings, out), width ? width : PARAGRAPH_WIDTH);
}

int style_print(const struct settings *settings, style_writer *write, const void *of, int status)
{
    struct terminal_piece piece;
    struct table_style style;
    struct error err;

    if (!terminal_piece_open(&piece, settings))
        return STATUS_CARBON_FAILED;
    style = style_with(settings, piece.colour, piece.width ? piece.width : PARAGRAPH_WIDTH);
    return terminal_piece_print(&piece, write(of, &style, piece.out, &err), status);
}
