/* SPDX-License-Identifier: MIT
 * A small finished measurement with round figures: two runs of 10 s, each after a baseline of 5 s. */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "result/report.h"

#include "machine_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIXTURE_S UINT64_C(1000000000)
#define FIXTURE_J UINT64_C(1000000)

enum { FIXTURE_PACKAGE, FIXTURE_DRAM, FIXTURE_CORES, FIXTURE_DENIED, FIXTURE_DOMAINS };

struct fixture {
    struct machine machine;
    struct domain domains[FIXTURE_DOMAINS];
    struct meter meter;
    struct counting counting;
    struct window baselines[2];
    struct run runs[2];
    struct measurement measurement;
    struct report report;
};

static const struct energy_driver fixture_driver = { .name = "powercap", .quality = QUALITY_MEASURED };
static const struct energy_driver fixture_refused = { .name = "perf", .quality = QUALITY_MEASURED };

static inline void fixture_domain(struct fixture *fixture, size_t i, const char *name, enum component component,
                                  const char *reason)
{
    struct domain *domain = &fixture->domains[i];

    *domain = (struct domain){
        .component = component,
        .access = ACCESS_MSR,
        .package = 0,
        .die = -1,
        .quality = QUALITY_MEASURED,
        .wraps_at_uj = UINT64_C(262143328850),
        .resolution_uj = 61,
        .update_ns = 1000000,
        .low_ratio = 1,
        .high_ratio = 1,
    };
    snprintf(domain->name, sizeof domain->name, "%s", name);
    snprintf(domain->path, sizeof domain->path, "sys/class/powercap/intel-rapl:0:%zu", i);
    snprintf(fixture->counting.reason[i], sizeof fixture->counting.reason[i], "%s", reason);
    fixture->meter.domains[i] =
        (struct meter_domain){ .domain = domain, .source = &fixture->meter.sources[0], .started = true, .moved = true };
}

static inline struct window fixture_window(uint64_t at_s, uint64_t duration_s, uint64_t package_j, uint64_t dram_j,
                                           uint64_t cores_j)
{
    struct window window = {
        .start_ns = at_s * FIXTURE_S,
        .realtime_ns = (UINT64_C(1795827600) + at_s) * FIXTURE_S,
        .duration_ns = duration_s * FIXTURE_S,
        .energy_uj = { package_j * FIXTURE_J, dram_j * FIXTURE_J, cores_j * FIXTURE_J },
        .known = { 1, 1, 1, 0 },
        .machine_busy_known = true,
        .machine_busy_ns = duration_s * FIXTURE_S,
    };

    return window;
}

static inline void fixture_run(struct run *run, struct window window)
{
#define BY(name, number) { .known = true, .value = number, .from = name }
    *run = (struct run){
        .window = window, .ended = true, .end = { .exit_status = 0 }, .start_gap_ns = 300000, .end_gap_ns = 100000,
        .usage = {
            .cpu_ns = BY("cgroup", 9900000000), .user_ns = BY("cgroup", 9800000000),
            .system_ns = BY("cgroup", 100000000), .memory_peak_bytes = BY("cgroup", 58720256),
            .read_bytes = BY("cgroup", 1048576), .written_bytes = BY("cgroup", 0),
            .voluntary_switches = BY("rusage", 12), .involuntary_switches = BY("rusage", 3),
            .minor_faults = BY("rusage", 1234), .major_faults = BY("rusage", 0),
        },
    };
#undef BY
}

/* As of something that goes on after its runs, with a network of its own. */
static inline __attribute__((unused)) void fixture_leave(struct fixture *fixture)
{
    for (size_t i = 0; i < 2; i++) {
        struct usage *usage = &fixture->runs[i].usage;
        usage->memory_bytes = (struct usage_value){ true, 41943040, "cgroup1" };
        usage->working_set_bytes = (struct usage_value){ true, 31457280, "cgroup1" };
        usage->received_bytes = (struct usage_value){ true, 7000, "docker stats" };
        usage->sent_bytes = (struct usage_value){ true, 300, "docker stats" };
    }
}

/* The baselines have this power in both their parts, so that net is above its noise. */
static inline __attribute__((unused)) void fixture_be_steady(struct fixture *fixture, double w)
{
    for (size_t i = 0; i < 2; i++) {
        fixture->baselines[i].parts_w[0] = fixture->baselines[i].parts_w[1] = w;
        fixture->baselines[i].part_count = 2;
    }
}

/* package 800 and 820 J over 30 W idle, dram 130 and 134 J over 8 W idle: net 550 and 574 J. */
static inline struct fixture *fixture_new(void)
{
    static char *const command[] = { (char *)"./job", (char *)"--size", (char *)"4", NULL };
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct meter *meter = &fixture->meter;

    ck_assert_ptr_nonnull(fixture);
    fixture->machine = fixture_machine();
    meter->machine = &fixture->machine;
    meter->sources[0].driver = &fixture_driver;
    meter->source_count = 1;
    meter->refusals[0].driver = &fixture_refused;
    error_set(&meter->refusals[0].error, ERROR_DENIED, "kernel.perf_event_paranoid is 2");
    error_fix(&meter->refusals[0].error, "give carbon CAP_PERFMON");
    meter->refusal_count = 1;
    fixture_domain(fixture, FIXTURE_PACKAGE, "package-0", COMPONENT_PACKAGE, "in the total of scope compute");
    fixture_domain(fixture, FIXTURE_DRAM, "dram-0", COMPONENT_MEMORY, "in the total of scope compute");
    fixture_domain(fixture, FIXTURE_CORES, "core-0", COMPONENT_CORES, "inside package-0");
    fixture_domain(fixture, FIXTURE_DENIED, "psys", COMPONENT_PLATFORM, "cannot be read");
    meter->domain_count = FIXTURE_DOMAINS;
    meter->domains[FIXTURE_DENIED].moved = false;
    error_set(&fixture->domains[FIXTURE_DENIED].problem, ERROR_DENIED, "cannot read 'energy_uj'");
    fixture->counting.is_counted[FIXTURE_PACKAGE] = fixture->counting.is_counted[FIXTURE_DRAM] = true;
    fixture->counting.counted = 2;
    fixture->baselines[0] = fixture_window(0, 5, 150, 40, 50);
    fixture_run(&fixture->runs[0], fixture_window(5, 10, 800, 130, 500));
    fixture->baselines[1] = fixture_window(15, 5, 150, 40, 50);
    fixture_run(&fixture->runs[1], fixture_window(20, 10, 820, 134, 510));
    for (size_t i = 0; i < 2; i++)
        fixture->baselines[i].machine_busy_ns = FIXTURE_S / 20; /* an idle machine: a hundredth of a CPU */
    fixture->measurement = (struct measurement){
        .meter = meter,
        .counting = &fixture->counting,
        .baselines = fixture->baselines,
        .baseline_count = 2,
        .runs = fixture->runs,
        .run_count = 2,
    };
    fixture->report = (struct report){
        .id = "2f1c1e9e-5c3b-4f64-9d1f-6f6a3c1b7a55", .started_realtime_ns = UINT64_C(1795827600) * FIXTURE_S,
        .ended_realtime_ns = UINT64_C(1795827630) * FIXTURE_S, .command = command, .complete = true,
        .machine = &fixture->machine, .cpus = "0-1", .cpus_from = "all", .scope = SCOPE_COMPUTE,
        .measurement = &fixture->measurement, .pue = 1.2, .pue_quality = QUALITY_GIVEN,
        .factor = {
            .kgco2eq_per_kwh = 0.044, .quality = QUALITY_GIVEN, .basis = FACTOR_LIFECYCLE, .zone = "FR",
            .zone_name = "France", .year = 2024, .scope = "production", .td_losses = "excluded", .method = "location",
            .gases = "co2eq", .source_id = "ember", .source = "Yearly Electricity Data, Ember", .licence = "CC-BY-4.0",
            .table = "electricity_2024.csv", .td_losses_kgco2eq_per_kwh = NAN, .upstream_kgco2eq_per_kwh = NAN,
        },
        .supplementary = { .market.kgco2eq_per_kwh = NAN, .wue.value = NAN },
        .hours_per_year = 8760, .hours_quality = QUALITY_DEFAULT,
    };
    return fixture;
}

static inline __attribute__((unused)) void fixture_free(struct fixture *fixture)
{
    report_close(&fixture->report);
    notices_clear(&fixture->meter.findings);
    for (size_t i = 0; i < fixture->meter.source_count; i++)
        notices_clear(&fixture->meter.sources[i].notices);
    free(fixture);
}

/* What a form writes; freed by the caller. (Inlined, gcc 12 takes the text for a pointer into this frame.) */
static __attribute__((noinline, unused)) char *fixture_write(const struct fixture *fixture,
                                                             const struct report_format *format)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    struct error err;

    ck_assert_ptr_nonnull(out);
    ck_assert_msg(format->write(&fixture->report, out, &err), "%s", format->name);
    ck_assert_int_eq(fclose(out), 0);
    return data;
}

#endif
