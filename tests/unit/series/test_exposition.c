/* SPDX-License-Identifier: MIT
 * The text formats of exporters: what is read, and what is refused, where. */
#include "prometheus_fixture.h"

static void check_one(const char *text, const char *metric, double value)
{
    struct series_set set = { .items = NULL };

    add_text(&set, 5, text, strlen(text));
    ck_assert_uint_eq(set.count, 1);
    ck_assert_str_eq(set.items[0].metric, metric);
    ck_assert_uint_eq(set.items[0].point_count, 1);
    ck_assert_double_eq(set.items[0].points[0].time_s, 5);
    if (isnan(value))
        ck_assert_double_nan(set.items[0].points[0].value);
    else
        ck_assert_double_eq(set.items[0].points[0].value, value);
    series_set_close(&set);
}

START_TEST(values)
{
    check_one("a 1\n", "a", 1);
    check_one("a:b_9\t 1.301305204e+09 \n", "a:b_9", 1301305204);
    check_one("a{} -0.5\n", "a", -0.5);
    check_one(" a { } +3\r\n", "a", 3);
    check_one("a NaN\n", "a", NAN);
    check_one("a +Inf\n", "a", INFINITY);
    check_one("a -Inf\n", "a", -INFINITY);
    check_one("a inf\n\n\n", "a", INFINITY);
    check_one("# HELP a what it is \\n and more\n# TYPE a counter\n# UNIT a joules\n# a remark\n#\na 2\n", "a", 2);
    check_one("# TYPE a untyped\na 2\n# the end", "a", 2);
}
END_TEST

START_TEST(labels)
{
    const char text[] = "m{z=\"1\", path=\"C:\\\\x\\q\",quote=\"\\\"\\n\" , empty=\"\",} 4\n"
                        "m{quote=\"\\\"\\n\",path=\"C:\\\\x\\q\",z=\"1\"} 5\n"
                        "{\"with.dot\",\"label name\"=\"ä, } = \\\"\"} 6\n";
    struct series_set set = { .items = NULL };
    const struct metric_series *series;

    add_text(&set, 1, text, sizeof text - 1);
    ck_assert_uint_eq(set.count, 2);
    series = find(&set, "m", NULL, NULL);
    ck_assert_uint_eq(series->label_count, 3);
    ck_assert_str_eq(series->labels[0].name, "path");
    ck_assert_str_eq(series_label_of(series, "path"), "C:\\x\\q");
    ck_assert_str_eq(series_label_of(series, "quote"), "\"\n");
    ck_assert_str_eq(series_label_of(series, "z"), "1");
    ck_assert_ptr_null(series_label_of(series, "empty"));
    ck_assert_ptr_null(series_label_of(series, "y"));
    ck_assert_uint_eq(series->point_count, 2);
    series = find(&set, "with.dot", NULL, NULL);
    ck_assert_str_eq(series_label_of(series, "label name"), "ä, } = \"");
    series_set_close(&set);
    series_set_close(&set);
}
END_TEST

static void check_time(const char *text, double expected_s, bool open_metrics)
{
    struct exposition exposition = { .name = "t", .time_s = 7, .timestamps = true };
    struct series_set set = { .items = NULL };
    struct error err = { .kind = ERROR_NONE };
    struct series_builder builder;

    series_builder_open(&builder, &set);
    ck_assert_msg(exposition_read(text, strlen(text), &exposition, &builder, &err), "%s: %s", err.what, err.why);
    series_builder_close(&builder);
    ck_assert_int_eq(exposition.open_metrics, open_metrics);
    ck_assert_uint_eq(exposition.samples, 1);
    ck_assert_uint_eq(exposition.timestamped, expected_s != 7);
    ck_assert_double_eq(set.items[0].points[0].time_s, expected_s);
    series_set_close(&set);
}

START_TEST(times)
{
    check_time("a 1\n", 7, false);
    check_time("a 1 1702462599500\n", 1702462599.5, false);
    check_time("a 1 -1000\n", -1, false);
    check_time("a{b=\"c\"} 1 1702462599.5\n# EOF\n", 1702462599.5, true);
    check_time("a_total 1 1702462599.5 # {trace_id=\"x\"} 0.5 1702462599\n# EOF\n", 1702462599.5, true);
    check_time("a_total 1 # {} 0.5\n# EOF", 7, true);
}
END_TEST

/* line:column of the fault, and why. */
static void check_bad(const char *text, size_t length, const char *where, const char *why)
{
    struct exposition exposition = { .name = "t.prom", .time_s = 1 };
    struct series_set set = { .items = NULL };
    struct error err = { .kind = ERROR_NONE };
    struct series_builder builder;

    series_builder_open(&builder, &set);
    ck_assert_msg(!exposition_read(text, length, &exposition, &builder, &err), "%s", text);
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_msg(strstr(err.what, where) != NULL, "%s is not at %s", err.what, where);
    ck_assert_msg(strstr(err.why, why) != NULL, "%s, not %s", err.why, why);
    series_builder_close(&builder);
    series_set_close(&set);
}

START_TEST(faults)
{
    static const struct {
        const char *text;
        const char *where; /* line and column */
        const char *why;
    } cases[] = {
        { "a 1\nb\n", "line 2, column 2", "blank is expected" },
        { "a 1\nb \n", "line 2, column 3", "value is missing" },
        { "a x\n", "line 1, column 3", "number" },
        { "a 1 2 3\n", "line 1, column 7", "nothing is expected" },
        { "a 1 NaN\n", "line 1, column 5", "not a time" },
        { "a 1 18446744073000\n", "line 1, column 5", "not a time" },
        { "a 1 -18446744073000\n", "line 1, column 5", "not a time" },
        { "a 1e999\n", "line 1, column 3", "number" },
        { "9a 1\n", "line 1, column 1", "name of a metric" },
        { "a{b} 1\n", "line 1, column 4", "label" },
        { "a{b=c} 1\n", "line 1, column 5", "label" },
        { "a{b=\"c} 1\n", "line 1, column 5", "not closed" },
        { "a{b=\"c\" 1\n", "line 1, column 9", "'}'" },
        { "a{b=\"c\"\n", "line 1, column 8", "not closed" },
        { "a{b=\"c\",b=\"d\"} 1\n", "line 1, column 1", "'b' is there twice" },
        { "a{\"b\"} 1\n", "line 1, column 6", "label" },
        { "{b=\"c\"} 1\n", "line 1, column 1", "no metric is named" },
        { "a 1 # b\n", "line 1, column 7", "exemplar" },
        { "# TYPE a thing\n", "line 1, column 10", "type" },
        { "# TYPE 9 counter\n", "line 1, column 8", "name" },
        { "a 1\nb 2", "line 2, column 4", "cut off" },
        { "<html>\n", "line 1, column 1", "name of a metric" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_bad(cases[i].text, strlen(cases[i].text), cases[i].where, cases[i].why);
    check_bad("a\0b 1\n", 6, "line 1, column 2", "NUL");
}
END_TEST

START_TEST(too_many_labels)
{
    static char text[1 << 14] = "a{";
    size_t length = 2;

    for (int i = 0; i <= SERIES_LABELS_MAX; i++)
        length += (size_t)sprintf(text + length, "l%d=\"x\",", i);
    length += (size_t)sprintf(text + length, "} 1\n");
    check_bad(text, length, "line 1", "more labels");
}
END_TEST

START_TEST(too_long)
{
    struct exposition exposition = { .name = "t.prom" };
    struct error err = { .kind = ERROR_NONE };

    ck_assert(!exposition_read("a 1\n", (size_t)EXPOSITION_MAX + 1, &exposition, NULL, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.what, "64 MiB"));
}
END_TEST

START_TEST(many_series)
{
    struct series_set set = { .items = NULL };
    struct series_builder builder;
    struct error err;
    char number[16];
    size_t index;

    series_builder_open(&builder, &set);
    for (int round = 0; round < 2; round++)
        for (int i = 9999; i >= 0; i--) {
            struct series_label both[] = { { "z", "1" }, { "i", number } };
            snprintf(number, sizeof number, "%04d", i);
            ck_assert(series_builder_get(&builder, "m", both, 2, &index, &err));
            ck_assert(series_builder_add(&builder, index, 10 - round, i, &err));
        }
    series_builder_close(&builder);
    series_set_sort(&set);
    ck_assert_uint_eq(set.count, 10000);
    for (size_t i = 0; i < set.count; i++) {
        ck_assert_uint_eq(set.items[i].point_count, 2);
        ck_assert_double_eq(set.items[i].points[0].time_s, 9);
        ck_assert_double_eq(set.items[i].points[1].value, (double)i);
    }
    series_set_close(&set);
}
END_TEST

/* The numbers of samples are those of the lines that are no remarks. */
START_TEST(real_texts)
{
    static const struct {
        const char *name;
        size_t series;
    } cases[] = {
        { "old/issue-1152-vm.prom", 6 },
        { "old/issue-352.prom", 1 },
        { "old/issue-635.prom", 4 },
        { "old/issue-707.prom", 3 },
        { "old/v0.7-rebuilt-t0.prom", 1516 },
        { "old/v0.7-rebuilt-t1.prom", 1516 },
        { "new/pr-2037-energy-zone.prom", 4 },
        { "new/constructed-v0.11-t0.prom", 22 },
        { "new/constructed-v0.11-t1.prom", 23 },
        { "node_exporter-e2e-output.txt", 3027 },
    };

    for (size_t i = 0; unit_shared() && i < sizeof cases / sizeof cases[0]; i++) {
        struct series_set set = { .items = NULL };
        add_case(&set, 1, cases[i].name);
        ck_assert_msg(set.count == cases[i].series, "%s: %zu", cases[i].name, set.count);
        if (strcmp(cases[i].name, "node_exporter-e2e-output.txt") == 0)
            ck_assert_double_eq(find(&set, "node_rapl_package_joules_total", "index", "0")->points[0].value,
                                240422.366267);
        series_set_close(&set);
    }
    if (!unit_shared())
        fputs("the shared cases are not there: real texts are not read\n", stderr);
}
END_TEST

UNIT_SUITE("exposition", values, labels, times, faults, too_many_labels, too_long, many_series, real_texts)
