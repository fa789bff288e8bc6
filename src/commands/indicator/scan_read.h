/* SPDX-License-Identifier: MIT
 * Reading a JSON text. Strictly what RFC 8259 allows, and NaN, Infinity and -Infinity, which Python prints. Used
 * throughout commands/indicator. Begin with scan_read(). */
#ifndef COMMANDS_INDICATOR_SCAN_READ_H
#define COMMANDS_INDICATOR_SCAN_READ_H

#include "commands/indicator/fault.h"
#include "commands/indicator/scan.h"

enum { SCAN_DEPTH = 200, SCAN_VALUES = 1 << 20 };

/* length below 4 GiB; the text need not end with NUL. One document with white space around it; no object has a key
 * twice. Given to scan_close in the end, after a failure too. */
bool scan_read(const char *text, size_t length, struct scan *scan, struct fault *fault) MUST_CHECK;

#endif
