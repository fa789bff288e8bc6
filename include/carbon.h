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
 * nothing, handles no signal, and starts no thread unless keep_alive or sample_interval_s asks for one. An unknown
 * figure is NAN and never 0; carbon_energy.doubts gives the reason. The reference is libcarbon(3).
 *
 * A mark reads the counters, which takes a microsecond or more. A stamp is the time alone, for loops of a million
 * rounds: with sample_interval_s a thread reads the counters, and carbon_between_stamps has the energy between two
 * stamps from its readings, with bounds. */
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
    CARBON_NO_BASIS = 2   /* a factor of your own, whose basis is unknown */
} carbon_basis;

/* All zero is a good start; members are only ever added at the end. */
typedef struct {
    const char *zone;       /* "FR", "US-CA", "aws:eu-west-3"; NULL: $CARBON_ZONE, else the world average */
    int year;               /* of the factor; 0: this year */
    carbon_basis basis;     /* of the factor */
    double kgco2eq_per_kwh; /* a factor of your own; 0: looked up */
    double pue;             /* facility energy / IT energy, >= 1; 0: 1.0 */
    carbon_scope scope;
    const char *source;   /* "powercap", "perf", "model", ...; NULL: all that exist */
    int require_measured; /* not 0: fail instead of using a model */
    int keep_alive;       /* not 0: a thread reads often enough that no counter wrap is missed */
    const char *root;     /* directory under which /sys and /proc are read; NULL: "/" */
    /* For stamps: a thread reads all counters at this interval, 0.001 to 10 s, and keeps this many readings (0: 16384,
     * 168 bytes each). As they grow old, readings are thinned out, so that bounds become wider. 0: no such thread. */
    double sample_interval_s;
    size_t sample_readings;
} carbon_options;

typedef enum {
    CARBON_ERROR_NONE = 0,
    CARBON_ERROR_USAGE = 1,    /* an impossible request */
    CARBON_ERROR_ABSENT = 2,   /* this machine does not have it */
    CARBON_ERROR_DENIED = 3,   /* it is there, but not for this user */
    CARBON_ERROR_BAD_DATA = 4, /* it was read and is not valid */
    CARBON_ERROR_SYSTEM = 5    /* a system call failed */
} carbon_error_kind;

/* What failed, why, and how to fix it; in a notice: the warning, its reason and its remedy. */
typedef struct {
    carbon_error_kind kind;
    char what[256], why[256], fix[320];
} carbon_error;

/* Quality of a figure. */
typedef enum {
    CARBON_UNKNOWN = 0,  /* no figure: NAN */
    CARBON_MEASURED = 1, /* by counters of this machine */
    CARBON_VIRTUAL = 2,  /* by counters that a hypervisor shows */
    CARBON_MODELLED = 4, /* from CPU time and published power data */
    CARBON_GIVEN = 5,    /* stated by you, or by a publisher that is named with it */
    CARBON_DEFAULT = 6   /* not set by anyone: a stated assumption */
} carbon_quality;

/* Indices of carbon_energy.component_j; 1 << each in masks. */
typedef enum {
    CARBON_MACHINE = 0,
    CARBON_PLATFORM = 1,
    CARBON_PACKAGE = 2,
    CARBON_MEMORY = 3,
    CARBON_GPU = 4
} carbon_component;

enum { CARBON_COMPONENTS = 8 }; /* room for future ones */

/* A moment: its time (CLOCK_MONOTONIC) and the machine's energy until then. A value: copy it, keep it, discard it.
 * All but time_ns is private to the library; its size never changes. */
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

/* Bits of carbon_energy.doubts; carbon_doubt_text has the words. With each bit up to 256 the joules are NAN. */
enum {
    CARBON_DOUBT_MARKS = 1,          /* the marks are another meter's, or in the wrong order */
    CARBON_DOUBT_UNREAD = 2,         /* a counter could not be read at the start or the end */
    CARBON_DOUBT_RESET = 4,          /* a counter was reset in between */
    CARBON_DOUBT_LOST = 8,           /* a source was lost, stuck or implausible; or the machine slept */
    CARBON_DOUBT_GAP = 16,           /* a gap in which a counter may have wrapped unseen */
    CARBON_DOUBT_STILL = 32,         /* no counter has ever changed */
    CARBON_DOUBT_IMPOSSIBLE = 64,    /* more power than is possible */
    CARBON_DOUBT_FORKED = 128,       /* a source that only the process that opened it can read */
    CARBON_DOUBT_CONTRADICTED = 256, /* a counted meter repeats or contradicts another one */
    CARBON_DOUBT_RESOLUTION = 1024,  /* too short for the meter; NAN if no counter changed */
    CARBON_DOUBT_INCOMPLETE = 2048,  /* a part of the total is missing */
    CARBON_DOUBT_SELDOM = 4096,      /* a power sensor was read far too seldom; see keep_alive */
    CARBON_DOUBT_INTERPOLATED = 8192 /* of stamps: interpolated between readings; low_j and high_j are certain */
};

/* The energy between two marks. Members are only ever added at the end. */
typedef struct {
    double seconds;
    double joules;        /* gross: of the whole machine, idle included */
    double idle_j, net_j; /* idle power × seconds, and joules less that; NAN without a baseline */
    double low_j, high_j; /* the range of a modelled or interpolated figure; else NAN */
    double resolution_j;  /* uncertainty of both edges: one update of the meter at each, at the mean power */
    double kwh;           /* joules / 3.6e6, without PUE */
    double kgco2eq;       /* kwh × PUE × factor */
    double net_kgco2eq;   /* likewise of net_j */
    double component_j[CARBON_COMPONENTS]; /* they add up to joules; NAN: not counted here, or unknown */
    carbon_quality quality;                /* the lowest of the counted domains */
    unsigned doubts;
    uint64_t reserved[4];
} carbon_energy;

/* Lower bound of a piece whose joules are NAN because a part of its time is unknown. Members are only ever added at
 * the end. */
typedef struct {
    double seconds;
    double known_s, unknown_s; /* of it; unknown: without a reading of a counted domain; NAN: cannot be determined */
    double at_least_j;         /* energy used for certain: joules if all is known; NAN: unknown */
    double component_at_least_j[CARBON_COMPONENTS]; /* likewise */
    /* Reason of the last unknown time: "reset", "suspend", "vanished", "failed", "frozen", "implausible"; "" if all is
     * known. */
    const char *why;
} carbon_bound;

/* Own energy: the energy that the process added to the machine's. It excludes idle energy and the energy of other
 * processes. Members are only ever added at the end. */
typedef struct {
    double seconds;
    double cpu_s;         /* CPU time of the process, and of all of the children that it has waited for in the piece */
    double joules;        /* own energy; NAN: unknown */
    double low_j, high_j; /* its range, or bounds if it is NAN; NAN: none */
    double kwh, kgco2eq;  /* of it, as in carbon_energy */
    /* "cpu-time" (a model: CPU time × watts of a busy CPU at the machine's load, including the load of others), "net"
     * (a meter: joules minus idle, on a machine without other load), "unknown". */
    const char *method;
} carbon_own;

/* Facts about a meter; they belong to it while it is open. Members are only ever added at the end. */
typedef struct {
    double kgco2eq_per_kwh, pue;
    carbon_quality factor_quality; /* given; modelled; default: no zone was set */
    int factor_year;               /* the year of the factor; 0: unknown */
    const char *zone, *zone_name;  /* "" for a factor of your own */
    const char *basis;             /* "lifecycle", "direct" */
    const char *factor_source;     /* title and publisher */
    const char *scope;             /* "compute", "platform", "machine" */
    const char *sources;           /* the energy sources: "powercap", "powercap, nvml" */
    carbon_quality quality;        /* the lowest of the counted domains */
    unsigned components;           /* mask of the counted ones */
    int incomplete;                /* a part of the total cannot be read; a notice names it */
    uint64_t keep_alive_ns;        /* longest interval between readings without a missed wrap */
    uint64_t update_ns;            /* update interval of the slowest counter; 0: unknown */
    uint64_t sample_ns;            /* interval of the readings for stamps; 0: there are none */
} carbon_facts;

/* "0.1.0": of the library in use. */
const char *carbon_version(void);

/* Returns NULL, with error (may be NULL) filled, if nothing can be measured here or an option is not valid. size is
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

/* Likewise; size is sizeof *own of the caller. Both marks must be from the calling process. */
void carbon_own_between_sized(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_own *own,
                              size_t size);

static inline carbon_own carbon_own_between(carbon_meter *meter, carbon_mark start, carbon_mark end)
{
    carbon_own own;

    carbon_own_between_sized(meter, &start, &end, &own, sizeof own);
    return own;
}

/* The energy since this mark; takes a new reading. */
static inline carbon_energy carbon_since(carbon_meter *meter, carbon_mark start)
{
    return carbon_between(meter, start, carbon_now(meter));
}

/* The time now, in nanoseconds of CLOCK_MONOTONIC, and nothing else. Any time of that clock is a stamp. */
uint64_t carbon_stamp(void);

/* The energy between two stamps, for a meter with sample_interval_s: joules is interpolated between the readings before
 * and after each stamp, and lies between low_j and high_j, which are certain (of a modelled figure: its range, too).
 * Without joules because of an unknown part, low_j is a lower bound. Waits, and takes a reading, if there is none after
 * the end yet. size is sizeof *energy of the caller. */
void carbon_between_stamps_sized(carbon_meter *meter, uint64_t start_ns, uint64_t end_ns, carbon_energy *energy,
                                 size_t size);

static inline carbon_energy carbon_between_stamps(carbon_meter *meter, uint64_t start_ns, uint64_t end_ns)
{
    carbon_energy energy;

    carbon_between_stamps_sized(meter, start_ns, end_ns, &energy, sizeof energy);
    return energy;
}

/* Sets the idle power for later idle_j and net_j: measured on the idle machine for this many seconds (the call sleeps),
 * or between two marks. Returns 0, or -1 with error (may be NULL) filled; then the idle power does not change. */
int carbon_baseline(carbon_meter *meter, double seconds, carbon_error *error);
int carbon_set_idle(carbon_meter *meter, const carbon_mark *start, const carbon_mark *end, carbon_error *error);
double carbon_idle_w(carbon_meter *meter); /* NAN: not measured */

const carbon_facts *carbon_about(const carbon_meter *meter);

/* Warnings about every measurement (no zone given, memory not counted, ...) and, later, about meters that contradict
 * one another; NULL after the last. */
const carbon_error *carbon_notice(const carbon_meter *meter, size_t index);

/* The kind of this warning, a code that stays the same while its text may change: "mirror", "no-memory", "stand-in" and
 * the others listed in carbon-output(5) under "Kinds of notices", `kind` in its JSON. NULL after the last. */
const char *carbon_notice_kind(const carbon_meter *meter, size_t index);

/* Texts for the numbers above: "measured", "package", "a counter was reset in between"; "" for none. */
const char *carbon_quality_name(carbon_quality quality);
const char *carbon_component_name(carbon_component component);
const char *carbon_doubt_text(unsigned doubt); /* of one bit */

void carbon_close(carbon_meter *meter); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
