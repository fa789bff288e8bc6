/* SPDX-License-Identifier: MIT
 * Files and warnings of a measurement on a cluster. */
#include "commands/measure/slurm_names.h"

#include "base/text.h"
#include "io/identity.h"

#include <inttypes.h>
#include <string.h>

/* False: it is none of them. */
static bool add_pattern(const struct slurm_job *job, char letter, struct text *name)
{
    switch (letter) {
    case 'h': text_add(name, "%s", job->node); return true;
    case 'j': text_add(name, "%" PRId64, job->id); return true;
    case 't': text_add(name, "%" PRId64, job->rank > 0 ? job->rank : 0); return true;
    case '%': text_add(name, "%%"); return true;
    default: return false;
    }
}

const char *slurm_file_name(const struct slurm_job *job, const char *path, char room[SLURM_NAME_SIZE],
                            struct error *err)
{
    struct text name;
    bool good;

    if (!path || !job->known || !strchr(path, '%'))
        return path;
    if (*job->node && !identity_is(job->node)) {
        error_set(err, ERROR_USAGE, "'%.200s' cannot be the name of a file", path);
        error_why(err, "this node is called '%.100s'", job->node);
        return NULL;
    }
    text_open(&name, SLURM_NAME_SIZE);
    for (const char *c = path; *c; c++)
        if (*c == '%' && add_pattern(job, c[1], &name))
            c++;
        else
            text_add(&name, "%c", *c);
    good = text_ok(&name) && name.length < SLURM_NAME_SIZE;
    if (good)
        text_copy(room, SLURM_NAME_SIZE, name.data);
    text_close(&name);
    if (good)
        return room;
    error_set(err, ERROR_USAGE, "'%.200s' becomes too long a name of a file", path);
    return NULL;
}

static bool starts_tasks(const char *command)
{
    static const char *const names[] = {
        "srun", "mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prun", "prterun", "aprun", "ibrun", NULL,
    };
    const char *slash = strrchr(command, '/');

    for (size_t i = 0; names[i]; i++)
        if (strcmp(slash ? slash + 1 : command, names[i]) == 0)
            return true;
    return false;
}

void slurm_notices(const struct slurm_job *job, char *const *command, struct notices *notices)
{
    if (!job->known)
        return;
    if (job->node_tasks > 1)
        notice_add(notices, NOTICE_DUPLICATE,
                   "each task's record has the whole node's energy: their sum would count the node several times",
                   "srun --ntasks-per-node=1 carbon measure ...; or 'carbon merge', which counts a node once",
                   "%" PRId64 " tasks of this step measure on node '%.100s'", job->node_tasks, job->node);
    if (job->nodes > 1 && command[0] && starts_tasks(command[0]))
        notice_add(notices, NOTICE_LEFT_OUT, "carbon runs where it was started, and its counters are that node's",
                   "srun --ntasks-per-node=1 carbon measure --json run-%%h.json -- ..., then 'carbon merge'",
                   "only node '%.100s' is measured, of the job's %" PRId64, job->node, job->nodes);
}
