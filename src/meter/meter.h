/* SPDX-License-Identifier: MIT
 * All energy sources as one meter whose totals only grow. Used in commands/sources, measurement and meter. Begin with
 * meter_open(). */
#ifndef METER_METER_H
#define METER_METER_H

#include "energy/energy.h"

#include <stdint.h>

enum { METER_MAX_SOURCES = 12 };

/* What lies between two values of one counter. */
enum step_kind {
    STEP_FORWARD,
    STEP_WRAP,   /* went back because it reached its end; uj holds */
    STEP_JITTER, /* went back by next to nothing: two reads crossed; uj is 0, keep the higher value */
    STEP_RESET,  /* went back for another reason; uj is 0 and not known */
};

struct counter_step {
    enum step_kind kind;
    uint64_t uj;
    bool ambiguous; /* the time between is long enough to hide one more wrap */
};

/* A counter that has not moved for this long is stuck; before, it may just not have been refreshed. */
#define COUNTER_STUCK_NS UINT64_C(100000000)

/* A rate needs a window of this many updates: the edges are off by up to one update each (P39). */
#define RATE_UPDATES 10

/* Pure. Of the counter wraps_at_uj (0: never), update_ns (0: as RAPL's, 1 ms) and its maximum power are used:
 * above that a backward step is not a wrap (P11). */
struct counter_step counter_step(const struct domain *counter, uint64_t before_uj, uint64_t after_uj,
                                 uint64_t elapsed_ns);

/* Why the energy between two readings is not known. */
enum hole {
    HOLE_NONE,
    HOLE_RESET,       /* the counter went back by more than a wrap explains */
    HOLE_SUSPEND,     /* the machine slept */
    HOLE_VANISHED,    /* the counter was gone and came back */
    HOLE_FAILED,      /* a sensor of power did not answer, a counter at the end of a window, or nothing was read for so
                         long that a wrap may have passed unseen */
    HOLE_FROZEN,      /* the counter was stuck while the machine ran */
    HOLE_IMPLAUSIBLE, /* it reported an impossible power, or 0 W for a running machine */
    HOLE_COUNT
};

/* "reset", "suspend", "vanished", "failed", "frozen", "implausible"; "" of none. */
const char *hole_name(enum hole hole);

/* How long a counter has been stuck, and the signs that it should have changed: still.c. */
struct stillness {
    bool frozen;
    unsigned moves;      /* readings in which it had moved */
    unsigned witnesses;  /* readings since its last move in which other counters had, or CPU time had passed */
    uint64_t moved_ns;   /* when it was last seen to have moved */
    uint64_t stood_ns;   /* since then, at the last reading */
    uint64_t longest_ns; /* that it stood between two moves, as far as it was seen to stand */
    uint64_t busy_ticks; /* of the machine, when it was first suspected; 0: it is not */
};

/* One domain, from the meter's opening on. */
struct meter_domain {
    const struct domain *domain;
    const struct energy_source *source;
    uint64_t last_raw_uj, last_time_ns;
    uint64_t asleep_ns; /* how long the machine had slept since its start, at the last reading */
    uint64_t total_uj;  /* since the opening */
    bool started;       /* a first reading has been taken */
    bool torn;          /* a fork interrupted the last one: its totals start again with the next */
    bool moved;         /* it has grown at least once, or is known to be off */
    unsigned wraps, resets, missed_reads, ambiguous_gaps;
    unsigned lost;                /* times that it was lost and found again, or that the machine slept */
    uint64_t lost_ns;             /* total time lost, without suspends; its energy is missing from total_uj */
    uint64_t unknown_ns;          /* of all holes: whose energy is not in total_uj */
    uint64_t hole_ns[HOLE_COUNT]; /* unknown_ns by its reasons */
    unsigned holes[HOLE_COUNT];   /* at how many readings */
    enum hole hole;               /* why, of the last of them */
    enum hole pending;            /* the last report is unknown, for this reason, and the hole not closed yet */
    unsigned implausible;         /* readings that cannot be true */
    double implausible_w;         /* the power that the highest of them comes to */
    unsigned freezes;             /* times that it was stuck while the machine ran */
    double spare_uj;              /* what it may still add at once: short intervals are not judged by one refresh */
    bool impossible;              /* the last value cannot be true */
    uint64_t before_uj;           /* its value before it was reset, until it moves again; 0: it was not */
    struct stillness still_for;
    bool still;            /* a sensor with the same power since its opening */
    uint64_t unwatched_ns; /* time in which a sensor of power was read far too seldom */
    int last_error;
    /* By meter/cross_check.h, where domains are held against one another: */
    bool left_out;                        /* domain->not_counted is of its making */
    const struct domain *repeats;         /* the domain whose joules this one repeats; NULL: none */
    bool doubted;                         /* another contradicts it, or it proved to be no meter: it has no figure */
    double own_low_ratio, own_high_ratio; /* of a model whose range was limited: the earlier range; 0: not limited */
};

/* The energy of every domain since the meter was opened, at one moment. */
struct sample {
    uint64_t time_ns; /* CLOCK_MONOTONIC, half way through the reading */
    uint64_t span_ns; /* how long the reading took */
    uint64_t boottime_ns;
    uint64_t energy_uj[ENERGY_MAX_DOMAINS];  /* total_uj of each */
    uint8_t read[ENERGY_MAX_DOMAINS];        /* 1: this sample has its own reading; 0: the last one stands */
    uint64_t unknown_ns[ENERGY_MAX_DOMAINS]; /* of each, as in struct meter_domain */
    uint8_t hole[ENERGY_MAX_DOMAINS];        /* see struct meter_domain */
    /* 1: it was not read at this end of a window; energy_uj is of the last reading, and the energy between that and the
     * next one is a hole. */
    uint8_t cut[ENERGY_MAX_DOMAINS];
};

/* What one domain used between two samples, and of how much of that time it is known. */
struct stretch {
    uint64_t energy_uj; /* a lower bound if unknown_ns is not 0: it excludes that time */
    uint64_t duration_ns;
    uint64_t unknown_ns; /* of duration_ns; more where the first sample has no reading of its own */
    enum hole hole;      /* why, the last time */
    bool read;           /* at both ends */
};

/* The one rule of all that measures, in windows, in live power, in the exporter's totals and in libcarbon. Pure. */
struct stretch stretch_between(const struct sample *start, const struct sample *end, size_t domain);

/* How much of a time is known; 0 at least. */
uint64_t known_ns_of(uint64_t duration_ns, uint64_t unknown_ns);

/* A driver that is not in use, and why. */
struct refusal {
    const struct energy_driver *driver;
    struct error error;
};

struct meter {
    const struct root *root;
    const struct machine *machine;
    struct energy_source sources[METER_MAX_SOURCES];
    bool opened[METER_MAX_SOURCES]; /* false: refused; it stays for the domains that it saw */
    uint64_t next_poll_ns[METER_MAX_SOURCES];
    size_t source_count;
    struct refusal refusals[METER_MAX_SOURCES];
    size_t refusal_count;
    struct meter_domain domains[ENERGY_MAX_DOMAINS];
    size_t domain_count;
    struct notices findings; /* of the domains held against one another, and each against itself */
    size_t doubts;           /* of these, warnings about single domains */
};

struct meter_options {
    const char *only;                 /* the driver of this name; NULL: all of them */
    bool measured_only;               /* no model */
    bool whole_machine;               /* drivers for that alone, too */
    const struct named_meters *named; /* meters that the user has named, or NULL; they outlive the meter */
};

/* Opens the drivers. Modelled ones are opened only where no other source covers the processors, or
 * when named. ERROR_ABSENT or ERROR_DENIED when nothing can be read; the refusals say why of each.
 * The refused sources' domains are kept for the record. */
bool meter_open(struct meter *meter, const struct root *root, const struct machine *machine,
                const struct meter_options *options, struct error *err) MUST_CHECK;

/* Reads every domain once. Never fails as a whole: a domain that cannot be read keeps its total. */
void meter_sample(struct meter *meter, struct sample *sample);

/* Likewise, where a window begins or ends. A counter that fails between two such ends and goes on leaves nothing
 * unknown; at one of them its energy belongs to neither side for certain. */
void meter_sample_at_edge(struct meter *meter, struct sample *sample);

/* Reads the sensors of present power, each source when due, so that no change is missed
 * between two samples; wanted every meter_poll_ns (0: never). */
void meter_poll(struct meter *meter);
uint64_t meter_poll_ns(const struct meter *meter);

/* At this interval no counter wraps unseen: half the shortest wrap time at maximum power,
 * and 10 s at most (P04). */
uint64_t meter_keep_alive_ns(const struct meter *meter);

/* At this interval a hole also costs little more than its length: a thread that reads does so at least once a second.
 */
uint64_t meter_look_ns(const struct meter *meter);

/* In a child that was forked: sources that only the opening process may read are not read any more. torn: a
 * reading was being taken at that moment; its part in the totals is unknown, so that they all start again. */
void meter_forked(struct meter *meter, bool torn);

void meter_close(struct meter *meter);

/* One reading of one domain at one moment, into its running total, as far as it can be true. Pure but for *domain.
 * suspended: the machine slept since the reading before; its counter's steps in that time are excluded. False: it
 * failed, or cannot be true. */
bool meter_domain_take(struct meter_domain *domain, const struct reading *reading, uint64_t time_ns, bool suspended);

/* The time for which its energy is unknown. */
void meter_domain_leave_hole(struct meter_domain *domain, enum hole hole, uint64_t length_ns);

/* At how many readings, whatever the reason. */
unsigned meter_domain_holes(const struct meter_domain *domain);

/* A window ends here, and the domain was not read. */
void meter_domain_cut(struct meter_domain *domain, uint64_t time_ns);

/* After every domain was read at time_ns: finds the counters that are stuck while the machine runs. Their readings
 * since the last change are a hole then. */
void meter_judge_stillness(struct meter *meter, uint64_t time_ns);

/* It counts, and moves whenever its machine is on. */
bool counter_never_rests(const struct domain *domain);

/* For take: whether it has moved. */
void stillness_note(struct stillness *still, bool moved, uint64_t time_ns);

#endif
