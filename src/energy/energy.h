/* SPDX-License-Identifier: MIT
 * An energy source: a driver, and its state once it is open. Used in app, commands/history, commands/serve,
 * commands/sources, energy and meter. Begin with struct energy_driver. */
#ifndef ENERGY_ENERGY_H
#define ENERGY_ENERGY_H

#include "base/error.h"
#include "base/machine.h"
#include "base/notice.h"
#include "base/quality.h"
#include "base/sysroot.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { ENERGY_MAX_DOMAINS = 128 };

/* What a counter covers. Which of them make up a total is meter/scope.h's business. */
enum component {
    COMPONENT_MACHINE,  /* the whole machine at the plug */
    COMPONENT_PLATFORM, /* the board: RAPL psys; contains its packages */
    COMPONENT_PACKAGE,  /* a processor package, with its cores and uncore */
    COMPONENT_CORES,    /* the cores of a package (AMD powercap: one core); inside the package */
    COMPONENT_UNCORE,   /* integrated graphics and the like; inside the package */
    COMPONENT_MEMORY,   /* dram; outside the package */
    COMPONENT_GPU,      /* a graphics card or accelerator of its own; outside the package */
    COMPONENT_RAIL,     /* one supply of a board, card or socket: a part of something larger */
    COMPONENT_COUNT,
};

/* "machine", "platform", "package", "cores", "uncore", "memory", "gpu", "rail". */
const char *component_name(enum component component);

/* By which way it is read; the same register may be read in two. */
enum access {
    ACCESS_MSR,    /* powercap control type intel-rapl (MSR or TPMI) */
    ACCESS_MMIO,   /* powercap control type intel-rapl-mmio: repeats a package of the former */
    ACCESS_PERF,   /* a perf event */
    ACCESS_SENSOR, /* a chip next to the processor, or a device's own meter */
    ACCESS_MODEL,  /* no register at all */
};

/* "msr", "mmio", "perf", "sensor", "model". */
const char *access_name(enum access access);

/* How it is known what a domain draws at most. */
enum max_from {
    MAX_UNKNOWN,
    MAX_BY_LIMIT, /* the zone's or the card's own power limit */
    MAX_BY_TDP,
    MAX_BY_CLASS, /* no domain of its class draws more */
};

/* "limit", "tdp", "class"; "" of MAX_UNKNOWN. */
const char *max_from_name(enum max_from from);

/* MAX_UNKNOWN of any other name. */
enum max_from max_from_of(const char *name);

struct power_curve;
struct ticks;

/* One thing a source can measure. */
struct domain {
    char name[48]; /* unique within its source: "package-0", "dram-1", "core-0", "psys", "package-0-mmio" */
    /* Where it is read, relative to the root: "sys/class/powercap/intel-rapl:0". What has no file in sys/ is named
     * otherwise: "model:...", "GPU-... (NVIDIA L4)". */
    char path[192];
    enum component component;
    enum access access;
    int package; /* physical package it belongs to, or -1 */
    int die;     /* or -1 */
    bool part;   /* one of several domains that sum to the component (two supplies, two rails) */
    enum quality quality;
    /* The counter returns to 0 after reaching wraps_at_uj - 1; 0: it never does, or (with
     * wrap_unknown) it does, at an unknown value. */
    uint64_t wraps_at_uj;
    bool wrap_unknown;
    uint64_t resolution_uj; /* one hardware unit, rounded up; at least 1 */
    uint64_t update_ns;     /* how often the hardware refreshes it: 1 ms for RAPL */
    /* Reading interval of a power sensor, whose energy is power × time; 0: a counter. */
    uint64_t poll_ns;
    /* A counter that its driver compares with a sensor of the same power is judged within this time
     * (own_sensor.h); 0: there is none. */
    uint64_t held_ns;
    double limit_w; /* the highest power limit that the hardware reports; 0: none */
    double max_w;   /* more than this cannot be true (power_bounds.h, by the meter that opens it); 0: not known */
    enum max_from max_from;
    /* A modelled figure E has the range low_ratio × E .. high_ratio × E; 1 and 1 otherwise. */
    double low_ratio, high_ratio;
    /* Of a modelled one, its power by load: curve × curve_factor. NULL: it is not known any more, but it may be known
     * what each busy CPU added to its figure (domain_slope_w). */
    const struct power_curve *curve;
    double curve_factor;
    /* The whole machine's load that it depends on, at its source's last reading. NULL: likewise. */
    const struct ticks *load;
    bool slope_known;
    double slope_w;
    /* The range of the power of each busy CPU, likewise; slope_high_ratio 0: that of the figure. */
    double slope_low_ratio, slope_high_ratio;
    /* Seen, but not readable: problem.kind is ERROR_DENIED, _ABSENT, _BAD_DATA or _SYSTEM, and read
     * gives no value for it. ERROR_NONE: readable. */
    struct error problem;
    /* A fault found while it was read that does not stop it; `what` is "" without one. */
    struct error doubt;
    bool disproved; /* by that fault it is not a meter: its earlier readings are not figures either */
    /* The driver's own reason why this must not be added up, or "". ("one core's register",
     * "a guest's counter that has not moved") */
    char not_counted[128];
    enum notice_kind not_counted_kind; /* what kind of notice that is; NOTICE_NONE: none, it is a part of something */
    bool partitioned;                  /* a card whose parts (MIG) may belong to different users */
    bool borrowed;                     /* the host's, seen by its guest: it counts only where its source is named */
};

/* Factor for the reported energy of a domain: 1, unless the range of a model ends below it. */
static inline double domain_figure_ratio(const struct domain *domain)
{
    return domain->quality == QUALITY_MODELLED && domain->high_ratio > 0 && domain->high_ratio < 1 ? domain->high_ratio
                                                                                                   : 1;
}

/* One value, or none: a failed read is not 0. */
struct reading {
    uint64_t energy_uj; /* since some moment of its own */
    int error;          /* 0: energy_uj holds; otherwise an errno */
    /* The counter was lost and found again: the difference to the reading before it says nothing. */
    bool restarted;
    bool constant_power; /* a sensor with the same power since its opening, to the last digit */
    bool off;            /* it is known to draw nothing, as a sleeping device: a constant energy is right */
    /* Of a power sensor: its power, and the time of the reading (CLOCK_MONOTONIC; 0: some time ago). By this the meter
     * takes its energy on to the moment of the sample. */
    bool has_power;
    uint64_t time_ns;
    double power_uw;
};

/* A process that used a graphics card, and which part of the time of the card's processors it had: 0 to 1. */
struct gpu_user {
    pid_t pid; /* PID in the first PID namespace */
    double busy;
};

enum { GPU_MAX_USERS = 256 };

/* Whether the use of a card is known by process, and why not. */
enum gpu_attribution {
    GPU_NOT_ASKED, /* it does not count, or its driver never reports it */
    GPU_ATTRIBUTED,
    GPU_SILENT,      /* this card's driver does not report it */
    GPU_PARTITIONED, /* MIG: its instances have no figures */
    GPU_REFUSED,     /* not to this user */
    GPU_FAILED,
    GPU_HIDDEN,    /* not all processes of the machine are to be seen */
    GPU_TOO_SHORT, /* no report in the time */
    GPU_UNSEEN,    /* whose the processes are is not to be seen */
    GPU_UNDIVIDED, /* unknown, and a server of the job may have used it, too */
    GPU_ATTRIBUTION_COUNT
};

/* "not-asked", "told", "silent", "partitioned", "refused", "failed", "hidden", "too-short", "unseen",
 * "undivided". */
const char *gpu_attribution_name(enum gpu_attribution reported);

struct energy_driver;
struct named_meters;

/* A driver that has been opened. */
struct energy_source {
    const struct energy_driver *driver;
    const struct named_meters *named; /* the meters that the user has named; NULL: none */
    struct domain *domains;           /* sorted by name (package number before kind), domain_count of them */
    size_t domain_count;
    struct notices notices; /* warnings found when opening */
    void *state;            /* the driver's own */
};

struct energy_driver {
    const char *name;     /* "powercap" */
    const char *about;    /* one line for `carbon sources` */
    enum quality quality; /* the best it can give; QUALITY_MODELLED: a last resort */
    /* Expensive: opened only if it is named, or if its scope is requested. */
    bool whole_machine_only;
    /* Only the process that opened it may read it, not a child that is forked. */
    bool one_process;
    /* Each of its domains is all of its component in this machine, or a part of that: another source of the same
     * component measures the same. */
    bool covers_all;
    /* The files that it reads, relative to the root, for `carbon record`; ends with NULL. A '*' matches any part of
     * one name. None of them names the machine or its users. NULL: it reads no files. */
    const char *const *paths;
    const char *paths_title; /* their common name: "powercap zones"; two drivers may share one */

    /* Finds the domains and opens what is needed to read them; source is zeroed but for driver and named, which
     * outlive it as root and machine do.
     * Fails only when it has no readable domain:
     *   ERROR_ABSENT  not on this machine (why says what was looked for);
     *   ERROR_DENIED  there, but not for this user (fix: a safe step);
     *   others        there, but broken.
     * Even then source->domains may list what was seen, with the problem of each; close is called. */
    bool (*open)(struct energy_source *source, const struct root *root, const struct machine *machine,
                 struct error *err);

    /* Reads every domain once, in domain order, into readings that are zeroed. Allocates nothing and
     * scans nothing, but for a domain that has vanished: it is looked for once a second. */
    void (*read)(struct energy_source *source, struct reading *readings);

    /* Who used a card, source->domains[domain], since the question before: each process once. GPU_ATTRIBUTED with none:
     * there was nothing new. NULL: this driver never reports it. meter/gpu_split.h calls it. */
    enum gpu_attribution (*users)(struct energy_source *source, size_t domain, struct gpu_user users[GPU_MAX_USERS],
                                  size_t *count);

    /* The domain of the card that a part of it, known by its name ("MIG-UUID"), is of; -1: it is none's. NULL: this
     * driver's cards have no parts. */
    int (*card_of)(struct energy_source *source, const char *part);

    /* Releases what open made; harmless twice. */
    void (*close)(struct energy_source *source);
};

/* Few of them, in place. */
/* clang-format off */
#define PATHS(...) (const char *const[]){ __VA_ARGS__, NULL }
/* clang-format on */

/* NAME_driver, of the functions NAME_open, NAME_read and NAME_close. */
#define ENERGY_DRIVER(its_name, its_about, ...)                                                                        \
    const struct energy_driver its_name##_driver = { .name = #its_name,                                                \
                                                     .open = its_name##_open,                                          \
                                                     .read = its_name##_read,                                          \
                                                     .close = its_name##_close,                                        \
                                                     .about = (its_about),                                             \
                                                     __VA_ARGS__ }

/* Every driver, most trusted first; ends with NULL. */
extern const struct energy_driver *const energy_drivers[];

/* What can be asked for: "auto", then the name of every driver in the same order; ends with NULL. */
extern const char *const energy_choices[];

#endif
