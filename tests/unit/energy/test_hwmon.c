/* SPDX-License-Identifier: MIT
 * The hwmon driver over trees made here: what each sensor covers, and what reading it gives. */
#include "set_clock.h"
#include "source_fixture.h"
#include "unit.h"

#include "base/clock.h"

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

/* "power1", "input": its value and, where it has one, its label. */
static void put_sensor(const char *chip, const char *sensor, const char *suffix, const char *value, const char *label)
{
    char file[64];

    snprintf(file, sizeof file, "%s_%s", sensor, suffix);
    put(chip, file, value);
    snprintf(file, sizeof file, "%s_label", sensor);
    if (label)
        put(chip, file, label);
}

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
    const char *chip, *sensor, *suffix, *label;
    const char *name;
    enum component component;
    int package;
    bool part, counted;
} rule_cases[] = {
    { "amd_energy", "energy1", "input", "Esocket1", "package-1", COMPONENT_PACKAGE, 1, false, true },
    { "zenergy", "energy1", "input", "Esocket0", "package-0", COMPONENT_PACKAGE, 0, false, true },
    { "zenpower", "power1", "input", "SVI2_P_Core", "zenpower-svi2_p_core", COMPONENT_RAIL, -1, false, false },
    { "fam15h_power", "power1", "input", NULL, "package-0", COMPONENT_PACKAGE, 0, false, true },
    { "apm_xgene", "power1", "input", "CPU power", "apm_xgene-cpu-power", COMPONENT_PACKAGE, 0, true, true },
    { "power_meter", "power1", "average", NULL, "machine", COMPONENT_MACHINE, -1, false, true },
    { "power_meter", "power1", "average", "Grace Power Socket 1", "package-1", COMPONENT_PACKAGE, 1, false, true },
    { "power_meter", "power1", "average", "CPU Power Socket 0", "power_meter-cpu-power-socket-0", COMPONENT_RAIL, 0,
      false, false },
    { "corsairpsu", "power1", "input", "power total", "machine", COMPONENT_MACHINE, -1, false, true },
    { "corsairpsu", "power2", "input", "power +12v", "corsairpsu-power-12v", COMPONENT_RAIL, -1, false, false },
    { "macsmc_hwmon", "power1", "input", "Total System Power", "machine", COMPONENT_MACHINE, -1, false, true },
    { "ibmpowernv", "power1", "input", "System", "machine", COMPONENT_MACHINE, -1, false, true },
    { "cffps1", "power1", "input", "pin1", "cffps1-pin1", COMPONENT_MACHINE, -1, true, true },
    { "cffps1", "power2", "input", "pout1", "cffps1-pout1", COMPONENT_RAIL, -1, false, false },
    { "ina226", "power1", "input", "VDD_IN", "machine", COMPONENT_MACHINE, -1, false, true },
    { "ina219", "power1", "input", NULL, "ina219", COMPONENT_RAIL, -1, false, false },
    { "ina3221", "power1", "input", "VDD_MUX", "ina3221-vdd_mux", COMPONENT_RAIL, -1, false, false },
    { "pac1934", "power1", "input", "VDD_IN_POWER_1", "machine", COMPONENT_MACHINE, -1, false, true },
    { "pac1934", "power1", "input", "VDD_INT_POWER_1", "pac1934-vdd_int_power_1", COMPONENT_RAIL, -1, false, false },
    { "amdgpu", "power1", "average", "PPT", "gpu", COMPONENT_GPU, -1, false, true },
    { "nouveau", "power1", "input", NULL, "gpu", COMPONENT_GPU, -1, false, true },
    { "i915", "energy1", "input", NULL, "gpu", COMPONENT_GPU, -1, false, true },
    { "i915_gt0", "energy1", "input", NULL, "i915_gt0", COMPONENT_RAIL, -1, false, false },
    { "xe", "energy1", "input", "card", "gpu", COMPONENT_GPU, -1, false, true },
    { "xe", "energy2", "input", "pkg", "gpu", COMPONENT_GPU, -1, false, true },
    { "nct6792", "power1", "input", "AUX", "nct6792-aux", COMPONENT_RAIL, -1, false, false },
};

static void check_rule(const struct rule_case *known)
{
    const struct domain *domain;

    tree_open(&tree);
    put("hwmon0", "name", known->chip);
    put_sensor("hwmon0", known->sensor, known->suffix, "12000000", known->label);
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
    close_all();
}

START_TEST(what_a_sensor_covers)
{
    for (size_t i = 0; i < sizeof rule_cases / sizeof rule_cases[0]; i++)
        check_rule(&rule_cases[i]);
}
END_TEST

START_TEST(two_rails_of_an_altra_are_its_package)
{
    tree_open(&tree);
    put("hwmon0", "name", "altra_hwmon");
    put_sensor("hwmon0", "power1", "input", "80000000", "CPU power");
    put_sensor("hwmon0", "power2", "input", "30000000", "IO power");
    put_sensor("hwmon0", "energy1", "input", "5", "Core Energy 000");
    put_sensor("hwmon0", "energy2", "input", "5", "Core Energy 001");
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert(domain_of("altra_hwmon-cpu-power")->part && domain_of("altra_hwmon-io-power")->part);
    ck_assert_int_eq(domain_of("altra_hwmon-io-power")->package, 0);
    ck_assert_int_eq(domain_of("altra_hwmon-core-energy-000")->component, COMPONENT_CORES);
    close_all();
}
END_TEST

/* 300 cores of two sockets: one core stands for all, and no socket is lost. */
START_TEST(cores_of_amd_energy_are_folded)
{
    char sensor[16], label[16];

    tree_open(&tree);
    put("hwmon3", "name", "amd_energy");
    for (int i = 1; i <= 302; i++) {
        snprintf(sensor, sizeof sensor, "energy%d", i);
        snprintf(label, sizeof label, i <= 300 ? "Ecore%03d" : "Esocket%d", i <= 300 ? i - 1 : i - 301);
        put_sensor("hwmon3", sensor, "input", "1000", label);
    }
    ck_assert(open_source(&two_packages));
    ck_assert_uint_eq(source.domain_count, 3);
    ck_assert_str_eq(source.domains[0].name, "package-0");
    ck_assert_str_eq(source.domains[1].name, "package-1");
    ck_assert_int_eq(domain_of("amd_energy-ecore000")->component, COMPONENT_CORES);
    ck_assert_ptr_nonnull(strstr(domain_of("amd_energy-ecore000")->not_counted, "one core"));
    ck_assert_uint_eq(source.notices.count, 0);
    close_all();
}
END_TEST

START_TEST(channels_of_a_jetson_are_voltage_times_current)
{
    static const char *const labels[] = { "VDD_IN", "VDD_CPU_GPU_CV",       "VDD_SOC", NULL, NULL,
                                          NULL,     "sum of shunt voltages" };
    char sensor[16];

    tree_open(&tree);
    put("hwmon1", "name", "ina3221");
    for (int i = 1; i <= 7; i++) {
        snprintf(sensor, sizeof sensor, "in%d", i);
        put_sensor("hwmon1", sensor, "input", i <= 3 ? "5048" : "3", labels[i - 1]);
        snprintf(sensor, sizeof sensor, "curr%d_input", i);
        if (i <= 4)
            put("hwmon1", sensor, "1096");
    }
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 3); /* no shunt, and not their sum */
    ck_assert_str_eq(domain_of("machine")->path, "sys/class/hwmon/hwmon1/in1_input");
    expect_rail("ina3221-vdd_soc", "one rail of the board");
    close_all();
}
END_TEST

START_TEST(voltages_of_other_chips_are_none)
{
    tree_open(&tree);
    put("hwmon0", "name", "nct6775");
    put("hwmon0", "in1_input", "5048");
    put("hwmon0", "curr1_input", "1000");
    ck_assert(!open_source(&one_package));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_uint_eq(source.domain_count, 0);
    close_all();
}
END_TEST

START_TEST(the_card_contains_its_package)
{
    tree_open(&tree);
    put("hwmon2", "name", "xe");
    put_sensor("hwmon2", "energy1", "input", "7", "card");
    put_sensor("hwmon2", "energy2", "input", "5", "pkg");
    ck_assert(open_source(&one_package));
    ck_assert_str_eq(domain_of("gpu")->path, "sys/class/hwmon/hwmon2/energy1_input");
    expect_rail("xe-pkg", "inside its card");
    close_all();
}
END_TEST

START_TEST(an_input_stands_before_its_average)
{
    tree_open(&tree);
    put("hwmon1", "name", "amdgpu");
    put_sensor("hwmon1", "power1", "input", "35210000", "PPT");
    put("hwmon1", "power1_average", "434397552");
    put("hwmon4", "name", "amdgpu");
    put_sensor("hwmon4", "power1", "average", "61000000", "slowPPT");
    ck_assert(open_source(&one_package));
    ck_assert_str_eq(domain_of("gpu")->path, "sys/class/hwmon/hwmon1/power1_input");
    ck_assert_str_eq(domain_of("gpu#2")->path, "sys/class/hwmon/hwmon4/power1_average");
    expect_rail("amdgpu-ppt", "average");
    close_all();
}
END_TEST

START_TEST(integrated_graphics_are_not_counted)
{
    tree_open(&tree);
    put("hwmon1", "name", "amdgpu");
    put_sensor("hwmon1", "power1", "average", "9000000", "PPT");
    put_sensor("hwmon1", "in1", "input", "900", "vddnb");
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(source.domain_count, 1);
    expect_rail("amdgpu-ppt", "integrated graphics");
    close_all();
}
END_TEST

START_TEST(an_acpi_meter_lies_in_its_device)
{
    tree_open(&tree);
    put("hwmon0", "name", "power_meter");
    put("hwmon0", "device/power1_average", "312000000");
    put("hwmon0", "device/power1_average_interval", "300000");
    put("hwmon1", "name", "power_meter");
    put("hwmon1", "device/power1_average", "90000000");
    put("hwmon1", "device/power1_oem_info", "Grace Power Socket 0");
    ck_assert(open_source(&two_packages));
    ck_assert_str_eq(domain_of("machine")->path, "sys/class/hwmon/hwmon0/device/power1_average");
    ck_assert_uint_eq(domain_of("machine")->update_ns, UINT64_C(300000000000));
    ck_assert_uint_eq(domain_of("machine")->poll_ns, UINT64_C(1000000000));
    ck_assert_int_eq(domain_of("package-0")->component, COMPONENT_PACKAGE);
    close_all();
}
END_TEST

/* What a whole machine's meter says, and what kind of problem that is. */
static void check_meter(const char *text, const char *what, const char *fix)
{
    tree_open(&tree);
    put("hwmon0", "name", "power_meter");
    put("hwmon0", "device/power1_average", text);
    ck_assert(!open_source(&one_package));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_int_eq(domain_of("machine")->problem.kind, ERROR_BAD_DATA);
    ck_assert_msg(strstr(err.what, what) || strstr(err.why, what), "%s: %s", err.what, err.why);
    ck_assert_msg(strstr(err.fix, fix) != NULL, "%s", err.fix);
    hwmon_driver.read(&source, readings);
    ck_assert_int_ne(readings[0].error, 0);
    close_all();
}

START_TEST(error_values_are_no_power)
{
    check_meter("4294967295000", "error value", "");
    check_meter("0", "says 0 W", "modprobe acpi_ipmi");
    check_meter("-5000000", "error value", "");
    check_meter("none", "does not hold a number", "");
    check_meter("", "does not hold a number", "");
}
END_TEST

START_TEST(only_root_may_read_amd_energy)
{
    tree_open(&tree);
    put("hwmon0", "name", "amd_energy");
    put_sensor("hwmon0", "energy1", "input", "1000", "Esocket0");
    tree_mode(&tree, "sys/class/hwmon/hwmon0/energy1_input", 0);
    tree_become_ordinary(&tree);
    ck_assert(!open_source(&one_package));
    ck_assert_int_eq(err.kind, ERROR_DENIED);
    ck_assert_ptr_nonnull(strstr(err.what, "energy1_input"));
    ck_assert_ptr_nonnull(strstr(err.why, "only root"));
    ck_assert_ptr_nonnull(strstr(err.fix, "as root"));
    ck_assert_ptr_null(strstr(err.fix, "chmod"));
    close_all();
}
END_TEST

START_TEST(nothing_here_is_absent)
{
    tree_open(&tree);
    ck_assert(!open_source(&one_package));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    put("hwmon0", "temp1_input", "42000"); /* without a name, and no power */
    put("other", "power1_input", "1");
    hwmon_driver.close(&source);
    ck_assert(!open_source(&one_package));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    close_all();
}
END_TEST

START_TEST(a_guests_sensors_are_virtual)
{
    const struct machine guest = { .packages = 1, .guest = true };

    tree_open(&tree);
    put("hwmon0", "name", "power_meter");
    put_sensor("hwmon0", "power1", "average", "90000000", NULL);
    ck_assert(open_source(&guest));
    ck_assert_int_eq(source.domains[0].quality, QUALITY_VIRTUAL);
    close_all();
}
END_TEST

/* Reads, and says between which two moments. */
static void read_between(uint64_t *before_ns, uint64_t *after_ns)
{
    *before_ns = clock_monotonic_ns();
    hwmon_driver.read(&source, readings);
    *after_ns = clock_monotonic_ns();
}

START_TEST(readings_are_power_times_time)
{
    uint64_t first[2], second[2];
    size_t gpu, socket;

    tree_open(&tree);
    put("hwmon0", "name", "amdgpu");
    put_sensor("hwmon0", "power1", "input", "200000000", "PPT");
    put("hwmon1", "name", "amd_energy");
    put_sensor("hwmon1", "energy1", "input", "123456789", "Esocket0");
    ck_assert(open_source(&one_package));
    gpu = index_of("gpu");
    socket = index_of("package-0");
    read_between(&first[0], &first[1]);
    ck_assert_uint_eq(readings[gpu].energy_uj, 0);
    ck_assert_uint_eq(readings[socket].energy_uj, 123456789);
    put("hwmon1", "energy1_input", "123999999");
    usleep(30000);
    read_between(&second[0], &second[1]);
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
    close_all();
}
END_TEST

START_TEST(a_suspended_card_is_not_woken)
{
    tree_open(&tree);
    put("hwmon0", "name", "amdgpu");
    put_sensor("hwmon0", "power1", "input", "reading this would wake it", "PPT");
    put("hwmon0", "device/power/runtime_status", "suspended");
    ck_assert(open_source(&one_package));
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, 0);
    ck_assert(readings[0].off);
    ck_assert_uint_eq(readings[0].energy_uj, 0);
    put("hwmon0", "device/power/runtime_status", "active");
    hwmon_driver.read(&source, readings);
    ck_assert_int_eq(readings[0].error, EBADMSG);
    close_all();
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
    tree_open(&tree);
    put("hwmon0", "name", "ibmpowernv");
    put_sensor("hwmon0", "energy1", "input", "1000000", "System");
    put_sensor("hwmon0", "power1", "input", "50000000", "Chip 0");
    put_sensor("hwmon0", "power7", "input", "200000000", "System");
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
    ck_assert_ptr_nonnull(strstr(domain_of("machine")->doubt.what, "the energy counter of machine is not believed"));
    /* whatever the counter says now */
    ck_assert_uint_eq(read_at(8, "900000000", "machine")->energy_uj, 1601000000);
    set_clock_s = 0;
    close_all();
}
END_TEST

/* Without labels by its number; by its average where it has no other; a jump is the sensor's at once. */
START_TEST(a_jump_gives_way_to_the_sensor_of_its_number)
{
    tree_open(&tree);
    put("hwmon0", "name", "ina228");
    put_sensor("hwmon0", "energy1", "input", "1000000", NULL);
    put_sensor("hwmon0", "power1", "average", "20000000", NULL);
    put("hwmon0", "power1_average_interval", "4000");
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(domain_of("ina228")->held_ns, UINT64_C(20000000000));
    ck_assert_uint_eq(read_at(0, "1000000", "ina228")->energy_uj, 1000000);
    ck_assert_uint_eq(read_at(1, "21000000", "ina228")->energy_uj, 21000000);
    ck_assert_uint_eq(read_at(2, "9000000000000", "ina228")->energy_uj, 41000000);
    ck_assert_int_eq(domain_of("ina228")->doubt.notice, NOTICE_METERS_DIFFER);
    set_clock_s = 0;
    close_all();
}
END_TEST

START_TEST(a_counter_beside_another_sensor_is_alone)
{
    tree_open(&tree);
    put("hwmon0", "name", "altra_hwmon");
    put_sensor("hwmon0", "energy1", "input", "1000000", "Core Energy 000");
    put_sensor("hwmon0", "power1", "input", "20000000", "CPU power");
    ck_assert(open_source(&one_package));
    ck_assert_uint_eq(domain_of("altra_hwmon-core-energy-000")->held_ns, 0);
    for (int s = 0; s < 100; s++)
        ck_assert_uint_eq(read_at(s, "1000000", "altra_hwmon-core-energy-000")->energy_uj, 1000000);
    set_clock_s = 0;
    close_all();
}
END_TEST

UNIT_SUITE("hwmon", what_a_sensor_covers, two_rails_of_an_altra_are_its_package, cores_of_amd_energy_are_folded,
           channels_of_a_jetson_are_voltage_times_current, voltages_of_other_chips_are_none,
           the_card_contains_its_package, an_input_stands_before_its_average, integrated_graphics_are_not_counted,
           an_acpi_meter_lies_in_its_device, error_values_are_no_power, only_root_may_read_amd_energy,
           nothing_here_is_absent, a_guests_sensors_are_virtual, readings_are_power_times_time,
           a_suspended_card_is_not_woken, a_frozen_counter_gives_way_to_the_sensor_of_its_label,
           a_jump_gives_way_to_the_sensor_of_its_number, a_counter_beside_another_sensor_is_alone)
