/* SPDX-License-Identifier: MIT
 * One driver over a tree made here. */
#ifndef TESTS_SOURCE_FIXTURE_H
#define TESTS_SOURCE_FIXTURE_H

#include "base/clock.h"
#include "energy/energy.h"
#include "tree.h"
#include "words.h"

static struct tree tree;
static struct energy_source source;
static struct reading readings[ENERGY_MAX_DOMAINS];
static struct error err;

static inline bool source_open(const struct energy_driver *driver, const struct machine *machine)
{
    err = (struct error){ .kind = ERROR_NONE };
    source = (struct energy_source){ .driver = driver };
    memset(readings, 0, sizeof readings);
    return driver->open(&source, &tree.root, machine, &err);
}

/* Closing twice does no harm. */
static inline void close_source(void)
{
    for (int i = 0; i < 2 && source.driver; i++)
        source.driver->close(&source);
}

/* Each test of a file has an empty tree, and leaves none: UNIT_SUITE_IN("name", open_tree, close_all, ...). */
static inline void open_tree(void)
{
    tree_open(&tree);
}

static inline void close_all(void)
{
    close_source();
    tree_close(&tree);
}

/* Another empty one within a test. */
static inline void another_tree(void)
{
    close_all();
    open_tree();
}

/* What opening came to: nothing, for this kind of reason. */
static inline void expect_refused(bool opened, enum error_kind kind)
{
    ck_assert(!opened);
    ck_assert_int_eq(err.kind, kind);
}

/* It is there and makes no sense, for a reason with these words; reading it is no use either. */
static inline void expect_bad_data(bool opened, const char *words)
{
    expect_refused(opened, ERROR_BAD_DATA);
    ck_assert_msg(strstr(err.what, words) || strstr(err.why, words), "'%s': %s: %s", words, err.what, err.why);
    source.driver->read(&source, readings);
    ck_assert_int_ne(readings[0].error, 0);
}

/* To open it, `file` is needed, which only root may read. */
static inline void keep_from_others(const char *file)
{
    tree_mode(&tree, file, 0);
    tree_become_ordinary(&tree);
}

static inline void read_source(void)
{
    memset(readings, 0, sizeof readings);
    source.driver->read(&source, readings);
}

/* Reads, and says between which two moments. */
static inline void read_between(uint64_t moments_ns[2])
{
    moments_ns[0] = clock_monotonic_ns();
    read_source();
    moments_ns[1] = clock_monotonic_ns();
}

/* The mean watts of a sensor of power, found out by reading it twice, 20 ms apart. */
static inline void expect_power(size_t i, double power_w)
{
    uint64_t first_ns[2], second_ns[2], energy_uj;

    read_between(first_ns);
    ck_assert_int_eq(readings[i].error, 0);
    energy_uj = readings[i].energy_uj;
    usleep(20000);
    read_between(second_ns);
    ck_assert_int_eq(readings[i].error, 0);
    energy_uj = readings[i].energy_uj - energy_uj;
    ck_assert_double_ge((double)energy_uj + 1, power_w * (double)(second_ns[0] - first_ns[1]) / 1e3);
    ck_assert_double_le((double)energy_uj - 1, power_w * (double)(second_ns[1] - first_ns[0]) / 1e3);
}

static inline size_t index_of(const char *name)
{
    for (size_t i = 0; i < source.domain_count; i++)
        if (strcmp(source.domains[i].name, name) == 0)
            return i;
    ck_abort_msg("no domain '%s'", name);
    return 0;
}

static inline const struct domain *domain_of(const char *name)
{
    return &source.domains[index_of(name)];
}

#endif
