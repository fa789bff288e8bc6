/* SPDX-License-Identifier: MIT
 * Bounds of a sequence against sums done otherwise; and what a gate promises, held against thousands of made-up series
 * whose truth is known. The seeds are fixed; docs/METHOD.md has the table that the last test prints. */
#include "unit.h"

#include "chance.h"
#include "gate/gate.h"
#include "measurement/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SERIES = 4000, PAIRS = 30, MOST_WELCH = 60 };

static double normal_above(double z)
{
    return erfc(z / M_SQRT2) / 2;
}

static struct sequence opened(size_t min, size_t max, double level)
{
    struct sequence sequence;
    struct error err;

    ck_assert_msg(sequence_open(&sequence, min, max, level, &err), "%s", err.what);
    return sequence;
}

/* One look is the plain test; of two the second is by the bivariate normal distribution, here summed finely. */
START_TEST(bounds_are_those_of_the_definition)
{
    struct sequence one = opened(7, 7, 0.05), two = opened(3, 4, 0.05);
    const double a = -normal_quantile(two.nominal[0]) * sqrt(3), b = -normal_quantile(two.nominal[1]) * sqrt(4);
    double second = 0;

    ck_assert_double_eq_tol(one.nominal[0], SEQUENCE_SPENT(0.05), 1e-12);
    ck_assert_double_eq_tol(two.nominal[0], SEQUENCE_SPENT(0.05) * 9 / 16, 1e-12);
    for (double s = a - 1e-5 / 2; s > -16; s -= 1e-5)
        second += 1e-5 * exp(-s * s / 6) / sqrt(6 * M_PI) * normal_above(b - s);
    ck_assert_double_eq_tol(two.nominal[0] + second, SEQUENCE_SPENT(0.05), 1e-7);
    sequence_close(&one);
    sequence_close(&two);
}
END_TEST

START_TEST(bounds_come_down_and_none_is_outside)
{
    struct sequence sequence = opened(3, 40, 0.05);

    ck_assert(isinf(sequence_critical(&sequence, 2)) && isinf(sequence_critical(&sequence, 41)));
    for (size_t pairs = 4; pairs <= 40; pairs++)
        ck_assert_double_lt(sequence_critical(&sequence, pairs), sequence_critical(&sequence, pairs - 1));
    /* all that was spent, where no look came before: t_0.9 of 39 degrees of freedom is below what is left for it */
    ck_assert_double_gt(sequence_critical(&sequence, 40), student_quantile(0.95, 39));
    ck_assert_double_lt(sequence_critical(&sequence, 40), student_quantile(0.99, 39));
    sequence_close(&sequence);
}
END_TEST

/* Of the most pairs that may be, the sum's crossings come to what is spent: known variance, made-up sums. */
START_TEST(many_looks_spend_the_level_once)
{
    struct sequence sequence = opened(SEQUENCE_MIN_PAIRS, SEQUENCE_MAX_PAIRS, 0.2);
    struct chance chance = chance_of(5);
    size_t crossed = 0;

    for (size_t i = 0; i < SERIES; i++) {
        double sum = 0;
        bool over = false;

        for (size_t pairs = 1; pairs <= sequence.max && !over; pairs++) {
            sum += chance_normal(&chance);
            over = pairs >= sequence.min &&
                   normal_above(sum / sqrt((double)pairs)) < sequence.nominal[pairs - sequence.min];
        }
        crossed += over;
    }
    ck_assert_double_eq_tol((double)crossed / SERIES, SEQUENCE_SPENT(0.2), 0.01);
    sequence_close(&sequence);
}
END_TEST

enum shape { SHAPE_NORMAL, SHAPE_OUTLIERS, SHAPE_DISTURBED, SHAPE_SKEWED };

struct truth {
    double growth, margin, spread; /* shares */
    enum shape shape;
};

static double scatter(struct chance *chance, enum shape shape)
{
    const double z = chance_normal(chance);

    switch (shape) {
    case SHAPE_OUTLIERS: return chance_uniform(chance) < 0.05 ? 10 * z : z;
    case SHAPE_DISTURBED: return chance_uniform(chance) < 0.05 ? z + 10 : z;
    case SHAPE_SKEWED: return (exp(z) - exp(0.5)) / (exp(0.5) * sqrt(exp(1) - 1));
    default: return z;
    }
}

struct outcome {
    double failed, passed, pairs; /* shares of all series; mean number of pairs */
};

static void next_pair(struct chance *chance, const struct truth *truth, struct run_figures *a, struct run_figures *b)
{
    a->own_j = 100 * (1 + truth->spread * scatter(chance, truth->shape));
    b->own_j = 100 * (1 + truth->growth) * (1 + truth->spread * scatter(chance, truth->shape));
}

static struct outcome try_sequence(const struct truth *truth, const struct sequence *sequence)
{
    struct chance chance = chance_of(42);
    struct run_figures a[PAIRS], b[PAIRS];
    struct outcome outcome = { 0, 0, 0 };

    for (size_t i = 0; i < SERIES; i++) {
        struct gate gate = { .base_name = "a", .margin_percent = 100 * truth->margin };
        struct run_series base = { .runs = a, .quality = QUALITY_MEASURED, .own_method = OWN_PROFILE }, now = base;

        now.runs = b;
        do {
            next_pair(&chance, truth, &a[base.count], &b[base.count]);
            base.count = ++now.count;
            if (base.count >= sequence->min)
                gate_judge_pairs(&gate, &base, &now, sequence);
        } while (base.count < sequence->max && (base.count < sequence->min || gate.verdict == GATE_UNDECIDED));
        outcome.failed += gate.verdict == GATE_FAILED;
        outcome.passed += gate.verdict == GATE_PASSED;
        outcome.pairs += (double)base.count;
    }
    return (struct outcome){ outcome.failed / SERIES, outcome.passed / SERIES, outcome.pairs / SERIES };
}

/* The same answers by Welch's test of so many runs of each, one-sided 5 % on both sides. */
static struct outcome try_welch(const struct truth *truth, size_t runs)
{
    enum { TRIES = 500 };
    struct chance chance = chance_of(43);
    struct outcome outcome = { 0, 0, (double)runs };
    double a[MOST_WELCH], b[MOST_WELCH];

    for (size_t i = 0; i < TRIES; i++) {
        struct run_figures one, other;
        struct sample_stats was, is;
        struct welch welch;

        for (size_t j = 0; j < runs; j++) {
            next_pair(&chance, truth, &one, &other);
            a[j] = (1 + truth->margin) * one.own_j;
            b[j] = other.own_j;
        }
        was = sample_stats_of(a, runs);
        is = sample_stats_of(b, runs);
        welch = welch_of(&was, &is);
        outcome.failed += welch.t > student_quantile(0.95, welch.freedom);
        outcome.passed += welch.t < -student_quantile(0.95, welch.freedom);
    }
    outcome.failed /= TRIES;
    outcome.passed /= TRIES;
    return outcome;
}

/* How many runs of each give the right answer as often; 0: more than there are. */
static size_t welch_runs(const struct truth *truth, double as_often)
{
    for (size_t runs = 2; runs <= MOST_WELCH; runs++) {
        const struct outcome outcome = try_welch(truth, runs);
        if ((truth->growth > truth->margin ? outcome.failed : outcome.passed) >= as_often)
            return runs;
    }
    return 0;
}

/* 4 000 series of each, 30 pairs at most. */
START_TEST(what_a_gate_promises)
{
    static const struct truth equal[] = {
        { 0, 0, 0.02, SHAPE_NORMAL },    { 0, 0, 0.10, SHAPE_NORMAL },    { 0.03, 0.03, 0.02, SHAPE_NORMAL },
        { 0, 0, 0.02, SHAPE_OUTLIERS },  { 0, 0, 0.02, SHAPE_DISTURBED }, { 0, 0, 0.02, SHAPE_SKEWED },
        { 0, 0.03, 0.02, SHAPE_NORMAL },
    };
    static const struct truth unlike[] = { { 0.05, 0.03, 0.02, SHAPE_NORMAL }, { 0.05, 0, 0.02, SHAPE_NORMAL },
                                           { 0.02, 0, 0.02, SHAPE_NORMAL },    { 0.10, 0.03, 0.02, SHAPE_NORMAL },
                                           { 0, 0.03, 0.02, SHAPE_NORMAL },    { 0.05, 0.03, 0.02, SHAPE_OUTLIERS } };
    struct sequence sequence = opened(SEQUENCE_MIN_PAIRS, PAIRS, SEQUENCE_LEVEL);

    for (size_t i = 0; i < sizeof equal / sizeof equal[0]; i++) {
        const struct outcome outcome = try_sequence(&equal[i], &sequence);

        printf("growth %g %% allowed %g %% spread %g %% shape %d: failed %.2f %% passed %.2f %% pairs %.1f\n",
               100 * equal[i].growth, 100 * equal[i].margin, 100 * equal[i].spread, equal[i].shape,
               100 * outcome.failed, 100 * outcome.passed, outcome.pairs);
        ck_assert_double_le(outcome.failed, SEQUENCE_LEVEL);
        if (equal[i].margin <= equal[i].growth)
            ck_assert_double_le(outcome.passed, SEQUENCE_LEVEL);
    }
    for (size_t i = 0; i < sizeof unlike / sizeof unlike[0]; i++) {
        const struct outcome outcome = try_sequence(&unlike[i], &sequence);
        const bool more = unlike[i].growth > unlike[i].margin;
        const double right = more ? outcome.failed : outcome.passed;

        printf("growth %g %% allowed %g %% spread %g %% shape %d: right %.1f %% wrong %.2f %% pairs %.1f; Welch %zu\n",
               100 * unlike[i].growth, 100 * unlike[i].margin, 100 * unlike[i].spread, unlike[i].shape, 100 * right,
               100 * (more ? outcome.passed : outcome.failed), outcome.pairs, welch_runs(&unlike[i], right));
        if (unlike[i].shape == SHAPE_NORMAL)
            ck_assert_double_ge(right, 0.8);
        ck_assert_double_le(more ? outcome.passed : outcome.failed, SEQUENCE_LEVEL);
    }
    sequence_close(&sequence);
}
END_TEST

UNIT_SUITE("sequence", bounds_are_those_of_the_definition, bounds_come_down_and_none_is_outside,
           many_looks_spend_the_level_once, what_a_gate_promises)
