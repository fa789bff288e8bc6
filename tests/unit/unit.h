/* SPDX-License-Identifier: MIT
 * One line of registration per test file: UNIT_SUITE("meter", first_test, second_test). */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

/* Exit status that automake reads as "skipped". */
#define UNIT_SKIPPED 77

typedef const TTest *unit_test;

/* How many of them failed. */
static inline int unit_run(const char *name, const unit_test *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

#define UNIT_SUITE(name, ...)                                                          \
    int main(void)                                                                     \
    {                                                                                  \
        const unit_test tests[] = { __VA_ARGS__ };                                     \
        return unit_run(name, tests, sizeof tests / sizeof tests[0]) ? EXIT_FAILURE    \
                                                                     : EXIT_SUCCESS;   \
    }

/* The shared test data (recorded machines, traces), or NULL when it is not there:
 * $CARBON_SHARED, else ../shared beside the source tree ($srcdir/../shared). */
static inline const char *unit_shared(void)
{
    return getenv("CARBON_SHARED");
}

#endif
