/* SPDX-License-Identifier: MIT
 * The results of --sci and its related options, and --equivalents. Used in app and 4 commands. Begin with
 * sci_options_read(). */
#ifndef APP_OPTIONS_SCI_OPTIONS_H
#define APP_OPTIONS_SCI_OPTIONS_H

#include "app/options/options.h"
#include "result/report.h"

extern const struct option_spec option_sci, option_embodied, option_embodied_of, option_lifetime, option_reserved_share,
    option_equivalents;
/* For the lists of commands. */
#define UNIT_OPTIONS &option_sci, &option_embodied, &option_embodied_of, &option_lifetime, &option_reserved_share
#define SCI_OPTIONS UNIT_OPTIONS, &option_equivalents

/* The part of the machine that the job may use, by its CPUs. NAN: another machine was measured, or a
 * running target, whose CPUs are unknown. */
double sci_share_of(const struct report *report);

/* What the options of this origin and stronger ones say replaces what sci holds; the share (NAN: all of the machine is
 * taken) and the lifetime are assumed where neither knows. */
bool sci_options_read(const struct settings *settings, enum option_origin min, double share, struct sci *sci,
                      struct error *err) MUST_CHECK;

/* Leaves them as they are without --equivalents. */
bool equivalents_option_read(const struct settings *settings, struct equivalents *equivalents,
                             struct error *err) MUST_CHECK;

#endif
