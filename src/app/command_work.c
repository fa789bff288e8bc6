/* SPDX-License-Identifier: MIT
 * What one call of a command works with. */
#include "app/command_work.h"

#include "app/terminal.h"

#include <stdlib.h>

int command_cannot_start(void)
{
    struct error err;

    error_errno(&err, "cannot start");
    return terminal_fail(&err, STATUS_CARBON_FAILED);
}

int command_run_with(size_t size, const struct command_line *line,
                     int (*run)(void *context, const struct command_line *line), void (*close)(void *context))
{
    void *work = calloc(1, size);
    int status;

    if (!work)
        return command_cannot_start();
    status = run(work, line);
    close(work);
    free(work);
    return status;
}
