/* SPDX-License-Identifier: MIT
 * What a server of Prometheus answers, as JSON: for series/api.c alone, and its tests. Used by api.c. Begin with
 * api_answer_read(). */
#ifndef SERIES_API_ANSWER_H
#define SERIES_API_ANSWER_H

#include "base/notice.h"
#include "series/metric_series.h"

#include <stdbool.h>

/* Adds the series of an answer that says "success". host: who answered, for messages. refused: it was understood, and
 * says that the query failed; the error is its own. */
bool api_answer_read(const char *body, size_t length, const char *host, struct series_set *set, struct notices *notices,
                     bool *refused, struct error *err) MUST_CHECK;

/* Whether a body holds an error of Prometheus, which then fills err; status: of HTTP. */
bool api_answer_error(const char *body, const char *host, int status, struct error *err);

#endif
