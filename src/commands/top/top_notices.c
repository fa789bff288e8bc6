/* SPDX-License-Identifier: MIT
 * What is doubtful of an update, and what is hidden from this user. */
#include "commands/top/top.h"

#include <math.h>

static void note_hidden(struct top_view *view)
{
    const struct process_scan *processes = &view->collector->processes;

    if (!processes->folder)
        return;
    if (processes->hidden)
        notice_add(&view->notices, NOTICE_DENIED, "/proc is mounted with hidepid", "run carbon as root to see them",
                   "the processes of other users are hidden: their power is not attributed");
    if (processes->elsewhere)
        notice_add(&view->notices, NOTICE_LEFT_OUT, "carbon runs in a PID namespace of its own, as in a container",
                   "run it on the host, or in the host's PID namespace",
                   "processes outside this container are not seen: their power is not attributed");
}

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

void top_notices(struct top_view *view)
{
    const struct collector *collector = view->collector;
    const struct power_figures total = power_total(&collector->power, &collector->update, collector->counting);

    power_notices(&collector->power, collector->counting, &total, &view->notices);
    if (!collector->interval.busy_known)
        notice_add(&view->notices, NOTICE_UNKNOWN, "the CPU time of everything is not to be seen here", "",
                   "idle and not attributed power cannot be separated");
    note_hidden(view);
    note_left_out(view);
}
