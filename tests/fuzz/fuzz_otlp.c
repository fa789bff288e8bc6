/* SPDX-License-Identifier: MIT
 * What a collector of OpenTelemetry answers, the variables that describe a resource, the files by which a container is
 * known, headers, and texts in a document. The input: a text; the first byte says what it is. */
#include "fuzz.h"

#include "io/json_read.h"
#include "otlp/otlp_points.h"
#include "otlp/otlp_push.h"

static void answer(const char *text)
{
    struct error err = { .kind = ERROR_NONE };
    const enum otlp_outcome outcome = otlp_answer_read(text, &err);

    FUZZ_MUST(outcome == OTLP_TAKEN || (outcome == OTLP_TAKEN_IN_PART && err.what[0]));
}

static void list(const char *text)
{
    struct otlp_resource resource = { .items = NULL };
    struct text json;
    struct cJSON *read;

    text_open(&json, OTLP_POINTS_MAX);
    if (!otlp_resource_list(&resource, text, NULL))
        FUZZ_MUST(resource.count == 0);
    otlp_resource_add(&resource, &json);
    read = json_parse(json.data, "resource", NULL);
    FUZZ_MUST(read && json_count(json_member(read, "attributes")) == resource.count);
    json_close(read);
    text_close(&json);
    otlp_resource_close(&resource);
}

static void container(const char *text)
{
    char id[OTLP_CONTAINER_ID_SIZE];

    FUZZ_MUST(!otlp_container_of(text, id) || strlen(id) == OTLP_CONTAINER_ID_SIZE - 1);
}

static void address(const char *text)
{
    char *url = otlp_url(text, NULL);

    FUZZ_MUST(!url || strstr(url, "/v1/metrics"));
    free(url);
}

static void headers(const char *text)
{
    struct otlp_collector collector = { .url = NULL };
    char *copy = strdup(text);

    if (copy && otlp_headers_take(&collector, copy, "\n", "text", NULL))
        for (char **header = collector.headers; *header; header++)
            FUZZ_MUST(strchr(*header, ':') && !strchr(*header, '\n'));
    free(copy);
    otlp_collector_close(&collector);
}

/* A label may be anything that a container or a program is called. */
static void point(const char *text)
{
    const struct otlp_label label = { "container_name", text };
    struct otlp_points points;
    struct cJSON *read;

    otlp_points_open(&points, 1, 2);
    otlp_begin(&points, "carbon_container_power_watts");
    otlp_point(&points, &label, 1, 1);
    FUZZ_MUST(otlp_points_end(&points, NULL));
    read = json_parse(points.text.data, "points", NULL);
    FUZZ_MUST(read && json_member(read, "gauge"));
    json_close(read);
    otlp_points_close(&points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const parts[])(const char *) = { answer, list, container, address, point, headers };
    char *text = size > 0 ? calloc(size, 1) : NULL;

    if (text) {
        memcpy(text, data + 1, size - 1);
        parts[data[0] % (sizeof parts / sizeof parts[0])](text);
    }
    free(text);
    return 0;
}
