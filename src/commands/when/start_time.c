/* SPDX-License-Identifier: MIT
 * The best start. What a job emits is piecewise linear in its start, for both its power and the intensity are constant
 * between edges: the least is where an edge of the one meets an edge of the other, or at an end of what is allowed. */
#include "commands/when/start_time.h"

#include "base/units.h"
#include "grid/hourly.h"

#include <math.h>

/* Sums of the same values in another order differ by their last digits; such starts are equal. */
#define EQUAL 1e-9

struct start_time_profile start_time_flat(uint64_t duration_ns)
{
    return (struct start_time_profile){ .pieces = { { duration_ns, 1 } }, .count = 1, .duration_ns = duration_ns };
}

bool start_time_profile_of(const struct start_time_piece *pieces, size_t count, struct start_time_profile *profile)
{
    const size_t together = (count + START_TIME_PIECES_MAX - 1) / START_TIME_PIECES_MAX;
    double energy_j = 0;

    *profile = (struct start_time_profile){ .count = 0 };
    for (size_t i = 0; i < count; i++) {
        struct start_time_piece *piece = &profile->pieces[i / together];
        piece->duration_ns += pieces[i].duration_ns;
        piece->energy_j += pieces[i].energy_j;
        profile->count = i / together + 1;
        profile->duration_ns += pieces[i].duration_ns;
        if (!(pieces[i].energy_j >= 0))
            return false;
        energy_j += pieces[i].energy_j;
    }
    return profile->duration_ns > 0 && energy_j > 0 && isfinite(energy_j);
}

/* While the starts are tried. */
struct trial {
    struct hourly hourly;
    const struct start_time_profile *profile;
    uint64_t earliest_ns, latest_ns;
    double energy_j;
    struct start_time *shift;
};

static double emitted(const struct trial *trial, uint64_t start_ns)
{
    double sum = 0;

    for (size_t i = 0; i < trial->profile->count; i++) {
        const struct start_time_piece *piece = &trial->profile->pieces[i];
        if (piece->duration_ns > 0) {
            const struct hourly_factor price = hourly_factor(&trial->hourly, start_ns, start_ns + piece->duration_ns);
            if (price.part[COVER_NEAREST] > 0 || price.part[COVER_PERIOD_MEAN] > 0 || price.part[COVER_YEARLY] > 0)
                return NAN;
            sum += piece->energy_j / trial->energy_j * price.kgco2eq_per_kwh;
        }
        start_ns += piece->duration_ns;
    }
    return sum;
}

bool start_time_is_less(double kgco2eq_per_kwh, double than_kgco2eq_per_kwh)
{
    return kgco2eq_per_kwh < than_kgco2eq_per_kwh - EQUAL * than_kgco2eq_per_kwh;
}

/* Candidates come in no order; of equal ones the earliest is kept. */
static void keep_better(struct start_time_choice *stored, const struct start_time_choice *tried, bool better,
                        bool worse)
{
    if (isnan(stored->kgco2eq_per_kwh) || better || (!worse && tried->start_ns < stored->start_ns))
        *stored = *tried;
}

static void try_start(const struct trial *trial, uint64_t start_ns)
{
    const struct start_time_choice tried = { start_ns, emitted(trial, start_ns) };
    struct start_time_choice *best = &trial->shift->best, *worst = &trial->shift->worst;

    if (isnan(tried.kgco2eq_per_kwh))
        return;
    keep_better(best, &tried, start_time_is_less(tried.kgco2eq_per_kwh, best->kgco2eq_per_kwh),
                start_time_is_less(best->kgco2eq_per_kwh, tried.kgco2eq_per_kwh));
    keep_better(worst, &tried, start_time_is_less(worst->kgco2eq_per_kwh, tried.kgco2eq_per_kwh),
                start_time_is_less(tried.kgco2eq_per_kwh, worst->kgco2eq_per_kwh));
}

/* The starts at which an edge of the profile meets this edge of the intensities. */
static void try_edge(const struct trial *trial, uint64_t edge_ns)
{
    uint64_t into_ns = 0;

    for (size_t i = 0; i <= trial->profile->count; i++) {
        if (edge_ns >= trial->earliest_ns + into_ns && edge_ns - into_ns <= trial->latest_ns)
            try_start(trial, edge_ns - into_ns);
        if (i < trial->profile->count)
            into_ns += trial->profile->pieces[i].duration_ns;
    }
}

bool find_best_start(const struct intensities *known, const struct start_time_profile *profile, uint64_t earliest_ns,
                     uint64_t deadline_ns, struct start_time *shift)
{
    struct trial trial = { .profile = profile, .earliest_ns = earliest_ns, .shift = shift };

    *shift = (struct start_time){ { earliest_ns, NAN }, { earliest_ns, NAN }, { earliest_ns, NAN } };
    if (deadline_ns < earliest_ns + profile->duration_ns)
        return false;
    trial.latest_ns = deadline_ns - profile->duration_ns;
    trial.hourly = hourly_of(known, earliest_ns, deadline_ns, NAN);
    for (size_t i = 0; i < profile->count; i++)
        trial.energy_j += profile->pieces[i].energy_j;
    shift->now.kgco2eq_per_kwh = emitted(&trial, earliest_ns);
    try_start(&trial, earliest_ns);
    for (size_t i = 0; i < known->count; i++) {
        const uint64_t start_ns = known->items[i].start_realtime_s * NS_PER_S_INT;
        const uint64_t end_ns = known->items[i].end_realtime_s * NS_PER_S_INT;
        if (end_ns <= earliest_ns || start_ns >= deadline_ns)
            continue;
        try_edge(&trial, start_ns);
        if (i + 1 == known->count || known->items[i + 1].start_realtime_s != known->items[i].end_realtime_s)
            try_edge(&trial, end_ns);
    }
    try_start(&trial, trial.latest_ns);
    return !isnan(shift->best.kgco2eq_per_kwh);
}

const char *start_time_verdict_name(enum start_time_verdict verdict)
{
    static const char *const names[] = { "unknown", "no-gain", "gain" };

    return names[verdict];
}

struct start_time_saving start_time_saving_of(double now_kgco2eq_per_kwh, double now_error,
                                              double other_kgco2eq_per_kwh, double other_error)
{
    const double less = now_kgco2eq_per_kwh - other_kgco2eq_per_kwh;
    struct start_time_saving saving = {
        .kgco2eq_per_kwh = less,
        .percent = now_kgco2eq_per_kwh > 0 ? 100 * less / now_kgco2eq_per_kwh : NAN,
        .doubt_kgco2eq_per_kwh = sqrt(now_error * now_error + other_error * other_error),
        .verdict = START_TIME_NO_GAIN,
    };

    if (isnan(less))
        saving.verdict = START_TIME_UNKNOWN;
    else if (less > 0 && less >= START_TIME_MIN * now_kgco2eq_per_kwh && !(less < saving.doubt_kgco2eq_per_kwh))
        saving.verdict = START_TIME_GAIN;
    return saving;
}
