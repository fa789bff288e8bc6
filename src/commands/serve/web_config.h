/* SPDX-License-Identifier: MIT
 * Who may access the exporter, and by which protocol: a file in the format of Prometheus' exporter-toolkit. Used by
 * confine.c, http_server.h and passwords.h. Begin with web_config_read(). */
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
    char priorities[128]; /* for GnuTLS: the allowed versions of TLS */
    struct web_user users[WEB_USERS_MAX];
    size_t user_count;          /* 0: no authentication */
    char *files[WEB_FILES_MAX]; /* the files that were read, each by its given name and by that of its link target */
    size_t file_count;
};

/* Files are relative to the configuration's folder. An error names the key, its line, and the known keys. Call
 * web_config_close in any case. */
bool web_config_read(const char *path, struct web_config *config, struct error *err) MUST_CHECK;
void web_config_close(struct web_config *config); /* harmless twice */

#endif
