/* SPDX-License-Identifier: MIT
 * A run against a budget. */
#include "result/budget.h"

#include "base/parse_quantity.h"
#include "base/units.h"
#include "result/answer.h"

#include <math.h>

const char *gate_verdict_name(enum gate_verdict verdict)
{
    return verdict == GATE_PASSED ? "passed" : verdict == GATE_FAILED ? "failed" : "undecided";
}

bool budget_read(struct budget *budget, const char *text, struct error *err)
{
    const struct {
        enum quantity quantity;
        double *limit;
    } kinds[] = { { QUANTITY_ENERGY, &budget->limit_j }, { QUANTITY_MASS, &budget->limit_kgco2eq } };

    *budget = (struct budget){ .given = true, .limit_j = NAN, .limit_kgco2eq = NAN };
    for (size_t i = 0; i < 2 && !quantity_is_bare(text); i++) {
        double limit;

        if (!quantity_of(kinds[i].quantity, text, &limit) || !(limit > 0) || !isfinite(limit))
            continue;
        *kinds[i].limit = limit;
        return true;
    }
    error_set(err, ERROR_USAGE, "'%.60s' is not a budget", text);
    error_why(err, "a budget is an energy or a mass above 0, with its unit");
    return error_fix(err, "--budget 500J, 0.2Wh or 5gCO2eq");
}

/* The interval of the answer; where it has none, the meter's resolution on both sides. */
static void set_interval(struct budget *budget, const struct answer *answer, const struct summary *summary)
{
    const double step = isfinite(summary->resolution_j) ? summary->resolution_j : 0;

    budget->low_j = isfinite(answer->low_j) ? answer->low_j : answer->energy_j - step;
    budget->high_j = isfinite(answer->high_j) ? answer->high_j : answer->energy_j + step;
    if (summary->at_least)
        budget->high_j = NAN;
}

static enum gate_verdict verdict_of(double low, double high, double limit)
{
    return low > limit ? GATE_FAILED : high <= limit ? GATE_PASSED : GATE_UNDECIDED;
}

void budget_judge(struct budget *budget, const struct report *report)
{
    double kg_per_j;
    struct answer answer;

    if (!budget->given)
        return;
    answer = answer_of(report);
    kg_per_j = footprint_of(1, report->pue, answer.emission->kgco2eq_per_kwh).kgco2eq;
    set_interval(budget, &answer, &report->summary);
    budget->figure = answer.figure;
    budget->spent_j = answer.energy_j;
    budget->spent_kgco2eq = budget->spent_j * kg_per_j;
    budget->low_kgco2eq = budget->low_j * kg_per_j;
    budget->high_kgco2eq = budget->high_j * kg_per_j;
    budget->verdict = budget->stopped ? GATE_FAILED
                      : isnan(budget->limit_j)
                          ? verdict_of(budget->low_kgco2eq, budget->high_kgco2eq, budget->limit_kgco2eq)
                          : verdict_of(budget->low_j, budget->high_j, budget->limit_j);
}

void budget_line(const struct budget *budget, struct text *text)
{
    const bool is_carbon = isnan(budget->limit_j);
    const char *(*units)(double, char *) = is_carbon ? units_mass : units_energy;
    const double spent = is_carbon ? budget->spent_kgco2eq : budget->spent_j;
    const double high = is_carbon ? budget->high_kgco2eq : budget->high_j;
    char used[UNITS_SIZE], least[UNITS_SIZE], most[UNITS_SIZE], limit[UNITS_SIZE];

    units(is_carbon ? budget->limit_kgco2eq : budget->limit_j, limit);
    text_add(text, "%s: %s ", gate_verdict_name(budget->verdict), figure_name(budget->figure));
    if (isnan(spent))
        text_add(text, "unknown, budget %s", limit);
    else
        text_add(text, "%s (%s to %s) of %s%s", units(spent, used),
                 units(is_carbon ? budget->low_kgco2eq : budget->low_j, least),
                 isfinite(high) ? units(high, most) : "unknown", limit,
                 budget->stopped ? "; the command was stopped" : "");
}
