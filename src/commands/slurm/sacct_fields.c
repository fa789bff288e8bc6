/* SPDX-License-Identifier: MIT
 * What stands in the fields of sacct's output. */
#include "commands/slurm/sacct_fields.h"

#include "base/text.h"
#include "io/local_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double sacct_duration(const char *text)
{
    const char *dash = strchr(text, '-');
    double days = 0, part, sum = 0;
    char field[32];

    if (dash) {
        snprintf(field, sizeof field, "%.*s", (int)(dash - text < 31 ? dash - text : 31), text);
        if (!text_to_number(field, &days))
            return NAN;
        text = dash + 1;
    }
    if (!strchr(text, ':'))
        return NAN;
    for (;;) {
        const size_t length = strcspn(text, ":");

        snprintf(field, sizeof field, "%.*s", (int)(length < 31 ? length : 31), text);
        if (!text_to_number(field, &part) || part < 0)
            return NAN;
        sum = sum * 60 + part;
        if (!text[length])
            return days * 86400 + sum;
        text += length + 1;
    }
}

double sacct_energy(const char *text)
{
    /* NO_VAL and INFINITE of slurm.h, of 32 bits; those of 64 bits are the two largest numbers there are */
    static const double none[] = { 4294967294.0, 4294967295.0 };
    double energy_j;

    if (!text_to_number(text, &energy_j) || energy_j <= 0 || energy_j >= 9e18)
        return NAN;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (energy_j == none[i])
            return NAN;
    return energy_j;
}

double sacct_bytes(const char *text)
{
    static const char letters[] = "KMGTP";
    const size_t length = strlen(text);
    const char *letter = length ? strchr(letters, text[length - 1]) : NULL;
    char field[32];
    double value;

    snprintf(field, sizeof field, "%.*s", (int)(length < 31 ? length : 31) - (letter != NULL), text);
    if (!text_to_number(field, &value) || value < 0)
        return NAN;
    return letter ? ldexp(value, 10 * (int)(letter - letters + 1)) : value;
}

double sacct_tres(const char *list, const char *name)
{
    const size_t length = strlen(name);

    while (*list) {
        const size_t item = strcspn(list, ",");

        if (strncmp(list, name, length) == 0 && list[length] == '=') {
            char value[64];

            snprintf(value, sizeof value, "%.*s", (int)(item - length - 1 < 63 ? item - length - 1 : 63),
                     list + length + 1);
            return sacct_bytes(value);
        }
        list += item + (list[item] == ',');
    }
    return NAN;
}

int64_t sacct_time(const char *text)
{
    uint64_t seconds;

    if (text_to_u64(text, &seconds))
        return seconds < 1000000000000 ? (int64_t)seconds : -1;
    return strchr(text, 'T') && local_time_of(text, 0, &seconds) ? (int64_t)seconds : -1;
}
