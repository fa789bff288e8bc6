/* SPDX-License-Identifier: MIT
 * Fields of sacct's output. Unknown is NAN or negative. Used throughout commands/slurm. Begin with sacct_duration(). */
#ifndef COMMANDS_SLURM_SACCT_FIELDS_H
#define COMMANDS_SLURM_SACCT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

/* "1-02:03:04", "02:03.500": [[days-]hours:]minutes:seconds. */
double sacct_duration(const char *text);

/* "193", "4.58M" (of 1000), in joules. 0, Slurm's codes for "no value" and "infinite", of 32 and 64 bits, and texts
 * that are not numbers are unknown. */
double sacct_energy(const char *text);

/* "146132K", "1.50G"; without a letter bytes. */
double sacct_bytes(const char *text);

/* The value of one name in "billing=4,cpu=4,mem=7500M,gres/gpu=2,gres/gpu:a100=2"; size: in bytes if it has a unit
 * letter. */
double sacct_tres(const char *list, const char *name);

/* Seconds since 1970, or local time "2026-11-28T20:00:00" or "2026-11-28 20:00:00"; -1: "Unknown", "None" or no such
 * time. */
int64_t sacct_time(const char *text);
/* The field says that there is no time, in contrast to an unreadable time. */
bool sacct_says_no_time(const char *text);

#endif
