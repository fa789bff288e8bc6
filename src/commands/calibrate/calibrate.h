/* SPDX-License-Identifier: MIT
 * The parts of `carbon calibrate`. Used throughout commands/calibrate. Begin with calibrate_measure().
 *
 * calibrate_plan.c chooses the loads, each run as `carbon probe --load` runs it; calibrate_measure.c runs them as one
 * series (app/campaign.h) and refuses implausible results; calibrate_fit.c fits the steps of a machine profile
 * (power/machine_profile.h), all in a separate process (calibrate_apart.c); calibrate_store.c saves the profile where
 * carbon looks for it, and calibrate_show.c shows it. */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_H
#define COMMANDS_CALIBRATE_CALIBRATE_H

#include "app/options/options.h"
#include "form/output.h"
#include "power/machine_profile.h"

/* Values of the options. */
struct calibrate_options {
    double seconds;
    size_t runs;
    bool anyway; /* even if other processes keep CPUs busy */
};

/* With the meters of this machine. Drops privileges on the way; calibrate_apart does so in a child process, so that
 * this one keeps them. */
bool calibrate_measure(const struct settings *settings, const struct calibrate_options *options,
                       struct machine_profile *profile, struct error *err) MUST_CHECK;
bool calibrate_apart(const struct settings *settings, const struct calibrate_options *options,
                     struct machine_profile *profile, struct error *err) MUST_CHECK;

/* A reading as it was typed, and half of its last digit: 38.2 W is exact to 0.05 W. False: not a power. */
struct wall_reading {
    double w, spread_w;
};
bool wall_reading_of(const char *text, struct wall_reading *reading) MUST_CHECK;

/* From two readings of the power of the whole machine. */
void calibrate_by_wall(const struct root *root, const struct machine *machine, const struct wall_reading *idle,
                       const struct wall_reading *full, struct machine_profile *profile);

/* Opens the file of the machine's profile, and creates its folder: /etc/carbon for root, else the user's. */
bool calibrate_store_open(const struct root *root, struct output *output, struct error *err) MUST_CHECK;

void calibrate_show(const struct machine_profile *profile, FILE *out);

#endif
