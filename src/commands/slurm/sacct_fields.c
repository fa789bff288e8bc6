/* SPDX-License-Identifier: MIT
 * What is in the fields of sacct's output. */
#include "commands/slurm/sacct_fields.h"

#include "base/text.h"
#include "base/units.h"
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
            return days * S_PER_DAY + sum;
        text += length + 1;
    }
}

/* "146132", "146.13K": a letter is a power of 1000 or 1024. */
static bool to_number(const char *text, double base, double *value)
{
    static const char letters[] = "KMGTPE";
    const size_t length = strlen(text);
    const char *letter = length ? strchr(letters, text[length - 1]) : NULL;
    char field[32];

    if (length >= sizeof field)
        return false;
    snprintf(field, sizeof field, "%.*s", (int)(length - (letter != NULL)), text);
    if (!text_to_number(field, value))
        return false;
    *value *= letter ? pow(base, (double)(letter - letters + 1)) : 1;
    return true;
}

double sacct_energy(const char *text)
{
    /* NO_VAL and INFINITE of slurm.h, of 32 bits; those of 64 bits are the two largest numbers there are */
    static const double none[] = { 4294967294.0, 4294967295.0 };
    double energy_j;

    if (!to_number(text, 1000, &energy_j) || energy_j <= 0 || energy_j >= 9e18)
        return NAN;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (energy_j == none[i])
            return NAN;
    return energy_j;
}

double sacct_bytes(const char *text)
{
    double value;

    return to_number(text, 1024, &value) && value >= 0 ? value : NAN;
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

/* "2026-11-28T20:00:00"; with a blank in place of the T, as SLURM_TIME_FORMAT may have it. */
int64_t sacct_time(const char *text)
{
    char time[64];
    uint64_t seconds;

    if (text_to_u64(text, &seconds))
        return seconds < 1000000000000 ? (int64_t)seconds : -1;
    text_copy(time, sizeof time, text);
    if (strlen(time) > 10 && time[10] == ' ')
        time[10] = 'T';
    return strchr(time, 'T') && local_time_of(time, 0, &seconds) ? (int64_t)seconds : -1;
}

bool sacct_says_no_time(const char *text)
{
    static const char *const words[] = { "", "Unknown", "None", "N/A", "Invalid" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}
