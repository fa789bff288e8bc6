/* SPDX-License-Identifier: MIT
 * Readings by hand, and where a profile is kept. */
#include "commands/calibrate/calibrate.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/parse_quantity.h"
#include "base/text.h"

#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_WALL_W 1e6

bool wall_reading_of(const char *text, struct wall_reading *reading)
{
    const size_t length = strspn(text, "0123456789.");
    const char *point = memchr(text, '.', length);
    char digits[TEXT_NUMBER_SIZE];
    double number;

    text_copy(digits, length < sizeof digits ? length + 1 : sizeof digits, text);
    if (!quantity_of(QUANTITY_POWER, text, &reading->w) || !(reading->w > 0) || reading->w > MAX_WALL_W ||
        !text_to_number(digits, &number))
        return false;
    /* half of the last digit that the meter shows, in the unit of the reading */
    reading->spread_w = 0.5 * pow(10, point ? -(double)(text + length - point - 1) : 0) * reading->w / number;
    return true;
}

static struct profile_step step_of(enum profile_work work, double busy_cpus, const struct wall_reading *reading)
{
    struct profile_step step = { .work = work, .busy_cpus = busy_cpus };

    for (size_t part = 0; part < PROFILE_PARTS; part++)
        step.w[part] = step.spread_w[part] = NAN;
    step.w[PROFILE_MACHINE] = reading->w;
    step.spread_w[PROFILE_MACHINE] = reading->spread_w;
    return step;
}

void calibrate_by_wall(const struct root *root, const struct machine *machine, const struct wall_reading *idle,
                       const struct wall_reading *full, struct machine_profile *profile)
{
    *profile = (struct machine_profile){ .how = PROFILE_BY_WALL, .step_count = 2 };
    profile_hardware_of(machine, cores_online(root), &profile->hardware);
    clock_text(clock_realtime_ns(), profile->made_at);
    text_copy(profile->carbon_version, sizeof profile->carbon_version, PACKAGE_VERSION);
    profile->steps[0] = step_of(PROFILE_IDLE, 0, idle);
    profile->steps[1] = step_of(PROFILE_CPU, machine->cpus_online, full);
}

static bool make_folders(const char *path, struct error *err)
{
    char folder[PROFILE_PATH_SIZE];

    text_copy(folder, sizeof folder, path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0755) != 0 && access(folder, X_OK) != 0) {
            error_errno(err, "cannot make the folder '%.200s'", folder);
            return error_fix(err, "run carbon as root for /etc/carbon, or set XDG_CONFIG_HOME to a folder of your own");
        }
        *slash = '/';
    }
    return true;
}

bool calibrate_store_open(const struct root *root, struct output *output, struct error *err)
{
    char places[PROFILE_PLACES][PROFILE_PATH_SIZE];
    const size_t count = machine_profile_places(root, places);
    const bool of_machine = geteuid() == 0 && !getenv("XDG_CONFIG_HOME");
    const char *path = places[of_machine ? count - 1 : 0];

    return make_folders(path, err) && output_open(output, path, err);
}
