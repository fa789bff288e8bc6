/* SPDX-License-Identifier: MIT
 * Who may try a password now, by the address it comes from: wrong ones cost their sender time, and nobody else. Used by
 * http_server.c and passwords.c. Begin with guests_open(). */
#ifndef COMMANDS_SERVE_GUESTS_H
#define COMMANDS_SERVE_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;

enum { GUESTS_MAX = 256, GUEST_KEY_SIZE = 17 };

/* An address: all of IPv4, the first half of IPv6, which one host has all of. The first byte is 0 where there is none
 * (a socket of this machine's files, NULL). */
void guest_key_of(const struct sockaddr *address, unsigned char key[GUEST_KEY_SIZE]);

struct guest {
    unsigned char key[GUEST_KEY_SIZE];
    unsigned wrong;            /* passwords, one after the other */
    uint64_t next_ns, seen_ns; /* it may try again from then on; it was last here */
};

/* Hashing has time of its own for those that were not wrong yet, so that others cannot use it up. */
struct guest_time {
    uint64_t free_ns, since_ns, max_ns;
};

struct guests {
    struct guest guests[GUESTS_MAX];
    struct guest_time clean, others;
};

void guests_open(struct guests *guests, uint64_t now_ns);

/* Whose it is; NULL address (a socket of this machine's files): one guest. Of more than there is room for, the one that
 * was here longest ago is forgotten. */
struct guest *guests_find(struct guests *guests, const struct sockaddr *address, uint64_t now_ns);

/* Whether a hash may be made for it. */
bool guests_may_try(struct guests *guests, const struct guest *guest, uint64_t now_ns);

/* One was made, and took so long. */
void guests_tried(struct guests *guests, struct guest *guest, bool right, uint64_t took_ns, uint64_t now_ns);

#endif
