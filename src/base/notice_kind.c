/* SPDX-License-Identifier: MIT
 * Names of the kinds of notices. */
#include "base/notice_kind.h"

#include <string.h>

static const char *const names[NOTICE_KIND_COUNT] = {
    [NOTICE_NONE] = "",
    [NOTICE_MIRROR] = "mirror",
    [NOTICE_PART_ABOVE_WHOLE] = "part-above-whole",
    [NOTICE_SOCKETS_DIFFER] = "sockets-differ",
    [NOTICE_METERS_DIFFER] = "meters-differ",
    [NOTICE_DENIED] = "denied",
    [NOTICE_MASKED] = "masked",
    [NOTICE_NO_COUNTER] = "no-counter",
    [NOTICE_KERNEL_TOO_OLD] = "kernel-too-old",
    [NOTICE_NOT_MOVING] = "not-moving",
    [NOTICE_FROZEN] = "frozen",
    [NOTICE_ERROR_VALUE] = "error-value",
    [NOTICE_ZERO_POWER] = "zero-power",
    [NOTICE_IMPLAUSIBLE] = "implausible",
    [NOTICE_GAPS] = "gaps",
    [NOTICE_RESET] = "reset",
    [NOTICE_SUSPEND] = "suspend",
    [NOTICE_VANISHED] = "vanished",
    [NOTICE_WRAP_UNKNOWN] = "wrap-unknown",
    [NOTICE_SAMPLED] = "sampled",
    [NOTICE_COARSE] = "coarse",
    [NOTICE_STALE] = "stale",
    [NOTICE_NO_MEMORY] = "no-memory",
    [NOTICE_VIRTUAL_MACHINE] = "virtual-machine",
    [NOTICE_UNTRUSTED_GUEST] = "untrusted-guest",
    [NOTICE_SCOPE] = "scope",
    [NOTICE_MODELLED] = "modelled",
    [NOTICE_PROFILE] = "profile",
    [NOTICE_RECORDED] = "recorded",
    [NOTICE_INTRUSIVE] = "intrusive",
    [NOTICE_LEFT_OUT] = "left-out",
    [NOTICE_SHARED] = "shared",
    [NOTICE_DUPLICATE] = "duplicate",
    [NOTICE_USAGE] = "usage",
    [NOTICE_OUT_OF_MEMORY] = "out-of-memory",
    [NOTICE_BUSY_BASELINE] = "busy-baseline",
    [NOTICE_NO_BASELINE] = "no-baseline",
    [NOTICE_DRIFT] = "drift",
    [NOTICE_OUTLIER] = "outlier",
    [NOTICE_NOISE] = "noise",
    [NOTICE_BELOW_RESOLUTION] = "below-resolution",
    [NOTICE_STAND_IN] = "stand-in",
    [NOTICE_ASSUMED] = "assumed",
    [NOTICE_BASIS] = "basis",
    [NOTICE_UNIT] = "unit",
    [NOTICE_MIXED] = "mixed",
    [NOTICE_INCONSISTENT] = "inconsistent",
    [NOTICE_UNFINISHED] = "unfinished",
    [NOTICE_UNKNOWN] = "unknown",
    [NOTICE_TOO_MANY] = "too-many",
    [NOTICE_NOT_UNDERSTOOD] = "not-understood",
    [NOTICE_FAILED] = "failed",
    [NOTICE_EXPOSED] = "exposed",
    [NOTICE_LEDGER] = "ledger",
};

const char *notice_kind_name(enum notice_kind kind)
{
    return names[kind];
}

enum notice_kind notice_kind_of(const char *name)
{
    for (enum notice_kind kind = NOTICE_NONE + 1; kind < NOTICE_KIND_COUNT; kind++)
        if (strcmp(names[kind], name) == 0)
            return kind;
    return NOTICE_NONE;
}
