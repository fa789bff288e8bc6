/* SPDX-License-Identifier: MIT
 * What a job prints, from pipes. */
#include "run/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* One look takes so much at most, so that a flood does not keep carbon from its meter. */
enum { LOOK_BYTES = 1 << 20, FIRST_SIZE = 1 << 12, READER_PATIENCE_MS = 2000 };

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Both ends above the standard streams, as those of a job must be. */
static bool open_stream(struct capture *capture, int stream, int number)
{
    struct captured *captured = &capture->streams[stream];
    int ends[2], to;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    captured->fd = fcntl(ends[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    to = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(ends[0]);
    close(ends[1]);
    if (to >= 0)
        capture->given[capture->given_count++] = (struct job_descriptor){ .fd = to, .number = number };
    return captured->fd >= 0 && to >= 0 && fcntl(captured->fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Standard error is read where it can be passed on at once, so that a slow reader holds up the job and not carbon. */
static void watch(struct capture *capture)
{
    const struct captured *out = &capture->streams[CAPTURE_OUT];
    const int error_fd = capture->streams[CAPTURE_ERROR].fd;
    struct pollfd reader = { .fd = STDERR_FILENO, .events = POLLOUT };

    capture->watched[CAPTURE_OUT] = (struct pollfd){ .fd = out->over ? -1 : out->fd, .events = POLLIN };
    capture->watched[CAPTURE_ERROR] = error_fd < 0 || poll(&reader, 1, 0) != 0
                                          ? (struct pollfd){ .fd = error_fd, .events = POLLIN }
                                          : (struct pollfd){ .fd = STDERR_FILENO, .events = POLLOUT };
}

bool capture_open(struct capture *capture, struct error *err)
{
    capture_free(capture);
    capture->given_count = 0;
    capture->streams[CAPTURE_OUT].fd = capture->streams[CAPTURE_ERROR].fd = -1;
    if (!open_stream(capture, CAPTURE_OUT, STDOUT_FILENO) ||
        (capture->takes_error && !open_stream(capture, CAPTURE_ERROR, STDERR_FILENO))) {
        error_errno(err, "cannot open a pipe for the command's output");
        capture_close(capture);
        return false;
    }
    watch(capture);
    return true;
}

void capture_started(struct capture *capture)
{
    job_given_close(capture->given, &capture->given_count);
}

/* Room for so many more and a NUL, up to `most`. */
static bool make_room(struct captured *captured, size_t more, size_t max)
{
    size_t size = captured->size ? captured->size : FIRST_SIZE;
    char *bytes;

    while (size < captured->length + more + 1)
        size *= 2;
    if (size > max + FIRST_SIZE)
        size = max + FIRST_SIZE;
    if (size <= captured->size)
        return true;
    bytes = realloc(captured->bytes, size);
    if (!bytes)
        return false;
    captured->bytes = bytes;
    captured->size = size;
    return true;
}

/* Without memory for it there was too much. */
static void store_tail(struct captured *captured, const char *bytes, size_t count, size_t max)
{
    const size_t left = max - captured->length, stored = count < left ? count : left;

    captured->over |= stored < count || !make_room(captured, stored, max);
    if (captured->over && captured->length + stored + 1 > captured->size)
        return;
    memcpy(captured->bytes + captured->length, bytes, stored);
    captured->length += stored;
    captured->bytes[captured->length] = '\0';
}

/* 0: nothing is there, or (the end is closed then) nobody writes any more. */
static size_t read_some(struct captured *captured, char *bytes, size_t max)
{
    ssize_t got;

    do
        got = read(captured->fd, bytes, max);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got < 0 && errno != EAGAIN))
        close_end(&captured->fd);
    return got > 0 ? (size_t)got : 0;
}

static void take_out(struct capture *capture)
{
    struct captured *out = &capture->streams[CAPTURE_OUT];
    char bytes[PIPE_BUF];
    size_t got = 1;

    for (size_t total = 0; got && !out->over && out->fd >= 0 && total < LOOK_BYTES; total += got) {
        got = read_some(out, bytes, sizeof bytes);
        if (got)
            store_tail(out, bytes, got, capture->max);
    }
}

/* As much as no pipe blocks for; what cannot be written is lost to the reader alone. */
static void pass_on(const char *bytes, size_t count)
{
    while (count) {
        const ssize_t done = write(STDERR_FILENO, bytes, count);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        bytes += done;
        count -= (size_t)done;
    }
}

static void take_error(struct capture *capture, int patience_ms)
{
    struct captured *error = &capture->streams[CAPTURE_ERROR];
    struct pollfd reader = { .fd = STDERR_FILENO, .events = POLLOUT };
    char bytes[PIPE_BUF];
    size_t got = 1;

    for (size_t total = 0; got && error->fd >= 0 && total < LOOK_BYTES && poll(&reader, 1, patience_ms) > 0;
         total += got) {
        got = read_some(error, bytes, sizeof bytes);
        pass_on(bytes, got);
        store_tail(error, bytes, got, capture->max);
    }
}

void capture_take(struct capture *capture)
{
    take_out(capture);
    take_error(capture, 0);
    watch(capture);
}

void capture_finish(struct capture *capture)
{
    int left = 0;

    /* a pipe holds less than one look takes, but for one that somebody has made larger */
    take_out(capture);
    take_error(capture, READER_PATIENCE_MS);
    while (capture->streams[CAPTURE_OUT].fd >= 0 && !capture->streams[CAPTURE_OUT].over &&
           ioctl(capture->streams[CAPTURE_OUT].fd, FIONREAD, &left) == 0 && left > 0)
        take_out(capture);
}

void capture_close(struct capture *capture)
{
    capture_started(capture);
    close_end(&capture->streams[CAPTURE_OUT].fd);
    close_end(&capture->streams[CAPTURE_ERROR].fd);
}

void capture_free(struct capture *capture)
{
    for (int i = 0; i < CAPTURE_STREAMS; i++) {
        free(capture->streams[i].bytes);
        capture->streams[i] = (struct captured){ .fd = -1 };
    }
}
