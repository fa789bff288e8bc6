/* SPDX-License-Identifier: MIT
 * What the sections of a result's page share. */
#include "result/page/html_sections.h"

void html_paragraph_of(FILE *out, const char *class, struct text *text)
{
    if (text->data)
        html_paragraph(out, class, text->data);
    text_close(text);
}

void html_rows_left_out(FILE *out, size_t count, const char *what)
{
    struct text text;

    if (!count)
        return;
    text_open(&text, 256);
    text_add(&text, "and %zu more %s, which the JSON record has", count, what);
    html_paragraph_of(out, "about", &text);
}

void html_spread(FILE *out, html_units *units, const struct sample_stats *spread, const char *place)
{
    html_figure(out, units, spread->mean, "%s.mean", place);
    if (spread->count < 2)
        return;
    fputs(" ± ", out);
    html_figure(out, units, spread->deviation, "%s.deviation", place);
}
