/* SPDX-License-Identifier: MIT
 * Metrics as text, in Prometheus' own format (0.0.4) and in OpenMetrics 1.0, or as OTLP's points. Used throughout
 * commands/serve. Begin with metric_text_open(). */
#ifndef COMMANDS_SERVE_METRIC_TEXT_H
#define COMMANDS_SERVE_METRIC_TEXT_H

#include "base/text.h"
#include "otlp/otlp_points.h"

enum metric_format { METRIC_PLAIN, METRIC_OPEN, METRIC_FORMATS, METRIC_OTLP = METRIC_FORMATS };

enum metric_type {
    METRIC_COUNTER, /* OpenMetrics omits "_total" in the name of the family */
    METRIC_GAUGE,
    METRIC_INFO, /* its samples are "NAME_info" and 1; a gauge in the plain format */
};

/* A family: all its samples follow one another. */
struct metric_family {
    const char *name; /* of the samples, with its suffix: "carbon_energy_joules_total", "carbon_build_info" */
    enum metric_type type;
    const char *unit; /* the end of the name, before "_total": "joules"; "" for none */
    const char *help;
};

struct metric_label {
    const char *name, *value; /* a value may be any text: it is escaped, and invalid UTF-8 is replaced */
};

struct metric_text {
    struct text text;
    enum metric_format format;
    const struct metric_family *open; /* the family of the next samples */
    struct otlp_points points;        /* of METRIC_OTLP, instead of the text */
};

enum { METRIC_TEXT_MAX = 64 << 20, METRIC_LABELS_MAX = 8 /* labels of a sample */ };

void metric_text_open(struct metric_text *metrics, enum metric_format format);

/* The head of a family; samples are optional. */
void metric_begin(struct metric_text *metrics, const struct metric_family *family);

/* When the following counters were 0, in ns since 1970; 0: unknown. For OTLP only: Prometheus has separate metrics for
 * it. */
void metric_since(struct metric_text *metrics, uint64_t since_ns);

/* A sample of the current family. A value that is not finite is omitted: unknown is not a value. */
void metric_sample(struct metric_text *metrics, const struct metric_label *labels, size_t count, double value);

/* The end of the document ("# EOF" in OpenMetrics). False: no memory. */
bool metric_text_end(struct metric_text *metrics, struct error *err) MUST_CHECK;
void metric_text_close(struct metric_text *metrics); /* harmless twice */

/* The name of the format in a Content-Type. */
const char *metric_content_type(enum metric_format format);

#endif
