/* SPDX-License-Identifier: MIT
 * Whether the machine is idle enough to measure the power of loads: checked before the first of them. Used by
 * commands/calibrate/calibrate_measure.c and commands/probe/probe_measure.c. Begin with session_wait_for_idle(). */
#ifndef APP_QUIET_H
#define APP_QUIET_H

#include "app/session.h"

/* Waits until the machine is idle, as long as --settle says. False: it is not. */
bool session_wait_for_idle(const struct session *session, struct error *err) MUST_CHECK;

#endif
