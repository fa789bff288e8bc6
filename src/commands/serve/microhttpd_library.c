/* SPDX-License-Identifier: MIT
 * The functions of libmicrohttpd that are used. */
#include "commands/serve/microhttpd_library.h"

bool microhttpd_open(struct microhttpd *library, struct error *err)
{
    static const char *const files[] = { "libmicrohttpd.so.12", "libmicrohttpd.so", NULL };
    const struct library_function wanted[] = { MICROHTTPD_FUNCTIONS(LIBRARY_WANTED) };

    return library_need(files, wanted, sizeof wanted / sizeof wanted[0], "no requests can be answered",
                        "install it (Debian: libmicrohttpd12)", err);
}
