/* SPDX-License-Identifier: MIT
 * A job's energy from that of its steps. */
#include "commands/slurm/job_energy.h"

#include "base/auto.h"
#include "base/counted_time.h"
#include "base/units.h"
#include "energy/power_bounds.h"
#include "run/node_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double slurm_row_energy(const struct sacct_row *row)
{
    /* counters are read every few seconds, so that a short step may have more than its time allows */
    const double seconds = (isnan(row->elapsed_s) ? 0 : row->elapsed_s) + 60;
    const double nodes = row->nodes >= 1 ? row->nodes : 1;

    return row->energy_j <= seconds * nodes * BOUNDS_MACHINE_W ? row->energy_j : NAN;
}

static bool is_numbered(const struct sacct_row *row)
{
    return *row->step >= '0' && *row->step <= '9';
}

static struct time_span span_of(const struct sacct_row *row)
{
    const int64_t start_s = row->start_s >= 0 ? row->start_s : 0;
    const int64_t elapsed_s = isnan(row->elapsed_s) ? 0 : (int64_t)row->elapsed_s;
    const int64_t end_s = row->end_s >= start_s ? row->end_s : start_s + elapsed_s;

    return (struct time_span){ (uint64_t)start_s * NS_PER_S_INT, (uint64_t)end_s * NS_PER_S_INT };
}

/* The longest first, as of records that are merged; of equal ones the larger, then as they are listed. */
static int by_length(const void *a, const void *b)
{
    const struct sacct_row *const one = *(const struct sacct_row *const *)a;
    const struct sacct_row *const other = *(const struct sacct_row *const *)b;
    const struct time_span of_one = span_of(one), of_other = span_of(other);
    const uint64_t one_ns = of_one.end_ns - of_one.start_ns, other_ns = of_other.end_ns - of_other.start_ns;
    const double one_j = slurm_row_energy(one), other_j = slurm_row_energy(other);

    if (one_ns != other_ns)
        return one_ns > other_ns ? -1 : 1;
    return one_j != other_j ? (one_j > other_j ? -1 : 1) : (one > other) - (one < other);
}

/* What of a step's time on its nodes is not in yet, as a part of all of it. */
struct step_time {
    struct counted_times *nodes;
    struct time_span span;
    double new_nodes; /* sum of the parts, node by node */
    size_t count;
};

static bool on_node(void *context, const char *node)
{
    struct step_time *step = context;
    struct counted_time *time = counted_times_of(step->nodes, node);
    double share = 0;

    if (!time || !counted_time_take(time, &step->span, 1, &share))
        return false;
    step->new_nodes += share;
    step->count++;
    return true;
}

static bool is_name(void *context, const char *node)
{
    (void)context;
    return *node;
}

static bool each_is_known(const struct sacct_row *const *steps, size_t count)
{
    bool known = true;

    for (size_t i = 0; i < count; i++)
        known &= *steps[i]->node_list && node_list_each(steps[i]->node_list, is_name, NULL);
    return known;
}

/* Of each step, the longest first, that which lies outside the time of those before it, node by node; where not all say
 * which nodes they had, as if all had the same. */
static bool add_steps(const struct sacct_row *const *steps, size_t count, struct slurm_energy *energy)
{
    struct counted_times nodes = { .items = NULL };
    const bool known = each_is_known(steps, count);
    bool good = true;

    for (size_t i = 0; i < count && good; i++) {
        struct step_time step = { .nodes = &nodes, .span = span_of(steps[i]) };
        good = known ? node_list_each(steps[i]->node_list, on_node, &step) : on_node(&step, "");
        const double share = step.count ? step.new_nodes / (double)step.count : 0;
        energy->energy_j += share * slurm_row_energy(steps[i]);
        energy->covered_s += isnan(steps[i]->elapsed_s) ? 0 : share * steps[i]->elapsed_s;
    }
    counted_times_close(&nodes);
    return good;
}

/* Without memory the energy of steps is unknown. */
static void of_steps(const struct sacct_row *steps, size_t count, struct slurm_energy *energy)
{
    AUTO_FREE const struct sacct_row **sorted = calloc(count + 1, sizeof *sorted);
    size_t reported = 0;

    *energy = (struct slurm_energy){ .energy_j = 0, .from = "steps" };
    for (size_t i = 0; sorted && i < count; i++)
        if (is_numbered(&steps[i]) && !isnan(slurm_row_energy(&steps[i])))
            sorted[reported++] = &steps[i];
    if (reported)
        qsort(sorted, reported, sizeof *sorted, by_length);
    if (!reported || !add_steps(sorted, reported, energy))
        energy->energy_j = NAN;
}

static void take_larger(const struct slurm_energy *other, struct slurm_energy *energy)
{
    if (isnan(energy->energy_j) || other->energy_j > energy->energy_j)
        *energy = *other;
}

void slurm_job_energy(const struct sacct_row *job, const struct sacct_row *steps, size_t count,
                      struct slurm_energy *energy)
{
    const double job_j = slurm_row_energy(job);

    of_steps(steps, count, energy);
    for (size_t i = 0; i < count; i++) {
        const bool extern_step = strcmp(steps[i].step, "extern") == 0;
        const bool script = strcmp(steps[i].step, "batch") == 0 && !(job->nodes > 1);
        const struct slurm_energy alone = {
            .energy_j = slurm_row_energy(&steps[i]),
            .from = extern_step ? "extern" : "batch",
            .covered_s = steps[i].elapsed_s,
        };

        if ((extern_step || script) && !isnan(alone.energy_j))
            take_larger(&alone, energy);
    }
    if (isnan(energy->energy_j))
        *energy = (struct slurm_energy){ job_j, isnan(job_j) ? "" : "job", job->elapsed_s, NAN };
    energy->job_row_j = job_j;
}
