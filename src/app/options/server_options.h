/* SPDX-License-Identifier: MIT
 * The options by which a server of Prometheus is asked, for the lists of commands; prometheus_server.h reads them. Used
 * by app/prometheus_server.h and commands/report/fleet_options.h. Begin with option_scrape_timeout. */
#ifndef APP_OPTIONS_SERVER_OPTIONS_H
#define APP_OPTIONS_SERVER_OPTIONS_H

#include "app/options/options.h"

extern const struct option_spec option_prometheus_url, option_bearer_file, option_user, option_password_file,
    option_ca_file, option_client_certificate, option_client_key, option_insecure_http, option_scrape_timeout;
extern const struct option_spec option_window_from, option_window_to; /* and option_scrape_for */

/* Who asks, and how the server shows who it is. */
#define SERVER_OPTIONS                                                                                                 \
    &option_bearer_file, &option_user, &option_password_file, &option_ca_file, &option_client_certificate,             \
        &option_client_key, &option_insecure_http

#endif
