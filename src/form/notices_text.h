/* SPDX-License-Identifier: MIT
 * Notices below a result. */
#ifndef FORM_NOTICES_TEXT_H
#define FORM_NOTICES_TEXT_H

#include "base/notice.h"

#include <stdio.h>

/* "note: what: why" and, where there is one, "hint: fix"; of: whom they are about, or "". */
void notices_text(FILE *out, const struct notices *notices, const char *of, bool colour);

#endif
