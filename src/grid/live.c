/* SPDX-License-Identifier: MIT
 * How a service of live grid data is asked: the cache first, then the network, part by part. */
#include "grid/live.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "grid/live_ask.h"
#include "grid/live_cache.h"
#include "io/http_url.h"
#include "io/json_read.h"
#include "io/xml_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALF_HOUR_S = 1800 };

/* What is older than this is not expected to change any more, if its publisher calls it no forecast. */
#define SETTLED_S (2 * LIVE_DAY_S)
#define KEEP_SETTLED_S (30 * LIVE_DAY_S)

/* One query while it is answered. */
struct live_asking {
    const struct live_service *service;
    const struct live_query *query;
    struct live_request request;
    struct live_line line;
    struct intensities *found;
    struct notices *notices;
};

static bool make_step(const struct live_service *service, const struct live_query *query, struct live_request *request,
                      struct error *err)
{
    char step[UNITS_SIZE];

    request->step_s = query->step_s ? query->step_s : service->steps[0];
    for (size_t i = 0; i < sizeof service->steps / sizeof service->steps[0] && service->steps[i]; i++)
        if (service->steps[i] == request->step_s)
            return true;
    if (!query->step_s)
        return true;
    error_set(err, ERROR_USAGE, "%s has no steps of %s", service->title, units_duration((double)query->step_s, step));
    if (!service->steps[0])
        return error_fix(err, "leave --live-step out: its steps are its own");
    return error_fix(err, "leave --live-step out: it has steps of %s then",
                     units_duration((double)service->steps[0], step));
}

static bool make_range(const struct live_service *service, const struct live_query *query, struct live_request *request,
                       struct error *err)
{
    const uint64_t half_s = request->now_s / HALF_HOUR_S * HALF_HOUR_S;

    request->from_s = query->from_realtime_s;
    request->to_s = query->to_realtime_s;
    if (!request->from_s && !request->to_s) {
        request->from_s = half_s - LIVE_DAY_S;
        request->to_s = half_s + (service->forecasts ? LIVE_DAY_S : HALF_HOUR_S);
    }
    if (request->from_s < LIVE_DAY_S || request->from_s >= request->to_s) {
        error_set(err, ERROR_USAGE, "no time between --from and --to");
        return error_fix(err, "give an earlier --from or a later --to");
    }
    if (request->to_s - request->from_s <= service->max_days * LIVE_DAY_S)
        return true;
    error_set(err, ERROR_USAGE, "%s is not asked for more than %u days at once", service->title, service->max_days);
    return error_fix(err, "shorter times, one after the other: --from and --to");
}

/* Puts what a document says into what was found; takes back what was added where it fails. */
static bool take_document(struct live_asking *asking, unsigned part, const char *body, const struct live_answer *answer,
                          struct error *err)
{
    struct intensities *found = asking->found;
    const size_t count = found->count;
    struct error malformed = { .kind = ERROR_NONE };
    char *json = asking->service->xml ? xml_to_json(body, &malformed) : NULL;
    struct cJSON *document;
    bool good;

    if (asking->service->xml && !json) {
        if (malformed.kind == ERROR_BAD_DATA)
            return live_malformed(err, "it is no XML: %s", malformed.why);
        *err = malformed;
        return false;
    }
    document = json_parse(json ? json : body, "the answer", &malformed);
    free(json);
    if (!document)
        return live_malformed(err, "it is no JSON: %s", malformed.why);
    good = asking->service->read(&asking->request, part, document, found, err);
    json_close(document);
    if (good && found->answer_count == LIVE_ANSWERS_MAX) {
        good =
            error_set(err, ERROR_USAGE, "%s would need more than %d answers", asking->service->title, LIVE_ANSWERS_MAX);
        error_fix(err, "shorter times, one after the other: --from and --to");
    }
    if (good)
        found->answers[found->answer_count++] = *answer;
    else
        found->count = count;
    return good;
}

/* Forecasts are renewed each half hour; old and complete answers stay. */
static uint64_t valid_until(const struct live_asking *asking, size_t first)
{
    const struct live_request *request = &asking->request;
    const uint64_t next_s = (request->now_s / HALF_HOUR_S + 1) * HALF_HOUR_S;
    struct intensities *found = asking->found;
    uint64_t known_s = 0;

    if (request->to_s + SETTLED_S > request->now_s || asking->service->whole_file)
        return next_s;
    for (size_t i = first; i < found->count; i++) {
        if (found->items[i].kind == INTENSITY_ACTUAL || found->items[i].kind == INTENSITY_ESTIMATED)
            known_s += found->items[i].end_realtime_s - found->items[i].start_realtime_s;
    }
    return known_s >= request->to_s - request->from_s ? request->now_s + KEEP_SETTLED_S : next_s;
}

static void store_answer(struct live_asking *asking, const struct live_answer *answer, struct http_answer *http,
                         const char *scope, size_t first)
{
    struct cached_answer stored = {
        .from_s = asking->request.from_s,
        .to_s = asking->request.to_s,
        .retrieved_s = answer->retrieved_realtime_s,
        .valid_until_s = valid_until(asking, first),
        .body = http->body,
        .length = http->length,
    };
    struct error err;

    text_copy(stored.url, sizeof stored.url, answer->url);
    text_copy(stored.scope, sizeof stored.scope, scope);
    if (!cached_write(asking->service->name, &stored, &err))
        notice_add_error(asking->notices, NOTICE_FAILED, &err);
}

static bool ask_network(struct live_asking *asking, unsigned part, const char *url, const char *scope,
                        struct error *err)
{
    struct live_answer answer = { .retrieved_realtime_s = clock_realtime_ns() / NS_PER_S_INT };
    const size_t first = asking->found->count;
    struct http_answer http = { .status = 0 };
    bool good;

    text_copy(answer.url, sizeof answer.url, url);
    good = live_ask(&asking->line, url, &http, asking->notices, err) &&
           take_document(asking, part, http.body, &answer, err);
    if (good)
        store_answer(asking, &answer, &http, scope, first);
    http_close(&http);
    return good;
}

/* All that was kept of this part, however old, the latest first so that it is the one that holds. */
static bool read_cached(struct live_asking *asking, unsigned part, const char *scope, struct error *err)
{
    const struct live_request *request = &asking->request;
    const size_t base = strlen(asking->line.base_url);
    size_t count, taken = 0;
    struct cached_answer *list = cached_all(asking->service->name, scope, request->from_s, request->to_s, &count);

    for (size_t i = 0; i < count; i++) {
        struct live_answer answer = { .retrieved_realtime_s = list[i].retrieved_s, .stored = true };
        text_copy(answer.url, sizeof answer.url, list[i].url);
        if (strncmp(list[i].url, asking->line.base_url, base) == 0 &&
            take_document(asking, part, list[i].body, &answer, err))
            taken++;
        cached_close(&list[i]);
    }
    free(list);
    if (count > LIVE_ANSWERS_MAX && asking->found->answer_count == LIVE_ANSWERS_MAX)
        notice_add(asking->notices, NOTICE_LEFT_OUT, "more were kept; the latest go first",
                   "shorter times, one after the other: --from and --to", "only the first %d cached answers were used",
                   LIVE_ANSWERS_MAX);
    if (taken)
        return true;
    error_set(err, ERROR_ABSENT, "no cached answer of %s for this time", asking->service->title);
    error_why(err, "--offline uses cached answers only");
    return error_fix_omits(err, "offline", false);
}

static bool take_part(struct live_asking *asking, unsigned part, const char *url, struct error *err)
{
    struct cached_answer stored;
    char scope[sizeof stored.scope];
    bool good;

    snprintf(scope, sizeof scope, "%s %s %u", asking->request.zone, factor_basis_name(asking->found->basis), part);
    if (asking->query->step_s)
        snprintf(scope + strlen(scope), sizeof scope - strlen(scope), " %u", (unsigned)asking->request.step_s);
    if (asking->query->offline)
        return read_cached(asking, part, scope, err);
    good = cached_read(asking->service->name, url, &stored) && stored.retrieved_s <= asking->request.now_s &&
           asking->request.now_s < stored.valid_until_s;
    if (good) {
        struct live_answer answer = { .retrieved_realtime_s = stored.retrieved_s, .stored = true };
        text_copy(answer.url, sizeof answer.url, url);
        good = take_document(asking, part, stored.body, &answer, err);
    }
    cached_close(&stored);
    return good || ask_network(asking, part, url, scope, err);
}

/* If only one part of two fails, that is a notice: a forecast may need another plan. */
static bool take_parts(struct live_asking *asking, struct error *err)
{
    AUTO_FREE struct error *failed = calloc(asking->service->parts, sizeof *failed);
    size_t failures = 0, answers = 0;

    if (!failed)
        return error_errno(err, "cannot ask the service");
    for (unsigned part = 0; part < asking->service->parts; part++) {
        struct text url;

        text_open(&url, sizeof asking->found->answers[0].url - 1);
        text_add(&url, "%s", asking->line.base_url);
        if (asking->service->address(&asking->request, part, &url)) {
            if (!text_ok(&url))
                error_set(&failed[failures++], ERROR_USAGE, "the address of the service is too long");
            else if (take_part(asking, part, url.data, &failed[failures]))
                answers++;
            else
                failures++;
        }
        text_close(&url);
    }
    if (!answers) {
        *err = failures ? failed[0] : (struct error){ .kind = ERROR_NONE };
        return false;
    }
    for (size_t i = 0; i < failures; i++)
        notice_add_error(asking->notices, NOTICE_FAILED, &failed[i]);
    return true;
}

/* How old what was kept is at most. */
static void tell_age(const struct intensities *found, uint64_t now_s, struct notices *notices)
{
    uint64_t oldest_s = now_s;
    char text[UNITS_SIZE], when[CLOCK_TEXT_SIZE];

    for (unsigned i = 0; i < found->answer_count; i++)
        if (found->answers[i].retrieved_realtime_s < oldest_s)
            oldest_s = found->answers[i].retrieved_realtime_s;
    notice_add(notices, NOTICE_STALE, "--offline takes what was kept, however old", "ask without --offline",
               "the oldest of these answers is of %s, %s ago", clock_minute_text(oldest_s, when),
               units_duration((double)(now_s - oldest_s), text));
}

static bool conclude(struct live_asking *asking, struct error *err)
{
    const struct live_service *service = asking->service;
    struct intensities *found = asking->found;
    const uint64_t asked_s = found->to_realtime_s - found->from_realtime_s;

    if (live_has_basis(service, FACTOR_LIFECYCLE) && found->basis == FACTOR_LIFECYCLE)
        intensities_leave_zeros(found);
    intensities_settle(found);
    if (found->zeros)
        notice_add(asking->notices, NOTICE_INCONSISTENT,
                   "no electricity has a lifecycle of nothing; such a time counts as "
                   "not known",
                   "", "%s reports a lifecycle intensity of 0 g/kWh for %zu times", service->title, found->zeros);
    if (found->contradictions)
        notice_add(asking->notices, NOTICE_INCONSISTENT, "the correct one is unknown, so neither is used", "",
                   "%s reports two values for %zu times", service->title, found->contradictions);
    if (found->count == 0) {
        error_set(err, ERROR_ABSENT, "%s has nothing for %s in that time", service->title, found->zone);
        error_why(err, "every requested value is missing");
        return error_fix(err, "try another time (--from, --to) or service");
    }
    if (found->known_s < asked_s)
        notice_add(asking->notices, NOTICE_GAPS, "the service has no value there (yet); nothing is put in its place",
                   "", "%.0f %% of the requested period is unknown",
                   100 - 100.0 * (double)found->known_s / (double)asked_s);
    if (asking->query->offline)
        tell_age(found, asking->request.now_s, asking->notices);
    if (service->advice)
        notice_add(asking->notices, NOTICE_BASIS, service->advice, "", "%s is for advice only", service->title);
    return true;
}

bool live_fetch(const struct live_service *service, const struct live_query *query, struct intensities *found,
                struct notices *notices, struct error *err)
{
    struct live_asking asking = {
        .service = service,
        .query = query,
        .request = { .now_s = clock_realtime_ns() / NS_PER_S_INT },
        .line = {
            .service = service,
            .base_url = query->base_url ? query->base_url : service->base_url,
            .deadline_ns = clock_monotonic_ns() + (uint64_t)(query->limit_s * NS_PER_S),
            .stop = query->stop,
        },
        .found = found,
        .notices = notices,
    };
    char host[HTTP_HOST_SIZE];
    bool good;

    *found = (struct intensities){ .count = 0 };
    if (!live_zone_known(service, query->zone, asking.request.zone, err) ||
        !make_step(service, query, &asking.request, err) || !make_range(service, query, &asking.request, err) ||
        !http_check_url(asking.line.base_url, host, err))
        return false;
    found->basis = asking.request.basis = service->basis == LIVE_BASIS_BOTH     ? query->basis
                                          : service->basis == LIVE_BASIS_DIRECT ? FACTOR_DIRECT
                                                                                : FACTOR_LIFECYCLE;
    text_copy(found->zone, sizeof found->zone, asking.request.zone);
    found->from_realtime_s = asking.request.from_s;
    found->to_realtime_s = asking.request.to_s;
    good = take_parts(&asking, err) && conclude(&asking, err);
    live_forget(asking.line.bearer);
    return good;
}
