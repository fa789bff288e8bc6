/* SPDX-License-Identifier: MIT
 * Options of `carbon top`. Used by cmd_top.c. Begin with top_choose(). */
#ifndef COMMANDS_TOP_TOP_OPTIONS_H
#define COMMANDS_TOP_TOP_OPTIONS_H

#include "app/options/options.h"
#include "commands/top/top.h"

extern const struct option_spec option_top_by, option_top_sort, option_top_filter, option_top_rows, option_top_once,
    option_top_for, option_top_interval;

void top_choose(const struct settings *settings, struct top_choice *choice);

#endif
