/* SPDX-License-Identifier: MIT
 * The time series: one write a line, constant memory, empty where nothing was read. */
#include "unit.h"

#include "result/samples.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct energy_driver powercap = { .name = "powercap" }, perf = { .name = "perf" };

struct bench {
    struct domain domains[4];
    struct energy_source sources[2];
    struct meter meter;
    struct sample sample;
    struct output output;
};

/* path is written; the file is PATH.partial where it is no device. */
static struct bench *set_up(const char *path)
{
    static const char *const names[] = { "package-0", "dram-0", "psys", "package-0" };
    struct bench *bench = calloc(1, sizeof *bench);
    struct error err;

    ck_assert_ptr_nonnull(bench);
    bench->sources[0].driver = &powercap;
    bench->sources[1].driver = &perf;
    for (size_t i = 0; i < 4; i++) {
        snprintf(bench->domains[i].name, sizeof bench->domains[i].name, "%s", names[i]);
        bench->meter.domains[i] =
            (struct meter_domain){ .domain = &bench->domains[i], .source = &bench->sources[i == 3] };
        bench->sample.energy_uj[i] = i + 1;
        bench->sample.read[i] = 1;
    }
    bench->domains[2].problem.kind = ERROR_DENIED;
    bench->meter.domain_count = 4;
    ck_assert(output_open(&bench->output, path, &err));
    return bench;
}

static const char *some_file(char path[64])
{
    snprintf(path, 64, "/tmp/carbon-samples.%d", (int)getpid());
    return path;
}

static void tear_down(struct bench *bench)
{
    if (!bench->output.in_place)
        ck_assert_int_eq(unlink(bench->output.partial), 0);
    output_keep_partial(&bench->output, NULL, 0);
    free(bench);
}

static const char *content(const struct bench *bench)
{
    static char text[4096];
    FILE *file = fopen(bench->output.partial, "r");

    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* 2026-11-28T01:00:00Z when the monotonic clock said 1000 s */
static bool write_line(struct bench *bench, uint64_t time_ns, enum workload_phase phase, size_t number,
                       struct error *err)
{
    const struct workload_place place = { .phase = phase, .number = number };

    bench->sample.time_ns = time_ns;
    return samples_line(&bench->output, &bench->meter, UINT64_C(1000000000000), UINT64_C(1795827600000000000), &place,
                        &bench->sample, err);
}

START_TEST(each_line_is_in_the_file_at_once)
{
    char path[64];
    struct bench *bench = set_up(some_file(path));
    struct error err;

    ck_assert(samples_header(&bench->output, &bench->meter, &err));
    ck_assert_str_eq(content(bench), "timestamp,time_s,phase,run,package-0_uj,dram-0_uj,perf:package-0_uj,holes\n");
    ck_assert(write_line(bench, UINT64_C(1000000000000), PHASE_BASELINE, 1, &err));
    bench->sample.read[1] = 0;
    bench->sample.cut[1] = 1;
    bench->sample.unknown_ns[1] = 1500000000;
    bench->sample.hole[1] = HOLE_FAILED;
    bench->sample.unknown_ns[2] = bench->sample.unknown_ns[3] = 250000001;
    bench->sample.hole[2] = bench->sample.hole[3] = HOLE_RESET;
    bench->sample.energy_uj[0] = UINT64_MAX;
    ck_assert(write_line(bench, UINT64_C(1001234567891), PHASE_RUN, 12, &err));
    ck_assert_str_eq(content(bench), "timestamp,time_s,phase,run,package-0_uj,dram-0_uj,perf:package-0_uj,holes\n"
                                     "2026-11-28T01:00:00.000Z,0,baseline,1,1,2,4,\n"
                                     "2026-11-28T01:00:01.234Z,1.234567891,run,12,18446744073709551615,2,4,"
                                     "dram-0 failed 1.5 cut; perf:package-0 reset 0.250000001\n");
    tear_down(bench);
}
END_TEST

static long resident_kib(void)
{
    struct rusage usage;

    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

START_TEST(many_lines_take_no_memory)
{
    struct bench *bench = set_up("/dev/null");
    struct error err;
    long before;
    bool good = true;

    ck_assert(samples_header(&bench->output, &bench->meter, &err));
    ck_assert(write_line(bench, UINT64_C(1000100000000), PHASE_RUN, 1, &err));
    before = resident_kib();
    for (uint64_t i = 0; i < 100000 && good; i++)
        good = write_line(bench, UINT64_C(1000100000000) + i * 1234567, PHASE_RUN, 1, NULL);
    ck_assert(good);
    /* 16 bytes a line would be 1.6 MB */
    ck_assert_int_lt(resident_kib() - before, 512);
    tear_down(bench);
}
END_TEST

START_TEST(the_longest_table_has_room)
{
    char path[64];
    struct bench *bench = set_up(some_file(path));
    struct error err;
    struct stat status;
    char header[ENERGY_MAX_DOMAINS * 96];
    FILE *file;
    size_t commas = 0;

    memset(bench->domains[0].name, 'n', sizeof bench->domains[0].name - 1);
    bench->meter.domain_count = ENERGY_MAX_DOMAINS;
    for (size_t i = 0; i < ENERGY_MAX_DOMAINS; i++) {
        bench->meter.domains[i] = bench->meter.domains[0];
        bench->sample.energy_uj[i] = bench->sample.unknown_ns[i] = UINT64_MAX;
        bench->sample.read[i] = bench->sample.cut[i] = 1;
        bench->sample.hole[i] = HOLE_IMPLAUSIBLE;
    }
    ck_assert(samples_header(&bench->output, &bench->meter, &err));
    ck_assert_int_eq(stat(bench->output.partial, &status), 0);
    ck_assert(write_line(bench, UINT64_MAX, PHASE_WARMUP, SIZE_MAX, &err));
    file = fopen(bench->output.partial, "r");
    ck_assert(fgets(header, sizeof header, file) && strlen(header) == (size_t)status.st_size);
    for (int c; (c = fgetc(file)) != '\n';)
        commas += c == ',';
    ck_assert_uint_eq(commas, ENERGY_MAX_DOMAINS + 4);
    ck_assert_int_eq(fgetc(file), EOF);
    fclose(file);
    tear_down(bench);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    struct bench *bench = set_up("/dev/full");
    struct error err;

    ck_assert(!samples_header(&bench->output, &bench->meter, &err));
    ck_assert_str_eq(err.what, "cannot write '/dev/full'");
    ck_assert_str_eq(err.why, "no space left on device");
    ck_assert(!write_line(bench, UINT64_C(1000000000000), PHASE_RUN, 1, &err));
    tear_down(bench);
}
END_TEST

UNIT_SUITE("samples", each_line_is_in_the_file_at_once, many_lines_take_no_memory, the_longest_table_has_room,
           a_full_disk_is_told)
