/* SPDX-License-Identifier: MIT
 * Bars in the terminal: whole charts of known figures; and texts for gnuplot. */
#include "unit.h"

#include "form/bars.h"
#include "form/gnuplot.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *chart_of(const struct bar *bars, size_t count, const struct bars_style *style)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    ck_assert_ptr_nonnull(out);
    bars_write(out, bars, count, style);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void draws(const struct bar *bars, size_t count, const struct bars_style *style, const char *expected)
{
    char *text = chart_of(bars, count, style);

    ck_assert_str_eq(text, expected);
    free(text);
}

static const struct bars_style plain = {
    .title = "Energy",
    .quantity = "net energy",
    .unit = "J",
    .caption = "3 runs",
    .doubt = "",
    .width = 40,
};

/* 40 columns, one stays free: 3 of labels, 16 of figures and 2 spaces leave 18. */
START_TEST(plain_bars)
{
    const struct bar bars[] = {
        { "a", 9, 7, 11 },
        { "bbb", 18, NAN, NAN },
        { "c", 4.5, NAN, NAN },
    };

    draws(bars, 3, &plain,
          "Energy\nnet energy, in J\n"
          "a   #######[-+-]       9.00 J +- 2.00 J\n"
          "bbb ##################           18.0 J\n"
          "c   #####                        4.50 J\n"
          "    0.00 J      18.0 J\n3 runs\n");
}
END_TEST

START_TEST(bars_in_eighths)
{
    const struct bar bars[] = { { "x", 16, NAN, NAN }, { "y", 4.125, NAN, NAN }, { "z", 0, NAN, NAN } };
    struct bars_style style = plain;
    char *text;

    style.utf8 = true;
    style.title = style.caption = "";
    style.unit = "";
    /* 40 - 1 - 1 of the label - 2 - 4 of the figures: 32 cells, 2 for 1 */
    text = chart_of(bars, 3, &style);
    ck_assert_str_eq(text, "net energy\n"
                           "x ████████████████████████████████ 16.0\n"
                           "y ████████▎                        4.12\n"
                           "z                                  0.00\n"
                           "  0.00                        16.0\n");
    free(text);
}
END_TEST

/* Below 0 a bar grows to the left: 27 cells for -10 to 10, 0 in the middle of one. */
START_TEST(bars_below_zero)
{
    const struct bar bars[] = { { "more", 8, 6, 10 }, { "less", -8, -10, -6 } };
    struct bars_style style = plain;

    style.utf8 = true;
    style.width = 50;
    style.title = style.caption = "";
    draws(bars, 2, &style,
          "net energy, in J\n"
          "more              ▐███████├──┼─┤  8.00 J ± 2.00 J\n"
          "less ├─┼──┤███████▌              -8.00 J ± 2.00 J\n"
          "     -10.0 J              10.0 J\n");
}
END_TEST

/* From below 1 to 1000, 8 cells a decade; what is not above 0 has no bar. */
START_TEST(logarithmic_bars)
{
    const struct bar bars[] = {
        { "a", 1, NAN, NAN }, { "b", 100, 10, 1000 }, { "c", 0, NAN, NAN }, { "d", NAN, 1, 2 }
    };
    struct bars_style style = plain;

    style.log = true;
    style.title = style.caption = "";
    style.width = 60;
    draws(bars, 4, &style,
          "net energy, in J, on a logarithmic scale\n"
          "a ########                                           1.00 J\n"
          "b ################[-------+------] 100 J (10.0 J to 1000 J)\n"
          "c                                                    0.00 J\n"
          "d                                                   unknown\n"
          "  0.100 J                   1000 J\n");
}
END_TEST

START_TEST(labels_that_are_too_long)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    bars_label(out, "täglich", 5, true);
    fputc('|', out);
    bars_label(out, "täglich", 5, false);
    fputc('|', out);
    bars_label(out, "tä", 5, true);
    fputc('|', out);
    bars_label(out, "täglich", 2, false);
    fputc('|', out);
    fclose(out);
    ck_assert_str_eq(text, "tägl…|tä...|tä   |tä|");
    free(text);
}
END_TEST

/* Inside single quotes gnuplot takes everything but the quote for itself. */
START_TEST(texts_for_gnuplot)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    gnuplot_text(out, "it's\nCARBON\r\x1b[31m\xff `x` @y \"\\n");
    fclose(out);
    ck_assert_str_eq(text, "'it''s?CARBON??[31m? `x` @y \"\\n'");
    free(text);
}
END_TEST

START_TEST(forms_by_their_name)
{
    enum chart_form form;
    struct error err;

    ck_assert(chart_form_of("a.svg", &form, &err) && form == CHART_SVG);
    ck_assert(chart_form_of("dir.x/B.PNG", &form, &err) && form == CHART_PNG);
    ck_assert(chart_form_of("a.svg.pdf", &form, &err) && form == CHART_PDF);
    ck_assert(!chart_form_of(".svg", &form, &err));
    ck_assert(!chart_form_of("-", &form, &err));
    ck_assert(!chart_form_of("a.jpg", &form, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "'a.jpg' ends in none of .svg, .png and .pdf");
}
END_TEST

UNIT_SUITE("bars", plain_bars, bars_in_eighths, bars_below_zero, logarithmic_bars, labels_that_are_too_long,
           texts_for_gnuplot, forms_by_their_name)
