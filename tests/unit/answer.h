/* SPDX-License-Identifier: MIT
 * Asking for a factor, with all that comes of it in one place. */
#ifndef TESTS_ANSWER_H
#define TESTS_ANSWER_H

#include "emissions/factor.h"

#include "unit.h"

#include <stdio.h>

/* The tables of the source tree, unless told otherwise. */
static inline void use_data(void)
{
    const char *source = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof path, "%s/data", source ? source : ".");
    setenv("CARBON_DATA", path, 0);
}

struct answer {
    struct factor factor;
    struct notices notices;
    struct error err;
    bool found;
};

/* Answers are values, and are read until the test ends: their notices are held until its process does. */
static struct {
    struct notices notices[1024];
    size_t count;
} kept_answers;

static inline void answers_release(void)
{
    while (kept_answers.count)
        notices_clear(&kept_answers.notices[--kept_answers.count]);
}

static inline void answer_keep(const struct answer *answer)
{
    ck_assert_uint_lt(kept_answers.count, sizeof kept_answers.notices / sizeof kept_answers.notices[0]);
    if (!kept_answers.count)
        ck_assert_int_eq(atexit(answers_release), 0);
    kept_answers.notices[kept_answers.count++] = answer->notices;
}

static inline struct answer ask_query(const struct factor_query *query)
{
    struct answer answer = { .found = false };

    use_data();
    answer.found = factor_lookup(query, &answer.factor, &answer.notices, &answer.err);
    answer_keep(&answer);
    return answer;
}

static inline void check_factor(const struct answer *answer, const char *zone, int year, double kgco2eq_per_kwh)
{
    ck_assert_msg(answer->found, "%s; %s", answer->err.what, answer->err.why);
    ck_assert_str_eq(answer->factor.zone, zone);
    ck_assert_int_eq(answer->factor.year, year);
    ck_assert_double_eq(answer->factor.kgco2eq_per_kwh, kgco2eq_per_kwh);
}

static inline void check_one_notice(const struct answer *answer, const char *what)
{
    ck_assert_uint_eq(answer->notices.count, 1);
    ck_assert_str_eq(answer->notices.item[0].what, what);
}

#endif
