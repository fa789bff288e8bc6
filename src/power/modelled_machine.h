/* SPDX-License-Identifier: MIT
 * A machine as the model looks it up: by its own data, its firmware's data about the cloud, and the data that the user
 * says of it. Used by energy/model.c. Begin with modelled_machine_find(). */
#ifndef POWER_MODELLED_MACHINE_H
#define POWER_MODELLED_MACHINE_H

#include "base/machine.h"
#include "base/text.h"
#include "power/cloud_guest.h"
#include "power/cpu_power.h"

struct modelled_machine {
    const struct machine *machine;
    struct cpu_identity identity;   /* borrows from instance, too */
    struct cloud_instance instance; /* type "": not known */
    bool guest;                     /* guest with some threads of a host */
};

bool modelled_machine_find(struct modelled_machine *modelled, const struct root *root, const struct machine *machine,
                           struct error *err) MUST_CHECK;

/* Curves and by which factors they count, of all of the machine. */
struct modelled_powers {
    struct cpu_power package, machine; /* machine.how "": nothing of the kind has been published */
    double package_factor, machine_factor;
    struct memory_power memory; /* power of one GiB */
    double memory_gib;          /* 0: not known */
};

/* At no load is the machine below its package and memory: where published servers draw less than these need, it is as
 * much as they. */
bool modelled_machine_powers(const struct modelled_machine *modelled, struct modelled_powers *powers,
                             struct error *err) MUST_CHECK;

/* "AMD EPYC, Zen 5 (CPUID 26/2/1), a guest with 2 threads" */
void modelled_machine_describe(const struct modelled_machine *modelled, const struct cpu_power *power,
                               struct text *text);

/* What a user may do about the width of the range. */
const char *modelled_machine_hint(const struct modelled_machine *modelled, const struct cpu_power *power);

#endif
