/* SPDX-License-Identifier: MIT
 * Where the files that carbon ships are found. */
#ifndef BASE_DATA_H
#define BASE_DATA_H

#include "base/error.h"

#include <stddef.h>

/* The path of a shipped file ("emission_factors/zones.csv"): under $CARBON_DATA where that is set,
 * else where `make install` put it. Fails (ERROR_ABSENT) where there is no such file or folder. */
bool data_path(const char *name, char *path, size_t size, struct error *err) MUST_CHECK;

#endif
