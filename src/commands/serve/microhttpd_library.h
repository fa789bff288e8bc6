/* SPDX-License-Identifier: MIT
 * GNU libmicrohttpd, opened when the exporter starts; for http_server.c alone. */
#ifndef COMMANDS_SERVE_MICROHTTPD_LIBRARY_H
#define COMMANDS_SERVE_MICROHTTPD_LIBRARY_H

#include "base/error.h"
#include "base/library.h"

#include <microhttpd.h>

#define MICROHTTPD_FUNCTIONS(FUNCTION)                                                                                 \
    FUNCTION(start, MHD_start_daemon)                                                                                  \
    FUNCTION(quiesce, MHD_quiesce_daemon)                                                                              \
    FUNCTION(stop, MHD_stop_daemon)                                                                                    \
    FUNCTION(run, MHD_run)                                                                                             \
    FUNCTION(timeout, MHD_get_timeout)                                                                                 \
    FUNCTION(daemon_info, MHD_get_daemon_info)                                                                         \
    FUNCTION(connection_info, MHD_get_connection_info)                                                                 \
    FUNCTION(has_feature, MHD_is_feature_supported)                                                                    \
    FUNCTION(header, MHD_lookup_connection_value)                                                                      \
    FUNCTION(login, MHD_basic_auth_get_username_password)                                                              \
    FUNCTION(free, MHD_free)                                                                                           \
    FUNCTION(response, MHD_create_response_from_buffer)                                                                \
    FUNCTION(add_header, MHD_add_response_header)                                                                      \
    FUNCTION(queue, MHD_queue_response)                                                                                \
    FUNCTION(destroy, MHD_destroy_response)

struct microhttpd {
    MICROHTTPD_FUNCTIONS(LIBRARY_MEMBER)
};

bool microhttpd_open(struct microhttpd *library, struct error *err) MUST_CHECK;

#endif
