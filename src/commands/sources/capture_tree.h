/* SPDX-License-Identifier: MIT
 * A machine recorded as a tree of files: everything that carbon reads of /sys and /proc, without the names of the
 * machine and its users. Used by capture_scrub.c and cmd_record.c. Begin with record_copy(). */
#ifndef COMMANDS_SOURCES_CAPTURE_TREE_H
#define COMMANDS_SOURCES_CAPTURE_TREE_H

#include "base/sysroot.h"

#include <stdio.h>

/* Files of one kind, for the summary. */
struct record_group {
    const char *name; /* "powercap zones" */
    size_t files;
};

/* A file whose mode or read error matters: one line of modes.tsv. */
struct record_problem {
    char path[256];
    unsigned mode;
    bool root_user, root_group; /* owned by root; other owners are not recorded */
    int error;                  /* errno of the reading; 0: it was read, but an ordinary user may not read it */
};

struct record {
    const struct root *root;
    int fd; /* the directory written to */
    struct record_group *groups;
    size_t group_count;
    struct record_problem *problems;
    size_t problem_count;
    size_t unreadable; /* problems with an error */
};

/* Copies all needed files from record->root into record->fd. A missing or unreadable file is not a failure. */
bool record_copy(struct record *record, struct error *err) MUST_CHECK;

/* Frees the lists; the directory stays open. */
void record_close(struct record *record);

/* Writes one file of the tree; creates its folders. */
bool record_write(const struct record *record, const char *path, const char *content, size_t length,
                  struct error *err) MUST_CHECK;

/* record_scrub.c: removes names from a line (given without its line end). */
typedef void record_filter(char *line, FILE *out);
record_filter scrub_cpuinfo, scrub_stat, scrub_meminfo, scrub_osrelease, scrub_cgroup, scrub_mountinfo, scrub_all;

#endif
