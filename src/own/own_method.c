/* SPDX-License-Identifier: MIT
 * The names of the methods. */
#include "own/own_method.h"

#include <string.h>

static const char *const names[OWN_METHODS] = {
    [OWN_UNKNOWN] = "unknown", [OWN_NET] = "net",           [OWN_PROFILE] = "profile",
    [OWN_SHARE] = "share",     [OWN_CPU_TIME] = "cpu-time",
};

const char *own_method_name(enum own_method method)
{
    return names[method];
}

enum own_method own_method_of(const char *name)
{
    for (enum own_method method = OWN_NET; method < OWN_METHODS; method++)
        if (strcmp(names[method], name) == 0)
            return method;
    return OWN_UNKNOWN;
}

enum own_method own_method_worst(enum own_method a, enum own_method b)
{
    if (a == OWN_UNKNOWN || b == OWN_UNKNOWN)
        return OWN_UNKNOWN;
    return a > b ? a : b;
}
