/* SPDX-License-Identifier: MIT
 * The power of a machine, idle and with a number of busy CPUs, learned once by `carbon calibrate` and kept in a file;
 * and its power at a load. docs/METHOD.md, "The machine profile", has the formulas. Used in app, commands/calibrate,
 * commands/sources, energy, lib and power. Begin with machine_profile_of().
 *
 * The file is a table (CSV) that a person can read: lines of a key and its value, then a line of column names and a
 * line of each step. */
#ifndef POWER_MACHINE_PROFILE_H
#define POWER_MACHINE_PROFILE_H

#include "base/error.h"
#include "base/machine.h"
#include "power/power_curve.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum profile_part {
    PROFILE_PACKAGE, /* all packages together */
    PROFILE_MEMORY,  /* all memory domains together */
    PROFILE_MACHINE, /* the whole machine at its plug */
    PROFILE_GPU,     /* all graphics cards together; no step works them */
    PROFILE_PARTS,
};

/* "package", "memory", "machine", "gpu". */
const char *profile_part_name(enum profile_part part);

enum profile_work {
    PROFILE_IDLE,
    PROFILE_CPU,    /* what stays in the cores' registers */
    PROFILE_STREAM, /* what streams through memory */
    PROFILE_WORKS,
};

/* "idle", "cpu", "memory". */
const char *profile_work_name(enum profile_work work);

/* How it was made. */
enum profile_how {
    PROFILE_BY_METER,
    PROFILE_BY_WALL, /* two readings of a plug, a PDU or a BMC, given by hand */
    PROFILE_HOWS,
};

/* "meter", "wall". */
const char *profile_how_name(enum profile_how how);

/* The whole machine at this CPU time per second, without other load. w is NAN for a part without a meter;
 * spread_w is half of its 95 % interval, NAN unknown. */
struct profile_step {
    enum profile_work work;
    double busy_cpus;
    double w[PROFILE_PARTS], spread_w[PROFILE_PARTS];
};

enum { PROFILE_MAX_STEPS = 12, PROFILE_ID_SIZE = 17, PROFILE_PLACES = 2, PROFILE_PATH_SIZE = 4096 };

/* What a machine is known by. Unknown: "", -1 or 0, as in struct machine. */
struct profile_hardware {
    char cpu_vendor[32], cpu_model[128], board[96];
    int cpu_family, cpu_number, cpu_stepping;
    int sockets, cores, threads;
    uint64_t memory_bytes;
    bool guest;
};

struct machine_profile {
    char id[PROFILE_ID_SIZE]; /* hash of the contents */
    char made_at[32];         /* "2026-11-30T01:05:04.123Z" */
    char carbon_version[32];
    enum profile_how how;
    char meter[128];                  /* by which: "powercap: package-0 + package-1, dram-0" */
    bool busy;                        /* others kept CPUs busy meanwhile, and it was made all the same */
    struct profile_hardware hardware; /* whose it is */
    /* Of a guest with its host's profile: the host of the steps. threads 0: this hardware. */
    struct profile_hardware host;
    struct profile_step steps[PROFILE_MAX_STEPS]; /* idle first; then of each work by busy_cpus */
    size_t step_count;

    char path[PROFILE_PATH_SIZE]; /* where it was read */
    struct error refused;         /* kind ERROR_NONE: it is of this machine; else why it is not used */
};

void profile_hardware_of(const struct machine *machine, int cores, struct profile_hardware *hardware);

/* ERROR_BAD_DATA names line and column; ERROR_ABSENT: no such file. */
bool machine_profile_read(const char *path, struct machine_profile *profile, struct error *err) MUST_CHECK;

/* Writes it, and gives it its id. False: the stream failed. */
bool machine_profile_write(struct machine_profile *profile, FILE *out) MUST_CHECK;

/* Whether the machine is the one that it was made for. ERROR_USAGE: it is not, with the first difference. */
bool machine_profile_fits(const struct machine_profile *profile, const struct machine *machine,
                          struct error *err) MUST_CHECK;

/* Makes the profile of a host that of this guest of it, or checks that it is of this very machine. ERROR_USAGE: it is
 * of other hardware. */
bool machine_profile_adopt(struct machine_profile *profile, const struct machine *machine, int cores,
                           struct error *err) MUST_CHECK;

/* Where profiles lie, the first goes before the others: the user's folder, and etc/carbon. Of a recorded machine only
 * its own etc/carbon. Returns how many. */
size_t machine_profile_places(const struct root *root, char places[PROFILE_PLACES][PROFILE_PATH_SIZE]);

/* The machine's, by its places or as `named` says ("none": not any); *found false: there is none. One that cannot be
 * read or is of another machine is found and refused; a named one that cannot be read is an error. */
bool machine_profile_find(const struct root *root, const struct machine *machine, const char *named,
                          struct machine_profile *profile, bool *found, struct error *err) MUST_CHECK;

/* The one to be used of the machine that was found for it; NULL: there is none, or the user says something else of its
 * processor. */
const struct machine_profile *machine_profile_of(const struct machine *machine);

/* It says something of this part. */
bool profile_has(const struct machine_profile *profile, enum profile_part part);

/* How many CPUs all steps are shares of. */
int profile_cpus(const struct machine_profile *profile);

/* How many times the machine that it was made on this one is: 1, or of a guest its part of the host's CPUs. */
double profile_share(const struct machine_profile *profile);

/* And the factor of its curves for the model: a container with a /proc/stat of its own has that
 * part of it. */
double profile_factor(const struct machine_profile *profile, const struct machine *machine);

/* Watts of a part over load, between the loads that were measured, and its ranges: of power, and of the
 * power that a busy CPU adds, as ratios to the curve's. */
struct profile_power {
    struct power_curve curve;
    double low_ratio, high_ratio;
    double slope_low_ratio, slope_high_ratio;
};
struct profile_power profile_power_of(const struct machine_profile *profile, enum profile_part part);

/* "powercap: package-0, 2026-11-30", "wall readings, 2026-11-30", "the host's, a share of 2 of 64 CPUs: powercap: ..."
 */
void profile_describe(const struct machine_profile *profile, char *text, size_t size);

#endif
