/* SPDX-License-Identifier: MIT
 * The lists of --loads and --threads, and the command line of each load. */
#include "commands/probe/probe_plan.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_THREAD_COUNTS = 8 };

/* The next word of a list "a,b"; NULL: there is none. *list goes on behind it. */
static const char *next_word(const char **list, char *word, size_t size)
{
    const size_t length = strcspn(*list, ",");

    if (**list == '\0')
        return NULL;
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return word;
}

static bool loads_of(const char *list, enum load_kind *kinds, size_t *count, struct error *err)
{
    char word[32];

    *count = 0;
    while (next_word(&list, word, sizeof word)) {
        const enum load_kind kind = load_kind_of(word);
        if (kind == LOAD_KINDS) {
            error_set(err, ERROR_USAGE, "no load is called '%s'", word);
            return error_why(err, "they are idle, cpu, memory, disk-write, disk-read and mixed");
        }
        if (*count == LOAD_KINDS)
            return error_set(err, ERROR_USAGE, "a load is named twice");
        for (size_t i = 0; i < *count; i++)
            if (kinds[i] == kind)
                return error_set(err, ERROR_USAGE, "the load '%s' is named twice", word);
        kinds[(*count)++] = kind;
    }
    return *count > 0 || error_set(err, ERROR_USAGE, "no load is named");
}

static bool threads_of(const char *list, unsigned *counts, size_t *count, struct error *err)
{
    char word[16];
    uint64_t number;

    *count = 0;
    while (next_word(&list, word, sizeof word)) {
        if (!text_to_u64(word, &number) || number < 1 || number > LOAD_MAX_THREADS)
            return error_set(err, ERROR_USAGE, "'%s' is not a number of threads from 1 to %d", word, LOAD_MAX_THREADS);
        if (*count == MAX_THREAD_COUNTS)
            return error_set(err, ERROR_USAGE, "more than %d numbers of threads", MAX_THREAD_COUNTS);
        counts[(*count)++] = (unsigned)number;
    }
    return *count > 0 || error_set(err, ERROR_USAGE, "no number of threads is named");
}

bool probe_check_loads(const char *loads, struct error *err)
{
    enum load_kind kinds[LOAD_KINDS];
    size_t count;

    return loads_of(loads, kinds, &count, err);
}

bool probe_check_threads(const char *threads, struct error *err)
{
    unsigned counts[MAX_THREAD_COUNTS];
    size_t count;

    return threads_of(threads, counts, &count, err);
}

void probe_plan_threads(unsigned cpus, char *list, size_t size)
{
    const unsigned factor = cpus > 16 ? 4 : 2, max = cpus < LOAD_MAX_THREADS ? cpus : LOAD_MAX_THREADS;
    size_t length = (size_t)snprintf(list, size, "1");

    for (unsigned threads = factor; cpus > 4 && threads < max && length < size; threads *= factor)
        length += (size_t)snprintf(list + length, size - length, ",%u", threads);
    if (max > 1 && length < size)
        snprintf(list + length, size - length, ",%u", max);
}

static bool has_threads(enum load_kind kind)
{
    return kind == LOAD_CPU || kind == LOAD_MEMORY || kind == LOAD_MIXED;
}

static bool add_load(struct probe_plan *plan, enum load_kind kind, unsigned threads, const char *folder,
                     const char *done_path, struct error *err)
{
    struct probe_load *load = &plan->loads[plan->count];

    if (plan->count == PROBE_MAX_LOADS)
        return error_set(err, ERROR_USAGE, "more than %d loads", PROBE_MAX_LOADS);
    plan->count++;
    load->kind = kind;
    load->threads = has_threads(kind) ? threads : 0;
    load_command_make(&load->command, load_kind_name(kind), threads, plan->time_text, folder, done_path);
    return true;
}

bool probe_plan_make(struct probe_plan *plan, const char *loads, const char *threads, double seconds,
                     const char *folder, const char *done_path, struct error *err)
{
    enum load_kind kinds[LOAD_KINDS];
    unsigned counts[MAX_THREAD_COUNTS];
    size_t kind_count, thread_count;
    char number[TEXT_NUMBER_SIZE];

    *plan = (struct probe_plan){ .count = 0 };
    if (!loads_of(loads, kinds, &kind_count, err) || !threads_of(threads, counts, &thread_count, err))
        return false;
    snprintf(plan->time_text, sizeof plan->time_text, "%.23s", text_number(seconds, number));
    for (size_t i = 0; i < kind_count; i++)
        for (size_t j = 0; j < (has_threads(kinds[i]) ? thread_count : 1); j++)
            if (!add_load(plan, kinds[i], counts[j], folder, done_path, err))
                return false;
    return true;
}
