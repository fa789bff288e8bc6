/* SPDX-License-Identifier: MIT
 * A merged result for people: a row per node, their sum and its emissions. */
#include "commands/slurm/merge.h"

#include "base/units.h"
#include "form/cells.h"

#include <inttypes.h>
#include <math.h>

enum { NAME_WIDTH = 20, CELL_WIDTH = 11 };

/* It is known, and another figure than net. */
static bool has_own(const struct merge *merge)
{
    return isfinite(merge->sum.own_j) && merge->own_method != OWN_NET;
}

static void print_row(const struct merge *merge, const char *name, double duration_s, const struct merge_sum *sum,
                      enum quality quality, FILE *out)
{
    char text[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    cell_write(out, CELL_WIDTH + 2, units_duration(duration_s, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->gross_j, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->idle_j, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->net_j, text));
    if (has_own(merge))
        cell_write(out, CELL_WIDTH, units_energy(sum->own_j, text));
    fprintf(out, "  %s\n", quality_name(quality));
}

static void print_total(const struct merge *merge, FILE *out)
{
    const struct merge_sum *sum = &merge->sum;
    char one[UNITS_SIZE], other[UNITS_SIZE];

    if (has_own(merge)) {
        fprintf(out, "own       %s by CPU time", units_energy(sum->own_j, one));
        if (sum->own_low_j < sum->own_high_j)
            fprintf(out, " (%s to %s)", units_energy(sum->own_low_j, one), units_energy(sum->own_high_j, other));
        fputc('\n', out);
    }
    if (sum->gross_low_j < sum->gross_high_j)
        fprintf(out, "gross     %s to %s\n", units_energy(sum->gross_low_j, one),
                units_energy(sum->gross_high_j, other));
    if (!isnan(merge->net_interval_j.low))
        fprintf(out, "net       %s to %s (95 %%)\n", units_energy(merge->net_interval_j.low, one),
                units_energy(merge->net_interval_j.high, other));
    if (merge->overlap_j > 0)
        fprintf(out, "twice     %s that several records have is counted once\n", units_energy(merge->overlap_j, one));
    fputs("emits     ", out);
    if (has_own(merge))
        fprintf(out, "%s own, ", units_mass(sum->own_kgco2eq, one));
    fprintf(out, "%s gross, %s net\n", units_mass(sum->gross_kgco2eq, one), units_mass(sum->net_kgco2eq, other));
}

void merge_text(const struct merge *merge, FILE *out)
{
    double duration_s = 0;

    if (merge->job.known)
        fprintf(out, "job %" PRId64 ", ", merge->job.id);
    fprintf(out, "%zu record%s of %zu node%s", merge->part_count, merge->part_count == 1 ? "" : "s", merge->node_count,
            merge->node_count == 1 ? "" : "s");
    if (merge->nodes_expected >= 0)
        fprintf(out, ", %" PRId64 " expected", merge->nodes_expected);
    fprintf(out, "%s\n\n  %-*s", merge->recorded_tree ? " (of recorded machines)" : "", NAME_WIDTH, "node");
    fprintf(out, "%*s%*s%*s%*s", CELL_WIDTH + 2, "measured", CELL_WIDTH, "gross", CELL_WIDTH, "idle", CELL_WIDTH,
            "net");
    if (has_own(merge))
        cell_write(out, CELL_WIDTH, "own");
    fputs("  quality\n", out);
    for (size_t i = 0; i < merge->node_count; i++) {
        const struct merge_node *node = &merge->nodes[i];
        print_row(merge, node->name, node->duration_s, &node->sum, node->quality, out);
        duration_s += node->duration_s;
    }
    print_row(merge, "all", duration_s, &merge->sum, merge->quality, out);
    fputc('\n', out);
    print_total(merge, out);
}
