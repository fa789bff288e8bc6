/* SPDX-License-Identifier: MIT
 * The last resort without a readable sensor: the energy of the machine from its CPU time and the published power of its
 * processor. Marked as modelled, with a range, everywhere. */
#include "energy/energy.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/units.h"
#include "energy/domains.h"
#include "energy/load_energy.h"
#include "power/machine_profile.h"
#include "power/modelled_machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct energy_driver model_driver;

enum { LINE_SIZE = 256, WHOLE_MACHINE = 0 };

struct modelled {
    struct domain domain; /* first: domains_publish sorts these */
    struct power_curve curve;
    double factor;
    size_t load;     /* which of the loads; WHOLE_MACHINE or a package's */
    bool by_package; /* the sum of the model's parts */
    struct load_energy energy;
};

struct model {
    const struct machine *machine;
    struct modelled_machine modelled;
    int stat_fd;
    char *text; /* text of /proc/stat */
    size_t text_size;
    uint64_t read_ns;
    struct ticks *loads; /* at read_ns: the whole machine, then each package */
    size_t load_count;
    int package_of_load[ENERGY_MAX_DOMAINS];
    struct modelled items[ENERGY_MAX_DOMAINS];
    size_t count;
    struct load_energy parts[ENERGY_MAX_DOMAINS]; /* the whole machine, by load */
};

static int read_loads(struct model *model)
{
    const struct machine *machine = model->machine;
    const ssize_t got = pread(model->stat_fd, model->text, model->text_size - 1, 0);
    struct ticks ticks;
    int cpu;

    if (got < 0)
        return errno;
    model->read_ns = clock_monotonic_ns();
    model->text[got] = '\0';
    memset(model->loads, 0, model->load_count * sizeof model->loads[0]);
    for (const char *line = model->text; (line = ticks_of_line(line, &cpu, &ticks));) {
        size_t load = WHOLE_MACHINE;

        if (cpu >= 0)
            for (load = 1; load < model->load_count; load++)
                if (cpu < machine->cpu_limit && machine->package_of[cpu] == model->package_of_load[load])
                    break;
        if (load == model->load_count)
            continue;
        model->loads[load].busy += ticks.busy;
        model->loads[load].all += ticks.all;
    }
    return model->loads[WHOLE_MACHINE].all > 0 ? 0 : EBADMSG;
}

static int energy_of(struct model *model, struct modelled *item, uint64_t *energy_uj)
{
    uint64_t part_uj;
    int error = 0;

    if (!item->by_package)
        return load_energy_at(&item->energy, model->read_ns, model->loads[item->load], energy_uj);
    *energy_uj = 0;
    for (size_t load = 1; load < model->load_count && !error; load++) {
        error = load_energy_at(&model->parts[load], model->read_ns, model->loads[load], &part_uj);
        *energy_uj += error ? 0 : part_uj;
    }
    return error;
}

static void model_read(struct energy_source *source, struct reading *readings)
{
    struct model *model = source->state;
    const int error = read_loads(model);

    for (size_t i = 0; i < model->count; i++) {
        readings[i] = (struct reading){ .error = error };
        if (!error)
            readings[i].error = energy_of(model, &model->items[i], &readings[i].energy_uj);
    }
}

/* Each package has its own load if the package of every CPU is known; a container renumbers its own. A profile is for
 * all packages together. */
static void find_packages(struct model *model)
{
    const struct machine *machine = model->machine;
    int known = 0;

    model->load_count = 1;
    if (machine_profile_of(machine))
        return;
    for (int cpu = 0; cpu < machine->cpu_limit && !model->modelled.guest && !machine->cpus_ours; cpu++) {
        const int package = machine->package_of[cpu];
        size_t load = 1;

        if (package < 0)
            continue;
        known++;
        while (load < model->load_count && model->package_of_load[load] != package)
            load++;
        if (load == model->load_count && load < ENERGY_MAX_DOMAINS - 2)
            model->package_of_load[model->load_count++] = package;
    }
    if (known < machine->cpus_online)
        model->load_count = 1;
}

static bool open_stat(struct model *model, const struct root *root, struct error *err)
{
    const size_t lines = model->load_count > 1 ? (size_t)model->machine->cpus_online + 2 : 2;

    model->text_size = lines * LINE_SIZE;
    model->text = malloc(model->text_size);
    model->loads = calloc(model->load_count, sizeof model->loads[0]);
    if (!model->text || !model->loads)
        return error_errno(err, "cannot get ready to read /proc/stat");
    model->stat_fd = root_open_file(root, "proc/stat", err);
    return model->stat_fd >= 0 || error_fix(err, "the model needs the CPU time of the whole machine");
}

static bool first_reading(struct model *model, struct error *err)
{
    const int error = read_loads(model);

    if (!error)
        return true;
    errno = error;
    error_errno(err, "cannot read the machine's CPU time from /proc/stat");
    return error == EBADMSG ? error_why(err, "it does not start with the CPU time of all CPUs") : false;
}

static void add_domain(struct model *model, enum component component, size_t load, const struct power_curve *curve,
                       double factor, double low_ratio, double high_ratio, const char *id)
{
    struct modelled *item = &model->items[model->count++];
    /* one more tick of one CPU */
    const double step_w = factor * (curve_w(curve, 1) - curve_w(curve, 0)) / machine_stat_cpus(model->machine);

    item->domain = (struct domain){
        .component = component,
        .access = ACCESS_MODEL,
        .die = -1,
        .quality = QUALITY_MODELLED,
        .package = load == WHOLE_MACHINE ? -1 : model->package_of_load[load],
        .update_ns = tick_ns(),
        .resolution_uj = (uint64_t)fmax(1, ceil(step_w * s_from_ns(tick_ns()) * UJ_PER_J)),
        .low_ratio = low_ratio,
        .high_ratio = high_ratio,
    };
    domain_name(&item->domain);
    snprintf(item->domain.path, sizeof item->domain.path, "model:%s", id);
    item->curve = *curve;
    item->factor = factor;
    item->load = load;
}

static void notice_power(struct energy_source *source, double factor, const struct cpu_power *power)
{
    const struct modelled_machine *modelled = &((struct model *)source->state)->modelled;
    const char *what = modelled->guest || modelled->machine->packages == 1 ? "package" : "packages";
    const double idle_w = factor * curve_w(&power->curve, 0), busy_w = factor * curve_w(&power->curve, 1);
    char idle[UNITS_SIZE], busy[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];
    struct text processor;
    struct error notice;

    text_open(&processor, sizeof notice.why);
    modelled_machine_describe(modelled, power, &processor);
    error_set(&notice, ERROR_NONE,
              "the power of the %s is modelled, not measured: %s idle to %s busy (within %s to %s)", what,
              units_power(idle_w, idle), units_power(busy_w, busy), units_power(factor * curve_w(&power->low, 0), low),
              units_power(factor * curve_w(&power->high, 1), high));
    error_why(&notice, "%s; %s", text_ok(&processor) ? processor.data : modelled->machine->cpu_model, power->how);
    text_close(&processor);
    error_fix(&notice, "%s", modelled_machine_hint(modelled, power));
    notice_add_error(&source->notices, NOTICE_MODELLED, &notice);
}

static void add_packages(struct energy_source *source, const struct modelled_powers *powers)
{
    struct model *model = source->state;
    const struct cpu_power *power = &powers->package;

    for (size_t load = 1; load < model->load_count; load++)
        add_domain(model, COMPONENT_PACKAGE, load, &power->curve,
                   powers->package_factor / (double)(model->load_count - 1), power->low_ratio, power->high_ratio,
                   power->id);
    if (model->load_count == 1)
        add_domain(model, COMPONENT_PACKAGE, WHOLE_MACHINE, &power->curve, powers->package_factor, power->low_ratio,
                   power->high_ratio, power->id);
    notice_power(source, powers->package_factor, power);
}

static double min_ratio(const struct power_curve *curve, const struct power_curve *to)
{
    return fmin(curve_w(curve, 0) / curve_w(to, 0), curve_w(curve, 1) / curve_w(to, 1));
}

static double max_ratio(const struct power_curve *curve, const struct power_curve *to)
{
    return fmax(curve_w(curve, 0) / curve_w(to, 0), curve_w(curve, 1) / curve_w(to, 1));
}

static void add_memory(struct energy_source *source, const struct modelled_powers *powers)
{
    struct model *model = source->state;
    const struct machine *machine = model->machine;
    const struct memory_power *power = &powers->memory;
    const double size_gib = powers->memory_gib;
    char idle[UNITS_SIZE], busy[UNITS_SIZE], of_all[64] = "";

    if (!(size_gib > 0)) {
        notice_add(&source->notices, NOTICE_NO_MEMORY, "/proc/meminfo does not show its size", "",
                   "the power of memory is left out");
        return;
    }
    add_domain(model, COMPONENT_MEMORY, WHOLE_MACHINE, &power->w_per_gib, size_gib,
               min_ratio(&power->low_w_per_gib, &power->w_per_gib),
               max_ratio(&power->high_w_per_gib, &power->w_per_gib), "DRAM generic");
    if (machine->memory_ours_bytes > 0)
        c_snprintf(of_all, sizeof of_all, ", this container's limit of the node's %.1f GiB",
                   (double)machine->memory_bytes / GIB_BYTES);
    notice_add(&source->notices, NOTICE_MODELLED, power->how, "",
               "the power of memory is modelled, not measured: %.1f GiB%s, %s idle to %s busy", size_gib, of_all,
               units_power(size_gib * curve_w(&power->w_per_gib, 0), idle),
               units_power(size_gib * curve_w(&power->w_per_gib, 1), busy));
}

/* The whole machine is a boundary of its own: for --scope machine alone. It is the sum over its packages, each with its
 * own load, so that it is not below them where one is busy. */
static void add_machine(struct model *model, const struct modelled_powers *powers)
{
    const struct cpu_power *power = &powers->machine;

    if (!power->how[0])
        return;
    add_domain(model, COMPONENT_MACHINE, WHOLE_MACHINE, &power->curve, powers->machine_factor, power->low_ratio,
               power->high_ratio, power->how);
    model->items[model->count - 1].by_package = model->load_count > 1;
}

static void notice_profile(struct energy_source *source, const struct machine_profile *profile, enum profile_part part,
                           double factor, const struct profile_power *power)
{
    const double idle_w = factor * curve_w(&power->curve, 0), busy_w = factor * curve_w(&power->curve, 1);
    char idle[UNITS_SIZE], busy[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE], about[256];

    profile_describe(profile, about, sizeof about);
    notice_add(&source->notices, NOTICE_MODELLED, about, "",
               "the power of the %s is modelled by the machine profile: %s idle to %s busy (within %s to %s)",
               part == PROFILE_PACKAGE && profile->hardware.sockets > 1 ? "packages" : profile_part_name(part),
               units_power(idle_w, idle), units_power(busy_w, busy), units_power(idle_w * power->low_ratio, low),
               units_power(busy_w * power->high_ratio, high));
}

/* False: the profile does not have it. */
static bool add_part(struct energy_source *source, const struct machine_profile *profile, enum profile_part part,
                     enum component component)
{
    struct model *model = source->state;
    const double factor = profile_factor(profile, model->machine);
    struct profile_power power;
    struct domain *domain;
    char id[64];

    if (!profile_has(profile, part))
        return false;
    power = profile_power_of(profile, part);
    snprintf(id, sizeof id, "profile %s", profile->id);
    add_domain(model, component, WHOLE_MACHINE, &power.curve, factor, power.low_ratio, power.high_ratio, id);
    domain = &model->items[model->count - 1].domain;
    domain->slope_low_ratio = power.slope_low_ratio;
    domain->slope_high_ratio = power.slope_high_ratio;
    notice_profile(source, profile, part, factor, &power);
    return true;
}

static void notice_refused(struct energy_source *source)
{
    const struct machine_profile *profile = ((struct model *)source->state)->machine->reported.profile;

    if (profile && profile->refused.kind != ERROR_NONE)
        notice_add(&source->notices, NOTICE_PROFILE, profile->refused.why, profile->refused.fix,
                   "the machine profile '%.100s' is not used: %.120s", profile->path, profile->refused.what);
}

/* Its profile has priority over published power. With a profile of the whole machine only, its parts are unknown and
 * not reported. */
static bool add_domains(struct energy_source *source, struct error *err)
{
    struct model *model = source->state;
    const struct machine_profile *profile = machine_profile_of(model->machine);
    const bool package = profile && add_part(source, profile, PROFILE_PACKAGE, COMPONENT_PACKAGE);
    const bool whole = profile && add_part(source, profile, PROFILE_MACHINE, COMPONENT_MACHINE);
    struct modelled_powers powers;

    notice_refused(source);
    if (whole && !package)
        return true;
    if (!modelled_machine_powers(&model->modelled, &powers, err))
        return false;
    if (!package)
        add_packages(source, &powers);
    if (!whole)
        add_machine(model, &powers);
    if (!package || !add_part(source, profile, PROFILE_MEMORY, COMPONENT_MEMORY))
        add_memory(source, &powers);
    return true;
}

static struct load_energy energy_from(const struct model *model, const struct modelled *item, double factor,
                                      size_t load)
{
    return (struct load_energy){
        .curve = &item->curve, .factor = factor, .since_ns = model->read_ns, .since = model->loads[load]
    };
}

static void begin(struct model *model, struct modelled *item)
{
    item->energy = energy_from(model, item, item->factor, item->load);
    for (size_t load = 1; load < model->load_count && item->by_package; load++)
        model->parts[load] = energy_from(model, item, item->factor / (double)(model->load_count - 1), load);
}

static bool model_open(struct energy_source *source, const struct root *root, const struct machine *machine,
                       struct error *err)
{
    struct model *model = calloc(1, sizeof *model);

    if (!model)
        return error_errno(err, "cannot open the model");
    source->state = model;
    model->stat_fd = -1;
    model->machine = machine;
    if (!modelled_machine_find(&model->modelled, root, machine, err))
        return false;
    find_packages(model);
    /* the last thing before its time begins is to read where it begins */
    if (!open_stat(model, root, err) || !add_domains(source, err) || !first_reading(model, err) ||
        !domains_publish(source, model->items, model->count, sizeof model->items[0], err))
        return false;
    for (size_t i = 0; i < model->count; i++) {
        struct modelled *item = &model->items[i];
        begin(model, item);
        source->domains[i].curve = &item->curve;
        source->domains[i].curve_factor = item->factor;
        source->domains[i].load = &model->loads[WHOLE_MACHINE];
    }
    return true;
}

static void model_close(struct energy_source *source)
{
    struct model *model = source->state;

    if (model) {
        if (model->stat_fd >= 0)
            close(model->stat_fd);
        free(model->text);
        free(model->loads);
    }
    domains_release(source);
}

ENERGY_DRIVER(model, "model from CPU time and published CPU power; used only as a fallback",
              .quality = QUALITY_MODELLED);
