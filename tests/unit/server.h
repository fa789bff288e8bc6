/* SPDX-License-Identifier: MIT
 * A PostgreSQL server of a test's own: in a folder of its own, on a Unix socket in it, and gone with it. */
#ifndef TESTS_SERVER_H
#define TESTS_SERVER_H

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct server {
    char folder[64], programs[256], uri[256];
};

/* As the user postgres where we are root, for the server refuses to be. */
static inline bool server_run(const struct server *server, const char *command)
{
    char line[1024];

    snprintf(line, sizeof line, "cd '%s' && %s%s/%s > log.run 2>&1", server->folder,
             getuid() == 0 ? "runuser -u postgres -- " : "", server->programs, command);
    return system(line) == 0;
}

/* False, and says why, where there is no server to be had. */
static inline bool server_start(struct server *server)
{
    char command[512];
    glob_t found;

    if (glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) != 0) {
        puts("not tested with PostgreSQL, which is not installed (Debian: postgresql)");
        return false;
    }
    snprintf(server->programs, sizeof server->programs, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    *strrchr(server->programs, '/') = '\0';
    strcpy(server->folder, "/tmp/carbon-server.XXXXXX");
    if (!mkdtemp(server->folder))
        return false;
    snprintf(command, sizeof command, "chmod 755 '%s'; [ $(id -u) != 0 ] || chown postgres '%s'", server->folder,
             server->folder);
    if (system(command) != 0)
        return false;
    snprintf(command, sizeof command, "pg_ctl -D data -l log -w -o \"-k %s -c listen_addresses='' -F\" start",
             server->folder);
    if (!server_run(server, "initdb -D data -A trust -U carbon -N -E UTF8 --locale=C.UTF-8") ||
        !server_run(server, command)) {
        puts("not tested with PostgreSQL, which does not start");
        return false;
    }
    snprintf(server->uri, sizeof server->uri, "postgresql:///postgres?host=%s&user=carbon", server->folder);
    return true;
}

static inline void server_stop(struct server *server)
{
    char command[128];

    if (!server->folder[0])
        return;
    if (server->uri[0])
        (void)!server_run(server, "pg_ctl -D data -m immediate stop");
    snprintf(command, sizeof command, "rm -rf '%s'", server->folder);
    (void)!system(command);
}

#endif
