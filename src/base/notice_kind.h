/* SPDX-License-Identifier: MIT
 * The kind of a notice: a code for programs, which stays the same while the text of a notice may change. Used by
 * error.h. Begin with notice_kind_of(). */
#ifndef BASE_NOTICE_KIND_H
#define BASE_NOTICE_KIND_H

/* A code never changes its meaning; a new one is a line here, one in notice_kind.c and one in the manual. */
enum notice_kind {
    NOTICE_NONE, /* no notice, or one of a record from before there were kinds */

    /* meters: */
    NOTICE_MIRROR,
    NOTICE_PART_ABOVE_WHOLE,
    NOTICE_SOCKETS_DIFFER,
    NOTICE_METERS_DIFFER,
    NOTICE_DENIED,
    NOTICE_MASKED,
    NOTICE_NO_COUNTER,
    NOTICE_KERNEL_TOO_OLD,
    NOTICE_NOT_MOVING,
    NOTICE_FROZEN,
    NOTICE_ERROR_VALUE,
    NOTICE_ZERO_POWER,
    NOTICE_IMPLAUSIBLE,
    NOTICE_GAPS,
    NOTICE_RESET,
    NOTICE_SUSPEND,
    NOTICE_VANISHED,
    NOTICE_WRAP_UNKNOWN,
    NOTICE_SAMPLED,
    NOTICE_COARSE,
    NOTICE_STALE,
    NOTICE_NO_MEMORY,
    NOTICE_VIRTUAL_MACHINE,
    NOTICE_UNTRUSTED_GUEST,
    NOTICE_SCOPE,
    NOTICE_MODELLED,
    NOTICE_PROFILE,
    NOTICE_RECORDED,
    NOTICE_INTRUSIVE,

    /* what was measured: */
    NOTICE_LEFT_OUT,
    NOTICE_SHARED,
    NOTICE_DUPLICATE,
    NOTICE_USAGE,
    NOTICE_OUT_OF_MEMORY,
    NOTICE_BUSY_BASELINE,
    NOTICE_NO_BASELINE,
    NOTICE_DRIFT,
    NOTICE_OUTLIER,
    NOTICE_NOISE,
    NOTICE_BELOW_RESOLUTION,

    /* fallbacks: */
    NOTICE_STAND_IN,
    NOTICE_ASSUMED,
    NOTICE_BASIS,
    NOTICE_UNIT,
    NOTICE_MIXED,
    NOTICE_INCONSISTENT,
    NOTICE_UNFINISHED,
    NOTICE_UNKNOWN,
    NOTICE_TOO_MANY,
    NOTICE_NOT_UNDERSTOOD,

    /* course of the measurement: */
    NOTICE_FAILED,
    NOTICE_EXPOSED,
    NOTICE_LEDGER,

    NOTICE_KIND_COUNT
};

/* "part-above-whole"; "" for NOTICE_NONE. */
const char *notice_kind_name(enum notice_kind kind);
/* NOTICE_NONE for a name that is none, as of a newer record. */
enum notice_kind notice_kind_of(const char *name);

#endif
