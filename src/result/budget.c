/* SPDX-License-Identifier: MIT
 * A run against a budget. */
#include "result/budget.h"

#include "base/parse_quantity.h"
#include "base/units.h"

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

void budget_line(const struct budget *budget, struct text *text)
{
    const bool is_carbon = isnan(budget->limit_j);
    const char *(*units)(double, char *) = is_carbon ? units_mass : units_energy;
    const double spent = is_carbon ? budget->spent_kgco2eq : budget->spent_j;
    const double high = is_carbon ? budget->high_kgco2eq : budget->high_j;
    char used[UNITS_SIZE], low_text[UNITS_SIZE], high_text[UNITS_SIZE], limit[UNITS_SIZE];

    units(is_carbon ? budget->limit_kgco2eq : budget->limit_j, limit);
    text_add(text, "%s: %s ", gate_verdict_name(budget->verdict), figure_name(budget->figure));
    if (isnan(spent))
        text_add(text, "unknown, budget %s", limit);
    else
        text_add(text, "%s (%s to %s) of %s%s", units(spent, used),
                 units(is_carbon ? budget->low_kgco2eq : budget->low_j, low_text),
                 isfinite(high) ? units(high, high_text) : "unknown", limit,
                 budget->stopped ? "; the command was stopped" : "");
}
