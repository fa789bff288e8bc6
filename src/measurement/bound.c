/* SPDX-License-Identifier: MIT
 * The rules of docs/METHOD.md, "What bounds a job". */
#include "measurement/bound.h"

#include "base/c_locale.h"
#include "base/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define MIB 1048576.0

/* No verdict for less: the clocks of CPU time are coarse. */
#define LEAST_S 0.1

/* The share that bounds a job has at least half of the time, and twice as much as any other. */
#define MOST 0.5
#define TIMES 2.0

/* Waiting for a CPU is told from so much of the time on. */
#define NOTED 0.05

/* So much of the time waited for memory to be freed or swapped in tells enough. */
#define MEMORY_STALL 0.25

/* Where nothing tells how long the job waited for block devices, bytes do: so many a second beside a CPU that rests
 * are I/O, so few are none. Where something does, it may tell too little of a task that moves from CPU to CPU (the
 * kernel weighs each CPU by its busy time): this much waiting beside so many bytes is enough. */
#define IO_BYTES_PER_S (4 * MIB)
#define NO_IO_BYTES_PER_S (0.25 * MIB)
#define IO_SEEN 0.1

/* Copying to and from devices is system time; from so many bytes a second on it is I/O as much as computing. */
#define COPY_BYTES_PER_S (64 * MIB)

/* Where nothing tells how long the job waited for a CPU, being preempted so often, and oftener than it gave the CPU up
 * by itself, says that it did. */
#define PREEMPTED_PER_S 20.0

/* Misses of the last-level cache per 1000 instructions, and instructions per cycle. */
#define MISSES_MEMORY 10.0
#define MISSES_CPU 1.0
#define CYCLES_WELL_USED 1.0

/* What is touched in 0.1 s, as a multiple of the cache. */
#define TOUCHED_MEMORY 2.0

const char *bound_name(enum bound bound)
{
    switch (bound) {
    case BOUND_UNKNOWN: return "unknown";
    case BOUND_IDLE: return "idle";
    case BOUND_CPU: return "cpu";
    case BOUND_MEMORY: return "memory";
    case BOUND_IO: return "io";
    case BOUND_MIXED: return "mixed";
    }
    return "unknown";
}

static double value_of(struct usage_u64 figure)
{
    return figure.known ? (double)figure.value : NAN;
}

/* Seconds of each second. NAN: not known. */
struct shares {
    double duration_s;
    double cpus;     /* CPUs that were busy; more than 1 with several threads */
    double system;   /* system part of the CPU time */
    double cpu_wait; /* waited for a CPU */
    double memory_wait, io_wait;
    double bytes_per_s; /* to and from block devices */
};

static struct shares shares_of(const struct usage *usage, uint64_t duration_ns)
{
    const double ns = (double)duration_ns;
    const double moved_bytes = value_of(usage->read_bytes) + value_of(usage->written_bytes);

    return (struct shares){
        .duration_s = s_from_ns(duration_ns),
        .cpus = value_of(usage->cpu_ns) / ns,
        .system = usage->cpu_ns.value > 0 ? value_of(usage->system_ns) / value_of(usage->cpu_ns) : NAN,
        .cpu_wait = value_of(usage->cpu_stall_ns) / ns,
        .memory_wait = value_of(usage->memory_stall_ns) / ns,
        .io_wait = value_of(usage->io_stall_ns) / ns,
        .bytes_per_s = moved_bytes / s_from_ns(duration_ns),
    };
}

static PRINTF_LIKE(2, 3) struct bound_verdict verdict(enum bound bound, const char *format, ...)
{
    struct bound_verdict answer = { .bound = bound };
    va_list arguments;

    va_start(arguments, format);
    c_vsnprintf(answer.why, sizeof answer.why, format, arguments);
    va_end(arguments);
    return answer;
}

/* By hardware counters, where all three counted. */
static bool judge_by_counters(const struct usage *usage, struct bound_verdict *answer)
{
    const double instructions = value_of(usage->instructions);
    const double per_cycle = instructions / value_of(usage->cycles);
    const double misses = value_of(usage->cache_misses) / instructions * 1000;
    enum bound bound = BOUND_CPU;

    if (!isfinite(per_cycle) || !isfinite(misses))
        return false;
    if (misses >= MISSES_MEMORY)
        bound = BOUND_MEMORY;
    else if (misses >= MISSES_CPU && per_cycle < CYCLES_WELL_USED)
        bound = BOUND_MIXED;
    *answer = verdict(bound, "%.2f instructions per cycle, %.1f last-level cache misses per 1000 instructions",
                      per_cycle, misses);
    return true;
}

static struct bound_verdict judge_by_memory(const struct usage *usage, const char *busy)
{
    const double cache = value_of(usage->cache_bytes), touched = value_of(usage->touched_bytes);
    const double peak = value_of(usage->memory_peak_bytes);
    char touched_text[UNITS_SIZE], cache_text[UNITS_SIZE];
    enum bound bound;

    units_bytes(cache, cache_text);
    if (isfinite(touched) && isfinite(cache)) {
        units_bytes(touched, touched_text);
        bound = touched > TOUCHED_MEMORY * cache ? BOUND_MEMORY : touched > cache ? BOUND_MIXED : BOUND_CPU;
        return verdict(bound, "%s; touched %s in 0.1 s, cache %s; no hardware counter", busy, touched_text, cache_text);
    }
    if (peak <= cache)
        return verdict(BOUND_CPU, "%s; memory peak %s, cache %s; no hardware counter", busy,
                       units_bytes(peak, touched_text), cache_text);
    return verdict(BOUND_UNKNOWN, "%s; CPU or memory: no hardware counter, and what it touched was not seen", busy);
}

/* It computed for most of the time: with its data in the caches, or waiting for memory. */
static struct bound_verdict judge_computing(const struct usage *usage, const struct shares *shares, const char *busy)
{
    char moved[UNITS_SIZE];
    struct bound_verdict answer;

    if (shares->system >= MOST && shares->bytes_per_s >= COPY_BYTES_PER_S)
        return verdict(BOUND_MIXED, "%s, %.0f %% of it the kernel's; %s/s to and from block devices", busy,
                       shares->system * 100, units_bytes(shares->bytes_per_s, moved));
    return judge_by_counters(usage, &answer) ? answer : judge_by_memory(usage, busy);
}

static bool waited_for_a_cpu(const struct usage *usage, const struct shares *shares)
{
    const double involuntary = value_of(usage->involuntary_switches);

    return involuntary / shares->duration_s >= PREEMPTED_PER_S && involuntary > value_of(usage->voluntary_switches);
}

/* Nothing tells how long it waited for block devices. */
static struct bound_verdict judge_by_bytes(const struct usage *usage, const struct shares *shares, double computing,
                                           const char *busy)
{
    const double resting = 1 - computing;
    char number[UNITS_SIZE], moved[80] = "how much it read and wrote is not known";

    if (computing >= MOST && computing >= TIMES * resting)
        return judge_computing(usage, shares, busy);
    if (isnan(shares->cpu_wait) && waited_for_a_cpu(usage, shares))
        return verdict(BOUND_UNKNOWN, "%s; others had the CPU %.0f times a second, and for how long is not known", busy,
                       value_of(usage->involuntary_switches) / shares->duration_s);
    if (isfinite(shares->bytes_per_s))
        snprintf(moved, sizeof moved, "%s/s to and from block devices", units_bytes(shares->bytes_per_s, number));
    if (resting < MOST || resting < TIMES * computing)
        return verdict(BOUND_MIXED, "%s; %s", busy, moved);
    if (shares->bytes_per_s >= IO_BYTES_PER_S)
        return verdict(BOUND_IO, "%s; %s", busy, moved);
    if (shares->bytes_per_s <= NO_IO_BYTES_PER_S)
        return verdict(BOUND_IDLE, "%s; %s", busy, moved);
    return verdict(BOUND_UNKNOWN, "%s; %s; no figure of how long it waited for them", busy, moved);
}

static struct bound_verdict judge_by_waits(const struct usage *usage, const struct shares *shares, double computing,
                                           const char *busy)
{
    const double io = fmin(shares->io_wait, 1), rest = fmax(1 - computing - io, 0);
    const bool moves = shares->bytes_per_s >= IO_BYTES_PER_S && io >= IO_SEEN && 1 - computing >= TIMES * computing;
    char moved[UNITS_SIZE];

    if (computing >= MOST && computing >= TIMES * fmax(io, rest))
        return judge_computing(usage, shares, busy);
    if (io >= MOST && io >= TIMES * fmax(computing, rest))
        return verdict(BOUND_IO, "waiting for disk I/O %.0f %% of the time; %s", io * 100, busy);
    if (moves)
        return verdict(BOUND_IO, "waited for block devices %.0f %% of the time at least, %s/s; %s", io * 100,
                       units_bytes(shares->bytes_per_s, moved), busy);
    if (rest >= MOST && rest >= TIMES * fmax(computing, io))
        return verdict(BOUND_IDLE, "%s; waited for block devices %.0f %% of the time", busy, io * 100);
    return verdict(BOUND_MIXED, "%s; waited for block devices %.0f %% of the time, for neither %.0f %%", busy, io * 100,
                   rest * 100);
}

struct bound_verdict bound_of(const struct usage *usage, uint64_t duration_ns, int cpus)
{
    const struct shares shares = shares_of(usage, duration_ns);
    char busy[80];
    double computing;
    int length;

    if (shares.duration_s < LEAST_S)
        return verdict(BOUND_UNKNOWN, "a run of %.0f ms is too short to classify", shares.duration_s * 1000);
    if (isnan(shares.cpus))
        return verdict(BOUND_UNKNOWN, "its CPU time is not known");
    length = c_snprintf(busy, sizeof busy, "%.2f of %d CPU%s busy", shares.cpus, cpus, cpus == 1 ? "" : "s");
    if (shares.cpu_wait >= NOTED)
        c_snprintf(busy + length, sizeof busy - (size_t)length, ", waiting for a CPU %.0f %% of the time",
                   shares.cpu_wait * 100);
    if (shares.memory_wait >= MEMORY_STALL)
        return verdict(BOUND_MEMORY, "waited for memory to be freed or swapped in %.0f %% of the time; %s",
                       shares.memory_wait * 100, busy);
    /* who waits for a CPU would compute */
    computing = fmin(shares.cpus + (isnan(shares.cpu_wait) ? 0 : shares.cpu_wait), 1);
    return isnan(shares.io_wait) ? judge_by_bytes(usage, &shares, computing, busy)
                                 : judge_by_waits(usage, &shares, computing, busy);
}
