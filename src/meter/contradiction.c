/* SPDX-License-Identifier: MIT
 * Contradictions between two domains: parts and the domain that includes them. Priority, in this order: a package's or
 * a board's own meter before its parts, the counters of the processors and cards before a meter around them, any meter
 * before a model. */
#include "meter/contradiction.h"

#include "meter/contradiction_pairs.h"

#include <math.h>

#define PART_TOLERANCE 0.02 /* sensors of different kinds, whose moments differ */
#define WATCHED_UPDATES 2   /* of a meter that tells averages */

static bool is_above(const struct judging *judging, const struct domain_group *part, const struct domain_group *whole,
                     double *part_j, double *whole_j)
{
    sum_groups(judging, part, whole, part_j, whole_j);
    return *part_j > MIN_J && *part_j > *whole_j * (1 + PART_TOLERANCE);
}

static void doubt_above(struct judging *judging, const struct domain_group *parts, const struct domain_group *whole)
{
    bool any = false;

    for (int all = 0; all <= 1 && !any; all++)
        for (size_t i = 0; i < parts->count; i++) {
            const struct domain_group one = { .domains = { parts->domains[i] }, .count = 1 };
            double part_j, whole_j;
            if (!all && !is_above(judging, &one, whole, &part_j, &whole_j))
                continue;
            judging->meter->domains[parts->domains[i]].doubted = any = true;
        }
}

/* Parts that together are above what contains them. */
static void check_parts(struct judging *judging, const struct domain_group *parts, const struct domain_group *whole,
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
    const struct domain_group package = { .domains = { whole }, .count = 1 };
    struct domain_group parts = { .count = 0 };

    if (y->component != COMPONENT_PACKAGE || !has_moved(judging, whole) || y->access == ACCESS_SENSOR)
        return;
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const struct domain *x = domain_at(judging, i);
        if ((x->component == COMPONENT_CORES || x->component == COMPONENT_UNCORE) && has_moved(judging, i) &&
            x->package == y->package && x->die == y->die && x->access == y->access &&
            judging->meter->domains[i].source == judging->meter->domains[whole].source)
            group_add(&parts, i);
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
static bool collect_whole(const struct judging *judging, size_t first, struct domain_group *whole)
{
    *whole = (struct domain_group){ .count = 0 };
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const bool same = is_whole(judging, i) &&
                          domain_at(judging, i)->component == domain_at(judging, first)->component &&
                          judging->meter->domains[i].source == judging->meter->domains[first].source &&
                          (i == first || domain_at(judging, i)->component == COMPONENT_PLATFORM ||
                           (domain_at(judging, i)->part && domain_at(judging, first)->part));
        if (same && i < first)
            return false;
        if (same)
            group_add(whole, i);
    }
    return is_whole(judging, first);
}

static void check_rails(struct judging *judging, const struct domain_group *board, struct finding *finding)
{
    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        const struct domain_group rail = { .domains = { i }, .count = 1 };
        if (domain_at(judging, i)->component == COMPONENT_RAIL && has_moved(judging, i) &&
            judging->meter->domains[i].source == judging->meter->domains[board->domains[0]].source)
            check_parts(judging, &rail, board, finding);
    }
}

/* It told its own energy for long enough: what averages over 5 s says nothing of 1 s. */
static bool is_watched(const struct judging *judging, const struct domain_group *whole)
{
    uint64_t update_ns = 0;

    for (size_t i = 0; i < whole->count; i++)
        if (domain_at(judging, whole->domains[i])->update_ns > update_ns)
            update_ns = domain_at(judging, whole->domains[i])->update_ns;
    return windows_ns(judging->steps) >= WATCHED_UPDATES * update_ns;
}

/* What scope compute counts and the whole contains; a card is not in psys. */
static void collect_components(const struct judging *judging, const struct domain_group *whole, bool modelled,
                               struct domain_group *components)
{
    const bool platform = domain_at(judging, whole->domains[0])->component == COMPONENT_PLATFORM;

    *components = (struct domain_group){ .count = 0 };
    for (size_t i = 0; i < judging->meter->domain_count; i++)
        if (judging->compute.is_counted[i] && has_moved(judging, i) && !judging->meter->domains[i].doubted &&
            is_model(judging, i) == modelled && !(platform && domain_at(judging, i)->component == COMPONENT_GPU))
            group_add(components, i);
}

/* What covers more than the components must say more. True: it is doubted. */
static bool check_whole(struct judging *judging, const struct domain_group *whole)
{
    const size_t first = whole->domains[0];
    const bool platform = domain_at(judging, first)->component == COMPONENT_PLATFORM;
    const bool counts = judging->counting->is_counted[first];
    struct domain_group components;
    double parts_j, whole_j;

    collect_components(judging, whole, false, &components);
    if (!components.count || !is_above(judging, &components, whole, &parts_j, &whole_j) ||
        (counts && !is_watched(judging, whole)))
        return false;
    for (size_t i = 0; i < whole->count; i++)
        judging->meter->domains[whole->domains[i]].doubted = true;
    if (is_model(judging, first))
        return true; /* not counted in a total */
    notice_add(
        &judging->meter->findings, NOTICE_PART_ABOVE_WHOLE,
        platform ? "the platform includes the packages; on boards that do not wire it fully it reports less, so its "
                   "figure is not shown"
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
static void check_model(struct judging *judging, const struct domain_group *whole)
{
    struct domain_group modelled, measured;
    double model_j, whole_j, measured_j = 0, ignored_j;

    collect_components(judging, whole, true, &modelled);
    collect_components(judging, whole, false, &measured);
    if (!modelled.count || is_model(judging, whole->domains[0]) || !is_watched(judging, whole))
        return;
    sum_groups(judging, &modelled, whole, &model_j, &whole_j);
    if (measured.count)
        sum_groups(judging, &measured, whole, &measured_j, &ignored_j);
    if (model_j + measured_j <= MIN_J || model_j + measured_j <= whole_j * (1 + PART_TOLERANCE))
        return;
    for (size_t i = 0; i < modelled.count; i++)
        if (judging->meter->domains[modelled.domains[i]].own_high_ratio == 0)
            limit(judging, modelled.domains[i], fmax(0, whole_j - measured_j) / model_j);
    notice_add(
        &judging->meter->findings, NOTICE_METERS_DIFFER,
        judging->meter->domains[modelled.domains[0]].doubted
            ? "a meter is trusted before a model: all of the model's range is above it, and no figure of it is shown"
            : "a meter overrides a model: the model's range is limited by the reading",
        "measure the processors themselves: 'carbon sources' says what is in the way",
        "the model of the processors (%.1f J) is above what %s of %s, which contains them, leaves to it (%.1f J)",
        model_j, domain_at(judging, whole->domains[0])->name, source_at(judging, whole->domains[0]),
        fmax(0, whole_j - measured_j));
}

static void check_wholes(struct judging *judging, struct finding *rails)
{
    struct domain_group whole;

    for (size_t i = 0; i < judging->meter->domain_count; i++) {
        if (!is_whole(judging, i) || !collect_whole(judging, i, &whole))
            continue;
        check_rails(judging, &whole, rails);
        if (judging->has_compute && !check_whole(judging, &whole))
            check_model(judging, &whole);
    }
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
    judging.has_compute = judging.compute.counted && !judging.compute.fallback_to_machine;
    finding_begin(&parts);
    finding_begin(&rails);
    for (size_t i = 0; i < meter->domain_count; i++)
        check_package(&judging, i, &parts);
    check_wholes(&judging, &rails);
    contradictions_of_pairs(&judging);
    finding_tell(&judging, &parts, NOTICE_PART_ABOVE_WHOLE,
                 "a part cannot use more than the whole: the package's own counter is trusted, and the part's "
                 "figure is not shown",
                 "compare with another meter");
    finding_tell(&judging, &rails, NOTICE_PART_ABOVE_WHOLE,
                 "a part cannot use more than the whole: the board's own meter is trusted, and the rail's "
                 "figure is not shown",
                 "compare with another meter");
}
