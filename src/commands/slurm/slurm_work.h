/* SPDX-License-Identifier: MIT
 * The state of `carbon slurm`: jobs of Slurm's accounting, their energy and emissions. Used throughout commands/slurm.
 * Begin with slurm_ask().
 *
 * run/slurm_job.c identifies job, node and task for the report (job of the record), and commands/measure/slurm_names.c
 * expands them in file names and warns about energy that is counted several times or not at all. merge_read.c reads
 * such records as windows of time with their energies, and merge.c adds them up by node, with each moment counted once.
 * carbon slurm has slurm_ask.c run sacct (through run/side_command.c, into memory) or read its output; job_energy.c
 * chooses the energy of a job, or slurm_model.c models it by the arithmetic of carbon estimate (estimate_cpu.c,
 * estimate_footprint.c). data/slurm/prolog.sh measures a node around a command that reads from a pipe, epilog.sh writes
 * to it: no signal, so that the record is complete. tests/cli/lib-slurm.sh starts a one-node Slurm for a test. */
#ifndef COMMANDS_SLURM_SLURM_WORK_H
#define COMMANDS_SLURM_SLURM_WORK_H

#include "app/estimate_steps.h"
#include "app/options/command.h"
#include "commands/slurm/job_energy.h"
#include "commands/slurm/sacct_times.h"
#include "run/environment.h"

#define SLURM_SCHEMA "carbon.slurm/1"

/* One run of a job, or a requested step. Unknown is NAN. */
struct slurm_result {
    const struct sacct_row *row, *steps; /* its steps follow it in the list */
    size_t step_count;
    bool running, requeued; /* still running; it was requeued later */
    struct slurm_energy measured;
    double share; /* of its nodes' energy, if other jobs used them at the same time; 1: none in the list did; NAN:
                   * unknown, and the job gets all of it */
    struct estimate_slice *slices; /* of a shared job, the times with different power */
    size_t slice_count;
    bool shared_evenly;     /* some of it by equal parts, because neither CPU time nor CPUs of all jobs are known */
    bool doubted;           /* Slurm's energy is above the maximum of the nodes */
    double gpus, memory_gb; /* resources granted */
    double load;            /* load of the CPUs, 0 to 1 */
    double gpu_j;           /* of its GPUs, in a modelled energy; NAN: not included */
    /* energy, its quality, its range and its emissions; of a modelled one also the method */
    struct estimate estimate;
};

struct slurm_work {
    const struct settings *settings;
    struct environment environment;
    struct sacct_list list;
    struct sacct_times times;          /* its times and their format */
    double package_w, package_threads; /* maximum power of a processor of --cpu, and its threads; NAN: unknown */
    double *node_w;                    /* one per row of the list; NAN: unknown, or implausible */
    struct slurm_result *results;
    size_t count;
    double energy_j, low_j, high_j, facility_kwh, kgco2eq; /* sums of the known values */
    size_t unknown;                                        /* number with unknown energy */
    enum quality quality;                                  /* the lowest of the completed ones */
    bool judged;
    struct notices notices;
};

extern const struct option_spec option_sacct, option_sacct_date, option_slurm_cpu, option_gpu_power,
    option_slurm_doubted;

/* slurm_ask.c: sacct's rows of the operands, from sacct or from a file. */
bool slurm_ask(const struct command_line *line, struct sacct_list *list, struct error *err) MUST_CHECK;
/* Likewise: their times, in any format. */
bool slurm_read_times(struct slurm_work *work, struct error *err) MUST_CHECK;
/* Whether a row matches the request: "123" includes its steps and the tasks of an array. */
bool slurm_is_of(const struct sacct_row *row, const char *asked);

/* slurm_model.c: fills in the energy of a result, measured or modelled. */
bool slurm_find_energy(struct slurm_work *work, struct slurm_result *result, struct error *err) MUST_CHECK;

/* node_bounds.c: why it is implausible as the nodes' energy; NULL: plausible. Needs the bounds of --cpu. */
bool slurm_read_bounds(struct slurm_work *work, struct error *err) MUST_CHECK;
const char *slurm_doubt(const struct slurm_work *work, const struct sacct_row *row, const struct slurm_energy *energy);
/* The mean power of one of its nodes, during the measurement. */
double slurm_node_w(const struct sacct_row *row, const struct slurm_energy *energy);

/* slurm_share.c: the share of a result in the measured energy of whole nodes, by the CPU time of all jobs in the list
 * that used them at the same time. Needs the measured mean power of a node of each row (node_w), which slurm_find_watts
 * sets. */
bool slurm_find_watts(struct slurm_work *work, struct error *err) MUST_CHECK;
bool slurm_share(const struct slurm_work *work, struct slurm_result *result, struct error *err) MUST_CHECK;

extern const struct schema slurm_schema;

/* Forms. False: no memory; a stream that fails is the caller's. */
bool slurm_json(const struct slurm_work *work, FILE *out, struct error *err) MUST_CHECK;
bool slurm_csv(const struct slurm_work *work, FILE *out, struct error *err) MUST_CHECK;
void slurm_text(const struct slurm_work *work, FILE *out);

#endif
