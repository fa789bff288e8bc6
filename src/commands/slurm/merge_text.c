/* SPDX-License-Identifier: MIT
 * A merged result for people: a row a node, their sum, and what it emits. */
#include "commands/slurm/merge.h"

#include "base/units.h"
#include "form/cells.h"

#include <inttypes.h>
#include <math.h>

enum { NAME_WIDTH = 20, CELL_WIDTH = 11 };

static void print_row(const char *name, double duration_s, const struct merge_sum *sum, enum quality quality, FILE *out)
{
    char text[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    cell_write(out, CELL_WIDTH + 2, units_duration(duration_s, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->gross_j, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->idle_j, text));
    cell_write(out, CELL_WIDTH, units_energy(sum->net_j, text));
    fprintf(out, "  %s\n", quality_name(quality));
}

static void print_total(const struct merge *merge, FILE *out)
{
    const struct merge_sum *sum = &merge->sum;
    char one[UNITS_SIZE], other[UNITS_SIZE];

    if (sum->gross_low_j < sum->gross_high_j)
        fprintf(out, "gross     %s to %s\n", units_energy(sum->gross_low_j, one),
                units_energy(sum->gross_high_j, other));
    if (!isnan(merge->net_interval_j.low))
        fprintf(out, "net       %s to %s (95 %%)\n", units_energy(merge->net_interval_j.low, one),
                units_energy(merge->net_interval_j.high, other));
    if (merge->overlap_j > 0)
        fprintf(out, "twice     %s that several records have is counted once\n", units_energy(merge->overlap_j, one));
    fprintf(out, "emits     %s gross, %s net\n", units_mass(sum->gross_kgco2eq, one),
            units_mass(sum->net_kgco2eq, other));
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
    fprintf(out, "%*s%*s%*s%*s  quality\n", CELL_WIDTH + 2, "measured", CELL_WIDTH, "gross", CELL_WIDTH, "idle",
            CELL_WIDTH, "net");
    for (size_t i = 0; i < merge->node_count; i++) {
        const struct merge_node *node = &merge->nodes[i];
        print_row(node->name, node->duration_s, &node->sum, node->quality, out);
        duration_s += node->duration_s;
    }
    print_row("all", duration_s, &merge->sum, merge->quality, out);
    fputc('\n', out);
    print_total(merge, out);
}
