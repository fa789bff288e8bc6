/* SPDX-License-Identifier: MIT
 * A merged result as CSV: a row a node, and one of their sum. */
#include "commands/slurm/merge.h"

#include "base/clock.h"
#include "base/csv.h"

#include <inttypes.h>

static void add_row(FILE *out, const struct merge *merge, const struct merge_node *node)
{
    const double numbers[] = {
        node->duration_s,        node->sum.gross_j,      node->sum.idle_j, node->sum.net_j,
        node->sum.gross_low_j,   node->sum.gross_high_j, node->overlap_j,  node->sum.facility_kwh,
        node->sum.gross_kgco2eq, node->sum.net_kgco2eq,  node->sum.own_j,  node->sum.own_low_j,
        node->sum.own_high_j,    node->sum.own_kgco2eq,
    };
    char started[CLOCK_TEXT_SIZE], ended[CLOCK_TEXT_SIZE];

    fputs(MERGE_SCHEMA, out);
    if (merge->job.known)
        fprintf(out, ",%" PRId64, merge->job.id);
    else
        fputc(',', out);
    csv_add_field(out, node->name);
    csv_add_number(out, (double)node->records);
    csv_add_field(out, clock_text(node->start_ns, started));
    csv_add_field(out, clock_text(node->end_ns, ended));
    csv_add_field(out, quality_name(node->quality));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        csv_add_number(out, numbers[i]);
    csv_add_field(out, own_method_name(node->own_method));
    fputc('\n', out);
}

bool merge_csv(const struct merge *merge, FILE *out, struct error *err)
{
    struct merge_node sum = {
        .name = "total",
        .records = merge->part_count,
        .start_ns = merge->start_ns,
        .end_ns = merge->end_ns,
        .quality = merge->quality,
        .own_method = merge->own_method,
        .sum = merge->sum,
        .overlap_j = merge->overlap_j,
    };

    (void)err;
    fputs("schema,job_id,node,records,started_at,ended_at,quality,duration_s,gross_j,idle_j,net_j,gross_low_j,"
          "gross_high_j,overlap_j,facility_kwh,gross_kgco2eq,net_kgco2eq,own_j,own_low_j,own_high_j,"
          "own_kgco2eq,own_method\n",
          out);
    for (size_t i = 0; i < merge->node_count; i++) {
        add_row(out, merge, &merge->nodes[i]);
        sum.duration_s += merge->nodes[i].duration_s;
    }
    add_row(out, merge, &sum);
    return true;
}
