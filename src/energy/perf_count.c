/* SPDX-License-Identifier: MIT
 * Differences of perf counts. The PMU of intel_rapl_common.c (TPMI machines, newer clients) adds
 * new - old of a 32-bit register times the hardware's unit, without a fold: at each wrap its count
 * steps back by 2^32 units (P07). The unit is not in sysfs (61 µJ, 15.3 µJ, 1 J ... in counts of
 * 2^-32 J), but every step is a multiple of it. */
#include "energy/perf_count.h"

#include <errno.h>

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Long double holds a product of 50 and 14 bits exactly; the fraction is carried on. */
static int grow(struct perf_count *count, uint64_t counts)
{
    const long double sum_uj = count->rest_uj + (long double)counts * count->uj_per_count;
    uint64_t whole_uj;

    if (sum_uj >= 0x1p63L)
        return EIO;
    whole_uj = (uint64_t)sum_uj;
    if (whole_uj > UINT64_MAX - count->energy_uj)
        return EIO;
    count->energy_uj += whole_uj;
    count->rest_uj = sum_uj - (long double)whole_uj;
    return 0;
}

int perf_count_add(struct perf_count *count, uint64_t raw)
{
    const uint64_t forward = raw - count->last, backward = count->last - raw;
    const uint64_t size = (int64_t)forward < 0 ? backward : forward;

    count->last = raw;
    count->unit = common_divisor(size, count->unit);
    if ((int64_t)forward >= 0)
        return grow(count, forward);
    if (count->unit > UINT32_MAX)
        return EIO;
    /* About 2^32 units: a failed read steps back too, and by anything. Between two reads a package
     * uses far less than an eighth of the range. */
    const uint64_t range = count->unit << 32;
    if (backward > range || range - backward > range / 8)
        return EIO;
    return grow(count, range - backward);
}
