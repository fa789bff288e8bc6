/* SPDX-License-Identifier: MIT
 * A server that speaks the HTTP API of Prometheus (version 1): Prometheus itself, Thanos, Mimir, VictoriaMetrics. Used
 * in app, commands/prometheus and commands/report. Begin with prometheus_query(). */
#ifndef SERIES_API_H
#define SERIES_API_H

#include "base/notice.h"
#include "io/http.h"
#include "series/metric_series.h"

#include <stdbool.h>
#include <stdint.h>

struct prometheus_server {
    const char *url;      /* up to /api/v1, without it: "http://host:9090", "https://host/prometheus" */
    const char *secret;   /* a header with a key, "Authorization: Bearer ...", or NULL */
    const char *login;    /* "user:password" for HTTP Basic, or NULL */
    const char *ca_file;  /* certificates to trust in place of the system's, or NULL */
    uint64_t deadline_ns; /* how long one query may take, its retries included; 0: a minute */
    bool (*stop)(void);   /* asked at least once a second: true ends the waiting; NULL: never */

    const char *certificate, *certificate_key; /* files, of a client that must show one; or NULL */
    bool plain_key;                            /* the user has said that a key may go over http:// */
};

/* An instant query, at a time. A range selector ("metric[6m]") gives the samples as they were scraped: those after
 * time_s less the range, up to time_s. Warnings of the server, and that its answer is partial, become notices. An empty
 * answer is not an error: the set is empty. The error of the server (errorType, error) is one here. The set may hold
 * series already, and is added to: points of a series it has that are not later than its last one are left out. */
bool prometheus_query(const struct prometheus_server *server, const char *query, double time_s, struct series_set *set,
                      struct notices *notices, struct error *err) MUST_CHECK;

/* The value at from_s, from_s + step_s ... up to to_s; a long period is requested in pieces, since servers return
 * 11,000 points of a series at most. */
bool prometheus_query_range(const struct prometheus_server *server, const char *query, double from_s, double to_s,
                            double step_s, struct series_set *set, struct notices *notices,
                            struct error *err) MUST_CHECK;

/* The samples of a selector as they were scraped from from_s to to_s, both within, asked for in pieces that the server
 * can bear. Where it does not answer range selectors: its values every some seconds, with a notice. */
bool prometheus_samples(const struct prometheus_server *server, const char *selector, double from_s, double to_s,
                        struct series_set *set, struct notices *notices, struct error *err) MUST_CHECK;

/* A request to the server or, if it is an exporter's, to the exporter's own address, with all but the size of the
 * answer. Both texts are borrowed. */
struct http_request prometheus_request(const struct prometheus_server *server, const char *url);

/* Adds "name" of a selector's matcher, name="value" with the value escaped, with a comma before it after the first. */
struct text;
void prometheus_add_matcher(struct text *query, const char *name, const char *value);

#endif
