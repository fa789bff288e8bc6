/* SPDX-License-Identifier: MIT
 * Welch's test of profiles, or tests of samples; corrected by Holm. docs/METHOD.md, "Joules of functions". */
#include "commands/profile/profile_change.h"

#include "base/array.h"
#include "base/auto.h"
#include "measurement/statistics.h"

#include <math.h>
#include <stdlib.h>

/* So small that a difference of nothing is none. */
#define ROUNDING_JJ 1e-18

static double part_of(const struct function_use *use, const struct profiled_side *side)
{
    return fmin(1, fmax((double)use->samples, 1) / side->samples);
}

/* Variance of its mean energy by the number of samples alone: that of a share; of one sample where there is none. */
static double sampling_jj(const struct function_use *use, const struct profiled_side *side)
{
    const double profiles = (double)side->profiles, part = part_of(use, side);
    const double per_sample_j =
        use->samples ? use->sum_j / (double)use->samples : side->own_j * profiles / side->samples;

    return per_sample_j * per_sample_j * side->samples * part * (1 - part) / (profiles * profiles) + ROUNDING_JJ;
}

/* Variance of its mean energy as the profiles scatter; no less than that of samples, which a few profiles may not show.
 */
static double scatter_jj(const struct function_use *use, const struct profiled_side *side)
{
    const double profiles = (double)side->profiles;
    const double scatter = (use->sum_jj - use->sum_j * use->sum_j / profiles) / (profiles - 1) / profiles;

    return fmax(scatter, sampling_jj(use, side));
}

static double normal_two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

/* One profile each: how far runs differ by themselves is not known, and often it is the same for all functions. So both
 * its energy and its part of the job's energy have to differ. */
static double chance_by_samples(const struct function_change *change, const struct profiled_side sides[2])
{
    double parts[2], part_deviation = 0;

    for (size_t i = 0; i < 2; i++) {
        const double part = part_of(&change->sides[i], &sides[i]);
        parts[i] = change->own_j[i] / sides[i].own_j;
        part_deviation += part * (1 - part) / sides[i].samples;
    }
    part_deviation = sqrt(part_deviation + ROUNDING_JJ);
    if ((parts[1] - parts[0]) * change->difference_j < 0)
        return 1;
    return fmax(normal_two_sided(change->difference_j / change->deviation_j),
                normal_two_sided((parts[1] - parts[0]) / part_deviation));
}

static void judge_one(struct function_change *change, const struct profiled_side sides[2])
{
    const bool scatters = sides[0].profiles > 1 && sides[1].profiles > 1;
    double jj[2], over_freedom = 0;

    for (size_t i = 0; i < 2; i++) {
        const struct function_use *use = &change->sides[i];
        change->own_j[i] = use->sum_j / (double)sides[i].profiles;
        jj[i] = scatters ? scatter_jj(use, &sides[i]) : sampling_jj(use, &sides[i]);
        over_freedom += jj[i] * jj[i] / (double)(sides[i].profiles - scatters);
    }
    change->difference_j = change->own_j[1] - change->own_j[0];
    change->deviation_j = sqrt(jj[0] + jj[1]);
    change->freedom = scatters ? (jj[0] + jj[1]) * (jj[0] + jj[1]) / over_freedom : INFINITY;
    change->chance = change->sides[0].samples + change->sides[1].samples < FUNCTION_SAMPLES_MIN ? NAN
                     : scatters ? student_two_sided(change->difference_j / change->deviation_j, change->freedom)
                                : chance_by_samples(change, sides);
}

bool function_changes_judge(struct function_change *changes, size_t count, const struct profiled_side sides[2],
                            struct error *err)
{
    AUTO_FREE double *chances = calloc(2 * count + 1, sizeof *chances);

    for (size_t i = 0; chances && i < count; i++) {
        judge_one(&changes[i], sides);
        chances[i] = changes[i].chance;
    }
    if (!chances || !holm_of(chances, count, chances + count))
        return error_errno(err, "no memory for %zu functions", count);
    for (size_t i = 0; i < count; i++) {
        changes[i].chance_of_all = isnan(changes[i].chance) ? NAN : chances[count + i];
        changes[i].significant = changes[i].chance_of_all < 1 - STATISTICS_CONFIDENCE;
    }
    return true;
}

double function_change_half_j(const struct function_change *change)
{
    const double upper = 1 - (1 - STATISTICS_CONFIDENCE) / 2;

    return change->deviation_j *
           (isinf(change->freedom) ? normal_quantile(upper) : student_quantile(upper, change->freedom));
}
