/* SPDX-License-Identifier: MIT
 * A job in a container that carbon makes for it and removes again. Used by run_options.h, commands/pipeline/companion.h
 * and commands/pipeline/pipeline_work.h. Begin with container_job_make().
 *
 * It is a job like any other (of carbon pipeline, carbon model and carbon measure --run): before the window a group of
 * carbon's own is made (target_made.h) and the container in it, not started. The job is a forked child of carbon
 * that executes nothing (work of struct job_options): held at the gate like a command, it starts the container,
 * copies its output, passes signals on, waits for its end and returns its status (container_attend); when carbon
 * dies it kills the container and removes it. What is watched meanwhile is the group and not that child, and
 * measurement/workload_step.c ends the job where it takes too long or does not heed a signal. After the window the
 * container is removed, and then the group. */
#ifndef APP_CONTAINER_JOB_H
#define APP_CONTAINER_JOB_H

#include "container/container_run.h"
#include "measurement/workload.h"

struct container_job {
    const struct engine *engine;
    struct container_plan plan; /* filled by the caller, but for the group */
    struct target target;
    char id[80];
    pid_t owner; /* carbon itself, as the process that attends the container knows it */
    bool made, watched;
};

/* What a person would type for it, for records: "docker", "run", the image and the command (NULL: the image's own).
 * Borrowed but for the list, which is freed with free; NULL: no memory. */
const char **container_job_words(const struct engine *engine, const char *image, char *const *command);

/* Ensures that the engine has the image: it is fetched if missing. progress: a line says so. */
bool container_job_fetch(const struct engine *engine, const char *image, bool progress, struct error *err) MUST_CHECK;

/* Makes the container and gets ready to watch it: outside of any window. The command that is to be measured is changed
 * to it. container_job_end in any case. */
bool container_job_make(struct container_job *job, struct workload_command *command, struct error *err) MUST_CHECK;

/* Whether it could not even be started. */
bool container_job_never_began(const struct container_job *job);

/* Whether the kernel killed it: out of memory. */
bool container_job_lacked_memory(const struct container_job *job);

/* Removes the container, whatever state it is in; harmless twice. What could not be removed is a notice. */
void container_job_end(struct container_job *job, struct notices *notices);

#endif
