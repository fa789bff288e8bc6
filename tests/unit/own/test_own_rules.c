/* SPDX-License-Identifier: MIT
 * The rules for one domain by themselves; test_own.c of `measurement` has them of windows. */
#include "unit.h"

#include "own/own.h"
#include "own/own_bounds.h"

#include <math.h>

static struct own_seen nothing_seen(void)
{
    return (struct own_seen){ 4, own_unknown(NAN, NAN), NAN, NAN, false, NAN };
}

/* As a load of carbon's own for a disk: what the kernel does for it is its, where the baseline was idle. */
START_TEST(where_others_worked_for_it_it_is_net)
{
    struct own_cpus cpus = { .all = 4, .job = 1, .others = 3, .idleness = IDLENESS_IDLE };
    const struct own_seen nothing = nothing_seen();

    ck_assert(!own_is_net(&cpus, 200));
    ck_assert_int_eq(own_of_meter(&cpus, 300, 200, &nothing).method, OWN_SHARE);
    cpus.alone = true;
    ck_assert(own_is_net(&cpus, 200));
    ck_assert(!own_is_net(&cpus, NAN));
    cpus.idleness = IDLENESS_BUSY;
    ck_assert(!own_is_net(&cpus, 200));
}
END_TEST

static void own_is(struct own own, enum own_method method, double low_j, double high_j)
{
    ck_assert_int_eq(own.method, method);
    ck_assert_double_eq_tol(own.low_j, low_j, 1e-9);
    ck_assert_double_eq_tol(own.high_j, high_j, 1e-9);
}

/* It is taken where it does not lie outside the bounds, and reaches no farther than these. */
START_TEST(what_was_learnt_is_held_against_the_bounds)
{
    const struct own learnt = { 50, 40, 60, 10, OWN_PROFILE }, nothing = own_unknown(NAN, NAN);

    own_is(own_better(&learnt, own_unknown(NAN, 100)), OWN_PROFILE, 40, 60);
    own_is(own_better(&learnt, own_unknown(45, 55)), OWN_PROFILE, 45, 55);
    own_is(own_better(&learnt, own_unknown(52, 100)), OWN_PROFILE, 50, 60); /* a figure lies in its own range */
    own_is(own_better(&learnt, own_unknown(70, 100)), OWN_UNKNOWN, 70, 100);
    own_is(own_better(&learnt, own_unknown(10, 30)), OWN_UNKNOWN, 10, 30);
    own_is(own_better(&nothing, own_unknown(10, 30)), OWN_UNKNOWN, 10, 30);
}
END_TEST

/* What is moved in a CPU second draws memory's power, and that may be nothing. */
START_TEST(cpu_time_says_less_of_memory)
{
    ck_assert_double_eq(powers_apart(COMPONENT_PACKAGE), 4);
    ck_assert_double_eq(powers_apart(COMPONENT_PLATFORM), 4);
    ck_assert_double_ge(powers_apart(COMPONENT_MEMORY), 1000);
    ck_assert_double_ge(powers_apart(COMPONENT_UNCORE), 1000);
}
END_TEST

/* 100 J of others in the baselines and 150 J in the run, one CPU of four the job's. Those who came and went may have
 * been others: what is possible is all that is known. Those who stayed drew the same, to 5 J: of 50 J all is the job's,
 * and what the half CPU drew that they lost. Those who came on top have their part. */
START_TEST(bounds_go_by_who_was_there)
{
    struct own_cpus cpus = { .all = 4, .job = 1, .others = 3, .baseline = 3.5, .idleness = IDLENESS_FULL };
    struct own_seen seen = nothing_seen();

    seen.possible_low_j = 7, seen.possible_high_j = 80;
    own_is(own_of_meter(&cpus, 150, 50, &seen), OWN_UNKNOWN, 7, 80);
    seen.net_off_j = 5;
    own_is(own_of_meter(&cpus, 150, 50, &seen), OWN_UNKNOWN, 45, 55 + 100 * 0.5 / 3.5);
    cpus.baseline = 2.5;
    own_is(own_of_meter(&cpus, 150, 50, &seen), OWN_UNKNOWN, 45 / (1 + 4 * 0.5), 55);
    cpus.baseline = 3;
    cpus.idleness = IDLENESS_BUSY;
    cpus.all = 8;
    own_is(own_of_meter(&cpus, 150, 50, &seen), OWN_NET, 50, 50);
    seen.changed = true;
    seen.net_off_j = NAN;
    own_is(own_of_meter(&cpus, 150, 50, &seen), OWN_UNKNOWN, 7, 80);
    cpus.others = NAN; /* ticks were lost */
    ck_assert(isnan(own_of_meter(&cpus, 150, 50, &seen).low_j));
}
END_TEST

UNIT_SUITE("own_rules", where_others_worked_for_it_it_is_net, what_was_learnt_is_held_against_the_bounds,
           cpu_time_says_less_of_memory, bounds_go_by_who_was_there)
