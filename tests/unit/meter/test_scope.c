/* SPDX-License-Identifier: MIT
 * What is counted, over meters put together here. */
#include "scope_fixture.h"
#include "unit.h"

START_TEST(names_of_scopes)
{
    enum scope scope;

    ck_assert(scope_of("platform", &scope));
    ck_assert_int_eq(scope, SCOPE_PLATFORM);
    ck_assert_str_eq(scope_name(SCOPE_COMPUTE), "compute");
    ck_assert_str_eq(scope_name(SCOPE_MACHINE), "machine");
    ck_assert(!scope_of("computer", &scope));
}
END_TEST

START_TEST(packages_and_memory_make_the_total)
{
    begin("GenuineIntel", 2);
    add_package(&powercap, 0, -1);
    add(&powercap, "core-0", COMPONENT_CORES, ACCESS_MSR, 0, -1);
    add(&powercap, "uncore-0", COMPONENT_UNCORE, ACCESS_MSR, 0, -1);
    add(&powercap, "dram-0", COMPONENT_MEMORY, ACCESS_MSR, 0, -1);
    add_package(&powercap, 1, -1);
    add(&powercap, "dram-1", COMPONENT_MEMORY, ACCESS_MSR, 1, -1);
    add(&powercap, "psys", COMPONENT_PLATFORM, ACCESS_MSR, -1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("1001110");
    ck_assert_uint_eq(counting.counted, 4);
    expect_reason(6, "not added");
    ck_assert(!counting.incomplete);
    ck_assert_uint_eq(notices.count, 0);

    ck_assert(count(SCOPE_PLATFORM));
    expect("0000001");
    ck_assert(!count(SCOPE_MACHINE));
    expect("0000000");
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
}
END_TEST

START_TEST(mmio_twin_counts_once)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    add(&powercap, "package-0-mmio", COMPONENT_PACKAGE, ACCESS_MMIO, 0, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("10");
    expect_reason(1, "second interface");
    deny(&domains[0]);
    ck_assert(count(SCOPE_COMPUTE));
    expect("01");
}
END_TEST

START_TEST(amd_dies_mirror_one_counter)
{
    begin("AuthenticAMD", 2);
    PACKAGES(&powercap, { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 });
    PACKAGES(&perf, { 0, -1 }, { 1, -1 });
    ck_assert(count(SCOPE_COMPUTE));
    expect("101000");
    expect_reason(1, "another die");
    expect_reason(4, "the same counter as powercap's package");
    deny(&domains[0]);
    ck_assert(count(SCOPE_COMPUTE));
    expect("011000");
    ck_assert(!counting.incomplete);
    ck_assert_uint_eq(notices.count, 1); /* AMD has no counter of memory */
    ck_assert_str_eq(notices.item[0].what, "memory (DRAM) energy is not included");
}
END_TEST

START_TEST(intel_dies_add)
{
    begin("GenuineIntel", 1);
    PACKAGES(&powercap, { 0, 0 }, { 0, 1 });
    PACKAGES(&perf, { 0, 0 }, { 0, 1 });
    ck_assert(count(SCOPE_COMPUTE));
    expect("1100");
    domains[2].die = domains[3].die = -1; /* events of the whole package */
    ck_assert(count(SCOPE_COMPUTE));
    expect("1100");
}
END_TEST

START_TEST(perf_counts_where_powercap_is_denied)
{
    begin("GenuineIntel", 2);
    deny(add_package(&powercap, 0, -1));
    add_package(&powercap, 1, -1);
    PACKAGES(&perf, { 0, -1 }, { 1, -1 });
    ck_assert(count(SCOPE_COMPUTE));
    expect("0110");
    expect_reason(0, "cannot be read (denied); perf's package (perf) counts instead");
    expect_reason(3, "never both");
    ck_assert(!counting.incomplete);
}
END_TEST

START_TEST(never_twice_where_the_package_is_unknown)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    add_package(&perf, -1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("10");
}
END_TEST

START_TEST(half_a_machine_is_incomplete)
{
    begin("GenuineIntel", 2);
    add_package(&powercap, 0, -1);
    deny(add_package(&powercap, 1, -1));
    snprintf(domains[1].name, sizeof domains[1].name, "package-1");
    ck_assert(count(SCOPE_COMPUTE));
    expect("1w");
    expect_reason(1, "counts when readable");
    ck_assert(counting.incomplete);
    ck_assert_uint_eq(notices.count, 2); /* and memory */
    ck_assert_str_eq(notices.item[0].what, "total incomplete: package-1 cannot be read");
    ck_assert_str_eq(notices.item[0].fix, "run carbon as root");
}
END_TEST

START_TEST(a_package_without_counter_is_named)
{
    begin("GenuineIntel", 3);
    PACKAGES(&powercap, { 0, -1 }, { 2, -1 });
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(counting.incomplete);
    ck_assert_uint_eq(notices.count, 2); /* and memory */
    ck_assert_str_eq(notices.item[0].what, "total incomplete: package-1 is not in it");
}
END_TEST

static size_t kinds(enum notice_kind kind)
{
    size_t found = 0;

    for (size_t i = 0; i < notices.count; i++)
        found += notices.item[i].kind == kind;
    return found;
}

/* It counts, and that is no secret; a socket's sensor and a machine whose topology is not known have other numbers. */
START_TEST(a_package_that_the_topology_lacks_is_named)
{
    begin("GenuineIntel", 2);
    PACKAGES(&powercap, { 0, -1 }, { 2, -1 }, { 3, -1 });
    ck_assert(count(SCOPE_COMPUTE));
    expect("111");
    ck_assert_uint_eq(kinds(NOTICE_INCONSISTENT), 1);
    ck_assert_ptr_nonnull(strstr(notices.item[1].what, "package, package are counted, and may not be of this machine"));
    ck_assert(counting.incomplete); /* package-1 is not in it */

    begin("GenuineIntel", 2);
    PACKAGES(&powercap, { 0, -1 }, { 1, -1 });
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_uint_eq(kinds(NOTICE_INCONSISTENT), 0);

    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_PACKAGE, 7);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_uint_eq(kinds(NOTICE_INCONSISTENT), 0);

    begin("GenuineIntel", 1);
    machine.package_of[0] = -1;
    add_package(&powercap, 5, -1);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_uint_eq(kinds(NOTICE_INCONSISTENT), 0);
}
END_TEST

START_TEST(denied_says_what_would_count)
{
    begin("GenuineIntel", 1);
    deny(add_package(&powercap, 0, -1));
    deny(add(&powercap, "core-0", COMPONENT_CORES, ACCESS_MSR, 0, -1));
    ck_assert(!count(SCOPE_COMPUTE));
    expect("w0");
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert_str_eq(err.fix, "run carbon as root");
    ck_assert_uint_eq(notices.count, 0);
}
END_TEST

START_TEST(recorded_events_would_count)
{
    begin("GenuineIntel", 1);
    root.live = false;
    error_set(&add_package(&perf, 0, -1)->problem, ERROR_ABSENT, "recorded");
    ck_assert(!count(SCOPE_COMPUTE));
    expect("w");
    expect_reason(0, "on the machine itself");
}
END_TEST

START_TEST(drivers_own_reasons_hold)
{
    begin("GenuineIntel", 1);
    snprintf(add_package(&perf, 0, -1)->not_counted, sizeof domains[0].not_counted, "it does not move");
    ck_assert(!count(SCOPE_COMPUTE));
    expect("0");
    expect_reason(0, "it does not move");
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
}
END_TEST

START_TEST(models_stand_in_and_never_mix)
{
    begin("GenuineIntel", 1);
    deny(add_package(&powercap, 0, -1));
    add(&model, "cpu", COMPONENT_PACKAGE, ACCESS_MODEL, -1, -1);
    add(&model, "memory", COMPONENT_MEMORY, ACCESS_MODEL, -1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("w11");
    expect_reason(1, "fallback");
    ck_assert(!counting.incomplete);

    domains[0].problem.kind = ERROR_NONE;
    ck_assert(count(SCOPE_COMPUTE));
    expect("100"); /* not the modelled memory either */
    expect_reason(2, "measured domains are counted");
}
END_TEST

START_TEST(one_source_speaks_for_the_platform)
{
    begin("GenuineIntel", 2);
    add(&powercap, "psys", COMPONENT_PLATFORM, ACCESS_MSR, -1, -1);
    add(&powercap, "psys-1", COMPONENT_PLATFORM, ACCESS_MSR, 1, -1);
    add(&perf, "psys-0", COMPONENT_PLATFORM, ACCESS_PERF, 0, -1);
    add(&perf, "psys-1", COMPONENT_PLATFORM, ACCESS_PERF, 1, -1);
    ck_assert(count(SCOPE_PLATFORM));
    expect("1100");
    ck_assert(!count(SCOPE_COMPUTE));
    expect("0000");
}
END_TEST

START_TEST(graphics_cards_are_added)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    add(&powercap, "psys", COMPONENT_PLATFORM, ACCESS_MSR, -1, -1);
    add_sensor(&hwmon, COMPONENT_GPU, -1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("10111");
    ck_assert(count(SCOPE_PLATFORM));
    expect("01111");
    ck_assert(!count(SCOPE_MACHINE));
}
END_TEST

START_TEST(cards_alone_are_not_the_platform)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    ck_assert(!count(SCOPE_PLATFORM));
    expect("00");
}
END_TEST

START_TEST(a_measured_card_beside_a_modelled_processor)
{
    begin("GenuineIntel", 1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    add_model(COMPONENT_PACKAGE);
    add_model(COMPONENT_MEMORY);
    ck_assert(count(SCOPE_COMPUTE));
    expect("111");
    ck_assert(!counting.incomplete);
    begin("GenuineIntel", 1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    deny(add_package(&powercap, 0, -1));
    add_model(COMPONENT_PACKAGE);
    ck_assert(count(SCOPE_COMPUTE));
    expect("1w1");
    begin("GenuineIntel", 1); /* the caller wanted nothing modelled */
    add_sensor(&nvml, COMPONENT_GPU, -1);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert(counting.incomplete);
    ck_assert(has_notice("package-0 is not in it"));
}
END_TEST

/* A model of the processors says nothing of a card: what is seen of those and cannot be read is left out, and said. */
START_TEST(an_unread_card_is_named_beside_a_model_and_another_card)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1)->problem = (struct error){ .kind = ERROR_DENIED, .what = "denied" };
    snprintf(add_sensor(&nvml, COMPONENT_GPU, -1)->name, 6, "gpu-0");
    struct domain *unread = add_sensor(&nvml, COMPONENT_GPU, -1);
    snprintf(unread->name, sizeof unread->name, "gpu-1");
    unread->problem = (struct error){ .kind = ERROR_ABSENT, .why = "not supported" };
    add_model(COMPONENT_PACKAGE);
    ck_assert(scope_count(&meter, SCOPE_COMPUTE, &counting, &notices, &err));
    ck_assert(counting.incomplete && counting.is_counted[1] && !counting.is_counted[2] && counting.is_counted[3]);
    ck_assert_uint_eq(notices.count, 1);
    ck_assert_str_eq(notices.item[0].what, INCOMPLETE "gpu-1 cannot be read");
    ck_assert_str_eq(notices.item[0].why, "not supported");
}
END_TEST

START_TEST(the_whole_machine_lies_beside)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    add(&powercap, "psys", COMPONENT_PLATFORM, ACCESS_MSR, -1, -1);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_int_eq(counting.whole_machine, 1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("100");
    ck_assert_int_eq(counting.whole_machine, 2);
    ck_assert(!counting.fallback_to_machine);
    expect_reason(2, "never added");
    ck_assert(count(SCOPE_MACHINE));
    expect("001");
    ck_assert_int_eq(counting.whole_machine, -1);
}
END_TEST

START_TEST(the_whole_machine_stands_in_where_no_package_has_a_counter)
{
    begin("ARM:0x41", 1);
    add_sensor(&nvml, COMPONENT_GPU, -1);
    add_sensor(&hwmon, COMPONENT_RAIL, -1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_COMPUTE));
    expect("001"); /* the card is in it */
    ck_assert(counting.fallback_to_machine);
    ck_assert(!counting.incomplete);
    ck_assert(has_notice("the whole machine is counted"));
    begin("GenuineIntel", 1); /* denied is not absent */
    deny(add_package(&powercap, 0, -1));
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    add_model(COMPONENT_PACKAGE);
    ck_assert(count(SCOPE_COMPUTE));
    expect("w01");
    ck_assert(!counting.fallback_to_machine);
    ck_assert_int_eq(counting.whole_machine, 1);
}
END_TEST

START_TEST(one_meter_covers_the_machine_and_supplies_add_up)
{
    begin("GenuineIntel", 1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    add_sensor(&hwmon, COMPONENT_MACHINE, -1);
    add_sensor(&nvml, COMPONENT_MACHINE, -1);
    ck_assert(count(SCOPE_MACHINE));
    expect("100");
    expect_reason(1, "never both");
    domains[0].part = domains[1].part = true;
    ck_assert(count(SCOPE_MACHINE));
    expect("110");
    expect_reason(1, "they are added");
}
END_TEST

START_TEST(two_rails_are_a_package_unless_it_has_a_counter)
{
    begin("ARM:0x41", 1);
    add_sensor(&hwmon, COMPONENT_PACKAGE, 0)->part = true;
    add_sensor(&hwmon, COMPONENT_PACKAGE, 0)->part = true;
    ck_assert(count(SCOPE_COMPUTE));
    expect("11");
    begin("AuthenticAMD", 1);
    add_package(&powercap, 0, -1);
    add_sensor(&hwmon, COMPONENT_PACKAGE, 0);
    add_sensor(&hwmon, COMPONENT_PACKAGE, 0)->part = true;
    ck_assert(count(SCOPE_COMPUTE));
    expect("100");
}
END_TEST

START_TEST(the_parts_of_a_machine_are_named_together)
{
    begin("GenuineIntel", 1);
    add_package(&powercap, 0, -1);
    for (int i = 1; i <= 3; i++) {
        struct domain *domain = add_sensor(i < 3 ? &hwmon : &nvml, COMPONENT_MACHINE, -1);
        snprintf(domain->name, sizeof domain->name, "pin%d", i);
        domain->part = true;
    }
    ck_assert(count(SCOPE_COMPUTE));
    expect("1000");
    ck_assert_int_eq(counting.whole_machine, 1);
    ck_assert_str_eq(counting.whole_machine_name, "pin1 + pin2"); /* not those of another source */
    ck_assert(count(SCOPE_MACHINE));
    expect("0110");
    deny(&domains[2]);
    ck_assert(count(SCOPE_MACHINE));
    expect("01w0");
    ck_assert(counting.incomplete);
    ck_assert(count(SCOPE_COMPUTE));
    ck_assert_str_eq(counting.whole_machine_name, "pin1");
}
END_TEST

UNIT_SUITE("scope", the_parts_of_a_machine_are_named_together, graphics_cards_are_added,
           cards_alone_are_not_the_platform, a_measured_card_beside_a_modelled_processor,
           an_unread_card_is_named_beside_a_model_and_another_card, the_whole_machine_lies_beside,
           the_whole_machine_stands_in_where_no_package_has_a_counter, one_meter_covers_the_machine_and_supplies_add_up,
           two_rails_are_a_package_unless_it_has_a_counter, names_of_scopes, packages_and_memory_make_the_total,
           mmio_twin_counts_once, amd_dies_mirror_one_counter, intel_dies_add, perf_counts_where_powercap_is_denied,
           never_twice_where_the_package_is_unknown, half_a_machine_is_incomplete, a_package_without_counter_is_named,
           a_package_that_the_topology_lacks_is_named, denied_says_what_would_count, recorded_events_would_count,
           drivers_own_reasons_hold, models_stand_in_and_never_mix, one_source_speaks_for_the_platform)
