/* SPDX-License-Identifier: MIT
 * A processor in a host that keeps its clock up, as those of public clouds do: shares of TDP that were measured there.
 */
#include "power/cpu_search.h"

#include "base/auto.h"
#include "power/server_tables.h"

#include <math.h>
#include <stdlib.h>

#define RULE "host kept at full clock (public cloud), package"

static void fill_power(const struct search *search, const struct power_rule at[CURVE_POINTS], struct cpu_power *power)
{
    const double tdp_w = search->cpu.tdp_w;

    power->basis = POWER_CLOUD;
    power->curve.a = power->low.a = power->high.a = NAN;
    power->low_ratio = power->high_ratio = 1;
    for (int i = 0; i < CURVE_POINTS; i++) {
        power->curve.at_w[i] = tdp_w * at[i].value;
        power->low.at_w[i] = search->cpu.low_tdp_w * at[i].low;
        power->high.at_w[i] = search->cpu.high_tdp_w * at[i].high;
        power->low_ratio = fmin(power->low_ratio, power->low.at_w[i] / power->curve.at_w[i]);
        power->high_ratio = fmax(power->high_ratio, power->high.at_w[i] / power->curve.at_w[i]);
    }
    power_how(power, "cloud:full-clock", "TDP %g W (%s) × shares measured on hosts of a cloud (TEADS_AWS_2021)", tdp_w,
              search->cpu.source_id);
}

bool cloud_power_find(struct search *search, struct cpu_power *power, bool *found, struct error *err)
{
    AUTO_FREE struct power_rules *rules = calloc(1, sizeof *rules);
    struct power_rule at[CURVE_POINTS];

    *found = false;
    if (!rules)
        return error_set(err, ERROR_SYSTEM, "no memory to read power_rules.csv");
    power->threads = search->cpu.threads;
    if (!search->identity->cloud || !search->identity->by_thread || !(search->cpu.tdp_w > 0) || power->threads == 0)
        return true;
    if (!power_rules_read(rules, err) || !power_rule_over_load(rules, RULE, "all", at, err))
        return false;
    fill_power(search, at, power);
    *found = true;
    return true;
}
