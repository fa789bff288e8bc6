/* SPDX-License-Identifier: MIT
 * Sending metrics to a collector by OTLP/HTTP, and the meaning of its answer. Used in app, commands/measure and
 * commands/serve. Begin with otlp_push(). */
#ifndef OTLP_OTLP_PUSH_H
#define OTLP_OTLP_PUSH_H

#include "base/error.h"
#include "base/text.h"
#include "otlp/otlp_resource.h"

#include <stdint.h>

/* A collector, and how carbon shows who it is. */
struct otlp_collector {
    char *url;                                           /* with /v1/metrics; owned */
    char **headers;                                      /* "NAME: VALUE", NULL-ended, with keys; owned; or NULL */
    const char *ca_file, *certificate, *certificate_key; /* files, or NULL; borrowed */
    bool plain_key;                                      /* a key may go over http:// to another machine */
    uint64_t timeout_ns;                                 /* timeout of one try */
};

enum otlp_outcome {
    OTLP_TAKEN,
    OTLP_TAKEN_IN_PART, /* the collector refused some of the points: err says how many, and why */
    OTLP_LATER,         /* it may be taken later: 429, 502, 503, 504, or no answer */
    OTLP_REFUSED,       /* it will never be: nothing is sent again */
};

/* The address for metrics, by the option or OTEL_EXPORTER_OTLP_ENDPOINT: the base, to which /v1/metrics is
 * added, or all of it. Freed by the caller; NULL: it is none. */
char *otlp_url(const char *given, struct error *err) MUST_CHECK;

/* OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is asked as it stands; otherwise likewise. */
char *otlp_whole_url(const char *given, struct error *err) MUST_CHECK;

/* Headers of a text with a character of `between` between them: lines, or a list with commas; '#' begins a comment. The
 * text is cut up. where: its place, for messages. */
bool otlp_headers_take(struct otlp_collector *collector, char *text, const char *between, const char *where,
                       struct error *err) MUST_CHECK;

/* What is sent: the metrics (otlp_points.h) of one resource. Freed by the caller; NULL: no memory. */
char *otlp_document(const struct otlp_resource *resource, const char *metrics, struct error *err) MUST_CHECK;

/* What a body means that came with a status of success: OTLP_TAKEN or OTLP_TAKEN_IN_PART. body may be NULL. */
enum otlp_outcome otlp_answer_read(const char *body, struct error *err);

/* One try. *wait_s: how long the collector wants to be left alone; -1: it does not say. err is filled of all outcomes
 * but OTLP_TAKEN. */
enum otlp_outcome otlp_push_once(const struct otlp_collector *collector, const char *document, long *wait_s,
                                 struct error *err);

/* Up to three tries, within the time of one. */
enum otlp_outcome otlp_push(const struct otlp_collector *collector, const char *document, struct error *err);

/* How long to wait before a try, by the number that failed one after another (1 and more): 1 s, then twice as long each
 * time, up to a minute. A time that the collector asks for (0 and more) replaces it, up to an hour. */
uint64_t otlp_wait_ns(unsigned failed, long asked_s);

void otlp_collector_close(struct otlp_collector *collector); /* harmless twice, and on a zeroed one */

#endif
