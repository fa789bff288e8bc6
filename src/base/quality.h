/* SPDX-License-Identifier: MIT
 * The quality of a figure; every output shows it with the figure. Used in emissions, energy, form, measurement,
 * series and 4 commands. Begin with quality_of(). */
#ifndef BASE_QUALITY_H
#define BASE_QUALITY_H

enum quality {
    QUALITY_UNKNOWN,    /* not known: the figure is null */
    QUALITY_MEASURED,   /* a counter or meter of this machine */
    QUALITY_VIRTUAL,    /* a counter that a hypervisor shows its guest */
    QUALITY_ATTRIBUTED, /* a measured total, divided by a stated rule */
    QUALITY_MODELLED,   /* calculated from CPU time and published power data */
    QUALITY_GIVEN,      /* stated by the user, or by a publisher that is named with it */
    QUALITY_DEFAULT,    /* not set by anyone: a stated assumption */
};

/* "measured", "virtual", ... */
const char *quality_name(enum quality quality);
enum quality quality_of(const char *name); /* QUALITY_UNKNOWN for a name that is none */

#endif
