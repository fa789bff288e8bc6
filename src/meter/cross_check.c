/* SPDX-License-Identifier: MIT
 * What repeats another domain, and the way through all checks. */
#include "meter/cross_check.h"
#include "meter/contradiction.h"
#include "meter/contradiction_groups.h"
#include "meter/mirrors.h"

#include "base/text.h"
#include "base/units.h"

#include <stdio.h>

/* The source has them, so that they can be written. */
static struct domain *own_domain(const struct meter *meter, size_t i)
{
    const struct meter_domain *state = &meter->domains[i];

    return &state->source->domains[state->domain - state->source->domains];
}

static void leave_out(struct meter *meter, size_t i, const struct domain *first, enum notice_kind kind,
                      const char *reason)
{
    struct domain *domain = own_domain(meter, i);

    meter->domains[i].left_out = true;
    meter->domains[i].repeats = first;
    domain->not_counted_kind = kind;
    text_copy(domain->not_counted, sizeof domain->not_counted, reason);
}

void cross_check_forget(struct meter *meter)
{
    notices_clear(&meter->findings);
    for (size_t i = 0; i < meter->domain_count; i++) {
        struct meter_domain *state = &meter->domains[i];
        struct domain *domain = own_domain(meter, i);
        if (state->left_out) {
            domain->not_counted[0] = '\0';
            domain->not_counted_kind = NOTICE_NONE;
        }
        if (state->own_high_ratio > 0) {
            domain->low_ratio = state->own_low_ratio;
            domain->high_ratio = state->own_high_ratio;
        }
        state->left_out = false;
        state->doubted = domain->disproved;
        state->repeats = NULL;
        state->own_low_ratio = state->own_high_ratio = 0;
    }
}

/* Two that a total adds, and that are read in one way. */
static bool are_alike(const struct meter *meter, size_t a, size_t b)
{
    const struct meter_domain *x = &meter->domains[a], *y = &meter->domains[b];

    return x->source == y->source && x->domain->component == y->domain->component &&
           x->domain->access == y->domain->access && x->domain->access != ACCESS_MODEL && x->moved && y->moved;
}

static bool any_are_alike(const struct meter *meter)
{
    for (size_t i = 0; i < meter->domain_count; i++)
        for (size_t j = i + 1; j < meter->domain_count; j++)
            if (are_alike(meter, i, j))
                return true;
    return false;
}

/* The first of the domains with the same joules counts. False: no further domain is excluded. */
static bool leave_out_mirrors(struct meter *meter, const struct window_list *steps, enum scope scope)
{
    struct counting counting;
    bool found = false;

    scope_choose(meter, scope, &counting);
    for (size_t i = 0; i < meter->domain_count; i++)
        for (size_t j = i + 1; !meter->domains[i].domain->not_counted[0] && j < meter->domain_count; j++) {
            char reason[128];
            if (!counting.is_counted[j] || meter->domains[j].left_out || !are_alike(meter, i, j) ||
                !mirrors_each_other(meter, steps, i, j))
                continue;
            snprintf(reason, sizeof reason, "repeats %s: the same joules", meter->domains[i].domain->name);
            leave_out(meter, j, meter->domains[i].domain, NOTICE_MIRROR, reason);
            found = true;
        }
    return found;
}

/* Mirrors of one source and component. */
struct mirrors {
    size_t domains[ENERGY_MAX_DOMAINS]; /* both those that count and those that repeat them */
    size_t count, counted;
    bool of_others; /* one repeats a domain of another package: its own value is unknown */
};

static bool is_repeated(const struct meter *meter, size_t i)
{
    for (size_t j = 0; j < meter->domain_count; j++)
        if (meter->domains[j].repeats == meter->domains[i].domain)
            return true;
    return false;
}

static void collect_mirrors(const struct meter *meter, size_t like, struct mirrors *mirrors)
{
    *mirrors = (struct mirrors){ .count = 0 };
    for (size_t i = like; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain, *first = meter->domains[i].repeats;
        if (!are_alike(meter, like, i) || (!first && !is_repeated(meter, i)))
            continue;
        mirrors->domains[mirrors->count++] = i;
        mirrors->counted += !first;
        mirrors->of_others |= first && (domain->package < 0 || domain->package != first->package);
    }
}

static bool is_known(const struct meter *meter, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (are_alike(meter, i, j) && (meter->domains[j].repeats || is_repeated(meter, j)))
            return true;
    return false;
}

static void tell_mirrors(struct meter *meter, size_t like)
{
    struct mirrors mirrors;
    struct text names;
    char counted[64] = "one of them is";

    collect_mirrors(meter, like, &mirrors);
    text_open(&names, 160);
    contradiction_names(meter, mirrors.domains, mirrors.count, &names);
    if (mirrors.counted > 1)
        snprintf(counted, sizeof counted, "%zu of them are", mirrors.counted);
    notice_add(&meter->findings, NOTICE_MIRROR, "they went alike step by step, as one counter does that is read twice",
               "compare the total with another meter", "%s%s report the same joules%s, and %s counted",
               mirrors.of_others ? INCOMPLETE : "", names.data ? names.data : "",
               mirrors.counted > 1 ? " in groups" : "", counted);
    text_close(&names);
}

/* Which of the host's packages they show, and whose work they include, is unknown. */
static bool distrust_guest(struct meter *meter)
{
    struct mirrors mirrors = { .count = 0 };
    struct text names;

    for (size_t i = 0; meter->machine->guest && !mirrors.count && i < meter->domain_count; i++)
        if (meter->domains[i].domain->component == COMPONENT_PACKAGE &&
            (meter->domains[i].repeats || is_repeated(meter, i)))
            collect_mirrors(meter, i, &mirrors);
    if (!mirrors.count)
        return false;
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct meter_domain *state = &meter->domains[i];
        const bool counter = state->domain->access != ACCESS_MODEL && state->domain->access != ACCESS_SENSOR;
        if (counter && (state->left_out || !state->domain->not_counted[0]))
            leave_out(meter, i, NULL, NOTICE_UNTRUSTED_GUEST,
                      "a guest's counter that is not to be trusted: its packages repeat one another");
    }
    text_open(&names, 160);
    contradiction_names(meter, mirrors.domains, mirrors.count, &names);
    notice_add(&meter->findings, NOTICE_UNTRUSTED_GUEST,
               "a hypervisor shows one package of the host as several: whose work is in them is not known",
               "measure on the host, or use --source model",
               LEFT_OUT "%s of this guest report the joules of %zu, so none of its counters is trusted",
               names.data ? names.data : "", mirrors.counted);
    text_close(&names);
    return true;
}

/* Faults that its own driver found in a counted domain, or in one that is not a meter. True: it is new. */
static bool tell_doubts(struct meter *meter, const struct counting *counting)
{
    const size_t before = meter->doubts;

    meter->doubts = 0;
    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        if (!domain->doubt.what[0] || (!counting->is_counted[i] && !domain->disproved))
            continue;
        notice_add_error(&meter->findings, domain->doubt.notice, &domain->doubt);
        meter->doubts++;
    }
    return meter->doubts != before;
}

bool cross_check(struct meter *meter, const struct counting *counting, const struct window_list *steps)
{
    bool was_out[ENERGY_MAX_DOMAINS], was_doubted[ENERGY_MAX_DOMAINS], changed;

    for (size_t i = 0; i < meter->domain_count; i++) {
        was_out[i] = meter->domains[i].left_out;
        was_doubted[i] = meter->domains[i].doubted;
    }
    cross_check_forget(meter);
    changed = tell_doubts(meter, counting);
    /* what is left out may make room for another way to the same, which is judged then */
    if (any_are_alike(meter))
        for (enum scope scope = SCOPE_COMPUTE; scope <= SCOPE_MACHINE; scope++)
            while (leave_out_mirrors(meter, steps, scope))
                continue;
    if (!distrust_guest(meter)) {
        for (size_t i = 0; i < meter->domain_count; i++)
            if ((meter->domains[i].repeats || is_repeated(meter, i)) && !is_known(meter, i))
                tell_mirrors(meter, i);
        contradictions_find(meter, counting, steps);
    }
    for (size_t i = 0; i < meter->domain_count; i++)
        changed |= was_out[i] != meter->domains[i].left_out || was_doubted[i] != meter->domains[i].doubted;
    return changed;
}

void cross_steps_begin(struct cross_steps *steps, const struct sample *first, uint64_t min_ns)
{
    steps->count = 0;
    steps->min_ns = min_ns;
    steps->last = *first;
}

/* Two by two, so that those to come are as long as those that are there. */
static void join_steps(struct cross_steps *steps, size_t domain_count)
{
    for (size_t i = 0; i < CROSS_STEPS / 2; i++) {
        steps->steps[i] = steps->steps[2 * i];
        window_join(&steps->steps[i], &steps->steps[2 * i + 1], domain_count);
    }
    steps->count = CROSS_STEPS / 2;
    steps->min_ns *= 2;
}

static const struct window *unchanged_step(const void *of, size_t step)
{
    return &((const struct cross_steps *)of)->steps[step];
}

bool cross_steps_take(struct cross_steps *steps, struct meter *meter, const struct counting *counting,
                      const struct sample *sample)
{
    if (sample->time_ns - steps->last.time_ns < steps->min_ns)
        return false;
    if (steps->count == CROSS_STEPS)
        join_steps(steps, meter->domain_count);
    steps->steps[steps->count++] = window_between(&steps->last, sample);
    steps->last = *sample;
    return cross_check(meter, counting, &(struct window_list){ unchanged_step, steps, steps->count });
}
