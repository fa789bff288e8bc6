/* SPDX-License-Identifier: MIT
 * Which domains add up to the total, and why the others do not. Used in commands/sources, measurement, meter, own and
 * result. Begin with scope_of(). */
#ifndef METER_SCOPE_H
#define METER_SCOPE_H

#include "meter/meter.h"

/* Domains in one scope never overlap. */
enum scope {
    SCOPE_COMPUTE,  /* packages, memory and graphics cards: the default */
    SCOPE_PLATFORM, /* the board (RAPL psys), and graphics cards */
    SCOPE_MACHINE,  /* the plug */
};

const char *scope_name(enum scope scope);
bool scope_of(const char *name, enum scope *scope) MUST_CHECK;

/* How a notice begins about a missing part of the total, and about a part that is excluded on purpose. */
#define INCOMPLETE "total incomplete: "
#define LEFT_OUT "left out of the total: "

struct counting {
    bool is_counted[ENERGY_MAX_DOMAINS];
    bool eligible[ENERGY_MAX_DOMAINS]; /* counts, or would if it could be read */
    size_t counted;
    bool incomplete;          /* a domain that belongs to the scope is missing; a notice names it */
    bool fallback_to_machine; /* no package can be counted here: the whole machine's meter counts instead */
    /* Next to a total of components: the readable domain of the whole machine, else of the
     * platform; never added. -1: none, or it is the counted one. */
    int whole_machine;
    char whole_machine_name[128]; /* its name, or those of all parts that add up to it: "battery-BAT0 + battery-BAT1" */
    /* why each counts or does not, by scope_count; the last member, the rest is cleared without it */
    char reason[ENERGY_MAX_DOMAINS][128];
};

/* The value of a variable of the environment, or NULL; and carbon's own. */
typedef const char *gpus_variable(const char *name);
gpus_variable gpus_own_environment;

/* Before scope_count: cards that are not the job's get that as their reason not to count, and a notice names them.
 * They are NVIDIA's, or where there are none those of the first source that has any. list is --gpus' ("all", "0,2-3",
 * "gpu-1", the beginning of a UUID), or NULL: then the first decides of CUDA_VISIBLE_DEVICES, SLURM_STEP_GPUS,
 * SLURM_JOB_GPUS, GPU_DEVICE_ORDINAL and NVIDIA_VISIBLE_DEVICES that says which they are (of other makers' cards:
 * ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, Slurm's and GPU_DEVICE_ORDINAL); where none does, or variable is NULL, all
 * count. False: list names what is not there. */
bool job_gpus_choose(struct meter *meter, const char *list, gpus_variable *variable, struct notices *notices,
                     struct error *err) MUST_CHECK;

/* Which domains add up, without a reason for each. None: counting->counted is 0. */
void scope_choose(const struct meter *meter, enum scope scope, struct counting *counting);

/* Decides for every domain of the meter, and says why. ERROR_ABSENT: the scope has no readable domain here. */
bool scope_count(const struct meter *meter, enum scope scope, struct counting *counting, struct notices *notices,
                 struct error *err) MUST_CHECK;

/* What a domain covers: those of one kind never overlap. counts: whether it counts now. */
enum coverage {
    COVERS_PART,  /* a part of the machine that counts */
    COVERS_HOST,  /* the whole machine, or the best that is known of it */
    COVERS_AGAIN, /* what others cover, too */
};
enum coverage scope_coverage(const struct meter *meter, const struct counting *counting, size_t domain, bool counts);

/* The package, of the same source, that cores or an uncore lie in; NULL: it is none of them, or no package is there. */
const struct domain *scope_package_of(const struct meter *meter, size_t domain);

#endif
