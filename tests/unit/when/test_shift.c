/* SPDX-License-Identifier: MIT
 * The best start of a job: against examples worked out by hand, and against every minute that it might start at. */
#include "commands/when/start_time.h"
#include "unit.h"

#include "base/units.h"
#include "io/local_time.h"

#include <math.h>
#include <string.h>

#define AT_S UINT64_C(1767225600) /* 2026-01-01T00:00Z */
#define MINUTE_NS (60 * NS_PER_S_INT)
#define HOUR_NS (60 * MINUTE_NS)

/* Half hours from AT_S on, with these values; NAN: a gap. */
static struct intensities half_hours(struct intensity *items, const double *values, size_t count)
{
    struct intensities found = { .items = items };

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            items[found.count++] = (struct intensity){
                .start_realtime_s = AT_S + i * 1800,
                .end_realtime_s = AT_S + (i + 1) * 1800,
                .kgco2eq_per_kwh = values[i],
            };
    return found;
}

static uint64_t at_ns(double minutes)
{
    return AT_S * NS_PER_S_INT + (uint64_t)(minutes * 60) * NS_PER_S_INT;
}

static double minutes_of(const struct start_time_choice *start)
{
    return (double)(start->start_ns - at_ns(0)) / (double)MINUTE_NS;
}

/* Of a job of so many minutes over half hours with these values, to be started and to end between these minutes. */
static struct start_time flat_best(const double *values, size_t count, double minutes, double from, double to)
{
    struct intensity items[8];
    const struct intensities known = half_hours(items, values, count);
    const struct start_time_profile profile = start_time_flat((uint64_t)(minutes * (double)MINUTE_NS));
    struct start_time shift;

    ck_assert(find_best_start(&known, &profile, at_ns(from), at_ns(to), &shift));
    return shift;
}

#define CLOSE(value, expected) ck_assert_double_le(fabs((value) - (expected)), 1e-12)

START_TEST(partial_slots_count_for_their_part)
{
    struct intensity items[6];
    const double values[] = { 0.3, 0.2, 0.1, 0.15, 0.4, 0.4 };
    const struct intensities known = half_hours(items, values, 6);
    const struct start_time_profile hour = start_time_flat(HOUR_NS), fifty = start_time_flat(50 * MINUTE_NS);
    struct start_time shift;

    ck_assert(find_best_start(&known, &hour, at_ns(10), at_ns(180), &shift));
    /* 20 min at 0.3, 30 at 0.2, 10 at 0.1 */
    CLOSE(shift.now.kgco2eq_per_kwh, (20 * 0.3 + 30 * 0.2 + 10 * 0.1) / 60);
    ck_assert_double_eq(minutes_of(&shift.best), 60);
    CLOSE(shift.best.kgco2eq_per_kwh, 0.125);
    ck_assert_double_eq(minutes_of(&shift.worst), 120);
    CLOSE(shift.worst.kgco2eq_per_kwh, 0.4);
    ck_assert(find_best_start(&known, &fifty, at_ns(10), at_ns(180), &shift));
    /* all of the half hour at 0.1 and 20 min at 0.15 */
    ck_assert_double_eq(minutes_of(&shift.best), 60);
    CLOSE(shift.best.kgco2eq_per_kwh, (30 * 0.1 + 20 * 0.15) / 50);
}
END_TEST

START_TEST(the_end_may_meet_an_edge)
{
    const struct start_time shift = flat_best((const double[]){ 0.3, 0.2, 0.1, 0.4 }, 4, 40, 0, 120);

    ck_assert_double_eq(minutes_of(&shift.best), 50);
    CLOSE(shift.best.kgco2eq_per_kwh, (10 * 0.2 + 30 * 0.1) / 40);
}
END_TEST

START_TEST(the_deadline_may_be_no_edge)
{
    struct intensity items[4];
    const double values[] = { 0.4, 0.3, 0.2, 0.1 };
    const struct intensities known = half_hours(items, values, 4);
    const struct start_time_profile profile = start_time_flat(30 * MINUTE_NS);
    struct start_time shift;

    ck_assert(find_best_start(&known, &profile, at_ns(0), at_ns(100), &shift));
    ck_assert_double_eq(minutes_of(&shift.best), 70);
    CLOSE(shift.best.kgco2eq_per_kwh, (20 * 0.2 + 10 * 0.1) / 30);
    ck_assert(!find_best_start(&known, &profile, at_ns(80), at_ns(100), &shift));
    ck_assert(find_best_start(&known, &profile, at_ns(70), at_ns(100), &shift));
    ck_assert_uint_eq(shift.best.start_ns, shift.now.start_ns);
}
END_TEST

START_TEST(of_equal_ones_the_earliest)
{
    struct intensity items[8];
    const double flat[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
    const double twice[] = { 0.3, 0.1, 0.3, 0.1, 0.3, 0.1, 0.3, 0.3 };
    struct intensities known = half_hours(items, flat, 8);
    const struct start_time_profile profile = start_time_flat(25 * MINUTE_NS);
    struct start_time shift;

    ck_assert(find_best_start(&known, &profile, at_ns(7), at_ns(240), &shift));
    ck_assert_double_eq(minutes_of(&shift.best), 7);
    ck_assert_double_eq(minutes_of(&shift.worst), 7);
    known = half_hours(items, twice, 8);
    ck_assert(find_best_start(&known, &profile, at_ns(7), at_ns(240), &shift));
    ck_assert_double_eq(minutes_of(&shift.best), 30);
    ck_assert_double_eq(minutes_of(&shift.worst), 60);
}
END_TEST

START_TEST(what_touches_a_gap_is_no_start)
{
    struct intensity items[8];
    const double values[] = { 0.3, 0.2, NAN, 0.1, 0.1, 0.15, NAN, 0.01 };
    const struct intensities known = half_hours(items, values, 8);
    const struct start_time_profile hour = start_time_flat(HOUR_NS), long_one = start_time_flat(2 * HOUR_NS);
    struct start_time shift;

    ck_assert(find_best_start(&known, &hour, at_ns(0), at_ns(240), &shift));
    CLOSE(shift.now.kgco2eq_per_kwh, 0.25);
    ck_assert_double_eq(minutes_of(&shift.best), 90);
    CLOSE(shift.best.kgco2eq_per_kwh, 0.1);
    ck_assert(find_best_start(&known, &hour, at_ns(1), at_ns(240), &shift));
    ck_assert(isnan(shift.now.kgco2eq_per_kwh));
    ck_assert_double_eq(minutes_of(&shift.best), 90);
    ck_assert_double_eq(minutes_of(&shift.worst), 120);
    ck_assert(!find_best_start(&known, &long_one, at_ns(0), at_ns(240), &shift));
    ck_assert(isnan(shift.best.kgco2eq_per_kwh));
}
END_TEST

START_TEST(a_profile_weighs_by_its_energy)
{
    struct intensity items[5];
    const double values[] = { 0.3, 0.2, 0.4, 0.1, 0.3 };
    const struct intensities known = half_hours(items, values, 5);
    const struct start_time_piece pieces[] = { { 30 * MINUTE_NS, 1 }, { 30 * MINUTE_NS, 9 } };
    struct start_time_profile profile;
    struct start_time shift;

    ck_assert(start_time_profile_of(pieces, 2, &profile));
    ck_assert(find_best_start(&known, &profile, at_ns(0), at_ns(150), &shift));
    CLOSE(shift.now.kgco2eq_per_kwh, 0.1 * 0.3 + 0.9 * 0.2);
    /* flat, a start at 90 min would be as good as one at 60 is */
    ck_assert_double_eq(minutes_of(&shift.best), 60);
    CLOSE(shift.best.kgco2eq_per_kwh, 0.1 * 0.4 + 0.9 * 0.1);
}
END_TEST

START_TEST(a_profile_is_put_together)
{
    struct start_time_piece pieces[100];
    const struct start_time_piece unknown[] = { { 1, 1 }, { 1, NAN } }, negative[] = { { 1, 2 }, { 1, -1 } };
    const struct start_time_piece idle = { 1, 0 };
    struct start_time_profile profile;
    double energy_j = 0;

    for (size_t i = 0; i < 100; i++)
        pieces[i] = (struct start_time_piece){ (i + 1) * MINUTE_NS, (double)i };
    ck_assert(start_time_profile_of(pieces, 100, &profile));
    ck_assert_uint_eq(profile.count, 34); /* threes, and one that is left */
    ck_assert_uint_eq(profile.pieces[0].duration_ns, 6 * MINUTE_NS);
    ck_assert_double_eq(profile.pieces[33].energy_j, 99);
    for (size_t i = 0; i < profile.count; i++)
        energy_j += profile.pieces[i].energy_j;
    ck_assert_double_eq(energy_j, 4950);
    ck_assert_uint_eq(profile.duration_ns, 5050 * MINUTE_NS);
    ck_assert(start_time_profile_of(pieces, START_TIME_PIECES_MAX, &profile));
    ck_assert_uint_eq(profile.count, START_TIME_PIECES_MAX);
    ck_assert(!start_time_profile_of(pieces, 0, &profile));
    ck_assert(!start_time_profile_of(unknown, 2, &profile));
    ck_assert(!start_time_profile_of(negative, 2, &profile));
    ck_assert(!start_time_profile_of(&idle, 1, &profile));
}
END_TEST

/* Minute by minute, with no more than a sum; NAN: some of it is not known. */
static double by_the_minute(const double *values, size_t count, const unsigned *minutes, const double *energies,
                            size_t pieces, size_t start)
{
    double sum = 0, energy_j = 0;

    for (size_t i = 0; i < pieces; i++)
        for (unsigned minute = 0; minute < minutes[i]; minute++, start++) {
            if (start / 30 >= count)
                return NAN;
            sum += values[start / 30] * energies[i] / minutes[i];
            energy_j += energies[i] / minutes[i];
        }
    return sum / energy_j;
}

START_TEST(no_minute_is_better)
{
    unsigned state = 1;

    for (unsigned round = 0; round < 60; round++) {
        struct intensity items[24];
        double values[24], energies[5], min = INFINITY, max = 0;
        struct start_time_piece pieces[5];
        unsigned minutes[5], whole = 0, next[64];
        struct intensities known;
        struct start_time_profile profile;
        struct start_time shift;

        for (size_t i = 0; i < 64; i++)
            next[i] = (state = state * 1103515245 + 12345) >> 16 & 0x7fff;
        for (size_t i = 0; i < 24; i++)
            values[i] = next[i] % 16 == 0 ? NAN : 0.05 + next[i] % 500 / 1000.0;
        for (size_t i = 0; i < 5; i++) {
            minutes[i] = 1 + next[24 + i] % 29;
            energies[i] = next[30 + i] % 10;
            whole += minutes[i];
            pieces[i] = (struct start_time_piece){ minutes[i] * MINUTE_NS, energies[i] };
        }
        const unsigned from = next[40] % 60, until = 720 - next[41] % 60;
        known = half_hours(items, values, 24);
        if (!start_time_profile_of(pieces, 5, &profile))
            continue;
        for (unsigned start = from; start + whole <= until; start++) {
            const double value = by_the_minute(values, 24, minutes, energies, 5, start);
            min = fmin(min, value);
            max = fmax(max, value);
        }
        ck_assert_int_eq(find_best_start(&known, &profile, at_ns(from), at_ns(until), &shift), isfinite(min));
        if (!isfinite(min))
            continue;
        CLOSE(shift.best.kgco2eq_per_kwh, min);
        CLOSE(shift.worst.kgco2eq_per_kwh, max);
        CLOSE(by_the_minute(values, 24, minutes, energies, 5, (size_t)minutes_of(&shift.best)), min);
    }
}
END_TEST

START_TEST(a_gain_is_above_its_doubt)
{
    const struct start_time_saving gain = start_time_saving_of(0.2, 0.01, 0.15, 0.01);
    const struct start_time_saving unsure = start_time_saving_of(0.2, 0.05, 0.15, 0.05);
    const struct start_time_saving two = start_time_saving_of(0.2, 0.03, 0.1, 0.04);

    CLOSE(gain.kgco2eq_per_kwh, 0.05);
    CLOSE(gain.percent, 25);
    CLOSE(gain.doubt_kgco2eq_per_kwh, sqrt(2) * 0.01);
    ck_assert_int_eq(gain.verdict, START_TIME_GAIN);
    CLOSE(unsure.doubt_kgco2eq_per_kwh, sqrt(2) * 0.05);
    ck_assert_int_eq(unsure.verdict, START_TIME_NO_GAIN);
    CLOSE(two.doubt_kgco2eq_per_kwh, 0.05);
    ck_assert_int_eq(start_time_saving_of(0.2, NAN, 0.1899, NAN).verdict, START_TIME_GAIN);
    ck_assert_int_eq(start_time_saving_of(0.2, NAN, 0.191, NAN).verdict, START_TIME_NO_GAIN);
    ck_assert(isnan(start_time_saving_of(0.2, 0.01, 0.191, NAN).doubt_kgco2eq_per_kwh));
    ck_assert_int_eq(start_time_saving_of(0.2, 0, 0.2, 0).verdict, START_TIME_NO_GAIN);
    ck_assert_int_eq(start_time_saving_of(0, 0, 0, 0).verdict, START_TIME_NO_GAIN);
    ck_assert_int_eq(start_time_saving_of(NAN, 0.01, 0.1, 0.01).verdict, START_TIME_UNKNOWN);
}
END_TEST

/* What a text is at this time, as seconds after it; -1: it is no time. */
static long long until(const char *text, uint64_t now_s)
{
    uint64_t realtime_s;

    return local_time_of(text, now_s, &realtime_s) ? (long long)(realtime_s - now_s) : -1;
}

START_TEST(local_times_know_summer)
{
    const uint64_t spring_s = 1774740600; /* 2026-03-28 23:30 UTC, 00:30 on the day that has 23 hours */
    const uint64_t autumn_s = 1792881000; /* 2026-10-24 22:30 UTC, 00:30 on the day that has 25 */
    static const char *const wrong[] = { "", "24:00", "7:5", "18:00:99", "yesterday", "2026-02-30", "18", "18:00x" };
    char text[CLOCK_TEXT_SIZE];

    setenv("TZ", "Europe/Berlin", 1);
    if (strcmp(local_time_text(spring_s, text), "2026-03-29 00:30 +0100") != 0)
        return; /* no time zones are installed */
    ck_assert_str_eq(local_time_text(spring_s + 2 * 3600, text), "2026-03-29 03:30 +0200");
    ck_assert_str_eq(local_time_begin(spring_s + 2 * 3600, text), "2026-03-29T03:30:00");
    ck_assert_str_eq(local_time_text(autumn_s + 2 * 3600, text), "2026-10-25 02:30 +0200");
    ck_assert_str_eq(local_time_text(autumn_s + 3 * 3600, text), "2026-10-25 02:30 +0100");
    ck_assert_str_eq(local_time_text(autumn_s + 5, text), "2026-10-25 00:30:05 +0200");
    ck_assert_int_eq(until("today", spring_s), 22 * 3600 + 1800);
    ck_assert_int_eq(until("today", autumn_s), 24 * 3600 + 1800);
    ck_assert_int_eq(until("tomorrow", spring_s), 46 * 3600 + 1800);
    ck_assert_int_eq(until("06:30", spring_s), 5 * 3600);
    ck_assert_int_eq(until("06:30", autumn_s), 7 * 3600);
    ck_assert_int_eq(until("0:30", spring_s), 23 * 3600);
    ck_assert_int_eq(until("2026-03-29", spring_s), 22 * 3600 + 1800);
    ck_assert_int_eq(until("2026-03-29T12:30", spring_s), 11 * 3600);
    ck_assert_int_eq(until("2026-03-29 12:30:05", spring_s), 11 * 3600 + 5);
    ck_assert_int_eq(until("2026-03-29T12:30Z", spring_s), 13 * 3600);
    ck_assert_int_eq(until("2026-03-29T12:30-01:00", spring_s), 14 * 3600);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(until(wrong[i], spring_s) == -1, "'%s'", wrong[i]);
}
END_TEST

UNIT_SUITE("shift", partial_slots_count_for_their_part, the_end_may_meet_an_edge, the_deadline_may_be_no_edge,
           of_equal_ones_the_earliest, what_touches_a_gap_is_no_start, a_profile_weighs_by_its_energy,
           a_profile_is_put_together, no_minute_is_better, a_gain_is_above_its_doubt, local_times_know_summer)
