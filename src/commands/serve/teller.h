/* SPDX-License-Identifier: MIT
 * Saves a total before it is published: no published total is lost by a restart. Used by exporter.h. Begin with
 * teller_open().
 *
 * A collection is written as text, its state is given to the writer, and the text is published once the state is on the
 * disk; scrapes meanwhile get the previous text. So a restart continues from the published totals or from the next
 * ones, and only the energy after them is lost with the process: at most one collection interval, in addition to the
 * time without a process. A collection during a write waits for it, and a newer collection replaces it.
 *
 * If the state cannot be saved, the old one is removed, and all totals are published: a restart then begins at 0, which
 * readers of counters understand. If the old one cannot be removed either, totals are omitted until it can. */
#ifndef COMMANDS_SERVE_TELLER_H
#define COMMANDS_SERVE_TELLER_H

#include "commands/serve/metric_text.h"
#include "commands/serve/state_writer.h"
#include "groups/collector.h"

/* A collection as text. */
struct draft {
    bool full;
    bool pushed; /* otlp is written, for the collector */
    struct metric_text texts[METRIC_FORMATS], otlp;
    char *state; /* NULL: no state is saved, or the writer has it */
};

struct teller {
    /* set by the caller */
    struct collector *collector;
    const char *state_path; /* NULL: no state is saved */
    /* Sets the answer from now on; takes the texts over. */
    bool (*publish)(void *context, struct metric_text texts[METRIC_FORMATS], struct error *err);
    /* Metrics for an OpenTelemetry collector every push_interval_ns, once the state is on the disk; NULL: none. */
    void (*push)(void *context, const char *metrics);
    uint64_t push_interval_ns;
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void *context;

    uint64_t next_push_ns; /* CLOCK_MONOTONIC */
    struct state_writer *writer;
    struct draft under_way, next;
    struct state_result problem; /* the last one, if there was one */
    unsigned unchanged_in_a_row; /* since then */
};

/* Saves and publishes the first collection. Fails if it cannot be saved, because totals would then be unreliable. Call
 * teller_close in any case. */
bool teller_open(struct teller *teller, struct error *err) MUST_CHECK;

/* After each collection. */
bool teller_collected(struct teller *teller, struct error *err) MUST_CHECK;

/* Readable when teller_run has something to do; -1: never. */
int teller_fd(const struct teller *teller);
bool teller_run(struct teller *teller, struct error *err) MUST_CHECK;

/* Saves the last collection and publishes it to a collector only: no more scrapes will come. */
bool teller_end(struct teller *teller, struct error *err) MUST_CHECK;

void teller_close(struct teller *teller); /* harmless twice, and on a zeroed one */

#endif
