/* SPDX-License-Identifier: MIT
 * The content of a carbon_meter, and the parts of libcarbon. Used throughout lib. Begin with struct carbon_meter.
 *
 * A carbon_mark is the running totals of the counted domains, summed by component, and the number of holes of each
 * since the opening; piece.c subtracts two of them under the meter's mutex: with equal numbers of holes and both ends
 * read there is a figure; else bound.c has a lower bound. Nothing is stored between marks, so that pieces nest and
 * overlap. lock.c has the mutex, and records its owner on a page that the kernel wipes in children: the first thread of
 * a child takes the meter over, restarts domains whose reading the fork interrupted, and does not use the sources of a
 * driver with one_process (NVML, a BMC's poller). meter_own.c calculates the process's own energy of a piece, from the
 * CPU time and the load in a mark. Domains are compared with one another over time (verdict.c): if that changes the
 * counted domains or their figures, pieces that began before have no figure for the component. keeper.c is one thread
 * that blocks all signals and reads every keeper_interval_ns. For stamps its readings are stored (taken.c), and the
 * energy between two times is joined from them later (stamps.c).
 *
 * Four tests protect the interface: carbon.map (names and their version), tests/cli/library/library.sh (exported,
 * declared and documented symbols are the same; examples against an installed tree), tests/check-abi.sh (layouts,
 * against tests/abi; --update after an addition) and the sizes in the header's inline functions.
 * tests/cli/library/threads.sh builds the library's sources with ThreadSanitizer. */
#ifndef LIB_METER_PARTS_H
#define LIB_METER_PARTS_H

#include <carbon.h>

#include "base/cpu_ticks.h"
#include "emissions/factor.h"
#include "meter/cross_check.h"
#include "power/machine_profile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* A counted domain, and its public component. */
struct counted {
    size_t domain;
    unsigned component;
};

/* The time with unknown counted energy, since the opening, and its last reason. */
struct unknown {
    uint64_t ns;
    enum hole hole;
};

/* Number of components in a mark. */
enum { MARK_COMPONENTS = 6 };

/* One reading of those that stamps are laid on. Its counters were read at some time from begun_ns to ended_ns. */
struct timed_reading {
    uint64_t begun_ns, ended_ns;
    carbon_mark mark; /* its energies and faults alone */
};

/* In order of time; taken.c. Bounded: as it fills, older readings are thinned out. */
struct taken_readings {
    struct timed_reading *readings;
    size_t count, room;
    size_t limit;         /* highest count; 0: no readings are wanted */
    uint64_t interval_ns; /* time between two readings */
    bool wants_next;      /* the next one is added however soon it comes */
};

/* A notice as others read it, while further ones are added. */
struct published_notice {
    carbon_error texts;
    enum notice_kind kind;
    _Atomic(struct published_notice *) next;
};

/* The recent load of the machine, from the modelled domains. */
struct recent_load {
    uint64_t since_ns; /* 0: no reading yet */
    struct ticks since;
    double load;      /* NAN: not known yet */
    double loaded_ns; /* load × time, summed until then */
};

struct carbon_meter {
    struct root root;
    struct machine machine;
    struct machine_profile profile; /* of the machine, if one was found */
    struct meter meter;
    struct counting counting;
    struct factor factor;
    uint64_t opened_ns; /* identifies marks of this meter */
    struct counted counted[ENERGY_MAX_DOMAINS];
    size_t counted_count;
    struct sample last; /* last sample taken */
    enum scope scope;
    struct cross_steps steps;
    uint64_t judged_ns[CARBON_COMPONENTS]; /* start of the current way of counting; 0: the opening */
    bool doubted;                          /* a domain that should count has no figure */
    struct unknown unknown;

    carbon_facts facts;
    char sources[128];
    _Atomic(struct published_notice *) notices; /* the first; existing ones never change */

    /* lock.c: owner of the meter */
    pthread_mutex_t mutex;
    _Atomic pid_t *owner; /* the process that may use the mutex; negative while a child takes it over */
    bool wiped;           /* *owner is 0 in a new child; false: it is a process ID */
    _Atomic bool busy;    /* a reading is being taken */
    bool forked;          /* this is a child of the process that opened it */

    /* keeper.c */
    pthread_t keeper;
    pthread_cond_t wake;
    bool keeper_runs, ending;

    struct taken_readings taken;

    double idle_w;                              /* NAN: not measured */
    double component_idle_w[CARBON_COMPONENTS]; /* likewise, of each component; with its unknown parts */

    /* meter_load.c, meter_own.c */
    struct recent_load recent;
    uint32_t process; /* process of the CPU time in the marks */
};

/* One thread at a time, also in a child after fork, which may inherit a locked mutex. */
bool meter_lock_open(carbon_meter *meter, struct error *err) MUST_CHECK;
void meter_lock(carbon_meter *meter);
void meter_unlock(carbon_meter *meter);
void meter_lock_close(carbon_meter *meter);

/* A reading; the caller holds the lock. */
void take_sample(carbon_meter *meter, struct sample *sample);

/* taken.c. Readings are added with the lock held; torn: a fork interrupted one. */
void taken_open(carbon_meter *meter, double interval_s, size_t readings);
void taken_add(carbon_meter *meter, const struct sample *sample);
void taken_forked(carbon_meter *meter, bool torn);

/* Likewise: the counters' part of a mark, from a sample that was just taken. */
void mark_fill(const carbon_meter *meter, const struct sample *sample, carbon_mark *mark);

/* At this interval no counter wraps unseen, no power sensor is missed, and a hole costs little. */
uint64_t keeper_interval_ns(const carbon_meter *meter);
bool keeper_start(carbon_meter *meter, struct error *err) MUST_CHECK;
void keeper_stop(carbon_meter *meter);

/* Once the meter is open, and after each reading, with the lock held. */
void verdict_begin(carbon_meter *meter, enum scope scope);
void verdict_take(carbon_meter *meter, const struct sample *sample);

/* facts.c: once the meter is open; and later findings. */
bool facts_fill(carbon_meter *meter, const struct notices *notices, double pue, struct error *err) MUST_CHECK;
/* False: no memory. */
bool facts_add_notices(carbon_meter *meter, const struct notices *notices);
void facts_close(carbon_meter *meter);

/* piece.c, for bound.c, under the mutex: whether the marks are this meter's, in order; and the lower bound of a
 * component's energy between them, despite its holes. NAN: unknown, or more than is possible, as in `doubts`. */
bool marks_are_in_order(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end);
double component_at_least_j(const carbon_meter *meter, const carbon_mark *start, const carbon_mark *end,
                            unsigned component, unsigned *doubts);

/* piece.c, for stamps.c, with the lock held, of marks in order: an unknown energy; the seconds, warning bits,
 * components and joules of a piece; whether it is shorter than the meter's resolution, with its bit set; the figures
 * that follow from joules. */
carbon_energy piece_nothing(void);
void piece_add_up(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_energy *energy);
bool piece_is_short(const carbon_meter *meter, carbon_energy *energy);
void piece_finish(carbon_meter *meter, carbon_energy *energy);

/* The range of a component's figure, as multiples of it: 1 and 1 unless it is modelled. */
struct interval component_ratios(const carbon_meter *meter, unsigned component);

/* meter_load.c, with the lock held. A shorter time has too few ticks for a load. */
#define LOAD_MIN_NS UINT64_C(200000000)

const struct domain *counted_domain(const carbon_meter *meter, size_t i);
bool is_by_load(const struct domain *domain);                     /* its power is a function of the machine's load */
void load_take(carbon_meter *meter, const struct sample *sample); /* after each reading */
double load_sum_s(const carbon_meter *meter, uint64_t time_ns); /* load × time up to the last reading at or before this
                                                                 * time */

/* meter_own.c, with the lock held: adds CPU time of the process and load to a mark. */
void own_add_to_mark(const carbon_meter *meter, carbon_mark *mark);

/* Converts to the public form; error may be NULL. */
void error_publish(const struct error *err, carbon_error *error);

#endif
