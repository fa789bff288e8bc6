/* SPDX-License-Identifier: MIT
 * What the user calls a result, so that it is found again: its label, its project, and words of the user's own. Used in
 * app and 11 commands. Begin with naming_options_read(). */
#ifndef APP_OPTIONS_NAMING_OPTIONS_H
#define APP_OPTIONS_NAMING_OPTIONS_H

#include "app/options/options.h"
#include "result/report.h"

extern const struct option_spec option_label, option_project, option_meta;
/* By the same names, of commands that choose among records. */
extern const struct option_spec option_of_label, option_of_project, option_of_meta;

/* Of a command that has these options; the texts are the settings'. */
bool naming_options_read(const struct settings *settings, struct report *report, struct error *err) MUST_CHECK;

#endif
