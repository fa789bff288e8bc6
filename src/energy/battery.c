/* SPDX-License-Identifier: MIT
 * Batteries: while they discharge and nothing else feeds the machine, together they are all that it uses. */
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/battery_life.h"
#include "energy/domains.h"
#include "energy/gauge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS_DIR "sys/class/power_supply"
/* An embedded controller refreshes them every few seconds, and a question to it takes long. */
#define UPDATE_NS (2 * NS_PER_S_INT)
#define UJ_PER_UWH 3600.0

/* What it holds: µWh, or µAh of which each is worth its voltage. */
struct charge {
    int fd, full_fd;
    int voltage_fd; /* -1: fd has an energy */
};

struct battery {
    struct domain domain; /* first: sorted as a domain */
    bool made_up;         /* made up by a hypervisor */
    int status_fd;
    struct gauge gauge;
    struct charge charge;
    struct battery_life life;
};

struct batteries {
    struct battery items[ENERGY_MAX_DOMAINS];
    size_t count;
    int online_fds[ENERGY_MAX_DOMAINS]; /* descriptors of the adapters */
    size_t adapters;
    struct notices *notices;
    bool watched; /* the batteries fed the machine when it was opened */
};

enum status { STATUS_UNKNOWN, STATUS_DISCHARGING, STATUS_CHARGING, STATUS_RESTING };

static enum status status_of(const struct battery *battery)
{
    static const struct {
        const char *word;
        enum status status;
    } words[] = {
        { "Discharging", STATUS_DISCHARGING },
        { "Charging", STATUS_CHARGING },
        { "Not charging", STATUS_RESTING },
        { "Full", STATUS_RESTING },
    };
    char text[sizeof "Discharging"] = "";

    if (battery->status_fd < 0 || pread(battery->status_fd, text, sizeof text - 1, 0) < 0)
        return STATUS_UNKNOWN;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(text, words[i].word, strlen(words[i].word)) == 0)
            return words[i].status;
    return STATUS_UNKNOWN;
}

static bool on_mains(const struct batteries *batteries)
{
    uint64_t online;

    for (size_t i = 0; i < batteries->adapters; i++)
        if (fd_read_u64(batteries->online_fds[i], &online) == 0 && online)
            return true;
    return false;
}

static bool has_status(const struct batteries *batteries, enum status status)
{
    for (size_t i = 0; i < batteries->count; i++)
        if (!batteries->items[i].made_up && status_of(&batteries->items[i]) == status)
            return true;
    return false;
}

static bool feed_the_machine(const struct batteries *batteries)
{
    return !on_mains(batteries) && has_status(batteries, STATUS_DISCHARGING) && !has_status(batteries, STATUS_CHARGING);
}

static bool read_word(const struct root *root, const char *supply, const char *file, char *word, size_t size)
{
    char path[192];

    snprintf(path, sizeof path, CLASS_DIR "/%.64s/%s", supply, file);
    return root_read_text(root, path, word, size, NULL);
}

#define MADE_UP "a virtual battery: its host's, or made up; no meter of this machine"

/* By the makers and models that hypervisors give theirs (Hyper-V's firmware: "Microsoft Hyper-V Virtual Battery"), and
 * the kernel's own module test_power. */
static bool has_virtual_name(const struct root *root, const char *supply)
{
    static const char *const files[] = { "manufacturer", "model_name" };
    static const char *const signs[] = { "virtual battery", "qemu", "innotek", "vmware", "parallels", "test battery" };
    char text[64];

    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++)
        for (size_t i = 0; read_word(root, supply, files[f], text, sizeof text) && i < sizeof signs / sizeof signs[0];
             i++)
            if (c_strcasestr(text, signs[i]))
                return true;
    return false;
}

static const char *why_not_counted(const struct batteries *batteries)
{
    if (!on_mains(batteries) && !has_status(batteries, STATUS_CHARGING) && !has_status(batteries, STATUS_RESTING))
        return "nothing says whether it feeds the machine";
    return "on mains a battery says nothing of the machine";
}

/* The magnitude of its power: drivers differ in the sign. ENODATA: it discharges at 0 W, as just after the mains went.
 */
static int read_power(struct battery *battery, double *power_uw)
{
    const int number = gauge_power_uw(&battery->gauge, power_uw);

    return !number && *power_uw == 0 && status_of(battery) == STATUS_DISCHARGING ? ENODATA : number;
}

static int open_in(const struct root *root, const struct domain *domain, const char *file, struct error *err)
{
    char path[224];

    snprintf(path, sizeof path, "%s/%s", domain->path, file);
    return root_open_file(root, path, err);
}

/* A power, or a voltage and a current: µW, or µV × µA (Documentation/ABI/testing/sysfs-class-power). */
static void open_gauge(const struct root *root, struct battery *battery)
{
    struct domain *domain = &battery->domain;
    struct gauge *gauge = &battery->gauge;

    gauge->magnitude = true;
    gauge->fd = open_in(root, domain, "power_now", &domain->problem);
    if (gauge->fd >= 0 || domain->problem.kind != ERROR_ABSENT)
        return;
    gauge->fd = open_in(root, domain, "voltage_now", NULL);
    gauge->current_fd = open_in(root, domain, "current_now", NULL);
    gauge->uw_per_unit = 1e-6;
    if (gauge->fd >= 0 && gauge->current_fd >= 0)
        domain->problem = (struct error){ .kind = ERROR_NONE };
}

/* Of the files that it has; -1 where there are none. */
static void open_charge(const struct root *root, struct battery *battery)
{
    const struct domain *domain = &battery->domain;
    struct charge *charge = &battery->charge;

    charge->fd = open_in(root, domain, "energy_now", NULL);
    if (charge->fd >= 0) {
        charge->full_fd = open_in(root, domain, "energy_full", NULL);
        return;
    }
    charge->fd = open_in(root, domain, "charge_now", NULL);
    charge->full_fd = open_in(root, domain, "charge_full", NULL);
    charge->voltage_fd = open_in(root, domain, "voltage_now", NULL);
}

/* 0: unknown. */
static double number_of(int fd)
{
    double value;

    return fd < 0 || fd_read_number(fd, &value) ? 0 : value;
}

/* A battery that does not say what it can hold can hold what it does. */
static double full_uj(const struct charge *charge, double now)
{
    const double volts = charge->voltage_fd < 0 ? 1 : number_of(charge->voltage_fd) / UJ_PER_J;

    return fmax(now, number_of(charge->full_fd)) * volts * UJ_PER_UWH;
}

static void try_power(const struct root *root, struct battery *battery)
{
    struct domain *domain = &battery->domain;
    double power_uw;
    int number = 0;

    if (domain->problem.kind == ERROR_NONE)
        number = read_power(battery, &power_uw);
    if (number)
        domain_cannot_read(domain, root, number);
    if (number == ENODATA)
        error_why(&domain->problem, "it discharges and reports no power yet");
    if (domain->problem.kind == ERROR_DENIED)
        error_fix(&domain->problem, "run carbon as root");
    if (domain->problem.kind != ERROR_NONE)
        gauge_close(&battery->gauge);
}

static void add_battery(struct batteries *batteries, const struct root *root, const struct machine *machine,
                        const char *supply)
{
    struct battery *battery = &batteries->items[batteries->count];
    struct domain *domain = &battery->domain;
    char present[8];

    if ((read_word(root, supply, "present", present, sizeof present) && strcmp(present, "0") == 0) ||
        !domains_have_room(batteries->count, batteries->notices, "batteries"))
        return;
    *battery = (struct battery){ .gauge = GAUGE_NONE,
                                 .charge = { -1, -1, -1 },
                                 .made_up = machine->guest || has_virtual_name(root, supply) };
    *domain = sensor_domain(machine->guest ? QUALITY_VIRTUAL : QUALITY_MEASURED);
    domain->component = COMPONENT_MACHINE;
    domain->part = true;
    domain->update_ns = UPDATE_NS;
    snprintf(domain->name, sizeof domain->name, "battery-%.32s", supply);
    snprintf(domain->path, sizeof domain->path, CLASS_DIR "/%.64s", supply);
    battery->status_fd = open_in(root, domain, "status", NULL);
    batteries->count++;
}

static void add_adapter(struct batteries *batteries, const struct root *root, const char *supply)
{
    char path[128];
    int fd;

    snprintf(path, sizeof path, CLASS_DIR "/%.64s/online", supply);
    if (!domains_have_room(batteries->adapters, batteries->notices, "power supplies") ||
        (fd = root_open_file(root, path, NULL)) < 0)
        return;
    batteries->online_fds[batteries->adapters++] = fd;
}

/* Batteries of mice and phones have the scope Device; any other supply that is not a battery may feed the machine:
 * mains, USB. */
static void add_supply(struct batteries *batteries, const struct root *root, const struct machine *machine,
                       const char *supply)
{
    char type[24], scope[16];

    if (supply[0] == '.' || !read_word(root, supply, "type", type, sizeof type) ||
        (read_word(root, supply, "scope", scope, sizeof scope) && strcmp(scope, "Device") == 0))
        return;
    if (strcmp(type, "Battery") == 0)
        add_battery(batteries, root, machine, supply);
    else
        add_adapter(batteries, root, supply);
}

static void open_batteries(struct batteries *batteries, const struct root *root)
{
    batteries->watched = feed_the_machine(batteries);
    for (size_t i = 0; i < batteries->count; i++) {
        struct battery *battery = &batteries->items[i];
        if (battery->made_up || !batteries->watched) {
            text_copy(battery->domain.not_counted, sizeof battery->domain.not_counted,
                      battery->made_up ? MADE_UP : why_not_counted(batteries));
            continue;
        }
        battery->domain.poll_ns = gauge_poll_ns(&battery->domain);
        open_gauge(root, battery);
        open_charge(root, battery);
        try_power(root, battery);
    }
}

static bool battery_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                         struct error *err)
{
    struct batteries *batteries = source->state = calloc(1, sizeof *batteries);
    AUTO_CLOSEDIR DIR *dir = root_open_dir(root, CLASS_DIR, NULL);

    if (!batteries)
        return error_errno(err, "cannot open batteries");
    batteries->notices = &source->notices;
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        add_supply(batteries, root, machine, entry->d_name);
    open_batteries(batteries, root);
    return domains_offer(source, batteries->items, batteries->count, sizeof batteries->items[0], "no battery in use",
                         err);
}

/* Its power is then that of no machine, and was not before. */
static void disprove(struct domain *domain, double power_uw, bool has_charge)
{
    char power[UNITS_SIZE];

    if (domain->disproved)
        return;
    domain->disproved = true;
    error_set(&domain->doubt, ERROR_BAD_DATA, "%s is not a usable meter: it discharges at %s, and %s", domain->name,
              units_power(power_uw / UJ_PER_J, power), has_charge ? "its charge does not fall" : "that never changes");
    error_notice(&domain->doubt, NOTICE_NOT_MOVING);
    error_why(&domain->doubt,
              "a real battery loses what it gives, and a machine's power varies: it was made up, or its "
              "controller does not answer");
    error_fix(&domain->doubt, "'carbon sources' shows what else this machine has");
}

static void watch_life(struct battery *battery, struct domain *domain, uint64_t now_ns, int number, double power_uw)
{
    const double charge = number_of(battery->charge.fd);

    if (number || power_uw == 0)
        battery_life_missed(&battery->life);
    else if (!battery_lives(&battery->life, now_ns, power_uw, charge, full_uj(&battery->charge, charge)))
        disprove(domain, power_uw, charge > 0);
}

static void battery_read(struct energy_source *source, struct reading *readings)
{
    struct batteries *batteries = source->state;
    const bool feeding = batteries->watched && feed_the_machine(batteries);

    for (size_t i = 0; i < batteries->count; i++) {
        struct battery *battery = &batteries->items[i];
        double power_uw = 0;
        const int number = feeding && battery->gauge.fd >= 0 ? read_power(battery, &power_uw) : ENODATA;
        const uint64_t now_ns = clock_monotonic_ns();
        gauge_take(&battery->gauge, now_ns, number, power_uw, &readings[i]);
        watch_life(battery, &source->domains[i], now_ns, number, power_uw);
        readings[i].constant_power = false; /* its controller takes its time */
        readings[i].off = !number && power_uw == 0;
    }
}

static void charge_close(const struct charge *charge)
{
    const int fds[] = { charge->fd, charge->full_fd, charge->voltage_fd };

    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void battery_close(struct energy_source *source)
{
    struct batteries *batteries = source->state;

    for (size_t i = 0; batteries && i < batteries->count; i++) {
        if (batteries->items[i].status_fd >= 0)
            close(batteries->items[i].status_fd);
        gauge_close(&batteries->items[i].gauge);
        charge_close(&batteries->items[i].charge);
    }
    for (size_t i = 0; batteries && i < batteries->adapters; i++)
        close(batteries->online_fds[i]);
    domains_release(source);
}

static const char *const battery_paths[] = {
    "sys/class/power_supply/*/type",
    "sys/class/power_supply/*/scope",
    "sys/class/power_supply/*/present",
    "sys/class/power_supply/*/status",
    "sys/class/power_supply/*/manufacturer",
    "sys/class/power_supply/*/model_name",
    "sys/class/power_supply/*/online",
    "sys/class/power_supply/*/power_now",
    "sys/class/power_supply/*/voltage_now",
    "sys/class/power_supply/*/current_now",
    "sys/class/power_supply/*/energy_now",
    "sys/class/power_supply/*/energy_full",
    "sys/class/power_supply/*/charge_now",
    "sys/class/power_supply/*/charge_full",
    NULL,
};

ENERGY_DRIVER(battery, "the batteries that feed the machine, while it is not on mains", .quality = QUALITY_MEASURED,
              .paths = battery_paths, .paths_title = "batteries and adapters");
