/* SPDX-License-Identifier: MIT
 * The command of carbon measure in a container. */
#include "app/run_options.h"

#include "app/attach_options.h"
#include "container/engine_open.h"

#include <stdlib.h>

static bool fail_with_option(struct error *err, const struct option_spec *other, const char *why)
{
    options_clash(&option_run, other, err);
    return error_why(err, "%s", why);
}

bool run_options_check(const struct command_line *line, struct error *err)
{
    static const struct option_spec *const others[] = { &option_pid, &option_cgroup, &option_container, &option_pod,
                                                        &option_for };
    const struct settings *settings = &line->settings;

    if (!settings_text(settings, &option_run))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (settings_text(settings, others[i]))
            return fail_with_option(err, others[i], "a container of its own is measured until it ends");
    if (settings_flag(settings, &option_marks))
        return fail_with_option(err, &option_marks, "a container has no descriptor for marks");
    if (settings_text(settings, &option_phase))
        return fail_with_option(err, &option_phase, "output of a container passes through its engine");
    return true;
}

bool run_options_open(struct run_options *run, const struct command_line *line, const char *run_id, bool progress,
                      struct error *err)
{
    const char *wanted = settings_text(&line->settings, &option_engine);
    struct engine engines[ENGINE_KINDS];
    enum engine_kind kind;

    run->image = settings_text(&line->settings, &option_run);
    if (!run->image)
        return true;
    if (!(wanted && engine_kind_of(wanted, &kind) ? engine_open(&engines[0], kind, err)
                                                  : engines_open(engines, err) > 0))
        return false;
    run->engine = engines[0];
    run->job.engine = &run->engine;
    run->job.plan = (struct container_plan){
        .image = run->image,
        .command = line->operands,
        .cpus = settings_text(&line->settings, &option_cpus),
        .run_id = run_id,
    };
    run->words = container_job_words(&run->engine, run->image, line->operands);
    if (!run->words)
        return error_errno(err, "no memory for the command");
    return container_job_fetch(&run->engine, run->image, progress, err);
}

void run_options_close(struct run_options *run)
{
    free(run->words);
    run->words = NULL;
}

void run_options_end(struct run_options *run, const struct run *done, struct notices *notices)
{
    /* its group reports as well, if it has one: in the notices of the run */
    if (done && done->end.exit_status != 0 && !done->usage.oom_kills.value && container_job_lacked_memory(&run->job))
        notice_add(notices, NOTICE_OUT_OF_MEMORY, "it exceeded the container's memory limit",
                   "let it have more memory, or use less", "killed by the kernel: out of memory");
    container_job_end(&run->job, notices);
}
