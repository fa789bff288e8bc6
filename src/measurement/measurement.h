/* SPDX-License-Identifier: MIT
 * Windows and their sums. Pure arithmetic. Used in app, measurement and result. Begin with struct measurement.
 */
#ifndef MEASUREMENT_MEASUREMENT_H
#define MEASUREMENT_MEASUREMENT_H

#include "measurement/run_series.h"
#include "meter/cross_check.h"
#include "own/learnt.h"
#include "own/own.h"
#include "run/job.h"
#include "usage/usage.h"

struct marks_options;
struct phases;
struct slices;
struct strides;

/* What a counted card used in a run, by its processes: an attribution, by the time of its processors. */
struct gpu_use {
    size_t domain;
    enum gpu_attribution reported;     /* otherwise nothing of the rest holds */
    uint64_t own_uj, used_uj, lost_uj; /* of the job; of all processes; of those that ended before they were known */
    uint64_t concurrent_uj;            /* of servers of the job; not in a record */
};

enum { GPU_USES_MAX = 32 };

/* One run of the workload. */
struct run {
    struct window window;
    size_t command; /* which of the series' commands, from 0 */
    bool warmup;    /* left out of the summary */
    bool left_out;  /* failed or has a hole, unlike earlier runs of the same command; excluded from the summary */
    bool ended;     /* false: still going on (a partial record) */
    bool timed_out; /* it took longer than it may, and was ended */
    struct job_end end;
    struct usage usage;
    uint64_t start_gap_ns; /* opening sample to execve */
    uint64_t end_gap_ns;   /* the end, as it may have been at the earliest, to the closing sample */
    size_t orphans;        /* descendants still alive */
    char orphan_names[128];
    bool orphans_unseen;         /* what it left behind is not known, and no CPU time of it is in usage */
    const struct phases *phases; /* NULL: not asked for, or it has not ended */
    struct gpu_use gpus[GPU_USES_MAX];
    size_t gpu_count;
    struct slices *slices; /* cut at full minutes of UTC; NULL: none came, and it is one */
};

static inline bool run_is_counted(const struct run *run)
{
    return !run->warmup && !run->left_out;
}

/* How the machine came to rest before the first baseline. */
struct settling {
    bool asked;
    bool steady; /* within SETTLED */
    double waited_s;
    double variation; /* of the idle power in the last parts watched: (most - least) / mean; NAN unknown */
};

#define SETTLED 0.02

/* CPU time over windows: of the job, of everything but carbon, and that on the CPUs that the job may run on. */
struct cpu_sums {
    uint64_t job_ns, all_ns, mask_ns, lasted_ns;
    uint64_t lost_ns;   /* which may be in all_ns, too */
    unsigned mask_cpus; /* how many these are; 0: mask_ns is not known of all windows */
    bool unknown;       /* nor is all_ns */
};

struct measurement {
    const struct meter *meter;
    const struct counting *counting;
    struct window *baselines; /* ordered by time, like runs */
    size_t baseline_count;
    struct run *runs; /* warm-ups first */
    size_t run_count;
    struct settling settling;
    struct cpu_sums series_cpu; /* where these are runs of a larger series: cpu_sums_concurrent of that; else of 0 ns */
    int adopt_error;            /* why carbon is not the parent of orphans: an errno, or 0 */
    int interrupted;            /* the signal that ended the series early, or 0 */
    const struct marks_options *marks; /* NULL: no phases were asked for */
    struct phases *phases;             /* owned phases of the runs; NULL: borrowed from another measurement */
    struct slices *slices;             /* owned, as the phases are */
    struct strides *strides; /* of all its windows, to be freed; NULL: no other process was busy, or no meter */
};

/* A counted domain with readings of this window has a hole in it: its energy is a lower bound. */
bool window_has_hole(const struct measurement *measurement, const struct window *window, size_t domain);

/* One of them has: the window's energy is a lower bound. */
bool window_is_at_least(const struct measurement *measurement, const struct window *window);

/* One of the counted runs has a hole in this domain, be it counted or not: its energy is a lower bound. */
bool domain_is_at_least(const struct measurement *measurement, size_t domain);

/* The energy of the counted domains that this window knows. */
double window_counted_j(const struct measurement *measurement, const struct window *window);

/* The counter says more than the domain can draw: a wrong unit. It has no figure then. */
bool window_is_impossible(const struct measurement *measurement, const struct window *window, size_t domain);

/* The window has a figure of this domain: it was read at both ends, has changed, and is plausible. */
bool window_has_figure(const struct measurement *measurement, const struct window *window, size_t domain);

/* Mean power of the counted domains that this window knows, in watts. */
double window_counted_w(const struct measurement *measurement, const struct window *window);

/* The meter reports one power though the machine was busier by a tenth of a CPU and more in the runs than in the
 * baselines: a constant, which cannot distinguish one job from another or from idle. */
bool measurement_is_constant(const struct measurement *measurement);

/* How often the slowest of the counted domains is refreshed; 0: none says. */
uint64_t measurement_update_ns(const struct measurement *measurement);

/* How long the meter has watched, over all windows. */
uint64_t watched_ns(const struct measurement *measurement);

/* The domain has never moved since the meter was opened; too_short: for less than 100 ms, so that
 * nothing follows from it. */
bool domain_is_still(const struct measurement *measurement, size_t domain, bool *too_short);

/* From here on: doubles in joules, watts and seconds. */
struct domain_energy {
    struct sample_stats gross_j;                             /* per run */
    struct sample_stats idle_j;                              /* baseline power × the run's duration */
    struct sample_stats net_j;                               /* gross_j − idle_j, run by run; not of a lower bound */
    struct interval net_interval_j;                          /* 95 % of the mean net; NAN with fewer than two runs */
    double gross_w, idle_w, net_w;                           /* mean energy / mean duration; NAN unknown */
    double gross_low_j, gross_high_j, net_low_j, net_high_j; /* of a modelled figure; else NAN */
    struct sample_stats
        gpu_own_j; /* the job's part of gross, of a card; in the total, of all cards that count. Else unknown */
    struct sample_stats own_j;      /* the job's own energy, run by run */
    struct interval own_interval_j; /* 95 % of its mean */
    /* The unused part of gross, and that of other processes: with own they add up to gross. */
    struct sample_stats own_idle_j, own_others_j;
    double own_w;
    double own_low_j, own_high_j; /* its range, or where it is unknown its bounds; NAN: it has none */
    enum own_method own_method;   /* the least good of the runs' */
};

/* What the runs of a command have in common: own_runs.h. */
struct own_basis {
    struct learnt learnt;
    struct own_cpus cpus;               /* over all counted runs, and all baselines, together */
    double slope_w[ENERGY_MAX_DOMAINS]; /* watts that each busy CPU adds to a modelled domain; else NAN */
};

struct summary {
    struct sample_stats duration_s;
    struct domain_energy total; /* over the counted domains that are known */
    struct own_basis own_basis;
    enum quality quality;    /* the worst among the counted */
    size_t counted_unknown;  /* counted domains with no figure: the total is incomplete */
    double baseline_s;       /* all baseline windows together */
    double idle_deviation_w; /* of the parts of the baselines; NAN unknown */
    double net_noise_j;      /* how far net may be off by the baseline's own spread and the resolution */
    double resolution_j;   /* what both ends of a window leave open, at the mean power, and one step of the counters at
                            * least; NAN unknown */
    bool below_resolution; /* a counted domain did not change, in a window below its resolution */
    bool at_least;         /* every run has a hole: gross is a lower bound, and net is unknown */
    double unknown_s;      /* of the counted run and domain that are known least; 0: at_least is false */
    size_t runs;           /* counted runs */
    struct net_verdict verdict; /* verdict of the total's net */
    /* CPUs that others kept busy in the baselines, and of those that the job may run on; NAN unknown. How many these
     * are; 0 unknown. */
    double baseline_busy_cpus, baseline_busy_mask_cpus;
    size_t mask_cpus;
    /* Net is above what it may be off by: a percentage can be of it. */
    bool net_is_reported;
    struct sample_stats share_j; /* the job's share of net by CPU time, for cards by the card's time: net itself while
                                  * no other process was busy */
    struct sample_stats background_cores; /* cores that others kept busy beyond what they did in the baselines */
    /* The job's part of the machine's busy CPU time, and of gross by that: an attribution, which no baseline is needed
     * for. */
    struct sample_stats machine_share, attributed_j;
    /* the last member: only those that the meter has are cleared and filled */
    struct domain_energy domains[ENERGY_MAX_DOMAINS];
};

/* What one window comes to: of one domain (NAN: it has no figure), or over the counted ones that have one. Where there
 * is a hole a domain's gross_j is a lower bound, idle_j of the time that is known, net_j NAN, and of the total gross_j
 * too. */
struct energies {
    double gross_j, idle_j, net_j;
};
struct neighbours;
struct energies domain_energies(const struct measurement *measurement, const struct neighbours *neighbours,
                                const struct window *window, size_t domain);
struct energies total_energies(const struct measurement *measurement, const struct neighbours *neighbours,
                               const struct window *window);
/* The same, but of a window with a hole gross is a lower bound; net is unknown, also where a domain is not known at
 * all. */
struct energies total_bound(const struct measurement *measurement, const struct neighbours *neighbours,
                            const struct window *window);

/* Marks the runs with a hole as left out, of each command that has a run without. */
void measurement_leave_out_holes(struct measurement *measurement);

/* All its windows: baselines, then runs. */
struct window_list measurement_steps(const struct measurement *measurement);

/* Compares the domains with one another by all windows so far, and counts again if that changes the counted ones: the
 * powers of the baselines' parts follow. */
void measurement_cross_check(struct meter *meter, struct measurement *measurement, enum scope scope,
                             struct counting *counting, struct notices *notices);

/* Frees the windows that workload_run or measurement_of_command made. */
void measurement_close(struct measurement *measurement);

void summarize(const struct measurement *measurement, struct summary *summary);

/* The counted runs as bare figures, for comparisons, by the basis that the summary has; name is borrowed. Freed with
 * series_free. False: no memory. */
bool measurement_series(const struct measurement *measurement, const struct own_basis *basis, const char *name,
                        struct run_series *series) MUST_CHECK;
void series_free(struct run_series *series);

#endif
