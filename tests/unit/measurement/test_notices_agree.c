/* SPDX-License-Identifier: MIT
 * Notices of random series: no two that cannot both be true are ever told together. */
#include "measurement/measurement.h"
#include "unit.h"

#include "counter_world.h"
#include "measurement/noise.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SERIES = 3000, DOMAINS = 2, RUNS = 3 };

static struct world worlds[DOMAINS];
static struct meter meter;
static struct counting counting;
static struct window baselines[RUNS + 1];
static struct run runs[RUNS];
static struct measurement measurement;
static struct summary summary;
static struct notices notices;
static double harm_each;
static bool stands_still[DOMAINS], is_constant;

/* Words of two notices; where named, of the same domain. */
static const struct {
    const char *one, *other;
    bool same_domain;
} excluded[] = {
    { "is stuck", "was reset ", true },
    { "is stuck", "went back", true },
    { "is stuck", "used at least", true },
    { "is stuck", "implausible power of", true },
    { "is stuck", "may be frozen", true },
    { "was reset ", "it wrapped, or was reset", true },
    { "below the meter's resolution", "used at least", false },
    { "below the meter's resolution", "the median run", false },
    { "below the meter's resolution", "net energy", false },
    { "the run is shorter than 100 ms", "below the meter's resolution", false },
    { "is known for", "the median run", false },
    { "is known for", "is left out: of", false },
    { "is known for", "net energy", false },
    { "net energy is not measurable", "net energy is negative", false },
    { "is within the baseline noise", "is below the noise", false },
};

static void set_up(uint64_t seed)
{
    static const struct energy_driver driver = { .name = "powercap" };
    static const struct machine machine = { .packages = 1 };
    static const char *const names[DOMAINS] = { "package-0", "dram-0" };

    meter = (struct meter){ .machine = &machine, .domain_count = DOMAINS };
    meter.sources[0].driver = &driver;
    counting = (struct counting){ .is_counted = { true, true }, .counted = DOMAINS, .whole_machine = -1 };
    memset(runs, 0, sizeof runs);
    memset(baselines, 0, sizeof baselines);
    measurement = (struct measurement){ .meter = &meter, .counting = &counting, .baselines = baselines, .runs = runs };
    for (size_t i = 0; i < DOMAINS; i++) {
        struct domain *domain = &worlds[i].domain;
        world_begin(&worlds[i], DOMAINS * seed + i);
        strcpy(domain->name, names[i]);
        domain->update_ns = WORLD_MS;
        domain->package = (int)i; /* whose energies differ says nothing of the other */
        domain->quality = QUALITY_MEASURED;
        domain->max_w = world_chance(&worlds[i], 0.2) ? 150 : 0;
        if (world_chance(&worlds[i], 0.2)) {
            domain->wraps_at_uj = 0;
            domain->wrap_unknown = true;
        }
        if (world_chance(&worlds[i], 0.15)) /* a sensor of power */
            domain->poll_ns = domain->update_ns = 100 * WORLD_MS;
        stands_still[i] = world_chance(&worlds[i], 0.2);
    }
    is_constant = world_chance(&worlds[0], 0.1);
    harm_each = world_chance(&worlds[0], 0.3) ? 0 : 0.1 * chance_uniform(&worlds[0].chance);
}

/* One more window of so many readings. */
static struct window window_of(uint64_t readings, bool long_enough)
{
    struct sample first = { .time_ns = 0 }, sample = first;
    struct window window;

    for (uint64_t reading = 0; reading <= readings; reading++) {
        const uint64_t ns = (long_enough ? 300 : 1 + chance_word(&worlds[0].chance) % 30) * WORLD_MS;
        for (size_t i = 0; i < DOMAINS; i++)
            world_read(&worlds[i], &sample, i);
        if (reading == 0)
            first = sample;
        for (size_t i = 0; i < DOMAINS && reading < readings; i++) {
            worlds[i].power_w = stands_still[i] ? 0 : is_constant ? 100 : 300 * chance_uniform(&worlds[i].chance);
            world_pass(&worlds[i], ns);
            world_harm(&worlds[i], harm_each);
        }
    }
    window = window_between(&first, &sample);
    window.machine_busy_known = true; /* by nobody, but for a run */
    return window;
}

static struct window baseline_of(void)
{
    struct window window = window_of(4, true);

    for (window.part_count = 0; window.part_count < BASELINE_PARTS; window.part_count++)
        window.parts_w[window.part_count] = 300 * chance_uniform(&worlds[0].chance);
    return window;
}

static void measure(uint64_t seed)
{
    set_up(seed);
    const bool brief = world_chance(&worlds[0], 0.05); /* so much so that no counter was refreshed */
    const bool has_baselines = !brief && world_chance(&worlds[0], 0.7);
    const bool long_enough = !brief && world_chance(&worlds[0], 0.8);

    measurement.run_count = 1 + chance_word(&worlds[0].chance) % RUNS;
    for (size_t i = 0; i < DOMAINS; i++)
        stands_still[i] |= brief;
    for (size_t i = 0; i < measurement.run_count; i++) {
        if (has_baselines)
            baselines[measurement.baseline_count++] = baseline_of();
        runs[i] =
            (struct run){ .window = window_of(1 + chance_word(&worlds[0].chance) % 6, long_enough), .ended = true };
        runs[i].usage.cpu_ns = (struct usage_value){ .known = true, .value = runs[i].window.duration_ns };
        runs[i].window.machine_busy_ns = runs[i].window.duration_ns;
    }
    if (has_baselines)
        baselines[measurement.baseline_count++] = baseline_of();
    for (size_t i = 0; i < DOMAINS; i++) {
        meter.domains[i] = worlds[i].state;
        meter.domains[i].still = is_constant && worlds[i].domain.poll_ns;
        meter.domains[i].source = &meter.sources[0];
    }
    measurement_leave_out_holes(&measurement);
    summarize(&measurement, &summary);
    notices_clear(&notices);
    noise_notices(&measurement, &summary, &notices);
}

static bool names_a_domain(const char *what, size_t domain)
{
    return strstr(what, worlds[domain].domain.name) != NULL;
}

static bool are_of_one(const char *one, const char *other)
{
    for (size_t i = 0; i < DOMAINS; i++)
        if (names_a_domain(one, i) && names_a_domain(other, i))
            return true;
    return false;
}

static void check_pair(const char *one, const char *other, uint64_t seed)
{
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++)
        ck_assert_msg(!strstr(one, excluded[i].one) || !strstr(other, excluded[i].other) ||
                          (excluded[i].same_domain && !are_of_one(one, other)),
                      "seed %" PRIu64 ": '%s' and '%s'", seed, one, other);
}

START_TEST(no_notice_contradicts_another)
{
    size_t reported[sizeof excluded / sizeof excluded[0]][2] = { { 0 } };

    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        measure(seed);
        for (size_t i = 0; i < notices.count; i++) {
            for (size_t j = 0; j < notices.count; j++)
                if (i != j)
                    check_pair(notices.item[i].what, notices.item[j].what, seed);
            for (size_t e = 0; e < sizeof excluded / sizeof excluded[0]; e++) {
                reported[e][0] += strstr(notices.item[i].what, excluded[e].one) != NULL;
                reported[e][1] += strstr(notices.item[i].what, excluded[e].other) != NULL;
            }
        }
    }
    /* the series are such that these do come, each by itself */
    for (size_t e = 0; e < sizeof excluded / sizeof excluded[0]; e++)
        ck_assert_msg(reported[e][0] && reported[e][1], "never told: '%s' or '%s'", excluded[e].one, excluded[e].other);
}
END_TEST

/* A run is in the result with a lower bound, or is left out beside one that has none: never both in one command. */
START_TEST(what_is_known_agrees_with_what_is_told)
{
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        bool at_least = false;
        measure(seed);
        for (size_t i = 0; i < notices.count; i++)
            at_least |= strstr(notices.item[i].what, "so that net is unknown") != NULL;
        ck_assert_msg(at_least == summary.at_least, "seed %" PRIu64, seed);
        ck_assert_msg(!summary.at_least || isnan(summary.total.net_j.mean), "seed %" PRIu64, seed);
        ck_assert_msg((summary.unknown_s > 0) == summary.at_least, "seed %" PRIu64, seed);
    }
}
END_TEST

UNIT_SUITE("notices_agree", no_notice_contradicts_another, what_is_known_agrees_with_what_is_told)
