/* SPDX-License-Identifier: MIT
 * What carbon adds to a command's wall time, beside what perf stat adds: the three commands take
 * turns, so that a busy moment of the machine meets all alike. Prints medians and their ratio, and
 * the most memory that carbon held.
 *
 *     start CARBON ROUNDS TREE LEDGER     TREE: a recorded machine, or /; LEDGER: a file to be made */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

enum { MAX_ROUNDS = 2000 };

struct result {
    double wall_ms[MAX_ROUNDS];
    long max_kib;
};

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* False: the command could not be run or did not exit with 0. */
static bool run_once(const char *const argv[], double *wall_ms, long *max_kib)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    double begun_ms;
    int status = -1, failed;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    begun_ms = now_ms();
    failed = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    if (!failed)
        wait4(pid, &status, 0, &usage);
    *wall_ms = now_ms() - begun_ms;
    posix_spawn_file_actions_destroy(&actions);
    if (failed || status != 0)
        return false;
    if (usage.ru_maxrss > *max_kib)
        *max_kib = usage.ru_maxrss;
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static struct result results[4];
    const char *const plain[] = { "true", NULL };
    const char *const perf[] = { "perf", "stat", "true", NULL };
    const char *const carbon[] = { argv[1],      "measure", "--root",      argc > 3 ? argv[3] : "/",
                                   "--baseline", "0",       "--no-ledger", "--",
                                   "true",       NULL };
    const char *const keeping[] = { argv[1],      "measure", "--root",   argc > 3 ? argv[3] : "/",
                                    "--baseline", "0",       "--ledger", argc > 4 ? argv[4] : "off",
                                    "--",         "true",    NULL };
    const char *const *const commands[4] = { plain, perf, carbon, keeping };
    const int rounds = argc > 2 ? atoi(argv[2]) : 0;
    double plain_ms, perf_ms, carbon_ms;
    bool has_perf = true;

    if (rounds < 3 || rounds > MAX_ROUNDS)
        return fprintf(stderr, "usage: start CARBON ROUNDS [TREE]\n"), 2;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < 4; i++) {
            if (i == 1 && !has_perf)
                continue;
            if (run_once(commands[i], &results[i].wall_ms[round], &results[i].max_kib))
                continue;
            if (i != 1)
                return fprintf(stderr, "start: '%s' failed\n", commands[i][0]), 1;
            has_perf = false;
        }
    plain_ms = median(results[0].wall_ms, rounds);
    carbon_ms = median(results[2].wall_ms, rounds);
    printf("true                                  %7.2f ms (median of %d, taking turns)\n", plain_ms, rounds);
    if (has_perf) {
        perf_ms = median(results[1].wall_ms, rounds);
        printf("perf stat true                        %7.2f ms  adds %6.2f ms\n", perf_ms, perf_ms - plain_ms);
    }
    printf("carbon measure --baseline 0 -- true   %7.2f ms  adds %6.2f ms\n", carbon_ms, carbon_ms - plain_ms);
    if (has_perf)
        printf("  what carbon adds / what perf stat adds            %6.3f   (target <= 0.25)\n",
               (carbon_ms - plain_ms) / (perf_ms - plain_ms));
    else
        printf("  perf is not installed: no ratio\n");
    printf("carbon's resident memory, most        %7.2f MB            (target < 5)\n",
           (double)results[2].max_kib * 1024 / 1e6);
    if (argc > 4)
        printf("  its record kept in a ledger at the end   adds %6.2f ms, %.2f MB\n",
               median(results[3].wall_ms, rounds) - carbon_ms, (double)results[3].max_kib * 1024 / 1e6);
    return 0;
}
