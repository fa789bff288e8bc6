/* SPDX-License-Identifier: MIT
 * Jobs of Slurm for people: a row per job, its evidence, and the sum. */
#include "commands/slurm/slurm_work.h"

#include "base/text.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/paragraph.h"
#include "result/factor_text.h"

#include <math.h>

enum { NAME_WIDTH = 16, CELL_WIDTH = 12 };

static void print_row(const char *name, double elapsed_s, double energy_j, double kgco2eq, enum quality quality,
                      const char *state, FILE *out)
{
    char text[UNITS_SIZE];

    cell_name(out, NAME_WIDTH, name);
    cell_write(out, CELL_WIDTH, isnan(elapsed_s) ? "" : units_duration(elapsed_s, text));
    cell_write(out, CELL_WIDTH, units_energy(energy_j, text));
    cell_write(out, CELL_WIDTH + 3, units_mass(kgco2eq, text));
    fprintf(out, "  %-10s%s%s\n", quality_name(quality), *state ? " " : "", state);
}

static void print_model(const struct slurm_result *result, FILE *out)
{
    const struct estimate *estimate = &result->estimate;
    char low[UNITS_SIZE], high[UNITS_SIZE];
    struct text line;

    if (estimate->energy_quality != QUALITY_MODELLED)
        return;
    text_open(&line, 4096);
    text_add(&line, "%s to %s: %.6g CPUs at load %.3g, %s", units_energy(estimate->low_j, low),
             units_energy(estimate->high_j, high), result->row->cpus, estimate->load, estimate->cpu.how);
    if (!isnan(result->memory_gb))
        text_add(&line, "; %.4g GB, %s", result->memory_gb, estimate->memory.how);
    if (!isnan(result->gpu_j))
        text_add(&line, "; %g GPUs %s", result->gpus, units_energy(result->gpu_j, low));
    paragraph_write(out, "                  ", text_ok(&line) ? line.data : "");
    text_close(&line);
}

static void print_factor(const struct estimate *estimate, FILE *out)
{
    struct text line;

    text_open(&line, 4096);
    text_add(&line, "PUE %g (%s); ", estimate->pue, quality_name(estimate->pue_quality));
    factor_describe(&estimate->factor, &line);
    paragraph_write(out, "factors   ", text_ok(&line) ? line.data : "");
    text_close(&line);
}

void slurm_text(const struct slurm_work *work, FILE *out)
{
    char kwh[UNITS_SIZE];

    fprintf(out, "  %-*s%*s%*s%*s  quality\n", NAME_WIDTH, "job", CELL_WIDTH, "took", CELL_WIDTH, "energy",
            CELL_WIDTH + 3, "emits");
    for (size_t i = 0; i < work->count; i++) {
        const struct slurm_result *result = &work->results[i];

        print_row(result->row->id, result->row->elapsed_s, result->estimate.energy_j,
                  result->estimate.footprint.kgco2eq, result->estimate.energy_quality, result->row->state, out);
        print_model(result, out);
    }
    if (work->count > 1)
        print_row("all", NAN, work->energy_j, work->kgco2eq, work->quality, "", out);
    fprintf(out, "\nenergy    %s kWh with the PUE\n", units_digits(work->facility_kwh, 4, kwh));
    print_factor(&work->results[work->count - 1].estimate, out);
}
