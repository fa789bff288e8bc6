/* SPDX-License-Identifier: MIT
 * What a container has sent and received, by the counters of a network namespace of its own. Used by
 * target/target_container.c. Begin with container_net_of(). */
#ifndef USAGE_CONTAINER_NET_H
#define USAGE_CONTAINER_NET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum net_owner {
    NET_OWN,    /* readable here */
    NET_SHARED, /* it is the machine's, so the bytes cannot be attributed */
    NET_UNSEEN  /* this user may not look */
};

/* Whose the network is that a process is in. */
enum net_owner container_net_owner(pid_t pid);

/* All of a /proc/PID/net/dev except the machine's traffic to itself. */
struct net_bytes {
    uint64_t received, sent;
};
bool container_net_of(FILE *dev, struct net_bytes *bytes);
bool container_net_read(pid_t pid, struct net_bytes *bytes);

#endif
