/* SPDX-License-Identifier: MIT
 * The repeated runs of one command as bare figures, measured now or read from a record, and their statistics
 * together. Used by measurement.h and result/stored/stored_record.h. Begin with figure_compared(). */
#ifndef MEASUREMENT_RUN_SERIES_H
#define MEASUREMENT_RUN_SERIES_H

#include "base/quality.h"
#include "measurement/statistics.h"
#include "own/own_method.h"

/* One counted run. Unknown is NAN. */
struct run_figures {
    double duration_s;
    double gross_j, idle_j, net_j; /* of the counted domains; net = gross - idle */
    double items;                  /* what it worked on, for a throughput */
    double own_j;                  /* the job's own */
};

struct run_series {
    const char *name;         /* "A", "new parser" */
    struct run_figures *runs; /* runs in their order */
    size_t count;
    enum quality quality;       /* quality of the energies */
    enum own_method own_method; /* the least good of the runs'; OWN_UNKNOWN: own_j is not known of each */
    double slope_w;             /* where all of own is CPU time × this; else NAN, or 0 */
    double own_times;           /* factor of own; 0: 1 */
    bool constant; /* the meter reported the same power while the load changed: it cannot distinguish jobs */
    /* No CPU that the job may run on was to spare in its baselines: net does not hold what it used. */
    bool no_idle;
    /* How far the net of a single run may be off; NAN unknown. */
    double net_noise_j;
    double own_doubt_j; /* error of the mean of own from the learnt power, common to all runs; 0: none */
};

/* Which figure of a run a spread is of; the powers are energy / duration, run by run. */
enum figure {
    FIGURE_DURATION_S,
    FIGURE_GROSS_J,
    FIGURE_IDLE_J,
    FIGURE_NET_J,
    FIGURE_OWN_J,
    FIGURE_GROSS_W,
    FIGURE_IDLE_W,
    FIGURE_NET_W,
    FIGURE_OWN_W,
    FIGURE_ITEMS_PER_S
};

/* "own", "net", "gross" of the energies; "" of others. */
const char *figure_name(enum figure figure);

/* The energy by which two are compared: own, if both know it by one method other than net, or if one is from
 * learnt power and the other is net; net, if both know it; else gross. And the power of an energy. */
enum figure figure_compared(const struct run_series *a, const struct run_series *b);
enum figure figure_power(enum figure energy);

/* Of one of its runs; NAN unknown. */
double series_figure(const struct run_series *series, size_t run, enum figure figure);

/* Unknown (count 0) where any run does not know it. */
struct sample_stats series_spread(const struct run_series *series, enum figure figure);

/* b with its own energies as they are on the slope of a: by CPU time, how busy others kept the machine makes no
 * difference between two commands. Its runs are borrowed. */
struct run_series series_at_slope_of(const struct run_series *b, const struct run_series *a);

/* 100 / the mean of a figure, where a percentage can be of it: the mean is above what it may be off by (its interval,
 * of several runs), and of a net there was an idle baseline. Else NAN. */
double series_per_cent(const struct run_series *series, enum figure figure);

/* What can be said of a difference, be it of a run from idle or of one command from another. */
enum verdict {
    VERDICT_UNKNOWN,        /* no energy is known, or (without quantiles) no interval of it */
    VERDICT_ONE_RUN,        /* no interval from a single run (of either) */
    VERDICT_LESS,           /* measured, or by CPU time: the interval lies below 0 */
    VERDICT_MORE,           /* likewise: the interval lies above 0 */
    VERDICT_NOISE,          /* the interval holds 0 */
    VERDICT_MODELLED,       /* from a model of CPU time, not from a meter */
    VERDICT_NOT_MEASURABLE, /* a constant source cannot tell */
    /* Of a net: no CPU that the job may run on was to spare in the baseline. */
    VERDICT_NO_IDLE_BASELINE,
};

/* "unknown", "one-run", "less", "more", "noise", "modelled", "not-measurable", "no-idle-baseline". */
const char *verdict_name(enum verdict verdict);

/* Net says something of the job: there was an idle machine to take it from, and a source that follows the load. */
bool verdict_has_net(enum verdict verdict);

/* A command against idle: its net. */
struct net_verdict {
    struct sample_stats net_j;
    struct interval net_j_interval; /* 95 %; NAN with fewer than two runs */
    double detectable_j;            /* the minimum detectable net */
    size_t runs_needed;             /* for the net seen; 0: unknown, or out of reach */
    enum verdict verdict;
};

struct net_verdict net_verdict_of(const struct run_series *series);

/* One command against another: b - a. */
struct series_verdict {
    enum figure compared;       /* figure_compared */
    enum own_method own_method; /* the method of own, if that is compared; a share has no verdict */
    struct welch energy_j, power_w, duration_s;
    double percent, percent_low, percent_high; /* energy difference / a's mean energy x 100; see series_per_cent */
    double detectable_percent;
    size_t runs_needed; /* of each, for the difference seen; 0: unknown, or out of reach */
    enum verdict verdict;
};

struct series_verdict series_verdict_of(const struct run_series *a, const struct run_series *b);

#endif
