/* SPDX-License-Identifier: MIT
 * Objects of a record, for the code that writes and reads them: their tables are in window_fields.h and
 * record_fields.h. Used by report.h and window_fields.h. Begin with struct hole_fields. */
#ifndef RESULT_RECORD_PARTS_H
#define RESULT_RECORD_PARTS_H

#include <stddef.h>

/* What is not known of a window or a phase, of one domain. */
struct hole_fields {
    size_t domain;
    double unknown_s;
    int reason; /* enum hole, not HOLE_NONE */
};

/* What the processes of a run used of one graphics card. */
struct gpu_fields {
    size_t domain;
    int users;                    /* enum gpu_attribution */
    double own_j, used_j, lost_j; /* NAN unless known */
};

/* The machine profile from which modelled domains were calculated. */
struct profile_fields {
    char id[20], made_at[32], how[8], meter[128]; /* id "": none */
    size_t cpus, host_cpus;
};

#endif
