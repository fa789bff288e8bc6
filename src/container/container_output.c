/* SPDX-License-Identifier: MIT
 * Frames of a container's output. */
#include "container/container_output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

/* Waits until the stream can take a piece; false: it is given up. */
static bool wait_for_room(const struct container_output *output, int fd)
{
    for (;;) {
        struct pollfd fds[] = { { .fd = fd, .events = POLLOUT }, { .fd = output->wake, .events = POLLIN } };

        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return false;
        if (fds[0].revents)
            return true;
        if (fds[1].revents && output->stop(output->context))
            return false;
    }
}

/* In pieces that a pipe which has room takes without making us wait. */
static void write_all(struct container_output *output, const char *bytes, size_t length)
{
    int *fd = &output->fds[output->stream];

    while (length > 0 && *fd >= 0) {
        const size_t piece = length < PIPE_BUF ? length : PIPE_BUF;
        const ssize_t written = wait_for_room(output, *fd) ? write(*fd, bytes, piece) : -2;

        if (written == -1 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (written < 0) {
            output->broken |= written == -1 && errno == EPIPE;
            *fd = -1;
            return;
        }
        bytes += written;
        length -= (size_t)written;
    }
}

static bool read_header(struct container_output *output)
{
    const unsigned char *header = output->header;

    output->header_length = 0;
    output->stream = header[0];
    output->left = (size_t)header[4] << 24 | (size_t)header[5] << 16 | (size_t)header[6] << 8 | header[7];
    return (header[0] == 1 || header[0] == 2) && !header[1] && !header[2] && !header[3];
}

bool container_output_take(struct container_output *output, const char *bytes, size_t length)
{
    while (length > 0) {
        size_t part = 1;

        if (output->left > 0) {
            part = length < output->left ? length : output->left;
            write_all(output, bytes, part);
            output->left -= part;
        } else {
            output->header[output->header_length++] = (unsigned char)*bytes;
            if (output->header_length == OUTPUT_HEADER && !read_header(output))
                return false;
        }
        bytes += part;
        length -= part;
    }
    return true;
}
