/* SPDX-License-Identifier: MIT
 * Who may ask the exporter, and over what: a file in the format of Prometheus' exporter-toolkit. Used by confine.c,
 * http_server.h and passwords.h. Begin with web_config_read(). */
#ifndef COMMANDS_SERVE_WEB_CONFIG_H
#define COMMANDS_SERVE_WEB_CONFIG_H

#include "base/error.h"

#include <stddef.h>

enum client_auth { CLIENT_ANY, CLIENT_VERIFIED_IF_GIVEN, CLIENT_VERIFIED };

struct web_user {
    char name[128];
    char hash[64]; /* bcrypt hash: "$2y$10$..." */
};

enum { WEB_USERS_MAX = 64, WEB_FILES_MAX = 8 };

struct web_config {
    char *certificate, *key, *client_ca; /* PEM; NULL: none. A certificate means TLS */
    enum client_auth client_auth;
    char priorities[128]; /* for GnuTLS: which versions of TLS */
    struct web_user users[WEB_USERS_MAX];
    size_t user_count;          /* 0: no authentication */
    char *files[WEB_FILES_MAX]; /* those that were read, each by the name given and by that of what it leads to */
    size_t file_count;
};

/* Files are looked for beside the configuration. An error names the key, its line, and what is known instead.
 * web_config_close in any case. */
bool web_config_read(const char *path, struct web_config *config, struct error *err) MUST_CHECK;
void web_config_close(struct web_config *config); /* harmless twice */

#endif
