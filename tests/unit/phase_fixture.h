/* SPDX-License-Identifier: MIT
 * Runs of the report's fixture that are divided into phases. */
#ifndef TESTS_PHASE_FIXTURE_H
#define TESTS_PHASE_FIXTURE_H

#include "report_fixture.h"

#include "measurement/phases.h"

#include <stdlib.h>

static inline struct sample sample_at(uint64_t time_ns, uint64_t package_uj, uint64_t dram_uj, uint64_t cores_uj)
{
    struct sample sample = { .time_ns = time_ns, .energy_uj = { package_uj, dram_uj, cores_uj } };

    memset(sample.read, 1, sizeof sample.read);
    return sample;
}

static inline struct phase_book *book_new(const struct sample *opening)
{
    struct phase_book *book = calloc(1, sizeof *book);

    ck_assert_ptr_nonnull(book);
    phase_book_open(book, opening);
    return book;
}

static inline const struct phase *phase_named(const struct phases *phases, const char *name)
{
    for (size_t i = 0; i < phases->count; i++)
        if (strcmp(phases->items[i].name, name) == 0)
            return &phases->items[i];
    ck_abort_msg("no phase '%s'", name);
    return NULL;
}

/* One phase of a run of the fixture, that lasted so long and took so much. */
struct stay {
    const char *name;
    uint64_t ms, package_mj, dram_mj, cpu_ms;
};

static inline void divide(struct fixture *fixture, size_t i, const struct stay *stays, size_t count)
{
    struct run *run = &fixture->runs[i];
    struct sample sample = sample_at(run->window.start_ns, 0, 0, 0);
    struct phase_book *book = book_new(&sample);
    struct usage_value used = { .known = true, .from = "cgroup" };
    struct phases *phases;

    for (size_t s = 0; s < count; s++) {
        phase_book_used(book, &used);
        phase_book_mark(book, MARK_WRITTEN, stays[s].name, &sample);
        used.value += stays[s].cpu_ms * 1000000;
        sample.time_ns += stays[s].ms * 1000000;
        sample.energy_uj[0] += stays[s].package_mj * 1000;
        sample.energy_uj[1] += stays[s].dram_mj * 1000;
    }
    phase_book_close(book, &sample);
    phase_book_used(book, &run->usage.cpu_ns);
    phases = phase_book_copy(book);
    free(book);
    phases->next = fixture->measurement.phases;
    fixture->measurement.phases = phases;
    run->phases = phases;
}

static inline const struct phase_summary *row_named(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->phases.count; i++)
        if (strcmp(report->phases.items[i].name, name) == 0)
            return &report->phases.items[i];
    ck_abort_msg("no row '%s'", name);
    return NULL;
}

static const struct marks_options asked = { .written = true };

static const struct stay first_run[] = {
    { "load", 2000, 100000, 20000, 500 }, { "solve", 7994, 699000, 109900, 9100 },
    { "flush", 2, 400, 30, 0 },           { "solve", 2, 300, 50, 300 },
    { "flush", 2, 300, 20, 0 },
};
static const struct stay second_run[] = { { "load", 3000, 150000, 24000, 900 },
                                          { "save", 7000, 670000, 110000, 9000 } };

static inline struct fixture *divided(void)
{
    struct fixture *fixture = fixture_new();

    fixture->measurement.marks = &asked;
    divide(fixture, 0, first_run, 5);
    divide(fixture, 1, second_run, 2);
    return fixture;
}

static inline void finish(struct fixture *fixture)
{
    phases_free(fixture->measurement.phases);
    fixture_free(fixture);
}

#endif
