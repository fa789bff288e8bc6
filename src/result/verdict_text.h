/* SPDX-License-Identifier: MIT
 * Verdicts in words, the same everywhere. Used in commands/batch, commands/compare and result. Begin with
 * net_is_void(). */
#ifndef RESULT_VERDICT_TEXT_H
#define RESULT_VERDICT_TEXT_H

#include "base/text.h"
#include "measurement/measurement.h"

/* A net of this does not describe the job: no CPU that it may use was idle before it. */
bool net_is_void(const struct summary *summary);
#define NET_IS_VOID "no idle baseline"

/* "measured: 560 J more than idle, 95 % CI 550 J to 570 J". */
void verdict_text_net(const struct summary *summary, struct text *text);
void verdict_text_of_net(const struct net_verdict *verdict, struct text *text);

/* "'new' uses 3.5 % less energy than 'old' (95 % CI 2.6 to 4.4 %)", or "undecided: ..." with the way to settle it. */
void verdict_text_comparison(const struct series_verdict *verdict, const char *a, const char *b, struct text *text);

#endif
