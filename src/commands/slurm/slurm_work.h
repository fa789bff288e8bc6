/* SPDX-License-Identifier: MIT
 * What `carbon slurm` works with: jobs of Slurm's accounting, their energy and what it emits.
 *
 * run/slurm_job.c reads which job, node and task this is into the report (job of the record), and
 * commands/measure/cluster.c makes names of files of it and tells what is counted several times or not at all.
 * merge_read.c takes such records back as windows of time with their energies, and merge.c adds them up by node,
 * where each moment counts once. carbon slurm has slurm_ask.c run sacct (through run/aside.c, into memory) or read
 * its output; a job's energy is that of job_energy.c, or slurm_model.c models it by the arithmetic of carbon
 * estimate (estimate_cpu.c, estimate_footprint.c). data/slurm/prolog.sh measures a node around a command that reads
 * from a pipe, epilog.sh writes to it: no signal, so that the record is complete. tests/cli/lib-slurm.sh is a whole
 * Slurm of one node for a test. */
#ifndef COMMANDS_SLURM_SLURM_WORK_H
#define COMMANDS_SLURM_SLURM_WORK_H

#include "app/estimate.h"
#include "app/options/command.h"
#include "commands/slurm/job_energy.h"
#include "commands/slurm/sacct_times.h"
#include "run/environment.h"

#define SLURM_SCHEMA "carbon.slurm/1"

/* A job as it ran once, or a step that was asked for. Unknown is NAN. */
struct slurm_result {
    const struct sacct_row *row, *steps; /* its steps lie behind it */
    size_t step_count;
    bool running, requeued; /* goes on; it was run again after that */
    struct slurm_energy measured;
    double share; /* of its nodes' energy, where other jobs had them, too; 1: none of the list had; NAN: it is
                   * not known, and all of it is the job's */
    struct estimate_slice *slices; /* of a shared one, the times that have powers of their own */
    size_t slice_count;
    bool shared_evenly;     /* some of it, where neither CPU time nor CPUs of all of them are known */
    bool doubted;           /* no nodes can have drawn what Slurm says */
    double gpus, memory_gb; /* resources granted */
    double load;            /* load of the CPUs, 0 to 1 */
    double gpu_j;           /* of its GPUs, in a modelled energy; NAN: they are not in it */
    /* energy, its quality, its range and what it emits; of a modelled one also how */
    struct estimate estimate;
};

struct slurm_work {
    const struct settings *settings;
    struct environment environment;
    struct sacct_list list;
    struct sacct_times times;          /* how its times were read */
    double package_w, package_threads; /* the most that a processor of --cpu draws, and its threads; NAN: not known */
    double *node_w;                    /* one a row of the list; NAN: unknown, or none that can be */
    struct slurm_result *results;
    size_t count;
    double energy_j, low_j, high_j, facility_kwh, kgco2eq; /* sums over all that is known */
    size_t unknown;                                        /* whose energy is not */
    enum quality quality;                                  /* the worst of those that were run */
    bool judged;
    struct notices notices;
};

extern const struct option_spec option_sacct, option_sacct_date, option_slurm_cpu, option_gpu_power,
    option_slurm_doubted;

/* slurm_ask.c: sacct's rows of the operands, from sacct itself or from a file. */
bool slurm_ask(const struct command_line *line, struct sacct_list *list, struct error *err) MUST_CHECK;
/* Likewise: their times, whatever form they are in. */
bool slurm_read_times(struct slurm_work *work, struct error *err) MUST_CHECK;
/* Whether a row is of what was asked for: "123" is also its steps and the parts of an array. */
bool slurm_is_of(const struct sacct_row *row, const char *asked);

/* slurm_model.c: fills in the energy of a result, measured or modelled. */
bool slurm_find_energy(struct slurm_work *work, struct slurm_result *result, struct error *err) MUST_CHECK;

/* node_bounds.c: why it cannot be what the nodes used; NULL: it can. Needs the bounds of --cpu. */
bool slurm_read_bounds(struct slurm_work *work, struct error *err) MUST_CHECK;
const char *slurm_doubt(const struct slurm_work *work, const struct sacct_row *row, const struct slurm_energy *energy);
/* The mean power of one of its nodes, while it was measured. */
double slurm_node_w(const struct sacct_row *row, const struct slurm_energy *energy);

/* slurm_share.c: of what was measured of whole nodes takes for the energy of a result that which is the job's, by the
 * CPU time of all jobs of the list that had them at the same time. Needs the mean power of a node of each row (node_w),
 * as it was measured, which slurm_find_watts fills in. */
bool slurm_find_watts(struct slurm_work *work, struct error *err) MUST_CHECK;
bool slurm_share(const struct slurm_work *work, struct slurm_result *result, struct error *err) MUST_CHECK;

extern const struct schema slurm_schema;

/* Forms. False: no memory; a stream that fails is the caller's. */
bool slurm_json(const struct slurm_work *work, FILE *out, struct error *err) MUST_CHECK;
bool slurm_csv(const struct slurm_work *work, FILE *out, struct error *err) MUST_CHECK;
void slurm_text(const struct slurm_work *work, FILE *out);

#endif
