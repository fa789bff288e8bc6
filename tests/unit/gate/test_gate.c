/* SPDX-License-Identifier: MIT
 * A regression of energy: found, excluded, or not to be told. */
#include "unit.h"

#include "base/text.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

/* So many runs of these energies; the last figure is taken again where there are fewer. */
static struct stored_record past_of_joules(struct run_figures *runs, const double *joules, size_t count)
{
    struct stored_record stored = { .runs = runs, .run_count = count, .quality = QUALITY_MEASURED };

    for (size_t i = 0; i < count; i++)
        runs[i] = (struct run_figures){
            .duration_s = 1, .gross_j = joules[i], .idle_j = 0, .net_j = joules[i], .items = NAN
        };
    return stored;
}

#define RUNS 5

struct two {
    struct run_figures base[RUNS], now[RUNS];
    struct stored_record was, is;
    struct gate gate;
};

static void judge(struct two *two, const double *base, const double *now, double margin)
{
    two->was = past_of_joules(two->base, base, RUNS);
    two->is = past_of_joules(two->now, now, RUNS);
    two->gate = (struct gate){ .base_name = "a.json", .now_name = "b.json", .margin_percent = margin };
    gate_judge(&two->gate, &two->was, &two->is);
}

static const double hundred[RUNS] = { 99, 101, 100, 100, 100 };

START_TEST(more_beyond_doubt)
{
    static const double more[RUNS] = { 119, 121, 120, 120, 120 };
    struct two two;

    judge(&two, hundred, more, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_FAILED);
    ck_assert_double_eq_tol(two.gate.percent, 20, 1e-9);
    ck_assert(two.gate.compared == FIGURE_NET_J && two.gate.percent_low > 18 && two.gate.percent_high < 22);
    ck_assert_double_eq_tol(two.gate.limit_j, 105, 1e-9);
    judge(&two, hundred, more, 25);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
}
END_TEST

START_TEST(as_much_as_before)
{
    struct two two;

    judge(&two, hundred, hundred, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
    ck_assert_double_eq(two.gate.percent, 0);
    ck_assert(two.gate.above.high < 0);
}
END_TEST

/* Above what is allowed, but not beyond doubt: a difference of 6 % that scatters by 4. */
START_TEST(not_to_be_told)
{
    static const double wide[RUNS] = { 102, 110, 106, 101, 111 };
    struct two two;

    judge(&two, hundred, wide, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_UNDECIDED);
    /* 106 J and its deviation against 105 J, with that of the base and 5 % more */
    ck_assert_uint_eq(two.gate.runs_needed, runs_to_tell_apart(1, 1.05 * sqrt(0.5), sqrt(82 / 4.0)));
    ck_assert_ptr_nonnull(strstr(two.gate.fix, "runs of each would settle"));
    ck_assert(two.gate.above.low < 0 && two.gate.above.high > 0);
}
END_TEST

/* A counter that repeats to the last digit has no doubt but the margin itself. */
START_TEST(no_scatter)
{
    static const double same[RUNS] = { 100, 100, 100, 100, 100 }, edge[RUNS] = { 105, 105, 105, 105, 105 },
                        over[RUNS] = { 105.5, 105.5, 105.5, 105.5, 105.5 };
    struct two two;

    judge(&two, same, over, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_FAILED);
    judge(&two, same, edge, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
}
END_TEST

/* What is allowed scatters as the base does, scaled like it; t(0.975) of 4 degrees of freedom is 2.7764451052. */
START_TEST(the_margin_scatters_too)
{
    static const double same[RUNS] = { 100, 100, 100, 100, 100 }, treble[RUNS] = { 300, 300, 300, 300, 300 },
                        near_edge[RUNS] = { 104.9, 105.1, 105, 105, 105 };
    const double half = 2.7764451052 * sqrt(0.5) / sqrt(RUNS);
    struct two two;

    judge(&two, hundred, treble, 100);
    ck_assert_double_eq_tol(two.gate.above.low, 100 - 2 * half, 1e-8);
    ck_assert_double_eq_tol(two.gate.above.high, 100 + 2 * half, 1e-8);
    ck_assert_double_eq_tol(two.gate.percent_low, 200 - half, 1e-8);
    ck_assert_double_eq_tol(two.gate.percent_high, 200 + half, 1e-8);
    /* the interval ends a tenth of a joule above what is allowed: not excluded */
    judge(&two, same, near_edge, 5);
    ck_assert_double_eq_tol(two.gate.above.high, half / 10, 1e-8);
    ck_assert_int_eq(two.gate.verdict, GATE_UNDECIDED);
}
END_TEST

static void undecided(const struct two *two, const char *why)
{
    ck_assert_int_eq(two->gate.verdict, GATE_UNDECIDED);
    ck_assert_msg(strstr(two->gate.why, why), "%s", two->gate.why);
    ck_assert(two->gate.fix[0]);
}

static void stays_undecided(struct two *two, const char *why)
{
    gate_judge(&two->gate, &two->was, &two->is);
    undecided(two, why);
}

START_TEST(nothing_that_could_tell)
{
    struct two two;

    judge(&two, hundred, hundred, 5);
    two.is.run_count = 1;
    stays_undecided(&two, "one run");
    ck_assert(two.gate.compared == FIGURE_NET_J); /* which has a net all the same */
    two.is.run_count = RUNS;
    two.was.run_count = 1;
    stays_undecided(&two, "one run");
    ck_assert(two.gate.compared == FIGURE_NET_J);
    two.was.run_count = two.is.run_count = 2; /* 99 and 101 J: 12.7 times their error is more than 5 J */
    stays_undecided(&two, "scatter");
    two.was.run_count = RUNS;
    two.was.constant = true;
    stays_undecided(&two, "constant");
    two.was.constant = false;
    two.is.run_count = RUNS;
    two.is.constant = true;
    stays_undecided(&two, "constant");
    two.is.constant = false;
    two.is.no_idle = true;
    stays_undecided(&two, "no CPU that the job may use was idle");
    two.is.no_idle = false;
    two.is.quality = two.was.quality = QUALITY_MODELLED;
    stays_undecided(&two, "model");
    two.gate.takes_modelled = true;
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
    text_copy(two.is.cpu_model, sizeof two.is.cpu_model, "Other CPU");
    stays_undecided(&two, "Other CPU");
}
END_TEST

/* Own by CPU time needs no leave to decide, and is taken by the base's slope: 100 J at 2 W a CPU are 50 J at 1 W. */
START_TEST(by_cpu_time)
{
    static const double half[RUNS] = { 49.5, 50.5, 50, 50, 50 };
    struct two two;

    judge(&two, hundred, half, 5);
    for (size_t i = 0; i < RUNS; i++) {
        two.base[i].own_j = two.base[i].net_j;
        two.now[i].own_j = two.now[i].net_j;
        two.base[i].net_j = 7;
        two.now[i].net_j = 70;
    }
    two.was.own_method = two.is.own_method = OWN_CPU_TIME;
    two.was.quality = two.is.quality = QUALITY_MODELLED;
    two.was.no_idle = two.is.no_idle = true;
    two.was.slope_w = 2;
    two.is.slope_w = 1;
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
    ck_assert(two.gate.compared == FIGURE_OWN_J && two.gate.own_method == OWN_CPU_TIME);
    ck_assert_double_eq_tol(two.gate.percent, 0, 1e-9);
    ck_assert_double_eq_tol(two.gate.now_j.mean, 100, 1e-9);
    two.is.slope_w = 2;
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert_double_eq_tol(two.gate.percent, -50, 1e-9);
    two.was.slope_w = 1;
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
    ck_assert_double_eq_tol(two.gate.percent, -75, 1e-9);
    two.was.slope_w = NAN; /* a card that is metered counts too */
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert_double_eq_tol(two.gate.percent, -50, 1e-9);
    two.is.own_method = OWN_UNKNOWN;
    stays_undecided(&two, "no CPU that the job may use was idle");
}
END_TEST

START_TEST(no_share_of_nothing)
{
    static const double none[RUNS] = { -1, 1, 0, 0, 0 };
    struct two two;

    judge(&two, hundred, hundred, 5);
    for (size_t i = 0; i < RUNS; i++)
        two.now[i].net_j = two.now[i].gross_j = NAN;
    stays_undecided(&two, "not known");
    judge(&two, none, hundred, 5);
    undecided(&two, "not distinguishable from idle");
    ck_assert(isnan(two.gate.percent) && isnan(two.gate.percent_low) && isnan(two.gate.percent_high));
    ck_assert(isnan(two.gate.above.low) && isnan(two.gate.above.difference));
    for (size_t i = 0; i < RUNS; i++)
        two.base[i].net_j = two.base[i].gross_j = NAN;
    stays_undecided(&two, "not known");
}
END_TEST

/* Small energies are compared like large ones. */
START_TEST(half_a_joule)
{
    static const double half[RUNS] = { 0.499, 0.501, 0.5, 0.5, 0.5 }, more[RUNS] = { 0.599, 0.601, 0.6, 0.6, 0.6 };
    struct two two;

    judge(&two, half, more, 5);
    ck_assert_int_eq(two.gate.verdict, GATE_FAILED);
    ck_assert_double_eq_tol(two.gate.percent, 20, 1e-9);
    ck_assert_double_eq_tol(two.gate.above.difference, 0.6 - 0.525, 1e-12);
    /* t(0.975) of 8 degrees of freedom, 2.3060041350, times sqrt(2 x 5e-7 / 5) J, in per cent of 0.5 J */
    ck_assert_double_eq_tol(two.gate.percent_low, 20 - 2.3060041350 * sqrt(2e-7) * 200, 1e-8);
    ck_assert_double_eq_tol(two.gate.percent_high, 20 + 2.3060041350 * sqrt(2e-7) * 200, 1e-8);
    ck_assert_str_eq(gate_verdict_name(GATE_PASSED), "passed");
    ck_assert_str_eq(gate_verdict_name(GATE_FAILED), "failed");
    ck_assert_str_eq(gate_verdict_name(GATE_UNDECIDED), "undecided");
}
END_TEST

/* Where one knows no net, both are compared by gross. */
START_TEST(by_gross)
{
    struct two two;

    judge(&two, hundred, hundred, 5);
    for (size_t i = 0; i < RUNS; i++) {
        two.base[i].gross_j = 200;
        two.base[i].net_j = NAN;
        two.now[i].gross_j = 220;
    }
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert(two.gate.compared == FIGURE_GROSS_J);
    ck_assert_double_eq(two.gate.base_j.mean, 200);
    ck_assert_double_eq_tol(two.gate.percent, 10, 1e-9);

    judge(&two, hundred, hundred, 5);
    for (size_t i = 0; i < RUNS; i++)
        two.now[i].net_j = NAN;
    gate_judge(&two.gate, &two.was, &two.is);
    ck_assert(two.gate.compared == FIGURE_GROSS_J);
    ck_assert_int_eq(two.gate.verdict, GATE_PASSED);
}
END_TEST

static char *form_of(const struct gate *gate, void (*form)(const struct gate *gate, FILE *out))
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    form(gate, out);
    fclose(out);
    return text;
}

START_TEST(in_words)
{
    struct two two;
    char *text;

    judge(&two, hundred, hundred, 5);
    two.gate.base_name = "a|b_*.json";
    text = form_of(&two.gate, gate_text);
    ck_assert_ptr_nonnull(strstr(text, "passed: significantly no more than 5 % above the base"));
    free(text);
    two.gate.own_method = OWN_CPU_TIME;
    text = form_of(&two.gate, gate_text);
    ck_assert_ptr_nonnull(strstr(text, "passed: by CPU time, modelled: significantly no more than 5 % above the base"));
    free(text);
    text = form_of(&two.gate, gate_markdown);
    ck_assert_ptr_nonnull(strstr(text, "by CPU time, modelled: significantly no more"));
    two.gate.own_method = OWN_UNKNOWN;
    free(text);
    text = form_of(&two.gate, gate_markdown);
    ck_assert_ptr_nonnull(strstr(text, "### \xe2\x9c\x85 Energy per run: passed\n"));
    ck_assert_ptr_nonnull(strstr(text, "| a\\|b\\_\\*\\.json | 5 | 100 J | 707 mJ |\n"));
    ck_assert_ptr_nonnull(strstr(text, "- difference: +0.00 %, 95 % interval "));
    free(text);
}
END_TEST

UNIT_SUITE("gate", more_beyond_doubt, as_much_as_before, not_to_be_told, no_scatter, the_margin_scatters_too,
           nothing_that_could_tell, by_cpu_time, no_share_of_nothing, half_a_joule, by_gross, in_words)
