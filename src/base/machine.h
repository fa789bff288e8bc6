/* SPDX-License-Identifier: MIT
 * The machine: processor, topology, guest or not, from /proc and /sys. Used in most rooms of the
 * program. Begin with machine_read(). */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include "base/sysroot.h"

enum { MACHINE_MAX_CPUS = 4096 };

struct machine_profile;

/* What a user says of it, for where it must be modelled. */
struct machine_stated {
    const char *cpu;                       /* its processor, as people write the name; NULL */
    const char *instance;                  /* which type of a cloud's it is; NULL */
    double idle_w, full_w;                 /* power of all its processors together; full_w 0: unknown */
    const struct machine_profile *profile; /* its measured power; or NULL. power/machine_profile.h */
};

struct machine {
    char cpu_vendor[32];                      /* "GenuineIntel", "AuthenticAMD", "ARM:0x41" (the implementer), "" */
    char cpu_model[128];                      /* the "model name" line, "" where there is none */
    int cpu_family, cpu_number, cpu_stepping; /* "cpu family", "model" (ARM: part), "stepping"; -1 unknown */
    char board[96];                           /* the board that firmware names on ARM and RISC-V; "" */
    bool guest;                               /* runs under a hypervisor (cpuinfo flag, or DMI names one) */
    char dmi_vendor[64], dmi_product[64];     /* "Amazon EC2", "m6i.large", as firmware has them; "" unknown */
    char dmi_asset[64];                       /* the chassis' tag, by which some clouds are known */
    char hypervisor[64];                      /* "KVM", "Google Compute Engine", "" */
    bool container;                           /* /proc/self/cgroup, mountinfo or a marker file say so */
    int cpus_online;                          /* logical CPUs; at least 1 */
    int cpus_ours;                            /* of these, in a container with a /proc/stat of its own: those in
                                                 it; 0: it is the machine's */
    int packages;                             /* distinct physical packages among them; at least 1 */
    uint64_t memory_bytes;                    /* MemTotal; 0 unknown */
    uint64_t memory_ours_bytes;               /* what a container may have of it; 0: all of it */
    struct machine_stated reported;           /* nothing, until the caller fills it in */
    char id[33], start[33];                   /* likewise, which one it is (io/machine_identity.h); "" */
    char kernel[64];                          /* "6.1.0-56-amd64"; "" for a recorded tree that does not say */
    /* by CPU number up to cpu_limit; -1 where unknown or offline */
    int cpu_limit;
    int16_t package_of[MACHINE_MAX_CPUS];
    int16_t die_of[MACHINE_MAX_CPUS];
};

/* Never fails: unreadable facts stay unknown. */
void machine_read(struct machine *machine, const struct root *root);

/* How many CPUs /proc/stat has the time of. */
static inline int machine_stat_cpus(const struct machine *machine)
{
    return machine->cpus_ours ? machine->cpus_ours : machine->cpus_online;
}

/* "0-3,8" to CPU numbers: calls on_cpu for each, in order. False: not such a list. */
bool machine_cpu_list(const char *list, void (*on_cpu)(int cpu, void *context), void *context) MUST_CHECK;

#endif
