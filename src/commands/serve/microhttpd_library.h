/* SPDX-License-Identifier: MIT
 * GNU libmicrohttpd, opened when the exporter starts; for http_server.c alone. */
#ifndef COMMANDS_SERVE_MICROHTTPD_LIBRARY_H
#define COMMANDS_SERVE_MICROHTTPD_LIBRARY_H

#include "base/error.h"

#include <microhttpd.h>

struct microhttpd {
    __typeof__(MHD_start_daemon) *start;
    __typeof__(MHD_quiesce_daemon) *quiesce;
    __typeof__(MHD_stop_daemon) *stop;
    __typeof__(MHD_run) *run;
    __typeof__(MHD_get_timeout) *timeout;
    __typeof__(MHD_get_daemon_info) *daemon_info;
    __typeof__(MHD_get_connection_info) *connection_info;
    __typeof__(MHD_is_feature_supported) *has_feature;
    __typeof__(MHD_lookup_connection_value) *header;
    __typeof__(MHD_create_response_from_buffer) *response;
    __typeof__(MHD_add_response_header) *add_header;
    __typeof__(MHD_queue_response) *queue;
    __typeof__(MHD_destroy_response) *destroy;
};

bool microhttpd_open(struct microhttpd *library, struct error *err) MUST_CHECK;

#endif
