/* SPDX-License-Identifier: MIT
 * OTLP/HTTP in JSON: opentelemetry-proto, docs/specification.md, "OTLP/HTTP": statuses that allow a retry, and partial
 * success. */
#include "config.h"

#include "otlp/otlp_push.h"

#include "base/clock.h"
#include "base/units.h"
#include "io/http.h"
#include "io/http_url.h"
#include "io/json_read.h"
#include "io/secret.h"
#include "otlp/otlp_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 3, ANSWER_MAX = 64 << 10, FIRST_FAILURE = 400, LONGEST_WAIT_S = 60, LONGEST_ASKED_S = 3600 };

static const char metrics_path[] = "/v1/metrics";
enum { METRICS_PATH = sizeof metrics_path - 1 };

static bool check_url(const char *given, struct error *err)
{
    char host[HTTP_HOST_SIZE];

    if (!http_url_host(given, host, err)) {
        if (!err || err->kind == ERROR_ABSENT)
            return false;
        error_why(err, "it begins with http:// or https:// and a host, and no name or password is in it");
        return error_fix(err, "--otlp http://localhost:4318, or the collector's own address");
    }
    if (!strpbrk(given, "?#"))
        return true;
    error_set(err, ERROR_USAGE, "'%.120s' is not the address of a collector", given);
    return error_fix(err, "give the part before '?'; --otlp-headers FILE has keys");
}

static char *copy_of(const char *base, size_t length, const char *path, struct error *err)
{
    char *url;

    if (asprintf(&url, "%.*s%s", (int)length, base, path) >= 0)
        return url;
    error_set(err, ERROR_SYSTEM, "no memory for the address");
    return NULL;
}

char *otlp_url(const char *given, struct error *err)
{
    size_t length = strlen(given);

    if (!check_url(given, err))
        return NULL;
    while (length && given[length - 1] == '/')
        length--;
    if (length >= METRICS_PATH && strncmp(given + length - METRICS_PATH, metrics_path, METRICS_PATH) == 0)
        length -= METRICS_PATH;
    return copy_of(given, length, metrics_path, err);
}

char *otlp_whole_url(const char *given, struct error *err)
{
    return check_url(given, err) ? copy_of(given, strlen(given), "", err) : NULL;
}

char *otlp_document(const struct otlp_resource *resource, const char *metrics, struct error *err)
{
    struct text text;

    text_open(&text, OTLP_POINTS_MAX);
    text_add_bytes(&text, "{\"resourceMetrics\":[{\"resource\":", strlen("{\"resourceMetrics\":[{\"resource\":"));
    otlp_resource_add(resource, &text);
    text_add(&text, ",\"scopeMetrics\":[{\"scope\":{\"name\":\"carbon\",\"version\":\"%s\"},\"metrics\":[",
             PACKAGE_VERSION);
    text_add_bytes(&text, metrics, strlen(metrics));
    text_add(&text, "]}]}]}");
    if (text_ok(&text) && !resource->failed)
        return text.data;
    text_close(&text);
    error_set(err, ERROR_SYSTEM, "no memory for the metrics of OTLP");
    return NULL;
}

/* A number of proto3 in JSON: int64 is a text, and a number is taken, too. */
static double count_of(const struct cJSON *object, const char *key)
{
    const struct cJSON *item = json_member(object, key);
    double value = NAN;

    if (json_kind(item) == JSON_TEXT)
        return text_to_number(json_text(item), &value) ? value : NAN;
    return json_number(item);
}

enum otlp_outcome otlp_answer_read(const char *body, struct error *err)
{
    struct cJSON *answer = body && *body ? json_parse(body, "the collector's answer", NULL) : NULL;
    const struct cJSON *part = json_member(answer, "partialSuccess");
    const double rejected = count_of(part, "rejectedDataPoints");
    const char *why = json_text_of(part, "errorMessage");
    enum otlp_outcome outcome = OTLP_TAKEN;

    if (rejected > 0 || *why) {
        if (rejected > 0)
            error_set(err, ERROR_BAD_DATA, "the collector refused %.0f data points", rejected);
        else
            error_set(err, ERROR_BAD_DATA, "the collector took the metrics with a warning");
        if (*why)
            error_why(err, "%.300s", why);
        outcome = OTLP_TAKEN_IN_PART;
    }
    json_close(answer);
    return outcome;
}

static bool may_pass(int status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}

/* What the collector says of a failure is a google.rpc.Status: {"code": 3, "message": "…"}. */
static void fail_status(const struct otlp_collector *collector, const struct http_answer *answer, struct error *err)
{
    struct cJSON *said =
        answer->body && *answer->body ? json_parse(answer->body, "the collector's answer", NULL) : NULL;
    const char *message = json_text_of(said, "message");
    char host[HTTP_HOST_SIZE] = "";

    IGNORED(http_url_host(collector->url, host, NULL), "an address that was asked has a host");
    error_set(err, answer->status == 401 || answer->status == 403 ? ERROR_DENIED : ERROR_BAD_DATA,
              "metrics not pushed: %s did not take them", host);
    if (*message)
        error_why(err, "HTTP %d: %.250s", answer->status, message);
    else
        error_why(err, "HTTP %d", answer->status);
    if (answer->status == 401 || answer->status == 403)
        error_fix(err, "check the key in --otlp-headers FILE");
    else if (answer->status == 404 || answer->status == 405)
        error_fix(err, "check the address: a collector takes OTLP/HTTP at port 4318 as a rule");
    json_close(said);
}

enum otlp_outcome otlp_push_once(const struct otlp_collector *collector, const char *document, long *wait_s,
                                 struct error *err)
{
    const struct http_request request = {
        .url = collector->url,
        .secrets = collector->headers,
        .deadline_ns = clock_monotonic_ns() + collector->timeout_ns,
        .max_bytes = ANSWER_MAX,
        .form = document,
        .form_media = "application/json",
        .once = true,
        .plain = true,
        .plain_key = collector->plain_key,
        .ca_file = collector->ca_file,
        .certificate = collector->certificate,
        .certificate_key = collector->certificate_key,
        .time_option = "--otlp-timeout",
    };
    struct error problem = { .kind = ERROR_NONE };
    struct http_answer answer;
    enum otlp_outcome outcome;

    if (http_get(&request, &answer, &problem)) {
        outcome = otlp_answer_read(answer.body, err);
    } else if (answer.status >= FIRST_FAILURE) {
        fail_status(collector, &answer, err);
        outcome = may_pass(answer.status) ? OTLP_LATER : OTLP_REFUSED;
    } else { /* no answer, one that leads elsewhere, or no libcurl */
        error_set(err, problem.kind, "metrics not pushed: %s", problem.what);
        error_why(err, "%s", problem.why);
        if (problem.kind == ERROR_USAGE || problem.kind == ERROR_ABSENT || problem.kind == ERROR_DENIED)
            error_fix(err, "%s", problem.fix);
        outcome =
            answer.status || problem.kind == ERROR_USAGE || problem.kind == ERROR_ABSENT ? OTLP_REFUSED : OTLP_LATER;
    }
    *wait_s = answer.wait_s;
    http_close(&answer);
    return outcome;
}

uint64_t otlp_wait_ns(unsigned failed, long asked_s)
{
    if (asked_s >= 0)
        return (uint64_t)(asked_s < LONGEST_ASKED_S ? asked_s : LONGEST_ASKED_S) * NS_PER_S_INT;
    return (failed > 5 ? LONGEST_WAIT_S : UINT64_C(1) << (failed ? failed - 1 : 0)) * NS_PER_S_INT;
}

enum otlp_outcome otlp_push(const struct otlp_collector *collector, const char *document, struct error *err)
{
    const uint64_t end_ns = clock_monotonic_ns() + collector->timeout_ns;
    struct otlp_collector now = *collector;

    for (unsigned tries = 1;; tries++) {
        long wait_s;
        const enum otlp_outcome outcome = otlp_push_once(&now, document, &wait_s, err);
        const uint64_t wait_ns = otlp_wait_ns(tries, wait_s), now_ns = clock_monotonic_ns();
        if (outcome != OTLP_LATER || tries == TRIES || now_ns + wait_ns >= end_ns)
            return outcome;
        nanosleep(&(struct timespec){ .tv_sec = (time_t)(wait_ns / NS_PER_S_INT) }, NULL);
        now.timeout_ns = end_ns - clock_monotonic_ns();
    }
}

/* A header's name as HTTP has it (RFC 9110: a token). */
static bool is_header(const char *line)
{
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";
    const size_t length = strspn(line, token);

    return length > 0 && line[length] == ':' && line[length + 1 + strspn(line + length + 1, " \t")];
}

static bool refuse_headers(const char *where, struct error *err)
{
    error_set(err, ERROR_USAGE, "%.200s does not hold headers", where);
    return error_fix(err, "one 'name: value' a line, for example 'authorization: Bearer KEY'");
}

bool otlp_headers_take(struct otlp_collector *collector, char *text, const char *between, const char *where,
                       struct error *err)
{
    size_t count = 0, room = 2;
    char *rest = NULL;

    for (const char *at = text; *at; at++)
        room += strchr(between, *at) != NULL;
    collector->headers = calloc(room, sizeof *collector->headers);
    if (!collector->headers)
        return error_set(err, ERROR_SYSTEM, "no memory for the headers");
    for (char *line = strtok_r(text, between, &rest); line; line = strtok_r(NULL, between, &rest)) {
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (!is_header(line))
            return refuse_headers(where, err);
        collector->headers[count] = strdup(line);
        if (!collector->headers[count++])
            return error_set(err, ERROR_SYSTEM, "no memory for the headers");
    }
    return count > 0 || refuse_headers(where, err);
}

void otlp_collector_close(struct otlp_collector *collector)
{
    for (char **header = collector->headers; header && *header; header++)
        secret_forget(*header);
    free(collector->headers);
    free(collector->url);
    *collector = (struct otlp_collector){ .url = NULL };
}
