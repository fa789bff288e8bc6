/* SPDX-License-Identifier: MIT
 * How Docker, podman, containerd, CRI-O, the kubelet and Slurm call the folders of their groups, with systemd's driver
 * and with cgroupfs. */
#include "usage/group_name.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { CONTAINER_DIGITS = 64, POD_HASH = 32 };

static const char hex[] = "0123456789abcdef";

const char *group_kind_name(enum group_kind kind)
{
    static const char *const names[GROUP_KINDS] = { "cgroup", "container", "pod", "slurm", "user", "process" };

    return names[kind];
}

const char *group_name_id(const struct group_name *name)
{
    return name->path ? name->path : name->id;
}

void group_name_by_path(const char *path, struct group_name *name)
{
    *name = (struct group_name){ .kind = GROUP_CGROUP, .path = strlen(path) < sizeof name->id ? NULL : path };
    text_copy(name->id, sizeof name->id, path);
}

/* What runtimes write before the 64 digits of a container's id, in the name of its own folder.
 *
 * With systemd's driver a folder is PREFIX-ID.scope, somewhere below a slice (runc, docs/systemd.md: a place is told as
 * SLICE:PREFIX:ID). A runtime that makes groups itself and is told such a place makes one folder of that name. Prefixes
 * are those of Docker (moby, daemon/oci_linux.go), podman (libpod/container_internal_linux.go; "payload" with
 * --cgroups=split, as quadlets have it), containerd's CRI (pkg/cri, "cri-containerd"), nerdctl (pkg/cmd/container),
 * CRI-O (internal/config/cgmgr). With cgroupfs podman and CRI-O have their prefix, too; Docker has /docker/ID,
 * containerd /NAMESPACE/ID, both below a kubelet POD/ID. crun makes a folder "container" within, and a machine within a
 * container has all of this below that one's folder: the innermost counts. */
static const struct {
    const char *prefix, *engine;
} forms[] = {
    { "docker", "docker" },         { "libpod", "podman" },
    { "libpod-payload", "podman" }, { "cri-containerd", "containerd" },
    { "nerdctl", "containerd" },    { "crio", "cri-o" },
};

/* What podman and CRI-O call the group of conmon; podman with cgroupfs calls it "conmon". */
static const char *const monitors[] = { "libpod-conmon-", "crio-conmon-" };

/* The engine that writes this before an id and a separator; NULL: none. */
static const char *engine_of(const char *prefix, size_t length)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strlen(forms[i].prefix) == length && strncmp(forms[i].prefix, prefix, length) == 0)
            return forms[i].engine;
    return NULL;
}

/* Whether the folder above is of this name. */
static bool is_below(const char *path, const char *folder, const char *above)
{
    const size_t length = strlen(above);

    return (size_t)(folder - path) >= length && strncmp(folder - length, above, length) == 0;
}

/* "ID" alone. False: the folder is a pod's of podman's. */
static bool take_bare(const char *path, const char *folder, struct group_name *name)
{
    if (is_below(path, folder, "/docker/"))
        text_copy(name->engine, sizeof name->engine, "docker");
    return !is_below(path, folder, "/libpod_parent/");
}

/* 64 digits at the end of a name, or before ".scope", behind a prefix that is known, or none. */
static bool is_container(const char *path, const char *folder, struct group_name *name)
{
    const char *end = strstr(folder, ".scope"), *id, *prefix, *engine;

    if (!end || end[strlen(".scope")])
        end = folder + strlen(folder);
    if (end - folder < CONTAINER_DIGITS)
        return false;
    id = end - CONTAINER_DIGITS;
    if (strspn(id, hex) != CONTAINER_DIGITS)
        return false;
    if (id == folder) {
        if (!take_bare(path, folder, name))
            return false;
    } else {
        prefix = folder;
        if (id[-1] == ':') /* SLICE:PREFIX:ID */
            for (const char *at = folder; at < id - 1; at++)
                prefix = *at == ':' ? at + 1 : prefix;
        engine = id[-1] == '-' || id[-1] == ':' ? engine_of(prefix, (size_t)(id - 1 - prefix)) : NULL;
        if (!engine)
            return false;
        text_copy(name->engine, sizeof name->engine, engine);
    }
    snprintf(name->id, sizeof name->id, "%.*s", CONTAINER_DIGITS, id);
    name->kind = GROUP_CONTAINER;
    return true;
}

bool group_is_of_monitor(const char *folder)
{
    for (size_t i = 0; i < sizeof monitors / sizeof monitors[0]; i++)
        if (strncmp(folder, monitors[i], strlen(monitors[i])) == 0)
            return true;
    return strcmp(folder, "conmon") == 0;
}

bool group_is_pod_uid(const char *text, size_t length, char dash)
{
    static const char uuid[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    if (length != POD_HASH && length != sizeof uuid - 1)
        return false;
    for (size_t i = 0; i < length; i++)
        if (length != POD_HASH && uuid[i] == '-' ? text[i] != dash : !text[i] || !strchr(hex, text[i]))
            return false;
    return true;
}

/* "pod<UID>", "kubepods-burstable-pod<UID with underscores>.slice"; below kubepods alone. */
static bool is_pod(const char *path, const char *folder, struct group_name *name)
{
    const char *at = strncmp(folder, "pod", 3) == 0 ? folder : strstr(folder, "-pod");
    size_t length;

    if (!at || !strstr(path, "kubepods"))
        return false;
    at += strlen("pod") + (*at == '-');
    length = strcspn(at, ".");
    if ((at[length] && strcmp(at + length, ".slice") != 0) ||
        (!group_is_pod_uid(at, length, '-') && !group_is_pod_uid(at, length, '_')))
        return false;
    for (size_t i = 0; i < length; i++)
        name->id[i] = (char)(at[i] == '_' ? '-' : at[i]);
    name->id[length] = '\0';
    name->kind = GROUP_POD;
    return true;
}

bool group_slice_of(const char *path, char *slice, size_t size)
{
    const char *folder = strrchr(path, '/'), *colon = strchr(folder ? folder : path, ':');

    return colon && strchr(colon + 1, ':') && snprintf(slice, size, "%.*s", (int)(colon - path), path) < (int)size;
}

/* ".../slurm/uid_1000/job_42" of version 1, ".../slurmstepd.scope/job_42" of version 2. */
static bool is_job(const char *path, const char *folder, struct group_name *name)
{
    const size_t digits = strncmp(folder, "job_", 4) == 0 ? strspn(folder + 4, "0123456789") : 0;
    const char *slurm = strstr(path, "/slurm"), *user;

    if (!digits || folder[4 + digits] || digits > 20 || !slurm || slurm >= folder - 1)
        return false;
    snprintf(name->id, sizeof name->id, "%s", folder + 4);
    user = strstr(slurm, "/uid_");
    if (user && user < folder)
        snprintf(name->user, sizeof name->user, "%.*s", (int)strspn(user + 5, "0123456789"), user + 5);
    name->kind = GROUP_SLURM;
    return true;
}

bool group_name_of(const char *path, struct group_name *name)
{
    const char *slash = strrchr(path, '/'), *folder = slash ? slash + 1 : path;

    *name = (struct group_name){ .kind = GROUP_CGROUP };
    return is_container(path, folder, name) || is_pod(path, folder, name) || is_job(path, folder, name);
}
