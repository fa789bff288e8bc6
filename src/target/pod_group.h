/* SPDX-License-Identifier: MIT
 * Where the control group of a pod is, wherever the kubelet has put it. */
#ifndef TARGET_POD_GROUP_H
#define TARGET_POD_GROUP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text can be the UID of a pod: hexadecimal, with dashes, or a static pod's hash without. */
bool pod_is_uid(const char *text);

/* The folder of its group in the first hierarchy that has one with a process in it. */
bool pod_group_folder(const char *uid, char *folder, size_t size);

#endif
