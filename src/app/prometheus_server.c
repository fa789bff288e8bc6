/* SPDX-License-Identifier: MIT
 * The options for the Prometheus server and its key. */
#include "app/prometheus_server.h"

#include "base/units.h"
#include "io/http.h"
#include "io/http_url.h"
#include "io/secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERVER "Server"

const struct option_spec option_prometheus_url =
    OPTION(TEXT, SERVER, "url", .argument = "<url>", .cli_only = true,
           .help = "Prometheus base URL, without /api/v1 (or CARBON_PROMETHEUS_URL)");
const struct option_spec option_bearer_file =
    OPTION(FILE, SERVER, "bearer-file", .argument = "<file>", .cli_only = true,
           .help = "a file with its key, which only you may read; else CARBON_PROMETHEUS_TOKEN, where that is set");
const struct option_spec option_user =
    OPTION(TEXT, SERVER, "user", .argument = "<name>", .cli_only = true,
           .help = "log in with this name and the password of CARBON_PROMETHEUS_PASSWORD");
const struct option_spec option_password_file =
    OPTION(FILE, SERVER, "password-file", .argument = "<file>", .cli_only = true,
           .help = "or with the password in this file, which only you may read");
const struct option_spec option_ca_file = OPTION(FILE, SERVER, "ca-file", .argument = "<file>", .cli_only = true,
                                                 .help = "certificates to trust in place of the system's");
const struct option_spec option_client_certificate =
    OPTION(FILE, SERVER, "client-certificate", .argument = "<file>", .cli_only = true,
           .help = "a certificate to show to the server");
const struct option_spec option_client_key = OPTION(FILE, SERVER, "client-key", .argument = "<file>", .cli_only = true,
                                                    .help = "and its key, where that is in a file of its own");
const struct option_spec option_insecure_http =
    OPTION(FLAG, SERVER, "insecure-http", .cli_only = true,
           .help = "send a key or password over http:// to another machine, too");
const struct option_spec option_scrape_timeout =
    OPTION(NUMBER, "Time", "timeout", .argument = "<s>", .quantity = QUANTITY_SECONDS, .cli_only = true, .min = 1,
           .max = S_PER_H, .default_text = "60", .help = "how long one answer may take, in seconds");

/* Without the end that people copy along. */
static char *find_url(const char *typed, struct error *err)
{
    static const char api[] = "/api/v1";
    const char *given = typed ? typed : getenv("CARBON_PROMETHEUS_URL");
    char host[HTTP_HOST_SIZE];
    size_t length;
    char *url;

    if (!given || !*given) {
        error_set(err, ERROR_USAGE, "no server is named");
        error_fix(err, "give --url http://HOST:9090, or set CARBON_PROMETHEUS_URL");
        return NULL;
    }
    if (!http_url_host(given, host, err)) {
        if (err->kind == ERROR_ABSENT)
            return NULL;
        error_why(err, "it begins with http:// or https:// and a host, and no name or password is in it");
        error_fix(err, "--url http://HOST:9090; --user NAME for who logs in");
        return NULL;
    }
    if (strpbrk(given, "?#")) {
        error_set(err, ERROR_USAGE, "'%.120s' is more than the address of a server", given);
        error_fix(err, "--url with the part before /api/v1: --url http://HOST:9090");
        return NULL;
    }
    url = strdup(given);
    length = url ? strlen(url) : 0;
    while (length && url[length - 1] == '/')
        url[--length] = '\0';
    if (length > sizeof api - 1 && strcmp(url + length - (sizeof api - 1), api) == 0)
        url[length - (sizeof api - 1)] = '\0';
    if (!url)
        error_errno(err, "no memory for the address");
    return url;
}

static bool find_bearer(const struct settings *settings, bool environment, char **header, struct error *err)
{
    const char *file = settings_text(settings, &option_bearer_file),
               *given = environment ? getenv("CARBON_PROMETHEUS_TOKEN") : NULL;
    char *key;
    bool good;

    if (!file && (!given || !*given || settings_text(settings, &option_user)))
        return true;
    key = file ? secret_of_file(file, SECRET_KEY, err)
               : secret_of_text(given, SECRET_KEY, "CARBON_PROMETHEUS_TOKEN", err);
    if (!key)
        return false;
    good = asprintf(header, "Authorization: Bearer %s", key) >= 0;
    if (!good) {
        *header = NULL;
        error_set(err, ERROR_SYSTEM, "no memory for the key");
    }
    secret_forget(key);
    return good;
}

static bool find_login(const struct settings *settings, char **login, struct error *err)
{
    const char *user = settings_text(settings, &option_user), *file = settings_text(settings, &option_password_file);
    const char *given = getenv("CARBON_PROMETHEUS_PASSWORD");
    char *password;
    bool good;

    if (!user && file) {
        error_set(err, ERROR_USAGE, "--password-file is of no use without a name");
        return error_fix(err, "add --user NAME");
    }
    if (!user)
        return true;
    if (!*user || strchr(user, ':'))
        return error_set(err, ERROR_USAGE, "'%.100s' is not a valid user name", user);
    if (!file && (!given || !*given)) {
        error_set(err, ERROR_DENIED, "'%.100s' needs a password", user);
        return error_fix(err, "give --password-file FILE, with mode 600, or set CARBON_PROMETHEUS_PASSWORD");
    }
    password = file ? secret_of_file(file, SECRET_PASSWORD, err)
                    : secret_of_text(given, SECRET_PASSWORD, "CARBON_PROMETHEUS_PASSWORD", err);
    if (!password)
        return false;
    good = asprintf(login, "%s:%s", user, password) >= 0;
    if (!good) {
        *login = NULL;
        error_set(err, ERROR_SYSTEM, "no memory for the password");
    }
    secret_forget(password);
    return good;
}

/* libcurl does not say which of its files cannot be read. */
static bool check_files(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const files[] = { &option_ca_file, &option_client_certificate, &option_client_key,
                                                       NULL };

    if (!settings_check_readable(settings, files, err))
        return false;
    if (!settings_text(settings, &option_client_key) || settings_text(settings, &option_client_certificate))
        return true;
    error_set(err, ERROR_USAGE, "--client-key is of no use alone");
    return error_fix(err, "add --client-certificate FILE");
}

bool prometheus_server_read(const struct settings *settings, struct prometheus_access *access, struct error *err)
{
    return prometheus_server_read_url(settings, settings_text(settings, &option_prometheus_url), access, err);
}

bool prometheus_server_read_url(const struct settings *settings, const char *url, struct prometheus_access *access,
                                struct error *err)
{
    *access = (struct prometheus_access){ .url = find_url(url, err) };
    return access->url && prometheus_access_read(settings, true, access, err);
}

bool prometheus_access_read(const struct settings *settings, bool environment, struct prometheus_access *access,
                            struct error *err)
{
    if (settings_text(settings, &option_bearer_file) && settings_text(settings, &option_user))
        return options_clash(&option_bearer_file, &option_user, err);
    if (!find_bearer(settings, environment, &access->secret, err) || !find_login(settings, &access->login, err) ||
        !check_files(settings, err))
        return false;
    access->server = (struct prometheus_server){
        .url = access->url,
        .secret = access->secret,
        .login = access->login,
        .ca_file = settings_text(settings, &option_ca_file),
        .deadline_ns = (uint64_t)(settings_number(settings, &option_scrape_timeout) * NS_PER_S),
        .certificate = settings_text(settings, &option_client_certificate),
        .certificate_key = settings_text(settings, &option_client_key),
        .plain_key = settings_flag(settings, &option_insecure_http),
    };
    return true;
}

void prometheus_server_forget(struct prometheus_access *access)
{
    secret_forget(access->secret);
    secret_forget(access->login);
    free(access->url);
    *access = (struct prometheus_access){ .url = NULL };
}
