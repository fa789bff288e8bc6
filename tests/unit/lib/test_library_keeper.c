/* SPDX-License-Identifier: MIT
 * libcarbon's keep-alive thread, and its meters after fork. */
#include "library_fixture.h"
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/wait.h>

/* Wraps after 2000 J: at 2000 W after a second, so that it wants to be read every half. */
#define RANGE_UJ 1999999999
#define LIMIT_MS 1000
#define KEEPER_MS 500

/* Nearly the whole range, and then over its end: 2001 J, which two readings alone cannot tell from one joule. */
START_TEST(without_it_a_long_piece_is_unknown)
{
    carbon_energy used;

    tree_of_counters(RANGE_UJ);
    set_uj(PACKAGE, 0);
    meter_of((carbon_options){ .zone = "FR" });
    const carbon_mark start = carbon_now(meter);
    set_uj(PACKAGE, 1999000000);
    pause_ms(LIMIT_MS + 200);
    set_uj(PACKAGE, 1000000);
    used = carbon_since(meter, start);
    close_meter();
    ck_assert(isnan(used.joules));
    ck_assert_uint_ne(used.doubts & CARBON_DOUBT_GAP, 0);
}
END_TEST

static int watch_package(void)
{
    char path[600];
    const int watch = inotify_init1(IN_CLOEXEC);

    ck_assert_int_ge(watch, 0);
    snprintf(path, sizeof path, "%s/" PACKAGE "/energy_uj", tree.path);
    ck_assert_int_ge(inotify_add_watch(watch, path, IN_ACCESS | IN_MODIFY), 0);
    return watch;
}

/* Sets the counter, and waits until the thread has read it. */
static void keeper_reads(int watch, uint64_t uj)
{
    _Alignas(struct inotify_event) char events[4096];
    bool read_since = false;

    set_uj(PACKAGE, uj);
    while (!read_since) {
        const ssize_t bytes = read(watch, events, sizeof events);
        ck_assert_int_gt(bytes, 0);
        for (ssize_t at = 0; at < bytes;) {
            const struct inotify_event *event = (const struct inotify_event *)(events + at);
            read_since = event->mask & IN_ACCESS;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The same, with five readings by the thread before the piece is over, each of less than 2000 W. Two of them lie
 * further apart than the limit only where the thread was held up for longer than its interval, by which the last comes
 * later, too: that is told then. */
START_TEST(with_it_no_wrap_is_missed)
{
    const double opened_ms = now_ms();
    carbon_energy used;

    tree_of_counters(RANGE_UJ);
    set_uj(PACKAGE, 0);
    meter_of((carbon_options){ .zone = "FR", .keep_alive = 1 });
    const carbon_mark start = carbon_now(meter);
    const int watch = watch_package();
    keeper_reads(watch, 700000000);
    keeper_reads(watch, 1400000000);
    keeper_reads(watch, 1999000000);
    keeper_reads(watch, 1000000);
    keeper_reads(watch, 1000000);
    used = carbon_since(meter, start);
    const double took_ms = now_ms() - opened_ms;
    close(watch);
    close_meter();
    ck_assert_double_gt(took_ms, LIMIT_MS);
    if (took_ms >= LIMIT_MS + 4 * KEEPER_MS && isnan(used.joules))
        ck_assert_uint_ne(used.doubts & CARBON_DOUBT_GAP, 0);
    else
        ck_assert_double_eq(used.joules, 2001);
}
END_TEST

/* How many threads there are, and of the last one but the first which signals it blocks. */
static int threads(unsigned long long *blocked)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;

    ck_assert_ptr_nonnull(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));) {
        char path[300], line[128];
        FILE *status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        status = fopen(path, "r");
        if (!status) /* it has just ended */
            continue;
        count++;
        while (atoi(entry->d_name) != getpid() && fgets(line, sizeof line, status))
            if (sscanf(line, "SigBlk: %llx", blocked) == 1)
                break;
        fclose(status);
    }
    closedir(tasks);
    return count;
}

START_TEST(it_gets_no_signal_and_ends_with_the_meter)
{
    unsigned long long blocked = 0;
    sigset_t mine;
    const int before = threads(&blocked);

    meter_of_counters(RANGE_UJ);
    ck_assert_int_eq(threads(&blocked), before);
    carbon_close(meter);
    meter_of((carbon_options){ .zone = "FR", .keep_alive = 1 });
    ck_assert_int_eq(threads(&blocked), before + 1);
    for (int signal = 1; signal < 32; signal++)
        ck_assert_int_eq((blocked >> (signal - 1) & 1) != 0, signal != SIGKILL && signal != SIGSTOP);
    ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, NULL, &mine), 0);
    ck_assert_int_eq(sigismember(&mine, SIGUSR1), 0);
    close_meter();
    /* joined; the kernel may show it for a moment more */
    for (int i = 0; i < 1000 && threads(&blocked) > before; i++)
        pause_ms(5);
    ck_assert_int_eq(threads(&blocked), before);
}
END_TEST

static int status_of(pid_t child)
{
    int status;

    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void fork_with(int keep_alive)
{
    tree_of_counters(262143328850);
    meter_of((carbon_options){ .zone = "FR", .keep_alive = keep_alive });
    const carbon_mark start = carbon_now(meter);
    set_uj(PACKAGE, 6000000);
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        set_uj(PACKAGE, 6500000);
        const bool good = carbon_since(meter, start).joules == 1.5;
        const carbon_mark own = carbon_now(meter);
        set_uj(PACKAGE, 7000000);
        const bool own_good = carbon_since(meter, own).joules == 0.5;
        carbon_close(meter);
        _exit(good && own_good ? 0 : 1);
    }
    ck_assert_int_eq(status_of(child), 0);
    ck_assert_double_eq(carbon_since(meter, start).joules, 2);
    close_meter();
}

START_TEST(a_child_goes_on_by_its_own_readings)
{
    fork_with(0);
}
END_TEST

START_TEST(a_child_has_no_thread_to_wait_for)
{
    fork_with(1);
}
END_TEST

UNIT_SUITE("library_keeper", without_it_a_long_piece_is_unknown, with_it_no_wrap_is_missed,
           it_gets_no_signal_and_ends_with_the_meter, a_child_goes_on_by_its_own_readings,
           a_child_has_no_thread_to_wait_for)
