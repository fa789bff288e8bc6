/* SPDX-License-Identifier: MIT
 * The machines' counted times in a sum, and their nodes in Slurm: Slurm's energy of a job counts for
 * the time in which none of its nodes was measured. contribution_once.c holds a measured record against those of its
 * machine, contribution_reported.c Slurm's energies against the nodes. Used in commands/history, commands/report and
 * ledger. Begin with counted_machines_forget(). */
#ifndef LEDGER_COUNTED_MACHINES_H
#define LEDGER_COUNTED_MACHINES_H

#include "base/counted_time.h"

/* One name of a node of one cluster. It is another machine after each start. */
struct counted_node {
    char *cluster, *name; /* "": it is not known which */
    size_t *machines;     /* indices of times.items */
    size_t machine_count;
    struct counted_time reported; /* by Slurm, of the whole node */
};

struct counted_job {
    int64_t number;
    struct counted_node *node; /* on which a record was measured within it */
};

/* Zeroed: nothing. */
struct counted_machines {
    struct counted_times times;
    /* Slurm's energies follow after all others: nothing is dropped until then, and nodes are known. Set before the
     * first account. */
    bool with_reported;
    struct counted_node **nodes; /* by their names */
    size_t node_count, node_room;
    struct counted_job *jobs; /* by their numbers, once sorted */
    size_t job_count, job_room;
    bool sorted;
};

/* No later record begins before this time, except Slurm's. */
void counted_machines_forget(struct counted_machines *machines, uint64_t before_ns);
void counted_machines_close(struct counted_machines *machines);

struct contribution;
struct contribution_once;

/* contribution_reported.c: that the account's node and job were on this one of the machines; false: no memory. */
bool contribution_note_node(struct counted_machines *machines, const struct contribution *contribution,
                            size_t machine) MUST_CHECK;
/* The remainder of an energy of Slurm, which is noted; false: no memory. */
bool contribution_left_of_reported(struct counted_machines *machines, const struct contribution *contribution,
                                   struct contribution_once *once) MUST_CHECK;

/* contribution_pieces.c: a span with its energy, from a text of contribution_times; false: there is none, or it is
 * damaged.
 */
struct contribution_piece {
    struct time_span span;
    double gross_j;
};
bool contribution_next_piece(const char **text, struct contribution_piece *piece);

/* All pieces of a text are taken, with the parts that were new; closed in the end in any case. False: no memory. */
struct contribution_pieces {
    struct time_span *spans;
    double *energies_j, *shares;
    size_t count;
};
bool contribution_pieces_take(struct counted_time *time, const char *text,
                              struct contribution_pieces *pieces) MUST_CHECK;
void contribution_pieces_close(struct contribution_pieces *pieces);

/* What was left as a text is laid out; false: no memory. */
bool contribution_lay_out(struct counted_time *time) MUST_CHECK;

#endif
