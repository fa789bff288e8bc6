/* SPDX-License-Identifier: MIT
 * The result for people: the table and the line. */
#include "unit.h"

#include "report_suite.h"

#include "form/paragraph.h"
#include "form/text_columns.h"

#include <cjson/cJSON.h>

START_TEST(the_table_as_a_whole)
{
    char *table;

    notice_add(&fixture->report.own_notices, NOTICE_OUTLIER, "because", "do this", "a doubt");
    report_finish(&fixture->report);
    table = fixture_write(fixture, &table_format);
    ck_assert_str_eq(
        table, "./job --size 4    2 runs, 10.0 s ± 0 s each\n"
               "\n"
               "                                  gross      idle                net     gross      idle       net\n"
               "  package-0              810 J ± 14.1 J     300 J     510 J ± 14.1 J    81.0 W    30.0 W    51.0 W\n"
               "  dram-0                 132 J ± 2.83 J    80.0 J    52.0 J ± 2.83 J    13.2 W    8.00 W    5.20 W\n"
               "  total                  942 J ± 17.0 J     380 J     562 J ± 17.0 J    94.2 W    38.0 W    56.2 W\n"
               "  of which core-0        505 J ± 7.07 J     100 J     405 J ± 7.07 J    50.5 W    10.0 W    40.5 W\n"
               "  measured by powercap; scope compute; ± is the standard deviation over 2 runs\n"
               "  resolution 188 mJ\n"
               "  in the baseline other processes kept 0.01 of 2 CPUs busy\n"
               "  own    562 J: net\n"
               "  net measured: 562 J more than idle, 95 % CI 410 J to 714 J\n"
               "\n"
               "  gross  13.8 mgCO2eq per run = 0.2617 Wh × PUE 1.20 × 44 gCO2eq/kWh\n"
               "         4.97 gCO2eq/h\n"
               "  net    8.24 mgCO2eq per run = 0.1561 Wh × PUE 1.20 × 44 gCO2eq/kWh\n"
               "         2.97 gCO2eq/h\n"
               "  factor 44 gCO2eq/kWh (given): FR (France), 2024, lifecycle, location-based, production, grid\n"
               "         losses excluded, co2eq; Yearly Electricity Data, Ember, electricity_2024.csv; PUE given\n"
               "\n"
               "  job    bottleneck unknown (0.99 of 2 CPUs busy; CPU or memory: no hardware counter, and what it\n"
               "         touched was not seen); wall 10.0 s, user 9.80 s, system 100 ms; CPU 9.90 s (cgroup), 99 %\n"
               "         of one core, 49.5 % of the machine; peak memory 56.0 MiB (cgroup); block I/O 1.00 MiB read,\n"
               "         0 B written; context switches 12 voluntary, 3 involuntary; page faults 1234 minor, 0 major;\n"
               "         on CPUs 0-1 (all); gaps 300 µs before its start, 100 µs after its end\n"
               "\n"
               "  note: a doubt: because\n"
               "  hint: do this\n");
    free(table);
}
END_TEST

START_TEST(one_run_has_no_deviation_but_the_spread_of_its_baseline)
{
    keep_one_run();
    report_finish(&fixture->report);
    FORM_HAS(&table_format, "./job --size 4    1 run, 10.0 s\n",
             "\n  total                  930 J     380 J     550 J    93.0 W");
    FORM_LACKS(&table_format, "per run");
    FORM_HAS(&table_format, "\n  baseline 5.00 s, 38.0 W ± 1.41 W; adds ± 10.0 J to net\n");
    FORM_HAS(&csv_format, ",1,0,10,,5,compute,measured,powercap,930,,380,550,,,,one-run,");
}
END_TEST

START_TEST(a_cut_short_series_says_so)
{
    cut_short();
    report_finish(&fixture->report);
    FORM_HAS(&table_format, "    1 run, 10.0 s, 1 warm-up left out, exit status 130, interrupted, partial\n");
}
END_TEST

START_TEST(a_modelled_figure_shows_its_range)
{
    for (size_t i = 0; i < FIXTURE_DOMAINS; i++) {
        fixture->domains[i].quality = QUALITY_MODELLED;
        fixture->domains[i].low_ratio = 0.5;
        fixture->domains[i].high_ratio = 2;
    }
    report_finish(&fixture->report);
    FORM_HAS(&table_format, "\n  gross 942 J (modelled, range 471 J to 1884 J)\n",
             "\n  net 562 J (modelled: 281 J to 1124 J)\n", "\n         modelled: 4.12 mgCO2eq to 16.5 mgCO2eq\n");
}
END_TEST

START_TEST(unknown_is_never_zero)
{
    char *text;
    cJSON *json;

    for (size_t i = 0; i < FIXTURE_DOMAINS; i++)
        fixture->meter.domains[i].moved = false;
    fixture->runs[0].usage.memory_peak_bytes.known = false;
    report_finish(&fixture->report);
    FORM_HAS(&table_format, "\n  total               unknown\n", "\n  gross  unknown\n  net    unknown\n");
    FORM_LACKS(&table_format, " 0 J");
    FORM_HAS(&table_format, "peak memory unknown;");
    FORM_HAS(&csv_format, ",compute,unknown,powercap,,,,,,,,unknown,");
    text = fixture_write(fixture, &json_format);
    json = cJSON_Parse(text);
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "gross_j"), "mean")));
    ck_assert(cJSON_IsNull(
        cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "usage"), "memory_peak_bytes"), "value")));
    cJSON_Delete(json);
    free(text);
}
END_TEST

START_TEST(below_resolution_is_said_and_no_rate_is_made_up)
{
    char *text;

    fixture->measurement.baseline_count = 0;
    fixture->measurement.run_count = 1;
    fixture->runs[0].window.duration_ns = 1500000;
    fixture->runs[0].window.energy_uj[FIXTURE_PACKAGE] = 20000;
    fixture->runs[0].window.energy_uj[FIXTURE_DRAM] = 0;
    fixture->meter.domains[FIXTURE_DRAM].moved = false;
    report_finish(&fixture->report);
    text = fixture_write(fixture, &table_format);
    HAS(text, "\n  dram-0              below resolution\n");
    /* 20 mJ in 1.5 ms, off by up to two updates of 1 ms each at that power */
    HAS(text, "\n  below the meter's resolution (46.7 mJ)\n", "per hour unknown: the run is too short for a rate\n",
        "\n  net    unknown: no baseline was taken\n");
    free(text);
    fixture->meter.domains[FIXTURE_PACKAGE].moved = false;
    report_finish(&fixture->report);
    FORM_HAS(&table_format, "\n  total               below resolution\n", "\n  gross  below resolution\n");
}
END_TEST

/* Long names, many domains, large figures. */
START_TEST(no_line_of_the_table_is_too_long)
{
    char long_argument[300], *text;
    char *const command[] = { (char *)"./job", long_argument, NULL };
    size_t lines = 0;

    memset(long_argument, 'x', sizeof long_argument - 1);
    long_argument[sizeof long_argument - 1] = '\0';
    fixture->report.command = command;
    snprintf(fixture->domains[0].name, sizeof fixture->domains[0].name, "package-0-die-1-with-a-very-long-name");
    fixture->runs[0].window.energy_uj[0] = UINT64_C(999999999) * FIXTURE_J;
    fixture->domains[1].quality = QUALITY_VIRTUAL;
    for (size_t i = FIXTURE_DOMAINS; i < 40; i++)
        fixture->meter.domains[i] = fixture->meter.domains[FIXTURE_CORES];
    for (size_t i = FIXTURE_DOMAINS; i < 40; i++)
        fixture->runs[0].window.known[i] = fixture->runs[1].window.known[i] = 1;
    fixture->meter.domain_count = 40;
    memset(fixture->report.factor.source, 's', 150);
    report_finish(&fixture->report);
    text = fixture_write(fixture, &table_format);
    ck_assert_ptr_null(strchr(text, '\t'));
    ck_assert_ptr_null(strchr(text, '\033'));
    HAS(text, "\n  31 more domains, not in the total (--json - lists them)\n");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
        ck_assert_msg(utf8_columns(line) <= PARAGRAPH_WIDTH || strstr(line, "ssssss"), "%s", line);
    ck_assert_uint_gt(lines, 20);
    free(text);
}
END_TEST

START_TEST(colour_only_where_asked_for)
{
    const struct table_style style = { .colour = true };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct error err;

    notice_add(&fixture->report.own_notices, NOTICE_OUTLIER, "", "", "a doubt");
    report_finish(&fixture->report);
    ck_assert(table_write(&fixture->report, &style, out, &err));
    fclose(out);
    HAS(text, "  net    \033[1m8.24 mgCO2eq\033[0m per run =", "  gross  13.8 mgCO2eq per run =",
        "\033[33m  note: a doubt\n\033[0m");
    free(text);
}
END_TEST

START_TEST(what_was_watched_has_its_figures)
{
    char *text;

    fixture->measurement.run_count = 1;
    fixture->runs[0].usage.cpu_ns.value = 2500000000;
    fixture->report.target = "container web (docker, 514161fc81dd)";
    fixture_leave(fixture);
    report_finish(&fixture->report);
    text = fixture_write(fixture, &table_format);
    HAS(text, "container web (docker, 514161fc81dd), client ./job --size 4",
        "\n  attributed 232 J of gross by CPU time (25.0 % of the machine's busy time)\n");
    for (char *at = text; (at = strpbrk(at, "\n")); at++)
        *at = ' '; /* however the lines are broken */
    HAS(text, "at the end 40.0 MiB", "working set 30.0 MiB", "6.84 KiB received, 300 B sent");
    free(text);
}
END_TEST

UNIT_SUITE_IN("table", begin, end, the_table_as_a_whole, one_run_has_no_deviation_but_the_spread_of_its_baseline,
              a_cut_short_series_says_so, a_modelled_figure_shows_its_range, unknown_is_never_zero,
              below_resolution_is_said_and_no_rate_is_made_up, no_line_of_the_table_is_too_long,
              colour_only_where_asked_for, what_was_watched_has_its_figures)
