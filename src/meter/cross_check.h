/* SPDX-License-Identifier: MIT
 * Domains compared with one another, of any source: repeated domains, parts above the whole that
 * contains them, and domains that contradict an equal one. docs/METHOD.md has the table of checks. Used in
 * commands/pipeline, commands/serve, commands/sources, lib and measurement. Begin with cross_check(). */
#ifndef METER_CROSS_CHECK_H
#define METER_CROSS_CHECK_H

#include "base/units.h"
#include "meter/scope.h"
#include "meter/window.h"

/* Judges the domains by all windows of a series, and forgets what was judged before. What repeats another, and a
 * guest's counters among which something does, gets that as its reason not to count; a contradicted domain gets a
 * warning; a model above a meter that contains it is limited by that. The findings, one notice each, are in
 * meter->findings. True: something else is left out or doubted than before, so that scope_count is to be called again.
 */
bool cross_check(struct meter *meter, const struct counting *counting, const struct window_list *steps);

/* What was judged before. */
void cross_check_forget(struct meter *meter);

enum { CROSS_STEPS = 16 };

#define CROSS_STEP_NS NS_PER_S_INT /* where each second is read */

/* For live views: the windows between samples of which the judgement is made, joined as time goes on. */
struct cross_steps {
    struct window steps[CROSS_STEPS];
    size_t count;
    uint64_t min_ns; /* minimum length of a window */
    struct sample last;
};

/* min_ns: of the first windows. */
void cross_steps_begin(struct cross_steps *steps, const struct sample *first, uint64_t min_ns);

/* Takes a sample, and judges where a window ends with it; as cross_check. */
bool cross_steps_take(struct cross_steps *steps, struct meter *meter, const struct counting *counting,
                      const struct sample *sample);

#endif
