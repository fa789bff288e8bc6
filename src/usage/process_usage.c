/* SPDX-License-Identifier: MIT
 * What the kernel says of the processes that were waited for (getrusage(2)), and of those that
 * are left. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/units.h"
#include "usage/fill.h"

#include <stdlib.h>

static const char from[] = "rusage";

/* Children from before the job: not its own. */
struct process_state {
    pid_t *others;
    size_t count;
};

static bool process_open(struct usage_source *source, const struct root *root, struct error *err)
{
    struct process_state *state = calloc(1, sizeof *state);

    (void)root; /* a job is of the running system, whatever machine's counters are read */
    if (!state)
        return error_errno(err, "no memory for the usage of processes");
    state->others = process_all_children(&state->count);
    source->state = state;
    return true;
}

/* Peak memory is that of the largest process, not of all at once; it is at least that of carbon when it forked, because
 * the kernel carries the high-water mark through execve. Blocks are of 512 bytes for any device; written bytes are
 * counted when the page becomes dirty. */
static void process_read_usage(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    const uint64_t user_ns = clock_ns_of(&rusage->ru_utime), system_ns = clock_ns_of(&rusage->ru_stime);

    (void)source;
    usage_fill(&usage->cpu_ns, user_ns + system_ns, from);
    usage_fill(&usage->user_ns, user_ns, from);
    usage_fill(&usage->system_ns, system_ns, from);
    usage_fill(&usage->memory_peak_bytes, (uint64_t)rusage->ru_maxrss * KIB_BYTES, from);
    usage_fill(&usage->read_bytes, (uint64_t)rusage->ru_inblock * 512, from);
    usage_fill(&usage->written_bytes, (uint64_t)rusage->ru_oublock * 512, from);
    usage_fill(&usage->voluntary_switches, (uint64_t)rusage->ru_nvcsw, from);
    usage_fill(&usage->involuntary_switches, (uint64_t)rusage->ru_nivcsw, from);
    usage_fill(&usage->minor_faults, (uint64_t)rusage->ru_minflt, from);
    usage_fill(&usage->major_faults, (uint64_t)rusage->ru_majflt, from);
}

static bool is_other(const struct process_state *state, pid_t pid)
{
    for (size_t i = 0; i < state->count; i++)
        if (state->others[i] == pid)
            return true;
    return false;
}

/* Orphans become children of carbon (PR_SET_CHILD_SUBREAPER); their own children are not counted. */
static size_t process_alive(struct usage_source *source, char *names, size_t size)
{
    size_t count, alive = 0;
    AUTO_FREE pid_t *children = process_all_children(&count);
    struct process process;

    for (size_t i = 0; i < count; i++) {
        if (is_other(source->state, children[i]) || !process_read(children[i], &process) || process.state == 'Z')
            continue;
        process_name_add(process.name, names, size);
        alive++;
    }
    return alive;
}

static void process_close(struct usage_source *source)
{
    struct process_state *state = source->state;

    if (state)
        free(state->others);
    free(state);
    source->state = NULL;
}

const struct usage_driver process_driver = {
    .name = from,
    .about = "the kernel's count for processes that were waited for",
    .open = process_open,
    .read = process_read_usage,
    .alive = process_alive,
    .close = process_close,
};
