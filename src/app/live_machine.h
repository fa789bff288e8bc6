/* SPDX-License-Identifier: MIT
 * The machine as commands watch it that run no job: its meter, the domains that count, the factor. Used by
 * commands/serve and commands/top. Begin with live_machine_open_root(). */
#ifndef APP_LIVE_MACHINE_H
#define APP_LIVE_MACHINE_H

#include "app/options/emission_options.h"
#include "app/options/options.h"
#include "groups/collector.h"
#include "power/machine_profile.h"

struct live_machine {
    struct root root; /* fd -1: it is not open */
    struct machine machine;
    struct machine_profile profile;
    struct meter meter;
    struct counting counting;
    struct notices notices;
    struct emission_options emissions;
};

/* Of a zeroed one; live_machine_close in any case. */
bool live_machine_open_root(struct live_machine *live, const struct settings *settings, struct error *err) MUST_CHECK;

/* The meter, with the rights that carbon's file has. That nothing can be counted on this machine is a
 * notice, unless a meter is insisted on. */
bool live_machine_open(struct live_machine *live, const struct settings *settings, struct error *err) MUST_CHECK;

/* The factor; and the collector's part that follows from all this. */
bool live_machine_begin(struct live_machine *live, const struct settings *settings, struct collector *collector,
                        struct error *err) MUST_CHECK;

void live_machine_close(struct live_machine *live);

#endif
