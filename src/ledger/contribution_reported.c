/* SPDX-License-Identifier: MIT
 * Jobs from Slurm together with measurements on their nodes: of each job's time on each of its nodes, only the part
 * without another record of the node's energy counts. Nodes are found by their names, and by the numbers of the jobs in
 * which a measurement ran. */
#include "ledger/contribution.h"
#include "ledger/counted_machines.h"

#include "base/array.h"
#include "run/node_list.h"

#include <stdlib.h>
#include <string.h>

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static int compare_node(const char *name, const char *cluster, const struct counted_node *node)
{
    const int order = strcmp(name, node->name);

    return order || !cluster ? order : strcmp(cluster, node->cluster);
}

/* The first that is not before it; without a cluster, of that name. */
static size_t place_of(const struct counted_machines *machines, const char *name, const char *cluster)
{
    size_t low = 0, high = machines->node_count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_node(name, cluster, machines->nodes[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void close_node(struct counted_node *node)
{
    if (!node)
        return;
    free(node->cluster);
    free(node->name);
    free(node->machines);
    counted_time_close(&node->reported);
    free(node);
}

static struct counted_node *new_node(const char *name, const char *cluster)
{
    struct counted_node *node = calloc(1, sizeof *node);

    if (!node)
        return NULL;
    node->name = strdup(name);
    node->cluster = strdup(cluster);
    if (node->name && node->cluster)
        return node;
    close_node(node);
    return NULL;
}

/* NULL: no memory. */
static struct counted_node *node_of(struct counted_machines *machines, const char *name, const char *cluster)
{
    const size_t place = place_of(machines, name, cluster);
    struct counted_node *node;

    if (place < machines->node_count && compare_node(name, cluster, machines->nodes[place]) == 0)
        return machines->nodes[place];
    machines->nodes =
        array_room(machines->nodes, &machines->node_room, machines->node_count + 1, sizeof *machines->nodes);
    if (machines->node_count == machines->node_room)
        return NULL;
    node = new_node(name, cluster);
    if (!node)
        return NULL;
    memmove(machines->nodes + place + 1, machines->nodes + place,
            (machines->node_count - place) * sizeof *machines->nodes);
    machines->node_count++;
    machines->nodes[place] = node;
    return node;
}

static bool add_machine(struct counted_node *node, size_t machine)
{
    size_t *larger;

    for (size_t i = 0; i < node->machine_count; i++)
        if (node->machines[i] == machine)
            return true;
    larger = array_next(node->machines, node->machine_count, sizeof *node->machines);
    if (!larger)
        return false;
    node->machines = larger;
    node->machines[node->machine_count++] = machine;
    return true;
}

bool contribution_note_node(struct counted_machines *machines, const struct contribution *contribution, size_t machine)
{
    struct counted_node *node;

    if (!contribution->nodes)
        return true;
    node = node_of(machines, contribution->nodes, text_or_empty(contribution->cluster));
    machines->jobs = array_room(machines->jobs, &machines->job_room, machines->job_count + 1, sizeof *machines->jobs);
    if (!node || !add_machine(node, machine) || machines->job_count == machines->job_room)
        return false;
    machines->jobs[machines->job_count++] = (struct counted_job){ contribution->job, node };
    return true;
}

/* A piece of the time of one job. */
struct telling {
    struct counted_machines *machines;
    const struct contribution *contribution;
    struct time_span span;
    size_t nodes, known; /* of its list, and of these the measured ones */
    double in_ns;        /* over all its nodes */
};

/* A record that does not say its cluster may be of any. */
static bool same_cluster(const struct telling *telling, const struct counted_node *node)
{
    const char *cluster = text_or_empty(telling->contribution->cluster);

    return !*cluster || !*node->cluster || strcmp(cluster, node->cluster) == 0;
}

static bool add_times(const struct telling *telling, const struct counted_node *node, struct counted_time *all)
{
    bool good = counted_time_add_within(all, &node->reported, telling->span);

    for (size_t i = 0; i < node->machine_count && good; i++) {
        struct counted_time *time = &telling->machines->times.items[node->machines[i]];
        good = contribution_lay_out(time) && counted_time_add_within(all, time, telling->span);
    }
    return good;
}

/* Of one node, whatever machines it was. */
static bool look_at_node(struct telling *telling, const char *name)
{
    const struct counted_machines *machines = telling->machines;
    struct counted_time all = { .spans = NULL };
    bool good = true, known = false;

    for (size_t i = place_of(machines, name, NULL);
         i < machines->node_count && strcmp(machines->nodes[i]->name, name) == 0 && good; i++)
        if (same_cluster(telling, machines->nodes[i])) {
            known |= machines->nodes[i]->machine_count > 0;
            good = add_times(telling, machines->nodes[i], &all);
        }
    telling->known += known;
    telling->in_ns += (double)counted_time_within_ns(&all, telling->span);
    counted_time_close(&all);
    return good;
}

static bool on_node(void *context, const char *name)
{
    struct telling *telling = context;
    struct counted_node *node;
    double share;

    telling->nodes++;
    if (!look_at_node(telling, name))
        return false;
    if (telling->contribution->reported != REPORTED_WHOLE)
        return true;
    node = node_of(telling->machines, name, text_or_empty(telling->contribution->cluster));
    return node && counted_time_take(&node->reported, &telling->span, 1, &share);
}

static int by_number(const void *a, const void *b)
{
    const struct counted_job *left = a, *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node);
}

static void sort_jobs(struct counted_machines *machines)
{
    if (machines->job_count && !machines->sorted)
        qsort(machines->jobs, machines->job_count, sizeof *machines->jobs, by_number);
    machines->sorted = true;
}

/* The nodes on which something was measured within the job, whatever its list calls them. */
static bool look_at_job(struct telling *telling)
{
    const struct counted_machines *machines = telling->machines;
    const struct counted_node *before = NULL;
    size_t low = 0, high = machines->job_count;
    bool good = true;

    sort_jobs(telling->machines);
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (machines->jobs[middle].number < telling->contribution->job)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < machines->job_count && machines->jobs[low].number == telling->contribution->job && good; low++) {
        const struct counted_node *node = machines->jobs[low].node;
        if (node != before && same_cluster(telling, node))
            good = look_at_node(telling, node->name);
        before = node;
    }
    return good;
}

/* The part of its nodes' time that is in already; false: no memory. */
static bool part_in(struct counted_machines *machines, const struct contribution *contribution, struct time_span span,
                    double *part)
{
    struct telling telling = { .machines = machines, .contribution = contribution, .span = span };
    const double length_ns = (double)(span.end_ns - span.start_ns);

    if (contribution->nodes && !node_list_each(contribution->nodes, on_node, &telling))
        telling.in_ns = 0; /* a list that cannot be read */
    if (!telling.known && contribution->job && !look_at_job(&telling))
        return false;
    if ((double)contribution->node_count > (double)telling.nodes)
        telling.nodes = (size_t)contribution->node_count;
    *part = telling.in_ns / (length_ns * (double)(telling.nodes ? telling.nodes : 1));
    *part = *part < 1 ? *part : 1;
    return true;
}

bool contribution_left_of_reported(struct counted_machines *machines, const struct contribution *contribution,
                                   struct contribution_once *once)
{
    double all_j = 0, left_j = 0, all_ns = 0, left_ns = 0, part;
    const char *text = contribution->times;
    struct contribution_piece piece;

    while (text && *text && contribution_next_piece(&text, &piece)) {
        const double length_ns = (double)(piece.span.end_ns - piece.span.start_ns);
        if (!(length_ns > 0))
            continue;
        if (!part_in(machines, contribution, piece.span, &part))
            return false;
        all_j += piece.gross_j;
        left_j += (1 - part) * piece.gross_j;
        all_ns += length_ns;
        left_ns += (1 - part) * length_ns;
    }
    once->of_time = all_ns > 0 ? left_ns / all_ns : 1;
    once->of_energy = all_j > 0 ? left_j / all_j : once->of_time;
    return true;
}

void counted_machines_forget(struct counted_machines *machines, uint64_t before_ns)
{
    if (!machines->with_reported)
        counted_times_forget(&machines->times, before_ns);
}

void counted_machines_close(struct counted_machines *machines)
{
    for (size_t i = 0; i < machines->node_count; i++)
        close_node(machines->nodes[i]);
    free(machines->nodes);
    free(machines->jobs);
    counted_times_close(&machines->times);
    *machines = (struct counted_machines){ .nodes = NULL };
}
