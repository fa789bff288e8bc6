/* SPDX-License-Identifier: MIT
 * Which meters of a guest are its own, over sources made here. */
#include "meter/borrowed.h"
#include "meter/meter.h"
#include "unit.h"

#include <string.h>

static const struct energy_driver powercap = { .name = "powercap" }, perf = { .name = "perf" },
                                  hwmon = { .name = "hwmon" }, named = { .name = "meter" };
static struct machine machine;
static struct meter meter;
static struct domain domains[METER_MAX_SOURCES][8];

static struct domain *add(const struct energy_driver *driver, const char *name, enum component component,
                          enum access access, int package)
{
    size_t s = 0;

    while (s < meter.source_count && meter.sources[s].driver != driver)
        s++;
    if (s == meter.source_count)
        meter.sources[meter.source_count++] = (struct energy_source){ .driver = driver, .domains = domains[s] };
    struct domain *domain = &domains[s][meter.sources[s].domain_count++];
    *domain = (struct domain){ .component = component, .access = access, .package = package, .die = -1 };
    snprintf(domain->name, sizeof domain->name, "%s", name);
    meter.domains[meter.domain_count++] = (struct meter_domain){ .domain = domain, .source = &meter.sources[s] };
    return domain;
}

static struct domain *add_package(int package)
{
    char name[16];

    snprintf(name, sizeof name, "package-%d", package);
    return add(&powercap, name, COMPONENT_PACKAGE, ACCESS_MSR, package);
}

static void begin(const char *hypervisor)
{
    machine = (struct machine){ .guest = true, .packages = 1 };
    snprintf(machine.hypervisor, sizeof machine.hypervisor, "%s", hypervisor);
    notices_clear(&meter.sources[0].notices);
    meter = (struct meter){ .machine = &machine };
}

static const struct notices *notices(void)
{
    return &meter.sources[0].notices;
}

static size_t borrowed(bool by_name)
{
    size_t count = 0;

    borrowed_judge(meter.sources, meter.source_count, &machine, by_name);
    for (size_t i = 0; i < meter.domain_count; i++)
        count += meter.domains[i].domain->borrowed;
    ck_assert_uint_eq(notices()->count, count > 0); /* one, however many they are */
    return count;
}

START_TEST(one_package_of_qemu_is_the_guests_own)
{
    struct domain *package, *seen_by_perf;

    begin("KVM");
    package = add_package(0);
    add(&powercap, "core-0", COMPONENT_CORES, ACCESS_MSR, 0);
    seen_by_perf = add(&perf, "package-0", COMPONENT_PACKAGE, ACCESS_PERF, -1);
    ck_assert_uint_eq(borrowed(false), 0);
    ck_assert_str_eq(package->not_counted, "");
    ck_assert_str_eq(seen_by_perf->not_counted, "");
}
END_TEST

START_TEST(what_qemu_does_not_make_up_is_not)
{
    static const struct {
        enum component component;
        int package, die;
    } others[] = {
        { COMPONENT_PACKAGE, 1, -1 }, { COMPONENT_PACKAGE, 0, 1 },    { COMPONENT_CORES, 1, -1 },
        { COMPONENT_MEMORY, 0, -1 },  { COMPONENT_PLATFORM, -1, -1 },
    };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct domain *package, *other;

        begin("KVM");
        package = add_package(0);
        package->die = 0;
        other = add(&powercap, "other", others[i].component, ACCESS_MSR, others[i].package);
        other->die = others[i].die;
        ck_assert_msg(borrowed(false) == 2, "case %zu", i);
        ck_assert_ptr_nonnull(strstr(package->not_counted, "virtual machine"));
        ck_assert_ptr_nonnull(strstr(other->not_counted, "virtual machine"));
    }
    begin("KVM");
    add_package(0);
    add(&powercap, "dram-0", COMPONENT_MEMORY, ACCESS_MSR, 0);
    snprintf(domains[0][1].not_counted, sizeof domains[0][1].not_counted, "it does not move");
    ck_assert_uint_eq(borrowed(false), 0); /* as if it were not there */
    ck_assert_str_eq(domains[0][1].not_counted, "it does not move");
}
END_TEST

START_TEST(no_other_hypervisor_is_known_to_tell_a_share)
{
    static const char *const hypervisors[] = { "VMware", "Xen", "Microsoft Hyper-V", "OpenStack", "" };

    for (size_t i = 0; i < sizeof hypervisors / sizeof hypervisors[0]; i++) {
        begin(hypervisors[i]);
        add_package(0);
        ck_assert_uint_eq(borrowed(false), 1);
        ck_assert_ptr_nonnull(strstr(domains[0][0].not_counted, "virtual machine"));
        ck_assert_str_eq(notices()->item[0].what, "seen in this virtual machine and not counted: package-0");
        ck_assert_ptr_nonnull(strstr(notices()->item[0].why, *hypervisors[i] ? hypervisors[i] : "unknown"));
        ck_assert_str_eq(notices()->item[0].fix, "--source powercap counts it all the same");
    }
}
END_TEST

START_TEST(many_packages_are_told_once)
{
    begin("KVM");
    for (int package = 0; package < 8; package++)
        add_package(package);
    ck_assert_uint_eq(borrowed(false), 8);
    ck_assert_str_eq(notices()->item[0].what,
                     "seen in this virtual machine and not counted: package-0, package-1 and 6 more");
}
END_TEST

START_TEST(a_source_that_is_named_counts)
{
    begin("VMware");
    add_package(0);
    ck_assert_uint_eq(borrowed(true), 1);
    ck_assert_str_eq(domains[0][0].not_counted, "");
    ck_assert_str_eq(notices()->item[0].what, "the host's meter may be counted for this virtual machine: package-0");
    ck_assert_str_eq(notices()->item[0].fix, "");
}
END_TEST

/* A sensor of the machine is the host's; it says nothing of the processor's counter. */
START_TEST(sensors_cards_and_meters_of_the_user)
{
    begin("KVM");
    add(&named, "machine-wall", COMPONENT_MACHINE, ACCESS_SENSOR, -1);
    add_package(0);
    add(&hwmon, "machine", COMPONENT_MACHINE, ACCESS_SENSOR, -1);
    add(&hwmon, "gpu", COMPONENT_GPU, ACCESS_SENSOR, -1);
    add(&hwmon, "rail", COMPONENT_RAIL, ACCESS_SENSOR, -1);
    ck_assert_uint_eq(borrowed(false), 1);
    ck_assert(meter.domains[2].domain->borrowed);
    ck_assert_str_eq(notices()->item[0].fix, "--source hwmon counts it all the same");
}
END_TEST

START_TEST(a_machine_of_its_own_has_its_meters)
{
    begin("");
    machine.guest = false;
    add_package(0);
    add_package(1);
    ck_assert_uint_eq(borrowed(false), 0);
}
END_TEST

UNIT_SUITE("borrowed", one_package_of_qemu_is_the_guests_own, what_qemu_does_not_make_up_is_not,
           no_other_hypervisor_is_known_to_tell_a_share, many_packages_are_told_once, a_source_that_is_named_counts,
           sensors_cards_and_meters_of_the_user, a_machine_of_its_own_has_its_meters)
