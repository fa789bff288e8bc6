/* SPDX-License-Identifier: MIT
 * Lists of nodes as Slurm writes them: "login1,n[001-004,7]". */
#ifndef COMMANDS_SLURM_NODE_LIST_H
#define COMMANDS_SLURM_NODE_LIST_H

#include <stdbool.h>

/* Whether they have a node in common. Lists that cannot be understood have, to be safe. */
bool node_lists_meet(const char *a, const char *b);

#endif
