/* SPDX-License-Identifier: MIT
 * /proc/kallsyms: "ffffffff81000000 T _stext", with the module in brackets. */
#include "profile/kernel_symbols.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS_MAX = 1 << 20 };

static bool add(struct kernel_symbols *symbols, uint64_t start, const char *name)
{
    const size_t length = strlen(name) + 1;

    if (symbols->count < SYMBOLS_MAX)
        symbols->items = array_room(symbols->items, &symbols->size, symbols->count + 1, sizeof *symbols->items);
    symbols->names = array_room(symbols->names, &symbols->names_size, symbols->names_length + length, 1);
    if (symbols->count == symbols->size || symbols->names_size < symbols->names_length + length)
        return false;
    memcpy(symbols->names + symbols->names_length, name, length);
    symbols->items[symbols->count++] = (struct kernel_symbol){ start, symbols->names_length };
    symbols->names_length += length;
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct kernel_symbol *one = a, *other = b;

    return ARRAY_ORDER(one->start, other->start);
}

/* Changes the line. There are some 200,000 of them: sscanf would take most of the time of a short profile. */
static bool take_line(char *line, uint64_t *start, const char **name)
{
    char *rest;

    *start = strtoull(line, &rest, 16);
    if (rest == line || rest[0] != ' ' || !rest[1] || !strchr("tTwW", rest[1]) || rest[2] != ' ')
        return false;
    *name = rest + 3;
    rest[3 + strcspn(rest + 3, "\t\n ")] = '\0';
    return **name != '\0';
}

bool kernel_symbols_read(struct kernel_symbols *symbols, const char *path)
{
    FILE *file = fopen(path, "re");
    char line[1024];
    const char *name;
    uint64_t start, any = 0;

    *symbols = (struct kernel_symbols){ .count = 0 };
    while (file && fgets(line, sizeof line, file)) {
        if (!take_line(line, &start, &name))
            continue;
        any |= start;
        if (!add(symbols, start, name))
            break;
    }
    if (file)
        fclose(file);
    if (!any) {
        kernel_symbols_close(symbols);
        return false;
    }
    qsort(symbols->items, symbols->count, sizeof *symbols->items, by_start);
    return true;
}

void kernel_symbols_close(struct kernel_symbols *symbols)
{
    free(symbols->items);
    free(symbols->names);
    *symbols = (struct kernel_symbols){ .count = 0 };
}

const char *kernel_symbols_name(const struct kernel_symbols *symbols, uint64_t address)
{
    const size_t count =
        symbols->count ? array_up_to(&symbols->items->start, symbols->count, sizeof *symbols->items, address) : 0;

    return count ? symbols->names + symbols->items[count - 1].name : NULL;
}
