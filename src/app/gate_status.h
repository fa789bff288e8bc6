/* SPDX-License-Identifier: MIT
 * The exit status of a gate or a budget, the same in every command. Used in 3 commands. Begin with gate_status(). */
#ifndef APP_GATE_STATUS_H
#define APP_GATE_STATUS_H

#include "app/terminal.h"
#include "gate/gate.h"

/* 0, STATUS_WORSE or STATUS_UNDECIDED. A command that failed has its own status instead. */
static inline int gate_status(enum gate_verdict verdict)
{
    return verdict == GATE_PASSED ? 0 : verdict == GATE_FAILED ? STATUS_WORSE : STATUS_UNDECIDED;
}

#endif
