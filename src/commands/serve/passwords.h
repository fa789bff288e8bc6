/* SPDX-License-Identifier: MIT
 * Checks passwords against their bcrypt hashes, with a limit on the CPU time that wrong ones can use. Used by confine.c
 * and http_server.c. Begin with passwords_open(). */
#ifndef COMMANDS_SERVE_PASSWORDS_H
#define COMMANDS_SERVE_PASSWORDS_H

#include "commands/serve/web_config.h"

#include <stdint.h>

enum password_verdict { PASSWORD_GOOD, PASSWORD_BAD, PASSWORD_LATER };

struct passwords;
struct sockaddr;

/* ERROR_ABSENT: libcrypt is missing, or does not support bcrypt. */
struct passwords *passwords_open(const struct web_config *config, struct error *err) MUST_CHECK;
void passwords_close(struct passwords *passwords); /* NULL is harmless */

/* NULL: not authenticated. A password that was right before needs no hash, whoever sends it. Others take the time of a
 * hash, whether the user exists or not, and at most a twentieth of one CPU's time for addresses with wrong passwords,
 * another for those without: PASSWORD_LATER (guests.h). */
enum { PASSWORD_SIZE = 512 };
enum password_verdict password_check(struct passwords *passwords, const struct sockaddr *address, const char *user,
                                     const char *password);

/* Whether two texts are the same, in a time that does not reveal where they differ. */
bool same_secret(const char *a, const char *b);

#endif
