/* SPDX-License-Identifier: MIT
 * The hwmon driver over trees made here: what each sensor covers, and what reading it gives. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include <errno.h>

extern const struct energy_driver hwmon_driver;

static const struct machine one_package = { .packages = 1, .cpus_online = 1 };
static const struct machine two_packages = { .packages = 2, .cpus_online = 2 };

static void put(const char *chip, const char *file, const char *text)
{
    char path[192];

    snprintf(path, sizeof path, "sys/class/hwmon/%s/%s", chip, file);
    tree_put(&tree, path, text);
}

/* Its value and, where it has one, its label: "power1_input" and "power1_label". */
static void put_sensor(const char *chip, const char *sensor, const char *value, const char *text)
{
    char label[64];

    put(chip, sensor, value);
    snprintf(label, sizeof label, "%.*s_label", (int)strcspn(sensor, "_"), sensor);
    if (text)
        put(chip, label, text);
}

/* CHIP("hwmon0", "xe", { "energy1_input", "7" }, { "energy1_label", "card" }) */
#define CHIP(chip, called, ...) TREE_PUT(&tree, "sys/class/hwmon/" chip, { "name", called }, __VA_ARGS__)

static bool open_source(const struct machine *machine)
{
    return source_open(&hwmon_driver, machine);
}

static void expect_rail(const char *name, const char *reason)
{
    ck_assert_int_eq(domain_of(name)->component, COMPONENT_RAIL);
    ck_assert_msg(strstr(domain_of(name)->not_counted, reason) != NULL, "%s: %s", name, domain_of(name)->not_counted);
}

/* One chip with one sensor. */
static const struct rule_case {
    const char *chip, *sensor, *label;
    const char *name;
    enum component component;
    int package;
    bool part, counted;
} rule_cases[] = {
    { "amd_energy", "energy1_input", "Esocket1", "package-1", COMPONENT_PACKAGE, 1, false, true },
    { "zenergy", "energy1_input", "Esocket0", "package-0", COMPONENT_PACKAGE, 0, false, true },
    { "zenpower", "power1_input", "SVI2_P_Core", "zenpower-svi2_p_core", COMPONENT_RAIL, -1, false, false },
    { "fam15h_power", "power1_input", NULL, "package-0", COMPONENT_PACKAGE, 0, false, true },
    { "apm_xgene", "power1_input", "CPU power", "apm_xgene-cpu-power", COMPONENT_PACKAGE, 0, true, true },
    { "power_meter", "power1_average", NULL, "machine", COMPONENT_MACHINE, -1, false, true },
    { "power_meter", "power1_average", "Grace Power Socket 1", "package-1", COMPONENT_PACKAGE, 1, false, true },
    { "power_meter", "power1_average", "CPU Power Socket 0", "power_meter-cpu-power-socket-0", COMPONENT_RAIL, 0, false,
      false },
    { "corsairpsu", "power1_input", "power total", "machine", COMPONENT_MACHINE, -1, false, true },
    { "corsairpsu", "power2_input", "power +12v", "corsairpsu-power-12v", COMPONENT_RAIL, -1, false, false },
    { "macsmc_hwmon", "power1_input", "Total System Power", "machine", COMPONENT_MACHINE, -1, false, true },
    { "ibmpowernv", "power1_input", "System", "machine", COMPONENT_MACHINE, -1, false, true },
    { "cffps1", "power1_input", "pin1", "cffps1-pin1", COMPONENT_MACHINE, -1, true, true },
    { "cffps1", "power2_input", "pout1", "cffps1-pout1", COMPONENT_RAIL, -1, false, false },
    { "ina226", "power1_input", "VDD_IN", "machine", COMPONENT_MACHINE, -1, false, true },
    { "ina219", "power1_input", NULL, "ina219", COMPONENT_RAIL, -1, false, false },
    { "ina3221", "power1_input", "VDD_MUX", "ina3221-vdd_mux", COMPONENT_RAIL, -1, false, false },
    { "pac1934", "power1_input", "VDD_IN_POWER_1", "machine", COMPONENT_MACHINE, -1, false, true },
    { "pac1934", "power1_input", "VDD_INT_POWER_1", "pac1934-vdd_int_power_1", COMPONENT_RAIL, -1, false, false },
    { "amdgpu", "power1_average", "PPT", "gpu", COMPONENT_GPU, -1, false, true },
    { "nouveau", "power1_input", NULL, "gpu", COMPONENT_GPU, -1, false, true },
    { "i915", "energy1_input", NULL, "gpu", COMPONENT_GPU, -1, false, true },
    { "i915_gt0", "energy1_input", NULL, "i915_gt0", COMPONENT_RAIL, -1, false, false },
    { "xe", "energy1_input", "card", "gpu", COMPONENT_GPU, -1, false, true },
    { "xe", "energy2_input", "pkg", "gpu", COMPONENT_GPU, -1, false, true },
    { "nct6792", "power1_input", "AUX", "nct6792-aux", COMPONENT_RAIL, -1, false, false },
};

static void check_rule(const struct rule_case *known)
{
    const struct domain *domain;

    another_tree();
    put("hwmon0", "name", known->chip);
    put_sensor("hwmon0", known->sensor, "12000000", known->label);
    ck_assert_msg(open_source(&one_package), "%s: %s", known->chip, err.what);
    ck_assert_uint_eq(source.domain_count, 1);
    domain = &source.domains[0];
    ck_assert_str_eq(domain->name, known->name);
    ck_assert_int_eq(domain->component, known->component);
    ck_assert_int_eq(domain->package, known->package);
    ck_assert_int_eq(domain->part, known->part);
    ck_assert_msg((domain->not_counted[0] == '\0') == known->counted, "%s: '%s'", known->name, domain->not_counted);
    ck_assert_int_eq(domain->access, ACCESS_SENSOR);
    ck_assert_int_eq(domain->quality, QUALITY_MEASURED);
    ck_assert_int_eq(domain->poll_ns > 0, strncmp(known->sensor, "energy", 6) != 0);
}

START_TEST(what_a_sensor_covers)
{
    for (size_t i = 0; i < sizeof rule_cases / sizeof rule_cases[0]; i++)
        check_rule(&rule_cases[i]);
}
END_TEST

START_TEST(two_rails_of_an_altra_are_its_package)
{
    CHIP("hwmon0", "altra_hwmon", { "power1_input", "80000000" }, { "power1_label", "CPU power" },
         { "power2_input", "30000000" }, { "power2_label", "IO power" }, { "energy1_input", "5" },
         { "energy1_label", "Core Energy 000" }, { "energy2_input", "5" }, { "energy2_label", "Core Energy 001" });
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert(domain_of("altra_hwmon-cpu-power")->part && domain_of("altra_hwmon-io-power")->part);
    ck_assert_int_eq(domain_of("altra_hwmon-io-power")->package, 0);
    ck_assert_int_eq(domain_of("altra_hwmon-core-energy-000")->component, COMPONENT_CORES);
}
END_TEST

/* 300 cores of two sockets: one core stands for all, and no socket is lost. */
START_TEST(cores_of_amd_energy_are_folded)
{
    char sensor[24], label[16];

    put("hwmon3", "name", "amd_energy");
    for (int i = 1; i <= 302; i++) {
        snprintf(sensor, sizeof sensor, "energy%d_input", i);
        snprintf(label, sizeof label, i <= 300 ? "Ecore%03d" : "Esocket%d", i <= 300 ? i - 1 : i - 301);
        put_sensor("hwmon3", sensor, "1000", label);
    }
    ck_assert(open_source(&two_packages));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert_str_eq(source.domains[0].name, "package-0");
    ck_assert_str_eq(source.domains[1].name, "package-1");
    ck_assert_int_eq(domain_of("amd_energy-ecore000")->component, COMPONENT_CORES);
    ck_assert_ptr_nonnull(strstr(domain_of("amd_energy-ecore000")->not_counted, "one core"));
    ck_assert_uint_eq(source.notices.count, 0);
}
END_TEST

START_TEST(channels_of_a_jetson_are_voltage_times_current)
{
    static const char *const labels[] = { "VDD_IN", "VDD_CPU_GPU_CV",       "VDD_SOC", NULL, NULL,
                                          NULL,     "sum of shunt voltages" };
    char sensor[24];

    put("hwmon1", "name", "ina3221");
    for (int i = 1; i <= 7; i++) {
        snprintf(sensor, sizeof sensor, "in%d_input", i);
        put_sensor("hwmon1", sensor, i <= 3 ? "5048" : "3", labels[i - 1]);
        snprintf(sensor, sizeof sensor, "curr%d_input", i);
        if (i <= 4)
            put("hwmon1", sensor, "1096");
    }
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 3); /* no shunt, and not their sum */
    ck_assert_str_eq(domain_of("machine")->path, "sys/class/hwmon/hwmon1/in1_input");
    expect_rail("ina3221-vdd_soc", "one rail of the board");
}
END_TEST

START_TEST(voltages_of_other_chips_are_none)
{
    CHIP("hwmon0", "nct6775", { "in1_input", "5048" }, { "curr1_input", "1000" });
    expect_refused(open_source(&one_package), ERROR_ABSENT);
    ck_assert_uint_eq(source.domain_count, 0);
}
END_TEST

START_TEST(the_card_contains_its_package)
{
    CHIP("hwmon2", "xe", { "energy1_input", "7" }, { "energy1_label", "card" }, { "energy2_input", "5" },
         { "energy2_label", "pkg" });
    ck_assert(open_source(&one_package));
    ck_assert_str_eq(domain_of("gpu")->path, "sys/class/hwmon/hwmon2/energy1_input");
    expect_rail("xe-pkg", "inside its card");
}
END_TEST

START_TEST(an_input_stands_before_its_average)
{
    CHIP("hwmon1", "amdgpu", { "power1_input", "35210000" }, { "power1_label", "PPT" },
         { "power1_average", "434397552" });
    CHIP("hwmon4", "amdgpu", { "power1_average", "61000000" }, { "power1_label", "slowPPT" });
    ck_assert(open_source(&one_package));
    ck_assert_str_eq(domain_of("gpu")->path, "sys/class/hwmon/hwmon1/power1_input");
    ck_assert_str_eq(domain_of("gpu#2")->path, "sys/class/hwmon/hwmon4/power1_average");
    expect_rail("amdgpu-ppt", "average");
}
END_TEST

START_TEST(integrated_graphics_are_not_counted)
{
    CHIP("hwmon1", "amdgpu", { "power1_average", "9000000" }, { "power1_label", "PPT" }, { "in1_input", "900" },
         { "in1_label", "vddnb" });
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 1);
    expect_rail("amdgpu-ppt", "integrated graphics");
}
END_TEST

START_TEST(an_acpi_meter_lies_in_its_device)
{
    CHIP("hwmon0", "power_meter", { "device/power1_average", "312000000" },
         { "device/power1_average_interval", "300000" });
    CHIP("hwmon1", "power_meter", { "device/power1_average", "90000000" },
         { "device/power1_oem_info", "Grace Power Socket 0" });
    ck_assert(open_source(&two_packages));
    ck_assert_str_eq(domain_of("machine")->path, "sys/class/hwmon/hwmon0/device/power1_average");
    ck_assert_uint_eq(domain_of("machine")->update_ns, UINT64_C(300000000000));
    ck_assert_uint_eq(domain_of("machine")->poll_ns, UINT64_C(1000000000));
    ck_assert_int_eq(domain_of("package-0")->component, COMPONENT_PACKAGE);
}
END_TEST

START_TEST(error_values_are_no_power)
{
    static const struct {
        const char *average, *what, *fix;
    } cases[] = { { "4294967295000", "error value", "" },
                  { "0", "says 0 W", "modprobe acpi_ipmi" },
                  { "-5000000", "error value", "" },
                  { "none", "does not hold a number", "" },
                  { "", "does not hold a number", "" } };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        another_tree();
        CHIP("hwmon0", "power_meter", { "device/power1_average", cases[i].average });
        expect_bad_data(open_source(&one_package), cases[i].what);
        ck_assert_int_eq(domain_of("machine")->problem.kind, ERROR_BAD_DATA);
        HAS(err.fix, cases[i].fix);
    }
}
END_TEST

START_TEST(only_root_may_read_amd_energy)
{
    CHIP("hwmon0", "amd_energy", { "energy1_input", "1000" }, { "energy1_label", "Esocket0" });
    keep_from_others("sys/class/hwmon/hwmon0/energy1_input");
    expect_refused(open_source(&one_package), ERROR_DENIED);
    ck_assert_ptr_nonnull(strstr(err.what, "energy1_input"));
    ck_assert_ptr_nonnull(strstr(err.why, "root only"));
    ck_assert_ptr_nonnull(strstr(err.fix, "as root"));
    ck_assert_ptr_null(strstr(err.fix, "chmod"));
}
END_TEST

START_TEST(nothing_here_is_absent)
{
    expect_refused(open_source(&one_package), ERROR_ABSENT);
    put("hwmon0", "temp1_input", "42000"); /* without a name, and no power */
    put("other", "power1_input", "1");
    hwmon_driver.close(&source);
    expect_refused(open_source(&one_package), ERROR_ABSENT);
}
END_TEST

START_TEST(a_guests_sensors_are_virtual)
{
    const struct machine guest = { .packages = 1, .guest = true };

    CHIP("hwmon0", "power_meter", { "power1_average", "90000000" });
    ck_assert(open_source(&guest));
    ck_assert_int_eq(source.domains[0].quality, QUALITY_VIRTUAL);
}
END_TEST

START_TEST(readings_are_power_times_time)
{
    uint64_t first[2], second[2];
    size_t gpu, socket;

    CHIP("hwmon0", "amdgpu", { "power1_input", "200000000" }, { "power1_label", "PPT" });
    CHIP("hwmon1", "amd_energy", { "energy1_input", "123456789" }, { "energy1_label", "Esocket0" });
    ck_assert(open_source(&one_package));
    gpu = index_of("gpu");
    socket = index_of("package-0");
    read_between(first);
    ck_assert_uint_eq(readings[gpu].energy_uj, 0);
    ck_assert_uint_eq(readings[socket].energy_uj, 123456789);
    put("hwmon1", "energy1_input", "123999999");
    usleep(30000);
    read_between(second);
    ck_assert_int_eq(readings[gpu].error, 0);
    ck_assert_uint_eq(readings[socket].energy_uj, 123999999);
    /* 200 W are 0.2 µJ in a nanosecond */
    ck_assert_uint_ge(readings[gpu].energy_uj + 1, (second[0] - first[1]) / 5);
    ck_assert_uint_le(readings[gpu].energy_uj, (second[1] - first[0]) / 5);

    put("hwmon0", "power1_input", "");
    put("hwmon1", "energy1_input", "");
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[gpu].error, EBADMSG); /* a failed read is not 0 */
    ck_assert_int_eq(readings[socket].error, EBADMSG);
    put("hwmon0", "power1_input", "200000000");
    memset(readings, 0, sizeof readings);
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[gpu].error, 0);
    ck_assert(readings[gpu].restarted);
}
END_TEST

START_TEST(a_suspended_card_is_not_woken)
{
    CHIP("hwmon0", "amdgpu", { "power1_input", "reading this would wake it" }, { "power1_label", "PPT" },
         { "device/power/runtime_status", "suspended" });
    ck_assert(open_source(&one_package));
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert(readings[0].off);
    ck_assert_uint_eq(readings[0].energy_uj, 0);
    put("hwmon0", "device/power/runtime_status", "active");
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, EBADMSG);
}
END_TEST

static const struct reading *read_at(double at_s, const char *energy, const char *domain)
{
    put("hwmon0", "energy1_input", energy);
    set_clock_s = 1000 + at_s;
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[index_of(domain)].error, 0);
    return &readings[index_of(domain)];
}

/* 200 W. It gains 200 J in a second, and stands still from then on: the sensor of the same label goes on. */
START_TEST(a_frozen_counter_gives_way_to_the_sensor_of_its_label)
{
    CHIP("hwmon0", "ibmpowernv", { "energy1_input", "1000000" }, { "energy1_label", "System" },
         { "power1_input", "50000000" }, { "power1_label", "Chip 0" }, { "power7_input", "200000000" },
         { "power7_label", "System" });
    ck_assert(open_source(&one_package));
    ck_assert_str_eq(domain_of("machine")->path, "sys/class/hwmon/hwmon0/energy1_input");
    ck_assert_uint_eq(domain_of("machine")->held_ns,
                      UINT64_C(5000000000)); /* of a chip that may be asked each second */
    ck_assert_uint_eq(read_at(0, "1000000", "machine")->energy_uj, 1000000);
    ck_assert_uint_eq(read_at(1, "201000000", "machine")->energy_uj, 201000000);
    ck_assert_uint_eq(read_at(5.5, "201000000", "machine")->energy_uj, 201000000);
    ck_assert_uint_eq(domain_of("machine")->poll_ns, 0);
    ck_assert_uint_eq(read_at(7, "201000000", "machine")->energy_uj, 1401000000);
    ck_assert_uint_eq(domain_of("machine")->poll_ns, UINT64_C(1000000000));
    ck_assert_int_eq(domain_of("machine")->doubt.notice, NOTICE_FROZEN);
    ck_assert_ptr_nonnull(strstr(domain_of("machine")->doubt.what, "the energy counter of machine is implausible"));
    /* whatever the counter says now */
    ck_assert_uint_eq(read_at(8, "900000000", "machine")->energy_uj, 1601000000);
    set_clock_s = 0;
}
END_TEST

/* Without labels by its number; by its average where it has no other; a jump is the sensor's at once. */
START_TEST(a_jump_gives_way_to_the_sensor_of_its_number)
{
    CHIP("hwmon0", "ina228", { "energy1_input", "1000000" }, { "power1_average", "20000000" },
         { "power1_average_interval", "4000" });
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(domain_of("ina228")->held_ns, UINT64_C(20000000000));
    ck_assert_uint_eq(read_at(0, "1000000", "ina228")->energy_uj, 1000000);
    ck_assert_uint_eq(read_at(1, "21000000", "ina228")->energy_uj, 21000000);
    ck_assert_uint_eq(read_at(2, "9000000000000", "ina228")->energy_uj, 41000000);
    ck_assert_int_eq(domain_of("ina228")->doubt.notice, NOTICE_METERS_DIFFER);
    set_clock_s = 0;
}
END_TEST

START_TEST(a_counter_beside_another_sensor_is_alone)
{
    CHIP("hwmon0", "altra_hwmon", { "energy1_input", "1000000" }, { "energy1_label", "Core Energy 000" },
         { "power1_input", "20000000" }, { "power1_label", "CPU power" });
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(domain_of("altra_hwmon-core-energy-000")->held_ns, 0);
    for (int s = 0; s < 100; s++)
        ck_assert_uint_eq(read_at(s, "1000000", "altra_hwmon-core-energy-000")->energy_uj, 1000000);
    set_clock_s = 0;
}
END_TEST

UNIT_SUITE_IN("hwmon", open_tree, close_all, what_a_sensor_covers, two_rails_of_an_altra_are_its_package,
              cores_of_amd_energy_are_folded, channels_of_a_jetson_are_voltage_times_current,
              voltages_of_other_chips_are_none, the_card_contains_its_package, an_input_stands_before_its_average,
              integrated_graphics_are_not_counted, an_acpi_meter_lies_in_its_device, error_values_are_no_power,
              only_root_may_read_amd_energy, nothing_here_is_absent, a_guests_sensors_are_virtual,
              readings_are_power_times_time, a_suspended_card_is_not_woken,
              a_frozen_counter_gives_way_to_the_sensor_of_its_label, a_jump_gives_way_to_the_sensor_of_its_number,
              a_counter_beside_another_sensor_is_alone)
