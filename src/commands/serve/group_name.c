/* SPDX-License-Identifier: MIT
 * How Docker, podman, containerd, CRI-O, the kubelet and Slurm call the folders of their groups, with systemd's driver
 * and with cgroupfs. */
#include "commands/serve/group_name.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { CONTAINER_DIGITS = 64, POD_UID_LEAST = 32, POD_UID_MOST = 36 };

static const char hex[] = "0123456789abcdef";

const char *group_kind_name(enum group_kind kind)
{
    static const char *const names[GROUP_KINDS] = { "cgroup", "container", "pod", "slurm" };

    return names[kind];
}

/* "docker-ID.scope", "libpod-ID", "cri-containerd-ID.scope", "crio-ID.scope", "ID": 64 digits with a known end. */
static bool is_container(const char *path, const char *folder, struct group_name *name)
{
    static const struct {
        const char *before, *engine;
    } kinds[] = { { "docker-", "docker" },
                  { "libpod-", "podman" },
                  { "cri-containerd-", "containerd" },
                  { "crio-", "cri-o" },
                  { "", "" } };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t before = strlen(kinds[i].before);
        const char *id = folder + before;
        if (strncmp(folder, kinds[i].before, before) != 0 || strspn(id, hex) != CONTAINER_DIGITS ||
            (id[CONTAINER_DIGITS] && strcmp(id + CONTAINER_DIGITS, ".scope") != 0))
            continue;
        snprintf(name->id, sizeof name->id, "%.*s", CONTAINER_DIGITS, id);
        text_copy(name->engine, sizeof name->engine, kinds[i].engine);
        /* "/docker/ID" of cgroupfs */
        if (!before && folder - path >= 8 && strncmp(folder - 8, "/docker/", 8) == 0)
            text_copy(name->engine, sizeof name->engine, "docker");
        name->kind = GROUP_CONTAINER;
        return true;
    }
    return false;
}

/* "pod<UID>", "kubepods-burstable-pod<UID with underscores>.slice"; below kubepods alone. */
static bool is_pod(const char *path, const char *folder, struct group_name *name)
{
    const char *at = strncmp(folder, "pod", 3) == 0 ? folder + 3 : strstr(folder, "-pod");
    size_t length;

    if (!at || !strstr(path, "kubepods"))
        return false;
    at += *at == '-' ? 4 : 0;
    length = strspn(at, "0123456789abcdef-_");
    if (length < POD_UID_LEAST || length > POD_UID_MOST || (at[length] && strcmp(at + length, ".slice") != 0))
        return false;
    for (size_t i = 0; i < length; i++)
        name->id[i] = (char)(at[i] == '_' ? '-' : at[i]);
    name->id[length] = '\0';
    name->kind = GROUP_POD;
    return true;
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
