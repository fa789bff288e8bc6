/* SPDX-License-Identifier: MIT
 * Two domains that should have the same energy, or a similar one: twins, dies of one package, sockets under equal load.
 */
#include "meter/contradiction_pairs.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

#define TWIN_TOLERANCE 0.005 /* powercap against perf, which round the unit differently (P09) */
#define QUIRK_TOLERANCE 0.02
#define MIRROR_TOLERANCE 0.05 /* AMD's dies */
#define SOCKETS_APART 10      /* under equal load */
#define IDLE 0.1              /* of all CPUs: at most this part is busy, */
#define FULL 0.9              /* or at least this part */

#define SAPPHIRE_RAPIDS                                                                                                \
    "known of Sapphire Rapids: before Linux 6.1 its memory is counted in a unit four times too small, in powercap or " \
    "in perf; the larger figure is right"

/* Where powercap and perf are known to disagree, by how much, and how that is known. */
static const struct quirk {
    const char *vendor;
    int family, number;
    enum component component;
    double powercap_per_perf;
    const char *why;
} quirks[] = {
    /* drivers/powercap/intel_rapl_common.c takes Broadwell-D as a client, arch/x86/events/rapl.c as a server */
    { "GenuineIntel", 6, 86, COMPONENT_MEMORY, 4,
      "known of Broadwell-D: powercap counts memory in the processor's unit, perf in the servers' 15.3 µJ, and "
      "nothing says which is right" },
    /* Linux 6.1: "Use standard Energy Unit for SPR Dram" in drivers/powercap and in arch/x86/events (80275ca9e525) */
    { "GenuineIntel", 6, 143, COMPONENT_MEMORY, 0.25, SAPPHIRE_RAPIDS },
    { "GenuineIntel", 6, 143, COMPONENT_MEMORY, 4, SAPPHIRE_RAPIDS },
};

/* All sockets do as much: nothing, or all they can. */
static bool is_equal_load(const struct judging *judging, const struct window *step)
{
    const double busy =
        (double)step->machine_busy_ns / ((double)step->duration_ns * fmax(1, judging->meter->machine->cpus_online));

    return step->machine_busy_known && step->duration_ns && (busy <= IDLE || busy >= FULL);
}

static void check_sockets(struct judging *judging, size_t a, size_t b, struct finding *finding)
{
    const struct meter_domain *x = &judging->meter->domains[a], *y = &judging->meter->domains[b];
    double a_j = 0, b_j = 0;

    if (!judging->compute.is_counted[a] || !judging->compute.is_counted[b] || x->source != y->source ||
        x->domain->component != COMPONENT_PACKAGE || y->domain->component != COMPONENT_PACKAGE || x->domain->part ||
        y->domain->part || x->domain->access == ACCESS_MODEL)
        return;
    for (size_t i = 0; i < judging->steps->count; i++) {
        const struct window *step = judging->steps->at(judging->steps->of, i);
        if (step_knows(step, a) && step_knows(step, b) && (is_equal_load(judging, step) || !y->moved)) {
            a_j += j_from_uj(step->energy_uj[a]);
            b_j += j_from_uj(step->energy_uj[b]);
        }
    }
    if (a_j <= MIN_J || a_j < SOCKETS_APART * b_j || y->doubted)
        return;
    judging->meter->domains[b].doubted = true;
    if (!finding->count++)
        text_add(&finding->what, INCOMPLETE "%s used %.1f J and %s %.1f J%s", x->domain->name, a_j, y->domain->name,
                 b_j, y->moved ? " under equal load" : ", for its counter did not move");
}

static const struct quirk *quirk_of(const struct machine *machine, enum component component, double ratio)
{
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++)
        if (strcmp(quirks[i].vendor, machine->cpu_vendor) == 0 && quirks[i].family == machine->cpu_family &&
            quirks[i].number == machine->cpu_number && quirks[i].component == component &&
            fabs(ratio / quirks[i].powercap_per_perf - 1) < QUIRK_TOLERANCE)
            return &quirks[i];
    return NULL;
}

/* Two ways to one register: one counts, the other is read to check it. */
static void check_twins(struct judging *judging, size_t a, size_t b, struct finding *finding, const char **why)
{
    const struct domain *x = domain_at(judging, a), *y = domain_at(judging, b);
    const struct domain_group first = { .domains = { a }, .count = 1 }, second = { .domains = { b }, .count = 1 };
    const double slack_j = 2 * (j_from_uj(x->resolution_uj) + j_from_uj(y->resolution_uj));
    const struct quirk *quirk = NULL;
    double first_j, second_j;

    if (x->component != y->component || x->package != y->package || x->die != y->die || x->access == y->access ||
        y->access == ACCESS_MODEL || y->access == ACCESS_SENSOR || !judging->counting->is_counted[a] ||
        !has_moved(judging, a) || !has_moved(judging, b))
        return;
    sum_groups(judging, &first, &second, &first_j, &second_j);
    if (first_j <= MIN_J || fabs(second_j - first_j) <= TWIN_TOLERANCE * first_j + slack_j || finding->count++)
        return;
    if (x->access == ACCESS_MSR && y->access == ACCESS_PERF)
        quirk = quirk_of(judging->meter->machine, x->component, first_j / second_j);
    *why = quirk ? quirk->why : "both read the same register and should agree within 0.5 %";
    text_add(&finding->what, "%s reports %.1f J for %s, %s reports %.1f J", source_at(judging, a), first_j, x->name,
             source_at(judging, b), second_j);
    if (strcmp(source_at(judging, a), source_at(judging, b)) == 0)
        text_add(&finding->what, " for %s", y->name);
}

/* Dies of one AMD package are taken for mirrors of one counter. */
static void check_dies(struct judging *judging, size_t a, size_t b, struct finding *finding)
{
    const struct domain *x = domain_at(judging, a), *y = domain_at(judging, b);
    const struct domain_group first = { .domains = { a }, .count = 1 }, second = { .domains = { b }, .count = 1 };
    const bool *counts = judging->compute.is_counted;
    double first_j, second_j;

    if (x->component != COMPONENT_PACKAGE || y->component != COMPONENT_PACKAGE || x->access != y->access ||
        judging->meter->domains[a].source != judging->meter->domains[b].source || x->access == ACCESS_SENSOR ||
        x->package != y->package || x->die == y->die || !counts[a] || counts[b] ||
        judging->meter->domains[b].left_out || !has_moved(judging, a) || !has_moved(judging, b))
        return;
    sum_groups(judging, &first, &second, &first_j, &second_j);
    if (first_j <= MIN_J || fabs(second_j / first_j - 1) <= MIRROR_TOLERANCE || finding->count++)
        return;
    text_add(&finding->what, "%s (%.1f J) does not mirror %s (%.1f J)", y->name, second_j, x->name, first_j);
}

void contradictions_of_pairs(struct judging *judging)
{
    const size_t count = judging->meter->domain_count;
    struct finding twins, dies, sockets;
    const char *why = "";

    finding_begin(&twins);
    finding_begin(&dies);
    finding_begin(&sockets);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            if (a < b)
                check_twins(judging, a, b, &twins, &why);
            if (a != b) {
                check_dies(judging, a, b, &dies);
                check_sockets(judging, a, b, &sockets);
            }
        }
    finding_tell(judging, &twins, NOTICE_METERS_DIFFER, why, "'carbon sources' shows both; --source counts the other");
    finding_tell(judging, &dies, NOTICE_METERS_DIFFER,
                 "the dies of such a processor are expected to show one counter, and these move differently",
                 "compare the total with another meter");
    finding_tell(judging, &sockets, NOTICE_SOCKETS_DIFFER,
                 "sockets that do as much draw as much: the lower figure is not shown", "compare with another meter");
}
