/* SPDX-License-Identifier: MIT
 * Channels of power and energy in the IIO class: of monitors of supply rails. */
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/own_sensor.h"
#include "energy/sensor_rules.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS_DIR "sys/bus/iio/devices"
#define INSIDE_ENERGY "power of the same channel whose energy is counted"
/* A double holds whole numbers up to here exactly; in µJ they are 285 years at 1 kW. */
#define MAX_UJ 9e15
/* How often its driver asks a chip is not said: once a second at least. */
#define CHIP_REFRESH_NS NS_PER_S_INT

/* Documentation/ABI/testing/sysfs-bus-iio: (raw + offset) × scale, or input as it is, are milliwatts and joules. */
enum iio_kind { KIND_POWER, KIND_ENERGY };

static const struct channel_kind {
    const char *prefix;
    double micro; /* µW in a milliwatt, µJ in a joule */
} kinds[] = {
    [KIND_POWER] = { "in_power", 1e3 },
    [KIND_ENERGY] = { "in_energy", UJ_PER_J },
};

/* (raw + offset) × its unit, in µW or µJ. */
struct iio_value {
    int fd; /* -1: cannot be read */
    double offset, micro_per_unit;
};

struct channel {
    struct domain domain; /* first: sorted as a domain */
    bool is_energy;
    struct iio_value value;
    struct gauge gauge;           /* of a power; its descriptors are not used */
    struct iio_value power_value; /* of an energy: the power of the same channel */
    struct own_sensor own;
};

struct iio {
    struct channel channels[ENERGY_MAX_DOMAINS];
    size_t count;
};

/* What a scan carries around. */
struct iio_scan {
    struct iio *iio;
    struct notices *notices;
    const struct root *root;
    const struct machine *machine;
};

struct iio_found {
    enum iio_kind kind;
    char index[8]; /* "2", or "" where a device has one such channel */
    bool raw;
};

struct device {
    char name[48];
    char dir[96]; /* "sys/bus/iio/devices/iio:device0" */
};

static bool is_channel(const char *entry, struct iio_found *found)
{
    for (int kind = KIND_POWER; kind <= KIND_ENERGY; kind++) {
        const size_t length = strlen(kinds[kind].prefix);
        const char *index = entry + length;
        const size_t digits = strncmp(entry, kinds[kind].prefix, length) == 0 ? strspn(index, "0123456789") : 0;
        if (strncmp(entry, kinds[kind].prefix, length) != 0 || digits >= sizeof found->index)
            continue;
        found->kind = (enum iio_kind)kind;
        snprintf(found->index, sizeof found->index, "%.*s", (int)digits, index);
        found->raw = strcmp(index + digits, "_raw") == 0;
        return found->raw || strcmp(index + digits, "_input") == 0;
    }
    return false;
}

static void channel_path(const struct device *device, enum iio_kind kind, const char *index, const char *suffix,
                         char path[192])
{
    snprintf(path, 192, "%s/%s%s_%s", device->dir, kinds[kind].prefix, index, suffix);
}

static void read_label(const struct iio_scan *scan, const struct device *device, const struct iio_found *found,
                       char *label, size_t size)
{
    char path[192];

    channel_path(device, found->kind, found->index, "label", path);
    if (root_read_text(scan->root, path, label, size, NULL))
        return;
    snprintf(path, sizeof path, "%s/rail_name_%s", device->dir, found->index); /* NVIDIA's driver ina3221x */
    if (root_read_text(scan->root, path, label, size, NULL))
        return;
    snprintf(path, sizeof path, "%s/label", device->dir);
    if (!root_read_text(scan->root, path, label, size, NULL))
        label[0] = '\0';
}

/* Of the channel, or of all of its kind. Returns 0, with the value or the standard where there is no such file, or an
 * errno. */
static int read_factor(const struct iio_scan *scan, const struct device *device, const struct iio_found *found,
                       const char *suffix, double standard, double *value)
{
    char path[192];

    channel_path(device, found->kind, found->index, suffix, path);
    if (!root_exists(scan->root, path))
        channel_path(device, found->kind, "", suffix, path);
    if (!root_exists(scan->root, path)) {
        *value = standard;
        return 0;
    }
    AUTO_CLOSE int fd = root_open_file(scan->root, path, NULL);
    return fd < 0 ? errno : fd_read_number(fd, value);
}

/* A switched-off accumulator stays at 0. */
static bool is_off(const struct iio_scan *scan, const struct device *device, const char *index)
{
    char path[192];
    uint64_t on;

    channel_path(device, KIND_ENERGY, index, "en", path);
    return root_read_u64(scan->root, path, &on, NULL) && !on;
}

static bool has_energy(const struct iio_scan *scan, const struct device *device, const char *index)
{
    char raw[192], input[192];

    channel_path(device, KIND_ENERGY, index, "raw", raw);
    channel_path(device, KIND_ENERGY, index, "input", input);
    return (root_exists(scan->root, raw) || root_exists(scan->root, input)) && !is_off(scan, device, index);
}

/* drivers/iio/adc/pac1934.c scales to µW and µJ: 3.2 V² / 2^28 over the shunt, times 10^12 for its µΩ and the micro. */
static double micro_of(const struct device *device, enum iio_kind kind)
{
    return strncmp(device->name, "pac193", strlen("pac193")) == 0 ? 1 : kinds[kind].micro;
}

static int read_micro(const struct iio_value *value, bool is_energy, double *micro)
{
    const int number = value->fd < 0 ? ENODATA : fd_read_number(value->fd, micro);

    *micro = number ? 0 : (*micro + value->offset) * value->micro_per_unit;
    if (number)
        return number;
    if (!is_energy)
        return bounds_can_be_power(*micro / UJ_PER_J) ? 0 : ERANGE;
    return *micro >= 0 && *micro < MAX_UJ ? 0 : ERANGE;
}

/* Of an open file: its unit. EBADMSG: a scale that is none. */
static int read_unit(const struct iio_scan *scan, const struct device *device, const struct iio_found *found,
                     struct iio_value *value)
{
    double scale = 1;
    int number = 0;

    if (found->raw)
        number = read_factor(scan, device, found, "scale", 1, &scale);
    if (found->raw && !number)
        number = read_factor(scan, device, found, "offset", 0, &value->offset);
    value->micro_per_unit = scale * micro_of(device, found->kind);
    return number ? number : scale > 0 ? 0 : EBADMSG;
}

/* The power sensor of the same rail as an energy counter. */
static void open_sibling(const struct iio_scan *scan, const struct device *device, const struct iio_found *energy,
                         struct channel *channel)
{
    struct iio_found power = { .kind = KIND_POWER };
    char path[192];
    double power_uw;

    memcpy(power.index, energy->index, sizeof power.index);
    channel_path(device, KIND_POWER, power.index, "input", path);
    power.raw = !root_exists(scan->root, path);
    if (power.raw)
        channel_path(device, KIND_POWER, power.index, "raw", path);
    channel->power_value.fd = root_open_file(scan->root, path, NULL);
    if (channel->power_value.fd >= 0 && (read_unit(scan, device, &power, &channel->power_value) ||
                                         read_micro(&channel->power_value, false, &power_uw))) {
        close(channel->power_value.fd);
        channel->power_value.fd = -1;
    }
    if (channel->power_value.fd >= 0)
        channel->own = own_sensor_of(&channel->domain, CHIP_REFRESH_NS);
}

static void open_channel(const struct iio_scan *scan, const struct device *device, const struct iio_found *found,
                         struct channel *channel)
{
    struct domain *domain = &channel->domain;
    double micro;
    int number;

    channel->value.fd = root_open_file(scan->root, domain->path, &domain->problem);
    if (channel->value.fd < 0) {
        if (domain->problem.kind == ERROR_DENIED)
            error_fix(&domain->problem, "run carbon as root");
        return;
    }
    number = read_unit(scan, device, found, &channel->value);
    if (channel->is_energy)
        domain->resolution_uj = (uint64_t)fmax(1, ceil(channel->value.micro_per_unit));
    if (!number)
        number = read_micro(&channel->value, channel->is_energy, &micro);
    if (!number && channel->is_energy)
        open_sibling(scan, device, found, channel);
    if (!number)
        return;
    domain_cannot_read(domain, scan->root, number);
    if (!(channel->value.micro_per_unit > 0))
        error_why(&domain->problem, "its scale is not above 0");
    close(channel->value.fd);
    channel->value.fd = -1;
}

static bool none_has_label(const char *label, const void *context)
{
    (void)label, (void)context;
    return false;
}

static void classify(const struct iio_scan *scan, const struct device *device, const struct iio_found *found,
                     struct domain *domain)
{
    const bool counted_as_energy = found->kind == KIND_POWER && has_energy(scan, device, found->index);
    const struct sensor_rule *rule;
    char label[48];

    read_label(scan, device, found, label, sizeof label);
    rule = sensor_rule_of(device->name, label, none_has_label, NULL, &domain->package);
    sensor_is(domain, rule, device->name, label, counted_as_energy ? INSIDE_ENERGY : NULL);
}

static void add_channel(const struct iio_scan *scan, const struct device *device, const struct iio_found *found)
{
    struct iio *iio = scan->iio;
    struct channel channel = {
        .is_energy = found->kind == KIND_ENERGY, .value.fd = -1, .gauge = GAUGE_NONE, .power_value.fd = -1
    };
    struct domain *domain = &channel.domain;
    char input[192];

    channel_path(device, found->kind, found->index, "input", input);
    if ((found->raw && root_exists(scan->root, input)) || (channel.is_energy && is_off(scan, device, found->index)))
        return;
    if (!domains_have_room(iio->count, scan->notices, "channels"))
        return;
    /* the chip's sampling frequency is not how often its driver reads it: update_ns stays as it is */
    *domain = sensor_domain(scan->machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED);
    channel_path(device, found->kind, found->index, found->raw ? "raw" : "input", domain->path);
    classify(scan, device, found, domain);
    if (!channel.is_energy)
        domain->poll_ns = gauge_poll_ns(domain);
    open_channel(scan, device, found, &channel);
    iio->channels[iio->count++] = channel;
}

static void add_device(const struct iio_scan *scan, const char *entry)
{
    struct device device = { .name = "" };
    char path[128];

    snprintf(device.dir, sizeof device.dir, CLASS_DIR "/%.32s", entry);
    snprintf(path, sizeof path, "%s/name", device.dir);
    if (!root_read_text(scan->root, path, device.name, sizeof device.name, NULL))
        return;
    AUTO_CLOSEDIR DIR *dir = root_open_dir(scan->root, device.dir, NULL);
    for (const struct dirent *file; dir && (file = readdir(dir));) {
        struct iio_found found;
        if (is_channel(file->d_name, &found))
            add_channel(scan, &device, &found);
    }
}

static bool iio_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                     struct error *err)
{
    struct iio *iio = source->state = calloc(1, sizeof *iio);
    const struct iio_scan scan = { iio, &source->notices, root, machine };
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, CLASS_DIR, NULL);

    if (!iio)
        return error_errno(err, "cannot open iio");
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (strncmp(entry->d_name, "iio:device", strlen("iio:device")) == 0)
            add_device(&scan, entry->d_name);
    return domains_offer(source, iio->channels, iio->count, sizeof iio->channels[0],
                         "no channel of power or energy in IIO", err);
}

static void read_energy(struct channel *channel, struct domain *domain, struct reading *reading)
{
    double micro = 0, power_uw;
    int number;

    if (!channel->own.left)
        reading->error = read_micro(&channel->value, true, &micro);
    if (!reading->error)
        reading->energy_uj = (uint64_t)micro;
    if (channel->power_value.fd < 0)
        return;
    number = read_micro(&channel->power_value, false, &power_uw);
    own_sensor_hold(&channel->own, domain, clock_monotonic_ns(), number, power_uw, reading);
}

static void read_power(struct channel *channel, struct reading *reading)
{
    double power_uw;
    const int number = read_micro(&channel->value, false, &power_uw);

    gauge_take(&channel->gauge, clock_monotonic_ns(), number, power_uw, reading);
}

static void iio_read(struct energy_source *source, struct reading *readings)
{
    struct iio *iio = source->state;

    for (size_t i = 0; i < iio->count; i++) {
        struct channel *channel = &iio->channels[i];
        if (channel->is_energy)
            read_energy(channel, &source->domains[i], &readings[i]);
        else
            read_power(channel, &readings[i]);
    }
}

static void iio_close(struct energy_source *source)
{
    struct iio *iio = source->state;

    for (size_t i = 0; iio && i < iio->count; i++) {
        if (iio->channels[i].value.fd >= 0)
            close(iio->channels[i].value.fd);
        if (iio->channels[i].power_value.fd >= 0)
            close(iio->channels[i].power_value.fd);
    }
    domains_release(source);
}

static const char *const iio_paths[] = {
    "sys/bus/iio/devices/iio:device*/name",
    "sys/bus/iio/devices/iio:device*/label",
    "sys/bus/iio/devices/iio:device*/rail_name_*",
    "sys/bus/iio/devices/iio:device*/in_power*_raw",
    "sys/bus/iio/devices/iio:device*/in_power*_input",
    "sys/bus/iio/devices/iio:device*/in_power*_scale",
    "sys/bus/iio/devices/iio:device*/in_power*_offset",
    "sys/bus/iio/devices/iio:device*/in_power*_label",
    "sys/bus/iio/devices/iio:device*/in_energy*_raw",
    "sys/bus/iio/devices/iio:device*/in_energy*_input",
    "sys/bus/iio/devices/iio:device*/in_energy*_scale",
    "sys/bus/iio/devices/iio:device*/in_energy*_offset",
    "sys/bus/iio/devices/iio:device*/in_energy*_label",
    "sys/bus/iio/devices/iio:device*/in_energy*_en",
    NULL,
};

ENERGY_DRIVER(iio, "power and energy monitors of supply rails, through sysfs", .quality = QUALITY_MEASURED,
              .paths = iio_paths, .paths_title = "sensors");
