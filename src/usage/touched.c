/* SPDX-License-Identifier: MIT
 * How much memory a job touches within a tenth of a second: its pages' accessed bits are cleared, and counted again
 * 100 ms later. Always of the running system, for so is the job.
 *
 * Both walk the page tables and hold up the job's page faults meanwhile, 20 to 45 ms for each GiB that is resident. So
 * there are two looks at most, none where all that is resident fits the cache, and none beyond MAX_BYTES. The process
 * looked at is the largest of those that descend from the command. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/cpu_cache.h"
#include "base/process.h"
#include "usage/fill.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

static const char from[] = "touched";

#define FIRST_NS UINT64_C(300000000)
#define SPAN_NS UINT64_C(100000000)
#define APART_NS UINT64_C(2500000000)
#define MAX_BYTES (UINT64_C(2) << 30)

enum { MAX_LOOKS = 2 };

struct touched_state {
    pid_t pid; /* the command */
    struct cache cache;
    bool asked;                    /* for the cache */
    uint64_t started_ns, after_ns; /* time of the next turn after the start */
    uint64_t looked_ns;            /* the last look that cost something, or 0 */
    unsigned looks;
    pid_t clear; /* process whose bits were cleared, to be counted at its turn; 0: none */
    bool known;
    bool passed_over;            /* a process larger than its cache was not looked at */
    uint64_t bytes, cache_bytes; /* the most that was touched, and the cache that its threads have */
};

static bool touched_open(struct usage_source *source, const struct root *root, struct error *err)
{
    (void)root;
    source->state = calloc(1, sizeof(struct touched_state));
    return source->state || error_errno(err, "no memory for the job's memory");
}

/* At the first turn: a shorter job does not cost the reading of a dozen files. */
static void read_cache(struct touched_state *state)
{
    struct root live;

    state->asked = true;
    if (!root_open(&live, "/", NULL))
        return;
    state->cache = cache_read(&live);
    root_close(&live);
}

static void touched_started(struct usage_source *source, pid_t pid)
{
    struct touched_state *state = source->state;

    state->pid = pid;
    state->started_ns = clock_monotonic_ns();
    state->after_ns = FIRST_NS;
    source->next_ns = state->started_ns + state->after_ns;
}

static FILE *process_file(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return fopen(path, "re");
}

static uint64_t resident_bytes(pid_t pid)
{
    AUTO_FCLOSE FILE *file = process_file(pid, "statm");
    uint64_t pages;

    return file && fscanf(file, "%*u %" SCNu64, &pages) == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The largest process of the job and its size; 0: there is none. */
static pid_t largest(pid_t command, uint64_t *bytes)
{
    size_t count;
    AUTO_FREE pid_t *pids = process_whole_family(command, &count);
    pid_t pid = 0;

    *bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t resident = resident_bytes(pids[i]);
        if (resident > *bytes) {
            *bytes = resident;
            pid = pids[i];
        }
    }
    return pid;
}

/* One thread runs on one of the caches at a time. */
static uint64_t cache_of(const struct touched_state *state, pid_t pid)
{
    char path[64];
    struct stat tasks;
    uint64_t threads = 1;

    snprintf(path, sizeof path, "/proc/%d/task", pid);
    if (stat(path, &tasks) == 0 && tasks.st_nlink > 2)
        threads = tasks.st_nlink - 2; /* one folder each, plus . and .. */
    return state->cache.bytes * (threads < state->cache.count ? threads : state->cache.count);
}

/* Against its own cache, the worst counts. */
static void note(struct touched_state *state, uint64_t bytes, uint64_t cache_bytes)
{
    if (state->known && (double)bytes / (double)cache_bytes <= (double)state->bytes / (double)state->cache_bytes)
        return;
    state->known = true;
    state->bytes = bytes;
    state->cache_bytes = cache_bytes;
}

static bool clear_referenced(pid_t pid)
{
    char path[64];
    AUTO_CLOSE int fd = -1;

    snprintf(path, sizeof path, "/proc/%d/clear_refs", pid);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && write(fd, "1", 1) == 1;
}

static bool referenced(pid_t pid, uint64_t *bytes)
{
    AUTO_FCLOSE FILE *file = process_file(pid, "smaps_rollup");
    char line[160];
    uint64_t kib;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Referenced: %" SCNu64 " kB", &kib) == 1) {
            *bytes = kib << 10;
            return true;
        }
    return false;
}

/* True: accessed bits have been cleared, and are to be counted. */
static bool begin_look(struct touched_state *state, uint64_t now_ns)
{
    uint64_t bytes;
    const pid_t pid = largest(state->pid, &bytes);
    const uint64_t cache_bytes = pid ? cache_of(state, pid) : 0;

    if (!pid)
        return false;
    if (bytes <= cache_bytes) {
        note(state, bytes, cache_bytes);
        return false;
    }
    if (state->looks && now_ns - state->looked_ns < APART_NS)
        return false;
    if (bytes > MAX_BYTES || !clear_referenced(pid)) {
        state->passed_over = true;
        return false;
    }
    state->looks++;
    state->looked_ns = now_ns;
    state->clear = pid;
    return true;
}

static void end_look(struct touched_state *state)
{
    uint64_t bytes;

    if (referenced(state->clear, &bytes))
        note(state, bytes, cache_of(state, state->clear));
    state->clear = 0;
}

/* Turns come 0.3 s after the start, at 1 s, at 3 s and so on, each about three times as late as the one before. */
static void touched_poll(struct usage_source *source, uint64_t now_ns)
{
    struct touched_state *state = source->state;

    if (!state->asked)
        read_cache(state);
    if (!state->cache.bytes) { /* unknown on this system: no limit to compare with */
        source->next_ns = UINT64_MAX;
        return;
    }
    if (state->clear) {
        end_look(state);
    } else if (begin_look(state, now_ns)) {
        source->next_ns = clock_monotonic_ns() + SPAN_NS;
        return;
    }
    do
        state->after_ns = state->after_ns * 10 / 3;
    while (state->started_ns + state->after_ns <= now_ns);
    source->next_ns = state->looks < MAX_LOOKS ? state->started_ns + state->after_ns : UINT64_MAX;
}

/* What was not looked at may have touched more. */
static bool is_known(const struct touched_state *state)
{
    return state->known && (!state->passed_over || state->bytes > state->cache_bytes);
}

static void touched_read(struct usage_source *source, const struct rusage *rusage, struct usage *usage)
{
    const struct touched_state *state = source->state;

    (void)rusage;
    if (is_known(state))
        usage_fill(&usage->touched_bytes, state->bytes, from);
    if (state->cache.bytes)
        usage_fill(&usage->cache_bytes, state->known ? state->cache_bytes : state->cache.bytes, from);
}

static void touched_close(struct usage_source *source)
{
    free(source->state);
    source->state = NULL;
}

USAGE_DRIVER(touched, .name = from, .about = "how much memory the job touches within a tenth of a second",
             .started = touched_started, .poll = touched_poll);
