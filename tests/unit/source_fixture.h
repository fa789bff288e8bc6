/* SPDX-License-Identifier: MIT
 * One driver over a tree made here. */
#ifndef TESTS_SOURCE_FIXTURE_H
#define TESTS_SOURCE_FIXTURE_H

#include "energy/energy.h"
#include "tree.h"

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
    source.driver->close(&source);
    source.driver->close(&source);
}

static inline void close_all(void)
{
    close_source();
    tree_close(&tree);
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
