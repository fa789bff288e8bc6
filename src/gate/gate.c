/* SPDX-License-Identifier: MIT
 * A regression of energy: found, excluded, or not decided. */
#include "gate/gate.h"

#include "base/auto.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PER_CENT 100.0

static void undecided(struct gate *gate, const char *why, const char *fix)
{
    gate->verdict = GATE_UNDECIDED;
    text_copy(gate->why, sizeof gate->why, why);
    text_copy(gate->fix, sizeof gate->fix, fix);
}

static void hopeless(struct gate *gate, const char *why, const char *fix)
{
    gate->is_hopeless = true;
    undecided(gate, why, fix);
}

/* False: it is undecided, for a reason that the runs' scatter has no part in. */
static bool can_be_reported(struct gate *gate, const struct run_series *base, const struct run_series *now)
{
    if (gate->base_j.count == 0 || gate->now_j.count == 0)
        hopeless(gate,
                 gate->proxy == PROXY_INSTRUCTIONS ? "instructions cannot be counted here"
                 : gate->proxy                     ? "the CPU time of a run is not known"
                                                   : "the energy of one of them is not known",
                 gate->proxy ? "--proxy cpu-time, or decide by energy"
                             : "'carbon sources' lists the energy sources of this machine");
    else if (gate->compared == FIGURE_NET_J && (base->no_idle || now->no_idle))
        undecided(gate, "no CPU that the job may use was idle in the baseline, so net does not contain its energy",
                  "stop other load on the machine of the measurement, then measure again");
    else if ((base->constant || now->constant) && gate->own_method != OWN_CPU_TIME)
        undecided(gate, "the meter reported constant power while the load changed",
                  "measure with a source that follows the load; 'carbon sources' lists them");
    else if (gate->own_method == OWN_SHARE)
        undecided(gate, "other processes were busy in the runs, and CPU time alone cannot attribute the energy",
                  "stop other load on the machine of the measurement, then measure again");
    else if (gate->quality == QUALITY_MODELLED && gate->own_method != OWN_CPU_TIME && !gate->takes_modelled)
        hopeless(gate, "it is modelled from CPU time, not measured",
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
    gate->detectable_percent = gate->margin_percent + gate->above.detectable * per_cent;
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

/* now - base × (1 + margin), pair by pair. */
static struct sample_stats above_limit(const struct run_series *base, const struct run_series *now, size_t pairs,
                                       enum figure figure, double scale)
{
    AUTO_FREE double *above = calloc(pairs ? pairs : 1, sizeof *above);

    for (size_t i = 0; above && i < pairs; i++)
        above[i] = series_figure(now, i, figure) - scale * series_figure(base, i, figure);
    return sample_stats_of(above, above ? pairs : 0);
}

/* Student's test of the pairs at this look: each side of the interval has the chance of one side. */
static void decide_pairs(struct gate *gate, const struct run_series *base, const struct run_series *now,
                         const struct sequence *sequence)
{
    const bool own = gate->compared == FIGURE_OWN_J;
    const double scale = 1 + gate->margin_percent / PER_CENT, per_cent = PER_CENT / gate->base_j.mean;
    const double doubt = own ? hypot(scale * base->own_doubt_j, now->own_doubt_j) : 0;
    const size_t pairs = base->count < now->count ? base->count : now->count;
    const struct sample_stats above = above_limit(base, now, pairs, gate->compared, scale);
    const double critical = sequence_critical(sequence, pairs);
    const double error = above.deviation / sqrt((double)pairs);
    const double half = hypot(error > 0 ? critical * error : 0, doubt);
    const double freedom = (double)pairs - 1;
    char fix[sizeof gate->fix];

    gate->pairs = pairs;
    gate->above.difference = above.mean;
    if (!isfinite(critical) || above.count == 0) {
        snprintf(fix, sizeof fix, "at least %zu runs of each", sequence->min);
        undecided(gate, "too few runs for a decision", fix);
        return;
    }
    gate->above.low = above.mean - half;
    gate->above.high = above.mean + half;
    gate->above.freedom = freedom;
    gate->above.t = error > 0 ? above.mean / error : NAN;
    gate->above.detectable =
        hypot(error > 0 ? (critical + student_quantile(STATISTICS_POWER, freedom)) * error : 0, doubt);
    gate->percent_low = gate->margin_percent + gate->above.low * per_cent;
    gate->percent_high = gate->margin_percent + gate->above.high * per_cent;
    gate->detectable_percent = gate->margin_percent + gate->above.detectable * per_cent;
    gate->runs_needed = runs_to_tell(above.mean, above.deviation);
    if (gate->above.low > 0)
        gate->verdict = GATE_FAILED;
    else if (gate->above.high <= 0)
        gate->verdict = GATE_PASSED;
    else {
        fix[0] = '\0';
        if (gate->runs_needed > pairs && gate->runs_needed <= SEQUENCE_MAX_PAIRS)
            snprintf(fix, sizeof fix, "--max-runs %zu decides a difference like this one", gate->runs_needed);
        undecided(gate, "the runs scatter more than the difference from the margin", fix);
    }
}

/* False: nothing can decide it. */
static bool open_judgement(struct gate *gate, const struct run_series *was, const struct run_series *is)
{
    gate->compared = gate->proxy ? FIGURE_OWN_J : figure_compared(was, is);
    gate->own_method = gate->compared == FIGURE_OWN_J && !gate->proxy ? is->own_method : OWN_UNKNOWN;
    gate->base_j = series_spread(was, gate->compared);
    gate->now_j = series_spread(is, gate->compared);
    gate->base_amount = gate->base_j;
    gate->now_amount = gate->now_j;
    gate->limit_j = gate->base_j.mean * (1 + gate->margin_percent / PER_CENT);
    gate->percent = (gate->now_j.mean - gate->base_j.mean) * series_per_cent(was, gate->compared);
    gate->percent_low = gate->percent_high = gate->detectable_percent = NAN;
    gate->above = (struct welch){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    gate->is_hopeless = false;
    gate->why[0] = gate->fix[0] = '\0';
    return can_be_reported(gate, was, is);
}

void gate_judge(struct gate *gate, const struct stored_record *base, const struct stored_record *now)
{
    const struct run_series was = stored_record_series(base, gate->base_name),
                            measured = stored_record_series(now, gate->now_name);
    const struct run_series is = series_at_slope_of(&measured, &was);
    struct error err = { .kind = ERROR_NONE };
    bool can;

    gate->quality = now->quality;
    can = open_judgement(gate, &was, &is);
    if (!stored_record_comparable(base, now, &err))
        undecided(gate, err.why, err.fix);
    else if (can)
        decide(gate, gate->compared == FIGURE_OWN_J ? was.own_doubt_j : 0,
               gate->compared == FIGURE_OWN_J ? is.own_doubt_j : 0);
}

void gate_judge_pairs(struct gate *gate, const struct run_series *base, const struct run_series *now,
                      const struct sequence *sequence)
{
    const struct run_series is = series_at_slope_of(now, base);

    gate->is_sequential = true;
    gate->quality = base->quality > now->quality ? base->quality : now->quality;
    if (open_judgement(gate, base, &is))
        decide_pairs(gate, base, &is, sequence);
}
