/* SPDX-License-Identifier: MIT
 * Records of several tasks and nodes added up. On a node the longest record counts in full, of each further one what
 * lies outside the time that is counted already, by its share of the record's window; but what tasks of one step used
 * themselves adds up. */
#include "commands/slurm/merge.h"

#include "base/auto.h"
#include "base/counted_time.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_part(struct merge_sum *sum, const struct merge_sum *more, double share)
{
    sum->gross_j += share * more->gross_j;
    sum->idle_j += share * more->idle_j;
    sum->net_j += share * more->net_j;
    sum->gross_low_j += share * more->gross_low_j;
    sum->gross_high_j += share * more->gross_high_j;
    sum->facility_kwh += share * more->facility_kwh;
    sum->gross_kgco2eq += share * more->gross_kgco2eq;
    sum->net_kgco2eq += share * more->net_kgco2eq;
}

static void add_own(struct merge_sum *sum, const struct merge_sum *more, double share)
{
    sum->own_j += share * more->own_j;
    sum->own_low_j += share * more->own_low_j;
    sum->own_high_j += share * more->own_high_j;
    sum->own_kgco2eq += share * more->own_kgco2eq;
}

static double duration_ns(const struct merge_part *part)
{
    double sum_ns = 0;

    for (size_t i = 0; i < part->window_count; i++)
        sum_ns += (double)(part->windows[i].end_ns - part->windows[i].start_ns);
    return sum_ns;
}

/* The longest first; of equal ones the one that the node's first task has made, then as they were given. */
static int by_length(const void *a, const void *b)
{
    const struct merge_part *one = *(const struct merge_part *const *)a;
    const struct merge_part *other = *(const struct merge_part *const *)b;
    const double one_ns = duration_ns(one), other_ns = duration_ns(other);

    if (one->node != other->node)
        return one->node < other->node ? -1 : 1;
    if (one_ns != other_ns)
        return one_ns > other_ns ? -1 : 1;
    if (one->job.local_rank != other->job.local_rank)
        return one->job.local_rank < other->job.local_rank ? -1 : 1;
    return one < other ? -1 : one > other;
}

static enum quality worse(enum quality a, enum quality b)
{
    if (a == QUALITY_UNKNOWN || b == QUALITY_UNKNOWN)
        return QUALITY_UNKNOWN;
    return a > b ? a : b;
}

/* By CPU time own is of this task alone, whatever other tasks of its step have at the same time; net is all of the
 * node's. */
static bool is_of_its_own(const struct merge *merge, const struct merge_part *part)
{
    bool own = part->own_method == OWN_CPU_TIME || part->own_method == OWN_SHARE;

    for (size_t i = 0; i < merge->part_count; i++) {
        const struct merge_part *other = &merge->parts[i];
        if (other != part && other->node == part->node)
            own &= part->job.known && other->job.known && part->job.id == other->job.id &&
                   strcmp(part->job.step, other->job.step) == 0 && part->job.rank != other->job.rank;
    }
    return own;
}

/* What of a record is not in the node yet. */
static bool count_part(struct merge_part *part, bool of_its_own, struct merge_node *node, struct counted_time *taken)
{
    AUTO_FREE struct time_span *spans = calloc(part->window_count + 1, sizeof *spans);
    AUTO_FREE double *shares = calloc(part->window_count + 1, sizeof *shares);
    double counted_ns = 0;

    for (size_t i = 0; spans && i < part->window_count; i++)
        spans[i] = (struct time_span){ part->windows[i].start_ns, part->windows[i].end_ns };
    if (!spans || !shares || !counted_time_take(taken, spans, part->window_count, shares))
        return false;
    for (size_t i = 0; i < part->window_count; i++) {
        const struct merge_window *window = &part->windows[i];
        const double share = shares[i];

        add_part(&node->sum, &window->sum, share);
        add_own(&node->sum, &window->sum, of_its_own ? 1 : share);
        add_part(&part->all, &window->sum, 1);
        add_own(&part->all, &window->sum, 1);
        node->overlap_j += (1 - share) * window->sum.gross_j;
        node->start_ns = window->start_ns < node->start_ns ? window->start_ns : node->start_ns;
        node->end_ns = window->end_ns > node->end_ns ? window->end_ns : node->end_ns;
        counted_ns += share * (double)(window->end_ns - window->start_ns);
    }
    part->counted = duration_ns(part) > 0 ? counted_ns / duration_ns(part) : 1;
    node->duration_s += counted_ns / NS_PER_S;
    return true;
}

/* By its name, or since no two machines have one start: whatever containers of one host are called, they have its
 * energy. */
static bool same_node(const struct merge_node *node, const struct merge_part *part)
{
    if (*node->start && strcmp(node->start, part->start) == 0)
        return true;
    return node->named && part->job.node[0] && strcmp(node->name, part->job.node) == 0;
}

static void find_nodes(struct merge *merge)
{
    for (size_t i = 0; i < merge->part_count; i++) {
        struct merge_part *part = &merge->parts[i];
        struct merge_node *node;

        for (part->node = 0; part->node < merge->node_count; part->node++)
            if (same_node(&merge->nodes[part->node], part))
                break;
        node = &merge->nodes[part->node];
        if (part->node == merge->node_count) {
            merge->node_count++;
            *node = (struct merge_node){
                .tasks = -1, .start_ns = UINT64_MAX, .quality = part->quality, .own_method = part->own_method
            };
            node->named = part->job.node[0] != '\0';
            text_copy(node->name, sizeof node->name, node->named ? part->job.node : part->path);
            text_copy(node->boot_id, sizeof node->boot_id, part->job.boot_id);
            text_copy(node->start, sizeof node->start, part->start);
        }
        if (strcmp(node->boot_id, part->job.boot_id) != 0)
            notice_add(&merge->notices, NOTICE_INCONSISTENT,
                       "it was restarted in between, or two machines have one name", "look at the records' boot_id",
                       "records of node '%.100s' are of different starts of it", node->name);
        part->node_name = node->name;
        node->records++;
        node->quality = worse(node->quality, part->quality);
        node->own_method = own_method_worst(node->own_method, part->own_method);
        if (part->job.node_tasks > node->tasks)
            node->tasks = part->job.node_tasks;
    }
}

static bool add_up(struct merge *merge)
{
    struct merge_part **order = calloc(merge->part_count, sizeof *order);
    struct counted_time taken = { .spans = NULL };
    bool good = order != NULL;

    for (size_t i = 0; good && i < merge->part_count; i++)
        order[i] = &merge->parts[i];
    if (good)
        qsort(order, merge->part_count, sizeof *order, by_length);
    for (size_t i = 0; good && i < merge->part_count; i++) {
        if (i == 0 || order[i]->node != order[i - 1]->node)
            taken.count = 0;
        good = count_part(order[i], is_of_its_own(merge, order[i]), &merge->nodes[order[i]->node], &taken);
    }
    counted_time_close(&taken);
    free(order);
    return good;
}

static void total(struct merge *merge)
{
    double variance = 0;

    merge->start_ns = UINT64_MAX;
    merge->quality = merge->nodes[0].quality;
    merge->own_method = merge->nodes[0].own_method;
    for (size_t i = 0; i < merge->node_count; i++) {
        const struct merge_node *node = &merge->nodes[i];

        add_part(&merge->sum, &node->sum, 1);
        add_own(&merge->sum, &node->sum, 1);
        merge->own_method = own_method_worst(merge->own_method, node->own_method);
        merge->overlap_j += node->overlap_j;
        merge->quality = worse(merge->quality, node->quality);
        merge->start_ns = node->start_ns < merge->start_ns ? node->start_ns : merge->start_ns;
        merge->end_ns = node->end_ns > merge->end_ns ? node->end_ns : merge->end_ns;
    }
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct merge_part *part = &merge->parts[i];

        merge->recorded_tree |= part->recorded_tree;
        if (part->counted > 0)
            variance += part->counted < 1 ? NAN : part->net_half_j * part->net_half_j;
    }
    /* the nodes' errors have nothing to do with each other */
    merge->net_interval_j = (struct interval){ merge->sum.net_j - sqrt(variance), merge->sum.net_j + sqrt(variance) };
}

static void find_job(struct merge *merge)
{
    const struct slurm_job *first = &merge->parts[0].job;

    merge->job = *first;
    for (size_t i = 1; i < merge->part_count; i++) {
        const struct slurm_job *job = &merge->parts[i].job;

        if (job->known != first->known || job->id != first->id || strcmp(job->cluster, first->cluster) != 0)
            merge->job.known = false;
        if (strcmp(job->step, first->step) != 0)
            merge->job.step[0] = '\0';
        if (job->nodes > merge->job.nodes)
            merge->job.nodes = job->nodes;
        if (job->tasks > merge->job.tasks)
            merge->job.tasks = job->tasks;
    }
    if (!merge->job.known && first->known)
        notice_add(&merge->notices, NOTICE_INCONSISTENT, "the missing part of each is unknown",
                   "carbon merge with the records of one job", "the records are not of one job");
}

static void note_missing(struct merge *merge, int64_t nodes)
{
    const int64_t there = (int64_t)merge->node_count;

    merge->nodes_expected = nodes > 0 ? nodes : merge->job.known ? merge->job.nodes : -1;
    if (merge->nodes_expected > there)
        notice_add(&merge->notices, NOTICE_LEFT_OUT, "the energy of the others is excluded",
                   "carbon merge with their records, too", "%" PRId64 " of %" PRId64 " nodes have no record",
                   merge->nodes_expected - there, merge->nodes_expected);
    if (merge->nodes_expected >= 0 && merge->nodes_expected < there)
        notice_add(&merge->notices, NOTICE_INCONSISTENT, "", "",
                   "there are records of %" PRId64 " nodes, and the job had %" PRId64, there, merge->nodes_expected);
    for (size_t i = 0; i < merge->node_count; i++) {
        const struct merge_node *node = &merge->nodes[i];

        if (node->tasks > (int64_t)node->records)
            notice_add(&merge->notices, NOTICE_LEFT_OUT,
                       "the records that are there have the node's energy while they were measured", "",
                       "%" PRId64 " of %" PRId64 " tasks of node '%.100s' have no record",
                       node->tasks - (int64_t)node->records, node->tasks, node->name);
        if (node->overlap_j > 0)
            notice_add(&merge->notices, NOTICE_DUPLICATE,
                       "each has the whole node's energy: overlapping energy is counted once",
                       "srun --ntasks-per-node=1 carbon measure ...", "%zu records of node '%.100s' overlap",
                       node->records, node->name);
    }
}

static void note_differences(struct merge *merge)
{
    const struct merge_part *first = &merge->parts[0];

    for (size_t i = 0; i < merge->part_count; i++) {
        const struct merge_part *part = &merge->parts[i];

        if (part->kgco2eq_per_kwh != first->kgco2eq_per_kwh)
            notice_add(&merge->notices, NOTICE_MIXED, "the sum is of masses as each record has them", "carbon restate",
                       "the records have different factors: %g gCO2eq/kWh (%s, %s) and %g (%s, %s)",
                       first->kgco2eq_per_kwh * G_PER_KG, first->zone, first->source_id,
                       part->kgco2eq_per_kwh * G_PER_KG, part->zone, part->source_id);
        if (part->pue != first->pue)
            notice_add(&merge->notices, NOTICE_MIXED, "the sum is of masses as each record has them", "carbon restate",
                       "the records have different PUEs: %g and %g", first->pue, part->pue);
        if (!part->job.node[0] && !part->start[0] && merge->part_count > 1)
            notice_add(&merge->notices, NOTICE_ASSUMED, "overlapping energy of one node would be counted twice", "",
                       "records do not say which node they are of: each is taken for one of its own");
    }
    for (size_t i = 0; i < merge->node_count && merge->node_count > 1; i++) {
        const struct merge_node *node = &merge->nodes[i];
        bool meets = false;

        for (size_t j = 0; j < merge->node_count; j++)
            meets |= j != i && merge->nodes[j].start_ns < node->end_ns && node->start_ns < merge->nodes[j].end_ns;
        if (!meets)
            notice_add(&merge->notices, NOTICE_INCONSISTENT, "the nodes' clocks differ, or they did not work together",
                       "", "node '%.100s' was measured at another time than all others", node->name);
    }
    if (isnan(merge->sum.net_j) && !isnan(merge->sum.gross_j))
        notice_add(&merge->notices, NOTICE_NO_BASELINE, "", "measure with a baseline: --baseline 5",
                   "a record without a baseline has no net energy");
}

bool merge_finish(struct merge *merge, int64_t nodes, struct error *err)
{
    merge->nodes = calloc(merge->part_count, sizeof *merge->nodes);
    if (!merge->nodes)
        return error_errno(err, "no memory to merge");
    find_job(merge);
    find_nodes(merge);
    if (!add_up(merge))
        return error_set(err, ERROR_SYSTEM, "no memory to merge");
    total(merge);
    note_missing(merge, nodes);
    note_differences(merge);
    return true;
}

void merge_close(struct merge *merge)
{
    for (size_t i = 0; i < merge->part_count; i++)
        free(merge->parts[i].windows);
    free(merge->parts);
    free(merge->nodes);
    notices_clear(&merge->notices);
    *merge = (struct merge){ .parts = NULL };
}
