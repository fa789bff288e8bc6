/* SPDX-License-Identifier: MIT
 * Published data of a cloud's machines: how a guest finds its provider, and the host of an instance type. Used
 * by result/estimate/estimate.h, app/options/machine_options.c and modelled_machine.h. Begin with
 * cloud_guest_find(). */
#ifndef POWER_CLOUD_GUEST_H
#define POWER_CLOUD_GUEST_H

#include "base/error.h"
#include "base/machine.h"
#include "power/cpu.h"

struct cloud_instance {
    char provider[24], type[64];
    char key[CPU_KEY_SIZE]; /* key of its processor; "": unknown */
    double vcpus, memory_gib;
    int threads; /* hardware threads of one package of its host; 0 unknown */
};

/* By its name, whole. ERROR_USAGE where no cloud of the tables has it. */
bool cloud_instance_find(const char *type, struct cloud_instance *instance, struct error *err) MUST_CHECK;

/* The provider of this machine by its firmware, "" unknown; and its type, "" if firmware does not name it. */
struct cloud_guest {
    char provider[24], type[64];
};

bool cloud_guest_find(const struct machine *machine, struct cloud_guest *guest, struct error *err) MUST_CHECK;

#endif
