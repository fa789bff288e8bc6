/* SPDX-License-Identifier: MIT
 * Slurm's accounting of jobs and their steps, in the format of `sacct --parsable2 --noconvert`. Used by job_energy.h
 * and sacct_times.h. Begin with sacct_parse(). */
#ifndef COMMANDS_SLURM_SACCT_H
#define COMMANDS_SLURM_SACCT_H

#include "base/error.h"
#include "io/line_faults.h"

#include <stddef.h>
#include <stdint.h>

/* The requested fields, in this order: the name is last, because it may contain the delimiter. */
#define SACCT_FORMAT                                                                                                   \
    "JobID,JobIDRaw,State,ExitCode,Submit,Start,End,ElapsedRaw,NNodes,NodeList,NCPUS,TotalCPU,MaxRSS,AllocTRES,"       \
    "ConsumedEnergyRaw,TRESUsageInTot,Partition,Account,Cluster,JobName"

/* Texts are stored in the list. Unknown is "", NAN and -1. */
struct sacct_row {
    const char *id;    /* "123", "123_4.batch" */
    const char *raw;   /* the same, with the job ID of an array task instead of its index */
    const char *step;  /* "batch", "extern", "0"; "" of a job */
    const char *state; /* "COMPLETED", "CANCELLED by 1000" */
    const char *exit_code, *submit, *node_list, *tres, *partition, *account, *cluster, *name;
    const char *start_said, *end_said; /* texts of the fields */
    int64_t start_s, end_s;            /* since 1970 */
    double elapsed_s, nodes, cpus, cpu_s, memory_peak_bytes;
    double energy_j;         /* energy of whole nodes */
    const char *energy_said; /* text of the field */
};

struct sacct_list {
    char *text;
    struct sacct_row *rows;
    size_t count, room;
    struct line_faults faults; /* lines that are not rows, skipped */
};

/* Times whose format depends on the whole list are read by sacct_times.h. Takes the text over; path is for messages.
 * Skips lines before the header, sacct's own messages and repeated headers; a truncated or shifted row is skipped and
 * noted. ERROR_BAD_DATA if a required column is missing, or no row is valid. */
bool sacct_parse(char *text, const char *path, struct sacct_list *list, struct error *err) MUST_CHECK;
void sacct_close(struct sacct_list *list);

bool sacct_is_job(const struct sacct_row *row);
/* Its state is that word ("RUNNING"), with any suffix. */
bool sacct_is(const struct sacct_row *row, const char *state);

#endif
