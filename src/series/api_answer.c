/* SPDX-License-Identifier: MIT
 * Answers of the HTTP API of Prometheus, as JSON: matrix, vector, scalar, and errors. */
#include "series/api_answer.h"

#include "base/text.h"
#include "base/utf8.h"
#include "io/json_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct api_answer_reading {
    const char *host;
    struct series_builder builder;
    struct notices *notices;
    struct error *err;
};

static bool malformed(struct error *err, const char *host, const char *why)
{
    error_set(err, ERROR_BAD_DATA, "the answer of %s is not one of Prometheus", host);
    error_why(err, "%s", why);
    return error_fix(err, "--url with the part before /api/v1: --url http://HOST:9090");
}

/* Prometheus writes numbers as texts, for JSON has no NaN. */
static bool value_of(const char *text, double *value)
{
    static const struct {
        const char *text;
        double value;
    } words[] = { { "NaN", NAN }, { "+Inf", INFINITY }, { "Inf", INFINITY }, { "-Inf", -INFINITY } };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i].text) == 0) {
            *value = words[i].value;
            return true;
        }
    return text_to_number(text, value);
}

/* [1435781430.781, "0.19"]; a value that is not later than the last point repeats it, at the edge of two pieces. */
static bool read_point(struct api_answer_reading *reading, const struct cJSON *pair, size_t index)
{
    const struct cJSON *time = json_first(pair), *text = time ? json_next(time) : NULL;
    const struct metric_series *series = &reading->builder.set->items[index];
    const double time_s = json_number(time);
    double value;

    if (json_count(pair) != 2 || !series_time_is(time_s))
        return malformed(reading->err, reading->host, "a sample is not a pair of a time and a value");
    if (json_kind(text) != JSON_TEXT || !value_of(json_text(text), &value))
        return malformed(reading->err, reading->host, "a value is not a number");
    if (series->point_count && time_s <= series->points[series->point_count - 1].time_s)
        return true;
    return series_builder_add(&reading->builder, index, time_s, value, reading->err);
}

static bool find_series(struct api_answer_reading *reading, const struct cJSON *metric, size_t *index)
{
    struct series_label labels[SERIES_LABELS_MAX];
    char why[sizeof reading->err->what];
    size_t count = 0;

    if (!json_is_null(metric) && json_kind(metric) != JSON_OBJECT)
        return malformed(reading->err, reading->host, "a metric is not an object of labels");
    for (const struct cJSON *item = json_items(metric); item; item = json_next(item)) {
        if (json_kind(item) != JSON_TEXT)
            return malformed(reading->err, reading->host, "a label is not text");
        if (strcmp(json_key(item), "__name__") == 0)
            continue;
        if (count == SERIES_LABELS_MAX)
            return malformed(reading->err, reading->host, "a metric has more labels than any has");
        labels[count++] = (struct series_label){ json_key(item), json_text(item) };
    }
    if (series_builder_get(&reading->builder, json_text_of(metric, "__name__"), labels, count, index, reading->err))
        return true;
    if (reading->err->kind != ERROR_BAD_DATA || *reading->err->fix)
        return false;
    text_copy(why, sizeof why, reading->err->what);
    return malformed(reading->err, reading->host, why);
}

/* One of a matrix or a vector. */
static bool read_series(struct api_answer_reading *reading, const struct cJSON *item, bool matrix)
{
    const struct cJSON *values = json_member(item, matrix ? "values" : "value");
    size_t index;

    if (json_is_null(values) && !json_is_null(json_member(item, matrix ? "histograms" : "histogram"))) {
        notice_add(reading->notices, NOTICE_LEFT_OUT, "they hold no energies", "",
                   "%s has native histograms, which are excluded", reading->host);
        return true;
    }
    if (!json_is_array(values))
        return malformed(reading->err, reading->host, "a series has no values");
    if (!find_series(reading, json_member(item, "metric"), &index))
        return false;
    if (!matrix)
        return read_point(reading, values, index);
    for (const struct cJSON *pair = json_first(values); pair; pair = json_next(pair))
        if (!read_point(reading, pair, index))
            return false;
    return true;
}

static bool read_result(struct api_answer_reading *reading, const struct cJSON *data)
{
    const char *type = json_text_of(data, "resultType");
    const struct cJSON *result = json_member(data, "result");
    const bool matrix = strcmp(type, "matrix") == 0;
    size_t index;

    if (!matrix && strcmp(type, "vector") != 0 && strcmp(type, "scalar") != 0)
        return malformed(reading->err, reading->host,
                         *type ? "its resultType is neither matrix, vector nor scalar" : "it has no resultType");
    if (!json_is_array(result))
        return malformed(reading->err, reading->host, "its result is not an array");
    if (strcmp(type, "scalar") == 0)
        return series_builder_get(&reading->builder, "", NULL, 0, &index, reading->err) &&
               read_point(reading, result, index);
    for (const struct cJSON *item = json_first(result); item; item = json_next(item))
        if (!read_series(reading, item, matrix))
            return false;
    return true;
}

/* Doubts of the server in its answer: some of its stores did not answer, a query that is probably not meant so. */
static void read_doubts(const struct api_answer_reading *reading, const struct cJSON *document)
{
    static const char *const keys[] = { "warnings", "infos" };
    char shown[160];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        for (const struct cJSON *item = json_first(json_member(document, keys[i])); item; item = json_next(item)) {
            utf8_printable(shown, sizeof shown, json_text(item));
            notice_add(reading->notices, NOTICE_GAPS, i == 0 ? "its answer may lack a part" : "", "", "%s %s: %.150s",
                       reading->host, i == 0 ? "warns" : "notes", shown);
        }
    if (json_is_true(document, "isPartial"))
        notice_add(reading->notices, NOTICE_GAPS, "some of its stores did not answer", "ask again later",
                   "the answer of %s is partial", reading->host);
}

/* NULL with err filled: HTML, cut short, or no JSON at all. */
static struct cJSON *parse(const char *body, size_t length, const char *host, struct error *err)
{
    const char *start = body ? body + strspn(body, " \t\r\n") : "";
    struct error found = { .kind = ERROR_NONE };
    struct cJSON *document = NULL;

    if (body && strlen(body) != length)
        malformed(err, host, "it holds a NUL byte");
    else if (*start == '<')
        malformed(err, host, "it is a page, not JSON: of another service, or one that asks who you are");
    else if (!*start)
        malformed(err, host, "it is empty");
    else if ((document = json_parse(body, host, &found)) == NULL)
        malformed(err, host, found.why);
    return document;
}

/* By what the server calls it; status 0: it came with a good one. */
static bool own_error(const struct cJSON *document, const char *host, int status, struct error *err)
{
    const char *type = json_text_of(document, "errorType"), *text = json_text_of(document, "error");
    char shown_type[40], shown[200];
    enum error_kind kind = ERROR_SYSTEM;
    const char *fix = "try again later";

    utf8_printable(shown_type, sizeof shown_type, *type ? type : "error");
    utf8_printable(shown, sizeof shown, *text ? text : "it does not say why");
    if (strcmp(type, "bad_data") == 0 || (!*type && (status == 400 || status == 422)))
        kind = ERROR_USAGE, fix = "check the names and the times of the query";
    else if (strcmp(type, "timeout") == 0 || strcmp(type, "canceled") == 0)
        fix = "ask for less at once (--for), or try again later";
    else if (strcmp(type, "execution") == 0)
        fix = "ask for less at once (--for, --namespace, --pod)";
    else if (strcmp(type, "not_found") == 0)
        kind = ERROR_ABSENT, fix = "check the address";
    error_set(err, kind, "%s did not answer the query", host);
    error_why(err, "%s: %.200s", shown_type, shown);
    return error_fix(err, "%s", fix);
}

bool api_answer_error(const char *body, const char *host, int status, struct error *err)
{
    struct cJSON *document = body ? json_parse(body, host, NULL) : NULL;
    const bool found = strcmp(json_text_of(document, "status"), "error") == 0;

    if (found)
        own_error(document, host, status, err);
    json_close(document);
    return found;
}

bool api_answer_read(const char *body, size_t length, const char *host, struct series_set *set, struct notices *notices,
                     bool *refused, struct error *err)
{
    struct api_answer_reading reading = { .host = host, .notices = notices, .err = err };
    struct cJSON *document = parse(body, length, host, err);
    const char *status = json_text_of(document, "status");
    bool good = false;

    *refused = strcmp(status, "error") == 0;
    if (*refused) {
        own_error(document, host, 0, err);
    } else if (document && strcmp(status, "success") != 0) {
        malformed(err, host, "its status is neither success nor error");
    } else if (document) {
        series_builder_open(&reading.builder, set);
        good = read_result(&reading, json_member(document, "data"));
        series_builder_close(&reading.builder);
        if (good)
            read_doubts(&reading, document);
    }
    json_close(document);
    return good;
}
