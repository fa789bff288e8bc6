/* SPDX-License-Identifier: MIT
 * The options by which metrics are pushed to a collector of OpenTelemetry. Used in commands/measure and commands/serve.
 * Begin with otlp_options_read(). */
#ifndef APP_OPTIONS_OTLP_OPTIONS_H
#define APP_OPTIONS_OTLP_OPTIONS_H

#include "app/options/options.h"
#include "base/notice.h"
#include "otlp/otlp_push.h"

extern const struct option_spec option_otlp, option_otlp_headers, option_otlp_ca_file, option_otlp_certificate,
    option_otlp_key, option_otlp_insecure, option_otlp_timeout;

#define OTLP_OPTIONS                                                                                                   \
    &option_otlp, &option_otlp_headers, &option_otlp_ca_file, &option_otlp_certificate, &option_otlp_key,              \
        &option_otlp_insecure, &option_otlp_timeout

/* The collector that the command line names; url NULL: none, and nothing is pushed. Rights beyond the user's have been
 * given up. otlp_collector_close in any case. */
bool otlp_options_read(const struct settings *settings, struct otlp_collector *collector, struct error *err) MUST_CHECK;

/* The resource. A list of attributes in the environment that cannot be read is a notice. */
void otlp_options_resource(struct otlp_resource *resource, const struct root *root, const char *instance_id,
                           struct notices *notices);

#endif
