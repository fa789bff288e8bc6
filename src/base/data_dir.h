/* SPDX-License-Identifier: MIT
 * Where the files that carbon ships are found. Used in app, base, commands/model, emissions and power. Begin with
 * data_path(). */
#ifndef BASE_DATA_DIR_H
#define BASE_DATA_DIR_H

#include "base/error.h"

#include <stddef.h>

/* The path of a shipped file ("emission_factors/zones.csv"): under $CARBON_DATA where that is set,
 * else where `make install` put it. Fails (ERROR_ABSENT) where there is no such file or folder. */
bool data_path(const char *name, char *path, size_t size, struct error *err) MUST_CHECK;

#endif
