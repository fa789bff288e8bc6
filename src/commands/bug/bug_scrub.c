/* SPDX-License-Identifier: MIT
 * Lines without what names a user, a host or one single device, and without secrets. */
#include "commands/bug/bug.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/redact.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UUID_LENGTH = 36, SHORTEST_NAME = 3 };

static void take_name(char *field, size_t size, const char *name)
{
    text_copy(field, size, name && strlen(name) >= SHORTEST_NAME && strlen(name) < size ? name : "");
}

void scrub_open(struct scrub *scrub)
{
    const char *home = getenv("HOME"), *user = getenv("SUDO_USER");
    char host[sizeof scrub->host] = "";

    *scrub = (struct scrub){ .home = "" };
    if (gethostname(host, sizeof host - 1) == 0 && strcmp(host, "localhost") != 0)
        take_name(scrub->host, sizeof scrub->host, host);
    take_name(scrub->home, sizeof scrub->home, home && strcmp(home, "/root") != 0 ? home : "");
    if (!user)
        user = getenv("USER");
    take_name(scrub->user, sizeof scrub->user, user && strcmp(user, "root") != 0 ? user : "");
}

/* A whole word or path at this place of the line, not a part of a longer name. */
static bool stands_at(const char *line, const char *at, const char *name)
{
    const size_t length = strlen(name);

    return length && strncmp(at, name, length) == 0 && (at == line || !c_isalnum(at[-1]) || !c_isalnum(name[0])) &&
           !c_isalnum(at[length]);
}

/* "6c3f0d2e-....": of a card, a record or a container. */
static bool is_uuid(const char *line, const char *at)
{
    if (at != line && c_isalnum(at[-1]))
        return false;
    for (int i = 0; i < UUID_LENGTH; i++) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? at[i] != '-' : !(c_isdigit(at[i]) || (c_toupper(at[i]) >= 'A' && c_toupper(at[i]) <= 'F')))
            return false;
    }
    return !c_isalnum(at[UUID_LENGTH]);
}

void scrub_line(const struct scrub *scrub, const char *line, FILE *out)
{
    AUTO_FREE char *safe = strdup(line);

    if (!safe)
        return;
    redact(safe);
    for (const char *at = safe; *at;) {
        const struct {
            const char *name, *instead;
        } names[] = { { scrub->home, "~" }, { scrub->host, "HOST" }, { scrub->user, "USER" } };
        size_t taken = 0;

        for (size_t i = 0; !taken && i < sizeof names / sizeof names[0]; i++)
            if (stands_at(safe, at, names[i].name)) {
                fputs(names[i].instead, out);
                taken = strlen(names[i].name);
            }
        if (!taken && is_uuid(safe, at)) {
            fputs("UUID", out);
            taken = UUID_LENGTH;
        }
        if (!taken)
            fputc(*at, out);
        at += taken ? taken : 1;
    }
    fputc('\n', out);
}
