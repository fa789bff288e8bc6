/* SPDX-License-Identifier: MIT
 * The load of the memory: STREAM's triad (McCalpin 1995) over three arrays, two read and one written, in turns. */
#include "base/auto.h"
#include "base/cpu_cache.h"
#include "base/units.h"
#include "commands/probe/load_worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

enum { ARRAYS = 3, CHUNK = 16384, TIMES_CACHE = 4 };

/* Where the size of the caches is not known; larger than those of any machine that does not tell. */
#define UNKNOWN_CACHE_BYTES (UINT64_C(64) << 20)

static uint64_t available_bytes(void)
{
    AUTO_FCLOSE FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    uint64_t kib;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kib) == 1)
            return kib << 10;
    return 0;
}

bool load_memory_size(uint64_t *bytes, struct error *err)
{
    const uint64_t available = available_bytes();
    char available_text[UNITS_SIZE], cache_text[UNITS_SIZE];
    uint64_t cache_bytes;
    struct cache cache;
    struct root root;

    if (!root_open(&root, "/", err))
        return false;
    cache = cache_read(&root);
    root_close(&root);
    cache_bytes = cache.bytes ? cache.bytes * cache.count : UNKNOWN_CACHE_BYTES;
    *bytes = TIMES_CACHE * cache_bytes;
    if (*bytes > available / 4)
        *bytes = available / 4;
    if (*bytes >= 2 * cache_bytes)
        return true;
    error_set(err, ERROR_SYSTEM, "too little memory for the load 'memory'");
    error_why(err, "a quarter of the %s that are available does not get past caches of %s",
              units_bytes((double)available, available_text), units_bytes((double)cache_bytes, cache_text));
    return error_fix(err, "leave it out with --loads");
}

/* In pieces, for the first touch of a page takes long. False: time is up. */
static bool fill_array(const struct load_worker *worker, double *array, size_t count, double value)
{
    for (size_t start = 0; start < count && load_goes_on(worker); start += CHUNK)
        for (size_t i = start; i < start + CHUNK && i < count; i++)
            array[i] = value;
    return load_goes_on(worker);
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] = 0.75 * b[i] + 0.25 * c[i];
    __asm__ volatile("" ::: "memory"); /* all of it is wanted */
}

bool load_memory(struct load_worker *worker)
{
    const size_t count = worker->memory_bytes / ARRAYS / sizeof(double);
    double *arrays =
        mmap(NULL, ARRAYS * count * sizeof(double), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool filled = true;

    if (arrays == MAP_FAILED)
        return error_errno(&worker->err, "no memory for the load 'memory'");
    madvise(arrays, ARRAYS * count * sizeof(double), MADV_HUGEPAGE);
    worker->done.memory_bytes = ARRAYS * count * sizeof(double);
    for (int i = 0; i < ARRAYS && filled; i++)
        filled = fill_array(worker, arrays + (size_t)i * count, count, i + 1);
    if (!filled)
        snprintf(worker->done.note, sizeof worker->done.note, "the time was up before the buffers were filled");
    for (size_t turn = 0; load_goes_on(worker); turn++) {
        double *a = arrays + turn % ARRAYS * count, *b = arrays + (turn + 1) % ARRAYS * count,
               *c = arrays + (turn + 2) % ARRAYS * count;
        for (size_t start = 0; start < count && load_goes_on(worker); start += CHUNK) {
            const size_t length = count - start < CHUNK ? count - start : CHUNK;
            triad(a + start, b + start, c + start, length);
            worker->done.streamed_bytes += ARRAYS * length * sizeof(double);
        }
    }
    munmap(arrays, ARRAYS * count * sizeof(double));
    return true;
}
