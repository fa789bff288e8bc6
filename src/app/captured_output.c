/* SPDX-License-Identifier: MIT
 * The last lines of a command's output. */
#include "app/captured_output.h"

#include "app/terminal.h"

#include <unistd.h>

enum { TAIL_LINES = 10, TAIL_BYTES = 4096 };

void print_captured_output(int fd, const char *name, const char *path)
{
    char tail[TAIL_BYTES + 1];
    const off_t length = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    const off_t start = length > TAIL_BYTES ? length - TAIL_BYTES : 0;
    const ssize_t got = length > 0 ? pread(fd, tail, TAIL_BYTES, start) : 0;
    size_t from, lines = 0;
    int ended;

    if (got <= 0)
        return;
    tail[got] = '\0';
    ended = tail[got - 1] == '\n';
    for (from = (size_t)got - (size_t)ended; from > 0; from--)
        if (tail[from - 1] == '\n' && ++lines == TAIL_LINES)
            break;
    terminal_say("--- end of the output of '%s'%s%s:\n%s%s---\n", name, path ? ", all in " : "", path ? path : "",
                 tail + from, ended ? "" : "\n");
}
