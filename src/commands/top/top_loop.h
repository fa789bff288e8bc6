/* SPDX-License-Identifier: MIT
 * The loop of `carbon top`: collects, shows, and takes keys and signals. Used by cmd_top.c. Begin with top_run(). */
#ifndef COMMANDS_TOP_TOP_LOOP_H
#define COMMANDS_TOP_TOP_LOOP_H

#include "commands/top/top.h"
#include "commands/top/top_terminal.h"
#include "form/output.h"

struct top_loop {
    /* filled by the caller */
    struct collector *collector;
    struct top_choice choice;
    struct top_style style;
    struct output *json, *csv; /* NULL: not asked for */
    bool prints;               /* on standard output, for people */
    bool keys;                 /* on a terminal of its own, until a key ends it */
    bool once;
    uint64_t interval_ns, for_ns; /* for_ns 0: no end */
    top_user_name *user_name;
    void *context;
    const struct notices *notices; /* known before the start */

    struct top_view view;
    struct top_history history;
    struct top_terminal terminal;
    struct top_keys key_state;
    int signal_fd;
    bool ended;
    uint64_t next_update_ns, next_keep_alive_ns, next_poll_ns, end_ns; /* UINT64_MAX: never */
};

/* Until a key, a signal, the time that was given or a reader that goes away ends it; all are a success. The terminal is
 * as it was. */
bool top_run(struct top_loop *loop, struct error *err) MUST_CHECK;

#endif
