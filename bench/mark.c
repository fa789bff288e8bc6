/* SPDX-License-Identifier: MIT
 * What a phase mark costs the job that makes it: to be run by `carbon measure --marks`. Batches of marks and of the
 * same writes to a pipe that nobody waits at (the floor) take turns, once in a row and once with a rest before each, so
 * that carbon has gone to sleep and must be woken.
 *
 *     mark RESTS     so many marks with a rest; in a row 10000 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { IN_A_ROW = 10000, BATCH = 100, MAX_RESTS = 100000, REST_US = 500 };

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The write alone. */
static double mark_us(int fd)
{
    static const char mark[] = "phase-0\n";
    const uint64_t begun_ns = now_ns();

    if (write(fd, mark, sizeof mark - 1) != sizeof mark - 1)
        abort();
    return (double)(now_ns() - begun_ns) / 1e3;
}

static void empty(int fd)
{
    char bytes[4096];

    while (read(fd, bytes, sizeof bytes) == sizeof bytes)
        continue;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(const char *how, double *floor_us, double *marks_us, int count)
{
    double floor_mean_us = 0, mark_mean_us = 0;

    for (int i = 0; i < count; i++) {
        floor_mean_us += floor_us[i] / count;
        mark_mean_us += marks_us[i] / count;
    }
    qsort(floor_us, (size_t)count, sizeof *floor_us, compare);
    qsort(marks_us, (size_t)count, sizeof *marks_us, compare);
    printf("%d writes to a pipe, %-18s %7.2f us on average, median %6.2f\n", count, how, floor_mean_us,
           floor_us[count / 2]);
    printf("%d marks, %-29s %7.2f us on average, median %6.2f   (target < 20)\n", count, how, mark_mean_us,
           marks_us[count / 2]);
    printf("  mark / write                                      %6.3f\n", mark_mean_us / floor_mean_us);
}

int main(int argc, char **argv)
{
    static double floor_us[MAX_RESTS], marks_us[MAX_RESTS];
    const int rests = argc > 1 ? atoi(argv[1]) : 0;
    const char *number = getenv("CARBON_MARK_FD");
    const struct timespec rest = { .tv_nsec = REST_US * 1000 };
    int ends[2], fd;

    if (rests < 1 || rests > MAX_RESTS || !number || pipe2(ends, O_NONBLOCK) < 0)
        return fprintf(stderr, "usage: carbon measure --marks -- mark RESTS\n"), 2;
    fd = atoi(number);
    for (int batch = 0; batch < IN_A_ROW; batch += BATCH) {
        for (int i = batch; i < batch + BATCH; i++)
            floor_us[i] = mark_us(ends[1]);
        for (int i = batch; i < batch + BATCH; i++)
            marks_us[i] = mark_us(fd);
        empty(ends[0]);
    }
    print("in a row", floor_us, marks_us, IN_A_ROW);
    for (int i = 0; i < rests; i++) {
        nanosleep(&rest, NULL);
        floor_us[i] = mark_us(ends[1]);
        empty(ends[0]);
        nanosleep(&rest, NULL);
        marks_us[i] = mark_us(fd);
    }
    print("after a rest", floor_us, marks_us, rests);
    return 0;
}
