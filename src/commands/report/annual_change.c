/* SPDX-License-Identifier: MIT
 * One period against the one before, and what is made of a period of which only a part was measured. */
#include "commands/report/annual_sum.h"

#include "base/units.h"

#include <math.h>

/* E1 F1 - E0 F0 = (E1 - E0) (F0 + F1) / 2 + (F1 - F0) (E0 + E1) / 2. The second is what the first leaves of the change,
 * so that the two add up to it to the last digit. */
struct annual_change annual_change_of(const struct annual_figures *before, const struct annual_figures *now)
{
    struct annual_change change = { .kgco2eq = now->kgco2eq - before->kgco2eq };

    change.energy_kgco2eq =
        (now->facility_kwh - before->facility_kwh) * (before->kgco2eq_per_kwh + now->kgco2eq_per_kwh) / 2;
    change.factor_kgco2eq = change.kgco2eq - change.energy_kgco2eq;
    return change;
}

void annual_set_previous(struct annual *annual, const struct annual_figures *previous)
{
    annual->previous = *previous;
    annual->previous_year = annual->year - 1;
    annual->has_previous = previous->records > 0 && annual->total.records > 0;
    if (annual->has_previous)
        annual->change = annual_change_of(previous, &annual->total);
}

/* Sum of e over sum of t, and how far it may lie from that of all of which the records are a sample: the ratio
 * estimator (Cochran 1977, 2.11), without a correction for a finite number. Of fewer than two its doubt is unknown. */
struct ratio {
    double value, deviation;
};

static struct ratio ratio_of(const struct ratio_total *total)
{
    const double n = (double)total->records, t = total_of(&total->t);
    struct ratio ratio = { NAN, NAN };
    double squares;

    if (!total->records)
        return ratio;
    ratio.value = total_of(&total->e) / t;
    squares = total_of(&total->ee) - 2 * ratio.value * total_of(&total->et) +
              ratio.value * ratio.value * total_of(&total->tt);
    /* equal records leave what rounding has left, on either side of 0 */
    if (squares < 1e-12 * total_of(&total->ee))
        squares = 0;
    ratio.deviation = sqrt(n * squares / (n - 1)) / t; /* 0 / 0 for a single record */
    return ratio;
}

static void set_interval(struct annual_extrapolation *out, const struct annual *annual, double deviation_kwh)
{
    const double around = student_quantile((1 + STATISTICS_CONFIDENCE) / 2, (double)out->records - 1) * deviation_kwh;
    const double per_kwh = out->kgco2eq / out->it_kwh, known_kwh = annual->total.it_kwh;
    double low = 1, high = 1;

    /* every model at its ends, as in the sum */
    if (isfinite(annual->total.model_low_kwh)) {
        low = annual->total.model_low_kwh / known_kwh;
        high = annual->total.model_high_kwh / known_kwh;
    }
    out->kwh_interval = (struct interval){ low * out->it_kwh - around, high * out->it_kwh + around };
    if (out->kwh_interval.low < 0)
        out->kwh_interval.low = 0;
    out->kgco2eq_interval = (struct interval){ out->kwh_interval.low * per_kwh, out->kwh_interval.high * per_kwh };
}

static const char *spelled(double value, char out[UNITS_SIZE])
{
    return units_digits(value, 4, out);
}

static void set_text(struct annual_extrapolation *out)
{
    char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], d[UNITS_SIZE];
    int used = 0;

    if (out->rule == RULE_DUTY)
        used = snprintf(out->text, sizeof out->text, "mean power %s W x %s h", spelled(out->mean_w, a),
                        spelled(out->hours, b));
    else if (out->rule == RULE_RUNS)
        used = snprintf(out->text, sizeof out->text, "%s kWh per run x %s runs", spelled(out->run_kwh, a),
                        spelled(out->runs, b));
    else
        used = snprintf(out->text, sizeof out->text, "the %s kWh that are known", spelled(out->busy_kwh, a));
    if (out->idle_between && used > 0 && (size_t)used < sizeof out->text)
        snprintf(out->text + used, sizeof out->text - (size_t)used, " + idle power %s W x the other %s h",
                 spelled(out->idle_w, c), spelled(out->idle_hours, d));
}

static bool nothing_to_go_by(const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "nothing can be extrapolated");
    error_why(err, "%s", why);
    return error_fix(err, "leave out --duty, --runs-per-year and --idle-between, or measure first");
}

/* The machine's hours that are no run's. */
static double other_hours(const struct annual *annual, const struct annual_extrapolation *out, double run_s)
{
    const double busy_h = out->rule == RULE_DUTY   ? out->hours
                          : out->rule == RULE_RUNS ? out->runs * run_s / S_PER_H
                                                   : annual->covered_share * annual->period_hours;

    return busy_h < annual->period_hours ? annual->period_hours - busy_h : 0;
}

bool annual_extrapolate(const struct annual_sum *sum, enum annual_rule rule, double hours, double runs,
                        bool idle_between, struct error *err)
{
    struct annual *annual = sum->annual;
    const struct ratio power = ratio_of(&sum->power), of_run = ratio_of(&sum->energy_of_run),
                       idle = ratio_of(&sum->idle_power);
    const double run_s = total_of(&sum->power.t) / total_of(&sum->energy_of_run.t);
    struct annual_extrapolation out = {
        .rule = rule,
        .hours = hours,
        .runs = runs,
        .idle_between = idle_between,
        .mean_w = power.value,
        .run_kwh = of_run.value / J_PER_KWH,
        .idle_w = idle_between ? idle.value : NAN,
        .records = sum->power.records,
    };
    double deviation_kwh = 0, idle_deviation_kwh = 0;

    if (!out.records || !(annual->total.it_kwh > 0))
        return nothing_to_go_by("no run of the period was measured", err);
    if (idle_between && isnan(idle.value))
        return nothing_to_go_by("no run of the period has a baseline, so the idle power is unknown", err);
    if (rule == RULE_DUTY) {
        out.busy_kwh = power.value * hours / 1000;
        deviation_kwh = power.deviation * hours / 1000;
    } else if (rule == RULE_RUNS) {
        out.busy_kwh = out.run_kwh * runs;
        deviation_kwh = of_run.deviation * runs / J_PER_KWH;
    } else
        out.busy_kwh = annual->total.it_kwh;
    if (idle_between) {
        out.idle_hours = other_hours(annual, &out, run_s);
        out.idle_kwh = idle.value * out.idle_hours / 1000;
        idle_deviation_kwh = idle.deviation * out.idle_hours / 1000;
    }
    out.it_kwh = out.busy_kwh + out.idle_kwh;
    out.kgco2eq = out.it_kwh * annual->total.kgco2eq / annual->total.it_kwh;
    set_interval(&out, annual, hypot(deviation_kwh, idle_deviation_kwh));
    set_text(&out);
    annual->extrapolation = out;
    return true;
}
