/* SPDX-License-Identifier: MIT
 * Processors, boards and instances by the names that people, firmware and clouds give them. */
#include "model_fixture.h"
#include "power/words.h"
#include "unit.h"

START_TEST(words_are_within_a_name)
{
    ck_assert(words_within("Xeon Gold 6248", "intel xeon gold 6248"));
    ck_assert(!words_within("Xeon Gold 6248", "intel xeon gold 6248r"));
    ck_assert(words_within("gold xeon", "Intel Xeon Gold 6248"));
    ck_assert(words_within("apple m2", "Mac mini (Apple M2)"));
    /* a number may follow letters, not digits */
    ck_assert(words_within("H100 SXM", "NVIDIA H100 (SXM5)"));
    ck_assert(!words_within("L4", "NVIDIA L40"));
    /* another grade is another thing */
    ck_assert(!words_within("apple m2", "apple m2 max"));
    ck_assert(words_within("apple m2 max", "apple m2 max"));
    ck_assert(!words_within("", "anything"));
    ck_assert(!words_within(" , ", "anything"));
    ck_assert_uint_eq(words_count("Mac mini (Apple M2)"), 4);
    ck_assert_uint_eq(words_count(""), 0);
}
END_TEST

static void expect_model(const char *name, const char *model)
{
    const struct cpu_identity identity = typed(name);
    const struct cpu_power power = fixture_find(&identity, BOUNDARY_PACKAGE);

    ck_assert_msg(strcmp(power.model, model) == 0, "'%s' is '%s', not '%s'", name, power.model, model);
}

START_TEST(a_processor_is_found_by_words_of_its_name)
{
    const struct cpu_identity kernel = { .model = "Eight", .vendor = "", .family = -1, .number = -1, .stepping = -1 };

    expect_model("eight", "Acme Eight");
    expect_model("Acme Eight", "Acme Eight");
    /* several have it */
    expect_model("acme", "");
    expect_model("Acme Ten", "");
    /* what a kernel tells is whole, or nothing */
    ck_assert_str_eq(fixture_find(&kernel, BOUNDARY_PACKAGE).model, "");
}
END_TEST

START_TEST(a_clouds_own_processor_is_its_retail_part)
{
    const struct cpu_identity cloudy = { .model = "Acme 8C 12-Core Processor",
                                         .vendor = "",
                                         .family = -1,
                                         .number = -1,
                                         .stepping = -1,
                                         .by_thread = true };
    struct cpu_power power;

    /* TDP 100 W of Eight, with its own 24 threads */
    power = fixture_find(&cloudy, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Acme 8C");
    ck_assert_int_eq(power.basis, POWER_TDP);
    ck_assert_double_eq_tol(cpu_power_share(&power, 6) * curve_w(&power.curve, 1), 25, 1e-9);
    /* what the kernel shows of a core that more than one cloud has is no name of a part */
    expect_model("Acme-V1", "Acme Three");
}
END_TEST

/* TDP 100 W, of which hosts at full clock have 0.1 to 1; an instance of a type tells the host's threads, and its
 * processor where the guest does not see it. */
START_TEST(an_instance_is_a_part_of_a_host_at_full_clock)
{
    struct cpu_identity guest = { .model = "Acme Eight",
                                  .vendor = "",
                                  .family = -1,
                                  .number = -1,
                                  .stepping = -1,
                                  .by_thread = true,
                                  .cloud = true };
    struct cpu_power power;

    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_int_eq(power.basis, POWER_CLOUD);
    ck_assert_int_eq(power.threads, 20);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 10, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.1), 30, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.3), 50, 1e-9); /* between 30 and 70 */
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 130, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 0), 8, 1e-9);
    guest.model = "Acme";
    guest.key = "acme eight";
    guest.threads = 10;
    power = fixture_find(&guest, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Acme Eight");
    ck_assert_double_eq_tol(cpu_power_share(&power, 2) * curve_w(&power.curve, 1), 20, 1e-9);
    /* elsewhere a guest has the wide range */
    guest.cloud = false;
    ck_assert_int_eq(fixture_find(&guest, BOUNDARY_PACKAGE).basis, POWER_TDP);
}
END_TEST

START_TEST(a_board_is_what_was_measured_at_its_plug)
{
    const struct cpu_identity five = typed("Cherry Pi 5"), mini = typed("Fruit M2"), pro = typed("Mini M2 Pro");
    const struct cpu_identity firmware = {
        .model = "", .vendor = "", .family = -1, .number = -1, .stepping = -1, .board = "Cherry Pi 5 Model B Rev 1.0"
    };
    const struct cpu_identity other = {
        .model = "", .vendor = "", .family = -1, .number = -1, .stepping = -1, .board = "Cherry Pi 4 Model B"
    };
    struct cpu_power power;

    /* the row that knows idle power, from 2 W to 8 W, 10 W at most */
    power = fixture_find(&five, BOUNDARY_SERVER);
    ck_assert_int_eq(power.basis, POWER_BOARD);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 2, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0.5), 5, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 1), 6, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 8 / 0.75, 1e-9);
    /* the processor: all but half of idle, between what load adds and all of it */
    power = fixture_find(&firmware, BOUNDARY_PACKAGE);
    ck_assert_str_eq(power.model, "Cherry Pi 5");
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 1, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 7, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 1), 0.75 * 6, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 1), 8 / 0.75, 1e-9);
    ck_assert_int_eq(fixture_find(&other, BOUNDARY_PACKAGE).basis, POWER_DEFAULT);
    /* of an idle power that nobody tells, a third of the load's, and a wide range */
    power = fixture_find(&mini, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&power.curve, 0), 0.32 * 40, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.low, 0), 0.05 * 40, 1e-9);
    ck_assert_double_eq_tol(curve_w(&power.high, 0), 0.85 * 40, 1e-9);
    ck_assert_ptr_nonnull(strstr(power.how, "guessed"));
    power = fixture_find(&pro, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&power.curve, 1), 80, 1e-9);
}
END_TEST

UNIT_SUITE_IN("cpu_named", open_tables, close_tables, words_are_within_a_name,
              a_processor_is_found_by_words_of_its_name, a_clouds_own_processor_is_its_retail_part,
              an_instance_is_a_part_of_a_host_at_full_clock, a_board_is_what_was_measured_at_its_plug)
