/* SPDX-License-Identifier: MIT
 * A batch as CSV: one row a run, in the order of the modules. What is not known is empty. */
#include "commands/batch/batch.h"

#include "base/csv.h"

#include <math.h>

static double rate(double amount, double duration_s)
{
    return duration_s > 0 ? amount / duration_s : NAN;
}

/* Joules, watts, and kgCO2eq of the run and of a year. */
static void energy(const struct report *session, const struct batch_module *module, const struct run_figures *figures,
                   double energy_j, FILE *out)
{
    csv_add_number(out, energy_j);
    csv_add_number(out, module->rates ? rate(energy_j, figures->duration_s) : NAN);
    csv_add_number(out, footprint_of(energy_j, session->pue, session->factor.kgco2eq_per_kwh).kgco2eq);
    csv_add_number(out, module->rates ? batch_kgco2eq_per_year(session, energy_j, figures->duration_s) : NAN);
}

static void energy_of_year(const struct report *session, const struct batch_module *module, double duration_s,
                           double energy_j, FILE *out)
{
    csv_add_number(out, module->rates ? batch_facility_kwh_per_year(session, energy_j, duration_s) : NAN);
}

static void row(const struct report *session, const struct batch_module *module, const struct batch_run *run, FILE *out)
{
    csv_write_field(out, module->name);
    fprintf(out, ",%zu,%s,", run->loop, run->started_at);
    if (run->ended)
        fprintf(out, "%d", run->exit_status);
    fprintf(out, ",%s", batch_run_is_counted(run) ? "true" : "false");
    csv_add_number(out, run->figures.duration_s);
    energy(session, module, &run->figures, run->figures.gross_j, out);
    energy(session, module, &run->figures, run->figures.idle_j, out);
    energy(session, module, &run->figures, run->figures.net_j, out);
    csv_add_number(out, module->items);
    csv_add_number(out, batch_run_is_counted(run) ? rate(module->items, run->figures.duration_s) : NAN);
    fputc(',', out);
    csv_write_field(out, module->cpus);
    fprintf(out, ",%s", quality_name(module->quality));
    csv_add_number(out, session->pue);
    csv_add_number(out, session->factor.kgco2eq_per_kwh);
    csv_add_number(out, session->hours_per_year);
    energy(session, module, &run->figures, run->figures.own_j, out);
    fprintf(out, ",%s", own_method_name(run->own_method));
    energy_of_year(session, module, run->figures.duration_s, run->figures.gross_j, out);
    energy_of_year(session, module, run->figures.duration_s, run->figures.idle_j, out);
    energy_of_year(session, module, run->figures.duration_s, run->figures.net_j, out);
    energy_of_year(session, module, run->figures.duration_s, run->figures.own_j, out);
    fputc('\n', out);
}

#define ENERGY(name) "," name "_j," name "_w," name "_kgco2eq," name "_kgco2eq_per_year"

bool batch_csv(const struct batch *batch, FILE *out, struct error *err)
{
    fputs("module,loop,started_at,exit_status,counted,duration_s" ENERGY("gross") ENERGY("idle") ENERGY("net") //
          ",items,items_per_s,cpus,quality,pue,kgco2eq_per_kwh,hours_per_year" ENERGY(
              "own") ",own_method"
                     ",gross_facility_kwh_per_year,idle_facility_kwh_per_year,net_facility_kwh_per_year,own_facility_"
                     "kwh_per_year\n",
          out);
    for (size_t i = 0; i < batch->module_count; i++)
        for (size_t j = 0; j < batch->modules[i].run_count; j++)
            row(batch->session, &batch->modules[i], &batch->modules[i].runs[j], out);
    return !ferror(out) || error_errno(err, "cannot write the CSV result");
}
