/* SPDX-License-Identifier: MIT
 * Wrong passwords cost their sender time, and nobody else. */
#include "commands/serve/guests.h"

#include "unit.h"

#include "base/units.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static struct sockaddr *address_of(const char *text)
{
    static struct sockaddr_storage storage;
    struct sockaddr_in *four = (struct sockaddr_in *)&storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&storage;

    memset(&storage, 0, sizeof storage);
    if (strchr(text, ':')) {
        six->sin6_family = AF_INET6;
        ck_assert_int_eq(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
    } else {
        four->sin_family = AF_INET;
        ck_assert_int_eq(inet_pton(AF_INET, text, &four->sin_addr), 1);
    }
    return (struct sockaddr *)&storage;
}

START_TEST(addresses_are_told_apart)
{
    struct guests guests;

    guests_open(&guests, 1);
    ck_assert_ptr_eq(guests_find(&guests, address_of("10.0.0.1"), 2), guests_find(&guests, address_of("10.0.0.1"), 3));
    ck_assert_ptr_ne(guests_find(&guests, address_of("10.0.0.1"), 4), guests_find(&guests, address_of("10.0.0.2"), 5));
    ck_assert_ptr_eq(guests_find(&guests, address_of("::ffff:10.0.0.1"), 6),
                     guests_find(&guests, address_of("10.0.0.1"), 7));
    ck_assert_ptr_eq(guests_find(&guests, address_of("2001:db8::1"), 8),
                     guests_find(&guests, address_of("2001:db8::dead:beef"), 9));
    ck_assert_ptr_ne(guests_find(&guests, address_of("2001:db8::1"), 10),
                     guests_find(&guests, address_of("2001:db8:0:1::1"), 11));
    ck_assert_ptr_eq(guests_find(&guests, NULL, 12), guests_find(&guests, NULL, 13));
}
END_TEST

/* Attackers of 80 addresses try a hash of 60 ms as often as they may, for an hour, on one CPU. The right user comes
 * each 15 s, and whatever goes on is let try; nobody is known already. All hashes take a tenth of the time at most. */
START_TEST(a_right_user_is_never_kept_waiting)
{
    const uint64_t hash_ns = NS_PER_S_INT * 6 / 100, hour_ns = 3600 * NS_PER_S_INT;
    struct guests guests;
    uint64_t now_ns = NS_PER_S_INT, hashed_ns = 0, next_ns = now_ns + 20 * NS_PER_S_INT;
    unsigned asked = 0, tries = 0;
    char text[32];

    srand(5);
    guests_open(&guests, now_ns);
    while (now_ns < hour_ns) {
        struct guest *guest;

        if (now_ns >= next_ns) {
            guest = guests_find(&guests, address_of("192.0.2.1"), now_ns);
            ck_assert_msg(guests_may_try(&guests, guest, now_ns), "after %.1f s", (double)now_ns / NS_PER_S_INT);
            guests_tried(&guests, guest, true, hash_ns, now_ns + hash_ns);
            now_ns += hash_ns;
            hashed_ns += hash_ns;
            next_ns += 15 * NS_PER_S_INT;
            asked++;
        }
        snprintf(text, sizeof text, "10.0.0.%d", rand() % 80);
        guest = guests_find(&guests, address_of(text), now_ns);
        if (guests_may_try(&guests, guest, now_ns)) {
            now_ns += hash_ns;
            hashed_ns += hash_ns;
            guests_tried(&guests, guest, false, hash_ns, now_ns);
            tries++;
        }
        now_ns += NS_PER_S_INT / 50;
    }
    ck_assert_uint_gt(asked, 200);
    ck_assert_uint_lt(hashed_ns, hour_ns / 10 + 8 * NS_PER_S_INT);
    /* 5 slips of each, and waits that double up to 64 s: an address may try some 65 times in an hour */
    ck_assert_uint_lt(tries, 80 * 70);
}
END_TEST

START_TEST(a_few_slips_cost_nothing_and_more_cost_time)
{
    struct guests guests;
    struct guest *guest;
    uint64_t now_ns = NS_PER_S_INT;

    guests_open(&guests, now_ns);
    guest = guests_find(&guests, address_of("10.0.0.1"), now_ns);
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(guests_may_try(&guests, guest, now_ns), "%d", i);
        guests_tried(&guests, guest, false, 1000, now_ns);
    }
    for (uint64_t wait_s = 1; wait_s <= 64; wait_s *= 2) {
        ck_assert(!guests_may_try(&guests, guest, now_ns + wait_s * NS_PER_S_INT - 1));
        now_ns += wait_s * NS_PER_S_INT;
        ck_assert(guests_may_try(&guests, guest, now_ns));
        guests_tried(&guests, guest, false, 1000, now_ns);
    }
    ck_assert(guests_may_try(&guests, guest, now_ns + 64 * NS_PER_S_INT));
    guests_tried(&guests, guest, true, 1000, now_ns);
    ck_assert(guests_may_try(&guests, guest, now_ns));
    guests_tried(&guests, guest, false, 1000, now_ns);
    ck_assert_uint_eq(guest->wrong, 1);
    ck_assert_ptr_eq(guests_find(&guests, address_of("10.0.0.1"), now_ns + 600 * NS_PER_S_INT), guest);
    ck_assert_uint_eq(guest->wrong, 0);
}
END_TEST

UNIT_SUITE("guests", addresses_are_told_apart, a_right_user_is_never_kept_waiting,
           a_few_slips_cost_nothing_and_more_cost_time)
