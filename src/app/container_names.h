/* SPDX-License-Identifier: MIT
 * The names of containers: a separate process queries the engines. Used in commands/serve and
 * commands/top. Begin with container_names_open(). */
#ifndef APP_CONTAINER_NAMES_H
#define APP_CONTAINER_NAMES_H

#include "run/side_process.h"

struct container_names {
    struct side_process process; /* what its fd carries: see groups/group_titles.h; -1: no engine is asked */
    void (*confine)(void);
};

/* Started once all rights are given up, and before descriptors are open that it is not to have. An engine may take long
 * to answer, or never: carbon does not wait for it. confine: called in that process, to shut off what it does not need;
 * NULL: nothing is. */
bool container_names_open(struct container_names *names, void (*confine)(void), struct error *err) MUST_CHECK;
void container_names_close(struct container_names *names);

#endif
