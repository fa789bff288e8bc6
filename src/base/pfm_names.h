/* SPDX-License-Identifier: MIT
 * Event names that libpfm4 knows. Used by energy/perf.c, profile/rings.c and usage/task_counter.h. Begin with
 * pfm_names_open(). */
#ifndef BASE_PFM_NAMES_H
#define BASE_PFM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* libpfm4, loaded at its first use: it costs more than the rest of a start together. */
struct pfm_names {
    void *library; /* NULL: not there, or carbon was built without its header */
    void *encode;
};

void pfm_names_open(struct pfm_names *names);
void pfm_names_close(struct pfm_names *names);

/* How perf_event_open wants the event of this name ("RAPL_ENERGY_PKG"). False: not known here. */
bool pfm_names_encode(const struct pfm_names *names, const char *event, uint32_t *type, uint64_t *config);

#endif
