/* SPDX-License-Identifier: MIT
 * Rows between looks, their averages and maxima, and what follows from them by CPOST's rule. */
#include "unit.h"

#include "base/cpu_ticks.h"
#include "base/units.h"
#include "commands/pipeline/pipeline_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

/* Real outputs and what CPOST 0.8.1 printed of them: average, maximum, request. */
START_TEST(captured_rows_give_the_captured_tables)
{
    static const struct {
        const char *file, *cells[4];
        unsigned cpu;
        unsigned memory_mb;
    } captured[] = {
        { "reader", { "47.218 %", "74.074 %", "0.418 MB", "0.469 MB" }, 1, 256 },
        { "inference", { "35.528 %", "79.479 %", "131.275 MB", "227.074 MB" }, 1, 512 },
    };

    for (size_t i = 0; i < sizeof captured / sizeof captured[0]; i++) {
        const char *shared = unit_shared();
        char path[4096], line[256], cell[PIPELINE_CELL];
        struct step_samples rows;
        struct request request;
        FILE *file;

        if (!shared) {
            fputs("SKIPPED: captured rows: no shared test data\n", stderr);
            return;
        }
        snprintf(path, sizeof path, "%s/cases/cpost/runs/%s_final_result.csv", shared, captured[i].file);
        file = fopen(path, "r");
        ck_assert_ptr_nonnull(file);
        ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
        ck_assert_str_eq(line, "timestamp,cpu_percent,memory\r\n");
        step_samples_open(&rows, NULL, INFINITY);
        while (fgets(line, sizeof line, file)) {
            double cpu_percent, memory_mb;

            ck_assert_int_eq(sscanf(line, "%*[^,],%lf,%lf", &cpu_percent, &memory_mb), 2);
            step_samples_count(&rows, 1, cpu_percent, memory_mb);
        }
        fclose(file);
        ck_assert_uint_gt(rows.count, 10);
        for (int which = 0; which < 2; which++) {
            const char *unit = which == STEP_CPU_PERCENT ? "%" : "MB";

            pipeline_cell(rows.figures[which].average, unit, cell);
            ck_assert_str_eq(cell, captured[i].cells[2 * which]);
            pipeline_cell(rows.figures[which].maximum, unit, cell);
            ck_assert_str_eq(cell, captured[i].cells[2 * which + 1]);
        }
        request = size_request(rows.figures[STEP_CPU_PERCENT].maximum, rows.figures[STEP_MEMORY_MB].maximum, 0);
        ck_assert_uint_eq(request.cpu, captured[i].cpu);
        ck_assert_uint_eq(request.memory_mb, captured[i].memory_mb);
    }
}
END_TEST

/* The eight rows of CPOST's README, and its edges. */
START_TEST(the_rule_gives_what_the_readme_has)
{
    static const struct {
        double cpu_percent, memory_mb, headroom;
        unsigned cpu, request_mb;
    } rows[] = {
        { 1097.941, 405.242, 0, 11, 512 },
        { 1134.358, 4455.412, 0, 12, 4608 },
        { 1017.747, 552.313, 0, 11, 768 },
        { 14.923, 3.783, 0, 1, 256 },
        { 0, 0, 0, 1, 256 },
        { 100, 156, 0, 1, 256 },
        { 100.0004, 156.0004, 0, 1, 256 }, /* rounded first */
        { 100.0006, 156.0006, 0, 2, 512 },
        { 100, 156, 20, 2, 512 },
        { 90, 100, 10, 1, 256 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct request request = size_request(rows[i].cpu_percent, rows[i].memory_mb, rows[i].headroom);

        ck_assert_uint_eq(request.cpu, rows[i].cpu);
        ck_assert_uint_eq(request.memory_mb, rows[i].request_mb);
    }
    ck_assert_uint_eq(size_request(NAN, 10, 0).cpu, 0);
    ck_assert_uint_eq(size_request(NAN, 10, 0).memory_mb, 256);
    ck_assert_uint_eq(size_request(10, NAN, 0).memory_mb, 0);
    ck_assert(isnan(request_rounded(NAN)));
    ck_assert_double_eq(request_rounded(16.9100525), 16.91);
}
END_TEST

static struct step_sample look_at(double time_s, double cpu_s, double memory_mb)
{
    return (struct step_sample){
        .time_ns = (uint64_t)(time_s * NS_PER_S),
        .realtime_ns = (uint64_t)((1000 + time_s) * NS_PER_S),
        .cpu_s = cpu_s,
        .memory_mb = memory_mb,
        .working_set_mb = memory_mb / 2,
        .energy_j = 10 * time_s,
    };
}

/* Runs looks through, the last as the end. The rows as text, freed by the caller. */
static char *rows_of(struct step_samples *rows, const struct step_sample *looks, size_t count, double peak_mb)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    step_samples_open(rows, out, 400);
    for (size_t i = 0; i + 1 < count; i++)
        step_samples_add(rows, &looks[i]);
    ck_assert(step_samples_end(rows, &looks[count - 1], peak_mb, NULL));
    fclose(out);
    return text;
}

/* A tick in a second is 1 % of a CPU: 100.014 % are one, 202.1 % are three, 102 % of 0.2 s one. */
START_TEST(one_busy_thread_is_one_cpu)
{
    const double tick_s = s_from_ns(tick_ns());

    ck_assert_double_eq_tol(request_cpu_at_least(100, 1), 100 * (1 - tick_s), 1e-9);
    ck_assert_uint_eq(size_request(request_cpu_at_least(100.014, 1), 1, 0).cpu, 1);
    ck_assert_uint_eq(size_request(request_cpu_at_least(100 / (1 - tick_s) + 0.01, 1), 1, 0).cpu, 2);
    ck_assert_uint_eq(size_request(request_cpu_at_least(201, 1), 1, 0).cpu, 2);
    ck_assert_uint_eq(size_request(request_cpu_at_least(204, 1), 1, 0).cpu, 3);
    ck_assert_uint_eq(size_request(request_cpu_at_least(102, 0.2), 1, 0).cpu, 1);
    ck_assert_uint_eq(size_request(request_cpu_at_least(6401, 60), 1, 0).cpu, 64);
    ck_assert_double_eq(request_cpu_at_least(100, tick_s / 2), 0);
    ck_assert(isnan(request_cpu_at_least(NAN, 1)));
}
END_TEST

/* Half a CPU used and half a second waited in the first row; nothing waited in the second, which used a whole one. */
START_TEST(what_waited_for_a_cpu_wanted_one)
{
    const double left = 1 - s_from_ns(tick_ns());
    struct step_sample looks[] = { look_at(0, 0, 1), look_at(1, 0.5, 1), look_at(2, 1.5, 1) };
    struct step_samples rows;

    for (size_t i = 0; i < 3; i++)
        looks[i].stall_from = "cgroup";
    looks[0].cpu_stall_s = 3;
    looks[1].cpu_stall_s = looks[2].cpu_stall_s = 3.8;
    free(rows_of(&rows, looks, 3, NAN));
    NEAR(rows.min_cpu_percent, 100 * left);
    NEAR(rows.wanted_cpu_percent, 130 * left);
    NEAR(rows.cpu_stall_s, 0.8);
    looks[0].stall_from = "machine"; /* not the group's own */
    free(rows_of(&rows, looks, 3, NAN));
    NEAR(rows.wanted_cpu_percent, 100 * left);
    ck_assert(isnan(rows.cpu_stall_s));
    looks[0].stall_from = "cgroup";
    looks[1].cpu_stall_s = 9; /* no more than the time between two looks */
    looks[2].cpu_stall_s = NAN;
    free(rows_of(&rows, looks, 3, NAN));
    NEAR(rows.wanted_cpu_percent, 150 * left);
    looks[1].cpu_stall_s = NAN;
    free(rows_of(&rows, looks, 3, NAN));
    ck_assert(isnan(rows.wanted_cpu_percent) && isnan(rows.cpu_stall_s));
    NEAR(rows.min_cpu_percent, 100 * left);
}
END_TEST

/* Of the highest of all runs: 2 cores were had, 3 were wanted. */
START_TEST(a_request_is_a_lower_bound_where_more_was_wanted)
{
    const struct report session = { .pue = 1, .factor = { .kgco2eq_per_kwh = 0 } };
    struct pipeline_run runs[] = {
        { .ended = true, .min_cpu_percent = 190, .wanted_cpu_percent = 195, .memory_peak_mb = 1 },
        { .ended = true, .min_cpu_percent = 120, .wanted_cpu_percent = 210, .memory_peak_mb = 1 },
    };
    struct pipeline_step_report step = { .runs = runs, .run_count = 2, .name = "s" };
    struct pipeline_report report = { .session = &session, .steps = &step, .step_count = 1 };

    pipeline_report_finish(&report);
    ck_assert_uint_eq(step.requests.cpu, 2);
    ck_assert(step.request_cpu_at_least);
    runs[1].wanted_cpu_percent = 200;
    pipeline_report_finish(&report);
    ck_assert(!step.request_cpu_at_least);
    runs[0].wanted_cpu_percent = runs[1].wanted_cpu_percent = NAN;
    pipeline_report_finish(&report);
    ck_assert(!step.request_cpu_at_least && isnan(step.wanted_cpu_percent));
}
END_TEST

#define HEADER "timestamp,cpu_percent,memory,working_set_mb,energy_j,power_w\n"

START_TEST(a_row_lies_between_two_looks)
{
    const struct step_sample looks[] = {
        look_at(0, 0, 10),
        look_at(0.25, 0.25, 20),
        look_at(0.5, 0.75, 30),
        look_at(0.75, 0.75, 1),
    };
    struct step_samples rows;
    char *text = rows_of(&rows, looks, 4, NAN);

    ck_assert_str_eq(text, HEADER "1000.125000,100,15,7.5,2.5,10\n"
                                  "1000.375000,200,25,12.5,2.5,10\n"
                                  "1000.625000,0,30,15,2.5,10\n");
    NEAR(rows.figures[STEP_CPU_PERCENT].average, 100);
    NEAR(rows.figures[STEP_CPU_PERCENT].maximum, 200);
    NEAR(rows.figures[STEP_MEMORY_MB].average, 70.0 / 3);
    NEAR(rows.figures[STEP_MEMORY_MB].maximum, 30);
    free(text);
}
END_TEST

/* The end lies 0.05 s behind the last look: no row of its own, in which a tick would be 20 %. */
START_TEST(a_last_moment_is_no_row)
{
    const struct step_sample looks[] = { look_at(0, 0, 10), look_at(0.25, 0.25, 20), look_at(0.3125, 0.3125, 0) };
    struct step_samples rows;
    char *text = rows_of(&rows, looks, 3, NAN);

    ck_assert_str_eq(text, HEADER "1000.156250,100,15,7.5,3.125,10\n");
    ck_assert_uint_eq(rows.count, 1);
    free(text);
}
END_TEST

START_TEST(a_short_step_has_one_row)
{
    const struct step_sample looks[] = { look_at(0, 0, NAN), look_at(0.125, 0.0625, NAN) };
    struct step_samples rows;
    char *text = rows_of(&rows, looks, 2, 300);

    ck_assert_str_eq(text, HEADER "1000.062500,50,300,,1.25,10\n");
    NEAR(rows.figures[STEP_MEMORY_MB].maximum, 300);
    free(text);
    text = rows_of(&rows, looks, 2, NAN);
    ck_assert_str_eq(text, HEADER "1000.062500,50,,,1.25,10\n");
    ck_assert(isnan(rows.figures[STEP_MEMORY_MB].maximum) && isnan(rows.figures[STEP_MEMORY_MB].average));
    free(text);
}
END_TEST

/* A counter that began again between two looks, and one that could not be read at a look. */
START_TEST(a_row_with_a_hole_has_no_energy)
{
    struct step_sample looks[] = { look_at(0, 0, 10), look_at(0.25, 0.25, 10), look_at(0.5, 0.5, 10),
                                   look_at(0.75, 0.75, 10), look_at(1, 1, 10) };
    struct step_samples rows;
    char *text;

    for (size_t i = 2; i < 5; i++)
        looks[i].unknown_ns = 250000000;
    text = rows_of(&rows, looks, 5, NAN);
    ck_assert_str_eq(text, HEADER "1000.125000,100,10,5,2.5,10\n"
                                  "1000.375000,100,10,5,,\n"
                                  "1000.625000,100,10,5,2.5,10\n"
                                  "1000.875000,100,10,5,2.5,10\n");
    free(text);
    looks[3].energy_j = NAN;
    text = rows_of(&rows, looks, 5, NAN);
    ck_assert_str_eq(text, HEADER "1000.125000,100,10,5,2.5,10\n"
                                  "1000.375000,100,10,5,,\n"
                                  "1000.625000,100,10,5,,\n"
                                  "1000.875000,100,10,5,,\n");
    free(text);
}
END_TEST

START_TEST(what_is_not_known_is_no_row_of_nothing)
{
    const struct step_sample looks[] = { look_at(0, NAN, 10), look_at(0.25, 0.25, NAN), look_at(0.5, 0.5, 10) };
    struct step_samples rows;
    char *text = rows_of(&rows, looks, 3, NAN);

    ck_assert_str_eq(text, HEADER "1000.125000,,10,5,2.5,10\n"
                                  "1000.375000,100,,,2.5,10\n");
    NEAR(rows.figures[STEP_CPU_PERCENT].average, 100);
    free(text);
}
END_TEST

/* A counter that was read late is no fifth CPU. */
START_TEST(nothing_uses_more_than_it_may)
{
    const struct step_sample looks[] = { look_at(0, 0, 1), look_at(0.25, 1.0625, 1) };
    struct step_samples rows;
    char *text = rows_of(&rows, looks, 2, NAN);

    ck_assert_str_eq(text, HEADER "1000.125000,400,1,0.5,2.5,10\n");
    free(text);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
    const struct step_sample looks[] = { look_at(0, 0, 1), look_at(1, 1, 1) };
    FILE *full = fopen("/dev/full", "w");
    struct step_samples rows;
    struct error err = { .kind = ERROR_NONE };

    ck_assert_ptr_nonnull(full);
    step_samples_open(&rows, full, INFINITY);
    step_samples_add(&rows, &looks[0]);
    ck_assert(!step_samples_end(&rows, &looks[1], NAN, &err));
    ck_assert_str_eq(err.what, "cannot write the rows of a step");
    fclose(full);
}
END_TEST

/* Every figure of a step in the column of its name. */
START_TEST(each_figure_has_its_column)
{
    static const char *const cells[] = {
        "s", "process", "", "2", "3", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14",
    };
    const struct report session = { .pue = 1.5, .factor = { .kgco2eq_per_kwh = 0.25 } };
    struct pipeline_run runs[] = { { .ended = true, .exit_status = 0 }, { .ended = true, .exit_status = 3 } };
    struct pipeline_step_report step = {
        .runs = runs,
        .run_count = 2,
        .name = "s",
        .runner = "process",
        .counted = 2,
        .quality = QUALITY_MEASURED,
        .duration_s = { .mean = 1 },
        .cpu_s = { .mean = 2 },
        .cpu_percent_of_core = { .average = 3, .maximum = 4 },
        .memory_mb = { .average = 5, .maximum = 6 },
        .memory_peak_mb = 7,
        .requests = { .cpu = 8, .memory_mb = 9 },
        .gross_j = { .mean = 10 },
        .idle_j = { .mean = 11 },
        .net_j = { .mean = 12 },
        .gross = { .kgco2eq = 13 },
        .net = { .kgco2eq = 14 },
        .wanted_cpu_percent = 900,
        .request_cpu_at_least = true,
        .own_j = { .mean = 15 },
        .own = { .kgco2eq = 16 },
        .own_method = OWN_SHARE,
        .servers_own_j = { .mean = 17 },
        .servers_own = { .kgco2eq = 18 },
    };
    const struct pipeline_report report = { .session = &session, .steps = &step, .step_count = 1 };
    struct error err;
    size_t length;
    char *text, *line, *rest;
    FILE *out = open_memstream(&text, &length);

    ck_assert(pipeline_report_csv(&report, out, &err));
    fclose(out);
    line = strchr(text, '\n');
    ck_assert_ptr_nonnull(line);
    *line++ = '\0';
    ck_assert_ptr_nonnull(strstr(text, ",gross_j,idle_j,net_j,gross_kgco2eq,net_kgco2eq,"));
    rest = line;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        ck_assert_str_eq(strsep(&rest, ","), cells[i]);
    ck_assert_str_eq(rest, "measured,1.5,0.25,true,15,16,share,17,18\n");
    free(text);
}
END_TEST

/* A step that was not run, and one that goes on: neither has an exit status yet. */
/* A shell tells signal n as 128 + n, and there are 64. */
START_TEST(how_a_run_came_out)
{
    static const struct {
        struct pipeline_run run;
        bool failed, killed;
    } cases[] = {
        { { .ended = true, .exit_status = 0 }, false, false },
        { { .ended = true, .exit_status = 1 }, true, false },
        { { .ended = true, .exit_status = 128 }, true, false },
        { { .ended = true, .exit_status = 129 }, true, true },
        { { .ended = true, .exit_status = 192 }, true, true },
        { { .ended = true, .exit_status = 193 }, true, false },
        { { .ended = true, .exit_status = 1, .timed_out = true }, true, true },
        { { .ended = true, .exit_status = 130, .cut_short = true }, false, true },
        { { .ended = true, .exit_status = 0, .cut_short = true }, false, true },
        { { .exit_status = 137 }, false, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(pipeline_run_has_failed(&cases[i].run) == cases[i].failed, "case %zu failed", i);
        ck_assert_msg(pipeline_run_was_killed(&cases[i].run) == cases[i].killed, "case %zu killed", i);
    }
}
END_TEST

/* Of two runs that ended and one that goes on; all of them, added up over two steps. */
static struct pipeline_run ended_run(double duration_s, double gross_j, double idle_j, double own_j, double cpu_s)
{
    return (struct pipeline_run){ .ended = true,
                                  .duration_s = duration_s,
                                  .gross_j = gross_j,
                                  .idle_j = idle_j,
                                  .net_j = gross_j - idle_j,
                                  .own_j = own_j,
                                  .cpu_s = cpu_s,
                                  .gpu_own_j = NAN };
}

START_TEST(steps_come_to_a_sum)
{
    const struct report session = { .pue = 1.5, .factor = { .kgco2eq_per_kwh = 0.25 } };
    struct pipeline_run runs[] = {
        ended_run(2, 30, 10, 18, 1),
        ended_run(4, 60, 20, 36, 3),
        { .duration_s = 100, .gross_j = 1000 },
    };
    struct pipeline_step_report steps[] = {
        { .runs = runs, .run_count = 3, .name = "a", .runner = "process" },
        { .runs = runs, .run_count = 1, .name = "b", .runner = "process" },
    };
    struct pipeline_report report = { .session = &session, .steps = steps, .step_count = 2 };

    runs[0].own_method = OWN_NET;
    runs[0].memory_peak_mb = 5;
    runs[1].own_method = OWN_SHARE;
    runs[1].memory_peak_mb = 7;
    runs[1].exit_status = 3;
    pipeline_report_finish(&report);
    ck_assert_uint_eq(steps[0].counted, 2);
    ck_assert(steps[0].failed && !steps[1].failed);
    ck_assert_int_eq(steps[0].own_method, OWN_SHARE);
    ck_assert_int_eq(steps[1].own_method, OWN_NET);
    ck_assert_double_eq_tol(steps[0].duration_s.mean, 3, 1e-12);
    ck_assert_double_eq_tol(steps[0].gross_j.mean, 45, 1e-12);
    ck_assert_double_eq_tol(steps[0].idle_j.mean, 15, 1e-12);
    ck_assert_double_eq_tol(steps[0].net_j.mean, 30, 1e-12);
    ck_assert_double_eq_tol(steps[0].own_j.mean, 27, 1e-12);
    ck_assert_double_eq_tol(steps[0].cpu_s.mean, 2, 1e-12);
    ck_assert_double_eq_tol(steps[0].memory_peak_mb, 7, 1e-12);
    ck_assert_double_eq_tol(steps[0].gross.kgco2eq, 45 / 3.6e6 * 1.5 * 0.25, 1e-18);
    ck_assert_double_eq_tol(steps[0].own.kgco2eq, 27 / 3.6e6 * 1.5 * 0.25, 1e-18);
    ck_assert_double_eq_tol(report.duration_s, 5, 1e-12);
    ck_assert_double_eq_tol(report.gross_j, 75, 1e-12);
    ck_assert_double_eq_tol(report.idle_j, 25, 1e-12);
    ck_assert_double_eq_tol(report.net_j, 50, 1e-12);
    ck_assert_double_eq_tol(report.own_j, 45, 1e-12);
}
END_TEST

START_TEST(without_an_end_there_is_no_exit_status)
{
    const struct report session = { .pue = 1 };
    struct pipeline_run runs[] = { { .ended = true, .exit_status = 3 }, { .ended = false, .exit_status = 4 } };
    struct pipeline_step_report steps[] = {
        { .runs = runs, .run_count = 0, .name = "a", .runner = "process" },
        { .runs = runs, .run_count = 2, .name = "b", .runner = "process" },
        { .runs = runs, .run_count = 1, .name = "c", .runner = "process" },
    };
    const struct pipeline_report report = { .session = &session, .steps = steps, .step_count = 3 };
    struct error err;
    size_t length;
    char *text;
    FILE *out = open_memstream(&text, &length);

    ck_assert(pipeline_report_csv(&report, out, &err));
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "\na,process,,0,,0,0,"));
    ck_assert_ptr_nonnull(strstr(text, "\nb,process,,0,,0,0,"));
    ck_assert_ptr_nonnull(strstr(text, "\nc,process,,0,3,0,0,"));
    free(text);
}
END_TEST

UNIT_SUITE("step_rows", captured_rows_give_the_captured_tables, the_rule_gives_what_the_readme_has,
           one_busy_thread_is_one_cpu, what_waited_for_a_cpu_wanted_one,
           a_request_is_a_lower_bound_where_more_was_wanted, each_figure_has_its_column,
           without_an_end_there_is_no_exit_status, a_row_lies_between_two_looks, a_last_moment_is_no_row,
           a_short_step_has_one_row, a_row_with_a_hole_has_no_energy, what_is_not_known_is_no_row_of_nothing,
           nothing_uses_more_than_it_may, a_full_disk_is_told, how_a_run_came_out, steps_come_to_a_sum)
