/* SPDX-License-Identifier: MIT
 * Machines at their plugs, and the packages and the memory inside them, by published results. */
#include "model_fixture.h"
#include "unit.h"

START_TEST(memory_is_a_line_from_idle_to_busy)
{
    struct memory_power memory;
    struct error err;

    ck_assert_msg(memory_power_find(&memory, &err), "%s", err.what);
    ck_assert_double_eq(curve_w(&memory.w_per_gib, 0), 0.0625);
    ck_assert_double_eq(curve_w(&memory.w_per_gib, 0.5), 0.09375);
    ck_assert_double_eq(curve_w(&memory.w_per_gib, 1), 0.125);
    ck_assert_double_eq(curve_w(&memory.low_w_per_gib, 0.5), 0.03125);
    ck_assert_double_eq(curve_w(&memory.high_w_per_gib, 1), 0.5);
    ck_assert_ptr_nonnull(strstr(memory.how, "PER_GB"));
}
END_TEST

static struct cpu_identity machine_with(const char *model, int packages, double memory_gb)
{
    return (struct cpu_identity){ .model = model,
                                  .vendor = "",
                                  .family = -1,
                                  .number = -1,
                                  .stepping = -1,
                                  .packages = packages,
                                  .memory_gb = memory_gb };
}

/* Of machines of its microarchitecture: 20 + S × 30 W idle, 40 + S × 1.2 × 100 W at full load, straight between; of
 * a socket 0.8 (idle) to 0.9 (from half load) reaches package and memory, 1/16 to 1/8 W/GB. */
START_TEST(a_machine_is_its_base_and_its_sockets)
{
    const struct cpu_identity one = machine_with("Acme Eight", 0, 0), two = machine_with("Acme Eight", 2, 128);
    const struct cpu_identity more = machine_with("Acme Eight", 1, 128);
    struct cpu_power wall, package;

    wall = fixture_find(&one, BOUNDARY_SERVER);
    ck_assert_int_eq(wall.basis, POWER_SERVERS);
    curve_is(&wall.curve, 50, 105, 160);
    ck_assert_double_eq_tol(curve_w(&wall.low, 0) / 50, 0.5, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.high, 0.3) / curve_w(&wall.curve, 0.3), 1.8, 1e-9); /* between 2 and 1.6 */
    ck_assert_double_eq_tol(curve_w(&wall.high, 1) / curve_w(&wall.low, 1), 1.4 / 0.75, 1e-9);
    ck_assert_double_eq_tol(wall.low_ratio, 0.5, 1e-9);
    ck_assert_double_eq_tol(wall.high_ratio, 2.5, 1e-9);
    package = fixture_find(&one, BOUNDARY_PACKAGE);
    ck_assert(!package.per_thread);
    ck_assert_double_eq_tol(curve_w(&package.curve, 0), 0.8 * 30 - 64 * 0.0625, 1e-9);
    ck_assert_double_eq_tol(curve_w(&package.curve, 0.5), 0.9 * 75 - 64 * 0.09375, 1e-9);
    ck_assert_double_eq_tol(curve_w(&package.curve, 1), 100, 1e-9); /* 0.9 × 120 - 8, and its TDP */
    ck_assert_double_eq_tol(curve_w(&package.high, 1), 100, 1e-9);  /* a server's package is held there */
    ck_assert_double_eq_tol(curve_w(&package.high, 0), 3 * 20, 1e-9);
    ck_assert_ptr_nonnull(strstr(package.how, "TDP 100 W (LIST)"));
    /* per package of two: one base for both */
    wall = fixture_find(&two, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(2 * curve_w(&wall.curve, 0), 20 + 2 * 30, 1e-9);
    ck_assert_double_eq_tol(2 * curve_w(&wall.curve, 1), 40 + 2 * 120, 1e-9);
    /* 64 GB above those that were measured */
    wall = fixture_find(&more, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 50 + 64 * 0.0625, 1e-9);
    package = fixture_find(&more, BOUNDARY_PACKAGE);
    ck_assert_double_eq_tol(curve_w(&package.curve, 0), 0.8 * (30 + 4) - 128 * 0.0625, 1e-9);
}
END_TEST

START_TEST(its_own_results_come_before_those_of_its_kind)
{
    const struct cpu_identity six = machine_with("Acme Six", 1, 64), seven = machine_with("Acme Seven", 1, 0);
    const struct cpu_identity nine = machine_with("Acme Nine", 1, 0),
                              guest = { .model = "Acme Six", .vendor = "", .family = -1, .by_thread = true };
    const struct cpu_identity board = machine_with("Acme Board", 1, 0), three = machine_with("Acme Three", 1, 0);
    struct cpu_power wall;

    /* above 1.5 × TDP + 40 W, as it was seen; the curve is its kind's */
    wall = fixture_find(&six, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 45, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 1), 190, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.low, 1) / 190, 0.9, 1e-9);
    ck_assert_ptr_nonnull(strstr(wall.how, "5 published results"));
    /* it had up to 128 GB */
    wall = fixture_find(&(struct cpu_identity){ .model = "Acme Six", .vendor = "", .family = -1, .memory_gb = 160 },
                        BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 45 + 32 * 0.0625, 1e-9);
    /* a desktop has no base of its own when it idles */
    wall = fixture_find(&seven, BOUNDARY_SERVER);
    curve_is(&wall.curve, 10, 10 + 0.25 * 50, 60);
    ck_assert_double_eq_tol(curve_w(&wall.low, 1) / 60, 0.8, 1e-9);
    /* a group stands in for a microarchitecture without results; 1.6 × TDP is more than 95 % have */
    wall = fixture_find(&nine, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 60, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 1), 40 + 150, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.low, 1) / 190, 0.6, 1e-9);
    ck_assert_str_eq(wall.id, "servers:(Around)");
    /* what is unknown but for its TDP has all servers to go by, where the tables have them */
    ck_assert_int_eq(fixture_find(&three, BOUNDARY_PACKAGE).basis, POWER_TDP);
    fixture_put_servers(&data, "(any),server,9,40,1," STRAIGHT ",32,,FIT\n");
    ck_assert_int_eq(fixture_find(&three, BOUNDARY_PACKAGE).basis, POWER_SERVERS);
    /* neither a guest nor a laptop is one of these machines */
    ck_assert_int_eq(fixture_find(&guest, BOUNDARY_PACKAGE).basis, POWER_TDP);
    ck_assert_int_eq(fixture_find(&board, BOUNDARY_PACKAGE).basis, POWER_TDP);
    ck_assert(!fixture_has_machine(&board, &wall));
}
END_TEST

START_TEST(a_measured_package_is_inside_its_machine)
{
    /* Two is measured: 95 W at full load; machines of its kind are said to draw less than that needs */
    const struct cpu_identity two = machine_with("Acme Two", 1, 32);
    struct cpu_power wall;

    fixture_put_servers(&data, "Other,server,9,5,0.5," STRAIGHT ",32,,FIT\n");
    ck_assert_int_eq(fixture_find(&two, BOUNDARY_PACKAGE).basis, POWER_MODEL);
    wall = fixture_find(&two, BOUNDARY_SERVER);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 1), 40 + (95 + 32 * 0.125) / 0.9, 1e-9);
    ck_assert_double_eq_tol(curve_w(&wall.curve, 0), 20 + (10 + 32 * 0.0625) / 0.8, 1e-9);
}
END_TEST

START_TEST(a_rule_that_is_missing_is_named)
{
    const struct cpu_identity eight = machine_with("Acme Eight", 1, 0);
    struct cpu_power power;
    struct error err;

    tree_put(&data, "emission_factors/power_rules.csv",
             "rule,class,value,low,high\n\"node base, idle (B0)\",server,20,,");
    ck_assert(!cpu_power_find(&eight, &power, NULL, &err));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(err.what, "node base, full (B1)"));
    tree_put(&data, "emission_factors/cpu_generations.csv",
             GENERATION_HEADER "Served,server,9,thirty,1.2," STRAIGHT ",64,,FIT");
    ck_assert(!cpu_power_find(&eight, &power, NULL, &err));
    ck_assert_ptr_nonnull(strstr(err.what, "idle_w_per_socket"));
}
END_TEST

UNIT_SUITE_IN("wall_power", open_tables, close_tables, memory_is_a_line_from_idle_to_busy,
              a_machine_is_its_base_and_its_sockets, its_own_results_come_before_those_of_its_kind,
              a_measured_package_is_inside_its_machine, a_rule_that_is_missing_is_named)
