/* SPDX-License-Identifier: MIT
 * Phases: they add up to their run, and over several runs to figures worked out by hand. */
#include "noticed.h"
#include "unit.h"

#include "phase_fixture.h"

#include "base/units.h"

#include <math.h>

START_TEST(a_run_is_divided_at_its_marks)
{
    struct sample sample = sample_at(1000, 5000000, 70, 0);
    struct phase_book *book = book_new(&sample);
    struct phases *phases;

    sample = sample_at(1500, 5000001, 70, 0);
    phase_book_mark(book, MARK_WRITTEN, "load", &sample);
    sample = sample_at(2500, 5100001, 71, 0);
    phase_book_mark(book, MARK_MATCHED, "solve", &sample);
    phase_book_mark(book, MARK_MATCHED, "", &sample); /* read together with the one before */
    sample = sample_at(2600, 5100003, 71, 0);
    phase_book_mark(book, MARK_WRITTEN, "load", &sample);
    sample = sample_at(4600, 5100010, 80, 0);
    phase_book_close(book, &sample);
    phases = phase_book_copy(book);
    free(book);

    ck_assert_uint_eq(phases->count, 4);
    ck_assert_str_eq(phases->items[0].name, "(before the first mark)");
    ck_assert_uint_eq(phases->items[0].energy_uj[0], 1);
    ck_assert_uint_eq(phases->items[0].duration_ns, 500);
    ck_assert_uint_eq(phase_named(phases, "load")->times, 2);
    ck_assert_uint_eq(phase_named(phases, "load")->energy_uj[0], 100007);
    ck_assert_uint_eq(phase_named(phases, "load")->energy_uj[1], 10);
    ck_assert_uint_eq(phase_named(phases, "load")->duration_ns, 3000);
    ck_assert_uint_eq(phase_named(phases, "solve")->times, 1);
    ck_assert_uint_eq(phase_named(phases, "solve")->duration_ns, 0);
    ck_assert_uint_eq(phase_named(phases, "(no phase)")->energy_uj[0], 2);
    ck_assert_uint_eq(phases->origins[MARK_WRITTEN], 2);
    ck_assert_uint_eq(phases->origins[MARK_MATCHED], 2);
    ck_assert_uint_eq(phases->mark_count, 4);
    ck_assert_uint_eq(phases->marks[1].at_ns, 1500);
    ck_assert_str_eq(phases->items[phases->marks[3].phase].name, "load");
    phases_free(phases);
}
END_TEST

/* Names, energies and moments by chance. */
START_TEST(phases_add_up_to_the_last_microjoule)
{
    const struct sample opening = sample_at(77, UINT64_C(1) << 60, 3, 9);
    struct sample sample = opening;
    struct phase_book *book = book_new(&opening);
    struct phase sum = { .times = 0 };
    struct window window;
    uint64_t state = 1;

    for (int i = 0; i < 20000; i++) {
        char name[MARK_NAME_SIZE];
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sample.time_ns += state >> 40;
        sample.energy_uj[0] += state >> 30 & 0xffff;
        sample.energy_uj[1] += state >> 50 & 0x3;
        snprintf(name, sizeof name, "phase %u", (unsigned)(state >> 33) % 150);
        phase_book_mark(book, MARK_WRITTEN, name, &sample);
    }
    sample.time_ns += 1;
    phase_book_close(book, &sample);
    ck_assert_uint_eq(book->phases.count, PHASES_MAX + 1);
    ck_assert_str_eq(book->items[PHASES_MAX].name, "(other phases)");
    ck_assert_uint_eq(book->phases.mark_count, PHASE_MARKS_MAX);
    for (size_t i = 0; i < book->phases.count; i++) {
        sum.times += book->items[i].times;
        sum.duration_ns += book->items[i].duration_ns;
        for (size_t d = 0; d < ENERGY_MAX_DOMAINS; d++)
            sum.energy_uj[d] += book->items[i].energy_uj[d];
    }
    window = window_between(&opening, &sample);
    ck_assert_uint_eq(sum.times, 20001);
    ck_assert_uint_eq(sum.duration_ns, window.duration_ns);
    for (size_t d = 0; d < ENERGY_MAX_DOMAINS; d++)
        ck_assert_uint_eq(sum.energy_uj[d], window.energy_uj[d]);
    free(book);
}
END_TEST

START_TEST(a_reading_that_failed_at_a_mark_leaves_both_sides_unknown)
{
    struct sample sample = sample_at(0, 0, 0, 0);
    struct phase_book *book = book_new(&sample);

    sample = sample_at(1000, 10, 0, 0);
    phase_book_mark(book, MARK_WRITTEN, "a", &sample);
    sample = sample_at(2000, 10, 5, 0); /* the last total of the package stands */
    sample.read[0] = 0;
    phase_book_mark(book, MARK_WRITTEN, "b", &sample);
    sample = sample_at(3000, 40, 7, 0);
    phase_book_mark(book, MARK_WRITTEN, "c", &sample);
    sample = sample_at(4000, 45, 7, 0);
    phase_book_close(book, &sample);
    ck_assert(book->items[0].known[0] && !book->items[1].known[0] && !book->items[2].known[0]);
    ck_assert(book->items[3].known[0] && book->items[1].known[1] && book->items[2].known[1]);
    ck_assert_uint_eq(book->items[3].energy_uj[0], 5);
    free(book);
}
END_TEST

static bool noticed(const struct report *report, const char *words)
{
    return notices_have(&report->all_notices, words);
}

/* Idle is 30 + 8 W; run 1 has net 550 J, run 2 574 J. */
START_TEST(runs_are_summed_up_by_name)
{
    struct fixture *fixture = divided();
    const struct phase_summary *row;
    double part = 0;

    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.phases.count, 5);
    row = row_named(&fixture->report, "load"); /* 120 J in 2 s and 174 J in 3 s */
    ck_assert_uint_eq(row->runs, 2);
    ck_assert_double_eq(row->times, 1);
    ck_assert_double_eq(row->duration_s.mean, 2.5);
    ck_assert_double_eq_tol(row->gross_j.mean, 147, 1e-9);
    ck_assert_double_eq_tol(row->gross_j.deviation, 54 / sqrt(2), 1e-9);
    ck_assert_double_eq_tol(row->idle_j.mean, 95, 1e-9);
    ck_assert_double_eq_tol(row->net_j.mean, 52, 1e-9);
    ck_assert_double_eq_tol(row->gross_w, 58.8, 1e-9);
    ck_assert_double_eq_tol(row->net_w, 20.8, 1e-9);
    ck_assert_double_eq_tol(row->part, 104.0 / 1124, 1e-12);
    ck_assert(!row->below_resolution);
    row = row_named(&fixture->report, "solve"); /* in the first run alone, twice: 809.25 J in 7.996 s */
    ck_assert_uint_eq(row->runs, 1);
    ck_assert_double_eq(row->times, 2);
    ck_assert_double_eq_tol(row->gross_j.mean, 809.25, 1e-9);
    ck_assert_double_eq_tol(row->net_j.mean, 809.25 - 38 * 7.996, 1e-9);
    row = row_named(&fixture->report, "flush"); /* two stays of 2 ms; the meter is refreshed every 1 ms */
    ck_assert(row->below_resolution && isnan(row->gross_w) && isnan(row->net_w));
    ck_assert_double_eq_tol(row->gross_j.mean, 0.75, 1e-9);
    ck_assert(noticed(&fixture->report, "phase 'flush' is below resolution: its stays are under 10.0 ms"));
    ck_assert(!noticed(&fixture->report, "no mark came"));
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_NET_J);
    for (size_t i = 0; i < fixture->report.phases.count; i++)
        part += fixture->report.phases.items[i].part;
    ck_assert_double_eq_tol(part, 1, 1e-12);
    finish(fixture);
}
END_TEST

/* Idle that drifts is told by where the run's middle lies, for each of its phases alike. */
START_TEST(energies_of_phases_add_up_to_those_of_the_run)
{
    struct fixture *fixture = divided();
    const struct run *run = &fixture->runs[0];
    struct energies sum = { 0, 0, 0 }, whole;
    struct run_summary summary;

    fixture->baselines[1].energy_uj[0] *= 2;
    report_finish(&fixture->report);
    summary = run_summary_of(&fixture->report, 0);
    whole = (struct energies){ summary.gross_j, summary.idle_j, summary.net_j };
    for (size_t i = 0; i < run->phases->count; i++) {
        const struct energies energies = phase_energies(&fixture->measurement, run, &run->phases->items[i]);
        sum.gross_j += energies.gross_j;
        sum.idle_j += energies.idle_j;
        sum.net_j += energies.net_j;
    }
    ck_assert_double_eq_tol(whole.idle_j, (30 + 60) / 2.0 * 10 + 80, 1e-9);
    ck_assert_double_eq_tol(sum.gross_j, whole.gross_j, 1e-9);
    ck_assert_double_eq_tol(sum.idle_j, whole.idle_j, 1e-9);
    ck_assert_double_eq_tol(sum.net_j, whole.net_j, 1e-9);
    finish(fixture);
}
END_TEST

START_TEST(without_a_baseline_parts_are_of_gross)
{
    struct fixture *fixture = divided();

    fixture->measurement.baseline_count = 0;
    report_finish(&fixture->report);
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_GROSS_J);
    ck_assert_double_eq_tol(row_named(&fixture->report, "load")->part, 294.0 / 1884, 1e-12);
    ck_assert(isnan(row_named(&fixture->report, "load")->net_j.mean));
    finish(fixture);
}
END_TEST

/* Of "load" half a second is not known of the package in the second run, which alone counts: it is a lower bound, its
 * idle that of the known time; "save" beside it is as it was. */
START_TEST(a_hole_is_in_the_phase_that_has_it)
{
    struct fixture *fixture = divided();
    const struct phase_summary *load;
    double gross_j, net_j;

    fixture->runs[0].warmup = true;
    report_finish(&fixture->report);
    load = row_named(&fixture->report, "load");
    gross_j = load->gross_j.mean;
    net_j = row_named(&fixture->report, "save")->net_j.mean;
    ck_assert(isfinite(net_j) && isfinite(load->net_j.mean) && !load->at_least);
    fixture->measurement.phases->items[1].unknown_ns[FIXTURE_PACKAGE] = FIXTURE_S / 2;
    fixture->measurement.phases->items[1].hole[FIXTURE_PACKAGE] = HOLE_RESET;
    fixture->runs[1].window.unknown_ns[FIXTURE_PACKAGE] = FIXTURE_S / 2;
    fixture->runs[1].window.hole[FIXTURE_PACKAGE] = HOLE_RESET;
    report_finish(&fixture->report);
    load = row_named(&fixture->report, "load");
    ck_assert(load->at_least && load->gross_j.mean == gross_j && isnan(load->net_j.mean) && isnan(load->gross_w));
    load = row_named(&fixture->report, "save");
    ck_assert(!load->at_least && load->net_j.mean == net_j && isnan(load->part)); /* of what is not known */
    finish(fixture);
}
END_TEST

START_TEST(warmups_and_unknown_readings_are_left_out)
{
    struct fixture *fixture = divided();

    fixture->runs[0].warmup = true;
    fixture->measurement.phases->items[1].known[FIXTURE_DRAM] = 0; /* of "load", in the second run */
    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.phases.count, 3);
    ck_assert(isnan(row_named(&fixture->report, "load")->gross_j.mean));
    ck_assert_double_eq(row_named(&fixture->report, "load")->duration_s.mean, 3);
    ck_assert_double_eq_tol(row_named(&fixture->report, "save")->gross_j.mean, 780, 1e-9);
    finish(fixture);
}
END_TEST

START_TEST(what_was_asked_for_and_did_not_come_is_told)
{
    static const struct marks_options both = { .written = true, .matched = true, .phrase = "^step" };
    struct fixture *fixture = fixture_new();

    fixture->measurement.marks = &both;
    divide(fixture, 0, NULL, 0);
    fixture->measurement.run_count = 1;
    report_finish(&fixture->report);
    ck_assert(noticed(&fixture->report, "no mark came from the command"));
    ck_assert(noticed(&fixture->report, "no line of standard error matched '^step'"));
    finish(fixture);
}
END_TEST

/* Names that differ from run to run are as many as one run may have. */
START_TEST(rows_are_bounded_over_the_runs)
{
    struct fixture *fixture = fixture_new();
    char names[2][50][16];
    double duration_s = 0;

    fixture->measurement.marks = &asked;
    for (size_t i = 0; i < 2; i++) {
        struct stay stays[50];
        for (size_t s = 0; s < 50; s++) {
            snprintf(names[i][s], sizeof names[i][s], "run %zu-%zu", i, s);
            stays[s] = (struct stay){ .name = names[i][s], .ms = 200, .package_mj = 16000, .dram_mj = 2600 };
        }
        divide(fixture, i, stays, 50);
    }
    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.phases.count, PHASES_MAX + 1);
    for (size_t i = 0; i < fixture->report.phases.count; i++) {
        const struct phase_summary *row = &fixture->report.phases.items[i];
        duration_s += row->duration_s.mean * (double)row->runs;
    }
    ck_assert_double_eq_tol(duration_s, 20, 1e-9);
    ck_assert_double_eq_tol(row_named(&fixture->report, "(other phases)")->duration_s.mean, 0.2 * (50 - 13), 1e-9);
    ck_assert(noticed(&fixture->report, "only 64 phases are distinguished"));
    finish(fixture);
}
END_TEST

/* With what is before the first mark so many are told apart; one more is another. */
START_TEST(as_many_rows_as_there_is_room_for)
{
    static const struct stay later[] = { { "one more", 10000, 820000, 134000, 0 } };
    struct fixture *fixture = fixture_new();
    char names[PHASES_MAX - 1][16];
    struct stay stays[PHASES_MAX - 1];

    fixture->measurement.marks = &asked;
    for (size_t s = 0; s < PHASES_MAX - 1; s++) {
        snprintf(names[s], sizeof names[s], "step %zu", s);
        stays[s] = (struct stay){ .name = names[s], .ms = 100, .package_mj = 8000, .dram_mj = 1300 };
    }
    divide(fixture, 0, stays, PHASES_MAX - 1);
    fixture->measurement.run_count = 1;
    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.phases.count, PHASES_MAX);
    ck_assert_str_eq(fixture->report.phases.items[PHASES_MAX - 1].name, names[PHASES_MAX - 2]);
    ck_assert(!noticed(&fixture->report, "phases are distinguished"));
    ck_assert_uint_eq(fixture->report.phases.origins[MARK_WRITTEN], PHASES_MAX - 1);
    divide(fixture, 1, later, 1);
    fixture->measurement.run_count = 2;
    report_finish(&fixture->report);
    ck_assert_uint_eq(fixture->report.phases.count, PHASES_MAX + 1);
    ck_assert_double_eq_tol(row_named(&fixture->report, "(other phases)")->gross_j.mean, 954, 1e-9);
    ck_assert(noticed(&fixture->report, "only 64 phases are distinguished"));
    ck_assert_uint_eq(fixture->report.phases.origins[MARK_WRITTEN], PHASES_MAX);
    finish(fixture);
}
END_TEST

/* Ten updates of 1 ms are enough for a power: 0.16 + 0.1 J in each of two stays of 10 ms, over 30 + 8 W idle. */
START_TEST(a_stay_of_ten_updates_has_a_power)
{
    static const struct stay stays[] = {
        { "a", 10, 160, 100, 0 }, { "b", 9979, 799678, 129799, 0 }, { "a", 10, 160, 100, 0 }, { "", 1, 2, 1, 0 }
    };
    struct fixture *fixture = fixture_new();
    const struct phase_summary *row;

    fixture->measurement.marks = &asked;
    divide(fixture, 0, stays, 4);
    fixture->measurement.run_count = 1;
    fixture_be_steady(fixture, 38);
    report_finish(&fixture->report);
    row = row_named(&fixture->report, "a");
    ck_assert(!row->below_resolution && row->times == 2);
    ck_assert_double_eq_tol(row->gross_w, 26, 1e-9);
    ck_assert_double_eq_tol(row->idle_j.mean, 0.76, 1e-9);
    ck_assert_double_eq_tol(row->net_w, -12, 1e-9);
    ck_assert_double_eq_tol(row->part, -0.24 / 550, 1e-12);
    ck_assert(row_named(&fixture->report, "(no phase)")->below_resolution &&
              row_named(&fixture->report, "(before the first mark)")->below_resolution);
    ck_assert(!noticed(&fixture->report, "below resolution")); /* of neither, for nobody named them */
    fixture->measurement.phases->items[1].duration_ns--;
    report_finish(&fixture->report);
    ck_assert(row_named(&fixture->report, "a")->below_resolution);
    ck_assert(noticed(&fixture->report, "phase 'a' is below resolution"));
    finish(fixture);
}
END_TEST

/* One stay of 15 ms in each of two runs: what they have together is held against ten updates of both. */
START_TEST(stays_of_several_runs)
{
    static const struct stay stays[] = { { "a", 15, 160, 100, 0 }, { "b", 9985, 799840, 129900, 0 } };
    struct fixture *fixture = fixture_new();
    const struct phase_summary *row;

    fixture->measurement.marks = &asked;
    divide(fixture, 0, stays, 2);
    divide(fixture, 1, stays, 2);
    report_finish(&fixture->report);
    row = row_named(&fixture->report, "a");
    ck_assert_uint_eq(row->runs, 2);
    ck_assert(!row->below_resolution && row->times == 1);
    ck_assert_double_eq_tol(row->gross_w, 0.26 / 0.015, 1e-9);
    finish(fixture);
}
END_TEST

/* 0.3 + 0.2 J in all, of which there are 0.1 + 0.1 J in a. */
START_TEST(parts_of_half_a_joule)
{
    static const struct stay stays[] = { { "a", 5000, 100, 100, 0 }, { "b", 5000, 200, 100, 0 } };
    struct fixture *fixture = fixture_new();

    fixture->measurement.marks = &asked;
    for (size_t i = 0; i < 2; i++) /* idle it uses nothing */
        memset(fixture->baselines[i].energy_uj, 0, sizeof fixture->baselines[i].energy_uj);
    fixture->measurement.run_count = 1;
    fixture->runs[0].window.energy_uj[FIXTURE_PACKAGE] = 300000;
    fixture->runs[0].window.energy_uj[FIXTURE_DRAM] = 200000;
    divide(fixture, 0, stays, 2);
    fixture_be_steady(fixture, 0);
    report_finish(&fixture->report);
    ck_assert_int_eq(fixture->report.phases.part_of, FIGURE_NET_J);
    ck_assert_double_eq_tol(row_named(&fixture->report, "a")->part, 0.4, 1e-12);
    ck_assert_double_eq_tol(row_named(&fixture->report, "b")->part, 0.6, 1e-12);
    fixture->runs[0].window.energy_uj[FIXTURE_PACKAGE] = fixture->runs[0].window.energy_uj[FIXTURE_DRAM] = 0;
    report_finish(&fixture->report);
    ck_assert(isnan(row_named(&fixture->report, "a")->part));
    finish(fixture);
}
END_TEST

/* "solve" has what came between its marks, and what the end tells beyond the last; a mark at which nothing was told
 * leaves both sides unknown. */
START_TEST(cpu_time_is_divided_too)
{
    struct sample sample = sample_at(0, 0, 0, 0);
    struct phase_book *book = book_new(&sample);
    const struct usage_value reported[] = { { true, 30, "" }, { true, 100, "" }, { false, 0, "" }, { true, 150, "" } };
    const char *const names[] = { "load", "solve", "save", "solve" };

    for (size_t i = 0; i < 4; i++) {
        phase_book_used(book, &reported[i]);
        phase_book_mark(book, MARK_WRITTEN, names[i], &sample);
    }
    phase_book_used(book, &(struct usage_value){ true, 149, "rusage" }); /* a tick less than was seen */
    ck_assert_uint_eq(phase_named(&book->phases, PHASE_BEFORE)->cpu_ns, 30);
    ck_assert_uint_eq(phase_named(&book->phases, "load")->cpu_ns, 70);
    ck_assert(phase_named(&book->phases, "load")->cpu_known);
    ck_assert(!phase_named(&book->phases, "solve")->cpu_known && !phase_named(&book->phases, "save")->cpu_known);
    free(book);
}
END_TEST

START_TEST(the_table_has_a_row_for_each)
{
    static const char expected[] =
        "  phase                    times  duration     gross      idle                net     gross    of net\n"
        "  (before the first mark)      1       0 s       0 J       0 J          0 J ± 0 J         -     0.0 %\n"
        "  load                         1    2.50 s     147 J    95.0 J    52.0 J ± 11.3 J    58.8 W     9.3 %\n"
        "  solve                        2    8.00 s     809 J     304 J              505 J     101 W    45.0 %\n"
        "  flush                        2   4.00 ms    750 mJ    152 mJ             598 mJ         -     0.1 %\n"
        "  save                         1    7.00 s     780 J     266 J              514 J     111 W    45.7 %\n";
    struct fixture *fixture = divided();
    char *text;

    report_finish(&fixture->report);
    text = fixture_write(fixture, &table_format);
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    free(text);
    finish(fixture);
}
END_TEST

UNIT_SUITE("phases", a_run_is_divided_at_its_marks, phases_add_up_to_the_last_microjoule,
           a_reading_that_failed_at_a_mark_leaves_both_sides_unknown, runs_are_summed_up_by_name,
           energies_of_phases_add_up_to_those_of_the_run, without_a_baseline_parts_are_of_gross,
           a_hole_is_in_the_phase_that_has_it, warmups_and_unknown_readings_are_left_out,
           what_was_asked_for_and_did_not_come_is_told, rows_are_bounded_over_the_runs,
           as_many_rows_as_there_is_room_for, a_stay_of_ten_updates_has_a_power, stays_of_several_runs,
           parts_of_half_a_joule, cpu_time_is_divided_too, the_table_has_a_row_for_each)
