/* SPDX-License-Identifier: MIT
 * What OpenTelemetry calls carbon's metrics: the one table of names, units and kinds, and that of attributes. Used by
 * commands/serve/cmd_serve.c and otlp_points.h. Begin with otlp_metrics_of(). */
#ifndef OTLP_OTLP_NAMES_H
#define OTLP_OTLP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Semantic conventions for hardware: hw.host.* has the whole host and hw.* parts that add up; a domain that
 * repeats others has carbon's own name, so that a sum over one name counts nothing twice. */
enum otlp_place { OTLP_ANY, OTLP_PART, OTLP_HOST, OTLP_OTHER, OTLP_PLACES };

/* The label by which a sample says which of them it is: "part", "host", "other"; it becomes no attribute. */
#define OTLP_PLACE "place"
#define OTLP_PARENT "parent" /* the domain that this one is a part of, of the same source; NULL: none is known */
const char *otlp_place_name(enum otlp_place place);

enum otlp_kind {
    OTLP_SUM,   /* monotonic, cumulative */
    OTLP_LEVEL, /* a sum that goes up and down */
    OTLP_GAUGE,
};

struct otlp_metric {
    const char *from; /* carbon's: "carbon_energy_joules_total" */
    enum otlp_place place;
    const char *name, *unit; /* "hw.energy", "J" */
    enum otlp_kind kind;
    double scale; /* factor from carbon's unit to this one */
};

/* The rows of one metric of carbon's, in a row; *count 0: it is not pushed. */
const struct otlp_metric *otlp_metrics_of(const char *from, size_t *count);
const struct otlp_metric *otlp_metrics_all(size_t *count);

/* What a label of carbon's is called; NULL: "carbon." and its own name. */
const char *otlp_attribute_of(const char *label);

/* What kind of hardware a component is (hw.type); NULL: none that the conventions know. */
const char *otlp_hardware_of(const char *component);

/* "sum", "level", "gauge" */
const char *otlp_kind_name(enum otlp_kind kind);

#endif
