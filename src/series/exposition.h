/* SPDX-License-Identifier: MIT
 * What an exporter answers: the text format of Prometheus (0.0.4, with quoted names as in 1.0.0) and OpenMetrics 1.0.
 * Used by commands/prometheus/prometheus_scrape.c. Begin with exposition_read(). */
#ifndef SERIES_EXPOSITION_H
#define SERIES_EXPOSITION_H

#include "series/metric_series.h"

enum { EXPOSITION_MAX = 64 << 20 }; /* bytes of one text */

struct exposition {
    const char *name;   /* a file or an address, for messages */
    double time_s;      /* time of the text */
    bool timestamps;    /* those in the text go before that */
    size_t samples;     /* found; the three below are set by exposition_read */
    size_t timestamped; /* samples with a timestamp */
    bool open_metrics;  /* the text ends with "# EOF" */
};

/* Adds the samples of a text to the set of the builder, each as one more point. What cannot be read is ERROR_BAD_DATA
 * with its line; a text that is cut off within a sample is, too. */
bool exposition_read(const char *text, size_t length, struct exposition *exposition, struct series_builder *builder,
                     struct error *err) MUST_CHECK;

#endif
