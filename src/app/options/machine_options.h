/* SPDX-License-Identifier: MIT
 * What a user says of this machine, for where its power must be modelled. */
#ifndef APP_OPTIONS_MACHINE_OPTIONS_H
#define APP_OPTIONS_MACHINE_OPTIONS_H

#include "app/options/options.h"
#include "base/machine.h"

/* Fills in machine->told, which lives as long as the settings. */
void machine_options_read(const struct settings *settings, struct machine *machine);

#endif
