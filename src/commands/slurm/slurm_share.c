/* SPDX-License-Identifier: MIT
 * A job's share of nodes that other jobs had at the same time: by the CPU time of each, moment by moment, so that the
 * jobs of a node have its energy once. */
#include "commands/slurm/slurm_work.h"

#include "base/auto.h"
#include "commands/slurm/node_list.h"
#include "energy/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All jobs of the list that ran on nodes of one job while it did. */
struct sharing {
    const struct slurm_work *work;
    const struct sacct_row *job;
    const struct sacct_row **others; /* itself not */
    size_t count;
    double *edges_s;      /* room for two of each and two of its own */
    double node_j, own_j; /* of all its nodes, and its shares of them */
};

static int64_t end_of(const struct sacct_row *row)
{
    return row->end_s > row->start_s ? row->end_s : row->start_s + (int64_t)(row->elapsed_s > 0 ? row->elapsed_s : 0);
}

static bool meets(const struct sacct_row *a, const struct sacct_row *b)
{
    return a->start_s < end_of(b) && b->start_s < end_of(a) && strcmp(a->cluster, b->cluster) == 0 &&
           node_lists_meet(a->node_list, b->node_list);
}

static double nodes_of(const struct sacct_row *row)
{
    return row->nodes >= 1 ? row->nodes : 1;
}

/* Of each of its nodes: CPUs that it kept busy, or that it was given. */
static double weight_of(const struct sacct_row *row, bool busy)
{
    return (busy ? row->cpu_s / row->elapsed_s : row->cpus) / nodes_of(row);
}

static bool has_at(const struct sacct_row *row, const char *node, double time_s)
{
    return (double)row->start_s <= time_s && time_s < (double)end_of(row) && node_lists_meet(node, row->node_list);
}

/* At a moment at which nobody begins or ends; NAN: neither CPU time nor CPUs of all are known. */
static double share_at(const struct sharing *sharing, const char *node, double time_s)
{
    for (int busy = 1; busy >= 0; busy--) {
        const double own = weight_of(sharing->job, busy);
        double sum = own;
        for (size_t i = 0; i < sharing->count; i++)
            if (has_at(sharing->others[i], node, time_s)) {
                const double weight = weight_of(sharing->others[i], busy);
                sum += weight > 0 ? weight : NAN;
            }
        if (own > 0 && sum > 0)
            return own / sum;
    }
    return NAN;
}

static double watts_of(const struct sharing *sharing, const struct sacct_row *row)
{
    return sharing->work->node_w[row - sharing->work->list.rows];
}

/* What the node draws, by the longest of the jobs that have it and were measured, as of records that are merged. */
static double watts_at(const struct sharing *sharing, const char *node, double time_s)
{
    double watts = watts_of(sharing, sharing->job), longest_s = sharing->job->elapsed_s;

    for (size_t i = 0; i < sharing->count; i++) {
        const struct sacct_row *other = sharing->others[i];
        if (other->elapsed_s > longest_s && !isnan(watts_of(sharing, other)) && has_at(other, node, time_s)) {
            watts = watts_of(sharing, other);
            longest_s = other->elapsed_s;
        }
    }
    return watts;
}

static int by_time(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double within(const struct sharing *sharing, int64_t time_s)
{
    const double start_s = (double)sharing->job->start_s, end_s = (double)end_of(sharing->job);

    return fmin(end_s, fmax(start_s, (double)time_s));
}

static bool on_node(void *context, const char *node)
{
    struct sharing *sharing = context;
    const double start_s = (double)sharing->job->start_s, end_s = (double)end_of(sharing->job);
    size_t edges = 0;

    sharing->edges_s[edges++] = start_s;
    sharing->edges_s[edges++] = end_s;
    for (size_t i = 0; i < sharing->count; i++)
        if (node_lists_meet(node, sharing->others[i]->node_list)) {
            sharing->edges_s[edges++] = within(sharing, sharing->others[i]->start_s);
            sharing->edges_s[edges++] = within(sharing, end_of(sharing->others[i]));
        }
    qsort(sharing->edges_s, edges, sizeof *sharing->edges_s, by_time);
    for (size_t i = 1; i < edges; i++) {
        const double length_s = sharing->edges_s[i] - sharing->edges_s[i - 1];
        const double middle_s = (sharing->edges_s[i] + sharing->edges_s[i - 1]) / 2;
        if (!(length_s > 0))
            continue;
        const double joules = length_s * watts_at(sharing, node, middle_s);
        sharing->node_j += joules;
        sharing->own_j += joules * share_at(sharing, node, middle_s);
    }
    return true;
}

static bool is_another(const struct sacct_row *row, const struct sacct_row *job)
{
    return row != job && sacct_is_job(row) && row->start_s >= 0 && row->elapsed_s > 0;
}

bool slurm_share(const struct slurm_work *work, const struct sacct_row *job, double measured_j, double *energy_j,
                 double *share, struct error *err)
{
    AUTO_FREE const struct sacct_row **others = calloc(work->list.count + 1, sizeof *others);
    AUTO_FREE double *edges_s = calloc(2 * work->list.count + 2, sizeof *edges_s);
    struct sharing sharing = { .work = work, .job = job, .others = others, .edges_s = edges_s };

    *share = 1;
    *energy_j = measured_j;
    if (!others || !edges_s)
        return error_errno(err, "no memory for the jobs");
    if (!sacct_is_job(job) || job->start_s < 0 || !(job->elapsed_s > 0) || !*job->node_list)
        return true;
    for (size_t i = 0; i < work->list.count; i++)
        if (is_another(&work->list.rows[i], job) && *work->list.rows[i].node_list && meets(&work->list.rows[i], job))
            others[sharing.count++] = &work->list.rows[i];
    if (!sharing.count)
        return true;
    *share = NAN;
    if (node_list_each(job->node_list, on_node, &sharing) && sharing.own_j >= 0) {
        *share = sharing.own_j / sharing.node_j;
        *energy_j = sharing.own_j;
    }
    return true;
}

bool slurm_find_watts(struct slurm_work *work, struct error *err)
{
    const struct sacct_list *list = &work->list;

    work->node_w = calloc(list->count + 1, sizeof *work->node_w);
    if (!work->node_w)
        return error_errno(err, "no memory for the jobs");
    for (size_t i = 0; i < list->count; i++) {
        const struct sacct_row *row = &list->rows[i];
        struct slurm_energy energy;
        size_t steps = 0;
        work->node_w[i] = NAN;
        if (!sacct_is_job(row))
            continue;
        while (i + 1 + steps < list->count && !sacct_is_job(&list->rows[i + 1 + steps]))
            steps++;
        slurm_job_energy(row, row + 1, steps, &energy);
        work->node_w[i] = energy.energy_j / (energy.covered_s > 0 ? energy.covered_s : row->elapsed_s) / nodes_of(row);
        if (!(work->node_w[i] >= BOUNDS_MACHINE_LEAST_W && work->node_w[i] <= BOUNDS_MACHINE_W))
            work->node_w[i] = NAN;
    }
    return true;
}
