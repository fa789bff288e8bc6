/* SPDX-License-Identifier: MIT
 * What pods used as a table for programs: a line for each figure, unknown empty. */
#include "commands/prometheus/pods.h"

#include "base/csv.h"

#include <math.h>

static void add_line(const struct pods *pods, const struct kind_row *row, enum kind_part part, enum kind_mode mode,
                     FILE *out)
{
    const struct kind_figure *figure = &row->figures[part][mode];
    const struct footprint footprint = footprint_of(figure->joules, pods->pue, pods->factor.kgco2eq_per_kwh);
    const char *const names[] = {
        kind_name(row->kind), row->node, row->namespace, row->pod,
        row->container,       row->name, row->id,        kind_part_name(part),
        kind_mode_name(mode),
    };
    const double numbers[] = {
        (double)figure->series, figure->first_s,       figure->last_s,         figure->joules,
        figure->watts,          figure->irate_w,       (double)figure->points, (double)figure->single,
        (double)figure->resets, (double)figure->wraps, (double)figure->gaps,   figure->doubtful_j,
        footprint.it_kwh,       footprint.kgco2eq,
    };

    fputs(kind_level_name(row->level), out);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        csv_add_field(out, names[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        csv_add_number(out, numbers[i]);
    csv_add_field(out, quality_name(row->quality));
    fputc('\n', out);
}

bool pods_csv(const struct pods *pods, FILE *out, struct error *err)
{
    (void)err;
    fputs("level,exporter,node,namespace,pod,container,name,id,component,mode,series,first_t,last_t,joules,mean_watts,"
          "irate_watts,samples,series_of_one_sample,resets,wraps,gaps,doubtful_joules,it_kwh,kgco2eq,quality\n",
          out);
    for (size_t i = 0; i < pods->rows->count; i++) {
        const struct kind_row *row = &pods->rows->items[i];
        for (enum kind_part part = 0; part < KIND_PART_COUNT && pods_wants(pods, row); part++)
            for (enum kind_mode mode = 0; mode < KIND_MODE_COUNT; mode++)
                if (row->figures[part][mode].series)
                    add_line(pods, row, part, mode, out);
    }
    return true;
}
