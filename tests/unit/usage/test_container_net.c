/* SPDX-License-Identifier: MIT
 * The counters of a network namespace: sums over interfaces, and whose they are. */
#include "usage/container_net.h"

#include "runner.h"

#include <sched.h>

static struct net_bytes bytes_of(const char *text)
{
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    struct net_bytes bytes;

    ck_assert_ptr_nonnull(file);
    ck_assert(container_net_of(file, &bytes));
    fclose(file);
    return bytes;
}

START_TEST(all_interfaces_but_lo)
{
    static const char heads[] = "Inter-|   Receive                                                |  Transmit\n"
                                " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n";
    char text[1024];
    struct net_bytes bytes;

    snprintf(
        text, sizeof text, "%s%s%s%s", heads,
        "    lo:    5000      50    0    0    0     0          0         0     5000      50    0    0    0     0\n",
        "  eth0: 18446744073709551000 16    0    0    0     0          0         0      300       4    0    0\n",
        "eth1.5:     600       1    0    0    0     0          0         0        7       4    0    0    0     0\n");
    bytes = bytes_of(text);
    ck_assert_uint_eq(bytes.received, UINT64_C(18446744073709551600));
    ck_assert_uint_eq(bytes.sent, 307);
    snprintf(text, sizeof text, "%s%s", heads, "    lo: 5000 50 0 0 0 0 0 0 5000 50 0 0 0 0 0 0\n");
    bytes = bytes_of(text);
    ck_assert_uint_eq(bytes.received, 0); /* known: there is nothing else to send by */
    ck_assert(!container_net_of(NULL, &bytes));
}
END_TEST

START_TEST(whose_the_network_is)
{
    struct net_bytes bytes;
    struct runner runner;
    int ends[2];
    char byte;
    pid_t pid;

    runner_start(&runner, ACT("hold", "USR1", "hold", "USR1"));
    ck_assert_int_eq(container_net_owner(runner.pid), NET_SHARED);
    runner_end(&runner);
    ck_assert_int_eq(container_net_owner(4000000), NET_UNSEEN);
    ck_assert_int_eq(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        byte = unshare(CLONE_NEWNET) == 0 ? 'y' : 'n';
        _exit(write(ends[1], &byte, 1) == 1 ? pause() : 1);
    }
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    if (byte == 'y') {
        ck_assert_int_eq(container_net_owner(pid), NET_OWN);
        ck_assert(container_net_read(pid, &bytes));
        ck_assert_uint_eq(bytes.received + bytes.sent, 0);
    } else {
        puts("SKIPPED: this user may make no network namespace");
    }
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

UNIT_SUITE("container_net", all_interfaces_but_lo, whose_the_network_is)
