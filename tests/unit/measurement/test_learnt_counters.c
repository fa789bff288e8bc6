/* SPDX-License-Identifier: MIT
 * What is learnt where the processor counts for everybody: synthetic traces of cycles, instructions and cache misses,
 * of jobs whose powers are hidden, go the way of counted ones. The seeds are fixed. */
#include "unit.h"

#include "base/cpu_ticks.h"
#include "base/units.h"
#include "chance.h"
#include "learnt_bench.h"
#include "own/strides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define S NS_PER_S_INT

enum { CPUS = 2, EXPERIMENTS = 400 };

#define IDLE_W 15.0
#define STRIDE_S 0.2
#define BASELINE_S 10.0
#define RUN_S 20.0

/* Thousand millions in each CPU second; and the joules of a thousand millions of each. */
struct work {
    double cycles, instructions, misses;
};
static const struct work hidden_j = { 2.5, 0.8, 150 };

static const struct work computes = { 3, 7.5, 0.0001 }, streams = { 3, 1.2, 0.06 }, job = { 3, 4, 0.012 };

struct lab {
    struct learnt_bench bench;
    struct chance chance;
    double clock_s, busy_s, energy_j, job_j;
    bool there;
    double next_s;
};

static void set_up(struct lab *lab, uint64_t seed)
{
    memset(lab, 0, sizeof *lab);
    learnt_bench_open(&lab->bench, CPUS);
    lab->chance = chance_of(seed);
    lab->clock_s = 100;
}

static double joules_of(const struct work *work, double cpu_s)
{
    return cpu_s * (work->cycles * hidden_j.cycles + work->instructions * hidden_j.instructions +
                    work->misses * hidden_j.misses);
}

static void count(struct stride_counts *counts, const struct work *work, double cpu_s)
{
    counts->cycles += (uint64_t)(1e9 * work->cycles * cpu_s);
    counts->instructions += (uint64_t)(1e9 * work->instructions * cpu_s);
    counts->misses += (uint64_t)(1e9 * work->misses * cpu_s);
}

static uint64_t ticks_ns(double busy_s)
{
    return (uint64_t)(busy_s * NS_PER_S) / tick_ns() * tick_ns();
}

/* A stride: the hog wants both CPUs while it is there (it comes and goes about every second, or never goes), the job
 * one with pauses. A moment of the counter is 1 ms, at the power then. */
static void pass_stride(struct lab *lab, const struct work *hog, bool stays, bool with_job)
{
    const double job_wants = with_job ? (chance_uniform(&lab->chance) < 0.8 ? 1 : 0.2) : 0;
    const double hog_wants = hog && lab->there ? CPUS : 0;
    const double fair = fmin(1, CPUS / fmax(CPUS, job_wants + hog_wants)) * STRIDE_S;
    struct stride stride = { .start_ns = (uint64_t)llround(lab->clock_s * NS_PER_S), .counted = true };
    const uint64_t busy_ns = ticks_ns(lab->busy_s), energy_uj = (uint64_t)(lab->energy_j * UJ_PER_J);
    const double noise_j = 0.001 * 20 * (chance_uniform(&lab->chance) - chance_uniform(&lab->chance));
    uint64_t used_uj;

    if (lab->clock_s >= lab->next_s && !stays) {
        lab->there = !lab->there;
        lab->next_s = lab->clock_s - log(chance_uniform(&lab->chance));
    }
    count(&stride.all, &job, fair * job_wants);
    lab->energy_j += IDLE_W * STRIDE_S + joules_of(&job, fair * job_wants);
    lab->job_j += joules_of(&job, fair * job_wants);
    if (hog_wants > 0) {
        count(&stride.all, hog, fair * hog_wants);
        lab->energy_j += joules_of(hog, fair * hog_wants);
    }
    lab->busy_s += fair * (job_wants + hog_wants);
    lab->clock_s += STRIDE_S;
    stride.duration_ns = (uint64_t)llround(lab->clock_s * NS_PER_S) - stride.start_ns;
    stride.busy_ns = ticks_ns(lab->busy_s) - busy_ns;
    stride.job_ns = (uint64_t)(fair * job_wants * NS_PER_S);
    used_uj = (uint64_t)(lab->energy_j * UJ_PER_J) - energy_uj;
    used_uj = (uint64_t)((double)used_uj + noise_j * UJ_PER_J);
    ck_assert(strides_add(lab->bench.measurement.strides, &stride, &used_uj));
}

/* The window is what its strides come to; what the job used, with what was counted of it. */
static void pass(struct lab *lab, const struct work *hog, bool stays, struct window *window, struct usage *usage)
{
    const size_t first = lab->bench.measurement.strides->count;
    const double duration_s = usage ? RUN_S : BASELINE_S;
    uint64_t cpu_ns = 0;

    for (double passed_s = 0; passed_s < duration_s - STRIDE_S / 2; passed_s += STRIDE_S)
        pass_stride(lab, hog, stays, usage);
    *window = (struct window){ .start_ns = lab->bench.measurement.strides->items[first].start_ns,
                               .known = { 1 },
                               .machine_busy_known = true };
    for (size_t i = first; i < lab->bench.measurement.strides->count; i++) {
        const struct stride *stride = &lab->bench.measurement.strides->items[i];
        window->duration_ns += stride->duration_ns;
        window->machine_busy_ns += stride->busy_ns;
        window->energy_uj[0] += stride_energy_uj(lab->bench.measurement.strides, i)[0];
        cpu_ns += stride->job_ns;
    }
    if (usage) {
        struct stride_counts counts = { 0, 0, 0 };
        count(&counts, &job, s_from_ns(cpu_ns));
        usage->cpu_ns = (struct usage_value){ true, cpu_ns, "cgroup" };
        usage->cycles = (struct usage_value){ true, counts.cycles, "hardware" };
        usage->instructions = (struct usage_value){ true, counts.instructions, "hardware" };
        usage->cache_misses = (struct usage_value){ true, counts.misses, "hardware" };
    }
}

struct reported {
    double error, plain_error;
    bool covered;
    enum own_method method;
};

static struct reported measure(struct lab *lab, const struct work *hog, bool stays)
{
    const struct domain_energy *total = &lab->bench.summary.total;
    double energy_j, job_j, busy_s, plain_j;

    lab->there = stays;
    learnt_bench_begin(&lab->bench, strides_new(1, S / 5));
    pass(lab, hog, stays, &lab->bench.baseline, NULL);
    energy_j = lab->energy_j, job_j = lab->job_j, busy_s = lab->busy_s;
    pass(lab, hog, stays, &lab->bench.run.window, &lab->bench.run.usage);
    summarize(&lab->bench.measurement, &lab->bench.summary);
    strides_free(lab->bench.measurement.strides);
    energy_j = lab->energy_j - energy_j, job_j = lab->job_j - job_j, busy_s = lab->busy_s - busy_s;
    plain_j = (energy_j - IDLE_W * RUN_S) * s_from_ns(lab->bench.run.usage.cpu_ns.value) / busy_s;
    return (struct reported){
        .error = fabs(total->own_j.mean / job_j - 1),
        .plain_error = fabs(plain_j / job_j - 1),
        .covered = total->own_low_j <= job_j && job_j <= total->own_high_j,
        .method = total->own_method,
    };
}

/* The same job beside nobody, one that computes and one that streams: within 5 % each time, where its part of the CPU
 * time is off by up to a third. */
START_TEST(counters_tell_a_job_from_others)
{
    static const struct {
        const char *name;
        const struct work *hog;
        enum own_method method;
        double plain_low, plain_high;
    } cases[] = { { "nobody", NULL, OWN_NET, 0, 0.01 },
                  { "one that computes", &computes, OWN_PROFILE, 0.03, 0.06 },
                  { "one that streams", &streams, OWN_PROFILE, 0.1, 0.5 } };
    static struct lab lab;

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double covered = 0, error = 0, worst = 0, plain = 0;
        set_up(&lab, 9);
        for (int i = 0; i < EXPERIMENTS; i++) {
            const struct reported reported = measure(&lab, cases[c].hog, false);
            ck_assert_str_eq(own_method_name(reported.method), own_method_name(cases[c].method));
            covered += (double)reported.covered / EXPERIMENTS;
            error += reported.error / EXPERIMENTS;
            plain += reported.plain_error / EXPERIMENTS;
            worst = fmax(worst, reported.error);
        }
        printf("beside %s: error %.2f %%, at most %.2f %%, covered %.1f %%, by CPU time %.1f %%\n", cases[c].name,
               100 * error, 100 * worst, 100 * covered, 100 * plain);
        ck_assert_msg(worst < 0.05, "%s: %.4f", cases[c].name, worst);
        ck_assert_msg(plain >= cases[c].plain_low && plain <= cases[c].plain_high, "%s: %.4f", cases[c].name, plain);
        if (cases[c].hog)
            ck_assert_msg(covered >= 0.93, "%s: %.4f", cases[c].name, covered);
    }
}
END_TEST

/* All cycles are somebody's at all times: what idle is of them cannot be told, and with it what the job's are. */
START_TEST(a_machine_that_is_never_idle_is_not_told)
{
    static struct lab lab;

    set_up(&lab, 9);
    for (int i = 0; i < 20; i++)
        ck_assert_int_ne(measure(&lab, &computes, true).method, OWN_PROFILE);
}
END_TEST

UNIT_SUITE("learnt_counters", counters_tell_a_job_from_others, a_machine_that_is_never_idle_is_not_told)
