/* SPDX-License-Identifier: MIT
 * Sensors of energy and power in the hwmon class: of boards, sockets, supplies and graphics cards. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "energy/domains.h"
#include "energy/gpu_seen.h"
#include "energy/hwmon_sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS_DIR "sys/class/hwmon"

struct hwmon {
    struct hwmon_sensor sensors[ENERGY_MAX_DOMAINS];
    size_t count;
};

/* There may be hundreds of counters of single cores; the first represents all. */
static bool is_another_core(const struct chip *chip, size_t index)
{
    const struct found *found = &chip->found[index];

    return index > 0 && found[-1].kind == found->kind && found[-1].rule->component == COMPONENT_CORES &&
           found->rule->component == COMPONENT_CORES;
}

static void add_chip(struct hwmon *hwmon, const struct hwmon_scan *scan, const char *entry, struct chip *chip)
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
        if (!is_another_core(chip, i) && domains_have_room(hwmon->count, scan->notices, "sensors"))
            hwmon->sensors[hwmon->count++] = hwmon_sensor_open(scan, chip, &chip->found[i]);
}

static bool scan_class(struct hwmon *hwmon, const struct hwmon_scan *scan)
{
    AUTO_CLOSEDIR DIR *dir = root_open_dir(scan->root, CLASS_DIR, NULL);
    struct chip *chip = malloc(sizeof *chip);
    const struct dirent *entry;
    const bool done = chip != NULL;

    while (dir && chip && (entry = readdir(dir)))
        if (strncmp(entry->d_name, "hwmon", 5) == 0)
            add_chip(hwmon, scan, entry->d_name, chip);
    free(chip);
    return done;
}

/* A second die was passed to a guest without the first: no sensor here has its power. */
static void doubt_lone_dies(struct hwmon *hwmon)
{
    size_t dies = 0, seconds = 0;

    for (size_t i = 0; i < hwmon->count; i++) {
        dies += hwmon->sensors[i].domain.component == COMPONENT_GPU;
        seconds += strcmp(hwmon->sensors[i].domain.not_counted, HWMON_SECOND_DIE) == 0;
    }
    for (size_t i = 0; seconds && seconds == dies && i < hwmon->count; i++) {
        struct domain *domain = &hwmon->sensors[i].domain;
        if (strcmp(domain->not_counted, HWMON_SECOND_DIE) != 0)
            continue;
        domain->not_counted[0] = '\0';
        gauge_close(&hwmon->sensors[i].gauge);
        error_set(&domain->problem, ERROR_ABSENT, "the second die of a card reports no power");
        error_notice(&domain->problem, NOTICE_NO_COUNTER);
        error_why(&domain->problem, "its first die, which reports the power of both, is missing");
    }
}

/* A card that is there, and has no sensor here. */
static void add_unread(struct hwmon *hwmon, const struct hwmon_scan *scan, const struct gpu_seen *gpu)
{
    struct hwmon_sensor sensor = HWMON_SENSOR_NONE;
    struct domain *domain = &sensor.domain;

    if (!domains_have_room(hwmon->count, scan->notices, "sensors"))
        return;
    *domain = sensor_domain(QUALITY_MEASURED);
    domain->component = COMPONENT_GPU;
    text_copy(domain->path, sizeof domain->path, gpu->path);
    domain_name(domain);
    error_set(&domain->problem, ERROR_ABSENT, "the graphics card at %s (%s) reports no power", gpu->slot, gpu->id);
    error_notice(&domain->problem, NOTICE_NO_COUNTER);
    if (gpu->driver[0])
        error_why(&domain->problem, "its driver here, %s, has no sensor of it", gpu->driver);
    else
        error_why(&domain->problem, "no driver is bound to it");
    hwmon->sensors[hwmon->count++] = sensor;
}

static void scan_unread(struct hwmon *hwmon, const struct hwmon_scan *scan)
{
    struct gpu_seen seen[GPUS_SEEN_MAX];
    const size_t count = gpus_without_sensor(scan->root, seen);

    if (count == GPUS_SEEN_MAX)
        notice_add(scan->notices, NOTICE_LEFT_OUT, "the limit is reached; the rest is ignored", "",
                   "of GPUs without a sensor, %d are listed", GPUS_SEEN_MAX);
    for (size_t i = 0; i < count; i++)
        add_unread(hwmon, scan, &seen[i]);
}

static bool hwmon_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                       struct error *err)
{
    struct hwmon *hwmon = source->state = calloc(1, sizeof *hwmon);
    const struct hwmon_scan scan = { &source->notices, root, machine };

    if (!hwmon || !scan_class(hwmon, &scan))
        return error_errno(err, "cannot open hwmon");
    doubt_lone_dies(hwmon);
    scan_unread(hwmon, &scan);
    return domains_offer(source, hwmon->sensors, hwmon->count, sizeof hwmon->sensors[0], "no power or energy sensor",
                         err);
}

static void read_counter(struct hwmon_sensor *sensor, struct domain *domain, struct reading *reading)
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
        struct hwmon_sensor *sensor = &hwmon->sensors[i];
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

ENERGY_DRIVER(hwmon, "sensors of boards, sockets, power supplies and graphics cards, through sysfs",
              .quality = QUALITY_MEASURED, .paths = hwmon_paths, .paths_title = "sensors");
