/* SPDX-License-Identifier: MIT
 * Time for passwords, shared among addresses. */
#include "commands/serve/guests.h"

#include "base/units.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Hashing may take a twentieth of the time of each kind; at first, and after a rest, this much at once. That of clean
 * ones is a hundred hashes of the cost that htpasswd takes: so many addresses an attacker may have that come all at
 * once. */
#define REST_PART 20
#define BURST_NS (2 * NS_PER_S_INT)
#define CLEAN_BURST_NS (6 * NS_PER_S_INT)
/* A few wrong ones are slips. After the next a guest waits a second, after each more twice as long, and this at most;
 * after a rest it is as new. */
enum { SLIPS = 5 };
#define WAIT_MAX_NS (64 * NS_PER_S_INT)
#define FORGIVEN_NS (600 * NS_PER_S_INT)

void guests_open(struct guests *guests, uint64_t now_ns)
{
    memset(guests->guests, 0, sizeof guests->guests);
    guests->clean = (struct guest_time){ CLEAN_BURST_NS, now_ns, CLEAN_BURST_NS };
    guests->others = (struct guest_time){ BURST_NS, now_ns, BURST_NS };
}

void guest_key_of(const struct sockaddr *address, unsigned char key[GUEST_KEY_SIZE])
{
    memset(key, 0, GUEST_KEY_SIZE);
    if (address && address->sa_family == AF_INET) {
        key[0] = 4;
        memcpy(key + 1, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    } else if (address && address->sa_family == AF_INET6) {
        const struct in6_addr *whole = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        const bool mapped = IN6_IS_ADDR_V4MAPPED(whole);

        key[0] = mapped ? 4 : 6;
        memcpy(key + 1, whole->s6_addr + (mapped ? 12 : 0), mapped ? 4 : 8);
    }
}

struct guest *guests_find(struct guests *guests, const struct sockaddr *address, uint64_t now_ns)
{
    unsigned char key[GUEST_KEY_SIZE];
    struct guest *oldest = &guests->guests[0];

    guest_key_of(address, key);
    for (size_t i = 0; i < GUESTS_MAX; i++) {
        struct guest *guest = &guests->guests[i];

        if (guest->seen_ns && memcmp(guest->key, key, sizeof key) == 0) {
            if (now_ns - guest->seen_ns >= FORGIVEN_NS)
                guest->wrong = 0;
            guest->seen_ns = now_ns;
            return guest;
        }
        if (guest->seen_ns < oldest->seen_ns)
            oldest = guest;
    }
    *oldest = (struct guest){ .seen_ns = now_ns };
    memcpy(oldest->key, key, sizeof key);
    return oldest;
}

static struct guest_time *time_of(struct guests *guests, const struct guest *guest)
{
    return guest->wrong ? &guests->others : &guests->clean;
}

bool guests_may_try(struct guests *guests, const struct guest *guest, uint64_t now_ns)
{
    struct guest_time *time = time_of(guests, guest);

    if (guest->wrong && now_ns < guest->next_ns)
        return false;
    time->free_ns += (now_ns - time->since_ns) / REST_PART;
    time->since_ns = now_ns;
    if (time->free_ns > time->max_ns)
        time->free_ns = time->max_ns;
    return time->free_ns >= BURST_NS / REST_PART;
}

void guests_tried(struct guests *guests, struct guest *guest, bool right, uint64_t took_ns, uint64_t now_ns)
{
    struct guest_time *time = time_of(guests, guest);
    uint64_t wait_ns = NS_PER_S_INT;

    time->free_ns -= took_ns < time->free_ns ? took_ns : time->free_ns;
    time->since_ns = now_ns;
    if (right) {
        guest->wrong = 0;
        return;
    }
    guest->wrong++;
    for (unsigned i = SLIPS + 1; i < guest->wrong && wait_ns < WAIT_MAX_NS; i++)
        wait_ns *= 2;
    guest->next_ns = now_ns + (guest->wrong > SLIPS ? wait_ns : 0);
}
