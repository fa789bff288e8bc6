/* SPDX-License-Identifier: MIT
 * Columns of a time series, and its holes written and read. */
#include "result/sample_columns.h"

#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define CUT "cut"
#define MAX_S 1e9 /* as nanoseconds they are no more than a counter of 64 bits holds */

bool samples_has_column(const struct meter *meter, size_t domain)
{
    return meter->domains[domain].domain->problem.kind == ERROR_NONE;
}

/* Two sources may have the same name for it. */
static bool is_repeated(const struct meter *meter, size_t domain)
{
    for (size_t i = 0; i < domain; i++)
        if (samples_has_column(meter, i) &&
            strcmp(meter->domains[i].domain->name, meter->domains[domain].domain->name) == 0)
            return true;
    return false;
}

void sample_column_name(const struct meter *meter, size_t domain, char name[SAMPLE_COLUMN_SIZE])
{
    const struct meter_domain *state = &meter->domains[domain];
    const bool repeated = is_repeated(meter, domain);

    snprintf(name, SAMPLE_COLUMN_SIZE, "%.40s%s%s", repeated ? state->source->driver->name : "", repeated ? ":" : "",
             state->domain->name);
}

void sample_hole_text(const struct meter *meter, const struct sample *sample, size_t domain,
                      char text[SAMPLE_HOLE_SIZE])
{
    char name[SAMPLE_COLUMN_SIZE], unknown_s[TEXT_NUMBER_SIZE];

    text[0] = '\0';
    if (!sample->unknown_ns[domain])
        return;
    sample_column_name(meter, domain, name);
    snprintf(text, SAMPLE_HOLE_SIZE, "%s %s %s%s", name, hole_name((enum hole)sample->hole[domain]),
             text_number(s_from_ns(sample->unknown_ns[domain]), unknown_s), sample->cut[domain] ? " " CUT : "");
}

/* The word that begins here, and the text after it. NULL: none, or too long. */
static const char *take_word(const char *at, char *word, size_t size)
{
    const size_t length = strcspn(at, " ;");

    if (!length || length >= size)
        return NULL;
    snprintf(word, size, "%.*s", (int)length, at);
    return at + length + (at[length] == ' ' && at[length + 1] && at[length + 1] != ';');
}

static enum hole hole_of(const char *name)
{
    enum hole hole = HOLE_COUNT - 1;

    while (hole > HOLE_NONE && strcmp(hole_name(hole), name) != 0)
        hole--;
    return hole;
}

const char *sample_hole_take(const char *field, struct sample_hole *hole)
{
    char reason[16], number[TEXT_NUMBER_SIZE], word[sizeof CUT];
    const char *at = take_word(field, hole->column, sizeof hole->column);
    double unknown_s;

    at = at ? take_word(at, reason, sizeof reason) : NULL;
    at = at ? take_word(at, number, sizeof number) : NULL;
    if (!at || !text_to_number(number, &unknown_s) || !(unknown_s > 0 && unknown_s < MAX_S))
        return NULL;
    hole->reason = hole_of(reason);
    hole->unknown_ns = (uint64_t)(unknown_s * NS_PER_S + 0.5);
    hole->cut = *at && *at != ';';
    if (hole->cut && (!(at = take_word(at, word, sizeof word)) || strcmp(word, CUT) != 0))
        return NULL;
    if (hole->reason == HOLE_NONE)
        return NULL;
    return *at == '\0' ? at : strncmp(at, "; ", 2) == 0 && at[2] ? at + 2 : NULL;
}
