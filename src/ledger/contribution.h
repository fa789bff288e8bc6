/* SPDX-License-Identifier: MIT
 * A record's contribution to a total over many records: energy and mass summed over its runs, and the assumptions
 * behind them. Used in app, commands/history, commands/report and ledger. Begin with contribution_of(). */
#ifndef LEDGER_CONTRIBUTION_H
#define LEDGER_CONTRIBUTION_H

#include "base/error.h"
#include "form/field.h"

#include <stdint.h>

#define IMPORTED_SCHEMA "carbon.imported/1" /* for results of another tool */

struct cJSON;

struct counted_machines;

/* Unknown is NULL, NAN or negative. Texts are borrowed. Everything from duration_s on is the sum over the runs that
 * count, not their mean. */
struct contribution {
    int64_t started_ns, ended_ns; /* since 1970, UTC */
    const char *project, *label;
    const char *parent_id;      /* it restates that one: the energy is the same, and to be summed once */
    const char *quality;        /* quality of the energy */
    int64_t complete, recorded; /* 1, 0; recorded: of the counters of a recorded machine */
    int64_t estimated;          /* 1, 0: nothing was measured */
    int64_t runs;
    double duration_s, gross_j;
    double variance_j2;               /* of gross_j by the runs' own spread: n s^2; of fewer than two unknown */
    double gross_low_j, gross_high_j; /* range of a modelled figure */
    double net_j, facility_kwh;       /* facility: gross, with the PUE */
    double gross_kgco2eq, net_kgco2eq;
    double market_kgco2eq; /* of gross, as are the next three */
    double td_losses_kgco2eq, upstream_kgco2eq, embodied_kgco2eq;
    double own_j, own_kgco2eq; /* the job's own energy, and its method: "net", "cpu-time", ... */
    const char *own_method;
    double sci_units; /* declared functional units of all runs, and their name: "", "alerts" */
    const char *sci_unit;
    double warmup_j;     /* of runs that do not count; in none of the above */
    double covered;      /* part of gross_j by intensities of its own time; unknown: not by the hour */
    const char *machine; /* the machine and boot of gross_j; unknown: not in the record, or of another tool */
    const char *times;   /* times of the runs (contribution_times) */
    /* Of Slurm. Of a record that was measured within a job: the job and the node; of a record that `carbon slurm` has
     * kept of a job: its nodes as Slurm lists them, and how many. */
    int64_t job; /* 0: it is of no job */
    const char *cluster, *nodes;
    int64_t node_count;
    int64_t reported; /* TOLD_... */
};

/* What a time of the machine has of it, which two records of that time would count twice. */
#define CONTRIBUTION_OF_MACHINE(of)                                                                                    \
    &(of)->gross_j, &(of)->gross_low_j, &(of)->gross_high_j, &(of)->net_j, &(of)->facility_kwh, &(of)->gross_kgco2eq,  \
        &(of)->net_kgco2eq, &(of)->market_kgco2eq, &(of)->td_losses_kgco2eq, &(of)->upstream_kgco2eq

/* Slurm's energy of a job is its nodes' whole energy, or the job's part of it. */
enum { REPORTED_NOT, REPORTED_PART, REPORTED_WHOLE };

/* The record comes from another tool. */
bool imported_is(const struct cJSON *record);

/* Of a measured record, or of an estimate that was kept; but for times, which has an owner. */
void contribution_of(const struct cJSON *record, struct contribution *contribution);

/* The part of it from from_ns on until before to_ns. A run with slices of time is cut where they are, one without
 * belongs to the time in which it started; masses go with the energy. An estimate and an imported record are even all
 * the time. */
void contribution_between(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns,
                          struct contribution *contribution);

/* When the runs that count were, in [from_ns, to_ns) as contribution_between takes them, with their energies:
 * "12+34=5.6
 * ...", ns since 1970, ns, J. "": it does not say. Freed by the caller; NULL: no memory. */
char *contribution_times(const struct cJSON *record, uint64_t from_ns, uint64_t to_ns, struct error *err) MUST_CHECK;

/* Takes from it what is counted already of the time of its machine: from gross and net energy and all that goes with
 * them, not from own, which is each job's. What went: energy, and the parts of energy and time that are left. Of an
 * unknown machine or time nothing goes. Slurm's energies come after all measured ones, and whole nodes before
 * parts of them. */
struct contribution_once {
    double gross_j, of_energy, of_time;
};
bool contribution_count_once(struct counted_machines *machines, struct contribution *contribution,
                             struct contribution_once *once, struct error *err) MUST_CHECK;

/* What a basis says in addition to "pue", "factor", "market_factor" and "hourly", which it has from the record as they
 * are. Texts are borrowed; unknown is NULL and NAN. */
struct basis {
    const char *scope, *cpu_model;
    double td_losses_kgco2eq_per_kwh, upstream_kgco2eq_per_kwh;
    bool has_edition;
    const char *factor_version, *factor_retrieved_at;
    const struct cJSON *machine; /* of the record's SCI; NULL: its embodied emissions are unknown */
    double lifetime_years, reserved_share;
    const char *lifetime_quality;
};
extern const struct fields basis_fields, basis_embodied_fields;
void basis_embodied(struct tree_node node, const void *basis);

/* The value in a basis, and in its "embodied", of a member. */
#define BASIS_ITEM(node, member) FIELD_ITEM(node, basis_fields, struct basis, member)
#define EMBODIED_ITEM(node, member) FIELD_ITEM(node, basis_embodied_fields, struct basis, member)

/* The basis of its figures, one line of JSON that is the same for all records that were calculated alike: scope,
 * PUE, factors, machine. Freed by the caller; NULL: no memory. */
char *contribution_basis(const struct cJSON *record, struct error *err) MUST_CHECK;

#endif
