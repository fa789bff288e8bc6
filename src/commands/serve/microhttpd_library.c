/* SPDX-License-Identifier: MIT
 * The functions of libmicrohttpd that are used. */
#include "commands/serve/microhttpd_library.h"

bool microhttpd_open(struct microhttpd *library, struct error *err)
{
    static const char *const files[] = { "libmicrohttpd.so.12", "libmicrohttpd.so", NULL };
    const struct library_function wanted[] = { MICROHTTPD_FUNCTIONS(LIBRARY_WANTED) };

    if (library_open(files, wanted, sizeof wanted / sizeof wanted[0]) == LIBRARY_READY)
        return true;
    error_set(err, ERROR_ABSENT, "no requests can be answered");
    error_why(err, "libmicrohttpd.so.12 is not there");
    return error_fix(err, "install it (Debian: libmicrohttpd12)");
}
