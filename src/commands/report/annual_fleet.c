/* SPDX-License-Identifier: MIT
 * The machines of a fleet in a report: what of the period the counters of each tell. */
#include "base/array.h"
#include "base/c_locale.h"
#include "commands/report/annual.h"

#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 13 };

bool annual_is_fleet(const struct annual *annual)
{
    return annual->fleet.url[0] != '\0';
}

/* Days come with the nodes in about the same order each time, so that the next one is looked at first. */
static struct annual_node *find_node(struct annual_fleet *fleet, const char *name)
{
    for (size_t i = 0; i < fleet->node_count; i++) {
        const size_t at = (fleet->node_next + i) % fleet->node_count;
        if (strcmp(fleet->nodes[at].name, name) == 0) {
            fleet->node_next = at + 1;
            return &fleet->nodes[at];
        }
    }
    return NULL;
}

static struct annual_node *add(struct annual_fleet *fleet, const struct annual_node *day, struct error *err)
{
    fleet->nodes = array_room(fleet->nodes, &fleet->node_room, fleet->node_count + 1, sizeof *fleet->nodes);
    if (fleet->node_count == fleet->node_room) {
        error_errno(err, "no memory for the nodes of the report");
        return NULL;
    }
    fleet->nodes[fleet->node_count] = (struct annual_node){ .first_ns = day->first_ns };
    text_copy(fleet->nodes[fleet->node_count].name, sizeof day->name, day->name);
    return &fleet->nodes[fleet->node_count++];
}

bool annual_fleet_add(struct annual *annual, const struct annual_node *day, enum quality quality, struct error *err)
{
    struct annual_fleet *fleet = &annual->fleet;
    struct annual_node *node = find_node(fleet, day->name);

    fleet->covered_s += day->covered_s;
    if (quality == QUALITY_MEASURED || quality == QUALITY_VIRTUAL || quality == QUALITY_ATTRIBUTED)
        fleet->measured_s += day->covered_s;
    fleet->resets += day->resets;
    fleet->wraps += day->wraps;
    fleet->gaps += day->gaps;
    if (!node && fleet->node_count == NODES_MAX) {
        fleet->further_nodes++;
        return true;
    }
    if (!node && !(node = add(fleet, day, err)))
        return false;
    node->first_ns = day->first_ns < node->first_ns ? day->first_ns : node->first_ns;
    node->last_ns = day->last_ns > node->last_ns ? day->last_ns : node->last_ns;
    node->covered_s += day->covered_s;
    node->resets += day->resets;
    node->wraps += day->wraps;
    node->gaps += day->gaps;
    return true;
}

static int min_covered_first(const void *a, const void *b)
{
    const struct annual_node *first = a, *second = b;

    return first->covered_s != second->covered_s ? (first->covered_s < second->covered_s ? -1 : 1)
                                                 : strcmp(first->name, second->name);
}

static double share_of(const struct annual *annual, double time_s)
{
    const double all_s = annual->period_hours * S_PER_H * (double)annual->fleet.node_count;
    const double share = all_s > 0 ? time_s / all_s : 0;

    return share > 1 ? 1 : share;
}

/* The mean over the nodes: one that was there for half of the period is half covered. */
void annual_fleet_finish(struct annual *annual)
{
    struct annual_fleet *fleet = &annual->fleet;

    if (fleet->node_count)
        qsort(fleet->nodes, fleet->node_count, sizeof *fleet->nodes, min_covered_first);
    annual->covered_share = share_of(annual, fleet->covered_s);
    annual->measured_share = share_of(annual, fleet->measured_s);
}

static const char *s_of(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void annual_node_text(const struct annual_node *node, char *out, size_t size)
{
    if (!node->resets && !node->wraps && !node->gaps)
        snprintf(out, size, "none");
    else
        snprintf(out, size, "%" PRIu64 " gap%s, %" PRIu64 " reset%s, %" PRIu64 " wrap%s", node->gaps, s_of(node->gaps),
                 node->resets, s_of(node->resets), node->wraps, s_of(node->wraps));
}

static void of_coverage(struct annual *annual)
{
    const struct annual_fleet *fleet = &annual->fleet;
    struct notices *notices = &annual->notices;
    char percent[32], min[32], energy[UNITS_SIZE];

    if (!fleet->node_count) {
        notice_add(notices, NOTICE_UNKNOWN, "the server has no counter of energy in it that carbon knows",
                   "ask it for {__name__=~\".*joules_total\"}", "nothing is known of this period");
        return;
    }
    c_snprintf(percent, sizeof percent, "%.3g", 100 * annual->covered_share);
    c_snprintf(min, sizeof min, "%.3g", fleet->nodes[0].covered_s / 36 / annual->period_hours);
    if (annual->scarce)
        notice_add(notices, NOTICE_GAPS, "figures cover that time only; consumption outside it is unknown, not 0", "",
                   "only %s %% of the period is covered by counters", percent);
    else if (annual->covered_share < 1)
        notice_add(notices, NOTICE_GAPS,
                   "figures cover that time only; consumption outside it is unknown, and nothing is scaled up", "",
                   "the counters cover %s %% of the nodes' period; of the node that they cover least, %s %%", percent,
                   min);
    if (annual->to_ns > annual->made_realtime_ns)
        notice_add(notices, NOTICE_UNFINISHED, "later runs are not included", "", "the period is not over yet");
    if (fleet->gaps)
        notice_add(notices, NOTICE_GAPS,
                   "the energy of a counter that went on meanwhile is in the figures, its time is not covered", "",
                   "%" PRIu64 " gap%s in the counters", fleet->gaps, s_of(fleet->gaps));
    if (fleet->resets)
        notice_add(notices, NOTICE_RESET, "counts between the last value before a reset and the reset are excluded", "",
                   "%" PRIu64 " reset%s of counters: up to %s may be missing", fleet->resets, s_of(fleet->resets),
                   units_energy(fleet->doubtful_j, energy));
}

void annual_fleet_notices(struct annual *annual)
{
    const struct annual_fleet *fleet = &annual->fleet;
    char text[UNITS_SIZE];

    of_coverage(annual);
    if (annual->has_previous && fleet->previous_covered_share < 1)
        notice_add(&annual->notices, NOTICE_GAPS, "its figures are of that time, and the change is to them", "",
                   "the year before is covered to %.3g %% by the counters of its nodes",
                   100 * fleet->previous_covered_share);
    if (fleet->unattributed_j < 0)
        notice_add(&annual->notices, NOTICE_INCONSISTENT, "an exporter divides by rules of its own", "",
                   "the groups have %s more than the nodes", units_energy(-fleet->unattributed_j, text));
    if (fleet->further_nodes)
        notice_add(&annual->notices, NOTICE_TOO_MANY, "they are in the sums, but not in the list of nodes", "",
                   "more nodes than can be listed");
    notices_copy(&annual->notices, &fleet->notices);
    annual->notices.left_out += fleet->notices.left_out;
}
