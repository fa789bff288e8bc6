/* SPDX-License-Identifier: MIT
 * Answers of the HTTP API of Prometheus: every type of result, words in place of numbers, doubts, and what is none. */
#include "prometheus_fixture.h"

#include "base/text.h"
#include "series/api.h"
#include "series/api_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "{\"status\":\"success\",\"data\":{\"resultType\":"

struct answered {
    bool good, refused;
    struct series_set set;
    struct notices notices;
    struct error err;
};

static void take(struct answered *answered, const char *body)
{
    answered->refused = false;
    answered->good = api_answer_read(body, strlen(body), "host:1", &answered->set, &answered->notices,
                                     &answered->refused, &answered->err);
}

START_TEST(matrix)
{
    struct answered answered = { .good = false };
    const struct metric_series *series;

    take(&answered,
         HEAD "\"matrix\",\"result\":[{\"metric\":{\"__name__\":\"joules_total\",\"zone\":\"dram\","
              "\"instance\":\"a\",\"empty\":\"\"},\"values\":[[1700000000.25,\"1.5\"],"
              "[1700000001.25,\"1e3\"],[1700000002,\"+Inf\"],[1700000003,\"-Inf\"],[1700000004,\"NaN\"]]}]}}");
    ck_assert_msg(answered.good, "%s; %s", answered.err.what, answered.err.why);
    ck_assert_uint_eq(answered.set.count, 1);
    series = &answered.set.items[0];
    ck_assert_str_eq(series->metric, "joules_total");
    ck_assert_uint_eq(series->label_count, 2);
    ck_assert_str_eq(series_label_of(series, "zone"), "dram");
    ck_assert_uint_eq(series->point_count, 5);
    ck_assert_double_eq(series->points[0].time_s, 1700000000.25);
    ck_assert_double_eq(series->points[1].value, 1000);
    ck_assert(series->points[2].value > 0 && isinf(series->points[2].value));
    ck_assert(series->points[3].value < 0 && isinf(series->points[3].value));
    ck_assert(isnan(series->points[4].value));
    series_set_close(&answered.set);
}
END_TEST

START_TEST(pieces_are_joined)
{
    struct answered answered = { .good = false };

    take(&answered, HEAD "\"matrix\",\"result\":[{\"metric\":{\"a\":\"1\"},\"values\":[[1,\"1\"],[2,\"2\"]]}]}}");
    take(&answered, HEAD "\"matrix\",\"result\":[{\"metric\":{\"a\":\"1\"},\"values\":[[2,\"2\"],[3,\"3\"]]},"
                         "{\"metric\":{\"a\":\"2\"},\"values\":[[2,\"7\"]]}]}}");
    ck_assert(answered.good);
    ck_assert_uint_eq(answered.set.count, 2);
    ck_assert_uint_eq(answered.set.items[0].point_count, 3);
    ck_assert_double_eq(answered.set.items[0].points[2].value, 3);
    ck_assert_uint_eq(answered.set.items[1].point_count, 1);
    series_set_close(&answered.set);
}
END_TEST

START_TEST(vector_and_scalar)
{
    struct answered answered = { .good = false };

    take(&answered,
         HEAD "\"vector\",\"result\":[{\"metric\":{},\"value\":[5,\"0.19\"]}]},\"warnings\":[\"late \\u001b\"],"
              "\"infos\":[\"no counter\"],\"isPartial\":true}");
    ck_assert(answered.good);
    ck_assert_uint_eq(answered.notices.count, 3);
    ck_assert_str_eq(answered.notices.item[0].what, "host:1 warns: late ?");
    ck_assert_str_eq(answered.notices.item[1].what, "host:1 notes: no counter");
    ck_assert_str_eq(answered.notices.item[2].what, "the answer of host:1 is partial");
    ck_assert_double_eq(answered.set.items[0].points[0].value, 0.19);
    series_set_close(&answered.set);
    take(&answered, HEAD "\"scalar\",\"result\":[5,\"2\"]}}");
    ck_assert(answered.good);
    ck_assert_str_eq(answered.set.items[0].metric, "");
    ck_assert_double_eq(answered.set.items[0].points[0].value, 2);
    series_set_close(&answered.set);
    take(&answered, HEAD "\"vector\",\"result\":[]}}");
    ck_assert(answered.good);
    ck_assert_uint_eq(answered.set.count, 0);
    take(&answered, HEAD "\"vector\",\"result\":[{\"metric\":{\"a\":\"1\"},\"histogram\":[5,{}]}]}}");
    ck_assert(answered.good);
    ck_assert_uint_eq(answered.set.count, 0);
    ck_assert_uint_eq(answered.notices.count, 4);
    notices_clear(&answered.notices);
}
END_TEST

static const struct {
    const char *body, *why;
} none[] = {
    { "", "it is empty" },
    { " <!doctype html><html>", "it is a page, not JSON: of another service, or one that asks who you are" },
    { "[", "the file is truncated" },
    { HEAD "\"matrix\",\"result\":[{\"metric\":{\"a\":\"1\"},\"values\":[[1,\"1", "the file is truncated" },
    { "{} x", "line 1, column 4 is malformed" },
    { "{}", "its status is neither success nor error" },
    { "7", "its status is neither success nor error" },
    { "{\"status\":\"success\"}", "it has no resultType" },
    { HEAD "\"string\",\"result\":[1,\"a\"]}}", "its resultType is neither matrix, vector nor scalar" },
    { HEAD "\"vector\",\"result\":{}}}", "its result is not an array" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{}}]}}", "a series has no values" },
    { HEAD "\"vector\",\"result\":[{\"metric\":[],\"value\":[1,\"1\"]}]}}", "a metric is not an object of labels" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{\"a\":1},\"value\":[1,\"1\"]}]}}", "a label is not text" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{},\"value\":[1]}]}}", "a sample is not a pair of a time and a value" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{},\"value\":[\"1\",\"1\"]}]}}",
      "a sample is not a pair of a time and a value" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{},\"value\":[1,1]}]}}", "a value is not a number" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{},\"value\":[1,\"1 J\"]}]}}", "a value is not a number" },
    { HEAD "\"vector\",\"result\":[{\"metric\":{\"a\":\"1\",\"a\":\"2\"},\"value\":[1,\"1\"]}]}}",
      "label 'a' is there twice" },
    { HEAD "\"scalar\",\"result\":[]}}", "a sample is not a pair of a time and a value" },
};

START_TEST(no_answer)
{
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct answered answered = { .good = false };

        take(&answered, none[i].body);
        ck_assert_msg(!answered.good && !answered.refused, "%s", none[i].body);
        ck_assert_int_eq(answered.err.kind, ERROR_BAD_DATA);
        ck_assert_str_eq(answered.err.what, "the answer of host:1 is not one of Prometheus");
        ck_assert_str_eq(answered.err.why, none[i].why);
        series_set_close(&answered.set);
    }
}
END_TEST

START_TEST(own_errors)
{
    static const char body[] =
        "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query processing would load too many samples\"}";
    struct answered answered = { .good = false };
    struct error err;

    take(&answered, body);
    ck_assert(!answered.good);
    ck_assert(answered.refused);
    ck_assert_str_eq(answered.err.what, "host:1 did not answer the query");
    ck_assert_str_eq(answered.err.why, "execution: query processing would load too many samples");
    ck_assert(api_answer_error("{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"x\"}", "host", 400, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert(api_answer_error("{\"status\":\"error\"}", "host", 503, &err));
    ck_assert_int_eq(err.kind, ERROR_SYSTEM);
    ck_assert_str_eq(err.why, "error: it does not say why");
    ck_assert(!api_answer_error("<html>", "host", 503, &err));
    ck_assert(!api_answer_error(NULL, "host", 503, &err));
    ck_assert(!api_answer_error("{\"status\":\"success\"}", "host", 503, &err));
}
END_TEST

START_TEST(matchers)
{
    struct text query;

    text_open(&query, 1000);
    text_add(&query, "m{");
    prometheus_add_matcher(&query, "a", "plain");
    prometheus_add_matcher(&query, "b", "\"quoted\"\\\n}");
    ck_assert_str_eq(query.data, "m{a=\"plain\",b=\"\\\"quoted\\\"\\\\\\n}\"");
    text_close(&query);
}
END_TEST

static void take_case(struct answered *answered, const char *name)
{
    char place[128];
    size_t length;

    snprintf(place, sizeof place, "prometheus/%s", name);
    *answered = (struct answered){ .good = false };
    take(answered, case_text(place, &length));
    ck_assert_msg(answered->good, "%s: %s; %s", name, answered->err.what, answered->err.why);
}

/* Instant answers that real servers gave. */
START_TEST(real_vectors)
{
    struct answered answered;
    double joules = 0;

    if (!unit_shared()) {
        fputs("the shared cases are not there: no answer of a real server is read\n", stderr);
        return;
    }
    take_case(&answered, "rancher-instant-vector.json");
    ck_assert_uint_eq(answered.set.count, 1);
    ck_assert_str_eq(series_label_of(&answered.set.items[0], "pod_name"), "hello-world-54764dfbf8-q6l82");
    ck_assert_double_eq(answered.set.items[0].points[0].time_s, 1532427525.697);
    ck_assert_double_eq(answered.set.items[0].points[0].value, 0);
    series_set_close(&answered.set);
    take_case(&answered, "query-kepler_container_package_joules_total.json");
    ck_assert_uint_eq(answered.set.count, 102);
    for (size_t i = 0; i < answered.set.count; i++)
        joules += answered.set.items[i].points[0].value;
    ck_assert_double_eq_tol(joules, 46702.239, 1e-6);
    series_set_close(&answered.set);
}
END_TEST

UNIT_SUITE("api_answer", matrix, pieces_are_joined, vector_and_scalar, no_answer, own_errors, matchers, real_vectors)
