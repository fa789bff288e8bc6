/* SPDX-License-Identifier: MIT
 * The options of `carbon serve`. Used by cmd_serve.c. Begin with serve_groups_of(). */
#ifndef COMMANDS_SERVE_SERVE_OPTIONS_H
#define COMMANDS_SERVE_SERVE_OPTIONS_H

#include "app/options/options.h"
#include "usage/group_name.h"

extern const struct option_spec option_listen, option_web_config, option_client_timeout, option_resolution,
    option_state, option_by_group, option_max_groups, option_max_processes, option_linger, option_no_sandbox,
    option_otlp_interval;

/* "container,pod" to kinds. ERROR_USAGE for a word that is none. */
bool serve_groups_of(const char *list, bool wanted[GROUP_KINDS], struct error *err) MUST_CHECK;

#endif
