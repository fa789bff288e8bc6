/* SPDX-License-Identifier: MIT
 * Random series with resets, sleeps, counters that vanish, fail, freeze, jump and say nothing, and sensors of power
 * that fail, tell nothing and tell too much: what is told never exceeds the truth, and what is missing is said, in
 * windows, in phases and in live power. */
#include "measurement/measurement.h"
#include "unit.h"

#include "base/units.h"
#include "chance.h"
#include "energy/gauge.h"
#include "energy/power_bounds.h"
#include "measurement/phases.h"
#include "measurement/power.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = 200, SAMPLES = 120, MARK_EACH = 9, MARKS = SAMPLES / MARK_EACH };
#define RANGE_UJ UINT64_C(262143328850)
#define MS UINT64_C(1000000)
#define MAX_W 1200.0 /* no domain here draws more than a quarter of it */

/* A freeze is told once it has lasted so long, and then from its beginning. */
#define BACKDATED_NS (3 * NS_PER_S_INT)

enum harm {
    HARM_RESET = 1,
    HARM_SLEEP = 2,
    HARM_VANISH = 4,
    HARM_FAIL = 8,
    HARM_FREEZE = 16,
    HARM_JUMP = 32,
    HARM_ZERO = 64,
    HARM_SPIKE = 128,
    OF_COUNTERS = HARM_RESET | HARM_SLEEP | HARM_VANISH | HARM_FAIL | HARM_FREEZE | HARM_JUMP | HARM_ZERO | HARM_SPIKE,
    OF_SENSORS = HARM_SLEEP | HARM_FAIL | HARM_ZERO | HARM_SPIKE,
};

/* One domain under a power that changes, what happens to it, and a neighbour to which nothing does. */
struct world {
    struct chance chance;
    enum harm harms;
    double each; /* how probable each is, at every step */
    struct domain domain, beside;
    struct meter meter;
    struct gauge gauge;
    double truth_uj, power_w, read_w;
    uint64_t now_ns, counter_uj, neighbour_uj, read_ns;
    bool gone, restarted, slept, failing, frozen;
    bool faulty, faulty_before; /* a fault since the last reading, and before that */
    uint64_t planted_ns;        /* intervals with a fault, and each next one */
};

/* A moment: what the meter says, and what is true. */
struct moment {
    struct sample sample;
    double truth_uj;
    uint64_t planted_ns;
};

static struct moment moments[SAMPLES];

static bool happens(struct world *world, double probability)
{
    return chance_uniform(&world->chance) < probability;
}

static bool strikes(struct world *world, enum harm harm)
{
    return world->harms & harm && happens(world, world->each);
}

static bool is_sensor(const struct world *world)
{
    return world->domain.poll_ns > 0;
}

static void pass(struct world *world, uint64_t ns)
{
    const double used_uj = world->power_w * (double)ns / 1e3;

    world->now_ns += ns;
    world->neighbour_uj += ns / 100;
    if (is_sensor(world)) /* its truth is told by the powers at each reading: it changes evenly in between */
        return;
    world->truth_uj += used_uj;
    if (!world->frozen)
        world->counter_uj = (world->counter_uj + (uint64_t)used_uj) % RANGE_UJ;
}

static void do_harm(struct world *world)
{
    world->faulty |= world->frozen;
    if (strikes(world, HARM_RESET)) {
        world->counter_uj = 0;
        world->faulty = true;
    }
    if (strikes(world, HARM_SLEEP)) {
        world->truth_uj += 30e6; /* used asleep */
        world->slept = world->faulty = true;
    }
    if (world->gone ? happens(world, 0.4) : strikes(world, HARM_VANISH)) {
        world->gone = !world->gone;
        world->restarted = world->faulty = true;
        world->counter_uj = 1000 * UINT64_C(1000000);
    }
    if (world->frozen ? happens(world, 0.05) : strikes(world, HARM_FREEZE))
        world->frozen = !world->frozen;
    world->failing = world->failing ? !happens(world, 0.4) : strikes(world, HARM_FAIL);
    if (strikes(world, HARM_JUMP)) {
        world->counter_uj = (world->counter_uj + UINT64_C(100000000000)) % RANGE_UJ;
        world->faulty = true;
    }
    world->faulty |= world->frozen || world->failing || world->gone;
}

/* What the domain says, right or wrong. */
static struct reading say(struct world *world)
{
    struct reading reading = { .error = world->gone      ? ENODEV
                                        : world->failing ? EIO
                                                         : 0,
                               .restarted = world->restarted };
    double told_w;
    bool lies = false;

    if (!is_sensor(world)) {
        reading.energy_uj = world->counter_uj;
        if ((lies = strikes(world, HARM_ZERO)))
            reading.energy_uj = 0;
        else if ((lies = strikes(world, HARM_SPIKE)))
            reading.energy_uj += UINT64_C(90000000000);
        world->faulty |= lies && !reading.error;
        return reading;
    }
    world->truth_uj += (world->read_w + world->power_w) / 2 * (double)(world->now_ns - world->read_ns) / 1e3;
    world->read_w = told_w = world->power_w;
    if ((lies = strikes(world, HARM_ZERO)))
        told_w = 0;
    else if ((lies = strikes(world, HARM_SPIKE)))
        told_w = happens(world, 0.5) ? 65535 : MAX_W + 1;
    world->faulty |= lies;
    gauge_take(&world->gauge, world->now_ns, !bounds_can_be_power(told_w) ? ERANGE : reading.error, told_w * UJ_PER_J,
               &reading);
    return reading;
}

/* Near a fault: from the reading before it to the one after the next. */
static void note_planted(struct world *world, bool taken)
{
    if (world->faulty || world->faulty_before)
        world->planted_ns += world->now_ns - world->read_ns;
    world->faulty_before = world->faulty;
    world->faulty = !taken;
    world->read_ns = world->now_ns;
}

static struct moment read_at(struct world *world)
{
    struct meter_domain *state = &world->meter.domains[0];
    const struct reading reading = say(world), beside = { .energy_uj = world->neighbour_uj };
    struct moment moment = { .truth_uj = world->truth_uj };
    const bool taken = meter_domain_take(state, &reading, world->now_ns, world->slept && !reading.error);

    meter_domain_take(&world->meter.domains[1], &beside, world->now_ns, false);
    moment.sample = (struct sample){ .time_ns = world->now_ns, .boottime_ns = world->now_ns };
    moment.sample.read[0] = taken;
    if (!taken && state->started && happens(world, 0.5)) { /* a window ends here, as it happens */
        meter_domain_cut(state, world->now_ns);
        moment.sample.cut[0] = 1;
    }
    meter_judge_stillness(&world->meter, world->now_ns);
    note_planted(world, taken);
    if (taken)
        world->restarted = world->slept = false;
    moment.planted_ns = world->planted_ns;
    moment.sample.energy_uj[0] = state->total_uj;
    moment.sample.unknown_ns[0] = state->unknown_ns;
    moment.sample.hole[0] = (uint8_t)state->hole;
    return moment;
}

/* Far from the counter's end: that a reset there looks like a wrap no reading can tell. */
static void simulate(uint64_t seed, bool sensor, enum harm harms, double each)
{
    static const struct root nowhere = { .fd = -1 };
    static const struct machine machine = { .packages = 1 };
    struct world world = { .chance = chance_of(seed),
                           .harms = harms,
                           .each = each,
                           .gauge = GAUGE_NONE,
                           .now_ns = 1,
                           .read_ns = 1,
                           .counter_uj = 5000 * UINT64_C(1000000) };

    world.domain = (struct domain){ .component = COMPONENT_PACKAGE, .max_w = MAX_W, .resolution_uj = 61 };
    world.domain.wraps_at_uj = sensor ? 0 : RANGE_UJ;
    world.domain.poll_ns = sensor ? NS_PER_S_INT / 10 : 0;
    world.beside = (struct domain){ .component = COMPONENT_PACKAGE, .package = 1 };
    world.meter = (struct meter){ .root = &nowhere, .machine = &machine, .domain_count = 2 };
    world.meter.domains[0].domain = &world.domain;
    world.meter.domains[1].domain = &world.beside;
    for (size_t i = 0; i < SAMPLES; i++) {
        const uint64_t steps = 1 + chance_word(&world.chance) % 5;
        world.power_w = 1 + 299 * chance_uniform(&world.chance);
        moments[i] = read_at(&world);
        for (uint64_t step = 0; step < steps; step++) {
            if (!sensor)
                world.power_w = 1 + 299 * chance_uniform(&world.chance);
            pass(&world, (1 + chance_word(&world.chance) % 200) * MS);
            do_harm(&world);
        }
    }
}

/* What was planted in the window, and shortly before where a freeze may have begun. */
static uint64_t planted_ns(size_t start, size_t end)
{
    const uint64_t since_ns = moments[start].sample.time_ns;
    size_t first = start;

    while (first > 0 && since_ns - moments[first].sample.time_ns < BACKDATED_NS)
        first--;
    return moments[end].planted_ns - moments[first].planted_ns;
}

static void check_window(size_t start, size_t end, uint64_t seed)
{
    const struct window window = window_between(&moments[start].sample, &moments[end].sample);
    const double truth_uj = moments[end].truth_uj - moments[start].truth_uj;

    if (!window.known[0])
        return;
    ck_assert_msg((double)window.energy_uj[0] <= truth_uj + SAMPLES * 5,
                  "seed %" PRIu64 ", %zu to %zu: more than the truth", seed, start, end);
    ck_assert_uint_eq(window_known_ns(&window, 0) + window.unknown_ns[0], window.duration_ns);
    /* a counter that was reset and has counted beyond where it was is not told from one that was not */
    ck_assert_msg(window.unknown_ns[0] <= planted_ns(start, end),
                  "seed %" PRIu64 ", %zu to %zu: called unknown though known", seed, start, end);
    ck_assert(window.unknown_ns[0] ? window.hole[0] != HOLE_NONE : window.hole[0] == HOLE_NONE);
    if (!planted_ns(start, end))
        ck_assert_double_eq_tol((double)window.energy_uj[0], truth_uj, SAMPLES * 5);
}

static void check_series(uint64_t count, bool sensor, enum harm harm, double each)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        simulate(seed, sensor, harm, each);
        for (size_t start = 0; start < SAMPLES; start += 7)
            for (size_t end = start + 1; end < SAMPLES; end += 5)
                check_window(start, end, seed);
    }
}

START_TEST(never_more_than_the_truth)
{
    check_series(SERIES, false, OF_COUNTERS, 0.02);
}
END_TEST

START_TEST(each_harm_alone)
{
    for (unsigned harm = HARM_RESET; harm <= HARM_SPIKE; harm *= 2)
        check_series(SERIES / 4, false, (enum harm)harm, 0.03);
}
END_TEST

START_TEST(a_sensor_tells_no_more_either)
{
    check_series(SERIES, true, OF_SENSORS, 0.02);
}
END_TEST

START_TEST(nothing_is_missing_where_nothing_was_planted)
{
    for (uint64_t seed = 1; seed <= SERIES; seed++)
        for (int sensor = 0; sensor < 2; sensor++) {
            simulate(seed, sensor, OF_COUNTERS, 0);
            for (size_t end = 1; end < SAMPLES; end++) {
                ck_assert_uint_eq(moments[end].sample.unknown_ns[0], 0);
                check_window(0, end, seed);
            }
        }
}
END_TEST

/* Live power of the same series, up to a moment at which it was read: the view, and what the exporter tells of watts.
 */
static void check_power(uint64_t seed)
{
    static const struct domain domain = { .component = COMPONENT_PACKAGE, .quality = QUALITY_MEASURED };
    struct meter meter = { .domain_count = 1, .domains = { { .domain = &domain } } };
    struct power power;
    struct power_update update;
    const struct power_domain *of = &power.domains[0];

    power_begin(&power, &meter, &moments[0].sample);
    for (size_t i = 1; i < SAMPLES; i++) {
        const uint64_t elapsed_ns = moments[i].sample.time_ns - moments[0].sample.time_ns;
        power_take(&power, &moments[i].sample);
        ck_assert_uint_eq(of->covered_ns + of->unknown_ns + of->pending_ns, elapsed_ns);
        if (i % 3)
            continue;
        power_update(&power, &update);
        ck_assert_msg((double)of->energy_uj <= moments[i].truth_uj - moments[0].truth_uj + SAMPLES * 5,
                      "seed %" PRIu64 ": more than the truth", seed);
        ck_assert_msg(of->unknown_ns <= moments[i].planted_ns - moments[0].planted_ns,
                      "seed %" PRIu64 ": called unknown though known", seed);
        ck_assert(update.domains[0].unknown_s > 0 ? of->hole != HOLE_NONE : of->hole == HOLE_NONE);
        ck_assert_msg(isnan(update.domains[0].w) || update.domains[0].w <= 301, "seed %" PRIu64 ": %f W", seed,
                      update.domains[0].w);
    }
}

/* Marks at some of the moments divide the series: the phases have all the energy and all that is unknown, each its own.
 */
static void check_phases(uint64_t seed)
{
    struct phase_book *book = malloc(sizeof *book);
    const struct window whole = window_between(&moments[0].sample, &moments[SAMPLES - 1].sample);
    struct phase sum = { .times = 0 };

    ck_assert_ptr_nonnull(book);
    phase_book_open(book, &moments[0].sample);
    for (size_t mark = 1; mark < MARKS; mark++) {
        char name[8];
        snprintf(name, sizeof name, "%zu", mark);
        phase_book_mark(book, MARK_WRITTEN, name, &moments[mark * MARK_EACH].sample);
    }
    phase_book_close(book, &moments[SAMPLES - 1].sample);
    for (size_t i = 0; i < book->phases.count; i++) {
        const struct phase *phase = &book->items[i];
        const struct moment *start = &moments[i * MARK_EACH];
        const struct moment *end = &moments[i + 1 < MARKS ? (i + 1) * MARK_EACH : SAMPLES - 1];
        sum.energy_uj[0] += phase->energy_uj[0];
        sum.unknown_ns[0] += phase->unknown_ns[0];
        if (!phase->known[0])
            continue;
        ck_assert_msg((double)phase->energy_uj[0] <= end->truth_uj - start->truth_uj + SAMPLES * 5,
                      "seed %" PRIu64 ": phase %zu has more than the truth", seed, i);
        ck_assert_uint_le(phase->unknown_ns[0], end->planted_ns - start->planted_ns);
        ck_assert(phase->unknown_ns[0] ? phase->hole[0] != HOLE_NONE : phase->hole[0] == HOLE_NONE);
    }
    ck_assert_uint_eq(sum.energy_uj[0], whole.energy_uj[0]);
    ck_assert_uint_eq(sum.unknown_ns[0], whole.unknown_ns[0]);
    free(book);
}

START_TEST(phases_and_live_power_by_the_same_rule)
{
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        simulate(seed, false, OF_COUNTERS & ~HARM_FREEZE, 0.02);
        check_power(seed);
        check_phases(seed);
    }
}
END_TEST

UNIT_SUITE("holes", never_more_than_the_truth, each_harm_alone, a_sensor_tells_no_more_either,
           nothing_is_missing_where_nothing_was_planted, phases_and_live_power_by_the_same_rule)
