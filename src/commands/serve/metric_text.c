/* SPDX-License-Identifier: MIT
 * Heads, samples and escapes of both formats. */
#include "commands/serve/metric_text.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char total_suffix[] = "_total", info_suffix[] = "_info";

void metric_text_open(struct metric_text *metrics, enum metric_format format)
{
    *metrics = (struct metric_text){ .format = format };
    if (format == METRIC_OTLP)
        otlp_points_open(&metrics->points, 0, clock_realtime_ns());
    text_open(&metrics->text, METRIC_TEXT_MAX);
}

void metric_text_close(struct metric_text *metrics)
{
    text_close(&metrics->text);
    otlp_points_close(&metrics->points);
}

void metric_since(struct metric_text *metrics, uint64_t since_ns)
{
    metrics->points.since_ns = since_ns;
}

/* The unescaped bytes, up to the first that is escaped or cannot be shown. */
static size_t plain_length(const char *value, bool quotes)
{
    size_t length = 0, next;

    while (value[length] && value[length] != '\n' && value[length] != '\\' && !(quotes && value[length] == '"') &&
           utf8_is_shown(value + length, next = utf8_length(value + length)))
        length += next;
    return length;
}

/* Both formats escape a backslash and the end of a line; a quote in labels, and OpenMetrics in a help, too. Of what
 * cannot be shown each byte is \x1b in the text, as systemd writes it: a reader refuses the whole document that is no
 * UTF-8, and people look at it in a terminal. */
static void add_escaped(struct text *text, const char *value, bool quotes)
{
    for (;; value++) {
        const size_t plain = plain_length(value, quotes);
        text_add_bytes(text, value, plain);
        value += plain;
        if (!*value)
            return;
        if (*value == '\n')
            text_add(text, "\\n");
        else if (*value == '\\' || (quotes && *value == '"'))
            text_add(text, "\\%c", *value);
        else
            text_add(text, "\\\\x%02x", (unsigned char)*value);
    }
}

/* The family's name as this format has it. */
static int name_length(const struct metric_text *metrics, const struct metric_family *family)
{
    const char *suffix = family->type == METRIC_COUNTER ? total_suffix : family->type == METRIC_INFO ? info_suffix : "";
    const size_t length = strlen(family->name), cut = strlen(suffix);

    return (int)(metrics->format == METRIC_OPEN ? length - cut : length);
}

void metric_begin(struct metric_text *metrics, const struct metric_family *family)
{
    static const char *const types[METRIC_FORMATS][METRIC_INFO + 1] = {
        [METRIC_PLAIN] = { "counter", "gauge", "gauge" },
        [METRIC_OPEN] = { "counter", "gauge", "info" },
    };
    const bool open = metrics->format == METRIC_OPEN;
    const int length = name_length(metrics, family);

    metrics->open = family;
    if (metrics->format == METRIC_OTLP) {
        otlp_begin(&metrics->points, family->name);
        return;
    }
    text_add(&metrics->text, "# HELP %.*s ", length, family->name);
    add_escaped(&metrics->text, family->help, open);
    text_add(&metrics->text, "\n# TYPE %.*s %s\n", length, family->name, types[metrics->format][family->type]);
    if (open && family->unit[0])
        text_add(&metrics->text, "# UNIT %.*s %s\n", length, family->name, family->unit);
}

static void add_point(struct metric_text *metrics, const struct metric_label *labels, size_t count, double value)
{
    struct otlp_label copies[METRIC_LABELS_MAX];

    for (size_t i = 0; i < count; i++)
        copies[i] = (struct otlp_label){ labels[i].name, labels[i].value };
    otlp_point(&metrics->points, copies, count, value);
}

/* A machine with many groups writes a hundred thousand of these: no format is gone through. */
static void add_text(struct text *text, const char *part)
{
    text_add_bytes(text, part, strlen(part));
}

void metric_sample(struct metric_text *metrics, const struct metric_label *labels, size_t count, double value)
{
    char number[TEXT_NUMBER_SIZE];

    if (!isfinite(value))
        return;
    if (metrics->format == METRIC_OTLP) {
        add_point(metrics, labels, count, value);
        return;
    }
    add_text(&metrics->text, metrics->open->name);
    for (size_t i = 0; i < count; i++) {
        add_text(&metrics->text, i ? "," : "{");
        add_text(&metrics->text, labels[i].name);
        add_text(&metrics->text, "=\"");
        add_escaped(&metrics->text, labels[i].value, true);
        add_text(&metrics->text, "\"");
    }
    add_text(&metrics->text, count ? "} " : " ");
    add_text(&metrics->text, text_number(value, number));
    add_text(&metrics->text, "\n");
}

bool metric_text_end(struct metric_text *metrics, struct error *err)
{
    if (metrics->format == METRIC_OTLP)
        return otlp_points_end(&metrics->points, err);
    if (metrics->format == METRIC_OPEN)
        text_add(&metrics->text, "# EOF\n");
    return text_ok(&metrics->text) || error_set(err, ERROR_SYSTEM, "no memory for the text of the metrics");
}

const char *metric_content_type(enum metric_format format)
{
    return format == METRIC_OPEN ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                 : "text/plain; version=0.0.4; charset=utf-8";
}
