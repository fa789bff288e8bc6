/* SPDX-License-Identifier: MIT
 * One sensor of a chip in the hwmon class: its component, and its open files. */
#include "energy/hwmon_sensor.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void explain_denial(struct error *problem)
{
    error_why(problem, "permission denied: the driver allows root only, since fine-grained energy readings leak "
                       "secrets of other programs (CVE-2020-12912)");
    error_fix(problem, "run carbon as root; 'carbon sources --grant' shows what else would do");
}

static int open_attribute(const struct hwmon_scan *scan, const char *path, struct error *problem)
{
    const int fd = root_open_file(scan->root, path, problem);

    if (fd < 0 && problem->kind == ERROR_DENIED)
        explain_denial(problem);
    return fd;
}

/* A whole machine at 0 W is not running: the meter behind the driver does not answer. */
static void doubt_zero(const struct hwmon_scan *scan, const char *path, struct hwmon_sensor *sensor)
{
    struct error *problem = &sensor->domain.problem;
    char typed[512];

    root_typed_path(scan->root, path, typed, sizeof typed);
    error_set(problem, ERROR_BAD_DATA, "'%.200s' says 0 W", typed);
    error_notice(problem, NOTICE_ZERO_POWER);
    error_why(problem, "a running machine cannot use nothing; an ACPI meter needs the board's controller to answer it");
    error_fix(problem, "'modprobe acpi_ipmi' and 'modprobe ipmi_si' let it answer on many servers");
}

/* Of the two dies of an AMD Instinct MI250 and MI250X (Aldebaran) only the first reports the card's power; the other
 * one reports 0, and has no limit (aldebaran_ppt.c, "valid power data is available only from primary die"). */
static bool is_second_die(const struct hwmon_scan *scan, const struct chip *chip)
{
    char path[192], id[16];

    snprintf(path, sizeof path, "%s/device/device", chip->dir);
    if (strcmp(chip->name, "amdgpu") != 0 || !root_read_text(scan->root, path, id, sizeof id, NULL) ||
        (c_strcasecmp(id, "0x7408") != 0 && c_strcasecmp(id, "0x740c") != 0))
        return false;
    snprintf(path, sizeof path, "%s/power1_cap", chip->dir);
    return !root_exists(scan->root, path);
}

static void open_gauge(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found,
                       struct hwmon_sensor *sensor)
{
    struct domain *domain = &sensor->domain;
    char path[192];
    double power_uw;
    int number;

    sensor->gauge.fd = open_attribute(scan, domain->path, &domain->problem);
    if (sensor->gauge.fd >= 0 && found->kind == KIND_VOLTAGE) {
        snprintf(path, sizeof path, "%s/curr%u_input", chip->dir, found->number);
        sensor->gauge.current_fd = open_attribute(scan, path, &domain->problem);
    }
    if (domain->problem.kind == ERROR_NONE) {
        if (domain->component == COMPONENT_GPU) {
            snprintf(path, sizeof path, "%s/device/power/runtime_status", chip->dir);
            sensor->gauge.status_fd = root_open_file(scan->root, path, NULL);
        }
        number = gauge_power_uw(&sensor->gauge, &power_uw);
        if (number)
            domain_cannot_read(domain, scan->root, number);
        else if (power_uw == 0 && domain->component == COMPONENT_MACHINE)
            doubt_zero(scan, domain->path, sensor);
        else if (power_uw == 0 && domain->component == COMPONENT_GPU && is_second_die(scan, chip))
            text_copy(domain->not_counted, sizeof domain->not_counted, HWMON_SECOND_DIE);
    }
    if (domain->problem.kind != ERROR_NONE)
        gauge_close(&sensor->gauge);
}

/* How often the driver refreshes the sensor, where a file says so. */
static uint64_t update_ns_of(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found)
{
    char path[192];
    uint64_t ms;

    chip_path(chip, found, "_average_interval", path);
    if (found->kind != KIND_AVERAGE)
        snprintf(path, sizeof path, "%s/update_interval", chip->dir);
    if (!root_read_u64(scan->root, path, &ms, NULL) || ms == 0 || ms >= UINT32_MAX)
        return GAUGE_POLL_NS;
    return ms * NS_PER_MS;
}

/* How often a chip is asked by its driver is not always said: once a second by most. */
static void open_sibling(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found,
                         struct hwmon_sensor *sensor)
{
    const struct found *power = chip_power_of_energy(chip, found);
    uint64_t refresh_ns = NS_PER_S_INT;
    char path[192];

    if (!power)
        return;
    chip_path(chip, power, NULL, path);
    sensor->gauge.fd = root_open_file(scan->root, path, NULL);
    if (sensor->gauge.fd < 0)
        return;
    if (sensor->domain.update_ns > refresh_ns)
        refresh_ns = sensor->domain.update_ns;
    if (update_ns_of(scan, chip, power) > refresh_ns)
        refresh_ns = update_ns_of(scan, chip, power);
    sensor->own = own_sensor_of(&sensor->domain, refresh_ns);
}

static void open_counter(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found,
                         struct hwmon_sensor *sensor)
{
    struct domain *domain = &sensor->domain;
    uint64_t energy_uj;
    int number;

    sensor->counter_fd = open_attribute(scan, domain->path, &domain->problem);
    if (sensor->counter_fd < 0)
        return;
    number = fd_read_u64(sensor->counter_fd, &energy_uj);
    if (!number) {
        open_sibling(scan, chip, found, sensor);
        return;
    }
    domain_cannot_read(domain, scan->root, number);
    close(sensor->counter_fd);
    sensor->counter_fd = -1;
}

/* The highest that a card says it may be set to, is rated for, or is set to (Documentation/hwmon/sysfs-interface.rst).
 * The limits of other chips are thresholds of an alarm. */
static double limit_w_of(const struct hwmon_scan *scan, const struct chip *chip, const struct domain *domain)
{
    static const char *const files[] = { "power1_cap_max", "power1_rated_max", "power1_max", "power1_cap" };
    char path[192];
    uint64_t limit_uw;
    double limit_w = 0;

    for (size_t i = 0; domain->component == COMPONENT_GPU && i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", chip->dir, files[i]);
        if (root_read_u64(scan->root, path, &limit_uw, NULL) && (double)limit_uw / UJ_PER_J > limit_w)
            limit_w = (double)limit_uw / UJ_PER_J;
    }
    return limit_w;
}

/* The integrated graphics of a processor (only they have a voltage called vddnb, drivers/gpu/drm/amd/pm/amdgpu_pm.c)
 * report the power of the package, or of a part of it, depending on the firmware. */
static bool is_apu(const struct hwmon_scan *scan, const struct chip *chip)
{
    char path[128];

    snprintf(path, sizeof path, "%s/in1_label", chip->dir);
    return strcmp(chip->name, "amdgpu") == 0 && root_exists(scan->root, path);
}

static void classify(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found,
                     struct domain *domain)
{
    const char *inside = NULL;

    domain->package = found->package;
    if (found->rule->component == COMPONENT_PACKAGE && domain->package < 0 && scan->machine->packages == 1)
        domain->package = 0;
    if (found->kind == KIND_AVERAGE && chip_has_kind(chip, KIND_POWER, found->number))
        inside = "a moving average of the same chip's power input";
    else if (is_apu(scan, chip))
        inside = "integrated graphics report the power of their package, or of a part of it";
    sensor_is(domain, found->rule, chip->name, found->label, inside);
}

struct hwmon_sensor hwmon_sensor_open(const struct hwmon_scan *scan, const struct chip *chip, const struct found *found)
{
    struct hwmon_sensor sensor = HWMON_SENSOR_NONE;
    struct domain *domain = &sensor.domain;

    *domain = sensor_domain(scan->machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED);
    domain->update_ns = update_ns_of(scan, chip, found);
    chip_path(chip, found, NULL, domain->path);
    classify(scan, chip, found, domain);
    domain->limit_w = limit_w_of(scan, chip, domain);
    if (found->kind != KIND_ENERGY)
        domain->poll_ns = gauge_poll_ns(domain);
    if (found->kind == KIND_ENERGY)
        open_counter(scan, chip, found, &sensor);
    else
        open_gauge(scan, chip, found, &sensor);
    return sensor;
}
