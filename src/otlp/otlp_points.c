/* SPDX-License-Identifier: MIT
 * Metrics, points and attributes as OTLP's JSON encoding has them: lowerCamelCase, 64-bit numbers as texts,
 * enumerations as numbers (opentelemetry-proto 1.x, docs/specification.md, "JSON Protobuf Encoding"). */
#include "otlp/otlp_points.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AGGREGATION_TEMPORALITY_CUMULATIVE = 2, HARDWARE_ID_SIZE = 160 };

static void add(struct text *text, const char *part)
{
    text_add_bytes(text, part, strlen(part));
}

static size_t plain_length(const char *value)
{
    size_t length = 0, next;

    while ((unsigned char)value[length] >= 0x20 && value[length] != '"' && value[length] != '\\' &&
           (next = utf8_length(value + length)) > 0)
        length += next;
    return length;
}

void otlp_add_text(struct text *text, const char *value)
{
    add(text, "\"");
    for (;; value++) {
        const size_t plain = plain_length(value);
        text_add_bytes(text, value, plain);
        value += plain;
        if (!*value)
            break;
        if (*value == '"' || *value == '\\')
            text_add(text, "\\%c", *value);
        else if ((unsigned char)*value < 0x20)
            text_add(text, "\\u%04x", (unsigned)*value);
        else
            add(text, "\xef\xbf\xbd");
    }
    add(text, "\"");
}

/* What is not known is left out. */
static void add_attribute(struct text *text, bool *any, const char *prefix, const char *name, const char *value)
{
    if (!*value)
        return;
    add(text, *any ? ",{\"key\":\"" : "{\"key\":\"");
    add(text, prefix);
    add(text, name);
    add(text, "\",\"value\":{\"stringValue\":");
    otlp_add_text(text, value);
    add(text, "}}");
    *any = true;
}

static const char *label_of(const struct otlp_label *labels, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(labels[i].name, name) == 0)
            return labels[i].value;
    return NULL;
}

/* A domain's name is its own within its source alone: together they are what the conventions want of hw.id. */
static void add_hardware(struct text *text, bool *any, const struct otlp_label *labels, size_t count)
{
    const char *domain = label_of(labels, count, "domain"), *source = label_of(labels, count, "source");
    const char *component = label_of(labels, count, "component"), *place = label_of(labels, count, OTLP_PLACE);
    const char *parent = label_of(labels, count, OTLP_PARENT);
    char id[HARDWARE_ID_SIZE];

    if (!domain || !source)
        return;
    snprintf(id, sizeof id, "%s:%s", source, domain);
    add_attribute(text, any, "", "hw.id", id);
    if (parent) {
        snprintf(id, sizeof id, "%s:%s", source, parent);
        add_attribute(text, any, "", "hw.parent", id);
    }
    if (place && strcmp(place, otlp_place_name(OTLP_PART)) == 0 && component && otlp_hardware_of(component))
        add_attribute(text, any, "", "hw.type", otlp_hardware_of(component));
}

static void add_attributes(struct text *text, const struct otlp_label *labels, size_t count)
{
    bool any = false;

    add(text, "\"attributes\":[");
    add_hardware(text, &any, labels, count);
    for (size_t i = 0; i < count; i++) {
        const char *known = otlp_attribute_of(labels[i].name);
        if (strcmp(labels[i].name, OTLP_PLACE) != 0 && strcmp(labels[i].name, OTLP_PARENT) != 0)
            add_attribute(text, &any, known ? "" : "carbon.", known ? known : labels[i].name, labels[i].value);
    }
    add(text, "]");
}

static const struct otlp_metric *row_of(const struct otlp_points *points, const struct otlp_label *labels, size_t count)
{
    const char *place = label_of(labels, count, OTLP_PLACE);

    for (size_t i = 0; i < points->row_count; i++)
        if (strcmp(otlp_place_name(points->rows[i].place), place ? place : "") == 0)
            return &points->rows[i];
    return NULL;
}

void otlp_point(struct otlp_points *points, const struct otlp_label *labels, size_t count, double value)
{
    const struct otlp_metric *row = row_of(points, labels, count);
    char number[TEXT_NUMBER_SIZE];
    struct text *text;

    if (!row || !isfinite(value * row->scale))
        return;
    text = &points->parts[row->place];
    add(text, text->length ? ",{" : "{");
    add_attributes(text, labels, count);
    if (row->kind != OTLP_GAUGE && points->since_ns)
        text_add(text, ",\"startTimeUnixNano\":\"%llu\"", (unsigned long long)points->since_ns);
    text_add(text, ",\"timeUnixNano\":\"%llu\",\"asDouble\":", (unsigned long long)points->time_ns);
    add(text, text_number(value * row->scale, number));
    add(text, "}");
}

static void add_metric(struct otlp_points *points, const struct otlp_metric *row)
{
    struct text *text = &points->text, *part = &points->parts[row->place];

    if (!part->length && !part->failed)
        return;
    add(text, text->length ? ",{\"name\":\"" : "{\"name\":\"");
    add(text, row->name);
    add(text, "\",\"unit\":\"");
    add(text, row->unit);
    add(text, row->kind == OTLP_GAUGE ? "\",\"gauge\":{\"dataPoints\":[" : "\",\"sum\":{\"dataPoints\":[");
    if (part->length)
        text_add_bytes(text, part->data, part->length);
    add(text, "]");
    if (row->kind != OTLP_GAUGE)
        text_add(text, ",\"aggregationTemporality\":%d,\"isMonotonic\":%s", AGGREGATION_TEMPORALITY_CUMULATIVE,
                 row->kind == OTLP_SUM ? "true" : "false");
    add(text, "}}");
    text->failed |= part->failed;
    text_close(part);
}

static void complete(struct otlp_points *points)
{
    for (size_t i = 0; i < points->row_count; i++)
        add_metric(points, &points->rows[i]);
    points->row_count = 0;
}

void otlp_points_open(struct otlp_points *points, uint64_t since_ns, uint64_t time_ns)
{
    *points = (struct otlp_points){ .since_ns = since_ns, .time_ns = time_ns };
    text_open(&points->text, OTLP_POINTS_MAX);
    for (size_t i = 0; i < OTLP_PLACES; i++)
        text_open(&points->parts[i], OTLP_POINTS_MAX);
}

void otlp_begin(struct otlp_points *points, const char *from)
{
    complete(points);
    points->rows = otlp_metrics_of(from, &points->row_count);
}

bool otlp_points_end(struct otlp_points *points, struct error *err)
{
    complete(points);
    return text_ok(&points->text) || error_set(err, ERROR_SYSTEM, "no memory for the metrics of OTLP");
}

void otlp_points_close(struct otlp_points *points)
{
    text_close(&points->text);
    for (size_t i = 0; i < OTLP_PLACES; i++)
        text_close(&points->parts[i]);
}
