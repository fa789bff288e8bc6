/* SPDX-License-Identifier: MIT
 * The use of the machine: CPU time, memory and I/O of a job. Used in commands/serve, measurement, own, target
 * and usage. Begin with usage_open(). */
#ifndef USAGE_USAGE_H
#define USAGE_USAGE_H

#include "base/error.h"
#include "base/sysroot.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The usage of a job and all that it started. An unknown field stays unknown, not 0. */
struct usage_value {
    bool known;
    uint64_t value;
    const char *from; /* the usage driver that said so: "cgroup", "rusage" ...; or "process tree", of a target */
};

struct usage {
    struct usage_value cpu_ns, user_ns, system_ns;
    struct usage_value memory_peak_bytes;
    /* For targets still running: memory in use at the end (cgroup: with page cache, as the peak is), and the same
     * without what the kernel can reclaim at once (inactive file pages). */
    struct usage_value memory_bytes, working_set_bytes;
    struct usage_value read_bytes, written_bytes;  /* block devices */
    struct usage_value received_bytes, sent_bytes; /* network, of a container with its own */
    struct usage_value voluntary_switches, involuntary_switches;
    struct usage_value minor_faults, major_faults;
    /* Time in which at least one task of the job waited for it (PSI "some"): a CPU, memory, a block device. */
    struct usage_value cpu_stall_ns, memory_stall_ns, io_stall_ns;
    /* Its processes that the kernel killed: out of memory. */
    struct usage_value oom_kills;
    /* Hardware counters of the job's own time, where they may be read; misses are of the last-level cache. */
    struct usage_value cycles, instructions, cache_misses;
    /* The most memory that was touched within a tenth of a second (where all that was resident fits the cache: that),
     * and the last-level cache that the threads which did so have. */
    struct usage_value touched_bytes, cache_bytes;
};

struct usage_driver;

struct usage_source {
    const struct usage_driver *driver;
    int cgroup_fd;    /* a cgroup directory that the job is to be born in, or -1 */
    uint64_t next_ns; /* CLOCK_MONOTONIC when poll is wanted; UINT64_MAX: not at all */
    void *state;
};

struct usage_driver {
    const char *name; /* "cgroup" */
    const char *about;
    /* Opened only where no driver before it has a group of version 2: it costs the job's start milliseconds. */
    bool fallback;

    /* Gets ready for one job, before it is started; source is zeroed but for driver and
     * cgroup_fd = -1. ERROR_ABSENT and ERROR_DENIED: not here, go on without. */
    bool (*open)(struct usage_source *source, const struct root *root, struct error *err);

    /* The job exists and is held before its first instruction. May be NULL. */
    void (*started)(struct usage_source *source, pid_t pid);

    /* While the job runs, once now_ns has come to source->next_ns; sets the next time. May be NULL. */
    void (*poll)(struct usage_source *source, uint64_t now_ns);

    /* After the job has ended: fills the fields of usage that are not known yet. */
    void (*read)(struct usage_source *source, const struct rusage *rusage, struct usage *usage);

    /* The CPU time of the job so far, exactly. False: not known. May be NULL. */
    bool (*cpu_so_far)(struct usage_source *source, uint64_t *cpu_ns);

    /* The time so far in which at least one task of the job waited for a CPU. False: not known. May be NULL. */
    bool (*cpu_stall_so_far)(struct usage_source *source, uint64_t *stall_ns);

    /* Processes of the job that are still alive, or 0. Their names ("sleep, nginx") into names. May be NULL. */
    size_t (*alive)(struct usage_source *source, char *names, size_t size);

    void (*close)(struct usage_source *source);
};

/* NAME_driver, of the functions NAME_open, NAME_read and NAME_close. */
#define USAGE_DRIVER(its_name, ...)                                                                                    \
    const struct usage_driver its_name##_driver = {                                                                    \
        .open = its_name##_open, .read = its_name##_read, .close = its_name##_close, __VA_ARGS__                       \
    }

/* All drivers together, for one job. */
enum { USAGE_MAX_SOURCES = 8 };
struct usage_meter {
    struct usage_source sources[USAGE_MAX_SOURCES];
    size_t count;
    int cgroup_fd; /* for run/job.h, or -1 */
};

void usage_open(struct usage_meter *meter, const struct root *root); /* what does not open is left out */
void usage_started(struct usage_meter *meter, pid_t pid);
uint64_t usage_next_ns(const struct usage_meter *meter); /* UINT64_MAX: never */
void usage_poll(struct usage_meter *meter, uint64_t now_ns);
void usage_read(struct usage_meter *meter, const struct rusage *rusage, struct usage *usage);
size_t usage_alive(struct usage_meter *meter, char *names, size_t size);
bool usage_cpu_so_far(const struct usage_meter *meter, struct usage_value *cpu_ns);
bool usage_cpu_stall_so_far(const struct usage_meter *meter, struct usage_value *stall_ns);
void usage_close(struct usage_meter *meter);

/* CPUs that a job may run on (its affinity mask), for the CPU_*_S macros. */
struct cpu_mask {
    const cpu_set_t *set;
    size_t size;
};

/* CPU time of everything on the machine since it started: busy (all but idle, iowait and steal) and all; and the part
 * of the busy time was on the CPUs of a mask (NULL: all), and how many of these the file lists. One reading. Ticks of
 * 10 ms. False: /proc/stat cannot be read. Keeps the file open in *fd (-1 at first). */
struct machine_time {
    uint64_t busy_ns, all_ns;
    uint64_t mask_busy_ns;
    unsigned mask_cpus;
    uint64_t after_ns, before_ns; /* CLOCK_MONOTONIC: it was read between these; 0: of a recorded machine */
};
bool machine_time_read(int *fd, const struct root *root, const struct cpu_mask *mask,
                       struct machine_time *time) MUST_CHECK;

/* CPU time of this many CPUs (0: unknown) between two readings that is neither idle nor busy there: idle is counted to
 * the microsecond, busy by ticks, which are lost where a host takes a virtual CPU away. Less than 5 % of all, or than
 * COARSE_TICKS of each CPU, is none. */
uint64_t machine_time_lost_ns(const struct machine_time *from, const struct machine_time *to, unsigned cpus);

#endif
