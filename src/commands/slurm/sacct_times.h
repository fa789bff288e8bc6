/* SPDX-License-Identifier: MIT
 * Times as SLURM_TIME_FORMAT had sacct print them: of a list in any form of strftime that reads all of them and is the
 * only one that does, or relative to the day on which sacct was asked. Used by slurm_work.h. Begin with
 * sacct_times_read(). */
#ifndef COMMANDS_SLURM_SACCT_TIMES_H
#define COMMANDS_SLURM_SACCT_TIMES_H

#include "commands/slurm/sacct.h"

#include <time.h>

enum { SACCT_FORM_SIZE = 64 };

struct sacct_times {
    char form[SACCT_FORM_SIZE]; /* of strftime, in which they were read, "relative"; "": none was needed or found */
    char why[256];              /* some cannot be read: why; "" */
    char fix[128];
};

/* Fills in start_s and end_s where sacct_parse could not. asked: its day; NULL: not known. False: no memory. */
bool sacct_times_read(struct sacct_list *list, const struct tm *asked, struct sacct_times *times,
                      struct error *err) MUST_CHECK;

#endif
