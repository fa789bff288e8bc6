/* SPDX-License-Identifier: MIT
 * Rows between the looks at a step. */
#include "commands/pipeline/step_samples.h"

#include "base/c_locale.h"
#include "base/csv.h"
#include "base/units.h"
#include "usage/sizing.h"

#include <math.h>

/* A last interval shorter than this part of the one before is none of its own. */
#define NEAR 0.5

void step_samples_open(struct step_samples *rows, FILE *out, double max_cpu_percent)
{
    *rows = (struct step_samples){ .out = out,
                                   .max_cpu_percent = max_cpu_percent,
                                   .figures = { { NAN, NAN }, { NAN, NAN } },
                                   .min_cpu_percent = NAN,
                                   .wanted_cpu_percent = NAN };
    if (out) {
        fputs("timestamp,cpu_percent,memory,working_set_mb,energy_j,power_w\n", out);
        fflush(out);
    }
}

static void count(struct step_samples *rows, int which, double duration_s, double value)
{
    struct step_figures *figures = &rows->figures[which];

    if (!isfinite(value) || !(duration_s > 0))
        return;
    rows->weight_s[which] += duration_s;
    rows->sum[which] += duration_s * value;
    figures->average = rows->sum[which] / rows->weight_s[which];
    if (!(figures->maximum >= value))
        figures->maximum = value;
}

void step_samples_count(struct step_samples *rows, double duration_s, double cpu_percent_of_core, double memory_mb)
{
    if (duration_s > 0)
        rows->min_cpu_percent = fmax(rows->min_cpu_percent, request_cpu_at_least(cpu_percent_of_core, duration_s));
    rows->count++;
    count(rows, STEP_CPU_PERCENT, duration_s, cpu_percent_of_core);
    count(rows, STEP_MEMORY_MB, duration_s, memory_mb);
}

/* Of two looks what both know, else what one does. */
static double mean(double a, double b)
{
    if (!isfinite(a))
        return b;
    return isfinite(b) ? (a + b) / 2 : a;
}

double step_samples_energy_j(const struct step_sample *from, const struct step_sample *to)
{
    return from->unknown_ns == to->unknown_ns ? to->energy_j - from->energy_j : NAN;
}

/* One task at least waited for a CPU in this part of the time: with one more CPU it would have used that, too. */
static void count_stall(struct step_samples *rows, const struct step_sample *from, const struct step_sample *to,
                        double duration_s, double cpu_percent_of_core)
{
    const double stall_s = from->stall_from == to->stall_from ? to->cpu_stall_s - from->cpu_stall_s : NAN;

    rows->cpu_stall_s += stall_s;
    if (duration_s > 0 && stall_s >= 0 && isfinite(cpu_percent_of_core))
        rows->wanted_cpu_percent =
            fmax(rows->wanted_cpu_percent,
                 request_cpu_at_least(cpu_percent_of_core + 100 * fmin(stall_s / duration_s, 1), duration_s));
}

static void add_row(struct step_samples *rows, const struct step_sample *from, const struct step_sample *to)
{
    const double duration_s = s_from_ns(to->time_ns - from->time_ns);
    const double cpu_s = to->cpu_s - from->cpu_s;
    const double cpu_percent_of_core =
        duration_s > 0 && isfinite(cpu_s) ? fmin(cpu_s / duration_s * 100, rows->max_cpu_percent) : NAN;
    const double memory_mb = mean(from->memory_mb, to->memory_mb), energy_j = step_samples_energy_j(from, to);

    step_samples_count(rows, duration_s, cpu_percent_of_core, memory_mb);
    count_stall(rows, from, to, duration_s, cpu_percent_of_core);
    if (!rows->out)
        return;
    /* microseconds: a double of the seconds since 1970 has no more */
    c_fprintf(rows->out, "%.6f", (double)(from->realtime_ns / 2000 + to->realtime_ns / 2000) / US_PER_S);
    csv_add_number(rows->out, cpu_percent_of_core);
    csv_add_number(rows->out, memory_mb);
    csv_add_number(rows->out, mean(from->working_set_mb, to->working_set_mb));
    csv_add_number(rows->out, energy_j);
    csv_add_number(rows->out, duration_s > 0 ? energy_j / duration_s : NAN);
    fputc('\n', rows->out);
    fflush(rows->out);
}

void step_samples_add(struct step_samples *rows, const struct step_sample *sample)
{
    if (rows->looks == 2) {
        add_row(rows, &rows->from, &rows->to);
        rows->from = rows->to;
        rows->looks = 1;
    }
    if (rows->looks++ == 0)
        rows->from = *sample;
    else
        rows->to = *sample;
}

bool step_samples_end(struct step_samples *rows, const struct step_sample *sample, double memory_peak_mb,
                      struct error *err)
{
    struct step_sample last = *sample;

    last.memory_mb = last.working_set_mb = NAN;
    if (rows->looks == 2) {
        const double before_s = s_from_ns(rows->to.time_ns - rows->from.time_ns);

        if (s_from_ns(last.time_ns - rows->to.time_ns) < NEAR * before_s) {
            last.memory_mb = rows->to.memory_mb;
            last.working_set_mb = rows->to.working_set_mb;
        } else {
            add_row(rows, &rows->from, &rows->to);
            rows->from = rows->to;
        }
    }
    if (!isfinite(rows->from.memory_mb) && rows->count == 0 && !isfinite(last.memory_mb))
        last.memory_mb = memory_peak_mb;
    if (rows->looks)
        add_row(rows, &rows->from, &last);
    rows->looks = 0;
    if (rows->out && (fflush(rows->out) != 0 || ferror(rows->out)))
        return error_errno(err, "cannot write the rows of a step");
    return true;
}
