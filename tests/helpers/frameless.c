/* SPDX-License-Identifier: MIT
 * A job without frame pointers, through a library that has none either: its callers are found by .eh_frame alone. What
 * each has used of the CPU with all that it called stands in standard output, "NAME SECONDS" a line.
 *
 *   frameless S        sorter (by qsort), raiser (in the handler of a signal) and deep, in three equal parts of S
 * seconds
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEPS = 100000, ITEMS = 4, DEPTH = 20 };

static volatile uint64_t sink;
static double part_s;

static double used_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) static void innermost(double seconds)
{
    const double before_s = used_s();

    while (used_s() - before_s < seconds)
        for (int i = 0; i < STEPS; i++)
            sink += (uint64_t)i * (uint64_t)i;
    sink++; /* no call at the end, here and below */
}

__attribute__((noinline)) static int compare(const void *a, const void *b)
{
    static int times; /* a sort of ITEMS in this order compares four times */

    if (times++ < ITEMS)
        innermost(part_s / ITEMS);
    sink++;
    return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void sorter(void)
{
    int items[ITEMS] = { 3, 1, 2, 0 };

    qsort(items, ITEMS, sizeof *items, compare);
    sink += (uint64_t)items[0];
}

static void handle(int number)
{
    (void)number;
    innermost(part_s);
    sink++;
}

__attribute__((noinline)) static void raiser(void)
{
    raise(SIGUSR1);
    sink++;
}

__attribute__((noinline)) static void deep(int depth)
{
    volatile char room[100];

    room[depth] = 1;
    if (depth > 0)
        deep(depth - 1);
    else
        innermost(part_s);
    sink += (uint64_t)room[depth];
}

static void tell(const char *name, double before_s)
{
    printf("%s %.6f\n", name, used_s() - before_s);
}

int main(int argc, char **argv)
{
    double before_s;

    part_s = argc > 1 ? atof(argv[1]) / 3 : 0;
    signal(SIGUSR1, handle);
    before_s = used_s();
    sorter();
    tell("sorter", before_s);
    before_s = used_s();
    raiser();
    tell("raiser", before_s);
    before_s = used_s();
    deep(DEPTH);
    tell("deep", before_s);
    return 0;
}
