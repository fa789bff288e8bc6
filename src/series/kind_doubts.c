/* SPDX-License-Identifier: MIT
 * Doubts about counters, gathered over all of them. */
#include "series/kind_doubts.h"

#include "base/text.h"
#include "base/units.h"
#include "series/attribution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A sum of an exporter is another than that of its parts beyond this share and these joules. */
#define SUMS_DIFFER 0.01
#define SUMS_DIFFER_J 1.0

static void note(struct doubt *doubt, const char *of, const char *what, unsigned times, double joules)
{
    char name[2 * DOUBT_NAME_SIZE];

    if (doubt->series++ == 0) {
        snprintf(name, sizeof name, "%s%s%s", of, *what ? " of " : "", what);
        text_copy(doubt->first, sizeof doubt->first, name);
    }
    doubt->times += times;
    doubt->joules += joules > 0 ? joules : 0;
}

/* The label that says most to a reader. */
static const char *whose(const struct metric_series *series)
{
    static const char *const labels[] = { "pod_name", "container_name", "vm_id", "cgroup", "pid", "node_name", "path" };

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        const char *value = series_label_of(series, labels[i]);
        if (value)
            return value;
    }
    return "";
}

void kind_doubts_add(struct kind_doubts *doubts, const struct metric_series *series, const struct kind_family *family,
                     const struct increase *increase, const struct kind_window *window)
{
    const char *of = whose(series);

    if (window->totals && family->raw)
        note(&doubts->raw_totals, series->metric, "", 1, 0);
    if (window->totals)
        return;
    if (increase->resets)
        note(&doubts->resets, series->metric, of, increase->resets, increase->doubtful_j);
    if (increase->wraps)
        note(&doubts->wraps, series->metric, of, increase->wraps, 0);
    if (increase->gaps)
        note(&doubts->gaps, series->metric, of, increase->gaps, 0);
    if (increase->implausible)
        note(&doubts->implausible, series->metric, of, increase->implausible, increase->implausible_j);
    if (increase->twice)
        note(&doubts->twice, series->metric, of, increase->twice, 0);
    if (isnan(increase->joules) && !increase->single)
        note(&doubts->unknown, series->metric, of, 1, 0);
    if (increase->single)
        note(&doubts->single, series->metric, of, 1, increase->last_j);
}

void kind_doubts_power(struct kind_doubts *doubts, const struct metric_series *series)
{
    note(&doubts->powers, series->metric, "", 1, 0);
}

void kind_doubts_mirror(struct kind_doubts *doubts, const struct metric_series *series,
                        const struct attribution *attribution)
{
    if (attribution->mode == MODE_ALL)
        note(&doubts->mirrors, series->metric, attribution->texts[ATTRIBUTION_NODE], 1, attribution->increase->joules);
}

/* Nodes include everything that runs on them; the energy of pods is also in the rows of their containers. */
static void add_to_levels(struct kind_doubts *doubts, const struct workload_row *row)
{
    const double joules = workload_row_sum(row)->joules;

    if (row->level == LEVEL_NODE && row->kind != EXPORTER_DCGM)
        doubts->nodes_j += joules;
    else if (row->level == LEVEL_POD && !isnan(joules))
        doubts->pods_j += joules;
}

void kind_doubts_row(struct kind_doubts *doubts, const struct workload_row *row, bool still)
{
    if (still)
        note(&doubts->still, *row->node ? row->node : "this node", "", 1, 0);
    add_to_levels(doubts, row);
    for (enum energy_mode mode = 0; mode < MODE_COUNT; mode++) {
        const double sum = row->figures[DOMAIN_SUM][mode].joules, own = row->figures[DOMAIN_OWN_SUM][mode].joules;
        const bool apart = fabs(sum - own) > SUMS_DIFFER * fmax(sum, own) + SUMS_DIFFER_J;
        if (apart && row->kind == EXPORTER_KEPLER_OLD && mode != MODE_ALL)
            note(&doubts->sums, *row->pod ? row->pod : workload_level_name(row->level), "", 1, fabs(sum - own));
    }
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* "up to 3.2 kJ are missing; the first is METRIC of POD" */
static void tell_energy(const struct doubt *doubt, enum notice_kind kind, const char *before, const char *behind,
                        const char *fix, const char *what, struct notices *notices)
{
    char why[256], energy[UNITS_SIZE];

    snprintf(why, sizeof why, "%s%s%s; the first is %.110s", before, units_energy(doubt->joules, energy), behind,
             doubt->first);
    notice_add(notices, kind, why, fix, "%s", what);
}

static void tell_steps(const struct kind_doubts *doubts, struct notices *notices)
{
    char what[128], why[256];

    if (doubts->resets.series) {
        snprintf(what, sizeof what, "%zu counter%s began again, %u time%s", doubts->resets.series,
                 plural(doubts->resets.series), doubts->resets.times, plural(doubts->resets.times));
        tell_energy(&doubts->resets, NOTICE_RESET,
                    "counts just before it are lost, so the sum is a lower bound: it may be ", " too few", "", what,
                    notices);
    }
    if (doubts->wraps.series) {
        snprintf(why, sizeof why, "processors count in 32 bits; the first is %s", doubts->wraps.first);
        notice_add(notices, NOTICE_ASSUMED, why, "", "%u wrap%s of %zu counter%s corrected", doubts->wraps.times,
                   plural(doubts->wraps.times), doubts->wraps.series, plural(doubts->wraps.series));
    }
    if (doubts->gaps.series) {
        snprintf(why, sizeof why,
                 "their energy is in the sums, unless the counter began again meanwhile; the first is %s",
                 doubts->gaps.first);
        notice_add(notices, NOTICE_GAPS, why, "", "%zu counter%s were not read for a while, %u time%s",
                   doubts->gaps.series, plural(doubts->gaps.series), doubts->gaps.times, plural(doubts->gaps.times));
    }
}

static void tell_unknown(const struct kind_doubts *doubts, struct notices *notices)
{
    char what[128], why[256], pods[UNITS_SIZE], nodes[UNITS_SIZE];

    if (doubts->implausible.series) {
        snprintf(what, sizeof what, "%zu counter%s moved by more than any machine draws, %u time%s",
                 doubts->implausible.series, plural(doubts->implausible.series), doubts->implausible.times,
                 plural(doubts->implausible.times));
        tell_energy(&doubts->implausible, NOTICE_IMPLAUSIBLE, "doubted, and in no sum: ", "", "", what, notices);
    }
    if (doubts->twice.series)
        notice_add(notices, NOTICE_INCONSISTENT, "the correct one is unknown, and none is counted", "",
                   "%s has two values of one time, %u time%s", doubts->twice.first, doubts->twice.times,
                   plural(doubts->twice.times));
    if (doubts->unknown.series) {
        snprintf(why, sizeof why, "totals that include them are unknown, too; the first is %s", doubts->unknown.first);
        notice_add(notices, NOTICE_UNKNOWN, why, "", "%zu counter%s report%s an impossible energy",
                   doubts->unknown.series, plural(doubts->unknown.series), doubts->unknown.series == 1 ? "s" : "");
    }
    if (doubts->mirrors.series) {
        snprintf(what, sizeof what, "%zu counter%s repeat%s another of the same node", doubts->mirrors.series,
                 plural(doubts->mirrors.series), doubts->mirrors.series == 1 ? "s" : "");
        tell_energy(&doubts->mirrors, NOTICE_MIRROR, "counted once, and ", " left out", "", what, notices);
    }
    if (doubts->still.series)
        notice_add(notices, NOTICE_NOT_MOVING, "a machine that runs draws something: its energy is unknown, not 0", "",
                   "the counters of %s did not move", doubts->still.first);
    if (doubts->pods_j > doubts->nodes_j * (1 + SUMS_DIFFER) + SUMS_DIFFER_J && doubts->nodes_j > 0)
        notice_add(notices, NOTICE_PART_ABOVE_WHOLE, "one of the two is wrong, or a node is missing", "",
                   "pods used %s, more than their nodes, %s", units_energy(doubts->pods_j, pods),
                   units_energy(doubts->nodes_j, nodes));
}

void kind_doubts_left_out(struct kind_doubts *doubts, const struct kind_family *family)
{
    doubts->left_out |= 1u << family->kind;
}

static void tell_kinds(unsigned kinds, struct notices *notices)
{
    char list[160] = "";
    size_t count = 0;

    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (kinds & 1u << kind) {
            const size_t length = strlen(list);
            snprintf(list + length, sizeof list - length, "%s%s", count++ ? ", " : "", exporter_title(kind));
        }
    if (count)
        notice_add(notices, NOTICE_DUPLICATE, "the same energy is not counted twice", "--exporter NAME takes another",
                   "%s report%s nodes and pods that a better exporter has: these are excluded", list,
                   count == 1 ? "s" : "");
}

void kind_doubts_tell(const struct kind_doubts *doubts, struct notices *notices)
{
    char what[128], why[256];

    tell_steps(doubts, notices);
    tell_unknown(doubts, notices);
    if (doubts->single.series) {
        snprintf(what, sizeof what, "%zu counter%s %s reported only once", doubts->single.series,
                 plural(doubts->single.series), doubts->single.series == 1 ? "was" : "were");
        tell_energy(&doubts->single, NOTICE_UNKNOWN,
                    "their counts in this time are unknown and excluded from the sums: up to ", "", "", what, notices);
    }
    if (doubts->powers.series) {
        snprintf(why, sizeof why, "%s is a gauge: changes between two samples are missed", doubts->powers.first);
        notice_add(notices, NOTICE_SAMPLED, why, "", "some energies are powers, integrated over time");
    }
    if (doubts->raw_totals.series) {
        snprintf(why, sizeof why, "%s is a processor's own counter of 32 bits", doubts->raw_totals.first);
        notice_add(notices, NOTICE_WRAP_UNKNOWN, why, "give two texts, or an address with --for 30s",
                   "some totals are those since the counter last wrapped");
    }
    if (doubts->stats) {
        snprintf(why, sizeof why, "%zu series have only what was used in the last interval", doubts->stats);
        notice_add(notices, NOTICE_GAPS, why, "use Kepler 0.4 or newer", "this Kepler writes values into labels");
    }
    if (doubts->sums.series) {
        snprintf(what, sizeof what, "package + dram + other + gpu is not what Kepler says the sum is, %zu time%s",
                 doubts->sums.series, plural(doubts->sums.series));
        tell_energy(&doubts->sums, NOTICE_INCONSISTENT, "they differ by ", " in all", "", what, notices);
    }
    tell_kinds(doubts->left_out, notices);
}
