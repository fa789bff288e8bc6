/* SPDX-License-Identifier: MIT
 * The keys of one object, compared by what they say. For scan.c. */
#ifndef COMMANDS_INDICATOR_SCAN_KEYS_H
#define COMMANDS_INDICATOR_SCAN_KEYS_H

#include "commands/indicator/scan.h"

/* False: two say the same; the fault is at the second of them. */
bool scan_keys_differ(const struct scan *scan, uint32_t object, struct fault *fault) MUST_CHECK;

#endif
