/* SPDX-License-Identifier: MIT
 * A child that reads a file, and a parent that waits for it with patience of its own. */
#include "profile/object_lines.h"

#include "base/clock.h"
#include "base/units.h"
#include "profile/elf_symbols.h"
#include "profile/reader_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The debug information of the largest programs takes some seconds. */
enum { PATIENCE_S = 60, LINE_BYTES_MAX = 4096 };

static _Noreturn void read_and_write(int to, int fd, const char *path, const uint64_t *offsets, size_t count,
                                     bool debuginfod)
{
    FILE *out = fdopen(to, "w");

    reader_process_limit(PATIENCE_S);
    if (!out)
        _exit(1);
    elf_symbols_write(fd, path, offsets, count, debuginfod, out);
    _exit(fflush(out) == 0 ? 0 : 1);
}

/* All that comes until the end; NULL: too late, too much or no memory. */
static char *read_all(int from, size_t max)
{
    const uint64_t until_ns = clock_monotonic_ns() + (uint64_t)PATIENCE_S * NS_PER_S_INT;
    size_t size = 65536, length = 0;
    char *text = malloc(size);

    while (text) {
        struct pollfd poller = { .fd = from, .events = POLLIN };
        const uint64_t now_ns = clock_monotonic_ns();
        ssize_t got;

        if (now_ns >= until_ns || length > max)
            break;
        if (poll(&poller, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1) <= 0)
            continue;
        if (length + 1 == size) {
            char *larger = realloc(text, size *= 2);
            if (!larger)
                break;
            text = larger;
        }
        got = read(from, text + length, size - 1 - length);
        if (got < 0 && errno != EINTR)
            break;
        if (got == 0) {
            text[length] = '\0';
            return text;
        }
        length += got > 0 ? (size_t)got : 0;
    }
    free(text);
    return NULL;
}

char *object_lines(int fd, const char *path, const uint64_t *offsets, size_t count, bool debuginfod)
{
    int ends[2], status = 0;
    char *text;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return NULL;
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        read_and_write(ends[1], fd, path, offsets, count, debuginfod);
    }
    close(ends[1]);
    text = pid > 0 ? read_all(ends[0], count * LINE_BYTES_MAX) : NULL;
    close(ends[0]);
    if (pid > 0 && !text)
        kill(pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (text && status != 0) {
        free(text);
        return NULL;
    }
    return text;
}
