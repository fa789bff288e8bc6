/* SPDX-License-Identifier: MIT
 * The notices of a period, the most important first. */
#include "commands/report/annual.h"

#include "base/c_locale.h"
#include "base/units.h"
#include "commands/report/annual_appendix.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void of_coverage(struct annual *annual)
{
    char percent[UNITS_SIZE], time[UNITS_SIZE];

    if (annual->scarce)
        notice_add(&annual->notices, NOTICE_GAPS,
                   "figures cover these runs only; consumption outside them is unknown, not 0",
                   "--duty, --runs-per-year or --idle-between make a declared extrapolation of it",
                   "coverage: runs cover only %s %% of the period (%s)", annex_percent(annual->covered_share, percent),
                   units_duration(annual->covered_share * annual->period_hours * S_PER_H, time));
    if (annual->to_ns > annual->made_realtime_ns)
        notice_add(&annual->notices, NOTICE_UNFINISHED, "later runs are not included", "",
                   "the period is not over yet");
    if (!annual->total.records)
        notice_add(&annual->notices, NOTICE_UNKNOWN, "the ledger has no record of it that could be summed",
                   "'carbon history' lists what there is", "nothing is known of this period");
}

static void of_gaps(struct annual *annual)
{
    const struct annual_gaps *gaps = &annual->gaps;
    struct notices *notices = &annual->notices;
    char text[UNITS_SIZE];

    if (gaps->reported_once)
        notice_add(notices, NOTICE_DUPLICATE,
                   "measured records count; energies of Slurm's accounting count only outside their time", "",
                   "%s counted once: %" PRIu64 " job%s of Slurm ran on nodes that were measured at the time",
                   units_energy(gaps->reported_once_kwh * J_PER_KWH, text), gaps->reported_once,
                   plural(gaps->reported_once));
    if (gaps->once > gaps->reported_once)
        notice_add(notices, NOTICE_DUPLICATE,
                   "gross energy is that of the whole machine, and counts once: the run that began first has it; own "
                   "energies are each job's, and are added",
                   "", "%s of gross energy counted once: %" PRIu64 " record%s overlap%s others of the same machine",
                   units_energy((gaps->counted_once_kwh - gaps->reported_once_kwh) * J_PER_KWH, text),
                   gaps->once - gaps->reported_once, plural(gaps->once - gaps->reported_once),
                   gaps->once - gaps->reported_once == 1 ? "s" : "");
    if (gaps->unknown_overlap_s > 1)
        notice_add(notices, NOTICE_DUPLICATE,
                   "gross energy is per machine, so it is counted twice where runs overlap; not all of these records "
                   "name their machine",
                   "--project and --label separate the records; own energy is each job's",
                   "runs overlapped for at least %s", units_duration(gaps->unknown_overlap_s, text));
    if (gaps->unknown)
        notice_add(notices, NOTICE_LEFT_OUT, "no energy is known of them", "", "%" PRIu64 " record%s left out",
                   gaps->unknown, gaps->unknown == 1 ? " is" : "s are");
    if (gaps->without_mass)
        notice_add(notices, NOTICE_UNKNOWN, "their energy is in the sums, their emissions are not known", "",
                   "%" PRIu64 " record%s no emissions", gaps->without_mass,
                   gaps->without_mass == 1 ? " has" : "s have");
    if (gaps->cut)
        notice_add(notices, NOTICE_ASSUMED,
                   "a run goes with its slices of time, one without slices with its start, an estimate or another "
                   "tool's run with its time",
                   "", "%" PRIu64 " record%s by an edge of the period: the part inside counts", gaps->cut,
                   gaps->cut == 1 ? " is cut" : "s are cut");
    if (gaps->incomplete)
        notice_add(notices, NOTICE_UNFINISHED,
                   "they were cut short, and are in with the runs that ended, or a part of their time is not known", "",
                   "the sums are at least what was used: %" PRIu64 " record%s not complete", gaps->incomplete,
                   gaps->incomplete == 1 ? " is" : "s are");
    if (gaps->restated)
        notice_add(notices, NOTICE_DUPLICATE,
                   annual->restated ? "their restatements are in the figures, so their energy counts once"
                                    : "their originals are in the figures, so the energy counts once",
                   annual->restated ? "" : "--restated uses the restated records instead",
                   "%" PRIu64 " record%s left out for being the same as others", gaps->restated,
                   gaps->restated == 1 ? " is" : "s are");
    if (gaps->small)
        notice_add(notices, NOTICE_LEFT_OUT, "--at-least leaves short trial runs out", "",
                   "%" PRIu64 " record%s of too little energy left out: %s in all", gaps->small,
                   gaps->small == 1 ? " is" : "s are", units_energy(gaps->small_kwh * J_PER_KWH, text));
    if (gaps->hours_lost)
        notice_add(notices, NOTICE_STAND_IN, "the hours that they have are of another zone, basis or set",
                   "'carbon restate RECORD --with SERVICE' and --restated give hourly values of the requested service",
                   "%" PRIu64 " record%s accounted by the hour, restated by the yearly factor", gaps->hours_lost,
                   gaps->hours_lost == 1 ? "" : "s");
    if (gaps->recorded)
        notice_add(notices, NOTICE_RECORDED, "their joules were not used in this period", "",
                   "%" PRIu64 " record%s of recorded machines left out", gaps->recorded,
                   gaps->recorded == 1 ? " is" : "s are");
    if (gaps->warmup_kwh > 0)
        notice_add(notices, NOTICE_LEFT_OUT,
                   "they were used, but belong to no run that counts; so do the baselines between runs", "",
                   "%s of warm-up runs not in the figures", units_energy(gaps->warmup_kwh * J_PER_KWH, text));
    if (gaps->pooled)
        notice_add(notices, NOTICE_TOO_MANY, "they are in the sums, but their factors are not listed", "",
                   "%" PRIu64 " record%s by more factors than can be listed", gaps->pooled, plural(gaps->pooled));
    if (gaps->empty_months && annual->total.records)
        notice_add(notices, NOTICE_GAPS, "consumption in them is unknown", "", "%zu month%s no record",
                   gaps->empty_months, gaps->empty_months == 1 ? " has" : "s have");
}

/* For published factors only: the contents of a stated factor are unknown. */
static bool has_basis(const struct annual *annual, enum factor_basis basis)
{
    for (size_t i = 0; i < annual->factor_count; i++)
        if (annual->factors[i].factor.source_id[0] && annual->factors[i].factor.basis == basis)
            return true;
    return false;
}

static void of_factors(struct annual *annual)
{
    struct notices *notices = &annual->notices;
    uint64_t standing_in = 0;

    if (has_basis(annual, FACTOR_LIFECYCLE) && has_basis(annual, FACTOR_DIRECT))
        notice_add(notices, NOTICE_MIXED, "lifecycle factors hold stages that direct ones do not",
                   "--basis direct or --basis lifecycle", "one sum has factors of two bases");
    for (size_t i = 0; i < annual->factor_count; i++)
        if (annual->factors[i].factor.quality == QUALITY_DEFAULT)
            standing_in += annual->factors[i].figures.records;
    if (standing_in)
        notice_add(notices, NOTICE_STAND_IN, "no zone was set",
                   "--zone CODE, or 'zone = CODE' in the "
                   "configuration",
                   "%" PRIu64 " record%s calculated with the world average", standing_in,
                   standing_in == 1 ? " is" : "s are");
}

static void of_scope(struct annual *annual, const struct annual_part *part, const char *what, const char *why,
                     const char *fix)
{
    char covered[UNITS_SIZE], all[UNITS_SIZE];

    if (annual->total.records && part->records < annual->total.records)
        notice_add(&annual->notices, NOTICE_LEFT_OUT, why, fix,
                   part->records ? "%s figure is of %s of %s" : "there is no %s figure (%s of %s)", what,
                   units_energy(part->kwh * J_PER_KWH, covered), units_energy(annual->total.it_kwh * J_PER_KWH, all));
}

static void of_scopes(struct annual *annual)
{
    const struct annual_figures *total = &annual->total;

    of_scope(annual, &total->scope2_kgco2eq, "direct, location-based",
             "of the rest no zone was named, or no table has a direct factor", "--zone CODE restates all of them");
    of_scope(annual, &total->scope2_market_kgco2eq, "market-based",
             "of the rest no instrument, no residual mix and no direct factor is known",
             "--market-factor or --contract when measuring");
    if (annual->gaps.direct_above_lifecycle)
        notice_add(&annual->notices, NOTICE_INCONSISTENT,
                   "the two are of different publishers; the difference says nothing, and is left out", "",
                   "%" PRIu64 " record%s direct factor is above the lifecycle one", annual->gaps.direct_above_lifecycle,
                   annual->gaps.direct_above_lifecycle == 1 ? "'s" : "s'");
}

static void of_kinds(struct annual *annual)
{
    struct notices *notices = &annual->notices;
    size_t kinds = 0;

    for (enum quality quality = 0; quality <= QUALITY_DEFAULT; quality++)
        kinds += annual->by_quality[quality].records > 0;
    if (kinds > 1)
        notice_add(notices, NOTICE_MIXED, "each has a line of its own", "", "the total mixes %zu qualities of energy",
                   kinds);
    if (annual->scope_count > 1)
        notice_add(notices, NOTICE_MIXED, "they hold different parts of machines", "",
                   "the total mixes records of %zu scopes", annual->scope_count);
    if (annual->extrapolation.rule != RULE_NONE && annual->machine_count > 1)
        notice_add(notices, NOTICE_MIXED, "mean and idle power are of all of them together",
                   "--project or --label choose", "the extrapolation stands on %zu kinds of machines",
                   annual->machine_count);
}

void annual_notices(struct annual *annual)
{
    notices_clear(&annual->notices);
    if (annual_is_fleet(annual))
        annual_fleet_notices(annual);
    else
        of_coverage(annual);
    of_gaps(annual);
    of_kinds(annual);
    of_factors(annual);
    of_scopes(annual);
    notices_copy(&annual->notices, &annual->restating.notices);
}
