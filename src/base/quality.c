/* SPDX-License-Identifier: MIT
 * Names of qualities. */
#include "base/quality.h"

#include <string.h>

const char *quality_name(enum quality quality)
{
    switch (quality) {
    case QUALITY_UNKNOWN: return "unknown";
    case QUALITY_MEASURED: return "measured";
    case QUALITY_VIRTUAL: return "virtual";
    case QUALITY_ATTRIBUTED: return "attributed";
    case QUALITY_MODELLED: return "modelled";
    case QUALITY_GIVEN: return "given";
    case QUALITY_DEFAULT: return "default";
    }
    return "unknown";
}

enum quality quality_of(const char *name)
{
    for (enum quality quality = QUALITY_UNKNOWN; quality <= QUALITY_DEFAULT; quality++)
        if (strcmp(quality_name(quality), name) == 0)
            return quality;
    return QUALITY_UNKNOWN;
}
