/* SPDX-License-Identifier: MIT
 * One line of registration per test file: UNIT_SUITE("meter", first_test, second_test). */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Exit status that automake reads as "skipped". */
#define UNIT_SKIPPED 77

typedef const TTest *unit_test;

/* How many tests could do nothing: each runs in a process of its own, so this is shared by them. */
static inline atomic_size_t *unit_skipped(void)
{
    static atomic_size_t *skipped;

    if (!skipped) {
        skipped = mmap(NULL, sizeof *skipped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (skipped == MAP_FAILED)
            abort();
    }
    return skipped;
}

/* Says why this test can do nothing here; it then returns without having asserted anything. Call it once a test. */
static inline void __attribute__((format(printf, 1, 2))) unit_skip(const char *why, ...)
{
    va_list arguments;

    va_start(arguments, why);
    fputs("SKIPPED: ", stdout);
    vprintf(why, arguments);
    putchar('\n');
    va_end(arguments);
    ++*unit_skipped();
}

/* So many tries there were of the fault whose row in docs/RELIABILITY.md begins so (tests/reliability.py). */
static inline void unit_tried(size_t count, const char *fault)
{
    const char *path = getenv("CARBON_TRIES");
    FILE *file = path ? fopen(path, "a") : NULL;

    printf("tried %zu: %s\n", count, fault);
    if (file) {
        fprintf(file, "%zu\t%s\n", count, fault);
        fclose(file);
    }
}

/* How many of them failed. In the process of each, `before` begins it and `after` ends it; NULL: nothing does. */
static inline int unit_run_in(const char *name, void (*before)(void), void (*after)(void), const unit_test *tests,
                              size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    *unit_skipped() = 0;
    tcase_set_timeout(tcase, 600); /* for what hangs: no machine is so slow */
    tcase_add_checked_fixture(tcase, before, after);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}

static inline int unit_run(const char *name, const unit_test *tests, size_t count)
{
    return unit_run_in(name, NULL, NULL, tests, count);
}

/* Failed where one test failed, skipped where each of them could do nothing. */
static inline int unit_status(int failed, size_t count)
{
    if (failed)
        return EXIT_FAILURE;
    return *unit_skipped() == count ? UNIT_SKIPPED : EXIT_SUCCESS;
}

#define UNIT_SUITE(name, ...) UNIT_SUITE_IN(name, NULL, NULL, __VA_ARGS__)

/* Tests that all begin and end alike: UNIT_SUITE_IN("hwmon", open_tree, close_all, first_test, second_test). */
#define UNIT_SUITE_IN(name, begin, end, ...)                                                                           \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const unit_test tests[] = { __VA_ARGS__ };                                                                     \
        const size_t count = sizeof tests / sizeof tests[0];                                                           \
        return unit_status(unit_run_in(name, begin, end, tests, count), count);                                        \
    }

/* The shared test data (recorded machines, traces), or NULL when it is not there:
 * $CARBON_SHARED, else ../shared beside the source tree ($srcdir/../shared). */
static inline const char *unit_shared(void)
{
    return getenv("CARBON_SHARED");
}

#endif
