/* SPDX-License-Identifier: MIT
 * The job's own energy as text: its method, its range, and a way to narrow it. Used in commands/batch,
 * commands/profile and result. Begin with own_text(). */
#ifndef RESULT_OWN_TEXT_H
#define RESULT_OWN_TEXT_H

#include "result/report.h"

/* "3.97 J by CPU time × 1.97 W per busy CPU (modelled: 2.1 J to 6 J)". False: there is nothing to say. */
bool own_text(const struct report *report, struct text *text);

/* "by CPU time", "without what others used". */
const char *own_manner(enum own_method method);

/* It is known, and another figure than net: the answer. */
bool own_is_apart(const struct report *report);

#endif
