/* SPDX-License-Identifier: MIT
 * An estimate: energy that is given or modelled, not measured, and its emissions; and its forms for machines. Used by
 * app/estimate.h and in ledger. Begin with struct estimate. */
#ifndef RESULT_ESTIMATE_ESTIMATE_H
#define RESULT_ESTIMATE_ESTIMATE_H

#include "emissions/equivalents.h"
#include "emissions/factor.h"
#include "emissions/sci.h"
#include "emissions/supplementary.h"
#include "form/field.h"
#include "power/cloud_guest.h"
#include "power/cpu_power.h"
#include "power/gpu_power.h"

#include <stdint.h>
#include <stdio.h>

#define ESTIMATE_SCHEMA "carbon.estimate/1"

/* A power and its range. low_w and high_w are NAN if it was given. */
struct estimate_power {
    double w, low_w, high_w;
};

/* A part of the time of a job, since 1970. */
struct estimate_slice {
    double from_s, to_s, energy_j;
};

/* A job of Slurm. */
struct estimate_job {
    bool known;                      /* false: it is of none */
    int64_t id;                      /* -1: its number is not known */
    const char *cluster, *node_list; /* "" */
    double nodes;                    /* how many; NAN */
    bool whole_nodes;                /* the energy is all that they used, not the job's part of it */
    /* When it was used, where that is known better than even over the job's hours. */
    const struct estimate_slice *slices;
    size_t slice_count;
};

/* Unknown figures are NAN. */
struct estimate {
    uint64_t created_realtime_ns;
    char id[40];                  /* of one that is kept in the ledger; else "" */
    uint64_t started_realtime_ns; /* when what is estimated ran, of one that is kept; else 0 */
    const char *label, *project;  /* or NULL */
    struct estimate_job job;      /* of which job of Slurm it is */
    const char *from;             /* "power", "energy", "cpu", "instance", "gpu": the option that says it */
    const char *typed;            /* its text */

    /* from "cpu" or "instance": the request */
    struct cloud_instance instance; /* type "": none */
    double load;
    double threads, cores; /* NAN, both: a whole package */
    double memory_gb;      /* NAN: left out */
    /* and its resolution */
    struct cpu_power cpu;
    struct estimate_power package;
    struct memory_power memory;
    struct estimate_power memory_power;
    struct estimate_power wall; /* the whole machine at its plug; NAN: unknown, or a share was requested */
    char wall_how[224];

    /* of cards, alone or with a processor */
    const char *gpu_typed; /* or NULL */
    double gpu_load, gpus;
    struct gpu_power gpu;
    struct estimate_power gpu_power;

    struct estimate_power power;
    double hours;
    enum quality energy_quality; /* given or modelled; of the power as well */
    double energy_j, low_j, high_j;

    double pue;
    enum quality pue_quality;
    struct factor factor;
    struct supplementary supplementary;
    double hours_per_year;
    enum quality hours_per_year_quality;

    struct footprint footprint;
    struct footprint market,
        market_location; /* reported separately: by the market-based factor, and on the basis of that */
    double td_losses_kgco2eq, upstream_kgco2eq, water_l;
    double kgco2eq_low, kgco2eq_high;
    double kgco2eq_per_h, kgco2eq_per_year, facility_kwh_per_h, facility_kwh_per_year;
    struct sci sci;
    struct equivalents equivalents;

    struct notices notices;
};

/* A slice as it is written; the tables of an estimate and of its slices, and the function that adds these. */
struct estimate_slice_view {
    uint64_t started_ns;
    double duration_s, energy_j;
};
extern const struct fields estimate_fields, estimate_slice_fields;
void estimate_slices(struct tree_node array, const void *job);
extern const struct schema estimate_schema;

/* The value in an estimate, and in a slice of its job, of a member of it. */
#define ESTIMATE_ITEM(node, member) FIELD_ITEM(node, estimate_fields, struct estimate, member)
#define ESTIMATE_SLICE_ITEM(node, member) FIELD_ITEM(node, estimate_slice_fields, struct estimate_slice_view, member)

/* For machines and spreadsheets. False: no memory; a stream that fails is the caller's. */
bool estimate_json(const struct estimate *estimate, FILE *out, struct error *err) MUST_CHECK;
bool estimate_csv(const struct estimate *estimate, FILE *out, struct error *err) MUST_CHECK;

#endif
