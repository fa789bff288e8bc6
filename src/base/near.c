/* SPDX-License-Identifier: MIT
 * What a mistyped name may have been meant as. */
#include "base/near.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

unsigned near_slips(const char *typed)
{
    const size_t length = strlen(typed);

    return length < 2 ? 0 : length < 5 ? 1 : (unsigned)length / 4 + 1;
}

void near_try(struct near_name *near, const char *name)
{
    const size_t length = strlen(near->typed);
    const bool begun = length > 1 && strncmp(name, near->typed, length) == 0;
    const unsigned distance = begun ? 0 : text_distance(near->typed, name);

    if (distance > near_slips(near->typed) || (near->name && distance >= near->distance))
        return;
    near->name = name;
    near->distance = distance;
}

const char *near_of(const char *typed, const char *const *names)
{
    struct near_name near = { .typed = typed };

    for (; *names; names++)
        near_try(&near, *names);
    return near.name;
}

bool near_fix(const char *name, struct error *err)
{
    return name ? error_fix(err, "did you mean '%.100s'?", name) : false;
}

static void take_away(struct near_names *near, size_t place)
{
    near->count--;
    memmove(&near->items[place], &near->items[place + 1], (near->count - place) * sizeof near->items[0]);
}

void near_add(struct near_names *near, const char *name, unsigned distance)
{
    size_t place = 0;

    for (size_t i = 0; i < near->count; i++)
        if (strcmp(near->items[i].name, name) == 0) {
            if (distance >= near->items[i].distance)
                return;
            take_away(near, i);
        }
    while (place < near->count && near->items[place].distance <= distance)
        place++;
    if (place == NEAR_COUNT)
        return;
    if (near->count < NEAR_COUNT)
        near->count++;
    memmove(&near->items[place + 1], &near->items[place], (near->count - place - 1) * sizeof near->items[0]);
    text_copy(near->items[place].name, sizeof near->items[place].name, name);
    near->items[place].distance = distance;
}

void near_offer(struct near_names *near, const char *spelling, const char *name)
{
    const unsigned distance = text_distance(near->typed, spelling);

    if (distance <= near_slips(near->typed))
        near_add(near, name, distance);
}

const char *near_list(const struct near_names *near, char list[NEAR_LIST_SIZE])
{
    int used = 0;

    list[0] = '\0';
    for (size_t i = 0; i < near->count; i++)
        used += snprintf(list + used, NEAR_LIST_SIZE - (size_t)used, "%s'%s'", i ? ", " : "", near->items[i].name);
    return list;
}
