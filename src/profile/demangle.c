/* SPDX-License-Identifier: MIT
 * __cxa_demangle by dlopen; the only file that knows it. */
#include "profile/demangle.h"

#include "base/library.h"

#include <string.h>

char *demangle(const char *name)
{
    static const char *const files[] = { "libstdc++.so.6", "libc++abi.so.1", NULL };
    char *(*function)(const char *, char *, size_t *, int *);
    const struct library_function functions[] = { { "__cxa_demangle", &function } };
    int status;

    if (strncmp(name, "_Z", 2) != 0 || library_open(files, functions, 1) != LIBRARY_READY)
        return NULL;
    return function(name, NULL, NULL, &status);
}
