/* SPDX-License-Identifier: MIT
 * Totals by name, and by the basis of accounts. */
#include "commands/report/annual_names.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the sums of the report");
}

bool name_totals_open(struct name_totals *names, struct error *err)
{
    names->slots = calloc(NAME_SLOTS, sizeof *names->slots);
    return names->slots || no_memory(err);
}

void name_totals_close(struct name_totals *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i].name);
    free(names->items);
    free(names->slots);
}

static struct name_total *new_name(struct name_totals *names, const char *name)
{
    const size_t room = names->room ? 2 * names->room : 64;

    if (names->count == names->room) {
        struct name_total *items = realloc(names->items, room * sizeof *items);
        if (!items)
            return NULL;
        names->items = items;
        names->room = room;
    }
    names->items[names->count] = (struct name_total){ .name = strdup(name) };
    return names->items[names->count].name ? &names->items[names->count++] : NULL;
}

bool name_totals_add(struct name_totals *names, const char *name, const struct annual_contribution *contribution,
                     struct error *err)
{
    struct name_total *item = NULL;
    uint64_t hash;
    size_t slot;

    if (!name) {
        contribution_totals_add(&names->none, contribution);
        return true;
    }
    hash = text_hash(name, strlen(name));
    slot = (hash ^ hash >> 32) % NAME_SLOTS;
    while (names->slots[slot] && strcmp(names->items[names->slots[slot] - 1].name, name) != 0)
        slot = (slot + 1) % NAME_SLOTS;
    if (names->slots[slot])
        item = &names->items[names->slots[slot] - 1];
    else if (names->count < NAMES_MAX) {
        item = new_name(names, name);
        if (!item)
            return no_memory(err);
        names->slots[slot] = (unsigned)names->count;
    }
    contribution_totals_add(item ? &item->totals : &names->others, contribution);
    return true;
}

static int by_mass(const void *a, const void *b)
{
    const struct name_total *first = a, *second = b;
    const double mass_a = total_of(&first->totals.kgco2eq), mass_b = total_of(&second->totals.kgco2eq);

    return mass_a != mass_b ? (mass_a < mass_b ? 1 : -1) : strcmp(first->name, second->name);
}

/* The hash table is of no use afterwards. */
bool name_totals_groups(struct name_totals *names, struct annual_group **groups, size_t *count, struct error *err)
{
    const size_t shown = names->count < ANNUAL_NAMES_MAX ? names->count : ANNUAL_NAMES_MAX;

    *count = 0;
    *groups = calloc(shown + 2, sizeof **groups);
    if (!*groups)
        return no_memory(err);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_mass);
    for (size_t i = 0; i < shown; i++) {
        struct annual_group *group = &(*groups)[(*count)++];
        text_copy(group->name, sizeof group->name, names->items[i].name);
        group->figures = contribution_totals_figures(&names->items[i].totals);
    }
    for (size_t i = shown; i < names->count; i++)
        contribution_totals_merge(&names->others, &names->items[i].totals);
    if (names->others.records)
        (*groups)[(*count)++] = (struct annual_group){
            .kind = GROUP_OTHERS,
            .names = names->count - shown + (names->count == NAMES_MAX),
            .figures = contribution_totals_figures(&names->others),
        };
    if (names->none.records)
        (*groups)[(*count)++] =
            (struct annual_group){ .kind = GROUP_NONE, .figures = contribution_totals_figures(&names->none) };
    return true;
}

void basis_totals_close(struct basis_totals *bases)
{
    free(bases->items);
}

static size_t place_of(const struct basis_totals *bases, int64_t number)
{
    return bases->count ? array_below(&bases->items->number, bases->count, sizeof *bases->items, number) : 0;
}

static bool is_at(const struct basis_totals *bases, size_t place, int64_t number)
{
    return place < bases->count && bases->items[place].number == number;
}

bool basis_totals_add(struct basis_totals *bases, int64_t number, const struct annual_contribution *contribution,
                      struct error *err)
{
    const size_t place = is_at(bases, bases->last, number) ? bases->last : place_of(bases, number);

    if (!is_at(bases, place, number)) {
        if (number < 0 || bases->count == BASES_MAX) {
            contribution_totals_add(&bases->unnamed, contribution);
            return true;
        }
        bases->items = array_room(bases->items, &bases->room, bases->count + 1, sizeof *bases->items);
        if (bases->count == bases->room)
            return no_memory(err);
        memmove(&bases->items[place + 1], &bases->items[place], (bases->count - place) * sizeof *bases->items);
        bases->items[place] = (struct basis_total){ .number = number };
        bases->count++;
    }
    bases->last = place;
    contribution_totals_add(&bases->items[place].totals, contribution);
    return true;
}

const struct contribution_totals *basis_totals_of(const struct basis_totals *bases, int64_t number)
{
    const size_t place = place_of(bases, number);

    return is_at(bases, place, number) ? &bases->items[place].totals : NULL;
}
