/* SPDX-License-Identifier: MIT
 * A library that is opened while a job runs: for functions.c. */
#include <stdint.h>

void plugged(long steps);

static volatile uint64_t sink;

void plugged(long steps)
{
    for (long i = 0; i < steps; i++)
        sink += (uint64_t)(i * i);
}
