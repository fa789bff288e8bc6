/* SPDX-License-Identifier: MIT
 * Graphics cards for the containers of a pipeline: those of --gpus, else as many as each asks for. */
#include "commands/pipeline/pipeline_work.h"

#include "base/auto.h"
#include "base/c_locale.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define CARDS_FOLDER "/proc/driver/nvidia/gpus"

enum { CARDS_MAX = 256 };

static bool is_card_here(void)
{
    AUTO_CLOSEDIR DIR *folder = opendir(CARDS_FOLDER);
    const struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            return true;
    return false;
}

/* "gpu-1" of `carbon sources` is "1" for an engine; so is "1", and a UUID is a UUID. */
static const char *id_of(const char *word, size_t length, struct arena *store)
{
    const size_t prefix = length > 4 && strncmp(word, "gpu-", 4) == 0 ? 4 : 0;

    return arena_copy(store, word + prefix, length - prefix);
}

/* "2-5": from, to; false: not a range. */
static bool is_range(const char *word, size_t length, unsigned *from, unsigned *to)
{
    char text[32];
    int end = 0;

    if (length >= sizeof text)
        return false;
    memcpy(text, word, length);
    text[length] = '\0';
    return sscanf(text, "%4u-%4u%n", from, to, &end) == 2 && (size_t)end == length && *from <= *to;
}

static bool add(struct pipeline_companions *all, const char **cards, size_t *count, const char *word, size_t length)
{
    unsigned from, to;

    if (!is_range(word, length, &from, &to)) {
        cards[*count] = *count < CARDS_MAX ? id_of(word, length, &all->store) : NULL;
        return cards[(*count)++] != NULL;
    }
    for (; from <= to; from++) {
        cards[*count] = *count < CARDS_MAX ? arena_print(&all->store, "%u", from) : NULL;
        if (!cards[(*count)++])
            return false;
    }
    return true;
}

bool pipeline_cards_read(struct pipeline_work *work, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const char *text = settings_text(work->settings, &option_gpus), **cards;
    size_t count = 0;

    all->cards_here = is_card_here();
    all->cards_none = text && c_strcasecmp(text, "none") == 0;
    all->cards_all = text && c_strcasecmp(text, "all") == 0;
    if (!text || all->cards_none || all->cards_all)
        return true;
    cards = arena_get(&all->store, (CARDS_MAX + 2) * sizeof *cards);
    if (!cards)
        return error_errno(err, "no memory for the graphics cards");
    while (*text) {
        const size_t length = strcspn(text, ",");

        if (length && !add(all, cards, &count, text, length))
            return error_set(err, ERROR_USAGE, "--gpus names more than %d cards", CARDS_MAX);
        text += length + (text[length] == ',');
    }
    cards[count] = NULL;
    all->cards = cards;
    return true;
}

struct container_cards pipeline_cards(const struct pipeline_work *work, int64_t wanted)
{
    const struct pipeline_companions *all = &work->companions;

    if (wanted <= 0 || all->cards_none)
        return (struct container_cards){ .count = 0 };
    if (all->cards_all)
        return (struct container_cards){ .all = true };
    if (all->cards)
        return (struct container_cards){ .ids = all->cards };
    return (struct container_cards){ .count = all->cards_here ? (unsigned)wanted : 0 };
}

const char *pipeline_network(const struct pipeline_work *work)
{
    return strcmp(settings_text(work->settings, &option_network), "host") == 0 ? "host" : NULL;
}
