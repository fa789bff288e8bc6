/* SPDX-License-Identifier: MIT
 * What a million marks of libcarbon cost beyond the reading of the counters: batches of carbon_now and of bare preads
 * of the same files (the floor) take turns. What a stamp costs, over a bare clock_gettime, while a thread reads every
 * 10 ms. And what a piece costs, worked out of two marks.
 *
 *     piece TREE */
#include "bare.h"

#include <carbon.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 20000, BATCH = 50 };

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Those of one package, as bench/run.sh lays them. */
static void open_files(struct bare_files *files, const char *tree)
{
    static const char *const zones[] = { "0", "0:0", "0:1", "0:2" };
    char path[512];

    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        snprintf(path, sizeof path, "%s/sys/class/powercap/intel-rapl:%s/energy_uj", tree, zones[i]);
        bare_files_add(files, open(path, O_RDONLY | O_CLOEXEC));
    }
}

/* Batches of more, since the clock itself is read for each. */
static void measure_stamps(const carbon_options *options)
{
    enum { STAMPS = 1000, STAMP_BATCHES = 1000 };
    static double bare_ns[STAMP_BATCHES], stamp_ns[STAMP_BATCHES];
    carbon_options sampled = *options;
    carbon_meter *meter;
    uint64_t sum = 0;

    sampled.sample_interval_s = 0.01;
    meter = carbon_open(&sampled, NULL);
    if (!meter)
        abort();
    for (int batch = 0; batch < STAMP_BATCHES; batch++) {
        uint64_t begun_ns = now_ns();
        for (int i = 0; i < STAMPS; i++)
            sum += now_ns();
        bare_ns[batch] = (double)(now_ns() - begun_ns) / STAMPS;
        begun_ns = now_ns();
        for (int i = 0; i < STAMPS; i++)
            sum += carbon_stamp();
        stamp_ns[batch] = (double)(now_ns() - begun_ns) / STAMPS;
    }
    carbon_close(meter);
    if (!sum)
        abort();
    const double bare = bare_median(bare_ns, STAMP_BATCHES), stamp = bare_median(stamp_ns, STAMP_BATCHES);
    printf("clock_gettime                         %7.1f ns\n", bare);
    printf("a stamp, its energy joined later      %7.1f ns (target < 200)\n", stamp);
    printf("  stamp / clock_gettime                             %6.3f\n", stamp / bare);
}

static double batch_us(uint64_t begun_ns)
{
    return (double)(now_ns() - begun_ns) / 1e3 / BATCH;
}

static void measure(carbon_meter *meter, const struct bare_files *files)
{
    static double bare_us[BATCHES], mark_us[BATCHES], piece_us[BATCHES];
    const carbon_mark start = carbon_now(meter);
    carbon_mark end = start;
    uint64_t begun_ns;

    for (int batch = 0; batch < BATCHES; batch++) {
        begun_ns = now_ns();
        for (int i = 0; i < BATCH; i++)
            bare_files_read(files);
        bare_us[batch] = batch_us(begun_ns);
        begun_ns = now_ns();
        for (int i = 0; i < BATCH; i++)
            end = carbon_now(meter);
        mark_us[batch] = batch_us(begun_ns);
        begun_ns = now_ns();
        for (int i = 0; i < BATCH; i++)
            if (!(carbon_between(meter, start, end).seconds > 0))
                abort();
        piece_us[batch] = batch_us(begun_ns);
    }
    const double bare = bare_median(bare_us, BATCHES), mark = bare_median(mark_us, BATCHES);
    printf("%zu preads                              %7.2f us\n", files->count, bare);
    printf("a mark of a million                   %7.2f us\n", mark);
    printf("  beyond the preads                               %7.2f us (target < 2)\n", mark - bare);
    printf("  mark / preads                                     %6.3f\n", mark / bare);
    printf("a piece worked out of two marks       %7.2f us\n", bare_median(piece_us, BATCHES));
}

int main(int argc, char **argv)
{
    struct bare_files files = { .count = 0 };
    carbon_options options = { .kgco2eq_per_kwh = 0.4, .source = "powercap" };
    carbon_error error;
    carbon_meter *meter;

    if (argc != 2)
        return fprintf(stderr, "usage: piece TREE\n"), 2;
    options.root = argv[1];
    meter = carbon_open(&options, &error);
    if (!meter)
        return fprintf(stderr, "piece: %s: %s\n", error.what, error.why), 1;
    open_files(&files, argv[1]);
    measure(meter, &files);
    carbon_close(meter);
    measure_stamps(&options);
    return 0;
}
