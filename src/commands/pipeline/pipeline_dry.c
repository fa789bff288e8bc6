/* SPDX-License-Identifier: MIT
 * What a pipeline would run, without running it. */
#include "commands/pipeline/pipeline_work.h"

#include "base/auto.h"
#include "form/shell.h"

#include <stdlib.h>
#include <string.h>

#define SERVER "SERVER" /* placeholder for a server's address */

/* A growing argv; no memory: `failed`. */
struct pipeline_dry_words {
    char **words;
    size_t count, room;
    bool failed;
};

static void add(struct pipeline_dry_words *argv, const char *word)
{
    if (argv->count + 2 > argv->room) {
        const size_t room = 2 * argv->room + 16;
        char **more = realloc(argv->words, room * sizeof *more);

        if (!more) {
            argv->failed = true;
            return;
        }
        argv->words = more;
        argv->room = room;
    }
    argv->words[argv->count] = strdup(word);
    argv->failed |= !argv->words[argv->count];
    if (argv->words[argv->count])
        argv->words[++argv->count] = NULL;
}

static void add_mount(struct pipeline_dry_words *argv, const struct container_mount *mount)
{
    struct text text;

    text_open(&text, 1 << 16);
    text_add(&text, "%s:%s%s", mount->source, mount->target, mount->read_only ? ":ro" : "");
    add(argv, "-v");
    add(argv, text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* "all", "1", "device=0,2" */
static void add_cards(struct pipeline_dry_words *argv, const struct container_cards *cards)
{
    struct text text;

    if (!container_cards_any(cards))
        return;
    text_open(&text, 1 << 16);
    if (cards->all)
        text_add(&text, "all");
    else if (!cards->ids)
        text_add(&text, "%u", cards->count);
    for (const char *const *id = cards->ids; id && *id; id++)
        text_add(&text, "%s%s", id == cards->ids ? "device=" : ",", *id);
    add(argv, "--gpus");
    add(argv, text_ok(&text) ? text.data : "");
    text_close(&text);
}

/* As CPOST's: variables, inputs, outputs, image, command. */
static void add_container(struct pipeline_dry_words *argv, const struct engine *engine,
                          const struct container_plan *plan)
{
    add(argv, engine_name(engine->kind));
    add(argv, "run");
    add(argv, "-d");
    add(argv, "--rm");
    add_cards(argv, &plan->cards);
    if (plan->network) {
        add(argv, "--network");
        add(argv, plan->network);
    }
    for (const char *const *variable = plan->environment; variable && *variable; variable++) {
        add(argv, "--env");
        add(argv, *variable);
    }
    for (size_t i = 0; i < plan->mount_count; i++)
        add_mount(argv, &plan->mounts[i]);
    if (plan->cpus) {
        add(argv, "--cpuset-cpus");
        add(argv, plan->cpus);
    }
    if (plan->working_folder) {
        add(argv, "--workdir");
        add(argv, plan->working_folder);
    }
    add(argv, plan->image);
}

static void add_process(struct pipeline_dry_words *argv, const struct pipeline_part *part, char *const *added)
{
    if (!part->step->environment[0] && !part->step->dir && !*added)
        return;
    add(argv, "env");
    if (part->step->dir) {
        add(argv, "-C");
        add(argv, part->step->dir);
    }
    for (; *added; added++)
        add(argv, *added);
    for (char **variable = part->step->environment; *variable; variable++)
        add(argv, *variable);
}

/* Frees the words. */
static bool print_words(const char *label, struct pipeline_dry_words *argv, FILE *out, struct error *err)
{
    struct text text;
    bool good;

    text_open(&text, 1 << 22);
    if (!argv->failed)
        shell_command(argv->words, &text);
    good = !argv->failed && text_ok(&text);
    if (good)
        fprintf(out, "%s: %s\n", label, text.data);
    else
        error_errno(err, "no memory for the text of '%s'", label);
    text_close(&text);
    while (argv->count)
        free(argv->words[--argv->count]);
    free(argv->words);
    return good;
}

static bool print_companion(const struct companion *companion, FILE *out, struct error *err)
{
    struct pipeline_dry_words argv = { .words = NULL };
    char label[300];

    if (companion->engine)
        add_container(&argv, companion->engine, &companion->job.plan);
    for (char *const *word = companion->argv; word && *word; word++)
        add(&argv, *word);
    snprintf(label, sizeof label, "- %s", companion->name);
    return print_words(label, &argv, out, err);
}

static bool print_part(struct pipeline_work *work, struct pipeline_part *part, size_t number, FILE *out,
                       struct error *err)
{
    struct pipeline_dry_words argv = { .words = NULL };
    char **added = pipeline_companions_variables(work, part, SERVER, err);
    char label[300];

    if (!added || !pipeline_part_environment(work, part, SERVER, err))
        return false;
    if (part->engine)
        add_container(&argv, part->engine, &part->job.plan);
    else
        add_process(&argv, part, added);
    for (char **word = part->step->command; word && *word; word++)
        add(&argv, *word);
    snprintf(label, sizeof label, "%zu %s", number, part->step->name);
    return print_words(label, &argv, out, err);
}

/* Each server before the first step that needs it. */
static bool print_companions(const struct pipeline_work *work, size_t part, FILE *out, struct error *err)
{
    const struct pipeline_companions *all = &work->companions;

    for (size_t i = 0; i < all->count; i++) {
        size_t first = 0;

        while (!all->needs[first * all->stride + i])
            first++;
        if (first == part && !print_companion(&all->items[i], out, err))
            return false;
    }
    return true;
}

bool pipeline_dry_run(struct pipeline_work *work, FILE *out, struct error *err)
{
    for (size_t i = 0; i < work->pipeline.count; i++)
        if (!print_companions(work, i, out, err) || !print_part(work, &work->parts[i], i + 1, out, err))
            return false;
    return true;
}
