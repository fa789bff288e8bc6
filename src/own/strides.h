/* SPDX-License-Identifier: MIT
 * Windows divided into strides: the energy of each, and whose CPU time it was. If other processes than the
 * job are busy, the job's energy is learnt from them; otherwise they are not needed. Used in measurement, own and
 * result. Begin with stride_shortest_ns(). */
#ifndef OWN_STRIDES_H
#define OWN_STRIDES_H

#include "meter/window.h"

/* Maximum number over all windows; then they are joined in pairs and become twice as long. */
enum { STRIDES_MAX = 512 };

/* While no other process is busy. */
#define STRIDE_ALONE_NS UINT64_C(1000000000)

struct stride_counts {
    uint64_t cycles, instructions, misses;
};

struct stride {
    uint64_t start_ns, duration_ns; /* CLOCK_MONOTONIC */
    uint64_t busy_ns, job_ns;       /* CPU time of everything, and of the job; 0 in a baseline */
    unsigned job_cpu_roundings;     /* number of figures in job_ns in whole ticks; 0: exact */
    bool counted;                   /* the processor's counters of all processes are known */
    struct stride_counts all;
};

struct strides {
    size_t count, size, energies; /* size, energies: for how many of each there is room */
    size_t domain_count;
    uint64_t shortest_ns;
    bool concurrent;      /* others than the job were busy in one of them */
    struct stride *items; /* strides ordered by time */
    uint64_t *energy_uj;  /* energies of each stride, all domains */
};

static inline const uint64_t *stride_energy_uj(const struct strides *strides, size_t i)
{
    return strides->energy_uj + i * strides->domain_count;
}

/* Whether it is a part of the window. */
static inline bool stride_is_in(const struct stride *stride, const struct window *window)
{
    return stride->start_ns >= window->start_ns && stride->start_ns < window->start_ns + window->duration_ns;
}

/* The shortest useful length at this update interval of the counters: 20 ticks of the CPU time of others, or
 * five refreshes. 0: they are too slow. */
uint64_t stride_shortest_ns(uint64_t update_ns);

/* A meter of processors, memory, a board or a machine: the CPU time of others shows their part in it. */
bool strides_tell(const struct domain *domain);

/* NULL: no memory. */
struct strides *strides_new(size_t domain_count, uint64_t shortest_ns);
void strides_free(struct strides *strides);

/* Adds one; joins some where there are too many. False: no memory, it is left out. */
bool strides_add(struct strides *strides, const struct stride *stride, const uint64_t *energy_uj);

/* Those that lie in one of the windows. NULL: no memory. */
struct strides *strides_within(const struct strides *strides, const struct window_list *windows);

/* Those with known processor events of all processes. NULL: no memory. */
struct strides *strides_counted(const struct strides *strides);

/* A window so far: job_ns, the CPU time of its job since it began, and the number of figures in it in
 * ticks; counts, the processor's events of all processes since some moment. NULL: unknown. */
struct stride_usage {
    const uint64_t *job_ns;
    unsigned job_cpu_roundings;
    const struct stride_counts *counts;
};

/* The window that is open, as far as it has come. */
struct strider {
    struct strides *strides; /* NULL: not needed */
    bool open;
    bool concurrent;    /* others were busy in the last stride */
    struct window last; /* sample at that time */
    uint64_t last_job_ns;
    bool counted;
    struct stride_counts last_counts;
    uint64_t next_ns; /* CLOCK_MONOTONIC when to look again; UINT64_MAX: never */
};

/* A window begins here; wanted: it is one of the result; counts: as above. */
void strider_open(struct strider *strider, uint64_t start_ns, bool wanted, const struct stride_counts *counts);

/* A stride ends here, the window being so far. The last one of a window goes to the one before where it is shorter than
 * half of the shortest, or is left out. */
void strider_take(struct strider *strider, const struct window *so_far, struct stride_usage used);
void strider_close(struct strider *strider, const struct window *window, struct stride_usage used);

#endif
