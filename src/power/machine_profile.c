/* SPDX-License-Identifier: MIT
 * Whose a profile is, and where it lies. */
#include "power/machine_profile.h"

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A kernel keeps some of the memory for itself, and another one more. */
#define MEMORY_TOLERANCE 0.1

#define PLACE "etc/carbon/profile.csv"

void profile_hardware_of(const struct machine *machine, int cores, struct profile_hardware *hardware)
{
    *hardware = (struct profile_hardware){
        .cpu_family = machine->cpu_family,
        .cpu_number = machine->cpu_number,
        .cpu_stepping = machine->cpu_stepping,
        .sockets = machine->packages,
        .cores = cores,
        .threads = machine->cpus_online,
        .memory_bytes = machine->memory_bytes,
        .guest = machine->guest,
    };
    text_copy(hardware->cpu_vendor, sizeof hardware->cpu_vendor, machine->cpu_vendor);
    text_copy(hardware->cpu_model, sizeof hardware->cpu_model, machine->cpu_model);
    text_copy(hardware->board, sizeof hardware->board, machine->board);
}

static bool differ(struct error *err, const char *what, const char *profile, const char *machine)
{
    error_set(err, ERROR_USAGE, "the machine profile is of other hardware");
    return error_why(err, "%s: '%.80s' in the profile, '%.80s' here", what, profile, machine);
}

static bool differ_in_number(struct error *err, const char *what, int profile, int machine)
{
    error_set(err, ERROR_USAGE, "the machine profile is of other hardware");
    return error_why(err, "%s: %d in the profile, %d here", what, profile, machine);
}

static bool differ_in_memory(struct error *err, uint64_t profile, uint64_t machine)
{
    const double gib = GIB_BYTES;

    error_set(err, ERROR_USAGE, "the machine profile is of other hardware");
    return error_why(err, "memory: %.1f GiB in the profile, %.1f GiB here", (double)profile / gib,
                     (double)machine / gib);
}

static bool same_processor(const struct profile_hardware *of, const struct machine *machine, struct error *err)
{
    const struct {
        const char *what;
        int profile, machine;
    } numbers[] = {
        { "CPU family", of->cpu_family, machine->cpu_family },
        { "CPU model number", of->cpu_number, machine->cpu_number },
        { "CPU stepping", of->cpu_stepping, machine->cpu_stepping },
    };

    if (strcmp(of->cpu_vendor, machine->cpu_vendor) != 0)
        return differ(err, "CPU vendor", of->cpu_vendor, machine->cpu_vendor);
    if (strcmp(of->cpu_model, machine->cpu_model) != 0)
        return differ(err, "CPU", of->cpu_model, machine->cpu_model);
    if (strcmp(of->board, machine->board) != 0)
        return differ(err, "board", of->board, machine->board);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].profile != numbers[i].machine)
            return differ_in_number(err, numbers[i].what, numbers[i].profile, numbers[i].machine);
    return true;
}

/* The memory visible in a container may be its own limit. */
static bool same_memory(const struct profile_hardware *of, const struct machine *machine)
{
    const double there = (double)of->memory_bytes, here = (double)machine->memory_bytes;

    return machine->container || there == 0 || here == 0 || fabs(there - here) <= MEMORY_TOLERANCE * fmax(there, here);
}

static bool same_hardware(const struct profile_hardware *of, const struct machine *machine, struct error *err)
{
    if (!same_processor(of, machine, err))
        return false;
    if (of->guest != machine->guest)
        return differ(err, "kind", of->guest ? "virtual machine" : "physical machine",
                      machine->guest ? "virtual machine" : "physical machine");
    if (of->sockets != machine->packages)
        return differ_in_number(err, "sockets", of->sockets, machine->packages);
    if (of->threads != machine->cpus_online)
        return differ_in_number(err, "CPUs online", of->threads, machine->cpus_online);
    return same_memory(of, machine) || differ_in_memory(err, of->memory_bytes, machine->memory_bytes);
}

bool machine_profile_fits(const struct machine_profile *profile, const struct machine *machine, struct error *err)
{
    return same_hardware(&profile->hardware, machine, err) ||
           error_fix(err, "make one of this machine: carbon calibrate");
}

/* A hypervisor may show its guest an older model of the same vendor, but no CPUs that it has not. */
static bool adopt_of_host(struct machine_profile *profile, const struct machine *machine, int cores, struct error *err)
{
    const struct profile_hardware *host = &profile->hardware;

    if (strcmp(host->cpu_vendor, machine->cpu_vendor) != 0)
        return differ(err, "CPU vendor", host->cpu_vendor, machine->cpu_vendor);
    if (host->threads < machine->cpus_online)
        return differ_in_number(err, "CPUs of the host, which a guest has a part of", host->threads,
                                machine->cpus_online);
    profile->host = *host;
    profile_hardware_of(machine, cores, &profile->hardware);
    return true;
}

bool machine_profile_adopt(struct machine_profile *profile, const struct machine *machine, int cores, struct error *err)
{
    const bool of_host = machine->guest && !profile->hardware.guest;

    return (of_host ? adopt_of_host(profile, machine, cores, err) : same_hardware(&profile->hardware, machine, err)) ||
           error_fix(err, "import the profile of this machine%s", machine->guest ? " or of its host" : "");
}

static bool user_place(char path[PROFILE_PATH_SIZE])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;

    /* the XDG base directory specification has a relative path ignored */
    if (config && *config == '/')
        length = snprintf(path, PROFILE_PATH_SIZE, "%s/carbon/profile.csv", config);
    else if (home && *home)
        length = snprintf(path, PROFILE_PATH_SIZE, "%s/.config/carbon/profile.csv", home);
    return length > 0 && length < PROFILE_PATH_SIZE;
}

size_t machine_profile_places(const struct root *root, char places[PROFILE_PLACES][PROFILE_PATH_SIZE])
{
    const size_t count = root->live && user_place(places[0]);

    root_typed_path(root, PLACE, places[count], PROFILE_PATH_SIZE);
    return count + 1;
}

/* The first that is there. */
static bool find_place(const struct root *root, char path[PROFILE_PATH_SIZE])
{
    char places[PROFILE_PLACES][PROFILE_PATH_SIZE];
    const size_t count = machine_profile_places(root, places);

    for (size_t i = 0; i < count; i++)
        if (access(places[i], F_OK) == 0) {
            text_copy(path, PROFILE_PATH_SIZE, places[i]);
            return true;
        }
    return false;
}

bool machine_profile_find(const struct root *root, const struct machine *machine, const char *named,
                          struct machine_profile *profile, bool *found, struct error *err)
{
    char path[PROFILE_PATH_SIZE];
    struct error refused = { .kind = ERROR_NONE };

    *found = false;
    if (named && strcmp(named, "none") == 0)
        return true;
    if (named)
        text_copy(path, sizeof path, named);
    else if (!find_place(root, path))
        return true;
    if (!machine_profile_read(path, profile, &refused) && named) {
        *err = refused;
        return false;
    }
    *found = true;
    if (refused.kind == ERROR_NONE && machine_profile_fits(profile, machine, &refused))
        return true;
    profile->refused = refused;
    return true;
}

const struct machine_profile *machine_profile_of(const struct machine *machine)
{
    const struct machine_stated *reported = &machine->reported;
    const struct machine_profile *profile = reported->profile;

    if (reported->cpu || reported->instance || reported->full_w > 0)
        return NULL;
    return profile && profile->refused.kind == ERROR_NONE ? profile : NULL;
}

void profile_describe(const struct machine_profile *profile, char *text, size_t size)
{
    const char *meter = profile->how == PROFILE_BY_METER ? profile->meter : "wall readings";

    if (profile->host.threads)
        snprintf(text, size, "its host's, %d of %d CPUs: %s, %.10s", profile->hardware.threads, profile->host.threads,
                 meter, profile->made_at);
    else
        snprintf(text, size, "%s, %.10s", meter, profile->made_at);
}
