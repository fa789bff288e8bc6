/* SPDX-License-Identifier: MIT
 * What one sample costs beside a bare pread of the same files, what sampling costs at 10 Hz and at
 * 1 kHz beside a bare loop that sleeps and reads, and the resident memory after a million samples.
 *
 *     sample TREE SECONDS */
#include "bare.h"

#include "base/clock.h"
#include "base/units.h"
#include "meter/meter.h"
#include "result/samples.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 200, BATCHES = 501 };

/* The files that the meter reads, opened once more. */
static void open_files(struct bare_files *files, const struct meter *meter, const struct root *root)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        char path[512];
        if (meter->domains[i].domain->problem.kind != ERROR_NONE)
            continue;
        snprintf(path, sizeof path, "%s/energy_uj", meter->domains[i].domain->path);
        bare_files_add(files, openat(root->fd, path, O_RDONLY | O_CLOEXEC));
    }
}

/* Batches of both take turns; medians per sample. */
static void compare_reads(struct meter *meter, const struct bare_files *files)
{
    static double bare_us[BATCHES], sample_us[BATCHES];
    struct sample sample;

    for (int batch = 0; batch < BATCHES; batch++) {
        const uint64_t begun_ns = clock_monotonic_ns();
        for (int i = 0; i < BATCH; i++)
            bare_files_read(files);
        const uint64_t between_ns = clock_monotonic_ns();
        for (int i = 0; i < BATCH; i++)
            meter_sample(meter, &sample);
        bare_us[batch] = (double)(between_ns - begun_ns) / 1e3 / BATCH;
        sample_us[batch] = (double)(clock_monotonic_ns() - between_ns) / 1e3 / BATCH;
    }
    const double bare = bare_median(bare_us, BATCHES), sampled = bare_median(sample_us, BATCHES);
    printf("%zu preads                              %7.2f us\n", files->count, bare);
    printf("one sample of the same domains        %7.2f us\n", sampled);
    printf("  sample / bare preads                              %6.3f   (target <= 1.3)\n", sampled / bare);
}

static double cpu_s(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / NS_PER_S;
}

/* CPU seconds of a bare loop that sleeps and reads, in percent of one core. */
static double bare_loop_percent(const struct bare_files *files, double interval_s, double seconds)
{
    const double begun_s = cpu_s();
    const long rounds = (long)(seconds / interval_s);
    uint64_t next_ns = clock_monotonic_ns();

    for (long i = 0; i < rounds; i++) {
        next_ns += (uint64_t)(interval_s * NS_PER_S);
        const struct timespec until = { .tv_sec = (time_t)(next_ns / NS_PER_S_INT),
                                        .tv_nsec = (long)(next_ns % NS_PER_S_INT) };
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        bare_files_read(files);
    }
    return (cpu_s() - begun_s) / seconds * 100;
}

static long resident_kib(void)
{
    char line[128];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");

    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib;
}

/* The series goes where it costs nothing, so that memory is carbon's own. */
static bool million_samples(struct meter *meter, struct error *err)
{
    const struct workload_place place = { .phase = PHASE_RUN, .number = 1 };
    struct output output;
    struct sample sample;
    long before_kib;
    uint64_t begun_ns;

    if (!output_open(&output, "/dev/null", err) || !samples_header(&output, meter, err))
        return false;
    meter_sample(meter, &sample);
    if (!samples_line(&output, meter, sample.time_ns, clock_realtime_ns(), &place, &sample, err))
        return false;
    before_kib = resident_kib();
    begun_ns = clock_monotonic_ns();
    for (int i = 0; i < 1000000; i++) {
        meter_sample(meter, &sample);
        if (!samples_line(&output, meter, begun_ns, 0, &place, &sample, err))
            return false;
    }
    printf("resident memory before a million samples %.2f MB, after %.2f MB (%.1f us a sample with its line)\n",
           (double)before_kib * 1024 / 1e6, (double)resident_kib() * 1024 / 1e6,
           (double)(clock_monotonic_ns() - begun_ns) / 1e9);
    return output_finish(&output, err);
}

static bool run(const char *tree, double seconds, struct error *err)
{
    static struct machine machine;
    static struct meter meter;
    static struct bare_files files;
    const struct meter_options options = { .only = "powercap", .measured_only = true };
    struct root root;

    if (!root_open(&root, tree, err))
        return false;
    machine_read(&machine, &root);
    if (!meter_open(&meter, &root, &machine, &options, err))
        return false;
    open_files(&files, &meter, &root);
    if (strcmp(getenv("BENCH_LOOP") ? getenv("BENCH_LOOP") : "", "") != 0) {
        const double interval_s = atof(getenv("BENCH_LOOP"));
        printf("%.4f\n", bare_loop_percent(&files, interval_s, seconds));
        return true;
    }
    compare_reads(&meter, &files);
    return million_samples(&meter, err);
}

int main(int argc, char **argv)
{
    struct error err;

    if (argc != 3)
        return fprintf(stderr, "usage: sample TREE SECONDS\n"), 2;
    if (run(argv[1], atof(argv[2]), &err))
        return 0;
    fprintf(stderr, "sample: %s: %s\n", err.what, err.why);
    return 1;
}
