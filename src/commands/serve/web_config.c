/* SPDX-License-Identifier: MIT
 * tls_server_config and basic_auth_users. */
#include "commands/serve/web_config.h"

#include "base/auto.h"
#include "base/sysroot.h"
#include "base/text.h"
#include "io/yaml_read.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hash takes 2^cost rounds: 14 is a second, during which the server answers no other client. */
enum { PEM_MAX = 1 << 20, MIN_COST = 4, MAX_COST = 14 };

struct web_config_reading_file {
    const struct yaml *yaml;
    struct web_config *config;
    int min, max; /* places in versions[] */
};

static const struct {
    const char *name, *priority;
} versions[] = { { "TLS10", ":+VERS-TLS1.0" },
                 { "TLS11", ":+VERS-TLS1.1" },
                 { "TLS12", ":+VERS-TLS1.2" },
                 { "TLS13", ":+VERS-TLS1.3" } };
enum { VERSIONS = 4, TLS12 = 2, TLS13 = 3 };

typedef bool key_function(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err);

struct web_config_key {
    const char *name;
    key_function *read; /* NULL: known, and not offered here */
};

static bool read_map(struct web_config_reading_file *file, const struct yaml_node *map,
                     const struct web_config_key *keys, size_t count, struct error *err)
{
    char known[200] = "";

    if (map->kind == YAML_TEXT && map->null)
        return true;
    if (map->kind != YAML_MAP)
        return yaml_refuse(file->yaml, map, err, "there must be names with values here");
    for (size_t i = 0; i < count; i++)
        if (keys[i].read)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", known[0] ? ", " : "", keys[i].name);
    for (const struct yaml_node *node = map->first; node; node = node->next) {
        size_t i = 0;
        while (i < count && strcmp(node->key, keys[i].name) != 0)
            i++;
        if (i < count && keys[i].read) {
            if (!keys[i].read(file, node, err))
                return false;
            continue;
        }
        yaml_refuse_key(file->yaml, node, err, i < count ? "'%.60s' is not offered" : "'%.60s' is not known",
                        node->key);
        return error_fix(err, "allowed: %s", known);
    }
    return true;
}

/* A text that is not empty. */
static const char *text_of(const struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    if (node->kind == YAML_TEXT && !node->null && node->text[0])
        return node->text;
    yaml_refuse(file->yaml, node, err, "'%.60s' wants a text", node->key);
    return NULL;
}

static void remember(struct web_config *config, const char *path)
{
    char *const names[] = { strdup(path), realpath(path, NULL) };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i] && config->file_count < WEB_FILES_MAX)
            config->files[config->file_count++] = names[i];
        else
            free(names[i]);
}

static bool read_pem(const struct web_config_reading_file *file, const struct yaml_node *node, char **pem,
                     struct error *err)
{
    const char *name = text_of(file, node, err), *slash = strrchr(file->yaml->path, '/');
    char path[PATH_MAX];
    AUTO_CLOSE int fd = -1;
    size_t length;

    if (!name)
        return false;
    if (*name == '/' || !slash)
        text_copy(path, sizeof path, name);
    else
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - file->yaml->path), file->yaml->path, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    free(*pem);
    *pem = malloc(PEM_MAX);
    if (fd < 0 || !*pem || !fd_read_up_to(fd, *pem, PEM_MAX - 1, &length))
        return error_errno(err, "cannot read '%.150s' (%s)", path, node->key);
    (*pem)[length] = '\0';
    remember(file->config, path);
    if (strstr(*pem, "-----BEGIN "))
        return true;
    error_set(err, ERROR_BAD_DATA, "'%.150s' (%s) holds nothing in PEM", path, node->key);
    return error_fix(err, "give a file with '-----BEGIN ...' in it");
}

static bool read_certificate(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    return read_pem(file, node, &file->config->certificate, err);
}

static bool read_key(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    return read_pem(file, node, &file->config->key, err);
}

static bool read_client_ca(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    return read_pem(file, node, &file->config->client_ca, err);
}

static bool read_client_auth(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    static const char *const names[] = { [CLIENT_ANY] = "NoClientCert",
                                         [CLIENT_VERIFIED_IF_GIVEN] = "VerifyClientCertIfGiven",
                                         [CLIENT_VERIFIED] = "RequireAndVerifyClientCert" };
    const char *text = text_of(file, node, err);

    for (size_t i = 0; text && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            file->config->client_auth = (enum client_auth)i;
            return true;
        }
    if (!text)
        return false;
    yaml_refuse(file->yaml, node, err, "'%.60s' is not offered as client_auth_type", text);
    return error_fix(err, "one of %s, %s, %s", names[0], names[1], names[2]);
}

static bool read_version(struct web_config_reading_file *file, const struct yaml_node *node, int *version,
                         struct error *err)
{
    const char *text = text_of(file, node, err);

    for (int i = 0; text && i < VERSIONS; i++)
        if (strcmp(text, versions[i].name) == 0) {
            *version = i;
            return true;
        }
    if (!text)
        return false;
    yaml_refuse(file->yaml, node, err, "'%.60s' is not a version of TLS", text);
    return error_fix(err, "one of TLS10, TLS11, TLS12, TLS13");
}

static bool read_min(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    return read_version(file, node, &file->min, err);
}

static bool read_max(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    return read_version(file, node, &file->max, err);
}

static bool read_tls(struct web_config_reading_file *file, const struct yaml_node *node, struct error *err)
{
    static const struct web_config_key keys[] = {
        { "cert_file", read_certificate },
        { "key_file", read_key },
        { "client_auth_type", read_client_auth },
        { "client_ca_file", read_client_ca },
        { "min_version", read_min },
        { "max_version", read_max },
        { "cipher_suites", NULL },
        { "prefer_server_cipher_suites", NULL },
        { "curve_preferences", NULL },
        { "client_allowed_sans", NULL },
        { "cert", NULL },
        { "key", NULL },
        { "client_ca", NULL },
    };
    const struct web_config *config = file->config;

    if (!read_map(file, node, keys, sizeof keys / sizeof keys[0], err))
        return false;
    if (!config->certificate || !config->key)
        return yaml_refuse(file->yaml, node, err, "tls_server_config wants cert_file and key_file");
    if (config->client_auth != CLIENT_ANY && !config->client_ca)
        return yaml_refuse(file->yaml, node, err, "client_auth_type wants a client_ca_file");
    if (config->client_ca && config->client_auth == CLIENT_ANY)
        return yaml_refuse(file->yaml, node, err, "client_ca_file means nothing without client_auth_type");
    return file->min <= file->max || yaml_refuse(file->yaml, node, err, "min_version is above max_version");
}

static bool is_hash(const char *text)
{
    static const char letters[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    return strlen(text) == 60 && strncmp(text, "$2", 2) == 0 && strchr("aby", text[2]) && text[3] == '$' &&
           text[6] == '$' && strspn(text + 7, letters) == 53 && strspn(text + 4, "0123456789") == 2;
}

static bool read_users(struct web_config_reading_file *file, const struct yaml_node *map, struct error *err)
{
    if (map->kind != YAML_MAP)
        return yaml_refuse(file->yaml, map, err, "basic_auth_users wants names with hashes");
    for (const struct yaml_node *node = map->first; node; node = node->next) {
        struct web_user *user = &file->config->users[file->config->user_count];
        const char *hash = text_of(file, node, err);
        int cost;
        if (!hash)
            return false;
        if (file->config->user_count == WEB_USERS_MAX)
            return yaml_refuse_key(file->yaml, node, err, "there are more than %d users", WEB_USERS_MAX);
        if (strlen(node->key) >= sizeof user->name || strchr(node->key, ':'))
            return yaml_refuse_key(file->yaml, node, err, "the name of this user is too long, or has a ':'");
        if (!is_hash(hash)) {
            yaml_refuse(file->yaml, node, err, "the password of '%.60s' is not a bcrypt hash", node->key);
            return error_fix(err, "make one: htpasswd -nBC 10 '' | tr -d ':\\n'");
        }
        cost = (hash[4] - '0') * 10 + hash[5] - '0';
        if (cost < MIN_COST || cost > MAX_COST) {
            yaml_refuse(file->yaml, node, err, "the hash of '%.60s' has a cost of %d", node->key, cost);
            return error_fix(err, "make one of %d to %d: htpasswd -nBC 10 '' | tr -d ':\\n'", MIN_COST, MAX_COST);
        }
        text_copy(user->name, sizeof user->name, node->key);
        text_copy(user->hash, sizeof user->hash, hash);
        file->config->user_count++;
    }
    return true;
}

static void set_priorities(const struct web_config_reading_file *file)
{
    char *priorities = file->config->priorities;
    const size_t size = sizeof file->config->priorities;

    snprintf(priorities, size, "NORMAL:-VERS-ALL");
    for (int i = file->min; i <= file->max; i++)
        snprintf(priorities + strlen(priorities), size - strlen(priorities), "%s", versions[i].priority);
}

bool web_config_read(const char *path, struct web_config *config, struct error *err)
{
    static const struct web_config_key keys[] = {
        { "tls_server_config", read_tls },
        { "basic_auth_users", read_users },
        { "http_server_config", NULL },
        { "rate_limit", NULL },
    };
    struct yaml yaml;
    struct web_config_reading_file file = { .yaml = &yaml, .config = config, .min = TLS12, .max = TLS13 };
    bool good;

    *config = (struct web_config){ .user_count = 0 };
    remember(config, path);
    good = yaml_read(&yaml, path, err) && read_map(&file, yaml.root, keys, sizeof keys / sizeof keys[0], err);
    yaml_close(&yaml);
    set_priorities(&file);
    return good;
}

void web_config_close(struct web_config *config)
{
    if (config->key)
        explicit_bzero(config->key, strlen(config->key));
    free(config->certificate);
    free(config->key);
    free(config->client_ca);
    for (size_t i = 0; i < config->file_count; i++)
        free(config->files[i]);
    *config = (struct web_config){ .user_count = 0 };
}
