/* SPDX-License-Identifier: MIT
 * Sensors of energy and power in the hwmon class: of boards, sockets, supplies and graphics cards. */
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/gauge.h"
#include "energy/gpu_seen.h"
#include "energy/hwmon_chip.h"
#include "energy/own_sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS_DIR "sys/class/hwmon"

#define SECOND_DIE "the second die of a card; the first one tells the power of both"

struct sensor {
    struct domain domain; /* first: sorted as a domain */
    int counter_fd;       /* of an energy counter, µJ; -1: it is a gauge, or cannot be read */
    struct gauge gauge;   /* of a counter: the sensor of the same power, if there is one */
    struct own_sensor own;
};

struct hwmon {
    struct sensor sensors[ENERGY_MAX_DOMAINS];
    size_t count;
};

/* What a scan carries around. */
struct scan {
    struct hwmon *hwmon;
    struct notices *notices;
    const struct root *root;
    const struct machine *machine;
};

static void explain_denial(struct error *problem)
{
    error_why(problem, "permission denied; the driver lets only root read it, since fine-grained energy tells "
                       "secrets of other programs (CVE-2020-12912)");
    error_fix(problem, "run carbon as root; 'carbon sources --grant' shows what else would do");
}

static int open_attribute(const struct scan *scan, const char *path, struct error *problem)
{
    const int fd = root_open_file(scan->root, path, problem);

    if (fd < 0 && problem->kind == ERROR_DENIED)
        explain_denial(problem);
    return fd;
}

/* A whole machine at 0 W is not running: the meter behind the driver does not answer. */
static void doubt_zero(const struct scan *scan, const char *path, struct sensor *sensor)
{
    struct error *problem = &sensor->domain.problem;
    char typed[512];

    root_typed_path(scan->root, path, typed, sizeof typed);
    error_set(problem, ERROR_BAD_DATA, "'%.200s' says 0 W", typed);
    error_notice(problem, NOTICE_ZERO_POWER);
    error_why(problem, "a running machine cannot use nothing; an ACPI meter needs the board's controller to answer it");
    error_fix(problem, "'modprobe acpi_ipmi' and 'modprobe ipmi_si' let it answer on many servers");
}

/* Of the two dies of an AMD Instinct MI250 and MI250X (Aldebaran) only the first tells the card's power; the other one
 * says 0, and has no limit of it (aldebaran_ppt.c, "valid power data is available only from primary die"). */
static bool is_second_die(const struct scan *scan, const struct chip *chip)
{
    char path[192], id[16];

    snprintf(path, sizeof path, "%s/device/device", chip->dir);
    if (strcmp(chip->name, "amdgpu") != 0 || !root_read_text(scan->root, path, id, sizeof id, NULL) ||
        (c_strcasecmp(id, "0x7408") != 0 && c_strcasecmp(id, "0x740c") != 0))
        return false;
    snprintf(path, sizeof path, "%s/power1_cap", chip->dir);
    return !root_exists(scan->root, path);
}

static void open_gauge(const struct scan *scan, const struct chip *chip, const struct found *found,
                       struct sensor *sensor)
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
            text_copy(domain->not_counted, sizeof domain->not_counted, SECOND_DIE);
    }
    if (domain->problem.kind != ERROR_NONE)
        gauge_close(&sensor->gauge);
}

/* How often the driver refreshes the sensor, where a file says so. */
static uint64_t update_ns_of(const struct scan *scan, const struct chip *chip, const struct found *found)
{
    char path[192];
    uint64_t ms;

    chip_path(chip, found, "_average_interval", path);
    if (found->kind != KIND_AVERAGE)
        snprintf(path, sizeof path, "%s/update_interval", chip->dir);
    if (!root_read_u64(scan->root, path, &ms, NULL) || ms == 0 || ms >= UINT32_MAX)
        return GAUGE_POLL_NS;
    return ms * 1000000;
}

/* How often a chip is asked by its driver is not always said: once a second by most. */
static void open_beside(const struct scan *scan, const struct chip *chip, const struct found *found,
                        struct sensor *sensor)
{
    const struct found *power = chip_power_beside(chip, found);
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

static void open_counter(const struct scan *scan, const struct chip *chip, const struct found *found,
                         struct sensor *sensor)
{
    struct domain *domain = &sensor->domain;
    uint64_t energy_uj;
    int number;

    sensor->counter_fd = open_attribute(scan, domain->path, &domain->problem);
    if (sensor->counter_fd < 0)
        return;
    number = fd_read_u64(sensor->counter_fd, &energy_uj);
    if (!number) {
        open_beside(scan, chip, found, sensor);
        return;
    }
    domain_cannot_read(domain, scan->root, number);
    close(sensor->counter_fd);
    sensor->counter_fd = -1;
}

/* The highest that a card says it may be set to, is rated for, or is set to (Documentation/hwmon/sysfs-interface.rst).
 * The limits of other chips are thresholds of an alarm. */
static double limit_w_of(const struct scan *scan, const struct chip *chip, const struct domain *domain)
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
 * tell the power of the package, or of a part of it, as the firmware has it. */
static bool is_apu(const struct scan *scan, const struct chip *chip)
{
    char path[128];

    snprintf(path, sizeof path, "%s/in1_label", chip->dir);
    return strcmp(chip->name, "amdgpu") == 0 && root_exists(scan->root, path);
}

static void classify(const struct scan *scan, const struct chip *chip, const struct found *found, struct domain *domain)
{
    const char *inside = NULL;

    domain->package = found->package;
    if (found->rule->component == COMPONENT_PACKAGE && domain->package < 0 && scan->machine->packages == 1)
        domain->package = 0;
    if (found->kind == KIND_AVERAGE && chip_has_kind(chip, KIND_POWER, found->number))
        inside = "a moving average of the same chip's power input";
    else if (is_apu(scan, chip))
        inside = "integrated graphics tell the power of their package, or of a part of it";
    sensor_is(domain, found->rule, chip->name, found->label, inside);
}

static void add_sensor(const struct scan *scan, const struct chip *chip, const struct found *found)
{
    struct hwmon *hwmon = scan->hwmon;
    struct sensor sensor = { .counter_fd = -1, .gauge = GAUGE_NONE };
    struct domain *domain = &sensor.domain;

    if (!domains_have_room(hwmon->count, scan->notices, "sensors"))
        return;
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
    hwmon->sensors[hwmon->count++] = sensor;
}

/* Counters of single cores come by the hundred; the first stands for all. */
static bool is_another_core(const struct chip *chip, size_t index)
{
    const struct found *found = &chip->found[index];

    return index > 0 && found[-1].kind == found->kind && found[-1].rule->component == COMPONENT_CORES &&
           found->rule->component == COMPONENT_CORES;
}

static void add_chip(const struct scan *scan, const char *entry, struct chip *chip)
{
    char path[128];

    chip->count = 0;
    snprintf(chip->dir, sizeof chip->dir, CLASS_DIR "/%.32s", entry);
    snprintf(path, sizeof path, "%s/name", chip->dir);
    if (!root_read_text(scan->root, path, chip->name, sizeof chip->name, NULL))
        return;
    chip_list(chip, scan->root);
    if (!chip->count) {
        snprintf(chip->dir, sizeof chip->dir, CLASS_DIR "/%.32s/device", entry);
        chip_list(chip, scan->root);
    }
    for (size_t i = 0; i < chip->count; i++)
        if (!is_another_core(chip, i))
            add_sensor(scan, chip, &chip->found[i]);
}

static bool scan_class(const struct scan *scan)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(scan->root, CLASS_DIR, NULL);
    struct chip *chip = malloc(sizeof *chip);
    const struct dirent *entry;
    const bool done = chip != NULL;

    while (dir && chip && (entry = readdir(dir)))
        if (strncmp(entry->d_name, "hwmon", 5) == 0)
            add_chip(scan, entry->d_name, chip);
    free(chip);
    return done;
}

/* A second die was passed to a guest without the first: nothing here tells its power. */
static void doubt_lone_dies(struct hwmon *hwmon)
{
    size_t dies = 0, seconds = 0;

    for (size_t i = 0; i < hwmon->count; i++) {
        dies += hwmon->sensors[i].domain.component == COMPONENT_GPU;
        seconds += strcmp(hwmon->sensors[i].domain.not_counted, SECOND_DIE) == 0;
    }
    for (size_t i = 0; seconds && seconds == dies && i < hwmon->count; i++) {
        struct domain *domain = &hwmon->sensors[i].domain;
        if (strcmp(domain->not_counted, SECOND_DIE) != 0)
            continue;
        domain->not_counted[0] = '\0';
        gauge_close(&hwmon->sensors[i].gauge);
        error_set(&domain->problem, ERROR_ABSENT, "a card's second die tells no power");
        error_notice(&domain->problem, NOTICE_NO_COUNTER);
        error_why(&domain->problem, "its first die, which tells the power of both, is not here");
    }
}

/* A card that is there, and has no sensor here. */
static void add_unread(const struct scan *scan, const struct gpu_seen *gpu)
{
    struct hwmon *hwmon = scan->hwmon;
    struct sensor sensor = { .counter_fd = -1, .gauge = GAUGE_NONE };
    struct domain *domain = &sensor.domain;

    if (!domains_have_room(hwmon->count, scan->notices, "sensors"))
        return;
    *domain = sensor_domain(QUALITY_MEASURED);
    domain->component = COMPONENT_GPU;
    text_copy(domain->path, sizeof domain->path, gpu->path);
    domain_name(domain);
    error_set(&domain->problem, ERROR_ABSENT, "the graphics card at %s (%s) tells no power", gpu->slot, gpu->id);
    error_notice(&domain->problem, NOTICE_NO_COUNTER);
    if (gpu->driver[0])
        error_why(&domain->problem, "its driver here, %s, has no sensor of it", gpu->driver);
    else
        error_why(&domain->problem, "no driver is bound to it");
    hwmon->sensors[hwmon->count++] = sensor;
}

static void scan_unread(const struct scan *scan)
{
    struct gpu_seen seen[GPUS_SEEN_MOST];
    const size_t count = gpus_without_sensor(scan->root, seen);

    if (count == GPUS_SEEN_MOST)
        notice_add(scan->notices, NOTICE_LEFT_OUT, "no more than so many are looked at", "",
                   "of GPUs without a sensor, %d are listed", GPUS_SEEN_MOST);
    for (size_t i = 0; i < count; i++)
        add_unread(scan, &seen[i]);
}

static bool hwmon_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                       struct error *err)
{
    struct hwmon *hwmon = source->state = calloc(1, sizeof *hwmon);
    const struct scan scan = { hwmon, &source->notices, root, machine };

    if (!hwmon || !scan_class(&scan))
        return error_errno(err, "cannot open hwmon");
    doubt_lone_dies(hwmon);
    scan_unread(&scan);
    if (!domains_publish(source, hwmon->sensors, hwmon->count, sizeof hwmon->sensors[0], err))
        return false;
    if (!hwmon->count)
        return error_set(err, ERROR_ABSENT, "no sensor of power or energy in hwmon");
    return !domains_refuse(source, err);
}

static void read_counter(struct sensor *sensor, struct domain *domain, struct reading *reading)
{
    double power_uw;
    int number;

    if (!sensor->own.left)
        reading->error = fd_read_u64(sensor->counter_fd, &reading->energy_uj);
    if (sensor->gauge.fd < 0)
        return;
    number = gauge_power_uw(&sensor->gauge, &power_uw);
    own_sensor_hold(&sensor->own, domain, clock_monotonic_ns(), number, power_uw, reading);
}

static void hwmon_read(struct energy_source *source, struct reading *readings)
{
    struct hwmon *hwmon = source->state;

    for (size_t i = 0; i < hwmon->count; i++) {
        struct sensor *sensor = &hwmon->sensors[i];
        if (sensor->counter_fd >= 0)
            read_counter(sensor, &source->domains[i], &readings[i]);
        else
            gauge_read(&sensor->gauge, clock_monotonic_ns(), &readings[i]);
    }
}

static void hwmon_close(struct energy_source *source)
{
    struct hwmon *hwmon = source->state;

    for (size_t i = 0; hwmon && i < hwmon->count; i++) {
        if (hwmon->sensors[i].counter_fd >= 0)
            close(hwmon->sensors[i].counter_fd);
        gauge_close(&hwmon->sensors[i].gauge);
    }
    domains_release(source);
}

static const char *const hwmon_paths[] = {
    "sys/class/hwmon/hwmon*/name",
    "sys/class/hwmon/hwmon*/update_interval",
    "sys/class/hwmon/hwmon*/power*_input",
    "sys/class/hwmon/hwmon*/power*_average",
    "sys/class/hwmon/hwmon*/power*_average_interval",
    "sys/class/hwmon/hwmon*/power*_label",
    "sys/class/hwmon/hwmon*/power*_oem_info",
    "sys/class/hwmon/hwmon*/device/power*_input",
    "sys/class/hwmon/hwmon*/device/power*_average",
    "sys/class/hwmon/hwmon*/device/power*_average_interval",
    "sys/class/hwmon/hwmon*/device/power*_label",
    "sys/class/hwmon/hwmon*/device/power*_oem_info",
    "sys/class/hwmon/hwmon*/energy*_input",
    "sys/class/hwmon/hwmon*/energy*_label",
    "sys/class/hwmon/hwmon*/in*_input",
    "sys/class/hwmon/hwmon*/in*_label",
    "sys/class/hwmon/hwmon*/curr*_input",
    "sys/class/hwmon/hwmon*/power1_cap",
    "sys/class/hwmon/hwmon*/power1_cap_max",
    "sys/class/hwmon/hwmon*/power1_max",
    "sys/class/hwmon/hwmon*/power1_rated_max",
    "sys/class/hwmon/hwmon*/device/device",
    "sys/class/hwmon/hwmon*/device/power/runtime_status",
    NULL,
};

const struct energy_driver hwmon_driver = {
    .name = "hwmon",
    .about = "sensors of boards, sockets, power supplies and graphics cards, through sysfs",
    .quality = QUALITY_MEASURED,
    .paths = hwmon_paths,
    .paths_title = "sensors",
    .open = hwmon_open,
    .read = hwmon_read,
    .close = hwmon_close,
};
