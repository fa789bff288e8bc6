/* SPDX-License-Identifier: MIT
 * The rights that carbon has and its user has not: for the counters alone, and gone before the job runs. Used in app,
 * main.c, outside and 11 commands. Begin with privileges_lower(). */
#ifndef RUN_PRIVILEGES_H
#define RUN_PRIVILEGES_H

#include "run/environment.h"

/* Such rights come from
 * - sudo: carbon is root, and SUDO_UID and SUDO_GID name another user;
 * - carbon's file (set-user-ID, set-group-ID or file capabilities).
 * An ordinary user has none. Who is root in any other way is meant to be root, and so is the job.
 * All that follows is for a process of one thread. */

/* Sets aside what the file gave, until privileges_raise; called before anything is opened. With sudo
 * it does nothing: who may call carbon as root may have it read and write as root. */
bool privileges_lower(struct error *err) MUST_CHECK;
bool privileges_raise(struct error *err) MUST_CHECK;

/* Goes back to the caller's user, groups and capabilities for good, and makes sure of it. False:
 * nothing may be run. The caller's environment, which sudo or the loader has changed, is put into
 * *environment, for environment_close. */
bool privileges_drop(struct environment *environment, struct error *err) MUST_CHECK;

/* For what serves others and runs nothing: no capabilities are left, whoever the user is, root included, and none can
 * come back through a program. After privileges_drop. */
bool privileges_end(struct error *err) MUST_CHECK;

#endif
