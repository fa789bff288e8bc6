/* SPDX-License-Identifier: MIT
 * Who runs each step of a pipeline, and with what. */
#include "commands/pipeline/pipeline_work.h"

#include "container/engine_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Clara's own locks are no use here (as CPOST has it). */
#define NO_LOCK "NVIDIA_CLARA_NOSYNCLOCK=1"

static const char runner_process[] = "process";

const struct engine *pipeline_engine(struct pipeline_work *work, struct error *err)
{
    const char *wanted = settings_text(work->settings, &option_runner);
    const bool any = strcmp(wanted, "auto") == 0;
    enum engine_kind kind = ENGINE_DOCKER;

    if (work->engine_count == 0) {
        if (work->dry) { /* nobody is asked */
            IGNORED(engine_kind_of(wanted, &work->engines[0].kind), "\"auto\" leaves the first kind");
            work->engine_count = 1;
        } else if (any)
            work->engine_count = engines_open(work->engines, err);
        else if (engine_kind_of(wanted, &kind) && engine_open(&work->engines[0], kind, err))
            work->engine_count = 1;
    }
    return work->engine_count ? &work->engines[0] : NULL;
}

/* What carbon does not do for a step is said before anything is run. */
static bool check_step(const struct pipeline_work *work, const struct pipeline_part *part, struct error *err)
{
    const struct pipeline_step *step = part->step;

    if (!part->engine && (!step->command || !step->command[0])) {
        pipeline_refuse(step, err, "has no command");
        error_why(err, "without a container nothing else says what it runs");
        return error_fix(err, "write 'run: [\"./step\", \"argument\"]'");
    }
    for (size_t i = 0; part->engine && i < step->input_count; i++)
        if (step->inputs[i].from == PIPELINE_PAYLOAD && step->inputs[i].path && !work->payload[0]) {
            pipeline_refuse(step, err, "reads what the pipeline is given");
            error_why(err, "no folder was named for it");
            return error_fix(err, "carbon pipeline FILE INPUT");
        }
    if (part->engine && step->dir && step->dir[0] != '/') {
        pipeline_refuse(step, err, "its folder is not an absolute path");
        return error_fix(err, "in a container, write it from the '/' on");
    }
    return true;
}

/* Where an input comes from. */
static bool input_path(const struct pipeline_work *work, const struct pipeline_input *input, char path[WORK_PATH_SIZE],
                       struct error *err)
{
    if (input->from == PIPELINE_PAYLOAD) {
        text_copy(path, WORK_PATH_SIZE, work->payload);
        return true;
    }
    return work_folders_path(&work->folders, work->pipeline.steps[input->from].name, input->name, false, path, err);
}

static bool make_mounts(const struct pipeline_work *work, struct pipeline_part *part, struct error *err)
{
    const struct pipeline_step *step = part->step;
    const size_t max = step->input_count + step->output_count;
    struct container_plan *plan = &part->job.plan;
    size_t count = 0;

    part->mounts = calloc(max + 1, sizeof *part->mounts);
    part->paths = calloc(max + 1, sizeof *part->paths);
    if (!part->mounts || !part->paths)
        return error_errno(err, "no memory for the steps");
    for (size_t i = 0; i < step->input_count; i++) {
        const struct pipeline_input *input = &step->inputs[i];

        if (!input->path)
            continue;
        if (!input_path(work, input, part->paths[count], err))
            return false;
        part->mounts[count].target = input->path;
        part->mounts[count].read_only = input->from == PIPELINE_PAYLOAD;
        count++;
    }
    for (size_t i = 0; i < step->output_count; i++) {
        const struct pipeline_output *output = &step->outputs[i];

        if (!output->path)
            continue;
        if (!work_folders_path(&work->folders, step->name, output->name, false, part->paths[count], err))
            return false;
        part->mounts[count++].target = output->path;
    }
    for (size_t i = 0; i < count; i++)
        part->mounts[i].source = part->paths[i];
    plan->mounts = part->mounts;
    plan->mount_count = count;
    return true;
}

static bool add_process_variable(struct pipeline_part *part, char *const *from, char *variable, struct error *err)
{
    char **with = environment_with(part->environment ? part->environment : from ? from : environ, variable);

    free(part->environment);
    part->environment = with;
    return with || error_errno(err, "no memory for the steps");
}

/* A container has the file's variables; a process those and the user's. Of servers come those first, as CPOST has it.
 */
bool pipeline_part_environment(struct pipeline_work *work, struct pipeline_part *part, const char *address,
                               struct error *err)
{
    char *const *from = work->campaign.session.environment.variables;
    char **added = pipeline_companions_variables(work, part, address, err);
    size_t count = 0, max = 2;

    if (!added)
        return false;
    if (!part->engine) {
        free(part->environment);
        part->environment = NULL;
        for (; *added; added++)
            if (!add_process_variable(part, from, *added, err))
                return false;
        for (char **variable = part->step->environment; *variable; variable++)
            if (!add_process_variable(part, from, *variable, err))
                return false;
        return true;
    }
    while (added[count])
        count++;
    for (char **variable = part->step->environment; *variable; variable++)
        max++;
    free(part->variables);
    part->variables = calloc(count + max, sizeof *part->variables);
    if (!part->variables)
        return error_errno(err, "no memory for the steps");
    count = 0;
    part->variables[count++] = NO_LOCK;
    while (*added)
        part->variables[count++] = *added++;
    for (char **variable = part->step->environment; *variable; variable++)
        part->variables[count++] = *variable;
    part->job.plan.environment = part->variables;
    return true;
}

static bool pin(struct pipeline_work *work, struct pipeline_part *part, struct error *err)
{
    const struct session *session = &work->campaign.session;

    if (part->step->cpus) {
        if (!work->dry &&
            (!cpus_of_list(part->step->cpus, &part->cpus, err) || !cpus_are_online(&part->cpus, &session->root, err))) {
            char why[sizeof err->why];

            text_copy(why, sizeof why, err->what);
            pipeline_refuse(part->step, err, "cannot have its CPUs");
            return error_why(err, "%s", why);
        }
        part->pinned = true;
        part->job.plan.cpus = part->step->cpus;
    } else if (settings_text(work->settings, &option_cpus)) {
        part->job.plan.cpus = settings_text(work->settings, &option_cpus);
    }
    return true;
}

static bool open_part(struct pipeline_work *work, size_t i, struct error *err)
{
    const char *wanted = settings_text(work->settings, &option_runner);
    struct pipeline_part *part = &work->parts[i];
    const struct pipeline_step *step = part->step = &work->pipeline.steps[work->pipeline.order[i]];

    if (step->image && strcmp(wanted, runner_process) != 0) {
        part->engine = pipeline_engine(work, err);
        if (!part->engine)
            return false;
    }
    snprintf(part->label, sizeof part->label, "%.140s/%.140s", work->pipeline.name, step->name);
    if (!check_step(work, part, err) || !pin(work, part, err))
        return false;
    if (part->engine && !(part->words = container_job_words(part->engine, step->image, step->command)))
        return error_errno(err, "no memory for the steps");
    part->job.engine = part->engine;
    part->job.plan.image = step->image;
    part->job.plan.command = step->command;
    part->job.plan.network = pipeline_network(work);
    part->job.plan.cards = pipeline_cards(work, step->requests.gpu);
    part->job.plan.working_folder = step->dir;
    part->job.plan.run_id = work->campaign.session.report.id;
    return !part->engine || make_mounts(work, part, err);
}

/* Each image once, before anything is run. */
static bool fetch_images(struct pipeline_work *work, struct error *err)
{
    for (size_t i = 0; i < work->pipeline.count; i++) {
        const struct pipeline_part *part = &work->parts[i];
        bool seen = !part->engine;

        for (size_t j = 0; j < i && !seen; j++)
            seen = work->parts[j].engine && strcmp(work->parts[j].step->image, part->step->image) == 0;
        if (!seen && !container_job_fetch(part->engine, part->step->image, work->campaign.session.progress, err))
            return false;
    }
    return true;
}

bool pipeline_parts_open(struct pipeline_work *work, struct error *err)
{
    work->parts = calloc(work->pipeline.count, sizeof *work->parts);
    if (!work->parts)
        return error_errno(err, "no memory for the steps");
    if (!pipeline_cards_read(work, err))
        return false;
    for (size_t i = 0; i < work->pipeline.count; i++)
        if (!open_part(work, i, err))
            return false;
    return work->dry || fetch_images(work, err);
}

void pipeline_parts_close(struct pipeline_work *work)
{
    for (size_t i = 0; work->parts && i < work->pipeline.count; i++) {
        free(work->parts[i].words);
        free(work->parts[i].environment);
        free(work->parts[i].variables);
        free(work->parts[i].mounts);
        free(work->parts[i].paths);
    }
    free(work->parts);
    free(work->companions.items);
    free(work->companions.services);
    free(work->companions.needs);
    free(work->companions.concurrent);
    arena_close(&work->companions.store);
}
