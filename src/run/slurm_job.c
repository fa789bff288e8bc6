/* SPDX-License-Identifier: MIT
 * Which job of Slurm this is. */
#include "run/slurm_job.h"

#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *process_variable(void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

static int64_t natural(const char *text)
{
    uint64_t value;

    return text && text_to_u64(text, &value) && value <= INT64_MAX ? (int64_t)value : -1;
}

int64_t slurm_tasks_at(const char *list, int64_t index)
{
    while (index >= 0 && *list) {
        unsigned tasks, nodes = 1;
        int end = 0, more = 0;

        if (sscanf(list, "%9u%n", &tasks, &end) != 1)
            return -1;
        if (sscanf(list + end, "(x%9u)%n", &nodes, &more) != 1 || !more)
            nodes = 1;
        if (index < (int64_t)nodes)
            return tasks;
        index -= nodes;
        list += end + more;
        list += *list == ',';
    }
    return -1;
}

static void find_boot(char *boot_id, size_t size)
{
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, boot_id, size - 1);

    if (fd >= 0)
        close(fd);
    boot_id[got > 0 ? got : 0] = '\0';
    boot_id[strcspn(boot_id, "\n")] = '\0';
}

static void find_node(const char *named, char *node, size_t size)
{
    if (named)
        text_copy(node, size, named);
    else if (gethostname(node, size) == 0)
        node[strcspn(node, ".")] = '\0';
    node[size - 1] = '\0';
}

void slurm_job_of(slurm_variable *variable, void *context, struct slurm_job *job)
{
    const struct {
        const char *name;
        int64_t *to;
    } numbers[] = {
        { "SLURM_JOB_ID", &job->id },
        { "SLURM_ARRAY_JOB_ID", &job->array_job },
        { "SLURM_ARRAY_TASK_ID", &job->array_task },
        { "SLURM_JOB_NUM_NODES", &job->nodes },
        { "SLURM_NTASKS", &job->tasks },
        { "SLURM_PROCID", &job->rank },
        { "SLURM_LOCALID", &job->local_rank },
    };
    const struct {
        const char *name;
        char *to;
        size_t size;
    } texts[] = {
        { "SLURM_STEP_ID", job->step, sizeof job->step },
        { "SLURM_JOB_PARTITION", job->partition, sizeof job->partition },
        { "SLURM_JOB_ACCOUNT", job->account, sizeof job->account },
        { "SLURM_CLUSTER_NAME", job->cluster, sizeof job->cluster },
    };
    const char *list, *at, *text;

    *job = (struct slurm_job){ .node_tasks = -1 };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i].to = natural(variable(context, numbers[i].name));
    if (job->id < 0)
        return;
    job->known = true;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        text = variable(context, texts[i].name);
        text_copy(texts[i].to, texts[i].size, text ? text : "");
    }
    find_node(variable(context, "SLURMD_NODENAME"), job->node, sizeof job->node);
    find_boot(job->boot_id, sizeof job->boot_id);
    if (!job->step[0]) {
        job->node_tasks = 1;
        return;
    }
    at = variable(context, "SLURM_NODEID");
    list = variable(context, "SLURM_STEP_TASKS_PER_NODE");
    job->node_tasks = list ? slurm_tasks_at(list, natural(at)) : -1;
    text = variable(context, "SLURM_STEP_NUM_TASKS");
    if (natural(text) > 0)
        job->tasks = natural(text);
}

void slurm_job_read(struct slurm_job *job)
{
    slurm_job_of(process_variable, NULL, job);
}
