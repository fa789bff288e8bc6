/* SPDX-License-Identifier: MIT
 * The sum that can be redone by hand, and the text helpers of the report. */
#include "unit.h"

#include "form/cells.h"
#include "form/paragraph.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "result/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct scale {
    const char *name;
    long double factor;
};

static long double scale_of(const char *unit, const struct scale *scales)
{
    for (; scales->name; scales++)
        if (strncmp(unit, scales->name, strlen(scales->name)) == 0)
            return scales->factor;
    ck_abort_msg("unknown unit '%s'", unit);
    return 0;
}

/* Does what a reader would: multiplies the printed terms and rounds to the decimals of the result. */
static void redo(const struct formula *formula, double kgco2eq)
{
    static const struct scale energies[] = { { "MWh", 1e3L },  { "kWh", 1 },     { "Wh", 1e-3L },
                                             { "mWh", 1e-6L }, { "µWh", 1e-9L }, { NULL, 0 } };
    static const struct scale masses[] = { { "tCO2eq", 1e3L },   { "kgCO2eq", 1 },     { "gCO2eq", 1e-3L },
                                           { "mgCO2eq", 1e-6L }, { "µgCO2eq", 1e-9L }, { NULL, 0 } };
    char energy_unit[16], mass_unit[16], energy[40], pue[40], factor[40], mass[40], again[64];
    const char *point;
    int decimals;

    ck_assert_int_eq(sscanf(formula->terms, "%39s %15s × PUE %39s × %39s gCO2eq/kWh", energy, energy_unit, pue, factor),
                     4);
    ck_assert_int_eq(sscanf(formula->result, "%39s %15s", mass, mass_unit), 2);
    ck_assert_msg(!strpbrk(mass, "e"), "%s", mass);
    point = strchr(mass, '.');
    decimals = point ? (int)strlen(point + 1) : 0;
    const long double unit = scale_of(mass_unit, masses);
    snprintf(again, sizeof again, "%.*Lf", decimals,
             strtold(energy, NULL) * scale_of(energy_unit, energies) * strtold(pue, NULL) * strtold(factor, NULL) /
                 1000 / unit);
    ck_assert_msg(strcmp(again, mass) == 0, "%s gives %s, not %s", formula->terms, again, formula->result);
    /* and the printed result is the true one, rounded */
    snprintf(again, sizeof again, "%.*Lf", decimals, (long double)kgco2eq / unit);
    ck_assert_msg(strcmp(again, mass) == 0, "%s is %.17g kg, not %s", formula->terms, kgco2eq, formula->result);
}

/* splitmix64: the same series everywhere */
static double random_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

START_TEST(any_sum_can_be_redone)
{
    uint64_t state = 1;

    for (int i = 0; i < 100000; i++) {
        /* from a millijoule to a gigawatt-hour, as it comes or with few digits as people type them */
        double it_kwh = pow(10, -9.5 + 15.5 * random_of(&state)) * (i % 7 ? 1 : -1);
        double pue = 1 + 2 * random_of(&state), factor = pow(10, -3 + 3.3 * random_of(&state));
        struct formula formula;
        if (i % 2)
            pue = round(pue * 100) / 100;
        if (i % 3)
            factor = round(factor * 1e4) / 1e4 + 1e-4;
        if (i % 5 == 0)
            it_kwh = round(fabs(it_kwh) * 1000 + 1) / 1000;
        formula = formula_of(it_kwh, pue, factor, 3);
        redo(&formula, it_kwh * pue * factor);
    }
}
END_TEST

START_TEST(the_sum_is_short_where_it_can_be)
{
    const struct formula formula = formula_of(660.2 / 3.6e6, 1.2, 0.044, 3);

    ck_assert_str_eq(formula.terms, "0.1834 Wh × PUE 1.20 × 44 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "9.68 mgCO2eq");
}
END_TEST

/* With 294.8 kWh it would be 31.28 kg. */
START_TEST(terms_get_more_digits_where_four_do_not_do)
{
    const double it_kwh = 100.9447441101074 * 2920 / 1000;
    const struct formula formula = formula_of(it_kwh, 1.25, 0.084879, 4);

    ck_assert_str_eq(formula.terms, "294.76 kWh × PUE 1.25 × 84.879 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "31.27 kgCO2eq");
}
END_TEST

/* 1.025 g is neither 1.02 g nor 1.03 g to everybody. */
START_TEST(a_result_on_the_edge_gets_a_further_digit)
{
    const struct formula formula = formula_of(0.5, 1, 0.00205, 3);

    ck_assert_str_eq(formula.terms, "500.0 Wh × PUE 1.00 × 2.05 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "1.025 gCO2eq");
}
END_TEST

START_TEST(nothing_and_unknown_are_told_apart)
{
    struct formula formula = formula_of(0, 1.2, 0.044, 3);

    ck_assert_str_eq(formula.terms, "0 kWh × PUE 1.20 × 44 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "0 gCO2eq");
    formula = formula_of(NAN, 1.2, 0.044, 3);
    ck_assert_str_eq(formula.terms, "unknown energy × PUE 1.20 × 44 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "unknown");
    formula = formula_of(-660.2 / 3.6e6, 1.2, 0.044, 3);
    ck_assert_str_eq(formula.terms, "-0.1834 Wh × PUE 1.20 × 44 gCO2eq/kWh");
    ck_assert_str_eq(formula.result, "-9.68 mgCO2eq");
}
END_TEST

START_TEST(a_command_is_quoted_as_a_shell_would_have_it)
{
    char *const words[] = { (char *)"a=b",
                            (char *)"--size=4",
                            (char *)"",
                            (char *)"it's",
                            (char *)"two words",
                            (char *)"$HOME",
                            (char *)"line\nbreak\t\033[2J",
                            (char *)"caf\xc3\xa9",
                            (char *)"stray\xff",
                            (char *)"c1\xc2\x9b",
                            (char *)"back\\slash'\n",
                            NULL };
    struct text text;

    text_open(&text, 4096);
    shell_command(words, &text);
    ck_assert_str_eq(text.data, "'a=b' --size=4 '' 'it'\\''s' 'two words' '$HOME' $'line\\nbreak\\t\\x1b[2J' "
                                "'caf\xc3\xa9' $'stray\\xff' $'c1\\xc2\\x9b' $'back\\\\slash\\'\\n'");
    text_close(&text);
}
END_TEST

START_TEST(columns_are_counted_not_bytes)
{
    ck_assert_uint_eq(utf8_columns("12 J ± 3 µJ"), 11);
    ck_assert_uint_eq(utf8_columns("\xff\xfe"), 2);
    ck_assert_uint_eq(utf8_columns("≥ 1 — 2 → 3 × █…"), 16);
    ck_assert_uint_eq(utf8_columns("日本語 ジョブ"), 13);
    ck_assert_uint_eq(utf8_columns("한글"), 4);
    ck_assert_uint_eq(utf8_columns("cafe\xcc\x81"), 4); /* an e, and an acute set upon it */
    ck_assert_uint_eq(utf8_columns("\xf0\x9f\x8c\x8d"), 2);
    ck_assert_uint_eq(utf8_columns("日\xff本"), 5);
    ck_assert_uint_eq(utf8_columns_of("日本語", 3), 2);
    ck_assert_uint_eq(utf8_length("a"), 1);
    ck_assert_uint_eq(utf8_length("\xe2\x82\xac"), 3);
    ck_assert_uint_eq(utf8_length("\xf0\x9f\x8c\x8d"), 4);
    ck_assert_uint_eq(utf8_length("\xc0\x80"), 0);         /* overlong */
    ck_assert_uint_eq(utf8_length("\xed\xa0\x80"), 0);     /* a surrogate */
    ck_assert_uint_eq(utf8_length("\xf4\x90\x80\x80"), 0); /* beyond the last */
    ck_assert_uint_eq(utf8_length("\xe2\x82"), 0);         /* cut */
    ck_assert_uint_eq(utf8_length("\x80"), 0);
}
END_TEST

static const char *fitted(const char *text, size_t max, const char *rest)
{
    static char field[32];

    utf8_fit(field, sizeof field, text, max, rest);
    return field;
}

START_TEST(what_fits_is_cut_between_characters)
{
    ck_assert_str_eq(fitted("12345", 5, "…"), "12345");
    ck_assert_str_eq(fitted("123456", 5, "…"), "1234…");
    ck_assert_str_eq(fitted("日本語", 6, "…"), "日本語");
    ck_assert_str_eq(fitted("日本語", 5, "…"), "日本…");
    ck_assert_str_eq(fitted("日本語", 4, "…"), "日…"); /* the second would end in the fifth column */
    ck_assert_str_eq(fitted("cafe\xcc\x81s", 4, ""), "cafe\xcc\x81");
    ck_assert_str_eq(fitted("123456", 1, "..."), "1");
    ck_assert_str_eq(fitted("1234567890123456789012345678901234567890", 40, ""), "1234567890123456789012345678901");
}
END_TEST

/* In which column of its line a cell ends. */
static size_t end_of_cell(const char *name)
{
    char *line = NULL;
    size_t size = 0, columns;
    FILE *out = open_memstream(&line, &size);

    cell_name(out, 12, name);
    cell_write(out, 8, "1.5 J");
    fclose(out);
    columns = utf8_columns(line);
    free(line);
    return columns;
}

START_TEST(columns_line_up_in_every_script)
{
    static const char *const names[] = { "job", "日本語", "한글 작업", "cafe\xcc\x81", "naïve", "Ωμέγα", "คำสั่ง", "🌍" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(end_of_cell(names[i]) == 2 + 12 + 8, "%s", names[i]);
}
END_TEST

START_TEST(paragraphs_keep_to_their_width)
{
    char *data = NULL;
    size_t size = 0, lines = 0;
    FILE *out = open_memstream(&data, &size);
    char text[1000] = "";

    for (int i = 0; i < 40; i++)
        strcat(text, i % 2 ? "µµµµ " : "plain ");
    paragraph_write(out, "  note: ", text);
    fclose(out);
    for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        ck_assert_uint_le(utf8_columns(line), PARAGRAPH_WIDTH);
        ck_assert(strncmp(line, lines ? "        " : "  note: ", 8) == 0 && line[8] != ' ');
    }
    ck_assert_uint_eq(lines, 3);
    free(data);
    data = NULL;
    out = open_memstream(&data, &size);
    paragraph_write(out, "", "bell\a and\033[31m red");
    fclose(out);
    ck_assert_str_eq(data, "bell? and?[31m red\n");
    free(data);
}
END_TEST

UNIT_SUITE("sum", any_sum_can_be_redone, the_sum_is_short_where_it_can_be, terms_get_more_digits_where_four_do_not_do,
           a_result_on_the_edge_gets_a_further_digit, nothing_and_unknown_are_told_apart,
           a_command_is_quoted_as_a_shell_would_have_it, columns_are_counted_not_bytes,
           what_fits_is_cut_between_characters, columns_line_up_in_every_script, paragraphs_keep_to_their_width)
