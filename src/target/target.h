/* SPDX-License-Identifier: MIT
 * A running target, and its usage since its opening: a process with all its descendants,
 * or a cgroup. Always of the running system, whatever machine's counters are read. Used in app, measurement and target.
 * Begin with target_read(). */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "usage/usage.h"

struct target;

/* What it has used since it was opened, and its memory, at one moment. */
struct target_now {
    uint64_t time_ns; /* CLOCK_MONOTONIC */
    struct usage_value cpu_ns, memory_bytes, working_set_bytes;
    unsigned cpu_roundings;          /* number of figures in cpu_ns rounded down to clock ticks; 0: exact */
    struct usage_value cpu_stall_ns; /* in which one of its tasks waited for a CPU; since when does not matter */
};

enum target_member { TARGET_NOT, TARGET_HAS, TARGET_UNSEEN };

/* What has no function of its own, but for glance and close, is answered by the target inside. */
struct target_kind {
    void (*poll)(struct target *target);
    /* In between: the figures that matter most, by descriptors that are open. NULL: all polls are whole. */
    void (*glance)(struct target *target);
    void (*read)(const struct target *target, struct usage *so_far);
    void (*now)(const struct target *target, struct target_now *now);
    bool (*ended)(const struct target *target);
    enum target_member (*has)(const struct target *target, pid_t pid);
    void (*close)(struct target *target);
};

/* NAME_kind, of the functions NAME_poll, NAME_ended and NAME_close. */
#define TARGET_KIND(its_name, ...)                                                                                     \
    static const struct target_kind its_name##_kind = {                                                                \
        .poll = its_name##_poll, .ended = its_name##_ended, .close = its_name##_close, __VA_ARGS__                     \
    }

struct target {
    const struct target_kind *kind;
    void *state;
    struct target *inside; /* NULL: nothing more is known, and its processes are not to be seen */
    int fd;
    bool outlives;     /* its counters survive its end, so one poll a second is enough */
    bool may_miss_end; /* what it used between the last look and its end is not in its figures */
    bool from_nothing; /* nothing of it had run when it was opened: its usage then was 0 */
    uint64_t next_ns, next_whole_ns;
    char name[256];
};

/* A process, with all that it starts and has started. Descendants that leave it (double-forked daemons) go on being
 * followed once they were seen. */
bool target_open_pid(struct target *target, pid_t pid, struct error *err) MUST_CHECK;

/* The same for one that has just started: all usage of it and its descendants counts. */
bool target_open_pid_since_start(struct target *target, pid_t pid, struct error *err) MUST_CHECK;

/* Several of them as one: a process that descends from two of them, or is named twice, counts once. It has ended when
 * all have.
 */
bool target_open_pids(struct target *target, const pid_t *pids, size_t count, struct error *err) MUST_CHECK;

/* A cgroup of either version, in all hierarchies that have it with the same processes: its folder
 * ("/sys/fs/cgroup/system.slice/x.service"), or its name ("/system.slice/x.service", "system.slice/x.service"). */
bool target_open_cgroup(struct target *target, const char *path, struct error *err) MUST_CHECK;

/* When target_poll is wanted next (CLOCK_MONOTONIC): a tenth of a second after the last poll, later where polls take
 * long, so that they cost a hundredth of a CPU, a second at most. What a target used between its last poll and its
 * end may be missed; see "Who used the CPU" in METHOD.md. */
uint64_t target_next_ns(const struct target *target);

/* Looks again, once now_ns has come to the next time. */
void target_poll(struct target *target, uint64_t now_ns);

/* Reads again, and returns the usage since the target was opened; the memory peak is the highest since then. `from`
 * is "process tree", "cgroup" or "cgroup1"; of a peak that is the highest of the samples, "cgroup samples". May be
 * called after the end: the last that was known. */
void target_read(struct target *target, struct usage *so_far);

/* One cheap reading, for a time series. If a reading is expensive (an engine is queried) it is that of the last poll,
 * and its time. */
void target_now(const struct target *target, struct target_now *now);

/* The same three by its kind alone, whenever it is: for a target that is made of others. So far nothing is filled. */
void target_look(struct target *target);
void target_fill(const struct target *target, struct usage *so_far);
void target_fill_now(const struct target *target, struct target_now *now);

/* The process has ended, even with orphaned processes; no process is in the cgroup. */
bool target_ended(const struct target *target);

/* Whether a process is one of its, as far as that is to be seen; of a process tree, as it was looked at last. */
enum target_member target_has(const struct target *target, pid_t pid);

/* A descriptor that becomes readable (POLLIN) when the target ends, or a part of it does, or -1: ask target_ended after
 * each poll. */
int target_fd(const struct target *target);

/* The process's own name, or of several "12 (nginx), 34 (php-fpm)"; the cgroup's. */
const char *target_name(const struct target *target);

void target_close(struct target *target);

#endif
