/* SPDX-License-Identifier: MIT
 * Live power from samples, against figures worked out by hand; and drawing it over itself. */
#include "noticed.h"
#include "unit.h"

#include "base/auto.h"
#include "base/units.h"
#include "commands/sources/watch.h"

#include <math.h>
#include <string.h>

#define S NS_PER_S_INT
#define J UINT64_C(1000000)

enum { PACKAGE, UNCORE, MEMORY, DOMAINS };

/* A package and its dram are counted, the graphics are not. */
struct bench {
    struct domain domains[DOMAINS];
    struct meter meter;
    struct counting counting;
    struct power power;
    struct power_update update;
    struct power_figures total;
    struct sample sample;
};

/* Large, so one for all tests (each runs in a process of its own). */
static struct bench b;

static void begin(void)
{
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_UNCORE, COMPONENT_MEMORY };

    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < DOMAINS; i++) {
        b.domains[i] = (struct domain){ .component = components[i], .quality = QUALITY_MEASURED, .update_ns = 1000000 };
        strcpy(b.domains[i].name, component_name(components[i]));
        b.meter.domains[i] = (struct meter_domain){ .domain = &b.domains[i], .started = true };
        b.sample.read[i] = 1;
    }
    b.meter.domain_count = DOMAINS;
    b.counting.is_counted[PACKAGE] = b.counting.is_counted[MEMORY] = true;
    b.counting.counted = 2;
    b.sample.time_ns = 100 * S;
    b.sample.boottime_ns = 500 * S;
    power_begin(&b.power, &b.meter, &b.sample);
}

static void take(double after_s, uint64_t package_j, uint64_t uncore_j, uint64_t memory_j)
{
    b.sample.time_ns += (uint64_t)(after_s * NS_PER_S);
    b.sample.boottime_ns += (uint64_t)(after_s * NS_PER_S);
    b.sample.energy_uj[PACKAGE] += package_j * J;
    b.sample.energy_uj[UNCORE] += uncore_j * J;
    b.sample.energy_uj[MEMORY] += memory_j * J;
    power_take(&b.power, &b.sample);
}

/* What the meter says of a domain that was lost for the whole of the next interval. */
static void lose(size_t domain, enum hole hole, double s)
{
    b.sample.unknown_ns[domain] += (uint64_t)(s * NS_PER_S);
    b.sample.hole[domain] = (uint8_t)hole;
}

static void update(void)
{
    power_update(&b.power, &b.update);
    b.total = power_total(&b.power, &b.update, &b.counting);
}

/* An interval with these joules, and what is shown at its end. */
static void step(double after_s, uint64_t package_j, uint64_t uncore_j, uint64_t memory_j)
{
    take(after_s, package_j, uncore_j, memory_j);
    update();
}

static bool noticed(const char *words)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };

    power_notices(&b.power, &b.counting, &b.total, &notices);
    return notices_have(&notices, words);
}

static void drew(size_t domain, double energy_j, double mean_w)
{
    ck_assert_double_eq(b.update.domains[domain].energy_j, energy_j);
    ck_assert_double_eq(b.update.domains[domain].mean_w, mean_w);
}

static void shows(size_t domain, double w, double mean_w, double energy_j)
{
    ck_assert_double_eq(b.update.domains[domain].w, w);
    drew(domain, energy_j, mean_w);
}

START_TEST(real_intervals_give_the_power)
{
    step(2, 80, 6, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 40);
    ck_assert_double_eq(b.update.domains[UNCORE].w, 3);
    ck_assert_double_eq(b.total.w, 45);
    step(0.5, 10, 1, 5);
    ck_assert_double_eq(b.update.interval_s, 0.5);
    ck_assert_double_eq(b.update.elapsed_s, 2.5);
    shows(PACKAGE, 20, 36, 90);
    ck_assert_double_eq(b.total.w, 30);
    ck_assert_double_eq(b.total.mean_w, 42);
    ck_assert_double_eq(b.total.energy_j, 105);
    ck_assert_int_eq(b.total.quality, QUALITY_MEASURED);
    ck_assert_uint_eq(b.total.unknown, 0);
    ck_assert(!noticed(""));
}
END_TEST

/* Readings between updates, for the counter's sake, change nothing. */
START_TEST(keep_alive_readings_are_not_shown)
{
    take(10, 100, 0, 10);
    step(10, 300, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 20);
    ck_assert_double_eq(b.update.interval_s, 20);
}
END_TEST

START_TEST(before_anything_is_known)
{
    update();
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.update.domains[PACKAGE].mean_w));
    ck_assert(isnan(b.update.domains[PACKAGE].energy_j) && isnan(b.total.w));
    ck_assert_int_eq(b.total.quality, QUALITY_UNKNOWN);
}
END_TEST

/* A counter that is refreshed every other second draws what it draws, not twice as much. */
START_TEST(a_counter_that_stands_still_has_no_power)
{
    step(1, 50, 0, 10);
    step(1, 0, 0, 10);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert_double_eq(b.total.w, 10);
    ck_assert_uint_eq(b.total.unknown, 1);
    ck_assert(noticed("package does not move") && noticed("1 of 2 domains"));
    step(1, 100, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 50);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert(!noticed(""));
}
END_TEST

/* Graphics that are switched off draw nothing; but only a counter that has moved tells so. */
START_TEST(graphics_may_rest)
{
    step(1, 50, 0, 10);
    ck_assert(isnan(b.update.domains[UNCORE].w) && isnan(b.update.domains[UNCORE].energy_j));
    take(1, 50, 4, 10);
    step(1, 50, 0, 10);
    ck_assert_double_eq_tol(b.update.domains[UNCORE].mean_w, 4 / 3.0, 1e-12);
    step(1, 50, 0, 10);
    shows(UNCORE, 0, 1, 4);
}
END_TEST

START_TEST(a_reset_leaves_its_interval_out)
{
    step(1, 50, 0, 10);
    b.meter.domains[PACKAGE].resets++;
    lose(PACKAGE, HOLE_RESET, 1);
    step(1, 0, 0, 10);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 1);
    ck_assert_int_eq(b.update.domains[PACKAGE].hole, HOLE_RESET);
    ck_assert_double_eq(b.total.unknown_s, 1);
    ck_assert(noticed("was reset 1 times") && !noticed("does not move"));
    step(1, 70, 0, 10);
    shows(PACKAGE, 70, 60, 120);
}
END_TEST

/* The energy of a time without readings is known once there is one. */
START_TEST(a_reading_that_fails)
{
    step(1, 50, 0, 10);
    b.sample.read[PACKAGE] = 0;
    b.meter.domains[PACKAGE].missed_reads = 1;
    b.meter.domains[PACKAGE].last_error = 13;
    step(1, 0, 0, 10);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 50);
    ck_assert_double_eq(b.total.w, 10);
    ck_assert_double_eq(b.total.energy_j, 70);
    ck_assert(noticed("1 readings of package failed"));
    b.sample.read[PACKAGE] = 1;
    step(1, 120, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 170);
}
END_TEST

START_TEST(a_domain_that_was_denied_from_the_start)
{
    b.domains[PACKAGE].problem.kind = ERROR_DENIED;
    step(1, 50, 0, 10);
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.update.domains[PACKAGE].energy_j));
    ck_assert_double_eq(b.total.w, 10);
    ck_assert(!noticed("does not move"));
}
END_TEST

/* Energy used asleep would be divided by a time without the sleep. */
START_TEST(a_suspend_leaves_its_interval_out)
{
    step(1, 50, 0, 10);
    b.sample.boottime_ns += 3600 * S;
    lose(PACKAGE, HOLE_SUSPEND, 1);
    lose(MEMORY, HOLE_SUSPEND, 1);
    step(1, 0, 0, 0);
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.total.w));
    ck_assert_double_eq(b.update.elapsed_s, 2);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 50);
    ck_assert(noticed("suspended for 3600 s"));
    step(1, 60, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 55);
}
END_TEST

/* It is stuck from 100 ms and one of its updates on. */
START_TEST(a_counter_may_stand_still_for_a_while)
{
    take(1, 50, 0, 10);
    b.sample.time_ns += 100999999;
    power_take(&b.power, &b.sample);
    update();
    ck_assert(!noticed("does not move"));
    b.sample.time_ns++;
    power_take(&b.power, &b.sample);
    ck_assert(noticed("package does not move")); /* whether that was shown or not */
    update();
    /* what never moves after that: the sum of both is incomplete, and nothing that is not counted is told */
    ck_assert(noticed("2 of 2 domains") && !noticed("uncore"));
}
END_TEST

/* What was used asleep is nobody's, and what is read again only afterwards begins there. */
START_TEST(sleep_and_failure_together)
{
    take(1, 50, 0, 10);
    b.sample.boottime_ns += 2 * S;
    b.sample.read[PACKAGE] = 0;
    lose(MEMORY, HOLE_SUSPEND, 1);
    take(1, 0, 0, 0);
    b.sample.read[PACKAGE] = 1;
    lose(PACKAGE, HOLE_SUSPEND, 2);
    take(1, 0, 0, 10);
    step(2, 100, 0, 20);
    drew(PACKAGE, 150, 50);
    drew(MEMORY, 40, 10);
    ck_assert_double_eq(b.update.elapsed_s, 5);
    ck_assert(noticed("suspended for 2 s"));
    /* lost and found again: that interval is left out, too */
    lose(PACKAGE, HOLE_VANISHED, 1);
    take(1, 0, 0, 10);
    step(1, 50, 0, 10);
    drew(PACKAGE, 200, 50);
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 3);
    ck_assert_double_eq(b.update.domains[MEMORY].unknown_s, 1);
    ck_assert_double_eq(b.total.unknown_s, 3);
    ck_assert(noticed("at least 260 J since the start: of package 3.00 s of 7.00 s are not known"));
    ck_assert_int_eq(b.total.hole, HOLE_VANISHED);
}
END_TEST

/* A hole costs what it lasted: what is known of its interval counts, and a poll may have found it. */
START_TEST(a_hole_within_an_interval)
{
    lose(PACKAGE, HOLE_RESET, 0.5);
    step(2, 60, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 40);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 0.5);
    /* found between two samples, of which the second fails: it is known of at the next that does not */
    lose(PACKAGE, HOLE_VANISHED, 1);
    b.sample.read[PACKAGE] = 0;
    take(2, 0, 0, 10);
    b.sample.read[PACKAGE] = 1;
    step(1, 80, 0, 10);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 40);
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 1.5);
    ck_assert_int_eq(b.update.domains[PACKAGE].hole, HOLE_VANISHED);
}
END_TEST

/* A card, a rail and cores may rest; so may any sensor of power. */
START_TEST(what_may_rest)
{
    static const struct {
        enum component component;
        uint64_t poll_ns;
        bool rests;
    } known[] = { { COMPONENT_CORES, 0, true },  { COMPONENT_UNCORE, 0, true },  { COMPONENT_GPU, 0, true },
                  { COMPONENT_RAIL, 0, true },   { COMPONENT_MEMORY, 0, false }, { COMPONENT_MACHINE, 0, false },
                  { COMPONENT_MACHINE, S, true } };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        begin();
        b.domains[UNCORE].component = known[i].component;
        b.domains[UNCORE].poll_ns = known[i].poll_ns;
        step(1, 50, 4, 10);
        step(1, 50, 0, 10);
        ck_assert_msg(isnan(b.update.domains[UNCORE].w) == !known[i].rests, "%zu", i);
        ck_assert_double_eq(b.update.domains[UNCORE].mean_w, known[i].rests ? 2 : 4);
    }
}
END_TEST

START_TEST(a_total_is_as_good_as_its_worst_part)
{
    b.domains[MEMORY].quality = QUALITY_MODELLED;
    step(1, 50, 0, 10);
    ck_assert_int_eq(b.total.quality, QUALITY_MODELLED);
    ck_assert_int_eq(b.update.domains[PACKAGE].quality, QUALITY_MEASURED);
}
END_TEST

/* What stands there is of the same test. */
static struct screen screen;

static void check_drawn(const char *text, int width, int height, const char *expected)
{
    AUTO_FREE char *drawn = NULL;
    size_t length;
    FILE *out = open_memstream(&drawn, &length);

    screen_draw(&screen, text, width, height, out);
    fclose(out);
    ck_assert_str_eq(drawn, expected);
}

START_TEST(a_block_is_drawn_over_itself)
{
    check_drawn("one\ntwo two\n", 80, 24, "one\033[K\ntwo two\033[K\n\033[J");
    check_drawn("three\n", 80, 24, "\r\033[2Athree\033[K\n\033[J");
    check_drawn("four\n", 80, 24, "\r\033[1Afour\033[K\n\033[J");
}
END_TEST

START_TEST(a_wide_line_is_cut_between_characters)
{
    check_drawn("\033[1m\u25cf\u00b5W\033[0m\n", 4, 24, "\033[1m\u25cf\u00b5W\033[0m\033[K\n\033[J");
    ck_assert_int_eq(screen.columns, 3);
    check_drawn("\033[1m\u25cf\u00b5WW\033[0m\n", 3, 24, "\033[1m\u25cf\u00b5\033[0m\033[K\n\033[J");
}
END_TEST

START_TEST(a_terminal_too_low_or_made_narrower)
{
    check_drawn("1\n2\n3\n", 80, 3, "1\033[K\n2\033[K\n3\033[K\n\033[J");
    check_drawn("1\n2\n3\n", 80, 3, "1\033[K\n2\033[K\n3\033[K\n\033[J");
    screen.lines = 0;
    check_drawn("12345\n", 80, 24, "12345\033[K\n\033[J");
    check_drawn("12345\n", 5, 24, "1234\033[0m\033[K\n\033[J");
    check_drawn("12345\n", 9, 24, "\r\033[1A12345\033[K\n\033[J");
}
END_TEST

UNIT_SUITE_IN("power", begin, NULL, real_intervals_give_the_power, keep_alive_readings_are_not_shown,
              before_anything_is_known, a_counter_that_stands_still_has_no_power, graphics_may_rest,
              a_reset_leaves_its_interval_out, a_reading_that_fails, a_domain_that_was_denied_from_the_start,
              a_suspend_leaves_its_interval_out, a_counter_may_stand_still_for_a_while, sleep_and_failure_together,
              a_hole_within_an_interval, what_may_rest, a_total_is_as_good_as_its_worst_part,
              a_block_is_drawn_over_itself, a_terminal_too_low_or_made_narrower, a_wide_line_is_cut_between_characters)
