/* SPDX-License-Identifier: MIT
 * The environment as it would be without sudo, and without rights from carbon's file. Used in app, ledger, outside, run
 * and 4 commands. Begin with environment_before_sudo(). */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include "base/error.h"

#include <sys/types.h>

struct environment {
    char **variables; /* "NAME=value", NULL-ended; they may lie in carbon's own. NULL: it is carbon's own */
    char *store;
};

/* Of the user who called sudo: that user's variables, and those given to carbon since (`sudo VAR=x carbon`,
 * a script). Where sudo's parent's environment cannot be read, carbon's own with the variables that name the user. */
bool environment_before_sudo(struct environment *environment, uid_t uid, struct error *err) MUST_CHECK;

/* With the variables that the loader takes away from a program that has rights from its file
 * (LD_LIBRARY_PATH, TMPDIR; ld.so(8), secure-execution mode). */
bool environment_before_loader(struct environment *environment, struct error *err) MUST_CHECK;

void environment_close(struct environment *environment); /* harmless twice */

/* The variables with this one ("NAME=value") in place of any of its name. All are borrowed; the list is freed with
 * free. NULL: no memory. */
char **environment_with(char *const *variables, char *variable);

/* NULL: no such variable. */
const char *environment_value(char *const *variables, const char *name);

#endif
