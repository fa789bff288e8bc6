/* SPDX-License-Identifier: MIT
 * The collector and its keys: from a file, or with --otlp env from OpenTelemetry's variables. */
#include "app/options/otlp_options.h"

#include "base/units.h"
#include "io/http_url.h"
#include "io/secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "OpenTelemetry"

/* The value of --otlp for OTEL_EXPORTER_OTLP_ENDPOINT. */
static const char by_environment[] = "env";

static bool check_address(const char *text, struct error *err)
{
    char *url = strcmp(text, by_environment) == 0 ? NULL : otlp_url(text, err);
    const bool good = url || strcmp(text, by_environment) == 0;

    free(url);
    return good;
}

const struct option_spec option_otlp =
    OPTION(TEXT, GROUP, "otlp", .argument = "<url>", .check = check_address,
           .help = "push metrics to this OTLP/HTTP collector; env: OTEL_EXPORTER_OTLP_*");
const struct option_spec option_otlp_headers =
    OPTION(FILE, GROUP, "otlp-headers", .argument = "<file>",
           .help = "file with headers for it, 'name: value' a line; mode 600");
const struct option_spec option_otlp_ca_file =
    OPTION(FILE, GROUP, "otlp-ca-file", .argument = "<file>", .help = "certificates to trust in place of the system's");
const struct option_spec option_otlp_certificate = OPTION(FILE, GROUP, "otlp-certificate", .argument = "<file>",
                                                          .help = "client certificate to show to the collector");
const struct option_spec option_otlp_key =
    OPTION(FILE, GROUP, "otlp-key", .argument = "<file>", .help = "its key, if in a file of its own");
const struct option_spec option_otlp_insecure =
    OPTION(FLAG, GROUP, "otlp-insecure", .cli_only = true, .help = "send headers over http:// to another machine, too");
const struct option_spec option_otlp_timeout =
    OPTION(NUMBER, GROUP, "otlp-timeout", .argument = "<s>", .quantity = QUANTITY_SECONDS, .default_text = "10",
           .min = 1, .max = 300, .help = "time limit of one push, in seconds");

static const char *variable(const char *first, const char *second)
{
    const char *value = getenv(first);

    return value && *value ? value : getenv(second);
}

static bool headers_of_file(const char *path, struct otlp_collector *collector, struct error *err)
{
    char *text = secret_of_file(path, SECRET_HEADERS, err), where[256];
    bool good;

    snprintf(where, sizeof where, "'%.200s'", path);
    good = text && otlp_headers_take(collector, text, "\n", where, err);
    secret_forget(text);
    return good;
}

/* OTEL_EXPORTER_OTLP_HEADERS is "name=value,name2=value2", with %20 and the like. */
static bool headers_of_environment(struct otlp_collector *collector, struct error *err)
{
    static const char name[] = "OTEL_EXPORTER_OTLP_HEADERS";
    const char *given = variable("OTEL_EXPORTER_OTLP_METRICS_HEADERS", name);
    char *text = given && *given ? strdup(given) : NULL;
    bool good = true;

    if (!text)
        return true;
    for (char *at = text, *equal; (equal = strchr(at, '=')) != NULL; at = equal + strcspn(equal, ","))
        *equal = ':';
    good = otlp_headers_take(collector, text, ",", name, err);
    for (char **header = collector->headers; good && *header; header++)
        good = (otlp_unescape(*header) && !strpbrk(*header, "\r\n")) ||
               error_set(err, ERROR_USAGE, "%s is not a list of headers", name);
    secret_forget(text);
    return good;
}

/* Without --otlp the others are of no use: a forgotten option shall not pass unseen. */
static bool check_alone(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const others[] = { &option_otlp_headers, &option_otlp_ca_file,
                                                        &option_otlp_certificate, &option_otlp_key };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (settings_origin(settings, others[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s needs --otlp", others[i]->name);
            return error_fix(err, "add --otlp http://localhost:4318, or the collector's own address");
        }
    return true;
}

/* Before a job is run for hours, and not after it. */
static bool check_way(const struct otlp_collector *collector, struct error *err)
{
    char host[HTTP_HOST_SIZE];

    if (!collector->headers || collector->plain_key || http_is_tls(collector->url) ||
        !http_url_host(collector->url, host, err) || http_is_loopback(host))
        return true;
    error_set(err, ERROR_USAGE, "no header is sent to %s without TLS", host);
    error_why(err, "over http:// anybody on the way can read it");
    return error_fix(err, "give an address with https://, or --otlp-insecure where the network is your own");
}

static char *address_of_environment(struct error *err)
{
    const char *whole = getenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
    const char *given = whole && *whole ? whole : getenv("OTEL_EXPORTER_OTLP_ENDPOINT");

    if (!given || !*given) {
        error_set(err, ERROR_USAGE, "--otlp env: OTEL_EXPORTER_OTLP_ENDPOINT is not set");
        error_fix(err, "set it, or give the address: --otlp http://localhost:4318");
        return NULL;
    }
    return given == whole ? otlp_whole_url(given, err) : otlp_url(given, err);
}

bool otlp_options_read(const struct settings *settings, struct otlp_collector *collector, struct error *err)
{
    const char *given = settings_text(settings, &option_otlp), *file = settings_text(settings, &option_otlp_headers);
    const bool environment = given && strcmp(given, by_environment) == 0;
    /* libcurl does not say which of its files cannot be read */
    static const struct option_spec *const files[] = { &option_otlp_ca_file, &option_otlp_certificate, &option_otlp_key,
                                                       NULL };

    *collector = (struct otlp_collector){ .url = NULL };
    if (!given)
        return check_alone(settings, err);
    *collector = (struct otlp_collector){
        .ca_file = settings_text(settings, &option_otlp_ca_file),
        .certificate = settings_text(settings, &option_otlp_certificate),
        .certificate_key = settings_text(settings, &option_otlp_key),
        .plain_key = settings_flag(settings, &option_otlp_insecure),
        .timeout_ns = (uint64_t)(settings_number(settings, &option_otlp_timeout) * NS_PER_S),
        .url = environment ? address_of_environment(err) : otlp_url(given, err),
    };
    return collector->url && settings_check_readable(settings, files, err) &&
           (file          ? headers_of_file(file, collector, err)
            : environment ? headers_of_environment(collector, err)
                          : true) &&
           check_way(collector, err);
}

void otlp_options_resource(struct otlp_resource *resource, const struct root *root, const char *instance_id,
                           struct notices *notices)
{
    struct error problem;

    otlp_resource_find(resource, root);
    otlp_resource_set(resource, "service.instance.id", instance_id);
    if (!otlp_resource_environment(resource, &problem))
        notice_add_error(notices, NOTICE_FAILED, &problem);
}
