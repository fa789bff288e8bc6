/* SPDX-License-Identifier: MIT
 * Questions to a server of Prometheus: GET where they are short, POST where they are long, in pieces where there is
 * more than it answers at once. */
#include "series/api.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "io/http.h"
#include "io/http_url.h"
#include "series/api_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER_MAX = 32 << 20, URL_MAX = 1000, STANDARD_TIME_S = 60, POINTS_MAX = 10000, POINTS_MIN = 100 };
enum { PIECE_FIRST_S = 3600, PIECE_MAX_S = 86400, PIECE_MIN_S = 60, ANSWER_SMALL = 2 << 20 };

#define LOOK_BACK_S 300.0

enum api_outcome {
    ANSWERED,
    FAILED,
    TOO_MUCH,     /* a shorter time may be answered */
    NOT_ANSWERED, /* the server understood, and does not answer such a query */
};

void prometheus_add_matcher(struct text *query, const char *name, const char *value)
{
    const char last = query->length ? query->data[query->length - 1] : '{';

    text_add(query, "%s%s=\"", last == '{' ? "" : ",", name);
    for (; *value; value++) {
        if (*value == '\n')
            text_add(query, "\\n");
        else
            text_add(query, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    }
    text_add(query, "\"");
}

static void add_parameter(struct text *form, const char *name, const char *value)
{
    text_add(form, "%s%s=", form->length ? "&" : "", name);
    http_add_escaped(form, value);
}

static void add_time(struct text *form, const char *name, double time_s)
{
    text_add(form, "&%s=%.3f", name, time_s);
}

/* What an answer that is no 2xx comes to, where http has said already that it gives no data. */
static void explain(const struct prometheus_server *server, const struct http_answer *http, const char *host,
                    struct error *err)
{
    const bool key = server->secret || server->login;

    if (http->status == 401) {
        error_set(err, ERROR_DENIED, "%s: authentication failed", host);
        error_why(err, key ? "it answered 401: the key, or the name and password, are not accepted"
                           : "it answered 401: it wants a key, or a name and a password");
        error_fix(err,
                  "%s--bearer-file FILE or CARBON_PROMETHEUS_TOKEN; or --user NAME with "
                  "CARBON_PROMETHEUS_PASSWORD or --password-file FILE",
                  key ? "check the given values: " : "give it: ");
    } else if (http->status == 403) {
        error_set(err, ERROR_DENIED, "%s does not let carbon ask this", host);
        error_why(err, key ? "it answered 403: the key is known, and may not query"
                           : "HTTP 403: queries need a key, or are not allowed from this machine");
        error_fix(err, key ? "have it given the right to query metrics"
                           : "give a key with --bearer-file FILE, or check the rules of the server");
    } else if (!api_answer_error(http->body, host, http->status, err) && http->status == 404) {
        error_fix(err, "--url with the part before /api/v1: --url http://HOST:9090");
    }
}

struct http_request prometheus_request(const struct prometheus_server *server, const char *url)
{
    const uint64_t max_ns = server->deadline_ns ? server->deadline_ns : STANDARD_TIME_S * NS_PER_S_INT;

    return (struct http_request){
        .url = url,
        .secret = server->secret,
        .login = server->login,
        .deadline_ns = clock_monotonic_ns() + max_ns,
        .stop = server->stop,
        .plain = true,
        .plain_key = server->plain_key,
        .ca_file = server->ca_file,
        .certificate = server->certificate,
        .certificate_key = server->certificate_key,
        .time_option = "--timeout",
    };
}

static bool send(const struct prometheus_server *server, const char *path, const struct text *form, bool post,
                 struct http_answer *http, struct error *err)
{
    struct http_request request;
    size_t length = strlen(server->url);
    struct text url;
    bool good;

    while (length && server->url[length - 1] == '/')
        length--;
    text_open(&url, SIZE_MAX);
    text_add(&url, "%.*s/api/v1/%s%s%s", (int)length, server->url, path, post ? "" : "?", post ? "" : form->data);
    request = prometheus_request(server, url.data);
    request.max_bytes = ANSWER_MAX;
    request.form = post ? form->data : NULL;
    *http = (struct http_answer){ .status = 0 };
    good = text_ok(&url) ? http_get(&request, http, err) : error_set(err, ERROR_SYSTEM, "no memory for the query");
    text_close(&url);
    return good;
}

/* Servers, and proxies, that do not support POST answer the GET. */
static bool takes_no_post(int status)
{
    return status == 403 || status == 405 || status == 501;
}

static bool is_refusal(int status)
{
    return status == 400 || status == 422;
}

static enum api_outcome request_answer(const struct prometheus_server *server, const char *path,
                                       const struct text *form, struct series_set *set, struct notices *notices,
                                       size_t *length, struct error *err)
{
    const bool post = form->length > URL_MAX;
    char host[HTTP_HOST_SIZE] = "";
    enum api_outcome outcome = FAILED;
    struct http_answer http;
    bool good, refused = false;

    if (!text_ok(form))
        return error_set(err, ERROR_SYSTEM, "no memory for the query"), FAILED;
    good = http_url_host(server->url, host, err) && send(server, path, form, post, &http, err);
    if (!*host)
        return FAILED;
    if (!good && post && takes_no_post(http.status)) {
        http_close(&http);
        good = send(server, path, form, false, &http, err);
    }
    *length = http.length;
    if (good && api_answer_read(http.body, http.length, host, set, notices, &refused, err)) {
        outcome = ANSWERED;
    } else if (!good && http.status >= 400) {
        explain(server, &http, host, err);
        refused = is_refusal(http.status);
    } else if (!good && http.status == 0 && http.length && err->kind == ERROR_BAD_DATA) {
        outcome = TOO_MUCH; /* it was longer than any answer may be */
    }
    if (refused)
        outcome = err->kind == ERROR_USAGE ? NOT_ANSWERED : TOO_MUCH;
    http_close(&http);
    return outcome;
}

static void instant_form(struct text *form, const char *query, double time_s)
{
    text_open(form, SIZE_MAX);
    add_parameter(form, "query", query);
    add_time(form, "time", time_s);
}

bool prometheus_query(const struct prometheus_server *server, const char *query, double time_s, struct series_set *set,
                      struct notices *notices, struct error *err)
{
    struct text form;
    size_t length;
    bool good;

    instant_form(&form, query, time_s);
    good = request_answer(server, "query", &form, set, notices, &length, err) == ANSWERED;
    text_close(&form);
    return good;
}

static enum api_outcome ask_steps(const struct prometheus_server *server, const char *query, double from_s, double to_s,
                                  double step_s, struct series_set *set, struct notices *notices, struct error *err)
{
    enum api_outcome outcome;
    struct text form;
    size_t length;

    text_open(&form, SIZE_MAX);
    add_parameter(&form, "query", query);
    add_time(&form, "start", from_s);
    add_time(&form, "end", to_s);
    add_time(&form, "step", step_s);
    outcome = request_answer(server, "query_range", &form, set, notices, &length, err);
    text_close(&form);
    return outcome;
}

bool prometheus_query_range(const struct prometheus_server *server, const char *query, double from_s, double to_s,
                            double step_s, struct series_set *set, struct notices *notices, struct error *err)
{
    const double steps = floor((to_s - from_s) / step_s + 1e-9);
    double piece = POINTS_MAX, first = 0;

    while (first <= steps) {
        const double last = fmin(first + piece - 1, steps);
        const enum api_outcome outcome =
            ask_steps(server, query, from_s + first * step_s, from_s + last * step_s, step_s, set, notices, err);

        if (outcome == TOO_MUCH && last - first >= POINTS_MIN)
            piece = floor((last - first + 1) / 2);
        else if (outcome == ANSWERED)
            first = last + 1;
        else
            return false;
    }
    return true;
}

/* Points that a server has given from without the time: the edge of a range belongs to it or not, by its version. */
static void cut_before(struct series_set *set, double from_s)
{
    for (size_t i = 0; i < set->count; i++) {
        struct metric_series *series = &set->items[i];
        size_t early = 0;
        while (early < series->point_count && series->points[early].time_s < from_s)
            early++;
        if (early) /* the arena's room for points depends on their number: they are moved */
            memmove(series->points, series->points + early, (series->point_count - early) * sizeof *series->points);
        series->point_count -= early;
    }
}

static enum api_outcome ask_piece(const struct prometheus_server *server, const char *selector, double from_s,
                                  double to_s, struct series_set *set, struct notices *notices, size_t *length,
                                  struct error *err)
{
    enum api_outcome outcome;
    struct text form, query;

    /* a millisecond more, for the edge before belongs to a range up to version 2 only */
    text_open(&query, SIZE_MAX);
    text_add(&query, "%s[%.0fms]", selector, ceil((to_s - from_s) * 1000) + 1);
    instant_form(&form, text_ok(&query) ? query.data : "", to_s);
    outcome = request_answer(server, "query", &form, set, notices, length, err);
    text_close(&form);
    text_close(&query);
    return outcome;
}

/* A server repeats the last sample for five minutes: a repeated value at the end of a series is not a sample, and
 * covers nothing. */
static void cut_repeats(struct series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        struct metric_series *series = &set->items[i];
        const struct series_point last =
            series->point_count ? series->points[series->point_count - 1] : (struct series_point){ 0, 0 };
        while (series->point_count > 1 && series->points[series->point_count - 2].value == last.value &&
               last.time_s - series->points[series->point_count - 2].time_s <= LOOK_BACK_S)
            series->point_count--;
    }
}

static bool by_steps(const struct prometheus_server *server, const char *selector, double from_s, double to_s,
                     struct series_set *set, struct notices *notices, struct error *err)
{
    const double step_s = fmin(15, fmax(1, ceil((to_s - from_s) / 5000)));

    notice_add(notices, NOTICE_SAMPLED, "its first and last step may be missed", "",
               "the server gives no samples as they were scraped; its values every %g s are taken", step_s);
    if (!prometheus_query_range(server, selector, from_s, to_s, step_s, set, notices, err))
        return false;
    cut_repeats(set);
    return true;
}

bool prometheus_samples(const struct prometheus_server *server, const char *selector, double from_s, double to_s,
                        struct series_set *set, struct notices *notices, struct error *err)
{
    double piece_s = PIECE_FIRST_S, start_s = from_s;
    enum api_outcome outcome = ANSWERED;

    while (start_s < to_s) {
        const double end_s = fmin(start_s + piece_s, to_s);
        size_t length = 0;

        outcome = ask_piece(server, selector, start_s, end_s, set, notices, &length, err);
        if (outcome == NOT_ANSWERED && start_s == from_s)
            return by_steps(server, selector, from_s, to_s, set, notices, err);
        if (outcome == TOO_MUCH && end_s - start_s > PIECE_MIN_S) {
            piece_s = (end_s - start_s) / 2;
            continue;
        }
        if (outcome != ANSWERED)
            return false;
        start_s = end_s;
        if (length < ANSWER_SMALL)
            piece_s = fmin(2 * piece_s, PIECE_MAX_S);
    }
    cut_before(set, from_s);
    return true;
}
