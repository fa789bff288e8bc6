/* SPDX-License-Identifier: MIT
 * What a user says of this machine, for where its power must be modelled. Used in app, commands/calibrate,
 * commands/serve and commands/sources. Begin with machine_options_read(). */
#ifndef APP_OPTIONS_MACHINE_OPTIONS_H
#define APP_OPTIONS_MACHINE_OPTIONS_H

#include "app/options/options.h"
#include "base/machine.h"
#include "power/machine_profile.h"

/* Fills in machine->told, which lives as long as the settings and the profile. False: the profile that is named cannot
 * be read. */
bool machine_options_read(const struct settings *settings, const struct root *root, struct machine *machine,
                          struct machine_profile *profile, struct error *err) MUST_CHECK;

#endif
