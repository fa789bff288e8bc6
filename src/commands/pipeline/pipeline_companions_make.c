/* SPDX-License-Identifier: MIT
 * Servers that run during the steps of a pipeline: their list, and the command of each. */
#include "commands/pipeline/pipeline_models.h"

#include "app/terminal.h"
#include "base/c_locale.h"
#include "container/container_image.h"

#include <stdlib.h>
#include <string.h>

#define TRITON "tritonserver"

/* CPOST's variables; two of them are the names of before. */
static const struct pipeline_connection triton_connections[] = {
    { "NVIDIA_TRITON_HTTPURI", 8000 },
    { "CLARA_TRITON_URI", 8000 },
    { "NVIDIA_CLARA_TRTISURI", 8000 },
    { "NVIDIA_TRITON_GRPCURI", 8001 },
};
enum { TRITON_CONNECTIONS = sizeof triton_connections / sizeof triton_connections[0], TRITON_CARDS = 1 };

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the servers of the steps");
}

/* Ends with NULL. */
static char **list_of(struct pipeline_companions *all, size_t max)
{
    return arena_get(&all->store, (max + 1) * sizeof(char *));
}

static bool add_word(struct pipeline_companions *all, char **list, const char *a, const char *b)
{
    size_t count = 0;

    while (list[count])
        count++;
    list[count] = arena_print(&all->store, "%s%s", a, b);
    return list[count] != NULL;
}

static bool has_word(char *const *list, const char *word)
{
    for (; *list; list++)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

/* The models of all steps, each once. */
static char **all_models(struct pipeline_work *work)
{
    size_t max = 0;
    char **list;

    for (size_t i = 0; i < work->pipeline.count; i++)
        for (char **model = work->pipeline.steps[i].models; model && *model; model++)
            max++;
    list = list_of(&work->companions, max);
    for (size_t i = 0; list && i < work->pipeline.count; i++)
        for (char **model = work->parts[i].step->models; model && *model; model++)
            if (!has_word(list, *model) && !add_word(&work->companions, list, *model, ""))
                return NULL;
    return list;
}

/* Command line of Triton, like CPOST's. */
static char **triton_words(struct pipeline_companions *all, char **models, bool process)
{
    size_t count = 0;
    char **words;
    bool good;

    while (models[count])
        count++;
    words = list_of(all, count + 3);
    good = words && add_word(all, words, TRITON, "") &&
           add_word(all, words, "--model-repository=", process ? all->models : PIPELINE_MODELS) &&
           add_word(all, words, "--model-control-mode=explicit", "");
    for (; good && *models; models++)
        good = add_word(all, words, "--load-model=", *models);
    return good ? words : NULL;
}

/* The user's, else the one of that name that the engine has. */
static bool find_image(struct pipeline_work *work, const struct engine *engine, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const char *image = settings_text(work->settings, &option_triton_image);

    if (image || work->dry) {
        text_copy(all->image, sizeof all->image, image ? image : "TRITON");
        return true;
    }
    if (image_named(engine, TRITON, all->image, sizeof all->image, err))
        return true;
    return err->kind != ERROR_ABSENT && err->kind != ERROR_USAGE
               ? false
               : error_fix(err, "--triton-image NAME:TAG; '%s images' lists those that are here",
                           engine_name(engine->kind));
}

static void set_plan(struct pipeline_work *work, struct companion *companion, int64_t gpus)
{
    struct container_plan *plan = &companion->job.plan;

    companion->job.engine = companion->engine;
    plan->image = companion->image;
    plan->command = companion->argv;
    plan->run_id = work->campaign.session.report.id;
    plan->network = pipeline_network(work);
    plan->cards = pipeline_cards(work, gpus);
    if (*work->companions.models) {
        plan->mounts = &work->companions.mount;
        plan->mount_count = 1;
    }
}

static struct companion *add(struct pipeline_work *work, const char *name, const struct engine *engine)
{
    struct pipeline_companions *all = &work->companions;
    struct companion *companion = &all->items[all->count++];

    *companion = (struct companion){
        .name = name,
        .engine = engine,
        .environment = work->campaign.session.environment.variables,
        .signals = &all->signals,
        .log = -1,
        .process = { .fd = -1 },
        .job = { .target = { .fd = -1 } },
        .cpu_percent_of_core = { NAN, NAN },
        .memory_mb = { NAN, NAN },
        .min_cpu_percent = NAN,
        .memory_peak_mb = NAN,
    };
    return companion;
}

static bool add_triton(struct pipeline_work *work, const struct pipeline_part *part, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    struct companion *companion = add(work, TRITON, part->engine);
    char **models = all_models(work);

    companion->triton = true;
    companion->connections = triton_connections;
    companion->connection_count = TRITON_CONNECTIONS;
    companion->models = (const char *const *)models;
    companion->argv = models ? triton_words(all, models, !part->engine) : NULL;
    if (!companion->argv)
        return no_memory(err);
    if (!part->engine)
        return true;
    if (!find_image(work, part->engine, err))
        return false;
    companion->image = all->image;
    set_plan(work, companion, TRITON_CARDS);
    return true;
}

static bool is_triton(const char *name)
{
    return c_strcasestr(name, "triton") || c_strcasestr(name, "trtis");
}

/* Of a process: the folder of the models is where it is. */
static char **process_words(struct pipeline_companions *all, char **command)
{
    size_t count = 0;
    char **words;

    while (command[count])
        count++;
    words = list_of(all, count);
    for (; words && *command; command++) {
        const char *at = strstr(*command, PIPELINE_MODELS);
        const bool whole = at && !at[strlen(PIPELINE_MODELS)] && (at == *command || at[-1] == '=') && *all->models;
        char *begin = whole ? arena_copy(&all->store, *command, (size_t)(at - *command)) : *command;

        if (!begin || !add_word(all, words, begin, whole ? all->models : ""))
            return NULL;
    }
    return words;
}

static bool add_service(struct pipeline_work *work, const struct pipeline_part *part,
                        const struct pipeline_service *service, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const bool process = !service->image || strcmp(settings_text(work->settings, &option_runner), "process") == 0;
    const struct engine *engine = process ? NULL : pipeline_engine(work, err);
    struct companion *companion;

    if (!process && !engine)
        return false;
    if (is_triton(service->name) && !*all->models) {
        pipeline_refuse(part->step, err, "needs an inference server");
        error_why(err, "its service '%.60s' has models, and no folder was named for them", service->name);
        return error_fix(err, "--models-dir FOLDER, with a folder for each model");
    }
    if (process && !service->command) {
        pipeline_refuse(part->step, err, "has a service without a command");
        error_why(err, "without a container nothing else says what '%.60s' runs", service->name);
        return error_fix(err, "write 'command: [\"./server\"]', or take --runner docker");
    }
    companion = add(work, service->name, engine);
    companion->triton = is_triton(service->name);
    companion->connections = service->connections;
    companion->connection_count = service->connection_count;
    companion->image = process ? NULL : service->image;
    companion->argv = process ? process_words(all, service->command) : service->command;
    if (process && !companion->argv)
        return no_memory(err);
    if (!process)
        set_plan(work, companion, service->gpus);
    return true;
}

static bool same_words(char *const *a, char *const *b)
{
    if (!a || !b)
        return a == b;
    for (; *a && *b; a++, b++)
        if (strcmp(*a, *b) != 0)
            return false;
    return *a == *b;
}

/* Of several steps: one of the same image and command serves all of them. */
static bool service_before(const struct pipeline_work *work, size_t part, size_t service, size_t *item)
{
    const struct pipeline_service *wanted = &work->parts[part].step->services[service];

    for (size_t i = 0; i < work->companions.count; i++) {
        const struct pipeline_service *from = work->companions.services[i];

        if (from && strcmp(from->name, wanted->name) == 0 && same_words(from->command, wanted->command) &&
            (from->image ? wanted->image && strcmp(from->image, wanted->image) == 0 : !wanted->image)) {
            *item = i;
            return true;
        }
    }
    *item = work->companions.count;
    return false;
}

/* A container does not reach what listens on this machine alone. */
static bool check_reach(const struct pipeline_work *work, const struct pipeline_part *part,
                        const struct companion *companion, struct error *err)
{
    if (!part->engine || companion->engine || pipeline_network(work))
        return true;
    pipeline_refuse(part->step, err, "cannot reach its server");
    error_why(err, "'%.60s' is a process of this machine, and the step has a network of its own", companion->name);
    return error_fix(err, "--network host: steps share this machine's network");
}

static bool add_all(struct pipeline_work *work, size_t max, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    const size_t steps = work->pipeline.count;
    size_t triton = max;

    for (size_t i = 0; i < steps; i++) {
        const struct pipeline_part *part = &work->parts[i];
        const struct pipeline_step *step = part->step;

        if (pipeline_has_models(step)) {
            if (!pipeline_models_check(work, step, err) || (triton == max && !add_triton(work, part, err)))
                return false;
            triton = triton == max ? all->count - 1 : triton;
            all->needs[i * max + triton] = true;
            if (!check_reach(work, part, &all->items[triton], err))
                return false;
        }
        for (size_t j = 0; j < step->service_count; j++) {
            size_t item;

            if (!service_before(work, i, j, &item)) {
                if (!add_service(work, part, &step->services[j], err))
                    return false;
                all->services[item] = &step->services[j];
            }
            all->needs[i * max + item] = true;
            if (!check_reach(work, part, &all->items[item], err))
                return false;
        }
    }
    return true;
}

static void note_cards(struct pipeline_work *work)
{
    const struct pipeline_companions *all = &work->companions;

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].engine && all->items[i].triton && !all->cards_here && !all->cards_none && !all->cards)
            notice_add(&work->campaign.session.report.own_notices, NOTICE_ASSUMED, "this machine has none of NVIDIA's",
                       "--gpus none says so", "'%.60s' was given no graphics card", all->items[i].name);
}

static bool fetch(struct pipeline_work *work, struct error *err)
{
    for (size_t i = 0; i < work->companions.count; i++) {
        const struct companion *companion = &work->companions.items[i];

        if (companion->engine &&
            !container_job_fetch(companion->engine, companion->image, work->campaign.session.progress, err))
            return false;
    }
    return true;
}

bool pipeline_companions_open(struct pipeline_work *work, struct error *err)
{
    struct pipeline_companions *all = &work->companions;
    size_t max = 0;

    for (size_t i = 0; i < work->pipeline.count; i++)
        max += work->pipeline.steps[i].service_count + pipeline_has_models(&work->pipeline.steps[i]);
    if (!pipeline_models_find(work, err))
        return false;
    if (!max)
        return true;
    all->items = calloc(max, sizeof *all->items);
    all->services = calloc(max, sizeof(struct pipeline_service *));
    all->needs = calloc(max * work->pipeline.count, sizeof *all->needs);
    all->concurrent = calloc(max + 1, sizeof(struct target *));
    all->stride = max;
    if (!all->items || !all->services || !all->needs || !all->concurrent)
        return no_memory(err);
    if (!add_all(work, max, err))
        return false;
    note_cards(work);
    return work->dry || fetch(work, err);
}
