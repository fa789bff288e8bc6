/* SPDX-License-Identifier: MIT
 * What a domain can draw at most, and how that is known. */
#include "energy/power_bounds.h"
#include "power/cpu_power.h"
#include "unit.h"

static struct domain bounded(enum component component, double limit_w, int packages, bool all, double tdp_w)
{
    struct domain domain = { .component = component, .limit_w = limit_w, .package = all ? -1 : 0 };

    bounds_set(&domain, packages, all, tdp_w);
    return domain;
}

START_TEST(the_first_that_is_known)
{
    static const struct {
        enum component component;
        double limit_w, tdp_w, max_w;
        enum max_from from;
    } cases[] = {
        { COMPONENT_PACKAGE, 65, 400, 260, MAX_BY_LIMIT },
        { COMPONENT_PACKAGE, 0, 280, 1120, MAX_BY_TDP },
        { COMPONENT_PACKAGE, 0, 0, 2000, MAX_BY_CLASS },
        { COMPONENT_PACKAGE, 6, 0, 100, MAX_BY_LIMIT }, /* set next to nothing */
        { COMPONENT_PACKAGE, 0, 6, 100, MAX_BY_TDP },
        { COMPONENT_PACKAGE, 500, 0, 2000, MAX_BY_LIMIT },
        { COMPONENT_PACKAGE, 4095, 0, 2000, MAX_BY_CLASS }, /* no limit at all */
        { COMPONENT_CORES, 0, 100, 400, MAX_BY_TDP },
        { COMPONENT_MEMORY, 0, 100, 1000, MAX_BY_CLASS }, /* a processor's TDP says nothing of it */
        { COMPONENT_MEMORY, 40, 0, 160, MAX_BY_LIMIT },
        { COMPONENT_GPU, 700, 0, 2100, MAX_BY_LIMIT },
        { COMPONENT_GPU, 0, 100, 4000, MAX_BY_CLASS },
        { COMPONENT_PLATFORM, 0, 100, 10000, MAX_BY_CLASS },
        { COMPONENT_MACHINE, 0, 100, 60000, MAX_BY_CLASS },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct domain domain = bounded(cases[i].component, cases[i].limit_w, 2, false, cases[i].tdp_w);
        ck_assert_msg(domain.max_w == cases[i].max_w && domain.max_from == cases[i].from, "case %zu: %.0f W by %s", i,
                      domain.max_w, max_from_name(domain.max_from));
    }
}
END_TEST

START_TEST(all_packages_are_bounded_together)
{
    ck_assert(bounded(COMPONENT_PACKAGE, 0, 2, true, 0).max_w == 4000);
    ck_assert(bounded(COMPONENT_PACKAGE, 0, 2, true, 200).max_w == 1600);
    ck_assert(bounded(COMPONENT_MEMORY, 0, 4, true, 0).max_w == 4000);
    ck_assert(bounded(COMPONENT_GPU, 0, 2, true, 0).max_w == BOUNDS_MACHINE_W);
}
END_TEST

START_TEST(one_of_several_is_one)
{
    struct domain part = { .component = COMPONENT_PACKAGE, .package = -1, .part = true };

    bounds_set(&part, 2, true, 0);
    ck_assert(part.max_w == 2000);
}
END_TEST

/* A model computes its power. What nobody has opened has its class's. */
START_TEST(what_has_no_bound)
{
    struct domain model = { .component = COMPONENT_PACKAGE, .access = ACCESS_MODEL };

    bounds_set(&model, 1, false, 200);
    ck_assert(model.max_w == 0 && model.max_from == MAX_UNKNOWN);
    ck_assert(bounds_max_w(&model) == 2000);
    ck_assert(!bounds_want_tdp(&model));
}
END_TEST

START_TEST(what_a_sensor_may_tell)
{
    ck_assert(bounds_can_be_power(0) && bounds_can_be_power(32766) && bounds_can_be_power(32768));
    ck_assert(bounds_can_be_power(60000));
    ck_assert(!bounds_can_be_power(-1) && !bounds_can_be_power(32767) && !bounds_can_be_power(65535));
    ck_assert(!bounds_can_be_power(4294967.295)); /* 0xffffffff mW */
}
END_TEST

START_TEST(names_of_origins)
{
    for (int from = MAX_UNKNOWN; from <= MAX_BY_CLASS; from++)
        ck_assert_int_eq(max_from_of(max_from_name((enum max_from)from)), from);
    ck_assert_int_eq(max_from_of("of another release"), MAX_UNKNOWN);
}
END_TEST

START_TEST(the_tdp_of_a_model)
{
    ck_assert(cpu_tdp_w("Intel(R) Core(TM) i7-9700 CPU @ 3.00GHz") == 65);
    ck_assert(cpu_tdp_w("Nobody's Processor 1") == 0);
    ck_assert(cpu_tdp_w("") == 0);
}
END_TEST

UNIT_SUITE("bounds", the_first_that_is_known, all_packages_are_bounded_together, one_of_several_is_one,
           what_has_no_bound, what_a_sensor_may_tell, names_of_origins, the_tdp_of_a_model)
