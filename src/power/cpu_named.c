/* SPDX-License-Identifier: MIT
 * Processors whose name is not a key of cpu_power.csv: those of clouds only, and names typed by people. */
#include "power/cpu_search.h"

#include "base/shipped.h"
#include "base/text.h"
#include "power/cpu_power.h"
#include "power/words.h"

#include <stdio.h>
#include <string.h>

enum { CLOUD_NAME, CLOUD_KEY, CLOUD_MICRO, CLOUD_CORES, CLOUD_THREADS, CLOUD_STANDS_FOR, CLOUD_COLUMNS };
static const char *const cloud_columns[] = {
    "cpuid_name", "match_key", "microarchitecture", "cores_per_socket", "threads_per_socket", "stands_for",
};

struct cloud_reading {
    int column[CLOUD_COLUMNS];
    const char *key;
    bool found;
    char name[96], microarchitecture[32], stands_for[CPU_KEY_SIZE];
    double cores, threads; /* 0: not known */
};

/* "(Neoverse-N1)" is shown by the kernel or lscpu, and does not identify the cloud. */
static bool is_shown_as(const char *name, const char *key)
{
    char shown[96], shown_key[CPU_KEY_SIZE];

    if (*name != '(')
        return false;
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(name + 1, ")"), name + 1);
    return strcmp(cpu_match_key(shown, shown_key), key) == 0;
}

static bool on_cloud_line(const struct csv_row *line, void *context, struct error *err)
{
    struct cloud_reading *reading = context;

    if (line->line == 1)
        return csv_columns(line, cloud_columns, CLOUD_COLUMNS, reading->column, err);
    const char *name = line->fields[reading->column[CLOUD_NAME]];
    if (reading->found ||
        (strcmp(line->fields[reading->column[CLOUD_KEY]], reading->key) != 0 && !is_shown_as(name, reading->key)))
        return true;
    reading->found = true;
    text_copy(reading->name, sizeof reading->name, name);
    text_copy(reading->microarchitecture, sizeof reading->microarchitecture,
              line->fields[reading->column[CLOUD_MICRO]]);
    text_copy(reading->stands_for, sizeof reading->stands_for, line->fields[reading->column[CLOUD_STANDS_FOR]]);
    if (!text_to_number(line->fields[reading->column[CLOUD_CORES]], &reading->cores))
        reading->cores = 0;
    if (!text_to_number(line->fields[reading->column[CLOUD_THREADS]], &reading->threads))
        reading->threads = 0;
    return true;
}

struct cpu_named_wanted {
    struct search *search;
    const char *key;   /* whole key of a row; or */
    const char *words; /* words of one */
    size_t fewest;     /* words that a row has which has them all */
    bool several;      /* more than one such row */
};

static void take_key(const struct cpu_row *row, void *context)
{
    struct cpu_named_wanted *wanted = context;

    if (strcmp(row->key, wanted->key) == 0) {
        wanted->search->cpu = *row;
        wanted->search->known = true;
    }
}

static void take_words(const struct cpu_row *row, void *context)
{
    struct cpu_named_wanted *wanted = context;
    struct search *search = wanted->search;
    const size_t count = words_count(row->key);

    if (!words_within(wanted->words, row->key) || (search->known && count > wanted->fewest))
        return;
    wanted->several = search->known && count == wanted->fewest;
    wanted->fewest = count;
    search->cpu = *row;
    search->known = true;
}

/* Its retail counterpart, with its own name and counts. */
static bool use_cloud(struct search *search, const struct cloud_reading *cloud, struct error *err)
{
    struct cpu_named_wanted wanted = { .search = search, .key = cloud->stands_for };

    if (!cpu_rows(cloud->stands_for, take_key, &wanted, err))
        return false;
    if (!search->known)
        return true;
    text_copy(search->key, sizeof search->key, search->cpu.key);
    if (*cloud->name != '(')
        text_copy(search->cpu.model, sizeof search->cpu.model, cloud->name);
    text_copy(search->cpu.microarchitecture, sizeof search->cpu.microarchitecture, cloud->microarchitecture);
    search->cpu.cores = cloud->cores > 0 ? (int)cloud->cores : search->cpu.cores;
    search->cpu.threads = cloud->threads > 0 ? (int)cloud->threads : search->cpu.threads;
    search->cpu.server = true;
    return true;
}

bool search_named(struct search *search, struct error *err)
{
    struct cloud_reading cloud = { .key = search->key };
    struct cpu_named_wanted wanted = { .search = search, .words = search->key };

    if (!shipped_read("cpu_cloud.csv", NULL, on_cloud_line, &cloud, err))
        return false;
    if (cloud.found)
        return use_cloud(search, &cloud, err);
    if (!search->identity->named)
        return true;
    if (!cpu_rows(NULL, take_words, &wanted, err))
        return false;
    search->known = search->known && !wanted.several;
    if (search->known)
        text_copy(search->key, sizeof search->key, search->cpu.key);
    else
        search->cpu = (struct cpu_row){ .model = "" };
    return true;
}
