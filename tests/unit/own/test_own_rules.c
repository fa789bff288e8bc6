/* SPDX-License-Identifier: MIT
 * The rules for one domain by themselves; test_own.c of `measurement` has them of windows. */
#include "unit.h"

#include "own/own.h"

#include <math.h>

/* As a load of carbon's own for a disk: what the kernel does for it is its, where the baseline was idle. */
START_TEST(where_others_worked_for_it_it_is_net)
{
    struct own_cpus cpus = { .all = 4, .job = 1, .others = 3, .idleness = IDLENESS_IDLE };
    const struct own nothing = own_unknown(NAN, NAN);

    ck_assert(!own_is_net(&cpus, 200));
    ck_assert_int_eq(own_of_meter(&cpus, 300, 200, &nothing).method, OWN_SHARE);
    cpus.alone = true;
    ck_assert(own_is_net(&cpus, 200));
    ck_assert(!own_is_net(&cpus, NAN));
    cpus.idleness = IDLENESS_BUSY;
    ck_assert(!own_is_net(&cpus, 200));
}
END_TEST

/* It is taken where it is narrower than the bounds and does not lie outside them. */
START_TEST(what_was_learnt_is_held_against_the_bounds)
{
    const struct own learnt = { 50, 40, 60, 10, OWN_PROFILE }, bounds = own_unknown(NAN, 100);

    ck_assert_int_eq(own_better(&learnt, bounds).method, OWN_PROFILE);
    ck_assert_int_eq(own_better(&learnt, own_unknown(45, 55)).method, OWN_UNKNOWN);
    ck_assert_int_eq(own_better(&learnt, own_unknown(70, 100)).method, OWN_UNKNOWN);
}
END_TEST

UNIT_SUITE("own_rules", where_others_worked_for_it_it_is_net, what_was_learnt_is_held_against_the_bounds)
