/* SPDX-License-Identifier: MIT
 * The methods of own energy by their names, and which of two is the worse. */
#include "own/own_method.h"
#include "unit.h"

START_TEST(names_are_read_again)
{
    for (enum own_method method = OWN_UNKNOWN; method < OWN_METHODS; method++)
        ck_assert_int_eq(own_method_of(own_method_name(method)), method);
    ck_assert_int_eq(own_method_of("guess"), OWN_UNKNOWN);
    ck_assert_int_eq(own_method_worst(OWN_NET, OWN_CPU_TIME), OWN_CPU_TIME);
    ck_assert_int_eq(own_method_worst(OWN_SHARE, OWN_UNKNOWN), OWN_UNKNOWN);
}
END_TEST

UNIT_SUITE("own-method", names_are_read_again)
