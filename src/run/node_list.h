/* SPDX-License-Identifier: MIT
 * Lists of nodes as Slurm writes them: "login1,n[001-004,7]". Used by commands/slurm/job_energy.c,
 * commands/slurm/slurm_share.c and ledger/contribution_reported.c. Begin with node_list_each(). */
#ifndef RUN_NODE_LIST_H
#define RUN_NODE_LIST_H

#include <stdbool.h>

/* Calls for each name; false: one of the calls said so, or the list is none of this form. */
typedef bool on_node_function(void *context, const char *name);
bool node_list_each(const char *list, on_node_function *each, void *context);

/* Whether they have a node in common. Lists that cannot be understood have, to be safe. */
bool node_lists_meet(const char *a, const char *b);

#endif
