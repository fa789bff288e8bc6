/* SPDX-License-Identifier: MIT
 * What an engine says a container has used so far: for where its control group cannot be read. Used by
 * target/target_container.c and target/target_stats.c. Begin with container_stats_parse(). */
#ifndef CONTAINER_CONTAINER_STATS_H
#define CONTAINER_CONTAINER_STATS_H

#include "container/engine.h"

#include <stdint.h>

/* A figure that the answer does not have is unknown, never 0. */
struct stats_figure {
    bool known;
    uint64_t value;
};

struct container_stats {
    struct stats_figure cpu_ns;        /* since the container started */
    struct stats_figure system_cpu_ns; /* of the whole machine, all its CPUs together */
    struct stats_figure user_ns, system_ns;
    unsigned cpus;                                  /* 0: not said */
    struct stats_figure memory_bytes;               /* now, with the page cache */
    struct stats_figure working_set_bytes;          /* without what can be given up at once (inactive files) */
    struct stats_figure memory_peak_bytes;          /* since it started; only cgroups of version 1 have it */
    struct stats_figure memory_limit_bytes;         /* unknown: there is none */
    struct stats_figure received_bytes, sent_bytes; /* all its networks */
    struct stats_figure read_bytes, written_bytes;  /* block devices */
    /* The engine's own earlier sample ("precpu_stats"), where it has a usable one: for who has none of its own. */
    struct stats_figure before_cpu_ns, before_system_cpu_ns;
};

/* One answer of the stats API out of a text that may hold several, one behind the other; *text is left behind it.
 * Fails if it is another answer: {"message": ...}, not JSON. */
bool container_stats_parse(const char **text, struct container_stats *stats, struct error *err) MUST_CHECK;

/* Percent of the whole machine between two samples, an earlier and a later one: CPU time of the container / that of
 * the machine. NAN: unknown. Times cpus it is percent of one core. */
double stats_cpu_percent(struct stats_figure cpu_before_ns, struct stats_figure cpu_ns,
                         struct stats_figure machine_before_ns, struct stats_figure machine_ns);

/* Asks for one sample (one-shot: the engine does not wait for a second one). ERROR_ABSENT: no such container. One that
 * has stopped, or of which the engine counts nothing, has no figure. */
bool container_stats(const struct engine *engine, const char *id, struct container_stats *stats,
                     struct error *err) MUST_CHECK;

#endif
