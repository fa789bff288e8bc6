/* SPDX-License-Identifier: MIT
 * Passwords against their bcrypt hashes, so that nobody can burn the machine's time with wrong ones. */
#ifndef COMMANDS_SERVE_PASSWORDS_H
#define COMMANDS_SERVE_PASSWORDS_H

#include "commands/serve/web_config.h"

#include <stdint.h>

enum password_verdict { PASSWORD_GOOD, PASSWORD_BAD, PASSWORD_LATER };

struct passwords;
struct sockaddr;

/* ERROR_ABSENT: libcrypt is not there, or knows no bcrypt. */
struct passwords *passwords_open(const struct web_config *config, struct error *err) MUST_CHECK;
void passwords_close(struct passwords *passwords); /* NULL is harmless */

/* NULL: nobody has said. A password that was right before costs nothing, whoever sends it.
 * Others take as long as a hash takes, whether there is such a user or not, and a twentieth of one CPU's time at most
 * for addresses that were wrong, another for those that were not: PASSWORD_LATER (guests.h). */
enum { PASSWORD_SIZE = 512 };
enum password_verdict password_check(struct passwords *passwords, const struct sockaddr *address, const char *user,
                                     const char *password);

/* Whether two texts are the same, in a time that does not tell where they differ. */
bool same_secret(const char *a, const char *b);

#endif
