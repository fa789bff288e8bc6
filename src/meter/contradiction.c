/* SPDX-License-Identifier: MIT
 * What cannot be true of two domains at once. Trusted is, in this order: a package's or a board's own meter before its
 * parts, the counters of the processors and cards before a meter of what is around them, any meter before a model. */
#include "meter/contradiction.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_J 10.0         /* below, the edges of two reads differ by more than what is looked for */
#define PART_TOLERANCE 0.02  /* sensors of different kinds, whose moments differ */
#define TWIN_TOLERANCE 0.005 /* powercap against perf, which round the unit differently (P09) */
#define QUIRK_TOLERANCE 0.02
#define MIRROR_TOLERANCE 0.05 /* AMD's dies */
#define SOCKETS_APART 10      /* under equal load */
#define IDLE 0.1              /* of all CPUs: at most so much is busy, */
#define FULL 0.9              /* or at least so much */
#define WATCHED_UPDATES 2     /* of a meter that tells averages */

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

struct judging {
    struct meter *meter;
    const struct counting *counting; /* of the total */
    const struct window_list *steps;
    struct counting compute; /* what scope compute counts, whatever the total is of */
    bool has_compute;
};

/* Some of a meter's domains; each moved. */
struct group {
    size_t domains[ENERGY_MAX_DOMAINS];
    size_t count;
};

void contradiction_names(const struct meter *meter, const size_t *domains, size_t count, struct text *names)
{
    if (count > 3) {
        text_add(names, "%s to %s", meter->domains[domains[0]].domain->name,
                 meter->domains[domains[count - 1]].domain->name);
        return;
    }
    for (size_t i = 0; i < count; i++)
        text_add(names, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", meter->domains[domains[i]].domain->name);
}

static const struct domain *domain_at(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].domain;
}

static const char *source_at(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].source->driver->name;
}

static bool has_moved(const struct judging *judging, size_t i)
{
    return judging->meter->domains[i].moved;
}

static void add(struct group *group, size_t domain)
{
    group->domains[group->count++] = domain;
}

static bool group_knows(const struct window *step, const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (!step_knows(step, group->domains[i]))
            return false;
    return group->count > 0;
}

static double group_j(const struct window *step, const struct group *group)
{
    double sum_j = 0;

    for (size_t i = 0; i < group->count; i++)
        sum_j += j_from_uj(step->energy_uj[group->domains[i]]);
    return sum_j;
}

/* The energy of both in all windows that know all of both. */
static void sum_up(const struct judging *judging, const struct group *a, const struct group *b, double *a_j,
                   double *b_j)
{
    *a_j = *b_j = 0;
    for (size_t i = 0; i < judging->steps->count; i++) {
        const struct window *step = judging->steps->at(judging->steps->of, i);
        if (group_knows(step, a) && group_knows(step, b)) {
            *a_j += group_j(step, a);
            *b_j += group_j(step, b);
        }
    }
}

static bool is_above(const struct judging *judging, const struct group *part, const struct group *whole, double *part_j,
                     double *whole_j)
{
    sum_up(judging, part, whole, part_j, whole_j);
    return *part_j > LEAST_J && *part_j > *whole_j * (1 + PART_TOLERANCE);
}

/* Findings of one kind: the first is told, and how many more there are. */
struct finding {
    size_t count;
    struct text what;
};

static void begin(struct finding *finding)
{
    *finding = (struct finding){ .count = 0 };
    text_open(&finding->what, 256);
}

static void tell(struct judging *judging, struct finding *finding, enum notice_kind kind, const char *why,
                 const char *fix)
{
    if (finding->count > 1)
        text_add(&finding->what, "; %zu more are like that", finding->count - 1);
    if (finding->count)
        notice_add(&judging->meter->findings, kind, why, fix, "%s", finding->what.data ? finding->what.data : "");
    text_close(&finding->what);
}

static void doubt_above(struct judging *judging, const struct group *parts, const struct group *whole)
{
    bool any = false;

    for (int all = 0; all <= 1 && !any; all++)
        for (size_t i = 0; i < parts->count; i++) {
            const struct group one = { .domains = { parts->domains[i] }, .count = 1 };
            double part_j, whole_j;
            if (!all && !is_above(judging, &one, whole, &part_j, &whole_j))
                continue;
            judging->meter->domains[parts->domains[i]].doubted = any = true;
        }
}

/* Parts that together are above what contains them. */
static void check_parts(struct judging *judging, const struct group *parts, const struct group *whole,
                        struct finding *finding)
{
    double part_j, whole_j;

    if (!parts->count || !whole->count || !is_above(judging, parts, whole, &part_j, &whole_j))
        return;
    doubt_above(judging, parts, whole);
    if (finding->count++)
        return;
    contradiction_names(judging->meter, parts->domains, parts->count, &finding->what);
    text_add(&finding->what, " used %.1f J, more than ", part_j);
    contradiction_names(judging->meter, whole->domains, whole->count, &finding->what);
    text_add(&finding->what, ", which contains %s (%.1f J)", parts->count > 1 ? "them" : "it", whole_j);
}

static void check_package(struct judging *judging, size_t whole, struct finding *finding)
{
    const struct domain *y = domain_at(judging, whole);
    const struct group package = { .domains = { whole }, .count = 1 };
    struct group parts = { .count = 0 };

    if (y->component != COMPONENT_PACKAGE || !has_moved(judging, whole) || y->access == ACCESS_SENSOR)
        return;
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const struct domain *x = domain_at(judging, i);
        if ((x->component == COMPONENT_CORES || x->component == COMPONENT_UNCORE) && has_moved(judging, i) &&
            x->package == y->package && x->die == y->die && x->access == y->access &&
            judging->meter->domains[i].source == judging->meter->domains[whole].source)
            add(&parts, i);
    }
    check_parts(judging, &parts, &package, finding);
}

static bool is_model(const struct judging *judging, size_t i)
{
    return domain_at(judging, i)->quality == QUALITY_MODELLED;
}

/* A meter of the whole that moved, be it counted or not. */
static bool is_whole(const struct judging *judging, size_t i)
{
    const struct domain *domain = domain_at(judging, i);

    return (domain->component == COMPONENT_PLATFORM || domain->component == COMPONENT_MACHINE) &&
           !domain->not_counted[0] && !domain->disproved && domain->problem.kind == ERROR_NONE && has_moved(judging, i);
}

/* Several of one source are the whole together: a platform per package, batteries. False: it is not the first. */
static bool collect_whole(const struct judging *judging, size_t first, struct group *whole)
{
    *whole = (struct group){ .count = 0 };
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const bool same = is_whole(judging, i) &&
                          domain_at(judging, i)->component == domain_at(judging, first)->component &&
                          judging->meter->domains[i].source == judging->meter->domains[first].source &&
                          (i == first || domain_at(judging, i)->component == COMPONENT_PLATFORM ||
                           (domain_at(judging, i)->part && domain_at(judging, first)->part));
        if (same && i < first)
            return false;
        if (same)
            add(whole, i);
    }
    return is_whole(judging, first);
}

static void check_rails(struct judging *judging, const struct group *board, struct finding *finding)
{
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const struct group rail = { .domains = { i }, .count = 1 };
        if (domain_at(judging, i)->component == COMPONENT_RAIL && has_moved(judging, i) &&
            judging->meter->domains[i].source == judging->meter->domains[board->domains[0]].source)
            check_parts(judging, &rail, board, finding);
    }
}

/* It told its own energy for long enough: what averages over 5 s says nothing of 1 s. */
static bool is_watched(const struct judging *judging, const struct group *whole)
{
    uint64_t update_ns = 0;

    for (size_t i = 0; i < whole->count; i++)
        if (domain_at(judging, whole->domains[i])->update_ns > update_ns)
            update_ns = domain_at(judging, whole->domains[i])->update_ns;
    return windows_ns(judging->steps) >= WATCHED_UPDATES * update_ns;
}

/* What scope compute counts and the whole contains; a card is not in psys. */
static void collect_components(const struct judging *judging, const struct group *whole, bool modelled,
                               struct group *components)
{
    const bool platform = domain_at(judging, whole->domains[0])->component == COMPONENT_PLATFORM;

    *components = (struct group){ .count = 0 };
    for (size_t i = 0; i < judging->meter->domain_count; i++)
        if (judging->compute.counts[i] && has_moved(judging, i) && !judging->meter->domains[i].doubted &&
            is_model(judging, i) == modelled && !(platform && domain_at(judging, i)->component == COMPONENT_GPU))
            add(components, i);
}

/* What covers more than the components must say more. True: it is doubted. */
static bool check_whole(struct judging *judging, const struct group *whole)
{
    const size_t first = whole->domains[0];
    const bool platform = domain_at(judging, first)->component == COMPONENT_PLATFORM;
    const bool counts = judging->counting->counts[first];
    struct group components;
    double parts_j, whole_j;

    collect_components(judging, whole, false, &components);
    if (!components.count || !is_above(judging, &components, whole, &parts_j, &whole_j) ||
        (counts && !is_watched(judging, whole)))
        return false;
    for (size_t i = 0; i < whole->count; i++)
        judging->meter->domains[whole->domains[i]].doubted = true;
    if (is_model(judging, first))
        return true; /* it counts in no total */
    notice_add(
        &judging->meter->findings, NOTICE_PART_ABOVE_WHOLE,
        platform ? "the platform contains the packages; on boards where it is not wired through it tells less, and "
                   "its figure is not shown"
                 : "the whole contains its components; the counters of these are trusted, and its figure is not shown",
        platform ? "do not use --scope platform on this machine" : "compare with another meter",
        "the components (%.1f J) are above %s of %s (%.1f J), which %s not to be trusted", parts_j,
        domain_at(judging, first)->name, source_at(judging, first), whole_j, platform ? "is" : "may be");
    return true;
}

/* Its range ends there; where it begins above that, nothing of it is left. */
static void limit(struct judging *judging, size_t i, double ratio)
{
    struct meter_domain *state = &judging->meter->domains[i];
    struct domain *domain = &state->source->domains[state->domain - state->source->domains];

    state->doubted = domain->low_ratio > ratio;
    state->own_low_ratio = domain->low_ratio;
    state->own_high_ratio = domain->high_ratio;
    domain->high_ratio = fmin(domain->high_ratio, ratio);
    domain->low_ratio = fmin(domain->low_ratio, domain->high_ratio);
}

/* A model can be no more than what a meter that contains it leaves to it. */
static void check_model(struct judging *judging, const struct group *whole)
{
    struct group modelled, measured;
    double model_j, whole_j, measured_j = 0, ignored_j;

    collect_components(judging, whole, true, &modelled);
    collect_components(judging, whole, false, &measured);
    if (!modelled.count || is_model(judging, whole->domains[0]) || !is_watched(judging, whole))
        return;
    sum_up(judging, &modelled, whole, &model_j, &whole_j);
    if (measured.count)
        sum_up(judging, &measured, whole, &measured_j, &ignored_j);
    if (model_j + measured_j <= LEAST_J || model_j + measured_j <= whole_j * (1 + PART_TOLERANCE))
        return;
    for (size_t i = 0; i < modelled.count; i++)
        if (judging->meter->domains[modelled.domains[i]].own_high_ratio == 0)
            limit(judging, modelled.domains[i], fmax(0, whole_j - measured_j) / model_j);
    notice_add(
        &judging->meter->findings, NOTICE_METERS_DIFFER,
        judging->meter->domains[modelled.domains[0]].doubted
            ? "a meter is trusted before a model: all of the model's range is above it, and no figure of it is shown"
            : "a meter is trusted before a model: the range of the model ends at what it leaves",
        "measure the processors themselves: 'carbon sources' says what is in the way",
        "the model of the processors (%.1f J) is above what %s of %s, which contains them, leaves to it (%.1f J)",
        model_j, domain_at(judging, whole->domains[0])->name, source_at(judging, whole->domains[0]),
        fmax(0, whole_j - measured_j));
}

static void check_wholes(struct judging *judging, struct finding *rails)
{
    struct group whole;

    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        if (!is_whole(judging, i) || !collect_whole(judging, i, &whole))
            continue;
        check_rails(judging, &whole, rails);
        if (judging->has_compute && !check_whole(judging, &whole))
            check_model(judging, &whole);
    }
}

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

    if (!judging->compute.counts[a] || !judging->compute.counts[b] || x->source != y->source ||
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
    if (a_j <= LEAST_J || a_j < SOCKETS_APART * b_j || y->doubted)
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
    const struct group first = { .domains = { a }, .count = 1 }, second = { .domains = { b }, .count = 1 };
    const double slack_j = 2 * (j_from_uj(x->resolution_uj) + j_from_uj(y->resolution_uj));
    const struct quirk *quirk = NULL;
    double first_j, second_j;

    if (x->component != y->component || x->package != y->package || x->die != y->die || x->access == y->access ||
        y->access == ACCESS_MODEL || y->access == ACCESS_SENSOR || !judging->counting->counts[a] ||
        !has_moved(judging, a) || !has_moved(judging, b))
        return;
    sum_up(judging, &first, &second, &first_j, &second_j);
    if (first_j <= LEAST_J || fabs(second_j - first_j) <= TWIN_TOLERANCE * first_j + slack_j || finding->count++)
        return;
    if (x->access == ACCESS_MSR && y->access == ACCESS_PERF)
        quirk = quirk_of(judging->meter->machine, x->component, first_j / second_j);
    *why = quirk ? quirk->why : "both read the same register and should agree within 0.5 %";
    text_add(&finding->what, "%s says %.1f J for %s, %s says %.1f J", source_at(judging, a), first_j, x->name,
             source_at(judging, b), second_j);
    if (strcmp(source_at(judging, a), source_at(judging, b)) == 0)
        text_add(&finding->what, " for %s", y->name);
}

/* Dies of one AMD package are taken for mirrors of one counter. */
static void check_dies(struct judging *judging, size_t a, size_t b, struct finding *finding)
{
    const struct domain *x = domain_at(judging, a), *y = domain_at(judging, b);
    const struct group first = { .domains = { a }, .count = 1 }, second = { .domains = { b }, .count = 1 };
    const bool *counts = judging->compute.counts;
    double first_j, second_j;

    if (x->component != COMPONENT_PACKAGE || y->component != COMPONENT_PACKAGE || x->access != y->access ||
        judging->meter->domains[a].source != judging->meter->domains[b].source || x->access == ACCESS_SENSOR ||
        x->package != y->package || x->die == y->die || !counts[a] || counts[b] ||
        judging->meter->domains[b].left_out || !has_moved(judging, a) || !has_moved(judging, b))
        return;
    sum_up(judging, &first, &second, &first_j, &second_j);
    if (first_j <= LEAST_J || fabs(second_j / first_j - 1) <= MIRROR_TOLERANCE || finding->count++)
        return;
    text_add(&finding->what, "%s (%.1f J) is no mirror of %s (%.1f J)", y->name, second_j, x->name, first_j);
}

static void check_pairs(struct judging *judging)
{
    const size_t count = judging->meter->domain_count;
    struct finding twins, dies, sockets;
    const char *why = "";

    begin(&twins);
    begin(&dies);
    begin(&sockets);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            if (a < b)
                check_twins(judging, a, b, &twins, &why);
            if (a != b) {
                check_dies(judging, a, b, &dies);
                check_sockets(judging, a, b, &sockets);
            }
        }
    tell(judging, &twins, NOTICE_METERS_DIFFER, why, "'carbon sources' shows both; --source counts the other");
    tell(judging, &dies, NOTICE_METERS_DIFFER,
         "the dies of such a processor are expected to show one counter, and these move differently",
         "compare the total with another meter");
    tell(judging, &sockets, NOTICE_SOCKETS_DIFFER,
         "sockets that do as much draw as much: the lower figure is not shown", "compare with another meter");
}

/* Several, with a meter among them: one figure contradicts nothing, nor does a model itself. */
static bool can_contradict(const struct meter *meter)
{
    bool measured = false;

    for (size_t i = 0; i < meter->domain_count; i++)
        measured |= meter->domains[i].domain->access != ACCESS_MODEL;
    return measured && meter->domain_count > 1;
}

void contradictions_find(struct meter *meter, const struct counting *counting, const struct window_list *steps)
{
    struct judging judging = { .meter = meter, .counting = counting, .steps = steps };
    struct finding parts, rails;

    if (!can_contradict(meter))
        return;
    scope_choose(meter, SCOPE_COMPUTE, &judging.compute);
    judging.has_compute = judging.compute.counted && !judging.compute.stands_in;
    begin(&parts);
    begin(&rails);
    for (size_t i = 0; i < meter->domain_count; i++)
        check_package(&judging, i, &parts);
    check_wholes(&judging, &rails);
    check_pairs(&judging);
    tell(&judging, &parts, NOTICE_PART_ABOVE_WHOLE,
         "a part cannot use more than the whole: the package's own counter is trusted, and the part's "
         "figure is not shown",
         "compare with another meter");
    tell(&judging, &rails, NOTICE_PART_ABOVE_WHOLE,
         "a part cannot use more than the whole: the board's own meter is trusted, and the rail's "
         "figure is not shown",
         "compare with another meter");
}
