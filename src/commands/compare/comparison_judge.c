/* SPDX-License-Identifier: MIT
 * From the pairs of a comparison that has a gate to its verdict. */
#include "commands/compare/comparison.h"

#include <stdlib.h>

/* By the proxy's own series, or by energy. False: no memory. */
static bool judge_live(struct gate *gate, const struct candidate *a, const struct candidate *b,
                       const struct sequence *sequence)
{
    struct run_series base = { .runs = NULL }, now = { .runs = NULL };
    bool done = true;

    if (gate->proxy == PROXY_NONE) {
        gate_judge_pairs(gate, &a->series, &b->series, sequence);
        return true;
    }
    done = proxy_series(a->report->measurement, gate->proxy, &base) &&
           proxy_series(b->report->measurement, gate->proxy, &now);
    if (done)
        gate_judge_pairs(gate, &base, &now, sequence);
    series_free(&base);
    series_free(&now);
    return done;
}

static bool judge_pair(const struct comparison_gate *asked, struct pair *pair)
{
    pair->gate = calloc(1, sizeof *pair->gate);
    if (!pair->gate)
        return false;
    *pair->gate = (struct gate){ .base_name = pair->a->name,
                                 .now_name = pair->b->name,
                                 .margin_percent = asked->fail_over_percent,
                                 .takes_modelled = asked->takes_modelled,
                                 .proxy = asked->proxy };
    if (asked->is_live)
        return judge_live(pair->gate, pair->a, pair->b, &asked->sequence);
    gate_judge(pair->gate, pair->a->stored, pair->b->stored);
    return true;
}

bool comparison_judge(struct comparison *comparison)
{
    struct comparison_gate *gate = comparison->gate;
    bool failed = false, passed = true;

    if (!gate)
        return true;
    gate->is_hopeless = false;
    gate->pairs = 0;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        struct pair *pair = &comparison->pairs[i];

        if (!judge_pair(gate, pair))
            return false;
        failed |= pair->gate->verdict == GATE_FAILED;
        passed &= pair->gate->verdict == GATE_PASSED;
        gate->is_hopeless |= pair->gate->is_hopeless;
        gate->pairs = i == 0 || pair->gate->pairs < gate->pairs ? pair->gate->pairs : gate->pairs;
    }
    gate->verdict = failed ? GATE_FAILED : passed ? GATE_PASSED : GATE_UNDECIDED;
    return true;
}
