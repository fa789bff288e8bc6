/* SPDX-License-Identifier: MIT
 * What is told was kept first: no total is ever told that a start would take back. Used by exporter.h. Begin with
 * teller_open().
 *
 * A collection is put into words, its state is given to the writer, and its words are published once that is on the
 * disk; a scrape meanwhile gets those before. So a start goes on from what was told or from what was about to be, and
 * what was used after it is lost with the process: one collection interval at most, beside the time in which nothing
 * ran. A collection that falls into a writing waits for it, and the next one takes its place.
 *
 * Where the state cannot be kept, the one before is removed, and all is told: a start then begins at 0, which readers
 * of counters understand. Where that cannot be done either, totals are left out until it can. */
#ifndef COMMANDS_SERVE_TELLER_H
#define COMMANDS_SERVE_TELLER_H

#include "commands/serve/metric_text.h"
#include "commands/serve/state_writer.h"
#include "groups/collector.h"

/* A collection in words. */
struct draft {
    bool full;
    bool pushed; /* otlp is written, for the collector */
    struct metric_text texts[METRIC_FORMATS], otlp;
    char *state; /* NULL: none is kept, or the writer has it */
};

struct teller {
    /* filled by the caller */
    struct collector *collector;
    const char *state_path; /* NULL: nothing is kept */
    /* What is answered from now on; the texts are taken over. */
    bool (*publish)(void *context, struct metric_text texts[METRIC_FORMATS], struct error *err);
    /* Metrics for a collector of OpenTelemetry every push_interval_ns, once the state is on the disk; NULL: none. */
    void (*push)(void *context, const char *metrics);
    uint64_t push_interval_ns;
    void (*tell)(void *context, const struct error *what); /* a line for the log */
    void *context;

    uint64_t next_push_ns; /* CLOCK_MONOTONIC */
    struct state_writer *writer;
    struct draft under_way, next;
    struct state_result problem; /* the last one, where there was one */
    unsigned unchanged_in_a_row; /* since then */
};

/* Keeps and publishes the first collection. Fails where that cannot be kept: nobody shall rely on it.
 * teller_close in any case. */
bool teller_open(struct teller *teller, struct error *err) MUST_CHECK;

/* After each collection. */
bool teller_collected(struct teller *teller, struct error *err) MUST_CHECK;

/* Readable when teller_run has something to do; -1: never. */
int teller_fd(const struct teller *teller);
bool teller_run(struct teller *teller, struct error *err) MUST_CHECK;

/* Keeps what was collected last, without telling it, but to a collector: nobody comes to ask later. */
bool teller_end(struct teller *teller, struct error *err) MUST_CHECK;

void teller_close(struct teller *teller); /* harmless twice, and on a zeroed one */

#endif
