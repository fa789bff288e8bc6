/* SPDX-License-Identifier: MIT
 * The first look-up of a factor by a fresh process, beside reading the bytes of the same tables once: the two take
 * turns, each in a process of its own. Prints medians, their ratio, and the time against its limit.
 *
 *     lookup ROUNDS            CARBON_DATA names the tables */
#include "base/data.h"
#include "emissions/factor.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ROUNDS = 2000 };

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The tables that a look-up by zone reads: those of one in the default and in the share-alike table. */
static bool read_bytes(void)
{
    static const char *const tables[] = {
        "emission_factors/zones.csv",
        "emission_factors/grid_intensity.csv",
        "emission_factors/share-alike/grid_intensity_odbl.csv",
        "emission_factors/sources.csv",
    };
    static char block[65536];

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char path[4096];
        struct error err;
        ssize_t count;
        int fd;
        if (!data_path(tables[i], path, sizeof path, &err) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
            return false;
        do
            count = read(fd, block, sizeof block);
        while (count > 0);
        close(fd);
        if (count < 0)
            return false;
    }
    return true;
}

static bool look_up(void)
{
    const struct factor_query query = {
        .zone = "US-CA", /* by its fallback: two zones in each table */
        .year = 2024,
        .basis = FACTOR_LIFECYCLE,
        .intensity = NAN,
        .share_alike = true,
    };
    struct notices notices = { .count = 0 };
    struct factor factor;
    struct error err;

    return factor_lookup(&query, &factor, &notices, &err);
}

/* The time of the first call in a new process, told through a pipe; NAN where it failed. */
static double time_ms(bool (*work)(void))
{
    int ends[2], status = -1;
    double ms = NAN, begun_ms;
    pid_t pid;

    if (pipe(ends) != 0)
        return NAN;
    pid = fork();
    if (pid == 0) {
        begun_ms = now_ms();
        ms = work() ? now_ms() - begun_ms : NAN;
        _exit(write(ends[1], &ms, sizeof ms) == sizeof ms ? 0 : 1);
    }
    close(ends[1]);
    if (pid < 0 || read(ends[0], &ms, sizeof ms) != sizeof ms)
        ms = NAN;
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    return ms;
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;

    return first < second ? -1 : first > second;
}

int main(int argc, char **argv)
{
    static double reads_ms[MAX_ROUNDS], looks_ms[MAX_ROUNDS];
    int rounds = argc > 1 ? atoi(argv[1]) : 200;

    if (rounds < 1 || rounds > MAX_ROUNDS)
        rounds = 200;
    for (int i = 0; i < rounds; i++) {
        reads_ms[i] = time_ms(read_bytes);
        looks_ms[i] = time_ms(look_up);
        if (isnan(reads_ms[i]) || isnan(looks_ms[i])) {
            fputs("the tables cannot be read; CARBON_DATA names their folder\n", stderr);
            return 1;
        }
    }
    qsort(reads_ms, (size_t)rounds, sizeof reads_ms[0], compare);
    qsort(looks_ms, (size_t)rounds, sizeof looks_ms[0], compare);
    printf("reading the bytes of the tables %9.3f ms\n", reads_ms[rounds / 2]);
    printf("first look-up of a factor       %9.3f ms   (target < 5)\n", looks_ms[rounds / 2]);
    printf("  look-up / reading                                 %6.3f\n", looks_ms[rounds / 2] / reads_ms[rounds / 2]);
    return 0;
}
