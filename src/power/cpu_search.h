/* SPDX-License-Identifier: MIT
 * What the three kinds of look-up in cpu_power.c, cpu_similar.c and server_power.c share: cpu_search.c. Used throughout
 * power. Begin with search_profiles(). */
#ifndef POWER_CPU_SEARCH_H
#define POWER_CPU_SEARCH_H

#include "power/cpu_tables.h"

#include <stddef.h>

/* How far the truth may lie from a figure; docs/METHOD.md derives them, tests hold them against the
 * tables. A published curve is of one part under one workload: a factor of 4/3 either way. What has
 * been measured lies between 0.2 and 2 times TDP × the generic curve. */
#define CURVE_LOW 0.75
#define CURVE_HIGH (4.0 / 3.0)
#define GENERIC_LOW 0.2
#define GENERIC_HIGH 2.0

#define GENERIC_CURVE "teads:generic"

enum { SEARCH_MAX_TEXTS = 4 };

struct wall;

/* Everything the tables say about one processor. */
struct search {
    const struct cpu_identity *identity;
    char key[CPU_KEY_SIZE];
    bool server; /* in a guest, or by its name or segment */
    bool known;  /* cpu holds its row of cpu_power.csv */
    struct cpu_row cpu;
    char microarchitecture[32];
    struct profile_row generic;
    struct profile_row *profiles;
    size_t profile_count, profile_room;
    bool no_memory;                             /* for another profile */
    char texts[SEARCH_MAX_TEXTS][CPU_KEY_SIZE]; /* for which the profiles were read; "": none yet */
    struct wall *wall;                          /* NULL until it is needed */
};

/* Adds the profiles in whose line this stands as a whole field, once. "": none. */
bool search_profiles(struct search *search, const char *text, struct error *err) MUST_CHECK;

/* The hardware threads of one package, 0 where the tables do not know; a guess widens the range. */
int search_threads(const struct search *search, struct cpu_power *power);

/* Another description of the same thing widens the range to where it lies, at every tenth of load. */
void power_widen(struct cpu_power *power, const struct power_curve *other);

void power_how(struct cpu_power *power, const char *id, const char *format, ...) PRINTF_LIKE(3, 4);

/* Other processors of its microarchitecture; *found false: the tables have none. */
bool similar_cpus_find(struct search *search, struct cpu_power *power, bool *found, struct error *err) MUST_CHECK;

/* A stated default. */
void default_thread_power(const struct search *search, struct cpu_power *power);

/* The row of a processor that clouds alone have, or that is named in part ("Xeon Gold 6248", "Graviton3",
 * "Neoverse-N1"): sets search->cpu, known and key. */
bool search_named(struct search *search, struct error *err) MUST_CHECK;

/* A board or small computer that was measured whole, by firmware's name or a person's. *found false: none is. */
bool board_find(struct search *search, enum boundary boundary, struct cpu_power *power, bool *found,
                struct error *err) MUST_CHECK;

/* Some threads of it in a public cloud. *found false: it is in none, or its TDP or threads are unknown. */
bool cloud_power_find(struct search *search, struct cpu_power *power, bool *found, struct error *err) MUST_CHECK;

/* One package of a whole machine, or the machine at its plug as a share of each package; measured: the package where
 * its curve is published (POWER_MODEL). *found false: it is in machines of another kind, or some of its threads are
 * wanted. */
bool wall_find(struct search *search, enum boundary boundary, const struct cpu_power *measured, struct cpu_power *power,
               bool *found, struct error *err) MUST_CHECK;

/* What it keeps of the tables between two questions, and search itself; NULL: nothing. */
void search_close(struct search *search);

/* Whole servers with it, of which a guest has a part. *found false: none has been published. */
bool server_find(struct search *search, struct cpu_power *power, bool *found, struct error *err) MUST_CHECK;

#endif
