/* SPDX-License-Identifier: MIT
 * A batch in the lines that fink-science-perf logs. */
#include "commands/batch/batch.h"

#include "base/c_locale.h"

#include <math.h>
#include <string.h>

/* Theirs has two decimals, and a rest of nothing was reported as -0.00. */
static void fink_line(FILE *out, const char *name, double kgco2eq_per_year)
{
    char number[400];

    c_snprintf(number, sizeof number, "%.2f", kgco2eq_per_year);
    if (!isfinite(kgco2eq_per_year))
        fprintf(out, "%s: unknown\n", name);
    else
        fprintf(out, "%s: %s\n", name, strcmp(number, "-0.00") == 0 ? "0.00" : number);
}

void batch_fink(const struct batch *batch, FILE *out)
{
    for (size_t i = 0; i < batch->module_count; i++)
        for (size_t j = 0; j < batch->modules[i].run_count; j++) {
            const struct batch_module *module = &batch->modules[i];
            const struct batch_run *run = &module->runs[j];
            const struct run_figures *figures = &run->figures;
            if (!batch_run_is_counted(run))
                continue;
            c_fprintf(out, "%s, loop %zu, in kgCO2eq a year of %g h\n", module->name, run->loop,
                      batch->session->hours_per_year);
            fink_line(out, "RAW", batch_kgco2eq_per_year(batch->session, figures->gross_j, figures->duration_s));
            fink_line(out, "BAS", batch_kgco2eq_per_year(batch->session, figures->idle_j, figures->duration_s));
            if (batch_dif_unknown(module))
                fputs("DIF: not measurable\n", out);
            else
                fink_line(out, "DIF",
                          batch_kgco2eq_per_year(batch->session,
                                                 module->dif == FIGURE_OWN_J ? figures->own_j : figures->net_j,
                                                 figures->duration_s));
        }
}
