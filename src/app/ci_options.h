/* SPDX-License-Identifier: MIT
 * --ci: results for the services that build and test. Used in 3 commands. Begin with ci_options_open(). */
#ifndef APP_CI_OPTIONS_H
#define APP_CI_OPTIONS_H

#include "app/options/options.h"
#include "gate/ci.h"

extern const struct option_spec option_ci;

/* Opens the files, which no other output may have. Given to ci_close, after a failure too. */
bool ci_options_open(struct ci_files *ci, const struct settings *settings, struct error *err) MUST_CHECK;

/* Annotations go to standard error, which GitHub reads, too. Returns status, or 125. */
int ci_options_write(struct ci_files *ci, const char *title, const struct ci_row *rows, size_t count, int status);

#endif
