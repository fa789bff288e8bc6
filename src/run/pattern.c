/* SPDX-License-Identifier: MIT
 * A pattern's program over a line: all its threads take the bytes one by one, at most one of them at each step. */
#include "run/pattern.h"

#include "run/pattern_program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool has(const struct byte_set *set, unsigned char byte)
{
    return set->bits[byte / 8] >> byte % 8 & 1;
}

struct pattern *pattern_open(const char *text, struct error *err)
{
    struct pattern *pattern = calloc(1, sizeof *pattern);
    bool good;

    if (!pattern) {
        error_errno(err, "no memory for an expression");
        return NULL;
    }
    good = pattern_read(pattern, text, err);
    if (good) {
        pattern->now.items = calloc((size_t)pattern->count, sizeof(struct pattern_thread));
        pattern->next.items = calloc((size_t)pattern->count, sizeof(struct pattern_thread));
        pattern->seen = calloc((size_t)pattern->count, sizeof *pattern->seen);
        good = (pattern->now.items && pattern->next.items && pattern->seen) ||
               error_errno(err, "no memory for an expression");
    }
    if (good)
        return pattern;
    pattern_close(pattern);
    return NULL;
}

void pattern_close(struct pattern *pattern)
{
    if (!pattern)
        return;
    free(pattern->now.items);
    free(pattern->next.items);
    free(pattern->seen);
    free(pattern);
}

static bool holds(enum operation operation, const char *line, int at)
{
    const bool before = at > 0 && is_word_byte((unsigned char)line[at - 1]),
               after = is_word_byte((unsigned char)line[at]);

    switch (operation) {
    case LINE_BEGIN: return at == 0;
    case LINE_END: return !line[at];
    case WORD: return before != after;
    case NO_WORD: return before == after;
    case WORD_BEGIN: return !before && after;
    case WORD_END: return before && !after;
    default: return true;
    }
}

/* To all that can be reached without a byte; each is entered once a step. */
static void follow(struct pattern *pattern, struct threads *threads, int at, struct places places, const char *line,
                   int position)
{
    const struct instruction *instruction;

    for (;; at++) {
        if (pattern->seen[at] == pattern->step)
            return;
        pattern->seen[at] = pattern->step;
        instruction = &pattern->program[at];
        switch (instruction->operation) {
        case GO: at = instruction->to - 1; break;
        case SPLIT:
            follow(pattern, threads, instruction->to, places, line, position);
            at = instruction->other - 1;
            break;
        case KEEP: places.at[instruction->to] = position; break;
        case TAKE:
        case FOUND: threads->items[threads->count++] = (struct pattern_thread){ at, places }; return;
        default:
            if (!holds(instruction->operation, line, position))
                return;
        }
    }
}

bool pattern_find(struct pattern *pattern, const char *line, size_t *begin, size_t *end)
{
    const struct places none = { { -1, -1, -1, -1 } };
    struct places best = none;

    pattern->now.count = 0;
    memset(pattern->seen, 0, (size_t)pattern->count * sizeof *pattern->seen);
    pattern->step = 1;
    for (int position = 0; position < INT_MAX; position++) {
        struct threads swapped;

        if (best.at[0] < 0) /* behind those that began before */
            follow(pattern, &pattern->now, 0, none, line, position);
        pattern->step++;
        pattern->next.count = 0;
        for (size_t i = 0; i < pattern->now.count; i++) {
            const struct pattern_thread *thread = &pattern->now.items[i];
            const struct instruction *instruction = &pattern->program[thread->at];

            if (best.at[0] >= 0 && thread->places.at[0] > best.at[0])
                continue;
            if (instruction->operation == FOUND) {
                if (best.at[0] < 0 || thread->places.at[0] < best.at[0] || thread->places.at[1] > best.at[1])
                    best = thread->places;
            } else if (line[position] && has(&instruction->set, (unsigned char)line[position])) {
                follow(pattern, &pattern->next, thread->at + 1, thread->places, line, position + 1);
            }
        }
        swapped = pattern->now;
        pattern->now = pattern->next;
        pattern->next = swapped;
        if (!line[position] || (best.at[0] >= 0 && !pattern->now.count))
            break;
    }
    if (best.at[0] < 0)
        return false;
    *begin = (size_t)best.at[best.at[3] >= 0 ? 2 : 0];
    *end = (size_t)best.at[best.at[3] >= 0 ? 3 : 1];
    return true;
}
