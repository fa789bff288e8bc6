/* SPDX-License-Identifier: MIT
 * A job's share of nodes that other jobs had at the same time: by the CPU time of each, moment by moment, so that the
 * jobs of a node have its energy once. */
#include "commands/slurm/slurm_work.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/counted_time.h"
#include "base/units.h"
#include "run/node_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More slices of time than a record has room for: then its energy is even over its time. */
enum { SLICES_MAX = 512 };

/* From this time on a job draws so much more. */
struct power_step {
    double at_s, more_w;
};

/* All jobs of the list that ran on nodes of one job while it did. */
struct sharing {
    const struct slurm_work *work;
    const struct sacct_row *job;
    const struct slurm_energy *measured; /* its own */
    const struct sacct_row **others;     /* itself not */
    size_t count;
    const struct sacct_row **tellers; /* they and itself, by whose measurement a moment counts */
    double *edges_s;                  /* room for two of each and two of its own */
    size_t edge_count;
    bool even;                /* some time of several jobs is shared evenly: nothing tells better */
    struct time_span *rest;   /* room for as many as there are tellers, and one */
    struct power_step *steps; /* of its own power */
    size_t step_count, step_room;
    double node_j, own_j; /* of all its nodes, and its shares of them */
};

static int64_t end_of(const struct sacct_row *row)
{
    return row->end_s > row->start_s ? row->end_s : row->start_s + (int64_t)(row->elapsed_s > 0 ? row->elapsed_s : 0);
}

static struct time_span span_of(const struct sacct_row *row)
{
    return (struct time_span){ (uint64_t)row->start_s * NS_PER_S_INT, (uint64_t)end_of(row) * NS_PER_S_INT };
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

/* What a node is shared by, the best first. */
enum share_by { SHARE_BUSY, SHARE_GIVEN, SHARE_EVEN };

/* Of each of its nodes: CPUs that it kept busy, or that it was given; or as any other job. */
static double weight_of(const struct sacct_row *row, enum share_by by)
{
    return by == SHARE_EVEN ? 1 : (by == SHARE_BUSY ? row->cpu_s / row->elapsed_s : row->cpus) / nodes_of(row);
}

static bool has_at(const struct sacct_row *row, const char *node, double time_s)
{
    return (double)row->start_s <= time_s && time_s < (double)end_of(row) && node_lists_meet(node, row->node_list);
}

/* At a moment at which nobody begins or ends. */
static double share_at(struct sharing *sharing, const char *node, double time_s)
{
    for (enum share_by by = SHARE_BUSY; by <= SHARE_EVEN; by++) {
        const double own = weight_of(sharing->job, by);
        double sum = own;
        for (size_t i = 0; i < sharing->count; i++)
            if (has_at(sharing->others[i], node, time_s)) {
                const double weight = weight_of(sharing->others[i], by);
                sum += weight > 0 ? weight : NAN;
            }
        if (!(own > 0 && sum > 0))
            continue;
        sharing->even |= by == SHARE_EVEN && sum > own;
        return own / sum;
    }
    return NAN;
}

/* Its own measurement counts as it is taken; that of others where it can be. */
static double watts_of(const struct sharing *sharing, const struct sacct_row *row)
{
    return row == sharing->job ? slurm_node_w(row, sharing->measured)
                               : sharing->work->node_w[row - sharing->work->list.rows];
}

/* The longest first, as of records that are merged; of equal ones by their numbers, in whatever order they are
 * listed. */
static int by_length(const void *a, const void *b)
{
    const struct sacct_row *one = *(const struct sacct_row *const *)a;
    const struct sacct_row *other = *(const struct sacct_row *const *)b;

    if (one->elapsed_s != other->elapsed_s)
        return one->elapsed_s > other->elapsed_s ? -1 : 1;
    return strcmp(one->id, other->id);
}

static int by_time(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static bool add_power(struct sharing *sharing, double from_s, double to_s, double watts)
{
    sharing->steps = array_room(sharing->steps, &sharing->step_room, sharing->step_count + 2, sizeof *sharing->steps);
    if (sharing->step_room < sharing->step_count + 2)
        return false;
    sharing->steps[sharing->step_count++] = (struct power_step){ from_s, watts };
    sharing->steps[sharing->step_count++] = (struct power_step){ to_s, -watts };
    return true;
}

/* Of a time in which the node drew as much all along. */
static bool add_time(struct sharing *sharing, const char *node, double from_s, double to_s, double watts)
{
    for (size_t i = 1; i < sharing->edge_count; i++) {
        const double start_s = fmax(from_s, sharing->edges_s[i - 1]), end_s = fmin(to_s, sharing->edges_s[i]);
        if (!(end_s > start_s))
            continue;
        const double own_w = watts * share_at(sharing, node, (start_s + end_s) / 2);
        sharing->node_j += (end_s - start_s) * watts;
        sharing->own_j += (end_s - start_s) * own_w;
        if (!add_power(sharing, start_s, end_s, own_w))
            return false;
    }
    return true;
}

static void find_edges(struct sharing *sharing, const char *node)
{
    size_t count = 0;

    sharing->edges_s[count++] = (double)sharing->job->start_s;
    sharing->edges_s[count++] = (double)end_of(sharing->job);
    for (size_t i = 0; i < sharing->count; i++)
        if (node_lists_meet(node, sharing->others[i]->node_list)) {
            sharing->edges_s[count++] = (double)sharing->others[i]->start_s;
            sharing->edges_s[count++] = (double)end_of(sharing->others[i]);
        }
    qsort(sharing->edges_s, count, sizeof *sharing->edges_s, by_time);
    sharing->edge_count = count;
}

/* What the node drew in the time of the job, each moment by the first of those who were measured on it then. */
static bool on_node(void *context, const char *node)
{
    struct sharing *sharing = context;
    const struct time_span all = span_of(sharing->job);
    struct counted_time time = { .spans = NULL };
    bool good = true;

    find_edges(sharing, node);
    for (size_t i = 0; i <= sharing->count && good; i++) {
        const struct sacct_row *row = sharing->tellers[i];
        struct time_span span = span_of(row);
        double share;
        if (isnan(watts_of(sharing, row)) || !node_lists_meet(node, row->node_list))
            continue;
        span.start_ns = span.start_ns > all.start_ns ? span.start_ns : all.start_ns;
        span.end_ns = span.end_ns < all.end_ns ? span.end_ns : all.end_ns;
        const size_t count = counted_time_rest(&time, span, sharing->rest);
        for (size_t k = 0; k < count && good; k++)
            good = add_time(sharing, node, (double)sharing->rest[k].start_ns / NS_PER_S,
                            (double)sharing->rest[k].end_ns / NS_PER_S, watts_of(sharing, row));
        good = good && counted_time_take(&time, &span, 1, &share);
    }
    counted_time_close(&time);
    return good;
}

static bool is_once_more(const struct sacct_row *row, const struct sacct_row *other)
{
    return row->start_s == other->start_s && strcmp(row->id, other->id) == 0 &&
           strcmp(row->cluster, other->cluster) == 0 && strcmp(row->submit, other->submit) == 0;
}

/* What the list has twice is one job. */
static bool is_another(const struct sharing *sharing, const struct sacct_row *row)
{
    bool another = sacct_is_job(row) && row->start_s >= 0 && row->elapsed_s > 0 && *row->node_list &&
                   meets(row, sharing->job) && !is_once_more(row, sharing->job);

    for (size_t i = 0; i < sharing->count && another; i++)
        another = !is_once_more(row, sharing->others[i]);
    return another;
}

/* False: no memory, or a list of nodes that cannot be understood. */
static bool share(struct sharing *sharing)
{
    AUTO_FREE const struct sacct_row **tellers = calloc(sharing->count + 1, sizeof *tellers);
    AUTO_FREE struct time_span *rest = calloc(sharing->count + 2, sizeof *rest);
    AUTO_FREE double *edges_s = calloc(2 * sharing->count + 2, sizeof *edges_s);

    if (!tellers || !rest || !edges_s)
        return false;
    memcpy(tellers, sharing->others, sharing->count * sizeof *tellers);
    tellers[sharing->count] = sharing->job;
    qsort(tellers, sharing->count + 1, sizeof *tellers, by_length);
    sharing->tellers = tellers;
    sharing->rest = rest;
    sharing->edges_s = edges_s;
    return node_list_each(sharing->job->node_list, on_node, sharing);
}

static int by_moment(const void *a, const void *b)
{
    const struct power_step *left = a, *right = b;

    return (left->at_s > right->at_s) - (left->at_s < right->at_s);
}

/* From steps of power the times between them. */
static bool keep_slices(struct sharing *sharing, struct slurm_result *result)
{
    double watts = 0, from_s = NAN, of_slice_w = 0;

    result->slices = calloc(SLICES_MAX, sizeof *result->slices);
    if (!result->slices)
        return false;
    qsort(sharing->steps, sharing->step_count, sizeof *sharing->steps, by_moment);
    for (size_t i = 0; i < sharing->step_count; i++) {
        const double at_s = sharing->steps[i].at_s;
        watts += sharing->steps[i].more_w;
        if (i + 1 < sharing->step_count && sharing->steps[i + 1].at_s == at_s)
            continue;
        if (fabs(watts - of_slice_w) <= 1e-9 * fabs(of_slice_w))
            continue;
        if (of_slice_w > 1e-9 && result->slice_count == SLICES_MAX) {
            result->slice_count = 0;
            return true;
        }
        if (of_slice_w > 1e-9)
            result->slices[result->slice_count++] =
                (struct estimate_slice){ from_s, at_s, (at_s - from_s) * of_slice_w };
        from_s = at_s;
        of_slice_w = watts;
    }
    return true;
}

bool slurm_share(const struct slurm_work *work, struct slurm_result *result, struct error *err)
{
    const struct sacct_row *job = result->row;
    AUTO_FREE const struct sacct_row **others = calloc(work->list.count + 1, sizeof *others);
    struct sharing sharing = { .work = work, .job = job, .measured = &result->measured, .others = others };

    result->share = 1;
    result->estimate.energy_j = result->measured.energy_j;
    if (!others)
        return error_errno(err, "no memory for the jobs");
    if (!sacct_is_job(job) || job->start_s < 0 || !(job->elapsed_s > 0) || !*job->node_list)
        return true;
    for (size_t i = 0; i < work->list.count; i++)
        if (is_another(&sharing, &work->list.rows[i]))
            others[sharing.count++] = &work->list.rows[i];
    if (!sharing.count)
        return true;
    result->share = NAN;
    if (!result->doubted && share(&sharing) && sharing.own_j >= 0 && keep_slices(&sharing, result)) {
        result->share = sharing.own_j / sharing.node_j;
        result->shared_evenly = sharing.even;
        result->estimate.energy_j = sharing.own_j;
    }
    free(sharing.steps);
    return true;
}

bool slurm_find_watts(struct slurm_work *work, struct error *err)
{
    const bool counted = settings_flag(work->settings, &option_slurm_doubted);
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
        if (counted || !slurm_doubt(work, row, &energy))
            work->node_w[i] = slurm_node_w(row, &energy);
    }
    return true;
}
