/* SPDX-License-Identifier: MIT
 * A pipeline as CSV: one row a step, in the order that they are run. What is not known is empty. */
#include "commands/pipeline/pipeline_report.h"

#include "base/csv.h"

#include <math.h>

static void positive(FILE *out, uint64_t value)
{
    fputc(',', out);
    if (value)
        fprintf(out, "%llu", (unsigned long long)value);
}

static void row(const struct pipeline_report *report, const struct pipeline_step_report *step, FILE *out)
{
    const struct pipeline_run *last = step->run_count ? &step->runs[step->run_count - 1] : NULL;

    csv_write_field(out, step->name);
    fprintf(out, ",%s,", step->runner);
    csv_write_field(out, step->image ? step->image : "");
    fprintf(out, ",%zu,", step->counted);
    if (last && last->ended)
        fprintf(out, "%d", last->exit_status);
    csv_add_number(out, step->duration_s.mean);
    csv_add_number(out, step->cpu_s.mean);
    csv_add_number(out, step->cpu_percent.average);
    csv_add_number(out, step->cpu_percent.maximum);
    csv_add_number(out, step->memory_mb.average);
    csv_add_number(out, step->memory_mb.maximum);
    csv_add_number(out, step->peak_mb);
    positive(out, step->request.cpu);
    positive(out, step->request.memory_mb);
    csv_add_number(out, step->gross_j.mean);
    csv_add_number(out, step->idle_j.mean);
    csv_add_number(out, step->net_j.mean);
    csv_add_number(out, step->gross.kgco2eq);
    csv_add_number(out, step->net.kgco2eq);
    fprintf(out, ",%s", quality_name(step->quality));
    csv_add_number(out, report->session->pue);
    csv_add_number(out, report->session->factor.kgco2eq_per_kwh);
    fprintf(out, ",%s", isnan(step->wanted_cpu_percent) ? "" : step->cpu_at_least ? "true" : "false");
    csv_add_number(out, step->own_j.mean);
    csv_add_number(out, step->own.kgco2eq);
    fprintf(out, ",%s", own_method_name(step->own_method));
    fputc('\n', out);
}

bool pipeline_report_csv(const struct pipeline_report *report, FILE *out, struct error *err)
{
    fputs("step,runner,image,runs,exit_status,duration_s,cpu_s,cpu_percent_average,cpu_percent_maximum,"
          "memory_mb_average,memory_mb_maximum,memory_peak_mb,request_cpu,request_memory_mb,gross_j,idle_j,net_j,"
          "gross_kgco2eq,net_kgco2eq,quality,pue,kgco2eq_per_kwh,request_cpu_at_least,own_j,own_kgco2eq,own_method\n",
          out);
    for (size_t i = 0; i < report->step_count; i++)
        row(report, &report->steps[i], out);
    return !ferror(out) || error_errno(err, "cannot write the CSV result");
}
