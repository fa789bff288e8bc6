/* SPDX-License-Identifier: MIT
 * Records of time series alone: the windows, their energies to the microjoule, and what a kill leaves. */
#include "noticed.h"
#include "unit.h"

#include "output_folder.h"

#include "base/units.h"
#include "commands/history/record_from_samples.h"

#include <math.h>

#define HEADER "timestamp,time_s,phase,run,package-0_uj,core-0_uj,dram-0_uj,perf:package-0_uj,board_uj\n"
#define AT(S, TIME) "2026-11-28T10:00:0" S ".000Z," TIME ","

static const struct machine machine = { .cpus_online = 8, .cpu_limit = 0 };

static struct loaded_record *recovered(const char *series)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct error err;

    put("s.csv", series);
    ck_assert_msg(record_from_samples("s.csv", &machine, SCOPE_COMPUTE, loaded, &err), "%s: %s", err.what, err.why);
    loaded->report.factor.kgco2eq_per_kwh = 0.1;
    loaded->report.pue = 1;
    report_finish(&loaded->report);
    return loaded;
}

static void release(struct loaded_record *loaded)
{
    loaded_record_close(loaded);
    free(loaded);
}

static void refused(const char *series, const char *what, const char *why)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct error err = { .kind = ERROR_NONE };

    put("s.csv", series);
    ck_assert(!record_from_samples("s.csv", &machine, SCOPE_COMPUTE, loaded, &err));
    release(loaded);
    ck_assert_msg(strstr(err.what, what) && strstr(err.why, why), "%s: %s", err.what, err.why);
}

static bool reported(const struct loaded_record *loaded, const char *what)
{
    return notices_say(&loaded->report.all_notices, what);
}

#define BASELINE                                                                                                       \
    AT("1", "1")                                                                                                       \
    "baseline,1,1000000,0,500000,1000000,7\n" AT("2", "2") "baseline,1,2000000,0,700000,2000000,7\n" AT(               \
        "3", "3") "baseline,1,3000000,0,900000,3000000,7\n"
#define FIRST_RUN                                                                                                      \
    AT("3", "3")                                                                                                       \
    "run,1,3000000,0,900000,3000000,7\n" AT("4", "4.5") "run,1,9000000,,,,\n" AT(                                      \
        "5", "5") "run,1,13000000,0,1700000,13000000,7\n"

/* 2 s: package 10 J, dram 0.8 J; idle 1 W and 0.2 W. */
START_TEST(energies)
{
    struct loaded_record *loaded;

    enter_folder();
    loaded = recovered(HEADER BASELINE FIRST_RUN AT("5", "5") "cooldown,1,13000000,0,1700000,13000000,7\n");
    const struct summary *summary = &loaded->report.summary;
    ck_assert_uint_eq(loaded->meter.domain_count, 5);
    ck_assert(loaded->counting.is_counted[0] && loaded->counting.is_counted[2] && loaded->counting.counted == 2);
    ck_assert_uint_eq(loaded->measurement.baseline_count, 1);
    ck_assert_uint_eq(loaded->measurement.run_count, 1);
    ck_assert(loaded->measurement.runs[0].ended && !loaded->report.complete && !loaded->report.exit_known);
    ck_assert_uint_eq(loaded->measurement.runs[0].window.energy_uj[0], 10000000);
    ck_assert_uint_eq(loaded->measurement.runs[0].window.duration_ns, 2 * NS_PER_S_INT);
    ck_assert_double_eq_tol(summary->total.gross_j.mean, 10.8, 1e-12);
    ck_assert_double_eq_tol(summary->total.idle_j.mean, 2.4, 1e-12);
    ck_assert_double_eq_tol(summary->total.net_j.mean, 8.4, 1e-12);
    ck_assert_int_eq(summary->quality, QUALITY_UNKNOWN);
    ck_assert_double_eq_tol(loaded->report.gross.footprint.kgco2eq, 10.8 / 3.6e6 * 0.1, 1e-18);
    ck_assert(loaded->report.started_realtime_ns == UINT64_C(1795860000) * NS_PER_S_INT);
    ck_assert(loaded->report.ended_realtime_ns == UINT64_C(1795860005) * NS_PER_S_INT);
    ck_assert(reported(loaded, "recovered from a time series"));
    ck_assert(!reported(loaded, "the last line of the series was left out"));
    ck_assert_str_eq(loaded->meter.domains[3].source->driver->name, "perf");
    release(loaded);
    leave_folder();
}
END_TEST

/* Killed within a run, and within a line. */
START_TEST(killed)
{
    static const char *const torn[] = {
        "2026",
        AT("6", "6") "ru",
        AT("6", "6") "run,2,14000000,0,1800000,14000000,",
        AT("6", "6") "run,2,2",
        AT("6", "6") "run,2,99000000,0,1800000,14000000,7",
    };
    char id[40] = "", series[2048];

    enter_folder();
    for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++) {
        struct loaded_record *loaded;
        snprintf(series, sizeof series, "%s%s",
                 HEADER BASELINE FIRST_RUN AT("5", "5") "run,2,13000000,0,1700000,13000000,7\n" AT(
                     "5", "5.5") "run,2,13500000,0,1700000,13500000,7\n",
                 torn[i]);
        loaded = recovered(series);
        ck_assert_uint_eq(loaded->measurement.run_count, 2);
        ck_assert(loaded->measurement.runs[0].ended && !loaded->measurement.runs[1].ended);
        ck_assert_uint_eq(loaded->measurement.runs[1].window.energy_uj[0], 500000);
        ck_assert_uint_eq(loaded->measurement.runs[1].window.duration_ns, NS_PER_S_INT / 2);
        ck_assert(reported(loaded, "the last line of the series was left out"));
        if (id[0])
            ck_assert_str_eq(loaded->report.id, id);
        memcpy(id, loaded->report.id, sizeof id);
        release(loaded);
    }
    leave_folder();
}
END_TEST

/* A domain that was not read at the start of a window has no figure there. */
START_TEST(unread)
{
    struct loaded_record *loaded;

    enter_folder();
    loaded = recovered(
        HEADER BASELINE AT("3", "3") "run,1,3000000,0,,3000000,7\n" AT("4", "4") "run,1,4000000,0,1000000,4000000,7\n");
    ck_assert(loaded->measurement.runs[0].window.known[0] && !loaded->measurement.runs[0].window.known[2]);
    ck_assert_uint_eq(loaded->report.summary.counted_unknown, 1);
    ck_assert_double_eq_tol(loaded->report.summary.total.gross_j.mean, 1, 1e-12);
    release(loaded);
    leave_folder();
}
END_TEST

/* With a column for holes; each line without its first field. */
static const char *series_of(const char *const *lines, size_t count, char series[2048])
{
    int length = snprintf(series, 2048, "timestamp,time_s,phase,run,package-0_uj,dram-0_uj,holes\n");

    for (size_t i = 0; i < count; i++)
        length += snprintf(series + length, 2048 - (size_t)length, "2026-11-28T10:00:00.000Z,%s\n", lines[i]);
    return series;
}

#define SERIES(LINES) series_of(LINES, sizeof(LINES) / sizeof((LINES)[0]), (char[2048]){ "" })

/* The package was not read from 4 to 6 s, and its counter began again; memory at the end of the first run not, after 7
 * s, though in between. What a window lacks is what grew in it. */
START_TEST(holes)
{
    static const char *const lines[] = {
        "1,baseline,1,0,0,",
        "3,baseline,1,2000000,1000000,",
        "3,run,1,2000000,1000000,",
        "6,run,1,30000000,3000000,package-0 reset 2",
        "8,run,1,60000000,3500000,package-0 reset 2; dram-0 failed 1 cut",
        "8,run,2,60000000,3500000,package-0 reset 2; dram-0 failed 1 cut",
        "9,run,2,90000000,9000000,package-0 reset 2; dram-0 failed 1.25",
    };
    struct loaded_record *loaded;
    const struct window *first, *second;

    enter_folder();
    loaded = recovered(SERIES(lines));
    first = &loaded->measurement.runs[0].window;
    second = &loaded->measurement.runs[1].window;
    ck_assert(first->known[0] && first->known[1] && second->known[0] && second->known[1]);
    ck_assert_uint_eq(first->energy_uj[0], 58000000);
    ck_assert_uint_eq(first->unknown_ns[0], 2 * NS_PER_S_INT);
    ck_assert_int_eq(first->hole[0], HOLE_RESET);
    ck_assert_uint_eq(first->energy_uj[1], 2500000);
    ck_assert_uint_eq(first->unknown_ns[1], NS_PER_S_INT);
    ck_assert_int_eq(first->hole[1], HOLE_FAILED);
    ck_assert_uint_eq(second->unknown_ns[0], 0);
    ck_assert_int_eq(second->hole[0], HOLE_NONE);
    ck_assert_uint_eq(second->unknown_ns[1], NS_PER_S_INT / 4);
    ck_assert(loaded->report.summary.at_least);
    ck_assert(isnan(loaded->report.summary.total.net_j.mean));
    release(loaded);
    leave_folder();
}
END_TEST

/* Killed while memory was not read: what it used since is not known. */
START_TEST(killed_in_a_hole)
{
    static const char *const lines[] = { "1,run,1,0,0,", "2,run,1,9000000,1000000,dram-0 failed 0.25",
                                         "2.5,run,1,12000000,,dram-0 failed 0.25" };
    struct loaded_record *loaded;
    const struct window *window;

    enter_folder();
    loaded = recovered(SERIES(lines));
    window = &loaded->measurement.runs[0].window;
    ck_assert_uint_eq(window->energy_uj[1], 1000000);
    ck_assert_uint_eq(window->unknown_ns[1], NS_PER_S_INT * 3 / 4);
    ck_assert_int_eq(window->hole[1], HOLE_FAILED);
    ck_assert_uint_eq(window->unknown_ns[0], 0);
    release(loaded);
    leave_folder();
}
END_TEST

START_TEST(no_holes)
{
    static const char *const malformed[] = { "1,run,1,0,0,package-0 reset", "2,run,1,1,1," };
    static const char *const shrinks[] = { "1,run,1,0,0,package-0 reset 2", "2,run,1,1,1,package-0 reset 1",
                                           "3,run,1,1,1," };

    enter_folder();
    refused(SERIES(malformed), "line 2, column 7 (holes)", "'DOMAIN REASON SECONDS'");
    refused(SERIES(shrinks), "line 3, column 7 (holes)", "shorter than before");
    leave_folder();
}
END_TEST

/* A run without a hole stands for one with. */
START_TEST(a_run_with_a_hole_is_left_out)
{
    static const char *const lines[] = {
        "1,run,1,0,0,",
        "2,run,1,5000000,1000000,package-0 reset 0.5",
        "3,run,2,5000000,1000000,package-0 reset 0.5",
        "4,run,2,25000000,2000000,package-0 reset 0.5",
        "5,cooldown,1,25000000,2000000,package-0 reset 0.5",
    };
    struct loaded_record *loaded;

    enter_folder();
    loaded = recovered(SERIES(lines));
    ck_assert(loaded->measurement.runs[0].left_out && !loaded->measurement.runs[1].left_out);
    ck_assert(!loaded->report.summary.at_least);
    ck_assert_double_eq_tol(loaded->report.summary.total.gross_j.mean, 21, 1e-12);
    release(loaded);
    leave_folder();
}
END_TEST

#define TWO "timestamp,time_s,phase,run,package-0_uj,core-0_uj,package-1_uj\n"

/* Two packages that report the same joules to the last digit, and cores above theirs. */
START_TEST(contradicted)
{
    struct loaded_record *loaded;

    enter_folder();
    loaded = recovered(TWO AT("1", "1") "baseline,1,0,0,0\n" AT("2", "2") "baseline,1,11000000,12000000,11000000\n" AT(
        "2",
        "2") "run,1,11000000,12000000,11000000\n" AT("3",
                                                     "3") "run,1,51000000,62000000,51000000\n" AT("3",
                                                                                                  "3") "cooldown,1,"
                                                                                                       "51000000,"
                                                                                                       "62000000,"
                                                                                                       "51000000\n");
    ck_assert_double_eq(loaded->report.summary.total.gross_j.mean, 40);
    ck_assert_double_eq(loaded->report.summary.total.idle_j.mean, 11);
    ck_assert(isnan(loaded->report.summary.domains[1].gross_j.mean));
    ck_assert(reported(loaded, "total incomplete: package-0 and package-1 report the same joules, and one of them is "
                               "counted"));
    ck_assert(reported(loaded, "core-0 used 62.0 J, more than package-0, which contains it (51.0 J)"));
    release(loaded);
    leave_folder();
}
END_TEST

START_TEST(nothing_to_recover)
{
    enter_folder();
    refused(HEADER BASELINE, "'s.csv' holds no run", "had not been started");
    refused(HEADER BASELINE AT("3", "3") "run,1,3000000,0,900000,3000000,7\n", "holds no run", "less than an interval");
    refused("schema,id\n1,2\n", "is not a time series of carbon", "'timestamp'");
    refused(HEADER BASELINE "x\n" FIRST_RUN, "'s.csv' line 5 is malformed", "the header has 9 columns, this line 1");
    refused(HEADER BASELINE AT("4", "4") "run,1,1,0,900000,3000000,7\n" FIRST_RUN, "line 5, column 5 (energy)", "less");
    refused(HEADER BASELINE AT("2", "2") "run,1,3000000,0,900000,3000000,7\n" FIRST_RUN, "line 5, column 2 (time_s)",
            "before the line above");
    refused("timestamp,time_s,phase,run,board_uj\n" AT("1", "1") "run,1,0\n" AT("2", "2") "run,1,5\n",
            "no processor energy can be read", "no domain");
    leave_folder();
}
END_TEST

UNIT_SUITE("recover", energies, killed, unread, holes, killed_in_a_hole, no_holes, a_run_with_a_hole_is_left_out,
           contradicted, nothing_to_recover)
