/* SPDX-License-Identifier: MIT
 * Calculates the result of each module from the runs of all modules. */
#include "commands/batch/batch.h"

#include "base/auto.h"

#include <math.h>

#define S_PER_H 3600.0

double batch_facility_kwh_per_year(const struct report *session, double energy_j, double duration_s)
{
    const double kwh = footprint_of(energy_j, session->pue, session->factor.kgco2eq_per_kwh).facility_kwh;

    return duration_s > 0 ? kwh / duration_s * S_PER_H * session->hours_per_year : NAN;
}

double batch_kgco2eq_per_year(const struct report *session, double energy_j, double duration_s)
{
    const double kgco2eq = footprint_of(energy_j, session->pue, session->factor.kgco2eq_per_kwh).kgco2eq;

    return duration_s > 0 ? kgco2eq / duration_s * S_PER_H * session->hours_per_year : NAN;
}

double batch_population_deviation(const struct sample_stats *spread)
{
    return spread->count ? spread->deviation * sqrt((double)(spread->count - 1) / (double)spread->count) : NAN;
}

static struct emission emission_of(const struct report *session, const struct batch_module *module, double energy_j)
{
    const double duration_s = module->duration_s.mean;
    struct emission emission = {
        .footprint = footprint_of(energy_j, session->pue, session->factor.kgco2eq_per_kwh),
        .kgco2eq_low = NAN,
        .kgco2eq_high = NAN,
        .kgco2eq_per_h = NAN,
        .kgco2eq_per_year = NAN,
        .facility_kwh_per_h = NAN,
        .facility_kwh_per_year = NAN,
    };

    if (module->rates && duration_s > 0) {
        emission.kgco2eq_per_h = emission.footprint.kgco2eq / duration_s * S_PER_H;
        emission.facility_kwh_per_h = emission.footprint.facility_kwh / duration_s * S_PER_H;
        emission.facility_kwh_per_year = batch_facility_kwh_per_year(session, energy_j, duration_s);
        emission.kgco2eq_per_year = batch_kgco2eq_per_year(session, energy_j, duration_s);
    }
    return emission;
}

/* A mean of nothing is reported as 0, not as -0.00. */
static struct sample_stats spread_of_figure(const struct run_series *series, enum figure figure)
{
    struct sample_stats spread = series_spread(series, figure);

    spread.mean = spread.mean == 0 ? 0 : spread.mean;
    return spread;
}

static void finish_module(const struct report *session, struct batch_module *module, struct run_series *series)
{
    const double duration_s = (module->duration_s = series_spread(series, FIGURE_DURATION_S)).mean;

    module->gross_j = spread_of_figure(series, FIGURE_GROSS_J);
    module->idle_j = spread_of_figure(series, FIGURE_IDLE_J);
    module->net_j = spread_of_figure(series, FIGURE_NET_J);
    module->own_j = spread_of_figure(series, FIGURE_OWN_J);
    module->own_interval_j = mean_interval(&module->own_j);
    module->range_j = (struct interval){ NAN, NAN };
    module->own_method = series->own_method;
    module->dif = series->own_method > OWN_NET && module->own_j.count ? FIGURE_OWN_J : FIGURE_NET_J;
    module->items_per_s = series_spread(series, FIGURE_ITEMS_PER_S);
    module->verdict = net_verdict_of(series);
    module->gross_w = module->rates ? module->gross_j.mean / duration_s : NAN;
    module->idle_w = module->rates ? module->idle_j.mean / duration_s : NAN;
    module->net_w = module->rates ? module->net_j.mean / duration_s : NAN;
    module->own_w = module->rates ? module->own_j.mean / duration_s : NAN;
    module->gross = emission_of(session, module, module->gross_j.mean);
    module->idle = emission_of(session, module, module->idle_j.mean);
    module->net = emission_of(session, module, module->net_j.mean);
    module->own = emission_of(session, module, module->own_j.mean);
}

const struct sample_stats *batch_dif_j(const struct batch_module *module)
{
    return module->dif == FIGURE_OWN_J ? &module->own_j : &module->net_j;
}

bool batch_dif_unknown(const struct batch_module *module)
{
    return module->dif == FIGURE_NET_J && module->verdict.verdict == VERDICT_NOT_MEASURABLE;
}

static bool is_known(const struct batch_run *run)
{
    return batch_run_is_counted(run) && !isnan(run->figures.gross_j);
}

static void leave_out_holes(struct batch_module *module)
{
    bool any = false;

    for (size_t i = 0; i < module->run_count; i++) {
        module->runs[i].left_out = false;
        any |= is_known(&module->runs[i]);
    }
    for (size_t i = 0; i < module->run_count; i++)
        module->runs[i].left_out = any && isnan(module->runs[i].figures.gross_j);
}

bool batch_finish(struct batch *batch, struct error *err)
{
    for (size_t i = 0; i < batch->module_count; i++) {
        struct batch_module *module = &batch->modules[i];
        AUTO_FREE struct run_figures *figures = calloc(module->run_count ? module->run_count : 1, sizeof *figures);
        struct run_series series = {
            .name = module->name,
            .runs = figures,
            .quality = module->quality,
            .constant = module->constant,
            .no_idle = module->no_idle,
            .own_method = OWN_NET,
        };

        if (!figures)
            return error_errno(err, "no memory for the result of '%s'", module->name);
        leave_out_holes(module);
        module->failed = 0;
        for (size_t j = 0; j < module->run_count; j++) {
            const struct batch_run *run = &module->runs[j];
            module->failed += batch_run_has_failed(run);
            if (!batch_run_is_counted(run))
                continue;
            figures[series.count] = run->figures;
            figures[series.count++].items = module->items;
            series.own_method = own_method_worst(series.own_method, run->own_method);
        }
        module->counted = series.count;
        finish_module(batch->session, module, &series);
    }
    return true;
}

bool batch_has_failed(const struct batch *batch)
{
    for (size_t i = 0; i < batch->module_count; i++)
        if (batch->modules[i].failed || batch->modules[i].problem.kind != ERROR_NONE)
            return true;
    return false;
}
