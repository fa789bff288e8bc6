/* SPDX-License-Identifier: MIT
 * libcarbon: measure the energy and carbon of a piece of a program.
 *
 *     carbon_meter *meter = carbon_open(NULL, &error);
 *     carbon_mark start = carbon_now(meter);
 *     work();
 *     carbon_energy used = carbon_since(meter, start);
 *     carbon_close(meter);
 *
 * Marks are values, so that measured pieces nest and overlap freely, in any thread. The library prints nothing, ends
 * nothing, handles no signal, and starts no thread unless keep_alive asks for one. A figure that is not known is NAN
 * and never 0; carbon_energy.doubts says why. libcarbon(3) has it all. */
#ifndef CARBON_H
#define CARBON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carbon_meter carbon_meter;

/* What counts; domains of one scope never overlap. */
typedef enum {
    CARBON_SCOPE_COMPUTE = 0,  /* packages, memory and graphics cards */
    CARBON_SCOPE_PLATFORM = 1, /* the board (RAPL psys), and graphics cards */
    CARBON_SCOPE_MACHINE = 2   /* the plug */
} carbon_scope;

typedef enum {
    CARBON_LIFECYCLE = 0, /* plant construction, fuel supply and combustion */
    CARBON_DIRECT = 1,    /* combustion alone */
    CARBON_NO_BASIS = 2   /* of a factor of your own: what it covers is not said */
} carbon_basis;

/* All zero is a good start; members are only ever added at the end. */
typedef struct {
    const char *zone;       /* "FR", "US-CA", "aws:eu-west-3"; NULL: $CARBON_ZONE, else the world's average */
    int year;               /* of the factor; 0: this year */
    carbon_basis basis;     /* of the factor */
    double kgco2eq_per_kwh; /* a factor of your own; 0: looked up */
    double pue;             /* facility energy / IT energy, >= 1; 0: 1.0 */
    carbon_scope scope;
    const char *source;   /* "powercap", "perf", "model", ...; NULL: all that are there */
    int require_measured; /* not 0: fail where only a model could answer */
    int keep_alive;       /* not 0: a thread reads so often that no counter wraps unseen */
    const char *root;     /* directory under which /sys and /proc are read; NULL: "/" */
} carbon_options;

typedef enum {
    CARBON_ERROR_NONE = 0,
    CARBON_ERROR_USAGE = 1,    /* something impossible was asked for */
    CARBON_ERROR_ABSENT = 2,   /* this machine does not have it */
    CARBON_ERROR_DENIED = 3,   /* it is there, but not for this user */
    CARBON_ERROR_BAD_DATA = 4, /* it was read, and makes no sense */
    CARBON_ERROR_SYSTEM = 5    /* a system call failed */
} carbon_error_kind;

/* What failed, why, and how to mend it; of a notice: what is doubtful. */
typedef struct {
    carbon_error_kind kind;
    char what[256], why[256], fix[320];
} carbon_error;

/* How a figure came about. */
typedef enum {
    CARBON_UNKNOWN = 0,  /* no figure: NAN */
    CARBON_MEASURED = 1, /* by counters of this machine */
    CARBON_VIRTUAL = 2,  /* by counters that a hypervisor shows */
    CARBON_MODELLED = 4, /* from CPU time and published power data */
    CARBON_GIVEN = 5,    /* stated by you, or by a publisher that is named with it */
    CARBON_DEFAULT = 6   /* nobody said anything; a stated assumption */
} carbon_quality;

/* Indices of carbon_energy.component_j; 1 << each in masks. */
typedef enum {
    CARBON_MACHINE = 0,
    CARBON_PLATFORM = 1,
    CARBON_PACKAGE = 2,
    CARBON_MEMORY = 3,
    CARBON_GPU = 4
} carbon_component;

enum { CARBON_COMPONENTS = 8 }; /* room for those to come */

/* A moment: when it was (CLOCK_MONOTONIC), and what the machine had used by then. A value: copy it, keep it, throw it
 * away. All but time_ns is the library's own; its size never changes. */
typedef struct {
    uint64_t time_ns;
    uint64_t opened_ns;
    uint64_t energy_uj[6];
    uint64_t cpu_ns;
    uint32_t load, process;
    uint32_t faults[CARBON_COMPONENTS];
    uint64_t unwatched_ns;
    uint32_t resets, lost, gaps;
    uint32_t unread;
    uint64_t unknown_ns;
    uint32_t hole;
    uint32_t load_ms;
} carbon_mark;

/* Bits of carbon_energy.doubts; carbon_doubt_text has the words. With those up to 256 the joules are NAN. */
enum {
    CARBON_DOUBT_MARKS = 1,          /* the marks are another meter's, or in the wrong order */
    CARBON_DOUBT_UNREAD = 2,         /* a counter could not be read at the start or the end */
    CARBON_DOUBT_RESET = 4,          /* a counter started anew in between */
    CARBON_DOUBT_LOST = 8,           /* a source was lost, stood still or told what cannot be; or the machine slept */
    CARBON_DOUBT_GAP = 16,           /* so long without a reading that a counter may have wrapped unseen */
    CARBON_DOUBT_STILL = 32,         /* no counter has ever moved */
    CARBON_DOUBT_IMPOSSIBLE = 64,    /* more power than there can be */
    CARBON_DOUBT_FORKED = 128,       /* a source that serves the process alone that opened it */
    CARBON_DOUBT_CONTRADICTED = 256, /* what counts was found to repeat or to contradict another meter */
    CARBON_DOUBT_RESOLUTION = 1024,  /* too short for the meter: the edges weigh; NAN where nothing moved */
    CARBON_DOUBT_INCOMPLETE = 2048,  /* something that belongs to the total is not in it */
    CARBON_DOUBT_SELDOM = 4096       /* a sensor of power was read far too seldom; see keep_alive */
};

/* What was used between two marks. Members are only ever added at the end. */
typedef struct {
    double seconds;
    double joules;        /* gross: of the whole machine, idle included */
    double idle_j, net_j; /* idle power × seconds, and joules less that; NAN without a baseline */
    double low_j, high_j; /* the range that a modelled figure stands for; else NAN */
    double resolution_j;  /* what the edges may be off by: one update of the meter at each, at the mean power */
    double kwh;           /* joules / 3.6e6, without PUE */
    double kgco2eq;       /* kwh × PUE × factor */
    double net_kgco2eq;   /* likewise of net_j */
    double component_j[CARBON_COMPONENTS]; /* they add up to joules; NAN: not counted here, or not known */
    carbon_quality quality;                /* the worst of what was counted */
    unsigned doubts;
    uint64_t reserved[4];
} carbon_energy;

/* What is known of a piece whose joules are NAN because a part of its time is not known: a lower bound. Members are
 * only ever added at the end. */
typedef struct {
    double seconds;
    double known_s, unknown_s; /* of it; unknown: something that counts is not known then; NAN: nobody can say */
    double at_least_j;         /* what was used for certain: joules where all is known; NAN: nothing is known */
    double component_at_least_j[CARBON_COMPONENTS]; /* likewise */
    /* Of the last time that is not known: "reset", "suspend", "vanished", "failed", "frozen", "implausible"; "" where
     * all is known. */
    const char *why;
} carbon_bound;

/* What of a piece the process has added to the machine's energy: idle is never in it, nor what others used. Members are
 * only ever added at the end. */
typedef struct {
    double seconds;
    double cpu_s;         /* CPU time of the process, and of all of the children that it has waited for in the piece */
    double joules;        /* own energy; NAN: nothing tells it */
    double low_j, high_j; /* its range, or where it is NAN bounds; NAN: there is none */
    double kwh, kgco2eq;  /* of it, as in carbon_energy */
    /* "cpu-time" (a model: CPU time × watts of a busy CPU at the machine's load, however busy others keep it), "net" (a
     * meter: joules less idle, as of a machine that was left alone), "unknown". */
    const char *method;
} carbon_own;

/* What a meter stands on: its own, as long as it is open. Members are only ever added at the end. */
typedef struct {
    double kgco2eq_per_kwh, pue;
    carbon_quality factor_quality; /* given; modelled; default: nobody named a zone */
    int factor_year;               /* the year that it stands for; 0: not said */
    const char *zone, *zone_name;  /* "" for a factor of your own */
    const char *basis;             /* "lifecycle", "direct" */
    const char *factor_source;     /* title and publisher */
    const char *scope;             /* "compute", "platform", "machine" */
    const char *sources;           /* where the joules come from: "powercap", "powercap, nvml" */
    carbon_quality quality;        /* the worst of what counts */
    unsigned components;           /* mask of those that count */
    int incomplete;                /* something that should count cannot be read; a notice names it */
    uint64_t keep_alive_ns;        /* read at least so often, no counter wraps unseen */
    uint64_t update_ns;            /* how often the slowest of the counters is refreshed; 0: not said */
} carbon_facts;

/* "0.1.0": of the library in use. */
const char *carbon_version(void);

/* NULL is returned, and error (may be NULL) filled, when nothing can be measured here, or an option is none. size is
 * sizeof *options of the caller. */
carbon_meter *carbon_open_sized(const carbon_options *options, size_t size, carbon_error *error);

/* options may be NULL. */
static inline carbon_meter *carbon_open(const carbon_options *options, carbon_error *error)
{
    return carbon_open_sized(options, sizeof *options, error);
}

/* Takes a reading. */
carbon_mark carbon_now(carbon_meter *meter);

/* size is sizeof *energy of the caller. Takes no reading. */
void carbon_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_energy *energy,
                          size_t size);

static inline carbon_energy carbon_between(carbon_meter *meter, carbon_mark start, carbon_mark end)
{
    carbon_energy energy;

    carbon_between_sized(meter, &start, &end, &energy, sizeof energy);
    return energy;
}

/* Likewise; size is sizeof *bound of the caller. */
void carbon_bound_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end,
                                carbon_bound *bound, size_t size);

static inline carbon_bound carbon_bound_between(carbon_meter *meter, carbon_mark start, carbon_mark end)
{
    carbon_bound bound;

    carbon_bound_between_sized(meter, &start, &end, &bound, sizeof bound);
    return bound;
}

/* Likewise; size is sizeof *own of the caller. Both marks are of the process that asks. */
void carbon_own_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_own *own,
                              size_t size);

static inline carbon_own carbon_own_between(carbon_meter *meter, carbon_mark start, carbon_mark end)
{
    carbon_own own;

    carbon_own_between_sized(meter, &start, &end, &own, sizeof own);
    return own;
}

/* What was used since that mark; takes a new reading. */
static inline carbon_energy carbon_since(carbon_meter *meter, carbon_mark start)
{
    return carbon_between(meter, start, carbon_now(meter));
}

/* Idle power, for idle_j and net_j from then on: of the machine left alone for so long (this call sleeps meanwhile), or
 * between two marks. 0, or -1 with error (may be NULL) filled: then nothing has changed. */
int carbon_baseline(carbon_meter *meter, double seconds, carbon_error *error);
int carbon_set_idle(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_error *error);
double carbon_idle_w(carbon_meter *meter); /* NAN: not measured */

const carbon_facts *carbon_about(const carbon_meter *meter);

/* What is doubtful whatever is measured (no zone given, memory not counted, ...), and later what meters were found to
 * contradict one another; NULL after the last. */
const carbon_error *carbon_notice(const carbon_meter *meter, size_t index);

/* What sort of doubt that is, by a code that stays while its words may change: "mirror", "no-memory", "stand-in" and
 * the others that carbon-output(5) lists under "Kinds of notices", as `kind` in its JSON. NULL after the last. */
const char *carbon_notice_kind(const carbon_meter *meter, size_t index);

/* Words for the numbers above: "measured", "package", "a counter started anew in between"; "" for none. */
const char *carbon_quality_name(carbon_quality quality);
const char *carbon_component_name(carbon_component component);
const char *carbon_doubt_text(unsigned doubt); /* of one bit */

void carbon_close(carbon_meter *meter); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
