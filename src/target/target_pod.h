/* SPDX-License-Identifier: MIT
 * A pod of Kubernetes on this machine, found without asking anybody: by the folders in which the kubelet keeps logs,
 * and by its control group. Used by app/attach_options.c. Begin with target_open_pod(). */
#ifndef TARGET_TARGET_POD_H
#define TARGET_TARGET_POD_H

#include "target/target.h"

/* "name", "namespace/name" or its UID. target_name is "namespace/name (UID)", or the UID. ERROR_ABSENT: there is none
 * that runs, with those that do; ERROR_USAGE: several of this name, with their namespaces; ERROR_DENIED. */
bool target_open_pod(struct target *target, const char *pod, struct error *err) MUST_CHECK;

#endif
