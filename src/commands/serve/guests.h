/* SPDX-License-Identifier: MIT
 * Who may try a password now, by address: wrong passwords delay their sender, and no other. Used by http_server.c and
 * passwords.c. Begin with guests_open(). */
#ifndef COMMANDS_SERVE_GUESTS_H
#define COMMANDS_SERVE_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;

enum { GUESTS_MAX = 256, GUEST_KEY_SIZE = 17 };

/* An address: all of IPv4, the first half of IPv6, which belongs to one host. The first byte is 0 for none (a Unix
 * socket, NULL). */
void guest_key_of(const struct sockaddr *address, unsigned char key[GUEST_KEY_SIZE]);

struct guest {
    unsigned char key[GUEST_KEY_SIZE];
    unsigned wrong;            /* wrong passwords in a row */
    uint64_t next_ns, seen_ns; /* time of the next permitted try; time of the last request */
};

/* Addresses without a wrong password have a separate budget of hashing time, so that others cannot exhaust it. */
struct guest_time {
    uint64_t free_ns, since_ns, max_ns;
};

struct guests {
    struct guest guests[GUESTS_MAX];
    struct guest_time clean, others;
};

void guests_open(struct guests *guests, uint64_t now_ns);

/* The guest of an address; NULL (a Unix socket): one guest. If the table is full, the guest with the oldest request is
 * forgotten. */
struct guest *guests_find(struct guests *guests, const struct sockaddr *address, uint64_t now_ns);

/* Whether a hash may be calculated for it. */
bool guests_may_try(struct guests *guests, const struct guest *guest, uint64_t now_ns);

/* A hash was calculated, and took this long. */
void guests_tried(struct guests *guests, struct guest *guest, bool right, uint64_t took_ns, uint64_t now_ns);

#endif
