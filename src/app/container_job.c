/* SPDX-License-Identifier: MIT
 * A job in a container: made, watched, removed. */
#include "app/container_job.h"

#include "app/terminal.h"
#include "base/notice.h"
#include "container/container_image.h"
#include "target/target_container.h"

#include <stdlib.h>
#include <unistd.h>

const char **container_job_words(const struct engine *engine, const char *image, char *const *command)
{
    size_t count = 0;
    const char **words;

    while (command && command[count])
        count++;
    words = calloc(count + 4, sizeof *words);
    if (!words)
        return NULL;
    words[0] = engine_name(engine->kind);
    words[1] = "run";
    words[2] = image;
    for (size_t i = 0; i < count; i++)
        words[3 + i] = command[i];
    return words;
}

bool container_job_fetch(const struct engine *engine, const char *image, bool progress, struct error *err)
{
    bool fetched;

    if (image_find(engine, image, err))
        return true;
    if (err->kind != ERROR_ABSENT)
        return false;
    if (progress)
        terminal_progress("fetching %.100s", image);
    fetched = image_pull(engine, image, NULL, err); /* a signal ends carbon meanwhile */
    if (progress)
        terminal_progress_done();
    return fetched;
}

static int attend(void *context)
{
    struct container_job *job = context;
    const int status = container_attend(job->engine, job->id);

    /* no other process will remove the group */
    if (getppid() != job->owner && job->watched)
        target_close(&job->target);
    return status;
}

bool container_job_make(struct container_job *job, struct workload_command *command, struct error *err)
{
    const enum root_group_kind kind = target_group_kind(job->engine);
    char group[ROOT_GROUP_NAME_SIZE];

    job->owner = getpid();
    job->watched = kind != ROOT_GROUP_NONE && target_make_group(&job->target, kind, group, NULL);
    job->plan.group_parent = job->watched ? group : NULL;
    job->made = container_create(job->engine, &job->plan, job->id, err);
    job->plan.group_parent = NULL;
    if (!job->made)
        return false;
    if (!job->watched && !target_open_coming(&job->target, job->engine, job->id, err))
        return false;
    job->watched = true;
    command->work = attend;
    command->context = job;
    command->target = &job->target;
    return true;
}

bool container_job_never_began(const struct container_job *job)
{
    struct container now;

    return job->made && container_inspect(job->engine, job->id, &now, NULL) && !now.began;
}

bool container_job_lacked_memory(const struct container_job *job)
{
    struct container now;

    return job->made && container_inspect(job->engine, job->id, &now, NULL) && now.out_of_memory;
}

void container_job_end(struct container_job *job, struct notices *notices)
{
    struct error err;

    if (job->watched && job->target.may_miss_end)
        notice_add(notices, NOTICE_USAGE, "no control group of carbon's own could be made for it",
                   "call carbon as root, with an engine of root's, where the machine's control groups are seen",
                   "energy of a container's last moments may be missing");
    if (job->made && !container_remove(job->engine, job->id, &err))
        notice_add_error(notices, NOTICE_FAILED, &err);
    if (job->watched)
        target_close(&job->target);
    job->made = job->watched = false;
}
