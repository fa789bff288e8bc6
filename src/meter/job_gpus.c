/* SPDX-License-Identifier: MIT
 * Lists of cards: by number, name, UUID, or the name of a MIG instance. */
#include "base/c_locale.h"
#include "base/text.h"
#include "meter/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cards {
    struct energy_source *source;
    struct domain *items[ENERGY_MAX_DOMAINS]; /* NVML's order is that of their places on the bus */
    bool chosen[ENERGY_MAX_DOMAINS];
    size_t count;
    bool of_nvidia;
};

enum numbering {
    NUMBERS_OURS, /* NVML's: --gpus */
    NUMBERS_CUDA, /* of the cards that are visible, the fastest first unless CUDA_DEVICE_ORDER says otherwise */
    NUMBERS_NODE, /* of the node; in a container or a job's group the visible cards are renumbered */
};

/* What became of a list. */
enum job_gpus_answer {
    ANSWER_CHOSEN,
    ANSWER_NOTHING, /* no choice stated */
    ANSWER_UNKNOWN, /* it says what cannot be followed here; bad names the item */
};

const char *gpus_own_environment(const char *name)
{
    return getenv(name);
}

static void collect(struct energy_source *source, struct cards *cards)
{
    for (size_t i = 0; i < source->domain_count; i++)
        if (source->domains[i].component == COMPONENT_GPU)
            cards->items[cards->count++] = &source->domains[i];
    cards->source = source;
}

/* NVIDIA's as its library has them; where there are none, those of the first source that has any. */
static struct cards cards_of(struct meter *meter)
{
    struct cards cards = { .count = 0 };

    for (size_t s = 0; s < meter->source_count; s++)
        if (strcmp(meter->sources[s].driver->name, "nvml") == 0)
            collect(&meter->sources[s], &cards);
    cards.of_nvidia = cards.count > 0;
    for (size_t s = 0; s < meter->source_count && !cards.count; s++)
        collect(&meter->sources[s], &cards);
    return cards;
}

/* The path of a card is "UUID (model)". */
static bool are_alike(const struct cards *cards)
{
    const char *first = cards->count ? strchr(cards->items[0]->path, '(') : NULL;

    for (size_t i = 1; i < cards->count; i++) {
        const char *model = strchr(cards->items[i]->path, '(');
        if (!first || !model || strcmp(first, model) != 0)
            return false;
    }
    return true;
}

static bool any_is_partitioned(const struct cards *cards)
{
    for (size_t i = 0; i < cards->count; i++)
        if (cards->items[i]->partitioned)
            return true;
    return false;
}

/* The only card whose UUID begins so; -1: none or several. */
static int find_uuid(const struct cards *cards, const char *uuid, size_t length)
{
    int found = -1;

    for (size_t i = 0; i < cards->count; i++)
        if (c_strncasecmp(cards->items[i]->path, uuid, length) == 0) {
            if (found >= 0)
                return -1;
            found = (int)i;
        }
    return found;
}

/* All parts are of the only card. */
static int find_part(const struct cards *cards, const char *part)
{
    if (cards->count < 2)
        return (int)cards->count - 1;
    return cards->source->driver->card_of ? cards->source->driver->card_of(cards->source, part) : -1;
}

/* -1: it is none that is known here. */
static int find_named(const struct cards *cards, const char *item)
{
    if (strncmp(item, "GPU-", 4) == 0)
        return find_uuid(cards, item, strlen(item));
    if (strncmp(item, "MIG-GPU-", 8) == 0) /* "MIG-GPU-UUID/1/0": an instance of that card */
        return find_uuid(cards, item + 4, strcspn(item + 4, "/"));
    if (strncmp(item, "MIG-", 4) == 0) /* an instance with a UUID of its own */
        return find_part(cards, item);
    for (size_t i = 0; i < cards->count; i++)
        if (strcmp(item, cards->items[i]->name) == 0)
            return (int)i;
    return -1;
}

/* "2" or "1-3". False: it is neither. */
static bool read_range(const char *item, unsigned long *first, unsigned long *last)
{
    char *end;

    if (!c_isdigit(item[0]))
        return false;
    *first = *last = strtoul(item, &end, 10);
    if (*end == '-' && c_isdigit(end[1]))
        *last = strtoul(end + 1, &end, 10);
    return !*end && *first <= *last;
}

/* False: it names what is not here. */
static bool choose_item(struct cards *cards, const char *item)
{
    unsigned long first, last;
    int named;

    if (read_range(item, &first, &last)) {
        for (unsigned long i = first; i <= last && i < cards->count; i++)
            cards->chosen[i] = true;
        return last < cards->count;
    }
    named = find_named(cards, item);
    if (named >= 0)
        cards->chosen[named] = true;
    return named >= 0;
}

static bool all_are_chosen(const struct cards *cards)
{
    for (size_t i = 0; i < cards->count; i++)
        if (!cards->chosen[i])
            return false;
    return true;
}

static size_t items_of(const char *list)
{
    size_t count = *list != '\0';

    for (const char *at = list; *at; at++)
        count += *at == ',';
    return count;
}

/* The next of a list, without blanks around it; returns what follows. */
static const char *take_item(const char *list, char item[80])
{
    size_t length;

    list += strspn(list, " \t");
    length = strcspn(list, ",");
    snprintf(item, 80, "%.*s", (int)length, list);
    item[strcspn(item, " \t")] = '\0';
    return list + length + (list[length] == ',');
}

/* The card of a number is unknown if CUDA has its own order, if it may be an instance's, or if the cards are not
 * NVIDIA's: except if all are named. */
static bool knows_numbers(const struct cards *cards, enum numbering numbering, bool in_order)
{
    return numbering == NUMBERS_OURS || cards->count == 1 ||
           (cards->of_nvidia && (numbering != NUMBERS_CUDA || in_order) && !any_is_partitioned(cards));
}

static enum job_gpus_answer choose_list(struct cards *cards, const char *list, enum numbering numbering, bool in_order,
                                        char bad[80])
{
    const bool numbers = c_isdigit(list[strspn(list, " \t")]), known = knows_numbers(cards, numbering, in_order);
    char item[80];

    memset(cards->chosen, 0, sizeof cards->chosen);
    if (strcmp(list, "all") == 0 ||
        (numbering == NUMBERS_NODE && numbers && !any_is_partitioned(cards) && items_of(list) >= cards->count)) {
        memset(cards->chosen, 1, sizeof cards->chosen);
        return ANSWER_CHOSEN;
    }
    if (strcmp(list, "none") == 0)
        return ANSWER_CHOSEN;
    for (const char *at = list; *at;) {
        at = take_item(at, item);
        if (choose_item(cards, item))
            continue;
        if (numbering == NUMBERS_CUDA && strncmp(item, "MIG-", 4) != 0)
            break; /* CUDA takes those before the first that is none */
        snprintf(bad, 80, "%s", item);
        return ANSWER_UNKNOWN;
    }
    snprintf(bad, 80, "%.79s", list);
    return known || !numbers || (all_are_chosen(cards) && !any_is_partitioned(cards)) ? ANSWER_CHOSEN : ANSWER_UNKNOWN;
}

/* What covers all cards covers those that are left out, too. */
static void leave_out_wider(struct meter *meter, const struct cards *cards, const char *from)
{
    for (size_t s = 0; s < meter->source_count; s++) {
        struct energy_source *source = &meter->sources[s];
        const bool same = source->driver->covers_all || cards->source->driver->covers_all;
        for (size_t i = 0; source != cards->source && same && i < source->domain_count; i++)
            if (source->domains[i].component == COMPONENT_GPU && !source->domains[i].not_counted[0])
                snprintf(source->domains[i].not_counted, sizeof source->domains[i].not_counted,
                         "the job's cards, by %s, are counted by %s", from, cards->source->driver->name);
    }
}

static void leave_out(struct meter *meter, const struct cards *cards, const char *from, const char *list,
                      struct notices *notices)
{
    struct text names;
    char why[200];

    text_open(&names, 160);
    for (size_t i = 0; i < cards->count; i++) {
        struct domain *card = cards->items[i];
        if (cards->chosen[i] || card->not_counted[0])
            continue;
        snprintf(card->not_counted, sizeof card->not_counted, "not the job's, by %s", from);
        text_add(&names, "%s%s", names.length ? ", " : "", card->name);
    }
    snprintf(why, sizeof why, "not the job's, by %s %.120s", from, *list ? list : "(empty)");
    if (names.length) {
        notice_add(notices, NOTICE_LEFT_OUT, why, "--gpus all counts every card", LEFT_OUT "%s", names.data);
        leave_out_wider(meter, cards, from);
    }
    text_close(&names);
}

static bool fail_with_card(const struct cards *cards, const char *bad, struct error *err)
{
    error_set(err, ERROR_USAGE, "--gpus cannot be '%s'", bad);
    if (!cards->count)
        error_why(err, "there is no GPU here");
    else
        error_why(err, "the GPUs here are %s%s%s", cards->items[0]->name, cards->count > 1 ? " to " : "",
                  cards->count > 1 ? cards->items[cards->count - 1]->name : "");
    return error_fix(err, "'carbon sources' lists them; leave --gpus out where there are none");
}

/* Says which cards are the job's: enum job_gpus_answer of one variable. */
static enum job_gpus_answer ask_variable(struct cards *cards, const char *name, const char *list,
                                         enum numbering numbering, bool in_order, char bad[80])
{
    const bool container = strcmp(name, "NVIDIA_VISIBLE_DEVICES") == 0;

    if (!list || (container && (!*list || strcmp(list, "void") == 0 || strcmp(list, "none") == 0)) ||
        (!*list && numbering == NUMBERS_NODE))
        return ANSWER_NOTHING;
    return choose_list(cards, list, numbering, in_order, bad);
}

static void ask_environment(struct meter *meter, struct cards *cards, gpus_variable *variable, struct notices *notices)
{
    static const struct {
        const char *name;
        enum numbering numbering;
        bool of_nvidia, of_others;
    } variables[] = {
        { "CUDA_VISIBLE_DEVICES", NUMBERS_CUDA, true, false },   { "ROCR_VISIBLE_DEVICES", NUMBERS_CUDA, false, true },
        { "HIP_VISIBLE_DEVICES", NUMBERS_CUDA, false, true },    { "SLURM_STEP_GPUS", NUMBERS_NODE, true, true },
        { "SLURM_JOB_GPUS", NUMBERS_NODE, true, true },          { "GPU_DEVICE_ORDINAL", NUMBERS_CUDA, true, true },
        { "NVIDIA_VISIBLE_DEVICES", NUMBERS_NODE, true, false },
    };
    const char *order = variable("CUDA_DEVICE_ORDER");
    const bool in_order = (order && strcmp(order, "PCI_BUS_ID") == 0) || are_alike(cards);
    const char *unclear = NULL;
    char bad[80], unclear_bad[80] = "";

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *list = variable(variables[i].name);
        if (!(cards->of_nvidia ? variables[i].of_nvidia : variables[i].of_others))
            continue;
        switch (ask_variable(cards, variables[i].name, list, variables[i].numbering, in_order, bad)) {
        case ANSWER_CHOSEN: leave_out(meter, cards, variables[i].name, list, notices); return;
        case ANSWER_UNKNOWN:
            if (!unclear) {
                unclear = variables[i].name;
                memcpy(unclear_bad, bad, sizeof bad);
            }
            break;
        case ANSWER_NOTHING: break;
        }
    }
    if (unclear)
        notice_add(notices, NOTICE_NOT_UNDERSTOOD, "all that can be seen are counted", "name them: --gpus 0,1",
                   "which GPUs are the job's is not known: %s says '%s', which cannot be followed here", unclear,
                   unclear_bad);
}

bool job_gpus_choose(struct meter *meter, const char *list, gpus_variable *variable, struct notices *notices,
                     struct error *err)
{
    struct cards cards = cards_of(meter);
    char bad[80];

    if (!list) {
        if (cards.count && variable)
            ask_environment(meter, &cards, variable, notices);
        return true;
    }
    if (choose_list(&cards, list, NUMBERS_OURS, true, bad) != ANSWER_CHOSEN)
        return fail_with_card(&cards, bad, err);
    leave_out(meter, &cards, "--gpus", list, notices);
    return true;
}
