/* SPDX-License-Identifier: MIT
 * What `carbon calibrate` works with. Used throughout commands/calibrate. Begin with calibrate_measure().
 *
 * calibrate_plan.c says which loads are run, each as `carbon probe --load` runs it; calibrate_measure.c runs them as
 * one series (app/campaign.h) and refuses what cannot be right; calibrate_fit.c makes the steps of a machine profile of
 * it (power/machine_profile.h), all that in a process of its own (calibrate_apart.c); calibrate_store.c puts that where
 * it is looked for, and calibrate_show.c shows it. */
#ifndef COMMANDS_CALIBRATE_CALIBRATE_H
#define COMMANDS_CALIBRATE_CALIBRATE_H

#include "app/options/options.h"
#include "form/output.h"
#include "power/machine_profile.h"

/* Values of the options. */
struct calibrate_options {
    double seconds;
    size_t runs;
    bool anyway; /* although others keep CPUs busy */
};

/* By the meters of this machine. Rights beyond the user's are given up on the way; apart: not those of this process. */
bool calibrate_measure(const struct settings *settings, const struct calibrate_options *options,
                       struct machine_profile *profile, struct error *err) MUST_CHECK;
bool calibrate_apart(const struct settings *settings, const struct calibrate_options *options,
                     struct machine_profile *profile, struct error *err) MUST_CHECK;

/* A reading as it was typed, and half of its last digit: 38.2 W is right to 0.05 W. False: not a power. */
struct wall_reading {
    double w, spread_w;
};
bool wall_reading_of(const char *text, struct wall_reading *reading) MUST_CHECK;

/* By two readings of what the whole machine draws. */
void calibrate_by_wall(const struct root *root, const struct machine *machine, const struct wall_reading *idle,
                       const struct wall_reading *full, struct machine_profile *profile);

/* Opens the file where the machine's profile is looked for, and makes its folder: /etc/carbon for root, else the
 * user's. */
bool calibrate_store_open(const struct root *root, struct output *output, struct error *err) MUST_CHECK;

void calibrate_show(const struct machine_profile *profile, FILE *out);

#endif
