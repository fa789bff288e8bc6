/* SPDX-License-Identifier: MIT
 * Meters that the user has named in the configuration: the value and coverage of each, and how it is read. Used
 * by outside/outside.h. Begin with named_meter_doubts(). */
#ifndef ENERGY_NAMED_METER_H
#define ENERGY_NAMED_METER_H

#include "energy/energy.h"
#include "energy/poller.h"

enum { NAMED_METERS_MAX = 32 };

/* For one answer. */
#define NAMED_METER_PATIENCE_NS UINT64_C(5000000000)

struct named_meter {
    char name[40]; /* "wall"; its domain is called "machine-wall" */
    enum component covers;
    bool part;    /* one of several that are added */
    bool counts;  /* it reports an increasing energy; otherwise a power */
    double micro; /* µJ or µW in its unit */
    char unit[8];
    char how[160]; /* how it is asked, without anything that is secret: "file /run/energy", "http://10.0.0.7" */
    struct poller_question question;
};

struct named_meters {
    const struct named_meter *items[NAMED_METERS_MAX];
    size_t count;
};

/* Whether a meter of this kind can say so: returns 0, or ERANGE where it is below 0, more than can be true, or the
 * power of a whole machine, which runs, and 0. Pure. */
int named_meter_doubts(const struct named_meter *meter, double value);

#endif
