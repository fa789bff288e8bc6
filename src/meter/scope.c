/* SPDX-License-Identifier: MIT
 * The counting policy: nothing twice, nothing silently left out. */
#include "meter/scope.h"

#include "base/text.h"
#include "energy/domains.h"
#include "meter/scope_parts.h"

#include <stdio.h>
#include <string.h>

static const char *const scope_names[] = {
    [SCOPE_COMPUTE] = "compute",
    [SCOPE_PLATFORM] = "platform",
    [SCOPE_MACHINE] = "machine",
};

const char *scope_name(enum scope scope)
{
    return scope_names[scope];
}

bool scope_of(const char *name, enum scope *scope)
{
    for (size_t i = 0; i < sizeof scope_names / sizeof scope_names[0]; i++)
        if (strcmp(name, scope_names[i]) == 0) {
            *scope = (enum scope)i;
            return true;
        }
    return false;
}

static bool in_scope(enum scope scope, enum component component)
{
    switch (scope) {
    case SCOPE_COMPUTE:
        return component == COMPONENT_PACKAGE || component == COMPONENT_MEMORY || component == COMPONENT_GPU;
    case SCOPE_PLATFORM: return component == COMPONENT_PLATFORM || component == COMPONENT_GPU;
    case SCOPE_MACHINE: return component == COMPONENT_MACHINE;
    }
    return false;
}

static bool is_ready(const struct domain *domain)
{
    return domain->problem.kind == ERROR_NONE;
}

static bool covers_all(const struct meter_domain *domain)
{
    return domain->source->driver->covers_all;
}

/* Whether two domains of one component hold the same joules. */
static bool is_same(const struct meter *meter, const struct meter_domain *a, const struct meter_domain *b)
{
    const struct domain *x = a->domain, *y = b->domain;
    const bool same_package = x->package == y->package || x->package < 0 || y->package < 0;

    if (x->component != y->component)
        return false;
    if (a->source == b->source && x->part && y->part)
        return false;
    if (covers_all(a) || covers_all(b))
        return true;
    /* every card has one meter of its own */
    if (x->component == COMPONENT_GPU)
        return false;
    if (x->component == COMPONENT_MACHINE)
        return true;
    /* which package a board's counter is read through says nothing about what it covers */
    if (x->component == COMPONENT_PLATFORM)
        return a->source != b->source;
    if (a->source == b->source && x->access == y->access &&
        (x->package < 0 || y->package < 0 || (x->access == ACCESS_MSR && !package_has_one_counter(meter->machine))))
        return false; /* two zones of one name are two until they are shown to be one: meter/cross_check.h */
    return same_package && (x->die == y->die || x->die < 0 || y->die < 0 || package_has_one_counter(meter->machine));
}

static const struct meter_domain *same_before(const struct meter *meter, const bool *taken, size_t index)
{
    for (size_t i = 0; i < meter->domain_count; i++)
        if (taken[i] && i != index && is_same(meter, &meter->domains[i], &meter->domains[index]))
            return &meter->domains[i];
    return NULL;
}

/* Chooses readable domains in order of trust, then ones this user may not read. A modelled domain replaces measured
 * ones that cannot be read. */
static void choose(const struct meter *meter, enum scope scope, bool modelled, struct counting *counting)
{
    const bool *taken = modelled ? counting->is_counted : counting->eligible;

    for (int ready = 1; ready >= 0; ready--)
        for (size_t i = 0; i < meter->domain_count; i++) {
            const struct domain *domain = meter->domains[i].domain;
            if (!in_scope(scope, domain->component) || domain->not_counted[0] || is_ready(domain) != ready ||
                (domain->quality == QUALITY_MODELLED) != modelled || same_before(meter, taken, i))
                continue;
            counting->eligible[i] = true;
            counting->is_counted[i] = ready;
            counting->counted += (size_t)ready;
        }
}

static const char *why_counted(const struct domain *domain)
{
    const bool sensor = domain->access == ACCESS_SENSOR;

    switch (domain->component) {
    case COMPONENT_PACKAGE:
        return domain->part ? "one of the rails that together are the package; they are added"
               : sensor     ? "the package's own sensor"
                            : "package counter, includes cores and integrated GPU";
    case COMPONENT_MEMORY: return "DRAM counter, not part of the package; added";
    case COMPONENT_GPU: return "a card of its own; outside the package, so it is added";
    case COMPONENT_PLATFORM: return "the platform's counter; the packages are in it";
    case COMPONENT_MACHINE:
        return domain->part ? "one of the supplies of the whole machine; they are added" : "the whole machine";
    case COMPONENT_CORES:
    case COMPONENT_UNCORE:
    case COMPONENT_RAIL:
    case COMPONENT_COUNT: break;
    }
    return "";
}

static const char *why_out_of_scope(enum scope scope, enum component component)
{
    switch (component) {
    case COMPONENT_CORES: return "included in the package (cores)";
    case COMPONENT_UNCORE: return "inside its package (integrated graphics and the like)";
    case COMPONENT_PLATFORM:
        return scope == SCOPE_COMPUTE ? "includes the packages; not added to them" : "part of the whole machine";
    case COMPONENT_MACHINE: return "covers the whole machine; it is never added to its parts";
    case COMPONENT_PACKAGE:
    case COMPONENT_MEMORY:
    case COMPONENT_GPU:
        return scope == SCOPE_PLATFORM ? "not the platform's counter; never added to it" : "part of the whole machine";
    case COMPONENT_RAIL:
    case COMPONENT_COUNT: break;
    }
    return "a part of something larger";
}

static void why_twice(const struct meter_domain *domain, const struct meter_domain *other, char *reason, size_t size)
{
    const char *driver = other->source->driver->name, *name = other->domain->name;

    if (domain < other) /* domain is the more trusted one */
        snprintf(reason, size, "cannot be read (%s); %s's %s counts instead",
                 error_kind_name(domain->domain->problem.kind), driver, name);
    else if (domain->domain->component == COMPONENT_MACHINE || covers_all(domain) || covers_all(other))
        snprintf(reason, size, "covers the same as %s's %s; never both", driver, name);
    else if (domain->source != other->source)
        snprintf(reason, size, "the same counter as %s's %s; never both", driver, name);
    else if (domain->domain->access != other->domain->access)
        snprintf(reason, size, "second interface (memory mapped) to the counter of %s", name);
    else
        snprintf(reason, size, "the package's counter seen from another die: a mirror of %s", name);
}

static void why_not_yet(const struct meter *meter, const struct domain *domain, char *reason, size_t size)
{
    if (domain->access == ACCESS_PERF && domain->problem.kind == ERROR_ABSENT && !meter->root->live)
        text_copy(reason, size, "counts on the machine itself; events of a recorded machine cannot be opened");
    else
        snprintf(reason, size, "counts when readable; now it is %s", error_kind_name(domain->problem.kind));
}

static void explain(const struct meter *meter, enum scope scope, size_t index, struct counting *counting)
{
    const struct meter_domain *domain = &meter->domains[index], *same;
    char *reason = counting->reason[index];
    const size_t size = sizeof counting->reason[index];

    if (counting->is_counted[index])
        text_copy(reason, size,
                  domain->domain->quality == QUALITY_MODELLED ? "fallback: no counter can be read"
                                                              : why_counted(domain->domain));
    else if (counting->eligible[index])
        why_not_yet(meter, domain->domain, reason, size);
    else if (domain->domain->not_counted[0])
        text_copy(reason, size, domain->domain->not_counted);
    else if (!in_scope(scope, domain->domain->component))
        text_copy(reason, size, why_out_of_scope(scope, domain->domain->component));
    else if ((same = same_before(meter, counting->eligible, index)))
        why_twice(domain, same, reason, size);
    else
        text_copy(reason, size, "modelled; measured domains are counted");
}

static bool counts_model(const struct meter *meter, const struct counting *counting)
{
    for (size_t i = 0; i < meter->domain_count; i++)
        if (counting->is_counted[i] && meter->domains[i].domain->quality == QUALITY_MODELLED)
            return true;
    return false;
}

/* What repeats another tells nothing of what it should, unless both are of one package. */
static bool lacks_repeated(const struct meter *meter, enum scope scope)
{
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain, *first = meter->domains[i].repeats;
        if (first && in_scope(scope, domain->component) && (domain->package < 0 || domain->package != first->package))
            return true;
    }
    return false;
}

static bool fail_without_domain(const struct meter *meter, enum scope scope, const struct counting *counting,
                                struct error *err)
{
    static const char *const whats[] = {
        [SCOPE_COMPUTE] = "no processor energy can be read",
        [SCOPE_PLATFORM] = "no platform energy (psys) can be read",
        [SCOPE_MACHINE] = "no whole-machine energy can be read",
    };

    for (size_t i = 0; i < meter->domain_count; i++)
        if (counting->eligible[i]) {
            if (err)
                *err = meter->domains[i].domain->problem;
            return false;
        }
    error_set(err, ERROR_ABSENT, "%s", whats[scope]);
    error_notice(err, NOTICE_NO_COUNTER);
    error_why(err, "scope '%s' has no domain on this machine", scope_name(scope));
    return error_fix(err, "'carbon sources' lists the domains that there are%s",
                     scope == SCOPE_COMPUTE ? "" : "; --scope compute is the default");
}

static bool has_component(const struct meter *meter, const bool *chosen, enum component component)
{
    for (size_t i = 0; i < meter->domain_count; i++)
        if (chosen[i] && meter->domains[i].domain->component == component)
            return true;
    return false;
}

static void count_none(struct counting *counting)
{
    memset(counting, 0, offsetof(struct counting, reason));
    counting->whole_machine = -1;
}

/* Where the packages have no counter at all, a meter of the whole machine covers them and the rest. */
static bool choose_whole(const struct meter *meter, bool modelled, struct counting *counting)
{
    struct counting whole;

    if (has_component(meter, counting->eligible, COMPONENT_PACKAGE))
        return false;
    count_none(&whole);
    whole.fallback_to_machine = true;
    choose(meter, SCOPE_MACHINE, modelled, &whole);
    if (whole.counted)
        memcpy(counting, &whole, offsetof(struct counting, reason));
    return whole.counted;
}

void scope_choose(const struct meter *meter, enum scope scope, struct counting *counting)
{
    count_none(counting);
    choose(meter, scope, false, counting);
    if (scope == SCOPE_PLATFORM && !has_component(meter, counting->eligible, COMPONENT_PLATFORM))
        count_none(counting); /* cards alone are not the platform */
    if (scope == SCOPE_COMPUTE && !has_component(meter, counting->is_counted, COMPONENT_PACKAGE) &&
        !choose_whole(meter, false, counting)) {
        choose(meter, scope, true, counting);
        (void)choose_whole(meter, true, counting);
    }
}

static int find_whole_machine(const struct meter *meter, const struct counting *counting)
{
    static const enum component wider[] = { COMPONENT_MACHINE, COMPONENT_PLATFORM };

    for (size_t w = 0; w < sizeof wider / sizeof wider[0]; w++)
        for (size_t i = 0; i < meter->domain_count; i++) {
            const struct domain *domain = meter->domains[i].domain;
            if (domain->component == wider[w] && is_ready(domain) && !domain->not_counted[0])
                return counting->is_counted[i] ? -1 : (int)i;
        }
    return -1;
}

/* The whole machine's, or another part of it, if it is one of several. */
static bool is_of_whole(const struct meter *meter, const struct counting *counting, size_t i)
{
    const struct meter_domain *first = &meter->domains[counting->whole_machine], *other = &meter->domains[i];

    return other == first || (first->domain->part && other->domain->part && other->source == first->source &&
                              other->domain->component == first->domain->component && is_ready(other->domain) &&
                              !other->domain->not_counted[0]);
}

static void name_whole_machine(const struct meter *meter, struct counting *counting)
{
    char *name = counting->whole_machine_name;

    for (size_t i = (size_t)counting->whole_machine; i < meter->domain_count; i++) {
        const size_t length = strlen(name);
        if (is_of_whole(meter, counting, i))
            snprintf(name + length, sizeof counting->whole_machine_name - length, "%s%s", length ? " + " : "",
                     meter->domains[i].domain->name);
    }
}

enum coverage scope_coverage(const struct meter *meter, const struct counting *counting, size_t domain, bool counts)
{
    const enum component component = meter->domains[domain].domain->component;

    if (component != COMPONENT_MACHINE && component != COMPONENT_PLATFORM)
        return counts ? COVERS_PART : COVERS_AGAIN;
    return counts || (counting->whole_machine >= 0 && is_of_whole(meter, counting, domain)) ? COVERS_HOST
                                                                                            : COVERS_AGAIN;
}

const struct domain *scope_package_of(const struct meter *meter, size_t domain)
{
    const struct meter_domain *part = &meter->domains[domain];

    if (part->domain->component != COMPONENT_CORES && part->domain->component != COMPONENT_UNCORE)
        return NULL;
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *whole = meter->domains[i].domain;
        if (whole->component == COMPONENT_PACKAGE && meter->domains[i].source == part->source &&
            whole->package == part->domain->package && whole->die == part->domain->die)
            return whole;
    }
    return NULL;
}

bool scope_count(const struct meter *meter, enum scope scope, struct counting *counting, struct notices *notices,
                 struct error *err)
{
    bool measured;

    scope_choose(meter, scope, counting);
    for (size_t i = 0; i < meter->domain_count; i++)
        explain(meter, counting->fallback_to_machine ? SCOPE_MACHINE : scope, i, counting);
    if (!counting->counted)
        return fail_without_domain(meter, scope, counting, err);
    counting->whole_machine = find_whole_machine(meter, counting);
    if (counting->whole_machine >= 0)
        name_whole_machine(meter, counting);
    measured = !counts_model(meter, counting);
    counting->incomplete = lacks_repeated(meter, scope);
    if (counting->fallback_to_machine)
        notice_add(notices, NOTICE_SCOPE,
                   "no counter of the processors is here, and the machine's own meter covers them", "",
                   "the whole machine is counted");
    scope_notices(meter, measured && scope == SCOPE_COMPUTE && !counting->fallback_to_machine,
                  has_component(meter, counting->eligible, COMPONENT_MEMORY), counting, notices);
    return true;
}
