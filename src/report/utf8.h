/* SPDX-License-Identifier: MIT
 * Texts by their characters. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include "base/utf8.h"

/* Characters in a text; every stray byte is one. */
size_t utf8_count(const char *text);

#endif
