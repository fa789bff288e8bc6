/* SPDX-License-Identifier: MIT
 * Counters that wrap, jump and stand still; recorded traces give their expected energy. */
#include "unit.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "chance.h"
#include "energy/bounds.h"
#include "energy/perf_count.h"
#include "meter/meter.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS UINT64_C(1000000)
#define RANGE_UJ UINT64_C(262143328850) /* max_energy_range_uj at 2^-14 J */
#define MODULUS_UJ (RANGE_UJ + 61)
#define SMALL_MODULUS_UJ (UINT64_C(65532610987) + 15)

/* Of a counter that is refreshed every millisecond. */
static struct counter_step step_of(uint64_t before_uj, uint64_t after_uj, uint64_t wraps_at_uj, uint64_t elapsed_ns)
{
    const struct domain counter = {
        .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = wraps_at_uj, .update_ns = NS_PER_MS
    };

    return counter_step(&counter, before_uj, after_uj, elapsed_ns);
}

START_TEST(forward_is_the_difference)
{
    const struct counter_step step = step_of(1000, 1500, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_FORWARD);
    ck_assert_uint_eq(step.uj, 500);
    ck_assert(!step.ambiguous);
}
END_TEST

/* What stands still goes forward by nothing; what is at its end or beyond it has begun anew. */
START_TEST(bounds_of_a_step)
{
    ck_assert_int_eq(step_of(1000, 1000, MODULUS_UJ, NS_PER_S_INT).kind, STEP_FORWARD);
    ck_assert_int_eq(step_of(MODULUS_UJ, 5, MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
    ck_assert_int_eq(step_of(MODULUS_UJ - 1, 5, MODULUS_UJ, NS_PER_S_INT).kind, STEP_WRAP);
    ck_assert_uint_eq(step_of(MODULUS_UJ - 1, 5, MODULUS_UJ, NS_PER_S_INT).uj, 6);
    /* 2 kW for a second, and a refresh of a millisecond before it, are 2,002 J */
    ck_assert(!step_of(0, 1000, 2002000000, NS_PER_S_INT).ambiguous);
    ck_assert(step_of(0, 1000, 2001999999, NS_PER_S_INT).ambiguous);
}
END_TEST

/* A sum is no more than it can hold. */
START_TEST(a_total_does_not_overflow)
{
    const struct domain domain = { .name = "x" };
    struct meter_domain state = { .domain = &domain, .total_uj = UINT64_MAX - 5 };

    meter_domain_take(&state, &(struct reading){ .energy_uj = 10 }, 0, false);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 15 }, NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, UINT64_MAX);
    ck_assert_uint_eq(state.resets, 0);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 16 }, 2 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, UINT64_MAX);
    ck_assert_uint_eq(state.resets, 1);
}
END_TEST

START_TEST(wrap_adds_one_modulus)
{
    const struct counter_step step = step_of(RANGE_UJ - 10, 5, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_WRAP);
    ck_assert_uint_eq(step.uj, 10 + 61 + 5);
}
END_TEST

START_TEST(backward_step_beyond_any_power_is_a_reset)
{
    const struct counter_step step = step_of(26792000000, 9000000, MODULUS_UJ, NS_PER_S_INT);

    ck_assert_int_eq(step.kind, STEP_RESET);
    ck_assert_uint_eq(step.uj, 0);
}
END_TEST

START_TEST(backward_step_without_a_known_range_is_a_reset)
{
    ck_assert_int_eq(step_of(RANGE_UJ - 10, 5, 0, NS_PER_S_INT).kind, STEP_RESET);
}
END_TEST

START_TEST(crossed_reads_are_jitter)
{
    ck_assert_int_eq(step_of(1000569, 1000000, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_JITTER);
    /* 2 kW are the most that a second and the millisecond of the refresh before it may have gained: 2002 J */
    ck_assert_int_eq(step_of(63530611002, 0, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_WRAP);
    ck_assert_int_eq(step_of(63530611002, 1, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
    /* a joule is, a microjoule more is not */
    ck_assert_int_eq(step_of(5000000, 4000000, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_JITTER);
    ck_assert_int_eq(step_of(5000000, 3999999, SMALL_MODULUS_UJ, NS_PER_S_INT).kind, STEP_RESET);
}
END_TEST

/* 300 W in reads of 0.1 ms: the counter stands still for nine of ten, and the tenth has a whole millisecond's 0.3 J. */
START_TEST(a_refresh_in_a_short_interval_is_a_wrap)
{
    const struct domain slow = { .component = COMPONENT_PACKAGE,
                                 .wraps_at_uj = MODULUS_UJ,
                                 .update_ns = 100 * NS_PER_MS };

    ck_assert_int_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_uint_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, NS_PER_MS / 10).uj, 300000);
    ck_assert_int_eq(step_of(MODULUS_UJ - 100000, 200000, MODULUS_UJ, 0).kind, STEP_WRAP);
    /* 2 kW for 1.1 ms are 2.2 J */
    ck_assert_int_eq(step_of(MODULUS_UJ - 2200000, 0, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_int_eq(step_of(MODULUS_UJ - 2200000, 1, MODULUS_UJ, NS_PER_MS / 10).kind, STEP_RESET);
    /* as slow as it says to be: 2 kW for 100.1 ms */
    ck_assert_int_eq(counter_step(&slow, MODULUS_UJ - 200200000, 0, NS_PER_MS / 10).kind, STEP_WRAP);
    ck_assert_int_eq(counter_step(&slow, MODULUS_UJ - 200200000, 1, NS_PER_MS / 10).kind, STEP_RESET);
}
END_TEST

/* What a counter shows at that moment: the energy up to its last refresh. */
static uint64_t refreshed_uj(double power_w, uint64_t time_ns, uint64_t update_ns)
{
    return (uint64_t)(power_w * (double)(time_ns - time_ns % update_ns) / 1e3);
}

/* Whatever the interval, the refresh, the power and where the counter stands: no wrap is missed, none is made up, none
 * is called a reset, and the total is what the counter has counted. */
START_TEST(wraps_are_wraps_at_every_interval)
{
    static const uint64_t updates_ns[] = { 0, NS_PER_MS, 2 * NS_PER_MS, 20 * NS_PER_MS, 100 * NS_PER_MS, NS_PER_S_INT };
    static const uint64_t moduli_uj[] = { MODULUS_UJ, SMALL_MODULUS_UJ, UINT64_C(1) << 32 };
    struct chance chance = chance_of(1);
    unsigned wraps = 0, short_wraps = 0;

    for (unsigned trial = 0; trial < 20000; trial++) {
        const struct domain counter = { .name = "package-0",
                                        .component = COMPONENT_PACKAGE,
                                        .wraps_at_uj = moduli_uj[chance_word(&chance) % 3],
                                        .update_ns = updates_ns[chance_word(&chance) % 6] };
        const uint64_t update_ns = counter.update_ns ? counter.update_ns : NS_PER_MS;
        /* from 1 to 1999 W; from 1 µs to 1 s; the wrap somewhere in some updates around the first reads */
        const double power_w = pow(1999, chance_uniform(&chance));
        const double most_ns = pow(10, 3 + 6 * chance_uniform(&chance));
        const uint64_t ahead_uj = (uint64_t)(chance_uniform(&chance) * power_w * (most_ns + (double)update_ns) / 1e3);
        const uint64_t begin_uj = counter.wraps_at_uj - ahead_uj - 1;
        uint64_t time_ns = chance_word(&chance) % update_ns;
        const uint64_t first_uj = refreshed_uj(power_w, time_ns, update_ns);
        struct meter_domain state = { .domain = &counter };

        for (unsigned read = 0; read < 8; read++) {
            const uint64_t counted_uj = refreshed_uj(power_w, time_ns, update_ns) - first_uj;
            const struct reading reading = { .energy_uj = (begin_uj + counted_uj) % counter.wraps_at_uj };
            const unsigned before = state.wraps;
            const uint64_t since_ns = time_ns - state.last_time_ns;

            meter_domain_take(&state, &reading, time_ns, false);
            ck_assert_uint_eq(state.resets, 0);
            ck_assert_uint_eq(state.total_uj, counted_uj);
            ck_assert_uint_eq(state.wraps, (begin_uj + counted_uj) / counter.wraps_at_uj);
            short_wraps += read && state.wraps > before && since_ns < update_ns;
            time_ns += 1 + (uint64_t)(chance_uniform(&chance) * most_ns);
        }
        wraps += state.wraps;
    }
    /* the trials were of what they are for */
    ck_assert_uint_gt(wraps, 5000);
    ck_assert_uint_gt(short_wraps, 1000);
}
END_TEST

/* A counter that starts anew farther from its end than any power brings it. */
START_TEST(resets_are_resets_at_every_interval)
{
    struct chance chance = chance_of(2);

    for (unsigned trial = 0; trial < 20000; trial++) {
        const struct domain counter = { .component = COMPONENT_PACKAGE,
                                        .wraps_at_uj = SMALL_MODULUS_UJ,
                                        .update_ns = chance_word(&chance) % NS_PER_S_INT };
        const uint64_t elapsed_ns = (uint64_t)pow(10, 9 * chance_uniform(&chance));
        const double update_ns = counter.update_ns ? (double)counter.update_ns : (double)NS_PER_MS;
        const uint64_t most_uj = (uint64_t)(bounds_class_w(COMPONENT_PACKAGE) * ((double)elapsed_ns + update_ns) / 1e3);
        const uint64_t after_uj = (uint64_t)(chance_uniform(&chance) * 1e6);
        const uint64_t highest_uj = SMALL_MODULUS_UJ - (most_uj > after_uj ? most_uj - after_uj : 0) - 2;
        const uint64_t before_uj = 2000001 + (uint64_t)(chance_uniform(&chance) * (double)(highest_uj - 2000001));
        const struct counter_step step = counter_step(&counter, before_uj, after_uj, elapsed_ns);

        ck_assert_int_eq(step.kind, STEP_RESET);
        ck_assert_uint_eq(step.uj, 0);
    }
}
END_TEST

START_TEST(long_gap_may_hide_a_wrap)
{
    /* 65.5 kJ at 2 kW are 32.8 s */
    ck_assert(!step_of(0, 1000, SMALL_MODULUS_UJ, 32 * NS_PER_S_INT).ambiguous);
    ck_assert(step_of(0, 1000, SMALL_MODULUS_UJ, 33 * NS_PER_S_INT).ambiguous);
    ck_assert(!step_of(0, 1000, 0, 1000 * NS_PER_S_INT).ambiguous);
}
END_TEST

START_TEST(a_counter_is_read_twice_before_it_can_wrap)
{
    const struct domain large = { .component = COMPONENT_PACKAGE, .wraps_at_uj = SMALL_MODULUS_UJ };
    const struct domain small = { .component = COMPONENT_PACKAGE, .wraps_at_uj = 4000000000 };
    const struct domain denied = { .wraps_at_uj = 1000000, .problem.kind = ERROR_DENIED }, endless = { .name = "x" };
    struct meter meter = { .domain_count = 3, .domains = { { .domain = &endless }, { .domain = &denied } } };

    meter.domains[2].domain = &large;
    ck_assert_uint_eq(meter_keep_alive_ns(&meter), 10 * NS_PER_S_INT);
    meter.domains[2].domain = &small; /* 4 kJ at 2 kW are 2 s */
    ck_assert_uint_eq(meter_keep_alive_ns(&meter), NS_PER_S_INT);
}
END_TEST

/* As often as the quickest sensor of power wants; what cannot be read wants nothing. */
START_TEST(sensors_are_polled_as_the_quickest_wants)
{
    struct domain slow[] = { { .poll_ns = 7000 }, { .poll_ns = 5000 } };
    struct domain quick[] = { { .poll_ns = 0 },
                              { .poll_ns = 1000, .problem.kind = ERROR_DENIED },
                              { .poll_ns = 3000 } };
    struct meter meter = { .source_count = 2 };

    ck_assert_uint_eq(meter_poll_ns(&meter), 0);
    meter.sources[0] = (struct energy_source){ .domains = slow, .domain_count = 2 };
    ck_assert_uint_eq(meter_poll_ns(&meter), 5000);
    meter.sources[1] = (struct energy_source){ .domains = quick, .domain_count = 3 };
    ck_assert_uint_eq(meter_poll_ns(&meter), 3000);
}
END_TEST

/* An hour at 700 W through a counter of 65.5 kJ, read every 10 s. */
START_TEST(an_hour_of_wraps_loses_nothing)
{
    const struct domain domain = { .name = "package-0",
                                   .component = COMPONENT_PACKAGE,
                                   .wraps_at_uj = SMALL_MODULUS_UJ };
    struct meter_domain state = { .domain = &domain };
    uint64_t used_uj = 0;

    for (unsigned s = 0; s <= 3600; s += 10) {
        const struct reading reading = { .energy_uj = (123456 + used_uj) % SMALL_MODULUS_UJ };
        meter_domain_take(&state, &reading, s * NS_PER_S_INT, false);
        used_uj += UINT64_C(7000000001); /* in 10 s */
    }
    ck_assert_uint_eq(state.total_uj, 360 * UINT64_C(7000000001));
    ck_assert_uint_eq(state.wraps, 38);
    ck_assert_uint_eq(state.resets + state.missed_reads + state.ambiguous_gaps, 0);
    /* and then not for 33 s, in which 2 kW would have come round */
    meter_domain_take(&state, &(struct reading){ .energy_uj = 1 }, 3633 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.ambiguous_gaps, 1);
    ck_assert_uint_eq(state.total_uj, 360 * UINT64_C(7000000001));
    ck_assert_uint_eq(state.hole_ns[HOLE_FAILED], 33 * NS_PER_S_INT);
    ck_assert_uint_eq(state.holes[HOLE_FAILED], 1);
}
END_TEST

START_TEST(failed_reads_are_not_zero)
{
    const struct domain domain = { .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = MODULUS_UJ };
    struct meter_domain state = { .domain = &domain };

    meter_domain_take(&state, &(struct reading){ .energy_uj = 5000000 }, 0, false);
    meter_domain_take(&state, &(struct reading){ .error = EACCES }, NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 0);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 9000000 }, 2 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 4000000);
    ck_assert_uint_eq(state.missed_reads, 1);
    ck_assert_int_eq(state.last_error, EACCES);
}
END_TEST

START_TEST(a_suspend_is_left_out)
{
    const struct domain domain = { .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = MODULUS_UJ };
    struct meter_domain state = { .domain = &domain };

    meter_domain_take(&state, &(struct reading){ .energy_uj = 5000000 }, NS_PER_S_INT, false);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 8000000 }, 3 * NS_PER_S_INT, true);
    ck_assert_uint_eq(state.total_uj, 0);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 1000 }, 4 * NS_PER_S_INT, true);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 2001000 }, 5 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 2000000);
    ck_assert_uint_eq(state.lost, 2);
    ck_assert_uint_eq(state.lost_ns, 3 * NS_PER_S_INT);
    ck_assert_uint_eq(state.wraps + state.resets, 0);
}
END_TEST

START_TEST(a_counter_found_again_starts_anew)
{
    const struct domain domain = { .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = MODULUS_UJ };
    struct meter_domain state = { .domain = &domain };

    meter_domain_take(&state, &(struct reading){ .energy_uj = 5000000 }, NS_PER_S_INT, false);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 6000000 }, 2 * NS_PER_S_INT, false);
    meter_domain_take(&state, &(struct reading){ .error = ENODEV }, 3 * NS_PER_S_INT, false);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 900, .restarted = true }, 6 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 1000000);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 500900 }, 7 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 1500000);
    ck_assert_uint_eq(state.lost, 1);
    ck_assert_uint_eq(state.lost_ns, 4 * NS_PER_S_INT);
    ck_assert_uint_eq(state.missed_reads, 1);
    ck_assert_uint_eq(state.resets, 0);
}
END_TEST

START_TEST(a_sensor_read_too_seldom_is_told)
{
    const struct domain domain = { .name = "machine", .poll_ns = NS_PER_S_INT };
    struct meter_domain state = { .domain = &domain };

    meter_domain_take(&state, &(struct reading){ .energy_uj = 1 }, NS_PER_S_INT, false);
    ck_assert(!state.moved);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 2 }, 11 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.unwatched_ns, 0);
    ck_assert(state.moved); /* by a microjoule */
    meter_domain_take(&state, &(struct reading){ .energy_uj = 3, .still = true }, 22 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.unwatched_ns, 11 * NS_PER_S_INT);
    ck_assert(state.still);
    meter_domain_take(&state, &(struct reading){ .energy_uj = 4 }, 33 * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.unwatched_ns, 22 * NS_PER_S_INT);
    ck_assert(!state.still);
}
END_TEST

START_TEST(what_is_known_to_be_off_uses_nothing)
{
    const struct domain domain = { .name = "gpu", .poll_ns = NS_PER_S_INT };
    struct meter_domain still = { .domain = &domain }, off = { .domain = &domain };

    for (unsigned s = 1; s < 4; s++) {
        meter_domain_take(&still, &(struct reading){ .energy_uj = 0 }, s * NS_PER_S_INT, false);
        meter_domain_take(&off, &(struct reading){ .energy_uj = 0, .off = true }, s * NS_PER_S_INT, false);
    }
    ck_assert(!still.moved); /* unknown */
    ck_assert(off.moved);    /* 0 */
    ck_assert_uint_eq(off.total_uj, 0);
}
END_TEST

START_TEST(after_jitter_the_higher_value_stands)
{
    const struct domain domain = { .name = "package-0", .component = COMPONENT_PACKAGE, .wraps_at_uj = MODULUS_UJ };
    struct meter_domain state = { .domain = &domain };
    const uint64_t values[] = { 1000000, 2000000, 1999431, 3000000 };

    for (unsigned i = 0; i < 4; i++)
        meter_domain_take(&state, &(struct reading){ .energy_uj = values[i] }, i * NS_PER_S_INT, false);
    ck_assert_uint_eq(state.total_uj, 2000000);
}
END_TEST

/* What one machine of two packages was reported to use, memory last, read through perf events of 2^-32 J. */
START_TEST(reported_joules_add_up)
{
    const double reported_j[] = { 3364.62, 5068.51, 1378.37, 605.982 };
    uint64_t total_uj = 0;

    for (size_t i = 0; i < 4; i++) {
        struct perf_count count = { .uj_per_count = 1e6L / 0x1p32L };
        ck_assert_int_eq(perf_count_add(&count, (uint64_t)(reported_j[i] * 0x1p32)), 0);
        total_uj += count.energy_uj;
    }
    ck_assert_uint_ge(total_uj, UINT64_C(10417481996));
    ck_assert_uint_le(total_uj, UINT64_C(10417482000));
}
END_TEST

/* One recorded trace: every row through the meter's own arithmetic. */
struct replay {
    const char *name; /* of the domain looked at */
    struct domain domain;
    struct meter_domain state;
    int columns[3]; /* t_ns, domain, energy_uj */
};

static bool replay_row(const struct csv_row *row, void *context, struct error *err)
{
    static const char *const names[] = { "t_ns", "domain", "energy_uj" };
    struct replay *replay = context;
    struct reading reading = { .error = 0 };
    uint64_t time_ns;

    (void)err;
    if (row->line == 1) {
        for (int i = 0; i < 3; i++)
            replay->columns[i] = csv_column(row, names[i]);
        return true;
    }
    if (strcmp(row->fields[replay->columns[1]], replay->name) != 0)
        return true;
    ck_assert(text_to_u64(row->fields[replay->columns[0]], &time_ns));
    if (strncmp(row->fields[replay->columns[2]], "E:", 2) == 0)
        reading.error = atoi(row->fields[replay->columns[2]] + 2);
    else
        ck_assert(text_to_u64(row->fields[replay->columns[2]], &reading.energy_uj));
    meter_domain_take(&replay->state, &reading, time_ns, false);
    return true;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static void check_domain(const char *csv, const cJSON *trace, const cJSON *expected)
{
    const cJSON *energy_uj = cJSON_GetObjectItemCaseSensitive(expected, "energy_uj");
    const double range_uj = number_of(expected, "max_energy_range_uj"), wraps = number_of(expected, "wraps");
    const double slack_uj = number_of(trace, "tolerance_uj") + wraps * number_of(trace, "tolerance_uj_per_wrap");
    struct replay replay = { .name = expected->string };
    struct error err;

    replay.domain.component = COMPONENT_PACKAGE;
    replay.domain.most_w = 800; /* in 288 s of one of them no wrap passes unseen */
    replay.domain.wraps_at_uj = (uint64_t)range_uj + (range_uj > 2e11 ? 61 : 15);
    replay.state.domain = &replay.domain;
    ck_assert_msg(csv_read(csv, replay_row, &replay, &err), "%s: %s: %s", csv, err.what, err.why);
    ck_assert_msg(replay.state.started, "%s holds no %s", csv, replay.name);
    ck_assert_msg(replay.state.moved == cJSON_IsNumber(energy_uj), "%s %s: moved", csv, replay.name);
    if (cJSON_IsNumber(energy_uj)) {
        const double off_uj = (double)replay.state.total_uj - energy_uj->valuedouble;
        ck_assert_msg(off_uj <= slack_uj && off_uj >= -slack_uj, "%s %s: %.0f instead of %.0f uJ", csv, replay.name,
                      (double)replay.state.total_uj, energy_uj->valuedouble);
    }
    ck_assert_msg(replay.state.wraps == (unsigned)wraps, "%s %s: %u wraps instead of %.0f", csv, replay.name,
                  replay.state.wraps, wraps);
    if (strstr(csv, "driver-reload-reset"))
        ck_assert_uint_eq(replay.state.resets, 1);
    if (strstr(csv, "eacces-in-the-middle"))
        ck_assert_uint_eq(replay.state.missed_reads, 3);
}

static bool check_trace(const char *folder, const char *file)
{
    const size_t stem = strlen(file) - strlen(".expected.json");
    char path[4096], csv[4096], text[65536];
    const cJSON *domain;
    cJSON *trace;
    size_t length;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(csv, sizeof csv, "%s/%.*s.csv", folder, (int)stem, file);
    AUTO_FCLOSE FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    length = fread(text, 1, sizeof text - 1, in);
    text[length] = '\0';
    trace = cJSON_Parse(text);
    ck_assert_ptr_nonnull(trace);
    cJSON_ArrayForEach(domain, cJSON_GetObjectItemCaseSensitive(trace, "domains")) check_domain(csv, trace, domain);
    cJSON_Delete(trace);
    return true;
}

START_TEST(recorded_traces_give_their_energy)
{
    char folder[4000];
    unsigned traces = 0;
    const struct dirent *entry;

    if (!unit_shared()) {
        puts("SKIPPED: recorded traces are not beside the source tree");
        return;
    }
    snprintf(folder, sizeof folder, "%s/machines/traces", unit_shared());
    AUTO_CLOSEDIR DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)))
        if (strstr(entry->d_name, ".expected.json"))
            traces += check_trace(folder, entry->d_name);
    printf("%u traces\n", traces);
    ck_assert_uint_ge(traces, 15);
}
END_TEST

UNIT_SUITE("counter", forward_is_the_difference, bounds_of_a_step, a_total_does_not_overflow, wrap_adds_one_modulus,
           backward_step_beyond_any_power_is_a_reset, a_suspend_is_left_out, a_counter_found_again_starts_anew,
           a_sensor_read_too_seldom_is_told, what_is_known_to_be_off_uses_nothing,
           backward_step_without_a_known_range_is_a_reset, crossed_reads_are_jitter,
           a_refresh_in_a_short_interval_is_a_wrap, wraps_are_wraps_at_every_interval,
           resets_are_resets_at_every_interval, long_gap_may_hide_a_wrap, a_counter_is_read_twice_before_it_can_wrap,
           an_hour_of_wraps_loses_nothing, failed_reads_are_not_zero, after_jitter_the_higher_value_stands,
           sensors_are_polled_as_the_quickest_wants, reported_joules_add_up, recorded_traces_give_their_energy)
