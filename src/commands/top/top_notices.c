/* SPDX-License-Identifier: MIT
 * Notices about an update: doubtful values, and processes hidden from this user. */
#include "commands/top/top.h"

#include <math.h>

static void note_left_out(struct top_view *view)
{
    const struct groups *groups = &view->collector->groups;

    if (groups->left_out[view->choice.by])
        notice_add(&view->notices, NOTICE_TOO_MANY, "", "", "%zu more are there, and in no row",
                   groups->left_out[view->choice.by]);
    if (!groups->wanted[view->choice.by])
        notice_add(&view->notices, NOTICE_UNKNOWN, "no control groups are mounted", "", "nothing can be shown by %s",
                   group_kind_name(view->choice.by));
}

void top_notices(struct top_view *view, const struct notices *of_machine)
{
    const struct collector *collector = view->collector;
    const struct power_figures total = power_total(&collector->power, &collector->update, collector->counting);

    notices_clear(&view->notices);
    process_scan_notices(&collector->processes, &view->notices);
    note_left_out(view);
    notices_copy(&view->notices, of_machine);
    if (!(view->interval_s > 0))
        return;
    power_notices(&collector->power, collector->counting, &total, &view->notices);
    if (!collector->interval.busy_known)
        notice_add(&view->notices, NOTICE_UNKNOWN, "the CPU time of everything is not to be seen here", "",
                   "idle and not attributed power cannot be separated");
}
