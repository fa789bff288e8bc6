/* SPDX-License-Identifier: MIT
 * The answer in a few lines, and in one. */
#include "unit.h"

#include "report_suite.h"

#include "form/text_columns.h"
#include "result/answer.h"

static void form_is(const struct report_format *format, const char *expected)
{
    char *text;

    report_finish(&fixture->report);
    text = fixture_write(fixture, format);
    ck_assert_str_eq(text, expected);
    free(text);
}

static void answers(const char *expected)
{
    form_is(&answer_format, expected);
}

static void line_is(const char *expected)
{
    form_is(&brief_format, expected);
}

/* 562 J is own, for nobody else was busy: 562 / 3.6e6 kWh × 1.2 × 44 g/kWh = 8.24 mg. */
START_TEST(the_answer_as_a_whole)
{
    notice_add(&fixture->report.own_notices, NOTICE_OUTLIER, "because", "do this", "a doubt");
    answers("./job --size 4  10.0 s ± 0 s, 0.99 of 2 CPUs, peak 56.0 MiB\n"
            "  energy  562 J per run (95 % CI 410 to 714) own, measured; gross 942 J, idle 380 J at 38.0 W\n"
            "  carbon  8.24 mgCO2eq per run (95 % CI 6.01 to 10.5); FR 2024, 44 gCO2eq/kWh lifecycle, PUE 1.20\n"
            "  runs    2; baseline 10.0 s, idle; significant\n"
            "  notes   a doubt\n");
    line_is("562 J measured own 8.24267e-06 kgCO2eq\n");
}
END_TEST

START_TEST(one_run_has_the_noise_of_its_baseline)
{
    keep_one_run();
    answers("./job --size 4  10.0 s, 0.99 of 2 CPUs, peak 56.0 MiB\n"
            "  energy  550 J (baseline noise 540 to 560) own, measured; gross 930 J, idle 380 J at 38.0 W\n"
            "  carbon  8.07 mgCO2eq (baseline noise 7.92 to 8.21); FR 2024, 44 gCO2eq/kWh lifecycle, PUE 1.20\n"
            "  runs    1; baseline 5.00 s, idle; --runs 5 adds a confidence interval\n");
}
END_TEST

START_TEST(a_modelled_figure_shows_its_range)
{
    char *text;

    for (size_t i = 0; i < FIXTURE_DOMAINS; i++) {
        fixture->domains[i].quality = QUALITY_MODELLED;
        fixture->domains[i].low_ratio = 0.5;
        fixture->domains[i].high_ratio = 2;
    }
    notice_add(&fixture->report.own_notices, NOTICE_MODELLED, "", "--cpu NAME narrows it", "power is modelled");
    report_finish(&fixture->report);
    text = fixture_write(fixture, &answer_format);
    ck_assert_ptr_nonnull(strstr(text, "(range 281 to 1124)"));
    ck_assert_ptr_nonnull(strstr(text, "(range 4.12 to 16.5)"));
    ck_assert_ptr_nonnull(strstr(text, ", modelled; gross 942 J"));
    ck_assert_ptr_null(strstr(text, "power is modelled"));
    ck_assert_ptr_nonnull(strstr(text, "\n  hint    --cpu NAME narrows it\n"));
    free(text);
}
END_TEST

START_TEST(unknown_has_its_reason_and_is_never_zero)
{
    for (size_t i = 0; i < FIXTURE_DOMAINS; i++)
        fixture->meter.domains[i].moved = false;
    fixture->runs[0].usage.memory_peak_bytes.known = fixture->runs[1].usage.memory_peak_bytes.known = false;
    answers("./job --size 4  10.0 s ± 0 s, 0.99 of 2 CPUs\n"
            "  energy  unknown: the counter of package-0 is stuck; 1 more are like that\n"
            "  carbon  unknown; FR 2024, 44 gCO2eq/kWh lifecycle, PUE 1.20\n"
            "  runs    2; baseline 10.0 s, idle\n"
            "  hint    'carbon sources' shows what else this machine has\n");
    line_is("unknown J unknown gross unknown kgCO2eq\n");
}
END_TEST

START_TEST(without_a_baseline_it_is_gross)
{
    fixture->measurement.baseline_count = 0;
    report_finish(&fixture->report);
    ck_assert_int_eq(answer_of(&fixture->report).figure, FIGURE_GROSS_J);
    ck_assert_str_eq(answer_lacks(&fixture->report), "no baseline");
    line_is("942 J measured gross 1.3816e-05 kgCO2eq\n");
}
END_TEST

/* Net 0 ± what two runs scatter: the upper end alone says anything. */
START_TEST(what_is_not_told_from_0_is_at_most_its_upper_end)
{
    struct answer answer;
    char expected[80], *text;

    for (size_t i = 0; i < 2; i++) {
        fixture->runs[i].window.energy_uj[FIXTURE_PACKAGE] = (299 + 2 * i) * FIXTURE_J;
        fixture->runs[i].window.energy_uj[FIXTURE_DRAM] = 80 * FIXTURE_J;
    }
    report_finish(&fixture->report);
    answer = answer_of(&fixture->report);
    ck_assert(!answer.distinct);
    /* mean 0, deviation sqrt(2), t of one degree of freedom 12.706, of two runs: 12.7 J */
    ck_assert_double_eq_tol(answer.high_j, 12.706 * sqrt(2) / sqrt(2), 0.001);
    snprintf(expected, sizeof expected, "\n  energy  at most 12.7 J per run own, measured, not distinguishable");
    text = fixture_write(fixture, &answer_format);
    ck_assert_ptr_nonnull(strstr(text, expected));
    ck_assert_ptr_nonnull(strstr(text, "\n  carbon  at most 186 µgCO2eq per run; FR"));
    free(text);
    FORM_HAS(&brief_format, " indistinct\n");
}
END_TEST

START_TEST(what_was_cut_short_says_so)
{
    char *text;

    cut_short();
    report_finish(&fixture->report);
    text = fixture_write(fixture, &answer_format);
    ck_assert_ptr_nonnull(
        strstr(text, "\n  runs    1, 1 warm-up left out, exit status 130, interrupted, partial; baseline"));
    free(text);
    FORM_HAS(&brief_format, " partial\n");
}
END_TEST

/* Of a model, by a factor of another year, at 60 columns: the energy and the carbon in two lines each. */
START_TEST(the_carbon_of_a_model_takes_two_lines_of_sixty_columns)
{
    const struct table_style style = { .detail = DETAIL_ANSWER, .width = 60 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct error err;

    for (size_t i = 0; i < FIXTURE_DOMAINS; i++) {
        fixture->domains[i].quality = QUALITY_MODELLED;
        fixture->domains[i].low_ratio = 0.5;
        fixture->domains[i].high_ratio = 2;
    }
    fixture->report.pue = 1;
    fixture->report.pue_quality = QUALITY_DEFAULT;
    fixture->report.factor_query.year = 2026;
    report_finish(&fixture->report);
    ck_assert(report_write_text(&fixture->report, &style, out, &err));
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "\n  carbon  6.87 mgCO2eq per run (range 3.43 to 13.7); FR 2024\n"
                                       "          (none of 2026), 44 gCO2eq/kWh lifecycle\n  runs"));
    free(text);
}
END_TEST

START_TEST(it_fits_the_terminal)
{
    const char *const command[] = { "./a-program-with-a-long-name", "--and-an-option-of-some-length",
                                    "and/many/more/words/than/a/line/has", NULL };

    notice_add(&fixture->report.own_notices, NOTICE_OUTLIER, "", "", "%s",
               "a doubt of so many words that it does not fit into a line of sixty columns and is cut");
    fixture->report.command = (char *const *)command;
    report_finish(&fixture->report);
    for (int width = 60; width <= 100; width++) {
        const struct table_style style = { .detail = DETAIL_ANSWER, .width = width };
        char *text = NULL, *rest, *line;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        struct error err;

        ck_assert(report_write_text(&fixture->report, &style, out, &err));
        fclose(out);
        rest = text;
        for (int lines = 0; (line = strsep(&rest, "\n")) && *line; lines++) {
            ck_assert_msg(utf8_columns(line) <= (size_t)width, "%d columns: %s", width, line);
            ck_assert_int_lt(lines, 12);
        }
        free(text);
    }
}
END_TEST

UNIT_SUITE_IN("answer", begin, end, the_answer_as_a_whole, one_run_has_the_noise_of_its_baseline,
              a_modelled_figure_shows_its_range, unknown_has_its_reason_and_is_never_zero,
              without_a_baseline_it_is_gross, what_is_not_told_from_0_is_at_most_its_upper_end,
              what_was_cut_short_says_so, the_carbon_of_a_model_takes_two_lines_of_sixty_columns, it_fits_the_terminal)
