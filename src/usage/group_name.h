/* SPDX-License-Identifier: MIT
 * Whose a cgroup is, by the name of its folder: a container's, a pod's, a job's of Slurm. Pure; the one place that
 * knows how runtimes call their groups. Used in commands/serve and target. Begin with group_name_of(). */
#ifndef USAGE_GROUP_NAME_H
#define USAGE_GROUP_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum group_kind { GROUP_CGROUP, GROUP_CONTAINER, GROUP_POD, GROUP_SLURM, GROUP_USER, GROUP_PROCESS, GROUP_KINDS };

/* "cgroup", "container", "pod", "slurm", "user", "process" */
const char *group_kind_name(enum group_kind kind);

enum { GROUP_ID_SIZE = 256 };

struct group_name {
    enum group_kind kind;
    char id[GROUP_ID_SIZE]; /* the container's 64 digits, the pod's UID, the number of a job, a user or a process */
    char engine[16];        /* "docker", "podman", "containerd", "cri-o"; "": not in the name */
    char user[16];          /* the number of the user who owns or named it; "": root's, or unknown */
    const char *path;       /* of a cgroup: all of a path of which id has but the beginning; else NULL */
};

/* The whole id. */
const char *group_name_id(const struct group_name *name);

/* A cgroup by its path, which outlives the name. */
void group_name_by_path(const char *path, struct group_name *name);

/* The folder ("docker-4f1c...scope") of a path of a group ("/system.slice/docker-4f1c...scope") that ends with it.
 * False: it belongs to no group. */
bool group_name_of(const char *path, struct group_name *name);

/* Whether this is a pod's UID: a UUID, or of one that a kubelet's own files define (a static pod) the 32 digits of
 * their hash. dash: the character between the digits, since for systemd a '-' means a slice within another. */
bool group_is_pod_uid(const char *text, size_t length, char dash);

/* A kubelet with systemd's driver gives a runtime that makes groups itself a place as SLICE:PREFIX:ID, which becomes
 * one folder, elsewhere than below that slice. The path with the slice's name in its place: it may be a pod's. False:
 * the folder is of another form. */
bool group_slice_of(const char *path, char *slice, size_t size);

/* Whether a folder is that of the process by which an engine looks after a container (conmon), not the container's
 * own: its processes are the engine's. */
bool group_is_of_monitor(const char *folder);

#endif
