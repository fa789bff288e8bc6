/* SPDX-License-Identifier: MIT
 * Metrics in the JSON of OTLP, put together as they come: of `carbon serve` with 10,000 groups 60,000 points. Used in
 * app, commands/measure and commands/serve. Begin with otlp_points_open(). */
#ifndef OTLP_OTLP_POINTS_H
#define OTLP_OTLP_POINTS_H

#include "base/text.h"
#include "otlp/otlp_names.h"

#include <stdint.h>

enum { OTLP_POINTS_MAX = 256 << 20 }; /* bytes of a document */

struct otlp_label {
    const char *name, *value; /* carbon's */
};

struct otlp_points {
    struct text text;           /* the metrics that are complete, commas between */
    uint64_t since_ns, time_ns; /* since 1970: since when the sums count from here on (0: not known), and until when */
    const struct otlp_metric *rows;
    size_t row_count;
    struct text parts[OTLP_PLACES]; /* points of the open metric, by the row's place */
};

/* Of figures as of a moment. otlp_points_close in any case. */
void otlp_points_open(struct otlp_points *points, uint64_t since_ns, uint64_t time_ns);

/* A metric by carbon's name, until the next; one that the table does not have is left out with its points. */
void otlp_begin(struct otlp_points *points, const char *from);

/* A value that is not finite is unknown, and left out. */
void otlp_point(struct otlp_points *points, const struct otlp_label *labels, size_t count, double value);

/* Completes the last metric. False: no memory. */
bool otlp_points_end(struct otlp_points *points, struct error *err) MUST_CHECK;

void otlp_points_close(struct otlp_points *points); /* harmless twice, and on a zeroed one */

/* A text of JSON with its quotes; bytes that are no UTF-8 become U+FFFD. */
void otlp_add_text(struct text *text, const char *value);

#endif
