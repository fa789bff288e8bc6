/* SPDX-License-Identifier: MIT
 * A run against a budget. */
#include "gate/budget.h"

#include "base/parse_quantity.h"
#include "base/units.h"

#include <math.h>

bool budget_read(struct budget *budget, const char *text, struct error *err)
{
    *budget = (struct budget){ .used = NAN, .low = NAN, .high = NAN, .verdict = GATE_UNDECIDED };
    if (!quantity_is_bare(text)) {
        budget->is_carbon = !quantity_of(QUANTITY_ENERGY, text, &budget->limit);
        if ((!budget->is_carbon || quantity_of(QUANTITY_MASS, text, &budget->limit)) && budget->limit > 0 &&
            isfinite(budget->limit))
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

    budget->low = isfinite(answer->low_j) ? answer->low_j : answer->energy_j - step;
    budget->high = isfinite(answer->high_j) ? answer->high_j : answer->energy_j + step;
    if (summary->at_least)
        budget->high = INFINITY;
}

void budget_judge(struct budget *budget, const struct report *report)
{
    const struct answer answer = answer_of(report);
    const double kg_per_j =
        budget->is_carbon ? footprint_of(1, report->pue, answer.emission->kgco2eq_per_kwh).kgco2eq : 1;

    set_interval(budget, &answer, &report->summary);
    budget->figure = answer.figure;
    budget->used = answer.energy_j * kg_per_j;
    budget->low *= kg_per_j;
    budget->high *= kg_per_j;
    if (budget->is_stopped || budget->low > budget->limit)
        budget->verdict = GATE_FAILED;
    else
        budget->verdict = budget->high <= budget->limit ? GATE_PASSED : GATE_UNDECIDED;
}

void budget_line(const struct budget *budget, struct text *text)
{
    const char *(*units)(double, char *) = budget->is_carbon ? units_mass : units_energy;
    char used[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE], limit[UNITS_SIZE];

    text_add(text, "%s: %s ", gate_verdict_name(budget->verdict), figure_name(budget->figure));
    if (isnan(budget->used))
        text_add(text, "unknown, budget %s", units(budget->limit, limit));
    else
        text_add(text, "%s (%s to %s) of %s%s", units(budget->used, used), units(budget->low, low),
                 isfinite(budget->high) ? units(budget->high, high) : "unknown", units(budget->limit, limit),
                 budget->is_stopped ? "; the command was stopped" : "");
}
