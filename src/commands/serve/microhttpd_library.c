/* SPDX-License-Identifier: MIT
 * The functions of libmicrohttpd that are used. */
#include "commands/serve/microhttpd_library.h"

#include "base/library.h"

bool microhttpd_open(struct microhttpd *library, struct error *err)
{
    static const char *const files[] = { "libmicrohttpd.so.12", "libmicrohttpd.so", NULL };
    const struct library_function wanted[] = {
        { "MHD_start_daemon", &library->start },
        { "MHD_quiesce_daemon", &library->quiesce },
        { "MHD_stop_daemon", &library->stop },
        { "MHD_run", &library->run },
        { "MHD_get_timeout", &library->timeout },
        { "MHD_get_daemon_info", &library->daemon_info },
        { "MHD_get_connection_info", &library->connection_info },
        { "MHD_is_feature_supported", &library->has_feature },
        { "MHD_lookup_connection_value", &library->header },
        { "MHD_create_response_from_buffer", &library->response },
        { "MHD_add_response_header", &library->add_header },
        { "MHD_queue_response", &library->queue },
        { "MHD_destroy_response", &library->destroy },
    };

    if (library_open(files, wanted, sizeof wanted / sizeof wanted[0]) == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "no requests can be answered");
    error_why(err, "libmicrohttpd.so.12 is not there");
    return error_fix(err, "install it (Debian: libmicrohttpd12)");
}
