/* SPDX-License-Identifier: MIT
 * A regression of energy: found, excluded, or not to be told. */
#include "commands/indicator/gate.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define PER_CENT 100.0

const char *gate_verdict_name(enum gate_verdict verdict)
{
    return verdict == GATE_PASSED ? "passed" : verdict == GATE_FAILED ? "failed" : "undecided";
}

static void undecided(struct gate *gate, const char *why, const char *fix)
{
    gate->verdict = GATE_UNDECIDED;
    text_copy(gate->why, sizeof gate->why, why);
    text_copy(gate->fix, sizeof gate->fix, fix);
}

/* What no number of runs would change. */
static bool can_be_reported(struct gate *gate, const struct run_series *base, const struct run_series *now)
{
    if (gate->base_j.count == 0 || gate->now_j.count == 0)
        undecided(gate, "the energy of one of them is not known", "'carbon sources' tells what can be measured here");
    else if (gate->compared == FIGURE_NET_J && (base->no_idle || now->no_idle))
        undecided(gate, "no CPU that the job may use was idle in the baseline, so net does not contain its energy",
                  "stop other load on the machine of the measurement, then measure again");
    else if ((base->constant || now->constant) && gate->own_method != OWN_CPU_TIME)
        undecided(gate, "the meter reported constant power while the load changed",
                  "measure with a source that follows the load; 'carbon sources' lists them");
    else if (gate->own_method == OWN_SHARE)
        undecided(gate, "others were busy in the runs, and CPU time alone does not tell whose energy it was",
                  "stop other load on the machine of the measurement, then measure again");
    else if (gate->quality == QUALITY_MODELLED && gate->own_method != OWN_CPU_TIME && !gate->takes_modelled)
        undecided(gate, "a model of CPU time says so much, no meter does",
                  "measure both where a sensor can be read, or let the model decide: --accept-modelled");
    else if (isnan(gate->percent))
        undecided(gate, "the base is not distinguishable from idle, so a percentage of it has no meaning",
                  "a longer job, or --baseline 0 for both, which compares gross");
    else if (gate->base_j.count < 2 || gate->now_j.count < 2)
        undecided(gate, "one run has no interval", "measure both with --runs 5, or more");
    else
        return true;
    return false;
}

static void decide(struct gate *gate, double base_doubt_j, double now_doubt_j)
{
    const double scale = 1 + gate->margin_percent / PER_CENT;
    struct sample_stats limit = gate->base_j;
    struct welch plain = welch_of(&gate->base_j, &gate->now_j);
    const double per_cent = PER_CENT / gate->base_j.mean;
    char fix[sizeof gate->fix];

    limit.mean *= scale;
    limit.deviation *= scale;
    gate->above = welch_of(&limit, &gate->now_j);
    welch_widen(&gate->above, hypot(scale * base_doubt_j, now_doubt_j));
    welch_widen(&plain, hypot(base_doubt_j, now_doubt_j));
    gate->percent_low = plain.low * per_cent;
    gate->percent_high = plain.high * per_cent;
    gate->runs_needed = runs_to_tell_apart(gate->above.difference, limit.deviation, gate->now_j.deviation);
    if (gate->above.low > 0)
        gate->verdict = GATE_FAILED;
    else if (gate->above.high <= 0)
        gate->verdict = GATE_PASSED;
    else {
        if (gate->runs_needed)
            snprintf(fix, sizeof fix, "%zu runs of each would settle a difference like this one", gate->runs_needed);
        else
            snprintf(fix, sizeof fix,
                     "the difference is too near to the margin for any number of runs; give another "
                     "--max-regression");
        undecided(gate, "the runs scatter more than the difference from the margin", fix);
    }
}

void gate_judge(struct gate *gate, const struct stored_record *base, const struct stored_record *now)
{
    const struct run_series was = stored_record_series(base, gate->base_name),
                            measured = stored_record_series(now, gate->now_name);
    const struct run_series is = series_at_slope_of(&measured, &was);
    struct error err = { .kind = ERROR_NONE };

    gate->compared = figure_compared(&was, &is);
    gate->own_method = gate->compared == FIGURE_OWN_J ? is.own_method : OWN_UNKNOWN;
    gate->base_j = series_spread(&was, gate->compared);
    gate->now_j = series_spread(&is, gate->compared);
    gate->quality = now->quality;
    gate->limit_j = gate->base_j.mean * (1 + gate->margin_percent / PER_CENT);
    gate->percent = (gate->now_j.mean - gate->base_j.mean) * series_per_cent(&was, gate->compared);
    gate->percent_low = gate->percent_high = NAN;
    gate->above = (struct welch){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    if (!stored_record_comparable(base, now, &err))
        undecided(gate, err.why, err.fix);
    else if (can_be_reported(gate, &was, &is))
        decide(gate, gate->compared == FIGURE_OWN_J ? was.own_doubt_j : 0,
               gate->compared == FIGURE_OWN_J ? is.own_doubt_j : 0);
}
