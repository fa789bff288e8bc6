/* SPDX-License-Identifier: MIT
 * OTLP: points as JSON, names, the resource, addresses, what a collector's answer means, and how long to wait. */
#include "unit.h"

#include "base/units.h"
#include "io/json_read.h"
#include "io/machine_identity.h"
#include "otlp/otlp_points.h"
#include "otlp/otlp_push.h"

#include <math.h>
#include <string.h>

static void write_points(struct otlp_points *points)
{
    const struct otlp_label part[] = { { "domain", "package-0" },
                                       { "source", "powercap" },
                                       { "component", "package" },
                                       { "counted", "yes" },
                                       { OTLP_PLACE, "part" } };
    const struct otlp_label other[] = {
        { "domain", "core" }, { "source", "perf" }, { OTLP_PARENT, "package-0" }, { OTLP_PLACE, "other" }
    };

    otlp_points_open(points, 5, 7);
    otlp_begin(points, "carbon_energy_joules_total");
    otlp_point(points, other, 4, 2);
    otlp_point(points, part, 5, 1.5);
    otlp_point(points, part, 5, NAN);
    otlp_begin(points, "no_such_metric");
    otlp_point(points, part, 5, 1);
    otlp_begin(points, "carbon_power_watts");
    otlp_point(points, part, 5, INFINITY);
    otlp_begin(points, "carbon_factor_kilograms_per_kilowatthour");
    otlp_point(points, NULL, 0, 0.5);
    otlp_begin(points, "process_resident_memory_bytes");
    points->since_ns = 0;
    otlp_point(points, NULL, 0, 1024);
}

START_TEST(points_as_json)
{
    struct otlp_points points;
    struct error err;

    write_points(&points);
    ck_assert(otlp_points_end(&points, &err));
    ck_assert_str_eq(points.text.data,
                     "{\"name\":\"hw.energy\",\"unit\":\"J\",\"sum\":{\"dataPoints\":[{\"attributes\":["
                     "{\"key\":\"hw.id\",\"value\":{\"stringValue\":\"powercap:package-0\"}},"
                     "{\"key\":\"hw.type\",\"value\":{\"stringValue\":\"cpu\"}},"
                     "{\"key\":\"hw.name\",\"value\":{\"stringValue\":\"package-0\"}},"
                     "{\"key\":\"carbon.source\",\"value\":{\"stringValue\":\"powercap\"}},"
                     "{\"key\":\"carbon.component\",\"value\":{\"stringValue\":\"package\"}},"
                     "{\"key\":\"carbon.counted\",\"value\":{\"stringValue\":\"yes\"}}],"
                     "\"startTimeUnixNano\":\"5\",\"timeUnixNano\":\"7\",\"asDouble\":1.5}],"
                     "\"aggregationTemporality\":2,\"isMonotonic\":true}},"
                     "{\"name\":\"carbon.domain.energy\",\"unit\":\"J\",\"sum\":{\"dataPoints\":[{\"attributes\":["
                     "{\"key\":\"hw.id\",\"value\":{\"stringValue\":\"perf:core\"}},"
                     "{\"key\":\"hw.parent\",\"value\":{\"stringValue\":\"perf:package-0\"}},"
                     "{\"key\":\"hw.name\",\"value\":{\"stringValue\":\"core\"}},"
                     "{\"key\":\"carbon.source\",\"value\":{\"stringValue\":\"perf\"}}],"
                     "\"startTimeUnixNano\":\"5\",\"timeUnixNano\":\"7\",\"asDouble\":2}],"
                     "\"aggregationTemporality\":2,\"isMonotonic\":true}},"
                     "{\"name\":\"carbon.factor\",\"unit\":\"g{CO2eq}/kW.h\",\"gauge\":{\"dataPoints\":["
                     "{\"attributes\":[],\"timeUnixNano\":\"7\",\"asDouble\":500}]}},"
                     "{\"name\":\"process.memory.usage\",\"unit\":\"By\",\"sum\":{\"dataPoints\":["
                     "{\"attributes\":[],\"timeUnixNano\":\"7\",\"asDouble\":1024}],"
                     "\"aggregationTemporality\":2,\"isMonotonic\":false}}");
    otlp_points_close(&points);
    otlp_points_close(&points);
}
END_TEST

START_TEST(texts)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        { "", "\"\"" },
        { "a\"b\\c\n\x01", "\"a\\\"b\\\\c\\u000a\\u0001\"" },
        { "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\"" },
        { "x\xff\xc3", "\"x\xef\xbf\xbd\xef\xbf\xbd\"" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text;
        text_open(&text, 1000);
        otlp_add_text(&text, cases[i].text);
        ck_assert_str_eq(text.data, cases[i].json);
        text_close(&text);
    }
}
END_TEST

/* One name is one unit and kind, and rows of one metric stand together. */
START_TEST(the_table)
{
    size_t count;
    const struct otlp_metric *rows = otlp_metrics_all(&count);

    ck_assert_uint_gt(count, 50);
    for (size_t i = 0; i < count; i++) {
        size_t same;
        const struct otlp_metric *found = otlp_metrics_of(rows[i].from, &same);
        ck_assert_msg(found <= &rows[i] && &rows[i] < found + same, "%s", rows[i].from);
        ck_assert(same == 1 ? rows[i].place == OTLP_ANY : rows[i].place != OTLP_ANY);
        ck_assert_double_gt(rows[i].scale, 0);
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(strcmp(rows[i].name, rows[j].name) != 0, "%s", rows[i].name);
    }
    otlp_metrics_of("nothing", &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

static const char *value_of(const struct otlp_resource *resource, const char *key)
{
    for (size_t i = 0; i < resource->count; i++)
        if (strcmp(resource->items[i].key, key) == 0)
            return resource->items[i].value;
    return NULL;
}

START_TEST(lists_of_attributes)
{
    static const char *const bad[] = { "a", "=1", "a=1,b", "a=%2", "a=%zz", "a=%00", "a=1,=2", "%=1" };
    struct otlp_resource resource = { .items = NULL };
    struct error err;

    otlp_resource_set(&resource, "a", "0");
    otlp_resource_set(&resource, "empty", "");
    otlp_resource_set(&resource, "none", NULL);
    ck_assert(otlp_resource_list(&resource, " a=1 , b.c=x%2Cy%20z,,d=a=b,e=", &err));
    ck_assert_uint_eq(resource.count, 3);
    ck_assert_str_eq(value_of(&resource, "a"), "1");
    ck_assert_str_eq(value_of(&resource, "b.c"), "x,y z");
    ck_assert_str_eq(value_of(&resource, "d"), "a=b");
    ck_assert(otlp_resource_list(&resource, "", &err));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!otlp_resource_list(&resource, bad[i], &err), "%s", bad[i]);
        ck_assert_str_eq(value_of(&resource, "a"), "1");
    }
    otlp_resource_close(&resource);
}
END_TEST

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

START_TEST(containers)
{
    static const struct {
        const char *text, *id;
    } cases[] = {
        { "0::/system.slice/docker-" ID ".scope", ID },
        { "12:cpu:/docker/" ID "\n0::/", ID },
        { "/var/lib/docker/containers/" ID "/hostname", ID },
        { "0::/", NULL },
        { "", NULL },
        { ID, NULL },
        { "/" ID "0", NULL },
        { "/x" ID, NULL },
        { "0::/kubepods/pod1/" ID, ID },
    };
    char id[OTLP_CONTAINER_ID_SIZE];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(otlp_container_of(cases[i].text, id) == (cases[i].id != NULL), "%s", cases[i].text);
        if (cases[i].id)
            ck_assert_str_eq(id, cases[i].id);
    }
}
END_TEST

START_TEST(addresses)
{
    static const char *const good[][2] = {
        { "http://localhost:4318", "http://localhost:4318/v1/metrics" },
        { "http://localhost:4318/", "http://localhost:4318/v1/metrics" },
        { "https://c.example/otlp/", "https://c.example/otlp/v1/metrics" },
        { "https://c.example/v1/metrics", "https://c.example/v1/metrics" },
        { "https://c.example/v1/metrics/", "https://c.example/v1/metrics" },
    };
    static const char *const bad[] = { "",           "c.example", "ftp://c", "http://", "http://u:p@c", "http://c/?k=1",
                                       "http://c/#a" };
    struct error err;
    char *url;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        url = otlp_url(good[i][0], &err);
        ck_assert_ptr_nonnull(url);
        ck_assert_str_eq(url, good[i][1]);
        free(url);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!otlp_url(bad[i], &err), "%s", bad[i]);
    url = otlp_whole_url("http://c/x", &err);
    ck_assert_str_eq(url, "http://c/x");
    free(url);
}
END_TEST

START_TEST(answers)
{
    static const struct {
        const char *body;
        enum otlp_outcome outcome;
        const char *what, *why;
    } cases[] = {
        { NULL, OTLP_TAKEN, "", "" },
        { "", OTLP_TAKEN, "", "" },
        { "{}", OTLP_TAKEN, "", "" },
        { "{\"partialSuccess\":{}}", OTLP_TAKEN, "", "" },
        { "{\"partialSuccess\":{\"rejectedDataPoints\":\"0\"}}", OTLP_TAKEN, "", "" },
        { "{\"partialSuccess\":{\"rejectedDataPoints\":\"2\",\"errorMessage\":\"old\"}}", OTLP_TAKEN_IN_PART,
          "the collector refused 2 data points", "old" },
        { "{\"partialSuccess\":{\"rejectedDataPoints\":3}}", OTLP_TAKEN_IN_PART, "the collector refused 3 data points",
          "" },
        { "{\"partialSuccess\":{\"errorMessage\":\"use gzip\"}}", OTLP_TAKEN_IN_PART,
          "the collector took the metrics with a warning", "use gzip" },
        { "no JSON", OTLP_TAKEN, "", "" },
        { "[1]", OTLP_TAKEN, "", "" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err = { .kind = ERROR_NONE };
        ck_assert_msg(otlp_answer_read(cases[i].body, &err) == cases[i].outcome, "%zu", i);
        ck_assert_str_eq(err.what, cases[i].what);
        ck_assert_str_eq(err.why, cases[i].why);
    }
}
END_TEST

START_TEST(waits)
{
    static const unsigned own_s[] = { 1, 1, 2, 4, 8, 16, 60, 60, 60 };

    for (unsigned failed = 1; failed < sizeof own_s / sizeof own_s[0]; failed++)
        ck_assert_uint_eq(otlp_wait_ns(failed, -1), own_s[failed] * NS_PER_S_INT);
    ck_assert_uint_eq(otlp_wait_ns(1, 0), 0);
    ck_assert_uint_eq(otlp_wait_ns(9, 7), 7 * NS_PER_S_INT);
    ck_assert_uint_eq(otlp_wait_ns(1, 86400), 3600 * NS_PER_S_INT);
}
END_TEST

START_TEST(documents)
{
    struct otlp_resource resource = { .items = NULL };
    struct error err;
    char *document;
    struct cJSON *read;

    otlp_resource_set(&resource, "host.name", "a\"b");
    otlp_resource_self(&resource);
    document = otlp_document(&resource, "", &err);
    ck_assert_ptr_nonnull(document);
    read = json_parse(document, "document", &err);
    ck_assert_ptr_nonnull(read);
    ck_assert_ptr_nonnull(strstr(document, "{\"key\":\"process.pid\",\"value\":{\"intValue\":\""));
    ck_assert_ptr_nonnull(strstr(document, "{\"key\":\"host.name\",\"value\":{\"stringValue\":\"a\\\"b\"}}"));
    json_close(read);
    free(document);
    otlp_resource_close(&resource);
}
END_TEST

START_TEST(a_host_has_the_id_of_records)
{
    struct otlp_resource resource = { .items = NULL };
    struct machine machine = { .cpus_ours = true };
    struct root root;
    struct error err;

    ck_assert(root_open(&root, "/", &err));
    ck_assert(root.live);
    machine_identity(&machine, &root);
    otlp_resource_find(&resource, &root);
    if (value_of(&resource, "container.id") || !machine.id[0])
        ck_assert_ptr_null(value_of(&resource, "host.id"));
    else
        ck_assert_str_eq(value_of(&resource, "host.id"), machine.id);
    otlp_resource_close(&resource);
    root.live = false;
    otlp_resource_find(&resource, &root);
    ck_assert_ptr_null(value_of(&resource, "host.id"));
    otlp_resource_close(&resource);
    root_close(&root);
}
END_TEST

UNIT_SUITE("otlp", points_as_json, texts, the_table, lists_of_attributes, containers, addresses, answers, waits,
           documents, a_host_has_the_id_of_records)
