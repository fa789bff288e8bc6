/* SPDX-License-Identifier: MIT
 * The exporter's text: heads and samples in both formats, escapes, and which format a client gets. */
#include "unit.h"

#include "commands/serve/accept.h"
#include "commands/serve/metrics.h"

#include <math.h>
#include <string.h>

static const struct metric_family energy = { "x_energy_joules_total", METRIC_COUNTER, "joules", "A \"b\" \\ c." };
static const struct metric_family watts = { "x_power_watts", METRIC_GAUGE, "watts", "Power." };
static const struct metric_family info = { "x_build_info", METRIC_INFO, "", "Build." };

static void write_all(enum metric_format format, const char *expected)
{
    const struct metric_label labels[] = { { "domain", "a\"b\\c\nd\xff" }, { "empty", "" } };
    struct metric_text metrics;
    struct error err;

    metric_text_open(&metrics, format);
    metric_begin(&metrics, &energy);
    metric_sample(&metrics, labels, 2, 1234.5);
    metric_sample(&metrics, labels, 1, 1e15);
    metric_begin(&metrics, &watts);
    metric_sample(&metrics, NULL, 0, NAN);
    metric_sample(&metrics, NULL, 0, 0.1);
    metric_begin(&metrics, &info);
    metric_sample(&metrics, NULL, 0, 1);
    ck_assert(metric_text_end(&metrics, &err));
    ck_assert_str_eq(metrics.text.data, expected);
    metric_text_close(&metrics);
}

START_TEST(the_plain_format)
{
    write_all(METRIC_PLAIN, "# HELP x_energy_joules_total A \"b\" \\\\ c.\n"
                            "# TYPE x_energy_joules_total counter\n"
                            "x_energy_joules_total{domain=\"a\\\"b\\\\c\\nd\\\\xff\",empty=\"\"} 1234.5\n"
                            "x_energy_joules_total{domain=\"a\\\"b\\\\c\\nd\\\\xff\"} 1e+15\n"
                            "# HELP x_power_watts Power.\n# TYPE x_power_watts gauge\nx_power_watts 0.1\n"
                            "# HELP x_build_info Build.\n# TYPE x_build_info gauge\nx_build_info 1\n");
}
END_TEST

START_TEST(openmetrics)
{
    write_all(METRIC_OPEN, "# HELP x_energy_joules A \\\"b\\\" \\\\ c.\n"
                           "# TYPE x_energy_joules counter\n# UNIT x_energy_joules joules\n"
                           "x_energy_joules_total{domain=\"a\\\"b\\\\c\\nd\\\\xff\",empty=\"\"} 1234.5\n"
                           "x_energy_joules_total{domain=\"a\\\"b\\\\c\\nd\\\\xff\"} 1e+15\n"
                           "# HELP x_power_watts Power.\n# TYPE x_power_watts gauge\n# UNIT x_power_watts watts\n"
                           "x_power_watts 0.1\n"
                           "# HELP x_build Build.\n# TYPE x_build info\nx_build_info 1\n# EOF\n");
}
END_TEST

START_TEST(the_format_that_is_asked_for)
{
    static const struct {
        const char *accept;
        enum metric_format format;
    } cases[] = {
        { NULL, METRIC_PLAIN },
        { "", METRIC_PLAIN },
        { "*/*", METRIC_PLAIN },
        { "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", METRIC_PLAIN },
        { "application/openmetrics-text", METRIC_OPEN },
        { "Application/OpenMetrics-Text; version=1.0.0; charset=utf-8", METRIC_OPEN },
        { "application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", METRIC_OPEN },
        { "application/openmetrics-text;version=1.0.0;q=0.2,text/plain;q=0.5", METRIC_PLAIN },
        { "application/openmetrics-text;version=2.0.0", METRIC_PLAIN },
        { "application/openmetrics-textual", METRIC_PLAIN },
        { "application/openmetrics-text;version=1.0.0;q=0,*/*", METRIC_PLAIN },
        { "text/plain;q=0.3, application/openmetrics-text; q=0.4", METRIC_OPEN },
        { ";;;,,,q=;", METRIC_PLAIN },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(metric_format_of(cases[i].accept) == cases[i].format, "%s", cases[i].accept);
}
END_TEST

START_TEST(gzip_where_it_is_wanted)
{
    static const char *const wanted[] = { "gzip",
                                          "GZIP",
                                          "x-gzip",
                                          "deflate, gzip;q=1.0, *;q=0.5",
                                          "*",
                                          "br, *;q=0.1",
                                          "gzip;q=0.5, identity;q=0.2",
                                          "gzip ; q=0.5, identity; q=0.5",
                                          "identity;q=0, gzip;q=0.001" };
    static const char *const unwanted[] = {
        "",         "gzip;q=0", "gzip;q=0.000, identity", "gzip;q=0, *", "*;q=0",
        "identity", "br",       "gzip;q=0.5, identity",   "gzipped",     ";;;,,,q=;"
    };

    ck_assert(!accepts_gzip(NULL));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        ck_assert_msg(accepts_gzip(wanted[i]), "%s", wanted[i]);
    for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++)
        ck_assert_msg(!accepts_gzip(unwanted[i]), "%s", unwanted[i]);
}
END_TEST

/* Each family is pushed by OTLP under a name, but for those that OTLP says otherwise: in the start of sums and in the
 * version of the scope. */
START_TEST(names_for_opentelemetry)
{
    static const char *const elsewhere[] = { "process_start_time_seconds", "carbon_totals_start_time_seconds",
                                             "carbon_build_info" };
    struct metric_text metrics;
    struct error err;
    size_t families = 0;

    ck_assert(metrics_list(&metrics, &err));
    for (const char *line = strstr(metrics.text.data, "# TYPE "); line; line = strstr(line + 1, "# TYPE ")) {
        char name[100], type[20];
        size_t rows;
        bool left_out = false;
        ck_assert_int_eq(sscanf(line, "# TYPE %99s %19s", name, type), 2);
        for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
            left_out |= strcmp(elsewhere[i], name) == 0;
        const struct otlp_metric *row = otlp_metrics_of(name, &rows);
        ck_assert_msg((rows > 0) != left_out, "%s", name);
        if (rows > 0)
            ck_assert_msg((strcmp(type, "counter") == 0) == (row->kind == OTLP_SUM), "%s", name);
        families++;
    }
    ck_assert_uint_gt(families, 40);
    metric_text_close(&metrics);
}
END_TEST

UNIT_SUITE("serve_text", names_for_opentelemetry, gzip_where_it_is_wanted, the_plain_format, openmetrics,
           the_format_that_is_asked_for)
