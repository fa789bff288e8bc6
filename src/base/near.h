/* SPDX-License-Identifier: MIT
 * What a mistyped name may have been meant as. Used in app, emissions, main.c, power, run and 7 commands. Begin with
 * near_of(). */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include "base/error.h"

#include <stddef.h>

/* How many slips still make a name near: one in a short word (`otlp` is not `help`), and in a longer one more. */
unsigned near_slips(const char *typed);

/* The nearest of names that are tried one by one; the first of those as near as each other. What begins with all that
 * was typed is near. Zeroed but for typed. */
struct near_name {
    const char *typed;
    const char *name; /* borrowed; NULL: none is near */
    unsigned distance;
};

void near_try(struct near_name *near, const char *name);

/* The nearest of a NULL-ended list, or NULL. */
const char *near_of(const char *typed, const char *const *names);

/* Sets the fix "did you mean 'name'?", where there is a name. Returns false, always. */
bool near_fix(const char *name, struct error *err);

/* The nearest few, kept in order, each once. Zeroed but for typed. */
enum { NEAR_COUNT = 3 };
struct near_names {
    const char *typed;
    size_t count;
    struct {
        char name[96];
        unsigned distance;
    } items[NEAR_COUNT];
};

void near_add(struct near_names *near, const char *name, unsigned distance);

/* Adds the name if a spelling of it (of which there may be several) is near. */
void near_offer(struct near_names *near, const char *spelling, const char *name);

/* "'BB', 'GA', 'GB'"; "" where there are none. */
enum { NEAR_LIST_SIZE = 320 };
const char *near_list(const struct near_names *near, char list[NEAR_LIST_SIZE]);

#endif
