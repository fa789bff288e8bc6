/* SPDX-License-Identifier: MIT
 * Names of the running kernel's functions, where this user may see their addresses. Used by symbols.c. Begin with
 * kernel_symbols_read(). */
#ifndef PROFILE_KERNEL_SYMBOLS_H
#define PROFILE_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_symbol {
    uint64_t start;
    size_t name; /* where it begins in names */
};

struct kernel_symbols {
    struct kernel_symbol *items;
    size_t count, size;
    char *names;
    size_t names_length, names_size;
};

/* False: they are hidden (kernel.kptr_restrict), or not there. */
bool kernel_symbols_read(struct kernel_symbols *symbols, const char *path);
void kernel_symbols_close(struct kernel_symbols *symbols);
const char *kernel_symbols_name(const struct kernel_symbols *symbols, uint64_t address); /* NULL: none */

#endif
