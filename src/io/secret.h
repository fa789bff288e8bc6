/* SPDX-License-Identifier: MIT
 * Keys and passwords: from the environment or from a file that only its owner may read. They are in no error
 * (base/redact.h). Used by app/options/otlp_options.c, app/prometheus_server.c, grid/live_key.c and
 * outside/outside_get.c. Begin with
 * secret_of_text(). */
#ifndef IO_SECRET_H
#define IO_SECRET_H

#include "base/error.h"

#include <stddef.h>

enum secret_form {
    SECRET_KEY,      /* one word */
    SECRET_LOGIN,    /* user:password */
    SECRET_PASSWORD, /* one line */
    SECRET_HEADERS,  /* "NAME: VALUE", a line each */
};

/* A copy without the space around it, for secret_forget. NULL: not a valid secret. where: its origin, for messages.
 */
char *secret_of_text(const char *text, enum secret_form form, const char *where, struct error *err) MUST_CHECK;

/* Of a file that is the user's or root's, and that others can neither read nor change; those that Kubernetes and Docker
 * lay into containers (/run/secrets, /var/run/secrets) may be read there. */
char *secret_of_file(const char *path, enum secret_form form, struct error *err) MUST_CHECK;

void secret_forget(char *secret); /* overwrites and frees it; NULL: nothing */

#endif
