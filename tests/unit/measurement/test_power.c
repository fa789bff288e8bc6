/* SPDX-License-Identifier: MIT
 * Live power from samples, against figures worked out by hand; and drawing it over itself. */
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

static void set_up(struct bench *b)
{
    static const enum component components[] = { COMPONENT_PACKAGE, COMPONENT_UNCORE, COMPONENT_MEMORY };

    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < DOMAINS; i++) {
        b->domains[i] =
            (struct domain){ .component = components[i], .quality = QUALITY_MEASURED, .update_ns = 1000000 };
        strcpy(b->domains[i].name, component_name(components[i]));
        b->meter.domains[i] = (struct meter_domain){ .domain = &b->domains[i], .started = true };
        b->sample.read[i] = 1;
    }
    b->meter.domain_count = DOMAINS;
    b->counting.counts[PACKAGE] = b->counting.counts[MEMORY] = true;
    b->counting.counted = 2;
    b->sample.time_ns = 100 * S;
    b->sample.boottime_ns = 500 * S;
    power_begin(&b->power, &b->meter, &b->sample);
}

static void take(struct bench *b, double after_s, uint64_t package_j, uint64_t uncore_j, uint64_t memory_j)
{
    b->sample.time_ns += (uint64_t)(after_s * NS_PER_S);
    b->sample.boottime_ns += (uint64_t)(after_s * NS_PER_S);
    b->sample.energy_uj[PACKAGE] += package_j * J;
    b->sample.energy_uj[UNCORE] += uncore_j * J;
    b->sample.energy_uj[MEMORY] += memory_j * J;
    power_take(&b->power, &b->sample);
}

/* What the meter says of a domain that was lost for the whole of the next interval. */
static void lose(struct bench *b, size_t domain, enum hole hole, double s)
{
    b->sample.unknown_ns[domain] += (uint64_t)(s * NS_PER_S);
    b->sample.hole[domain] = (uint8_t)hole;
}

static void update(struct bench *b)
{
    power_update(&b->power, &b->update);
    b->total = power_total(&b->power, &b->update, &b->counting);
}

static bool noticed(const struct bench *b, const char *words)
{
    struct notices notices = { .count = 0 };

    power_notices(&b->power, &b->counting, &b->total, &notices);
    for (size_t i = 0; i < notices.count; i++)
        if (strstr(notices.item[i].what, words))
            return true;
    return words[0] == '\0' && notices.count > 0;
}

START_TEST(real_intervals_give_the_power)
{
    struct bench b;

    set_up(&b);
    take(&b, 2, 80, 6, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 40);
    ck_assert_double_eq(b.update.domains[UNCORE].w, 3);
    ck_assert_double_eq(b.total.w, 45);
    take(&b, 0.5, 10, 1, 5);
    update(&b);
    ck_assert_double_eq(b.update.interval_s, 0.5);
    ck_assert_double_eq(b.update.elapsed_s, 2.5);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 20);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 36);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 90);
    ck_assert_double_eq(b.total.w, 30);
    ck_assert_double_eq(b.total.mean_w, 42);
    ck_assert_double_eq(b.total.energy_j, 105);
    ck_assert_int_eq(b.total.quality, QUALITY_MEASURED);
    ck_assert_uint_eq(b.total.unknown, 0);
    ck_assert(!noticed(&b, ""));
}
END_TEST

/* Readings between updates, for the counter's sake, change nothing. */
START_TEST(keep_alive_readings_are_not_shown)
{
    struct bench b;

    set_up(&b);
    take(&b, 10, 100, 0, 10);
    take(&b, 10, 300, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 20);
    ck_assert_double_eq(b.update.interval_s, 20);
}
END_TEST

START_TEST(before_anything_is_known)
{
    struct bench b;

    set_up(&b);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.update.domains[PACKAGE].mean_w));
    ck_assert(isnan(b.update.domains[PACKAGE].energy_j) && isnan(b.total.w));
    ck_assert_int_eq(b.total.quality, QUALITY_UNKNOWN);
}
END_TEST

/* A counter that is refreshed every other second draws what it draws, not twice as much. */
START_TEST(a_counter_that_stands_still_has_no_power)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    update(&b);
    take(&b, 1, 0, 0, 10);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert_double_eq(b.total.w, 10);
    ck_assert_uint_eq(b.total.unknown, 1);
    ck_assert(noticed(&b, "package does not move") && noticed(&b, "1 of 2 domains"));
    take(&b, 1, 100, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 50);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert(!noticed(&b, ""));
}
END_TEST

/* Graphics that are switched off draw nothing; but only a counter that has moved tells so. */
START_TEST(graphics_may_rest)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert(isnan(b.update.domains[UNCORE].w) && isnan(b.update.domains[UNCORE].energy_j));
    take(&b, 1, 50, 4, 10);
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert_double_eq_tol(b.update.domains[UNCORE].mean_w, 4 / 3.0, 1e-12);
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[UNCORE].w, 0);
    ck_assert_double_eq(b.update.domains[UNCORE].energy_j, 4);
    ck_assert_double_eq(b.update.domains[UNCORE].mean_w, 1);
}
END_TEST

START_TEST(a_reset_leaves_its_interval_out)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    update(&b);
    b.meter.domains[PACKAGE].resets++;
    lose(&b, PACKAGE, HOLE_RESET, 1);
    take(&b, 1, 0, 0, 10);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 1);
    ck_assert_int_eq(b.update.domains[PACKAGE].hole, HOLE_RESET);
    ck_assert_double_eq(b.total.unknown_s, 1);
    ck_assert(noticed(&b, "started anew 1 times") && !noticed(&b, "does not move"));
    take(&b, 1, 70, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 70);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 120);
}
END_TEST

/* The energy of a time without readings is known once there is one. */
START_TEST(a_reading_that_fails)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    update(&b);
    b.sample.read[PACKAGE] = 0;
    b.meter.domains[PACKAGE].missed_reads = 1;
    b.meter.domains[PACKAGE].last_error = 13;
    take(&b, 1, 0, 0, 10);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w));
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 50);
    ck_assert_double_eq(b.total.w, 10);
    ck_assert_double_eq(b.total.energy_j, 70);
    ck_assert(noticed(&b, "1 readings of package failed"));
    b.sample.read[PACKAGE] = 1;
    take(&b, 1, 120, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 170);
}
END_TEST

START_TEST(a_domain_that_was_denied_from_the_start)
{
    struct bench b;

    set_up(&b);
    b.domains[PACKAGE].problem.kind = ERROR_DENIED;
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.update.domains[PACKAGE].energy_j));
    ck_assert_double_eq(b.total.w, 10);
    ck_assert(!noticed(&b, "does not move"));
}
END_TEST

/* Energy used asleep would be divided by a time without the sleep. */
START_TEST(a_suspend_leaves_its_interval_out)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    update(&b);
    b.sample.boottime_ns += 3600 * S;
    lose(&b, PACKAGE, HOLE_SUSPEND, 1);
    lose(&b, MEMORY, HOLE_SUSPEND, 1);
    take(&b, 1, 0, 0, 0);
    update(&b);
    ck_assert(isnan(b.update.domains[PACKAGE].w) && isnan(b.total.w));
    ck_assert_double_eq(b.update.elapsed_s, 2);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 50);
    ck_assert(noticed(&b, "suspended for 3600 s"));
    take(&b, 1, 60, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 55);
}
END_TEST

/* It is stuck from 100 ms and one of its updates on. */
START_TEST(a_counter_may_stand_still_for_a_while)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    b.sample.time_ns += 100999999;
    power_take(&b.power, &b.sample);
    update(&b);
    ck_assert(!noticed(&b, "does not move"));
    b.sample.time_ns++;
    power_take(&b.power, &b.sample);
    ck_assert(noticed(&b, "package does not move")); /* whether that was shown or not */
    update(&b);
    /* what never moves after that: the sum of both is incomplete, and nothing that is not counted is told */
    ck_assert(noticed(&b, "2 of 2 domains") && !noticed(&b, "uncore"));
}
END_TEST

/* What was used asleep is nobody's, and what is read again only afterwards begins there. */
START_TEST(sleep_and_failure_together)
{
    struct bench b;

    set_up(&b);
    take(&b, 1, 50, 0, 10);
    b.sample.boottime_ns += 2 * S;
    b.sample.read[PACKAGE] = 0;
    lose(&b, MEMORY, HOLE_SUSPEND, 1);
    take(&b, 1, 0, 0, 0);
    b.sample.read[PACKAGE] = 1;
    lose(&b, PACKAGE, HOLE_SUSPEND, 2);
    take(&b, 1, 0, 0, 10);
    take(&b, 2, 100, 0, 20);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 150);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert_double_eq(b.update.domains[MEMORY].energy_j, 40);
    ck_assert_double_eq(b.update.domains[MEMORY].mean_w, 10);
    ck_assert_double_eq(b.update.elapsed_s, 5);
    ck_assert(noticed(&b, "suspended for 2 s"));
    /* lost and found again: that interval is left out, too */
    lose(&b, PACKAGE, HOLE_VANISHED, 1);
    take(&b, 1, 0, 0, 10);
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 200);
    ck_assert_double_eq(b.update.domains[PACKAGE].mean_w, 50);
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 3);
    ck_assert_double_eq(b.update.domains[MEMORY].unknown_s, 1);
    ck_assert_double_eq(b.total.unknown_s, 3);
    ck_assert(noticed(&b, "at least 260 J since the start: of package 3.00 s of 7.00 s are not known"));
    ck_assert_int_eq(b.total.hole, HOLE_VANISHED);
}
END_TEST

/* A hole costs what it lasted: what is known of its interval counts, and a poll may have found it. */
START_TEST(a_hole_within_an_interval)
{
    struct bench b;

    set_up(&b);
    lose(&b, PACKAGE, HOLE_RESET, 0.5);
    take(&b, 2, 60, 0, 10);
    update(&b);
    ck_assert_double_eq(b.update.domains[PACKAGE].w, 40);
    ck_assert_double_eq(b.update.domains[PACKAGE].energy_j, 60);
    ck_assert_double_eq(b.update.domains[PACKAGE].unknown_s, 0.5);
    /* found between two samples, of which the second fails: it is known of at the next that does not */
    lose(&b, PACKAGE, HOLE_VANISHED, 1);
    b.sample.read[PACKAGE] = 0;
    take(&b, 2, 0, 0, 10);
    b.sample.read[PACKAGE] = 1;
    take(&b, 1, 80, 0, 10);
    update(&b);
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
        struct bench b;

        set_up(&b);
        b.domains[UNCORE].component = known[i].component;
        b.domains[UNCORE].poll_ns = known[i].poll_ns;
        take(&b, 1, 50, 4, 10);
        update(&b);
        take(&b, 1, 50, 0, 10);
        update(&b);
        ck_assert_msg(isnan(b.update.domains[UNCORE].w) == !known[i].rests, "%zu", i);
        ck_assert_double_eq(b.update.domains[UNCORE].mean_w, known[i].rests ? 2 : 4);
    }
}
END_TEST

START_TEST(a_total_is_as_good_as_its_worst_part)
{
    struct bench b;

    set_up(&b);
    b.domains[MEMORY].quality = QUALITY_MODELLED;
    take(&b, 1, 50, 0, 10);
    update(&b);
    ck_assert_int_eq(b.total.quality, QUALITY_MODELLED);
    ck_assert_int_eq(b.update.domains[PACKAGE].quality, QUALITY_MEASURED);
}
END_TEST

static void check_drawn(struct screen *screen, const char *text, int width, int height, const char *expected)
{
    AUTO_FREE char *drawn = NULL;
    size_t length;
    FILE *out = open_memstream(&drawn, &length);

    screen_draw(screen, text, width, height, out);
    fclose(out);
    ck_assert_str_eq(drawn, expected);
}

START_TEST(a_block_is_drawn_over_itself)
{
    struct screen screen = { 0, 0 };

    check_drawn(&screen, "one\ntwo two\n", 80, 24, "one\033[K\ntwo two\033[K\n\033[J");
    check_drawn(&screen, "three\n", 80, 24, "\r\033[2Athree\033[K\n\033[J");
    check_drawn(&screen, "four\n", 80, 24, "\r\033[1Afour\033[K\n\033[J");
}
END_TEST

START_TEST(a_terminal_too_low_or_made_narrower)
{
    struct screen screen = { 0, 0 };

    check_drawn(&screen, "1\n2\n3\n", 80, 3, "1\033[K\n2\033[K\n3\033[K\n\033[J");
    check_drawn(&screen, "1\n2\n3\n", 80, 3, "1\033[K\n2\033[K\n3\033[K\n\033[J");
    screen.lines = 0;
    check_drawn(&screen, "12345\n", 80, 24, "12345\033[K\n\033[J");
    check_drawn(&screen, "12345\n", 5, 24, "1234\033[0m\033[K\n\033[J");
    check_drawn(&screen, "12345\n", 9, 24, "\r\033[1A12345\033[K\n\033[J");
}
END_TEST

START_TEST(a_wide_line_is_cut_between_characters)
{
    struct screen screen = { 0, 0 };

    check_drawn(&screen, "\033[1m\u25cf\u00b5W\033[0m\n", 4, 24, "\033[1m\u25cf\u00b5W\033[0m\033[K\n\033[J");
    ck_assert_int_eq(screen.columns, 3);
    check_drawn(&screen, "\033[1m\u25cf\u00b5WW\033[0m\n", 3, 24, "\033[1m\u25cf\u00b5\033[0m\033[K\n\033[J");
}
END_TEST

UNIT_SUITE("power", real_intervals_give_the_power, keep_alive_readings_are_not_shown, before_anything_is_known,
           a_counter_that_stands_still_has_no_power, graphics_may_rest, a_reset_leaves_its_interval_out,
           a_reading_that_fails, a_domain_that_was_denied_from_the_start, a_suspend_leaves_its_interval_out,
           a_counter_may_stand_still_for_a_while, sleep_and_failure_together, a_hole_within_an_interval, what_may_rest,
           a_total_is_as_good_as_its_worst_part, a_block_is_drawn_over_itself, a_terminal_too_low_or_made_narrower,
           a_wide_line_is_cut_between_characters)
