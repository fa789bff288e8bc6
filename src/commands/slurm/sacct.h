/* SPDX-License-Identifier: MIT
 * What Slurm's accounting holds of jobs and their steps, as `sacct --parsable2 --noconvert` prints it. Used by
 * job_energy.h and sacct_times.h. Begin with sacct_parse(). */
#ifndef COMMANDS_SLURM_SACCT_H
#define COMMANDS_SLURM_SACCT_H

#include "base/error.h"
#include "io/line_faults.h"

#include <stddef.h>
#include <stdint.h>

/* What is asked of sacct, in this order: the name is last, for it may hold the delimiter. */
#define SACCT_FORMAT                                                                                                   \
    "JobID,JobIDRaw,State,ExitCode,Submit,Start,End,ElapsedRaw,NNodes,NodeList,NCPUS,TotalCPU,MaxRSS,AllocTRES,"       \
    "ConsumedEnergyRaw,TRESUsageInTot,Partition,Account,Cluster,JobName"

/* Texts lie in the list. Unknown is "", NAN and -1. */
struct sacct_row {
    const char *id;    /* "123", "123_4.batch" */
    const char *raw;   /* the same, with the number of an array's part in place of its place */
    const char *step;  /* "batch", "extern", "0"; "" of a job */
    const char *state; /* "COMPLETED", "CANCELLED by 1000" */
    const char *exit_code, *submit, *node_list, *tres, *partition, *account, *cluster, *name;
    const char *start_said, *end_said; /* what the fields say */
    int64_t start_s, end_s;            /* since 1970 */
    double elapsed_s, nodes, cpus, cpu_s, memory_peak_bytes;
    double energy_j;         /* energy of whole nodes */
    const char *energy_said; /* what the field says */
};

struct sacct_list {
    char *text;
    struct sacct_row *rows;
    size_t count, room;
    struct line_faults faults; /* lines that are no rows, and are left out */
};

/* Times in forms that are the list's are left to sacct_times.h. Takes the text, which is freed in the end; path is for
 * messages. Lines before the header, those of sacct's own messages and the header once more are left out; so is a row
 * that is torn or shifted, which is noted. ERROR_BAD_DATA where a column is missing that is needed, or no row can be
 * read. */
bool sacct_parse(char *text, const char *path, struct sacct_list *list, struct error *err) MUST_CHECK;
void sacct_close(struct sacct_list *list);

bool sacct_is_job(const struct sacct_row *row);
/* Its state is that word ("RUNNING"), whatever follows. */
bool sacct_is(const struct sacct_row *row, const char *state);

#endif
