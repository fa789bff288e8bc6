/* SPDX-License-Identifier: MIT
 * /proc/PID/net/dev and /proc/PID/ns/net. */
#include "usage/container_net.h"

#include "base/auto.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum net_owner container_net_owner(pid_t pid)
{
    struct stat own, others;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/ns/net", pid);
    if (stat("/proc/self/ns/net", &own) < 0 || stat(path, &others) < 0)
        return NET_UNSEEN;
    return own.st_dev == others.st_dev && own.st_ino == others.st_ino ? NET_SHARED : NET_OWN;
}

/* "  eth0: 1296 16 0 0 0 0 0 0 0 0 ...": eight columns of received data, then of sent data. Two header lines come
 * before. */
bool container_net_of(FILE *dev, struct net_bytes *bytes)
{
    AUTO_FREE char *line = NULL;
    size_t room = 0;
    bool any = false;

    *bytes = (struct net_bytes){ .received = 0 };
    while (dev && getline(&line, &room, dev) > 0) {
        uint64_t received, sent;
        char *colon = strrchr(line, ':'), *name = line + strspn(line, " ");
        if (!colon || sscanf(colon + 1, "%" SCNu64 " %*s %*s %*s %*s %*s %*s %*s %" SCNu64, &received, &sent) != 2)
            continue;
        any = true;
        *colon = '\0';
        if (strcmp(name, "lo") == 0)
            continue;
        bytes->received += received;
        bytes->sent += sent;
    }
    return any;
}

bool container_net_read(pid_t pid, struct net_bytes *bytes)
{
    AUTO_FCLOSE FILE *file = NULL;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/net/dev", pid);
    file = fopen(path, "re");
    return container_net_of(file, bytes);
}
