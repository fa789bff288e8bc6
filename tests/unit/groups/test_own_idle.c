/* SPDX-License-Identifier: MIT
 * What a group used itself: its part of the energy above idle, by the formulas of docs/METHOD.md, "Energy by group". */
#include "unit.h"

#include "base/units.h"
#include "groups/own_idle.h"

#include <math.h>
#include <string.h>

#define S NS_PER_S_INT

static struct group_interval interval_of(double package_j, double s)
{
    struct group_interval interval = {
        .interval_ns = (uint64_t)(s * NS_PER_S), .cpus = 4, .pue = 1.5, .kgco2eq_per_kwh = 0.36
    };

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        interval.energy_j[i] = interval.power_w[i] = interval.own_j[i] = NAN;
    interval.energy_j[COMPONENT_PACKAGE] = package_j;
    interval.power_w[COMPONENT_PACKAGE] = package_j / s;
    return interval;
}

static const struct group_interval *taken(struct own_idle *idle, struct group_interval *interval, double model_w)
{
    for (enum component component = 0; component < COMPONENT_COUNT; component++)
        own_idle_take(idle, component, component == COMPONENT_PACKAGE ? model_w : NAN, interval);
    return interval;
}

START_TEST(of_a_model_its_own_idle)
{
    struct own_idle idle = { .components = { { 0 } } };
    struct group_interval interval = interval_of(300, 5);

    taken(&idle, &interval, 20);
    ck_assert_double_eq_tol(interval.own_j[COMPONENT_PACKAGE], 200, 1e-9);
    ck_assert_double_eq(interval.idle_w[COMPONENT_PACKAGE], 20);
    ck_assert_int_eq(interval.own_method[COMPONENT_PACKAGE], OWN_CPU_TIME);
    ck_assert(isnan(interval.own_j[COMPONENT_MEMORY]));
    ck_assert_double_eq(idle.components[COMPONENT_PACKAGE].w, 0);
}
END_TEST

START_TEST(of_a_meter_the_lowest_that_was_seen)
{
    static const struct {
        double j, s, own_j, idle_w;
    } steps[] = {
        { 300, 5, 0, 60 },   /* the first is the lowest so far */
        { 150, 5, 0, 30 },   /* 30 W */
        { 400, 5, 250, 30 }, /* 80 W */
        { 10, 0.5, 0, 30 },  /* 20 W, for too short a time: above it there is nothing */
        { 10, 0.5, 0, 20 },  /* with this one it is a second */
        { 100, 5, 0, 20 },   { 500, 5, 400, 20 },
    };
    struct own_idle idle = { .components = { { 0 } } };

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct group_interval interval = interval_of(steps[i].j, steps[i].s);
        taken(&idle, &interval, NAN);
        ck_assert_double_eq_tol(interval.own_j[COMPONENT_PACKAGE], steps[i].own_j, 1e-9);
        ck_assert_double_eq_tol(interval.idle_w[COMPONENT_PACKAGE], steps[i].idle_w, 1e-9);
        ck_assert_int_eq(interval.own_method[COMPONENT_PACKAGE], OWN_SHARE);
    }
}
END_TEST

START_TEST(what_is_not_known_is_nobodys)
{
    struct own_idle idle = { .components = { { 0 } } };
    struct group_interval interval = interval_of(NAN, 5);

    taken(&idle, &interval, 20);
    ck_assert(isnan(interval.own_j[COMPONENT_PACKAGE]));
    interval = interval_of(10, 0.5);
    taken(&idle, &interval, NAN); /* no idle power is known yet */
    ck_assert(isnan(interval.own_j[COMPONENT_PACKAGE]) && isnan(interval.idle_w[COMPONENT_PACKAGE]));
}
END_TEST

/* 200 J above idle over 10 busy CPU seconds: 20 J for each, whoever the rest was. */
START_TEST(by_the_cpu_time_that_was_used)
{
    struct groups groups = { .max = 10, .linger_ns = 100 };
    struct own_idle idle = { .components = { { 0 } } };
    struct group_interval interval = interval_of(300, 5);
    struct group_name name = { .kind = GROUP_CGROUP, .id = "/a" };
    struct group *group;
    size_t at;

    taken(&idle, &interval, 20);
    interval.busy_ns = 10 * S;
    groups_begin(&groups, 1);
    at = groups_take(&groups, &name);
    group = &groups.items[at];
    group->recent_ns[0] = 3 * S;
    groups_attribute(&groups, &interval);
    ck_assert(group->has_own[COMPONENT_PACKAGE] && !group->has_own[COMPONENT_MEMORY]);
    ck_assert_double_eq_tol(group->own_j[COMPONENT_PACKAGE], 60, 1e-9);
    ck_assert_double_eq_tol(group->own_kgco2eq, 60 / 3.6e6 * 1.5 * 0.36, 1e-18);
    ck_assert_double_eq(groups.idle_w[COMPONENT_PACKAGE], 20);
    interval.busy_ns = 2 * S; /* ticks tell less than the group's own counter: it has all */
    groups_attribute(&groups, &interval);
    ck_assert_double_eq_tol(group->own_j[COMPONENT_PACKAGE], 260, 1e-9);
    interval.busy_ns = 0; /* nothing tells who was busy */
    groups_attribute(&groups, &interval);
    ck_assert_double_eq_tol(group->own_j[COMPONENT_PACKAGE], 260, 1e-9);
    groups_close(&groups);
}
END_TEST

UNIT_SUITE("own-idle", of_a_model_its_own_idle, of_a_meter_the_lowest_that_was_seen, what_is_not_known_is_nobodys,
           by_the_cpu_time_that_was_used)
