/* SPDX-License-Identifier: MIT
 * A job's stacks and its machine's energy: the energy of an interval is shared equally among the samples in it.
 * Used by symbols.h.
 *
 * Begin here: rings.h gives samples and mappings, processes.h keeps the maps, call_tree.h the stacks. After
 * the job symbols.h names them and tally.h makes functions of them. What an interval comes to is a list of terms (the
 * energy of each domain, the time, the samples) that the job's own energy is a linear sum of: so that nothing of a
 * single interval has to be kept, however long the job takes, and its idle power may be known in the end only. */
#ifndef PROFILE_SAMPLER_H
#define PROFILE_SAMPLER_H

#include "profile/call_tree.h"
#include "profile/processes.h"
#include "profile/rings.h"
#include "profile/unwind_rules.h"

struct sampler {
    struct rings rings;
    struct processes processes;
    struct call_tree tree;
    struct unwind_rules rules;   /* where stacks are found by DWARF */
    uint32_t phase, phase_count; /* the current phase, and how many there were */
    uint32_t *pending;           /* the nodes of the samples in the interval */
    size_t pending_count, pending_size;
    double *total, *unseen; /* of all intervals; of those that no sample was in */
    uint64_t samples, kernel_samples, lost_records, intervals, unseen_intervals;
    uint64_t short_stacks; /* stacks that go on beyond what was copied of them */
    bool opened;
};

/* The memory for this number of terms of each stack; sampling begins with sampler_follow. */
bool sampler_open(struct sampler *sampler, size_t terms, struct error *err) MUST_CHECK;
void sampler_close(struct sampler *sampler);

/* Stacks are found by DWARF; to be called before the job is begun, and before sampler_follow. */
bool sampler_unwind(struct sampler *sampler, struct error *err) MUST_CHECK;

bool sampler_follow(struct sampler *sampler, const struct rings_options *options, struct error *err) MUST_CHECK;

/* Of what runs already: sampling begins now. */
void sampler_begin(struct sampler *sampler, const pid_t *pids, size_t count);

/* One record; rings_take calls it. */
void sampler_take(void *sampler, const struct perf_record *record);

/* An interval ends at this moment (UINT64_MAX: with all that there is), and comes to these terms. */
void sampler_interval(struct sampler *sampler, uint64_t until_ns, const double *terms);

/* A phase of the job begins, after the interval that ends with it; until the first mark it is phase 0. */
void sampler_phase(struct sampler *sampler, uint32_t phase);

/* After the last one: also counts the losses since a ring's last report. */
void sampler_end(struct sampler *sampler);

#endif
