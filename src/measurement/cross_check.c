/* SPDX-License-Identifier: MIT
 * Checks by movement: twins, mirrors, and parts against the whole. */
#include "measurement/cross_check.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 0.005 /* powercap against perf, which round the unit differently (P09) */
#define LEAST_J 10.0    /* below, the edges of two reads differ by more than that */
#define QUIRK_TOLERANCE 0.02
/* Parts against the whole: sensors of different kinds, whose moments differ. */
#define PART_TOLERANCE 0.02
/* A mirror shows the same joules but for the moment of the read. */
#define MIRROR_TOLERANCE 0.05
#define MIRROR_UJ UINT64_C(1000000)

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

static const struct domain *domain_at(const struct measurement *measurement, size_t i)
{
    return measurement->meter->domains[i].domain;
}

static const char *source_at(const struct measurement *measurement, size_t i)
{
    return measurement->meter->domains[i].source->driver->name;
}

/* The energy of each in all runs in which both are known. */
static bool compare(const struct measurement *measurement, size_t a, size_t b, double *a_j, double *b_j)
{
    *a_j = *b_j = 0;
    for (size_t r = 0; r < measurement->run_count; r++) {
        const struct window *window = &measurement->runs[r].window;
        if (window->known[a] && window->known[b]) {
            *a_j += j_from_uj(window->energy_uj[a]);
            *b_j += j_from_uj(window->energy_uj[b]);
        }
    }
    return measurement->meter->domains[a].moved && measurement->meter->domains[b].moved;
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
static void check_twins(const struct measurement *measurement, size_t a, size_t b, struct notices *notices)
{
    const struct domain *x = domain_at(measurement, a), *y = domain_at(measurement, b);
    const double slack_j = 2 * (j_from_uj(x->resolution_uj) + j_from_uj(y->resolution_uj));
    const struct quirk *quirk = NULL;
    double first_j, second_j;

    if (x->component != y->component || x->package != y->package || x->die != y->die || x->access == y->access ||
        y->access == ACCESS_MODEL || y->access == ACCESS_SENSOR || !measurement->counting->counts[a])
        return;
    if (!compare(measurement, a, b, &first_j, &second_j) || first_j <= LEAST_J ||
        fabs(second_j - first_j) <= TOLERANCE * first_j + slack_j)
        return;
    if (x->access == ACCESS_MSR && y->access == ACCESS_PERF)
        quirk = quirk_of(measurement->meter->machine, x->component, first_j / second_j);
    notice_add(notices, quirk ? quirk->why : "both read the same register and should agree within 0.5 %",
               "'carbon sources' shows both; --source counts the other", "%s says %.1f J for %s, %s says %.1f J",
               source_at(measurement, a), first_j, x->name, source_at(measurement, b), second_j);
}

/* Dies of one AMD package are taken for mirrors of one counter; two packages are not. */
static void check_mirrors(const struct measurement *measurement, size_t a, size_t b, struct notices *notices)
{
    const struct meter_domain *first = &measurement->meter->domains[a], *second = &measurement->meter->domains[b];
    const struct domain *x = first->domain, *y = second->domain;
    const bool *counts = measurement->counting->counts;
    const uint64_t apart_uj = first->last_raw_uj > second->last_raw_uj ? first->last_raw_uj - second->last_raw_uj
                                                                       : second->last_raw_uj - first->last_raw_uj;
    double first_j, second_j;

    if (x->component != COMPONENT_PACKAGE || y->component != COMPONENT_PACKAGE || x->access != y->access ||
        first->source != second->source || x->access == ACCESS_SENSOR ||
        !compare(measurement, a, b, &first_j, &second_j) || first_j <= LEAST_J)
        return;
    if (counts[a] && counts[b]) {
        if (apart_uj <= MIRROR_UJ && fabs(second_j / first_j - 1) < MIRROR_TOLERANCE)
            notice_add(notices, "they stand at the same value and move alike: one may be a mirror of the other",
                       "compare the total with another meter", "%s and %s may be one counter, counted twice", x->name,
                       y->name);
    } else if (x->package == y->package && x->die != y->die && counts[a] != counts[b] &&
               fabs(second_j / first_j - 1) > MIRROR_TOLERANCE)
        notice_add(notices, "the dies of such a processor are expected to show one counter, and these move differently",
                   "compare the total with another meter", "%s (%.1f J) is no mirror of %s (%.1f J)", y->name, second_j,
                   x->name, first_j);
}

/* A part may not draw more than the whole. */
static void check_part(const struct measurement *measurement, size_t part, size_t whole, struct notices *notices)
{
    const struct domain *x = domain_at(measurement, part), *y = domain_at(measurement, whole);
    double part_j, whole_j;

    if ((x->component != COMPONENT_CORES && x->component != COMPONENT_UNCORE) || y->component != COMPONENT_PACKAGE ||
        x->package != y->package || x->die != y->die || x->access != y->access || x->access == ACCESS_SENSOR ||
        x->not_counted[0])
        return;
    if (compare(measurement, part, whole, &part_j, &whole_j) && part_j > LEAST_J &&
        part_j > whole_j * (1 + PART_TOLERANCE))
        notice_add(notices, "a part cannot use more than the whole: one of the two counters is wrong",
                   "compare with another meter", "%s used %.1f J, more than %s, which contains it (%.1f J)", x->name,
                   part_j, y->name, whole_j);
}

static bool is_whole(const struct measurement *measurement, size_t i)
{
    const struct domain *domain = domain_at(measurement, i);

    return (domain->component == COMPONENT_PLATFORM || domain->component == COMPONENT_MACHINE) &&
           !domain->not_counted[0] && !measurement->counting->counts[i] && measurement->meter->domains[i].moved;
}

/* Several of one source are the whole together: a platform per package, batteries. */
static bool is_of_whole(const struct measurement *measurement, size_t whole, size_t i)
{
    return is_whole(measurement, i) &&
           measurement->meter->domains[i].source == measurement->meter->domains[whole].source &&
           domain_at(measurement, i)->component == domain_at(measurement, whole)->component &&
           (i == whole || domain_at(measurement, i)->part ||
            domain_at(measurement, i)->component == COMPONENT_PLATFORM);
}

static bool is_component(const struct measurement *measurement, bool platform, size_t i)
{
    const struct domain *domain = domain_at(measurement, i);

    return measurement->counting->counts[i] && domain->quality != QUALITY_MODELLED &&
           measurement->meter->domains[i].moved && !(platform && domain->component == COMPONENT_GPU);
}

/* What covers more than the counted components must say more. */
static void check_whole(const struct measurement *measurement, size_t whole, struct notices *notices)
{
    const bool platform = domain_at(measurement, whole)->component == COMPONENT_PLATFORM;
    double parts_j = 0, whole_j = 0, ignored_j, one_j;

    if (!is_whole(measurement, whole))
        return;
    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        if (is_of_whole(measurement, whole, i)) {
            if (i < whole)
                return; /* said of the first */
            compare(measurement, whole, i, &ignored_j, &one_j);
            whole_j += one_j;
        }
        if (is_component(measurement, platform, i)) {
            compare(measurement, whole, i, &ignored_j, &one_j);
            parts_j += one_j;
        }
    }
    if (parts_j > LEAST_J && parts_j > whole_j * (1 + PART_TOLERANCE))
        notice_add(
            notices,
            platform ? "the platform contains the packages; on boards where it is not wired through it tells less"
                     : "the whole contains its components; one of the meters is wrong",
            platform ? "do not use --scope platform on this machine" : "compare with another meter",
            "the components (%.1f J) are above %s of %s (%.1f J), which %s not to be trusted", parts_j,
            domain_at(measurement, whole)->name, source_at(measurement, whole), whole_j, platform ? "is" : "may be");
}

void cross_check_notices(const struct measurement *measurement, struct notices *notices)
{
    const size_t count = measurement->meter->domain_count;

    for (size_t i = 0; i < count; i++) {
        check_whole(measurement, i, notices);
        for (size_t j = 0; j < count; j++) {
            if (j > i) {
                check_twins(measurement, i, j, notices);
                check_mirrors(measurement, i, j, notices);
            }
            check_part(measurement, i, j, notices);
        }
    }
}
