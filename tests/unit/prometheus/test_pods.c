/* SPDX-License-Identifier: MIT
 * Containers' figures added up to their pod's, doubts included, and each under its own key. */
#include "prometheus_fixture.h"

#include "commands/prometheus/workload_energy.h"
#include "io/json_read.h"

#include <stdlib.h>

START_TEST(doubts_add_up)
{
    const struct kind_window window = { .from_s = 0, .to_s = 20 };
    static const unsigned reported[][2] = { { 0, 0 }, { 50, 30 }, { 4, 6 } };
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct series_set set = { .items = NULL };
    struct error err = { .kind = ERROR_NONE };
    const struct energy_figure *figure;
    struct workload_rows rows;

    for (size_t i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "kepler_container_package_joules_total{pod_name=\"p\",container_name=\"a\"} %u\n"
                 "kepler_container_package_joules_total{pod_name=\"p\",container_name=\"b\"} %u\n",
                 reported[i][0], reported[i][1]);
        add_text(&set, 10 * (double)i, text, strlen(text));
    }
    ck_assert(workload_rows_of(&set, &window, &rows, &notices, &err));
    figure = &row_of(&rows, LEVEL_POD, "p")->figures[DOMAIN_PACKAGE][MODE_ALL];
    ck_assert_double_eq(figure->joules, 50 + 4 + 30 + 6);
    ck_assert_double_eq(figure->doubtful_j, 50 - 4 + 30 - 6); /* at the power before, what the resets may have cost */
    ck_assert_uint_eq(figure->resets, 2);
    ck_assert_uint_eq(figure->wraps, 0);
    ck_assert_uint_eq(figure->series, 2);
    ck_assert_uint_eq(figure->single, 0);
    ck_assert_uint_eq(figure->points, 6);
    workload_rows_close(&rows);
    series_set_close(&set);
}
END_TEST

START_TEST(each_figure_has_its_key)
{
    struct workload_row row = { .kind = EXPORTER_KEPLER_OLD,
                                .level = LEVEL_POD,
                                .node = "",
                                .namespace = "n",
                                .pod = "p",
                                .container = "",
                                .name = "",
                                .id = "",
                                .quality = QUALITY_ATTRIBUTED,
                                .covered = 0.25 };
    const struct workload_rows rows = { .items = &row, .count = 1 };
    struct workload_report workloads = {
        .command = "energy", .rows = &rows, .pue = 2, .factor = { .kgco2eq_per_kwh = 0.5 }
    };
    static const struct {
        const char *key;
        double value;
    } expected[] = {
        { "joules", 7200000 }, { "watts", 20 },           { "irate_watts", 30 },         { "series", 4 },
        { "samples", 60 },     { "resets", 7 },           { "series_of_one_sample", 5 }, { "wraps", 8 },
        { "gaps", 9 },         { "doubtful_joules", 11 },
    };
    const struct cJSON *item, *part, *emissions;
    struct cJSON *document;
    struct error err;
    size_t length;
    char *text;
    FILE *out = open_memstream(&text, &length);

    row.figures[DOMAIN_SUM][MODE_ALL] = (struct energy_figure){
        .joules = 7200000,
        .watts = 20,
        .irate_w = 30,
        .first_s = 100,
        .last_s = 140,
        .doubtful_j = 11,
        .series = 4,
        .single = 5,
        .points = 60,
        .resets = 7,
        .wraps = 8,
        .gaps = 9,
    };
    ck_assert(workloads_json(&workloads, out, &err));
    fclose(out);
    document = json_parse(text, "pods.json", &err);
    ck_assert_ptr_nonnull(document);
    item = json_first(json_member(document, "rows"));
    part = json_member(item, rapl_domain_name(DOMAIN_SUM));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        ck_assert_msg(json_number_of(part, expected[i].key) == expected[i].value, "%s", expected[i].key);
    ck_assert_double_eq(json_number_of(item, "seconds"), 40);
    ck_assert_double_eq(json_number_of(item, "covered"), 0.25);
    emissions = json_member(item, "emissions");
    ck_assert_double_eq(json_number_of(emissions, "it_kwh"), 2);
    ck_assert_double_eq(json_number_of(emissions, "facility_kwh"), 4);
    ck_assert_double_eq(json_number_of(emissions, "kgco2eq"), 2);
    ck_assert_double_eq_tol(json_number_of(emissions, "kgco2eq_per_h"), 0.02, 1e-12);
    json_close(document);
    free(text);
}
END_TEST

UNIT_SUITE("pods", doubts_add_up, each_figure_has_its_key)
