/* SPDX-License-Identifier: MIT
 * Where the control group of a pod is, wherever the kubelet has put it. Used by target_parts.c and target_pod.c. Begin
 * with pod_is_uid(). */
#ifndef TARGET_POD_GROUP_H
#define TARGET_POD_GROUP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text can be the UID of a pod: hexadecimal, with dashes, or a static pod's hash without. */
bool pod_is_uid(const char *text);

/* Whether a folder is that of one of the pod's containers, in a runtime that was given a place below the pod's slice
 * and has made a folder of that name: "...-pod<UID with underscores>.slice:cri-containerd:<ID>". */
bool pod_is_part(const char *folder, const char *uid);

/* The folder of its group, or of one of its containers as above, in the first hierarchy that has one with a process in
 * it. */
bool pod_group_folder(const char *uid, char *folder, size_t size);

#endif
