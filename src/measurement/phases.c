/* SPDX-License-Identifier: MIT
 * Phases while a run goes on. */
#include "measurement/phases.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The place of a name, which is made where there is room. */
static size_t place_of(struct phases *phases, const char *name)
{
    size_t place = 0;

    while (place < phases->count && strcmp(phases->items[place].name, name) != 0)
        place++;
    if (place < phases->count)
        return place;
    if (place >= PHASES_MAX)
        name = PHASE_OTHERS;
    place = place < PHASES_MAX ? place : PHASES_MAX;
    if (place == phases->count) {
        struct phase *phase = &phases->items[phases->count++];
        *phase = (struct phase){ .cpu_known = true };
        text_copy(phase->name, sizeof phase->name, name);
        memset(phase->known, 1, sizeof phase->known);
    }
    return place;
}

static void enter(struct phase_book *book, const char *name, const struct sample *sample)
{
    book->current = place_of(&book->phases, name);
    book->phases.items[book->current].times++;
    book->since = *sample;
}

static void leave(struct phase_book *book, const struct sample *sample)
{
    struct phase *phase = &book->phases.items[book->current];

    phase->duration_ns += sample->time_ns - book->since.time_ns;
    for (size_t i = 0; i < ENERGY_MAX_DOMAINS; i++) {
        const struct stretch stretch = stretch_between(&book->since, sample, i);
        phase->energy_uj[i] += stretch.energy_uj;
        phase->known[i] &= stretch.read;
        phase->unknown_ns[i] += stretch.unknown_ns;
        if (stretch.hole)
            phase->hole[i] = (uint8_t)stretch.hole;
    }
}

void phase_book_open(struct phase_book *book, const struct sample *opening)
{
    book->phases = (struct phases){ .items = book->items, .marks = book->marks };
    book->opened_ns = opening->time_ns;
    book->used = (struct usage_value){ .known = true };
    enter(book, PHASE_BEFORE, opening);
}

/* Ticks may tell more at a mark than the end does. */
void phase_book_used(struct phase_book *book, const struct usage_value *cpu_ns)
{
    struct phase *phase = &book->phases.items[book->current];
    const uint64_t before_ns = book->used.value;

    phase->cpu_known &= book->used.known && cpu_ns->known;
    book->used = *cpu_ns;
    if (cpu_ns->value < before_ns)
        book->used.value = before_ns;
    phase->cpu_ns += book->used.value - before_ns;
}

void phase_book_mark(struct phase_book *book, enum mark_origin origin, const char *name, const struct sample *sample)
{
    struct phases *phases = &book->phases;

    leave(book, sample);
    enter(book, *name ? name : PHASE_NONE, sample);
    phases->origins[origin]++;
    if (phases->mark_count < PHASE_MARKS_MAX)
        phases->marks[phases->mark_count++] =
            (struct phase_mark){ .phase = book->current, .at_ns = sample->time_ns - book->opened_ns };
}

void phase_book_close(struct phase_book *book, const struct sample *closing)
{
    leave(book, closing);
}

struct phases *phase_book_copy(const struct phase_book *book)
{
    const struct phases *phases = &book->phases;
    struct phases *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    *copy = *phases;
    copy->items = calloc(phases->count, sizeof *copy->items);
    copy->marks = calloc(phases->mark_count + 1, sizeof *copy->marks);
    if (!copy->items || !copy->marks) {
        phases_free(copy);
        return NULL;
    }
    memcpy(copy->items, phases->items, phases->count * sizeof *copy->items);
    memcpy(copy->marks, phases->marks, phases->mark_count * sizeof *copy->marks);
    return copy;
}

void phases_free(struct phases *phases)
{
    while (phases) {
        struct phases *next = phases->next;
        free(phases->items);
        free(phases->marks);
        free(phases);
        phases = next;
    }
}
