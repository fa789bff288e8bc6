/* SPDX-License-Identifier: MIT
 * Accounting by the hour against examples that were worked out by hand, and tables of intensities as people have them.
 */
#include "grid/hourly.h"
#include "grid/intensity_file.h"
#include "unit.h"

#include "output_folder.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

#define AT_S UINT64_C(1767225600) /* 2026-01-01T00:00Z */
#define HALF_HOUR_S UINT64_C(1800)

/* Half hours from AT_S on, with these values; NAN: a gap. */
static struct intensities half_hours(struct intensity *items, const double *values, size_t count)
{
    struct intensities found = { .items = items };

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            items[found.count++] = (struct intensity){
                .start_realtime_s = AT_S + i * HALF_HOUR_S,
                .end_realtime_s = AT_S + (i + 1) * HALF_HOUR_S,
                .kgco2eq_per_kwh = values[i],
                .kind = i % 2 ? INTENSITY_FORECAST : INTENSITY_ESTIMATED,
            };
    return found;
}

static uint64_t at_ns(double half_hours_on)
{
    return AT_S * NS_PER_S_INT + (uint64_t)(half_hours_on * HALF_HOUR_S * 1e9);
}

#define CLOSE(value, expected) ck_assert_double_le(fabs((value) - (expected)), 1e-12 * fabs(expected))

START_TEST(each_time_has_its_own_price)
{
    struct intensity items[4];
    const double values[] = { 0.1, 0.3, 0.2, 0.5 };
    const struct intensities known = half_hours(items, values, 4);
    const struct hourly hourly = hourly_of(&known, at_ns(0), at_ns(4), 0.056);
    const struct hourly_factor within = hourly_factor(&hourly, at_ns(1), at_ns(2));
    const struct hourly_factor across = hourly_factor(&hourly, at_ns(0.5), at_ns(2.5));

    ck_assert_double_eq(within.kgco2eq_per_kwh, 0.3);
    ck_assert_double_eq(within.part[COVER_FORECAST], 1);
    ck_assert_uint_eq(within.pieces, 1);
    /* a quarter at 0.1, half at 0.3, a quarter at 0.2 */
    CLOSE(across.kgco2eq_per_kwh, 0.225);
    CLOSE(across.part[COVER_ESTIMATED], 0.5);
    CLOSE(across.part[COVER_FORECAST], 0.5);
    ck_assert_uint_eq(across.pieces, 3);
    CLOSE(hourly.mean_kgco2eq_per_kwh, 0.275);
}
END_TEST

START_TEST(an_edge_belongs_to_what_begins)
{
    struct intensity items[2];
    const double values[] = { 0.1, 0.3 };
    const struct intensities known = half_hours(items, values, 2);
    const struct hourly hourly = hourly_of(&known, at_ns(0), at_ns(2), 0.056);

    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1), at_ns(1)).kgco2eq_per_kwh, 0.3);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1) - 1, at_ns(1)).kgco2eq_per_kwh, 0.1);
}
END_TEST

START_TEST(one_missing_interval_is_held)
{
    struct intensity items[6];
    const double values[] = { NAN, 0.1, NAN, 0.3, 0.4, NAN };
    const struct intensities known = half_hours(items, values, 6);
    const struct hourly hourly = hourly_of(&known, at_ns(0), at_ns(6), 0.056);
    const struct hourly_factor between = hourly_factor(&hourly, at_ns(2), at_ns(3));

    /* half way to the next one it is the nearer */
    CLOSE(between.kgco2eq_per_kwh, 0.2);
    ck_assert_double_eq(between.part[COVER_NEAREST], 1);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(2.1), at_ns(2.4)).kgco2eq_per_kwh, 0.1);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(2.6), at_ns(2.9)).kgco2eq_per_kwh, 0.3);
    /* before the first and after the last */
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(0), at_ns(1)).kgco2eq_per_kwh, 0.1);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(5), at_ns(6)).kgco2eq_per_kwh, 0.4);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(5), at_ns(6)).part[COVER_NEAREST], 1);
}
END_TEST

START_TEST(a_longer_gap_is_yearly_or_a_mean)
{
    struct intensity items[40];
    double values[40];
    struct intensities known;
    struct hourly hourly;

    for (size_t i = 0; i < 40; i++)
        values[i] = i < 20 ? 0.1 : 0.3;
    values[5] = values[6] = NAN;
    known = half_hours(items, values, 40);
    hourly = hourly_of(&known, at_ns(0), at_ns(40), 0.056); /* 95 % are known */
    CLOSE(hourly_factor(&hourly, at_ns(5), at_ns(7)).kgco2eq_per_kwh, (18 * 0.1 + 20 * 0.3) / 38);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(5), at_ns(7)).part[COVER_PERIOD_MEAN], 1);
    hourly = hourly_of(&known, at_ns(0), at_ns(10), 0.056); /* 80 % */
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(5), at_ns(7)).kgco2eq_per_kwh, 0.056);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(5), at_ns(7)).part[COVER_YEARLY], 1);
    /* a quarter of it is known: 0.1, the rest is yearly */
    CLOSE(hourly_factor(&hourly, at_ns(4.5), at_ns(6.5)).kgco2eq_per_kwh, 0.25 * 0.1 + 0.75 * 0.056);
}
END_TEST

/* Between two that are told it is half of the gap to each; what lies before all that matters makes the gap longer. */
START_TEST(a_gap_is_as_long_as_it_is)
{
    struct intensity items[4];
    const double values[] = { NAN, NAN, 0.1, NAN };
    const double around[] = { 0.1, NAN, 0.3 };
    struct intensities known = half_hours(items, around, 3);
    struct hourly hourly = hourly_of(&known, at_ns(0), at_ns(3), 0.056);

    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1.5), at_ns(1.6)).kgco2eq_per_kwh, 0.3);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1.5) - 2, at_ns(1.5) - 1).kgco2eq_per_kwh, 0.1);
    known = half_hours(items, values, 4);
    hourly = hourly_of(&known, at_ns(0), at_ns(4), 0.056);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1.5), at_ns(2)).part[COVER_YEARLY], 1);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(3), at_ns(4)).part[COVER_NEAREST], 1);
    hourly = hourly_of(&known, at_ns(1), at_ns(5), 0.056);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(1.5), at_ns(2)).part[COVER_NEAREST], 1);
    ck_assert_double_eq(hourly_factor(&hourly, at_ns(3), at_ns(4)).part[COVER_YEARLY], 1);
}
END_TEST

/* One piece of a quarter and one of three, the longest; a time of no length is the nanosecond that begins. */
START_TEST(pieces_of_a_time)
{
    struct intensity items[2];
    const double values[] = { 0.1, 0.3 };
    const struct intensities known = half_hours(items, values, 2);
    const struct hourly hourly = hourly_of(&known, at_ns(0), at_ns(2), 0.056);
    struct hourly_factor price = hourly_factor(&hourly, at_ns(0.75), at_ns(1.75));

    ck_assert_uint_eq(price.pieces, 2);
    CLOSE(price.longest, 0.75);
    price = hourly_factor(&hourly, at_ns(0.25), at_ns(1.25));
    CLOSE(price.longest, 0.75);
    price = hourly_factor(&hourly, at_ns(1) - 1, at_ns(1) - 1);
    ck_assert_double_eq(price.kgco2eq_per_kwh, 0.1);
    ck_assert_uint_eq(price.pieces, 1);
    price = hourly_factor(&hourly, at_ns(1), at_ns(0));
    ck_assert_double_eq(price.kgco2eq_per_kwh, 0.3);
}
END_TEST

/* The mean is over what of the time is told: 10 of 10 and 9 of 10 half hours are enough, the edges cut. */
START_TEST(the_mean_of_what_is_told)
{
    struct intensity items[12];
    double values[12];
    struct intensities known;

    for (size_t i = 0; i < 12; i++)
        values[i] = i < 6 ? 0.1 : 0.4;
    known = half_hours(items, values, 12);
    CLOSE(hourly_of(&known, at_ns(1.5), at_ns(11.5), 0.056).mean_kgco2eq_per_kwh, (4.5 * 0.1 + 5.5 * 0.4) / 10);
    values[11] = NAN;
    known = half_hours(items, values, 12);
    CLOSE(hourly_of(&known, at_ns(2), at_ns(12), 0.056).mean_kgco2eq_per_kwh, (4 * 0.1 + 5 * 0.4) / 9);
    ck_assert(isnan(hourly_of(&known, at_ns(2.1), at_ns(12), 0.056).mean_kgco2eq_per_kwh));
    ck_assert(isnan(hourly_of(&known, at_ns(2), at_ns(2), 0.056).mean_kgco2eq_per_kwh));
}
END_TEST

static void trimmed(double from, double to, uint64_t first, size_t count)
{
    struct intensity items[6];
    const double values[] = { 0, 1, 2, 3, 4, 5 };
    struct intensities known = half_hours(items, values, 6);

    intensities_trim(&known, at_ns(from), at_ns(to));
    ck_assert_uint_eq(known.count, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(known.items[i].start_realtime_s, AT_S + (first + i) * HALF_HOUR_S);
}

/* What tells of the time, and one on either side. */
START_TEST(what_matters_is_left)
{
    trimmed(2, 4, 1, 4);
    trimmed(2.5, 3.5, 1, 4);
    trimmed(0, 1, 0, 2);
    trimmed(0, 6, 0, 6);
    trimmed(5, 6, 4, 2);
    trimmed(8, 9, 5, 1);
    trimmed(3, 3, 2, 2);
}
END_TEST

START_TEST(of_nothing_all_is_yearly)
{
    const struct intensities none = { .count = 0 };
    const struct hourly hourly = hourly_of(&none, at_ns(0), at_ns(2), 0.056);
    const struct hourly_factor price = hourly_factor(&hourly, at_ns(0.25), at_ns(3));

    ck_assert_double_eq(price.kgco2eq_per_kwh, 0.056);
    ck_assert_double_eq(price.part[COVER_YEARLY], 1);
    ck_assert(isnan(hourly.mean_kgco2eq_per_kwh));
}
END_TEST

/* Reads what stands in a file of this content. */
static bool read_table(const char *table, enum factor_basis basis, struct intensity_file *file,
                       struct intensities *found, struct error *err)
{
    bool good;

    enter_folder();
    put("grid.csv", table);
    good = intensity_file_read("./grid.csv", basis, file, found, err);
    leave_folder();
    return good;
}

START_TEST(a_table_of_grams_without_ends)
{
    struct intensity_file file;
    struct intensities found;
    struct error err;

    ck_assert(
        read_table("datetime,gco2eq_per_kwh\n2026-01-01T01:00Z,84.879\n2026-01-01,56\n2026-01-01T02:00+01:00,84.879\n"
                   "2026-01-01T03:00Z,\n2026-01-01T04:00Z,1e2\n",
                   FACTOR_LIFECYCLE, &file, &found, &err));
    ck_assert_uint_eq(found.count, 3);
    ck_assert_uint_eq(found.items[0].start_realtime_s, AT_S);
    ck_assert_uint_eq(found.items[0].end_realtime_s, AT_S + 3600);
    ck_assert_double_eq(found.items[1].kgco2eq_per_kwh, 0.084879);
    ck_assert_double_eq(found.items[2].kgco2eq_per_kwh, 0.1);
    ck_assert_int_eq(found.items[0].kind, INTENSITY_ACTUAL);
    ck_assert_str_eq(file.name, "grid.csv");
    ck_assert_str_eq(file.basis, "");
    intensities_close(&found);
}
END_TEST

START_TEST(a_table_of_carbons_own)
{
    struct intensity_file file;
    struct intensities found;
    struct error err;

    ck_assert(read_table("start,end,kgco2eq_per_kwh,kind,retrieved,zone,basis,scope,gases,method,source_id\n"
                         "2026-01-01T00:00Z,2026-01-01T00:30Z,0.2,estimated,2026-01-02T00:00:01.000Z,GB,direct,"
                         "consumption,co2,average,NESO_CI\n"
                         "2026-01-01T00:00Z,2026-01-01T00:30Z,0.25,forecast,2026-01-02T00:00:01.000Z,GB,direct,"
                         "consumption,co2,average,NESO_CI\n"
                         "2026-01-01T00:30Z,2026-01-01T01:00Z,0.3,forecast,2026-01-03T00:00:01.000Z,GB,direct,"
                         "consumption,co2,average,NESO_CI\n",
                         FACTOR_LIFECYCLE, &file, &found, &err));
    ck_assert_uint_eq(found.count, 2);
    ck_assert_double_eq(found.items[0].kgco2eq_per_kwh, 0.2);
    ck_assert_int_eq(found.items[0].kind, INTENSITY_ESTIMATED);
    ck_assert_int_eq(found.items[1].kind, INTENSITY_FORECAST);
    ck_assert_int_eq(found.basis, FACTOR_DIRECT);
    ck_assert_str_eq(found.zone, "GB");
    ck_assert_str_eq(file.source_id, "NESO_CI");
    ck_assert_uint_eq(found.answers[0].retrieved_realtime_s, AT_S + 2 * 86400 + 1);
    /* the forecast of the first half hour was 0.05 too high */
    CLOSE(found.forecast_error_kgco2eq_per_kwh, 0.05);
    ck_assert_uint_eq(found.forecasts_judged, 1);
    intensities_close(&found);
}
END_TEST

START_TEST(a_lifecycle_of_nothing_is_no_value)
{
    static const char lines[] = "start,end,kgco2eq_per_kwh,basis\n2026-01-01T00:00Z,2026-01-01T01:00Z,0,%s\n"
                                "2026-01-01T01:00Z,2026-01-01T02:00Z,%s,%s\n";
    struct intensity_file file;
    struct intensities found;
    struct error err = { 0 };
    char text[sizeof lines + 64];

    snprintf(text, sizeof text, lines, "lifecycle", "0.2", "lifecycle");
    ck_assert(read_table(text, FACTOR_LIFECYCLE, &file, &found, &err));
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(found.zeros, 1);
    intensities_close(&found);
    /* for an hour nothing may be burnt */
    snprintf(text, sizeof text, lines, "direct", "0.2", "direct");
    ck_assert(read_table(text, FACTOR_DIRECT, &file, &found, &err));
    ck_assert_uint_eq(found.count, 2);
    intensities_close(&found);
    snprintf(text, sizeof text, lines, "lifecycle", "0", "lifecycle");
    ck_assert(!read_table(text, FACTOR_LIFECYCLE, &file, &found, &err));
    ck_assert_str_eq(err.why, "no electricity has a lifecycle of nothing");
    intensities_close(&found);
}
END_TEST

START_TEST(a_table_of_electricity_maps)
{
    static const char content[] = "Datetime (UTC),Country,Zone name,Zone id,Carbon intensity gCO₂eq/kWh (direct),"
                                  "Carbon intensity gCO₂eq/kWh (Life cycle),Data source\n"
                                  "2026-01-01 00:00:00,France,France,FR,20.5,41.25,opendata.reseaux-energies.fr\n"
                                  "2026-01-01 01:00:00,France,France,FR,21.5,42.25,opendata.reseaux-energies.fr\n";
    struct intensity_file file;
    struct intensities found;
    struct error err;

    ck_assert(read_table(content, FACTOR_LIFECYCLE, &file, &found, &err));
    ck_assert_double_eq(found.items[0].kgco2eq_per_kwh, 0.04125);
    ck_assert_str_eq(file.basis, "lifecycle");
    ck_assert_str_eq(file.zone, "FR");
    intensities_close(&found);
    ck_assert(read_table(content, FACTOR_DIRECT, &file, &found, &err));
    ck_assert_double_eq(found.items[1].kgco2eq_per_kwh, 0.0215);
    ck_assert_int_eq(found.basis, FACTOR_DIRECT);
    intensities_close(&found);
}
END_TEST

START_TEST(what_is_no_such_table_is_refused)
{
    static const struct {
        const char *content;
        const char *what, *why; /* of the error */
    } tables[] = {
        { "time,intensity\n2026-01-01,56\n", "grid.csv' is not a table of intensities over time", "kgco2eq_per_kwh" },
        { "hour,gco2eq_per_kwh\n1,56\n", "grid.csv' is not a table of intensities over time", "'start'" },
        { "time,gco2eq_per_kwh\n", "has no intensity", "" },
        { "time,gco2eq_per_kwh\n2026-01-01T00:00Z,\n", "has no intensity", "" },
        { "time,gco2eq_per_kwh\n2026-01-01,56\n", "does not say how long", "no column 'end'" },
        { "time,gco2eq_per_kwh\n2026-01-01,56\n2026-01-03,56\n", "does not say how long", "more than a day" },
        { "time,gco2eq_per_kwh\nnoon,56\n", "line 2, column 1 (start) is malformed", "not a time" },
        { "time,gco2eq_per_kwh\n2026-01-01T00:00:30Z,56\n", "line 2, column 1", "whole minute" },
        { "time,gco2eq_per_kwh\n2026-01-01,many\n", "line 2, column 2 (intensity) is malformed", "not a number" },
        { "time,gco2eq_per_kwh\n2026-01-01,-1\n", "line 2, column 2", "no grid" },
        { "time,kgco2eq_per_kwh\n2026-01-01,56\n", "line 2, column 2", "no grid" },
        { "time,end,gco2eq_per_kwh\n2026-01-02,2026-01-01,56\n", "line 2, column 2 (end)", "not after" },
        { "time,kind,gco2eq_per_kwh\n2026-01-01,guess,56\n", "line 2, column 2 (kind)", "forecast" },
        { "time,zone,gco2eq_per_kwh\n2026-01-01,FR,56\n2026-01-01T01:00,DE,1\n", "line 3, column 2 (zone)", "second" },
        { "time,gco2eq_per_kwh\n2026-01-01,56,7\n", "line 2", "" },
    };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct intensity_file file;
        struct intensities found;
        struct error err = { .kind = ERROR_NONE };

        ck_assert_msg(!read_table(tables[i].content, FACTOR_LIFECYCLE, &file, &found, &err), "%s", tables[i].content);
        ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
        ck_assert_msg(strstr(err.what, tables[i].what) != NULL, "'%s' has no '%s'", err.what, tables[i].what);
        ck_assert_msg(strstr(err.why, tables[i].why) != NULL, "'%s' has no '%s'", err.why, tables[i].why);
        intensities_close(&found);
    }
}
END_TEST

/* What lies in the time, and one beside it on either side: a gap at its edge is told by what it is between. */
START_TEST(trimmed_to_a_time_and_its_neighbours)
{
    struct intensity items[6] = { { .start_realtime_s = 0 } };
    struct intensities known = { .items = items, .count = 6 };

    for (size_t i = 0; i < 6; i++)
        items[i] = (struct intensity){ .start_realtime_s = 3600 * i, .end_realtime_s = 3600 * (i + 1) };
    intensities_trim(&known, 9000 * NS_PER_S_INT, 12600 * NS_PER_S_INT); /* 2.5 to 3.5 h */
    ck_assert_uint_eq(known.count, 4);
    ck_assert_uint_eq(known.items[0].start_realtime_s, 3600);
    ck_assert_uint_eq(known.items[3].start_realtime_s, 4 * 3600);
    intensities_trim(&known, 0, 7200 * NS_PER_S_INT); /* nothing is before, and its end is no part of it */
    ck_assert_uint_eq(known.count, 2);
    ck_assert_uint_eq(known.items[1].start_realtime_s, 7200);
}
END_TEST

UNIT_SUITE("hourly", each_time_has_its_own_price, an_edge_belongs_to_what_begins, one_missing_interval_is_held,
           a_longer_gap_is_yearly_or_a_mean, a_gap_is_as_long_as_it_is, pieces_of_a_time, the_mean_of_what_is_told,
           what_matters_is_left, of_nothing_all_is_yearly, a_table_of_grams_without_ends, a_table_of_carbons_own,
           a_lifecycle_of_nothing_is_no_value, a_table_of_electricity_maps, what_is_no_such_table_is_refused,
           trimmed_to_a_time_and_its_neighbours)
