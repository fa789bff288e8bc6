/* SPDX-License-Identifier: MIT
 * What the runs of several modules come to: Fink's printed figures, by hand. */
#include "unit.h"
#include "words.h"

#include "base/auto.h"
#include "commands/batch/batch.h"
#include "emissions/factor.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RUNS = 4 };

struct one {
    struct machine machine;
    struct report session;
    struct batch_module module;
    struct batch_run runs[MAX_RUNS];
    struct batch batch;
};

/* Of the test that runs. */
static struct one *one;

static void open_one(double pue, double kgco2eq_per_kwh, double hours)
{
    one = calloc(1, sizeof *one);
    ck_assert_ptr_nonnull(one);
    one->session = (struct report){
        .machine = &one->machine,
        .pue = pue,
        .factor = { .kgco2eq_per_kwh = kgco2eq_per_kwh },
        .hours_per_year = hours,
    };
    one->module = (struct batch_module){
        .name = "early_sn_ia",
        .command = "python3 module.py",
        .items = NAN,
        .runs = one->runs,
        .rates = true,
        .quality = QUALITY_MEASURED,
    };
    one->batch = (struct batch){
        .session = &one->session,
        .modules = &one->module,
        .module_count = 1,
        .loops = 2,
        .baseline_s = NAN,
        .sources = { "powercap" },
        .source_count = 1,
    };
}

static void close_one(void)
{
    free(one);
}

static void add(double duration_s, double gross_w, double idle_w, int exit_status)
{
    const double gross_j = gross_w * duration_s, idle_j = idle_w * duration_s;

    ck_assert_uint_lt(one->module.run_count, MAX_RUNS);
    one->runs[one->module.run_count] = (struct batch_run){
        .loop = one->module.run_count + 1,
        .figures = { duration_s, gross_j, idle_j, gross_j - idle_j, NAN, NAN },
        .exit_status = exit_status,
        .ended = true,
        .whole = true,
    };
    one->module.run_count++;
}

static void finish(void)
{
    struct error err;

    ck_assert(batch_finish(&one->batch, &err));
}

/* What a form prints. */
static char *printed(void (*print)(const struct batch *batch, FILE *out))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    ck_assert_ptr_nonnull(out);
    print(&one->batch, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void print_table(const struct batch *batch, FILE *out)
{
    const struct batch_style style = { .width = 80 };
    struct error err;

    ck_assert(batch_table(batch, &style, out, &err));
}

static void print_answer(const struct batch *batch, FILE *out)
{
    const struct table_style style = { .width = 60, .more = "-v" };
    struct error err;

    ck_assert(batch_answer(batch, &style, out, &err));
}

static void print_csv(const struct batch *batch, FILE *out)
{
    struct error err;

    ck_assert(batch_csv(batch, out, &err));
}

/* 100 W by TDP and 0.94 W of memory, at 84.879 g/kWh and PUE 1.25, eight hours a day: their log has 31.27, 31.27 and
 * -0.00. The two windows differ by nothing that a constant could tell. */
START_TEST(fink_s_figures_are_31_27_31_27_and_no_minus_nothing)
{
    double hours;
    struct error err;
    char *text;

    ck_assert(duty_hours_per_year("8h/d", &hours, &err));
    ck_assert_double_eq(hours * 3, 8760);
    open_one(1.25, 0.084879, hours);
    add(3.2, 100.9447441101074219, 100.9447441101074219 + 1e-6, 0);
    add(3.3, 100.9447441101074219, 100.9447441101074219 + 1e-6, 0);
    finish();
    ck_assert_double_eq_tol(one->module.gross.kgco2eq_per_year, 31.27, 0.005);
    ck_assert_double_eq_tol(one->module.idle.kgco2eq_per_year, 31.27, 0.005);
    ck_assert_double_eq_tol(one->module.gross.kgco2eq_per_year, 0.1009447441101074 * 2920 * 1.25 * 0.084879, 1e-12);
    text = printed(batch_fink);
    ck_assert_str_eq(text, "early_sn_ia, loop 1, in kgCO2eq a year of 2920 h\nRAW: 31.27\nBAS: 31.27\nDIF: 0.00\n"
                           "early_sn_ia, loop 2, in kgCO2eq a year of 2920 h\nRAW: 31.27\nBAS: 31.27\nDIF: 0.00\n");
    free(text);

    one->module.constant = true;
    finish();
    ck_assert_int_eq(one->module.verdict.verdict, VERDICT_NOT_MEASURABLE);
    text = printed(batch_fink);
    HAS(text, "RAW: 31.27\nBAS: 31.27\nDIF: not measurable\n");
    free(text);
    text = printed(print_table);
    HAS(text, "DIF not measurable: the source reports constant power; RAW of a year 31.27");
    LACKS(text, "-0.00");
    free(text);
}
END_TEST

/* The shared case has the inputs and the three figures. */
START_TEST(the_recorded_case_gives_the_recorded_figures)
{
    const char *shared = unit_shared();
    double power_w = 0, pue = 0, factor = 0, hours = 0, expected = 0, value;
    char path[4096], quantity[64];

    snprintf(path, sizeof path, "%s/cases/fink/replay-early-sn-ia.csv", shared ? shared : "");
    AUTO_FCLOSE FILE *file = fopen(path, "r");
    if (!file) {
        puts("skipped: the recorded case is not here");
        return;
    }
    ck_assert_int_eq(fscanf(file, "%*[^\n]\n"), 0);
    while (fscanf(file, "%63[^,],%lf,%*[^\n]\n", quantity, &value) >= 2) {
        power_w += strstr(quantity, "_power") ? value : 0;
        pue = strcmp(quantity, "pue") == 0 ? value : pue;
        factor = strstr(quantity, "intensity") ? value / 1000 : factor;
        hours = strcmp(quantity, "hours_per_year") == 0 ? value : hours;
        expected = strcmp(quantity, "expected_raw") == 0 ? value : expected;
    }
    ck_assert_double_eq_tol(power_w, 100.944744, 1e-6);
    open_one(pue, factor, hours);
    add(7.25, power_w, power_w, 0);
    finish();
    ck_assert_double_eq_tol(one->module.gross.kgco2eq_per_year, expected, 0.005);
    ck_assert_double_eq(one->module.net.kgco2eq_per_year, 0);
}
END_TEST

/* 103 W over 100 W for 2 s, three loops at 5, 6 and 7 J: 6 J +- 4.3027 / sqrt(3); a rate is mean / mean. */
START_TEST(three_per_cent_above_idle_has_an_interval_and_a_verdict)
{
    open_one(1, 0.5, 8760);
    for (int i = 0; i < 3; i++)
        add(2, 102.5 + 0.5 * i, 100, 0);
    finish();
    ck_assert_uint_eq(one->module.counted, 3);
    ck_assert_double_eq(one->module.net_j.mean, 6);
    ck_assert_double_eq(one->module.net_j.deviation, 1);
    ck_assert_double_eq_tol(batch_population_deviation(&one->module.net_j), sqrt(2. / 3), 1e-12);
    ck_assert_double_eq_tol(one->module.verdict.net_j_interval.low, 6 - 2.48414, 1e-4);
    ck_assert_double_eq_tol(one->module.verdict.net_j_interval.high, 6 + 2.48414, 1e-4);
    ck_assert_int_eq(one->module.verdict.verdict, VERDICT_MORE);
    ck_assert_double_eq(one->module.net_w, 3);
    ck_assert_double_eq_tol(one->module.net.kgco2eq_per_year, 0.003 * 8760 * 0.5, 1e-12);
}
END_TEST

/* Runs of different lengths: energy / time of all, not the mean of the rates (115 W). */
START_TEST(a_rate_is_mean_energy_by_mean_duration)
{
    open_one(1, 1, 1000);
    add(1, 100, 50, 0);
    add(3, 130, 50, 0);
    one->module.items = 60;
    one->module.pinned_cpus = 2;
    finish();
    ck_assert_double_eq(one->module.gross_w, 490. / 4);
    ck_assert_double_eq_tol(one->module.gross.kgco2eq_per_year, 122.5, 1e-12);
    ck_assert_double_eq(one->module.items_per_s.mean, 40);
    one->module.rates = false;
    finish();
    ck_assert(isnan(one->module.gross_w));
    ck_assert(isnan(one->module.gross.kgco2eq_per_year));
    ck_assert_double_eq(one->module.gross_j.mean, 245);
}
END_TEST

/* A run with a hole has no energy: the mean is that of the others; where none has one, there is none. */
START_TEST(runs_that_are_not_known_throughout_are_left_out_beside_others)
{
    open_one(1, 1, 8760);
    add(2, 10, 5, 0);
    add(3, NAN, 5, 0);
    finish();
    ck_assert_uint_eq(one->module.counted, 1);
    ck_assert(!batch_run_is_counted(&one->runs[1]) && !batch_has_failed(&one->batch));
    ck_assert_double_eq(one->module.gross_j.mean, 20);
    ck_assert_double_eq(one->module.duration_s.mean, 2);
    one->runs[0].figures.gross_j = NAN;
    finish();
    ck_assert_uint_eq(one->module.counted, 2);
    ck_assert(isnan(one->module.gross_j.mean));
}
END_TEST

START_TEST(runs_that_failed_or_were_cut_short_are_in_no_figure)
{
    open_one(1, 1, 8760);
    add(2, 10, 5, 0);
    add(2, 99, 5, 3);
    add(2, 99, 5, 130);
    one->runs[2].cut_short = true;
    add(2, 99, NAN, 0);
    one->runs[3].whole = false;
    finish();
    ck_assert_uint_eq(one->module.counted, 1);
    ck_assert_uint_eq(one->module.failed, 1);
    ck_assert(batch_has_failed(&one->batch));
    ck_assert_double_eq(one->module.gross_j.mean, 20);
    ck_assert_double_eq(one->module.net_j.mean, 10);
    ck_assert_int_eq(one->module.verdict.verdict, VERDICT_ONE_RUN);
    ck_assert_double_eq(batch_population_deviation(&one->module.gross_j), 0);
    one->module.run_count = 0;
    finish();
    ck_assert(!batch_has_failed(&one->batch));
    ck_assert(isnan(one->module.gross_j.mean) && isnan(batch_population_deviation(&one->module.gross_j)));
    ck_assert(isnan(one->module.gross.kgco2eq_per_year));
}
END_TEST

/* A model tells it by CPU time where the machine was full, and RAW and BAS are alike. */
START_TEST(dif_is_own_where_it_is_told_apart)
{
    open_one(1, 1, 8760);
    char *text;

    for (int i = 0; i < 2; i++) {
        add(10, 20, 20, 0);
        one->runs[i].figures.own_j = 36 + 2 * i;
        one->runs[i].own_method = OWN_CPU_TIME;
    }
    one->module.quality = QUALITY_MODELLED;
    one->module.constant = true;
    finish();
    ck_assert_int_eq(one->module.own_method, OWN_CPU_TIME);
    ck_assert(!batch_dif_unknown(&one->module));
    ck_assert_double_eq(batch_dif_j(&one->module)->mean, 37);
    ck_assert_double_eq(one->module.own_w, 3.7);
    text = printed(batch_fink);
    HAS(text, "\nRAW: 175.20\nBAS: 175.20\nDIF: 31.54\n");
    free(text);
    one->runs[1].own_method = OWN_UNKNOWN;
    finish();
    ck_assert_double_eq(batch_dif_j(&one->module)->mean, 0);
    ck_assert(batch_dif_unknown(&one->module));
}
END_TEST

START_TEST(a_row_has_the_figures_of_its_run)
{
    open_one(1.5, 0.5, 2000);
    char *text;

    one->module.name = "a, \"b\"";
    one->module.items = 8;
    add(4, 10, NAN, 0);
    one->runs[0].figures.own_j = 10;
    one->runs[0].own_method = OWN_SHARE;
    snprintf(one->runs[0].started_at, sizeof one->runs[0].started_at, "2026-01-02T03:04:05.678Z");
    finish();
    text = printed(print_csv);
    ck_assert_str_eq(
        text,
        "module,loop,started_at,exit_status,counted,duration_s,"
        "gross_j,gross_w,gross_kgco2eq,gross_kgco2eq_per_year,idle_j,idle_w,idle_kgco2eq,"
        "idle_kgco2eq_per_year,net_j,net_w,net_kgco2eq,net_kgco2eq_per_year,"
        "items,items_per_s,cpus,quality,pue,kgco2eq_per_kwh,hours_per_year,"
        "own_j,own_w,own_kgco2eq,own_kgco2eq_per_year,own_method,"
        "gross_facility_kwh_per_year,idle_facility_kwh_per_year,net_facility_kwh_per_year,own_facility_kwh_per_year\n"
        "\"a, "
        "\"\"b\"\"\",1,2026-01-02T03:04:05.678Z,0,true,4,40,10,8.333333333333334e-06,15.000000000000002,,,,,,,,,8,2,,"
        "measured,1.5,0.5,2000,10,2.5,2.0833333333333334e-06,3.7500000000000004,share,"
        "30.000000000000004,,,7.500000000000001\n");
    free(text);
}
END_TEST

/* Two modules of own energies 36 to 38 J and 72 to 76 J, the second with the range of a model. */
START_TEST(the_answer_has_the_range_of_a_model_and_fits)
{
    struct batch_run runs[2] = { { 0 } };
    struct batch_module modules[2];
    char *text, *rest, *line;

    open_one(1, 1, 8760);
    for (int i = 0; i < 2; i++) {
        add(10, 20, 20, 0);
        one->runs[i].figures.own_j = 36 + 2 * i;
        one->runs[i].own_method = OWN_CPU_TIME;
        runs[i] = one->runs[i];
        runs[i].figures.own_j *= 2;
    }
    one->module.quality = QUALITY_MODELLED;
    modules[0] = modules[1] = one->module;
    modules[1].name = "a longer name";
    modules[1].runs = runs;
    one->batch.modules = modules;
    one->batch.module_count = 2;
    finish();
    modules[0].range_j = (struct interval){ 18.5, 74 };
    modules[1].range_j = (struct interval){ 37, 148 };
    notice_add(&modules[0].notices, NOTICE_OUTLIER, "why", "", "run 1 is odd");
    notice_add(&modules[1].notices, NOTICE_OUTLIER, "why", "", "run 1 is odd");
    text = printed(print_answer);
    HAS(text, "37.0 J (18.5 to 74.0)");
    HAS(text, " own (range), modelled ");
    HAS(text, "'a longer name' uses most: 74.0 J of 111 J in a loop of");
    HAS(text, "  notes   early_sn_ia, a longer name: run 1 is odd");
    for (rest = text; (line = strsep(&rest, "\n"));)
        ck_assert_msg(utf8_columns(line) <= 60, "%s", line);
    free(text);
    modules[1].runs[0].figures.own_j = 20; /* and 76: 48 J ± 12.706 × 39.6 / sqrt(2) */
    finish();
    text = printed(print_answer);
    HAS(text, "undecided: no significant difference between");
    HAS(text, " at most 404 J ");
    free(text);
    text = printed(batch_brief);
    ck_assert_str_eq(text, "85 J modelled own 2.36111e-05 kgCO2eq indistinct partial\n");
    free(text);
    notices_clear(&modules[0].notices);
    notices_clear(&modules[1].notices);
}
END_TEST

UNIT_SUITE_IN("batch", NULL, close_one, fink_s_figures_are_31_27_31_27_and_no_minus_nothing,
              the_recorded_case_gives_the_recorded_figures, three_per_cent_above_idle_has_an_interval_and_a_verdict,
              a_rate_is_mean_energy_by_mean_duration, runs_that_are_not_known_throughout_are_left_out_beside_others,
              runs_that_failed_or_were_cut_short_are_in_no_figure, dif_is_own_where_it_is_told_apart,
              a_row_has_the_figures_of_its_run, the_answer_has_the_range_of_a_model_and_fits)
