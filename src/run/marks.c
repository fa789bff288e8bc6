/* SPDX-License-Identifier: MIT
 * Marks, from two pipes. */
#include "run/marks.h"

#include "base/auto.h"
#include "run/environment.h"
#include "run/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    WRITTEN, /* the places in marks->watched */
    ERROR,
    OUT,
};

/* One look at a pipe takes so much at most: a flood of marks does not keep carbon from its meter. */
enum { MAX_READS = 32, READ_SIZE = 4096 };

/* The longest queue of marks, for a job that runs while carbon gets no CPU; less where that is too much to ask. */
enum { QUEUE_BYTES = 1 << 20 };

/* The lowest number above the standard streams that means nothing to the job: closed, or carbon's own. Below 10, if it
 * can be: dash(1) knows no redirection to others. */
static int unused_number(void)
{
    for (int number = STDERR_FILENO + 1;; number++) {
        const int flags = fcntl(number, F_GETFD);
        if (flags < 0 || flags & FD_CLOEXEC)
            return number;
    }
}

/* Both ends above `number`, as those of a job must be. */
static bool open_pipe(int number, int *from, int *to)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    *from = fcntl(ends[0], F_DUPFD_CLOEXEC, number + 1);
    *to = fcntl(ends[1], F_DUPFD_CLOEXEC, number + 1);
    close(ends[0]);
    close(ends[1]);
    return *from >= 0 && *to >= 0 && fcntl(*from, F_SETFL, O_NONBLOCK) == 0;
}

/* A job that marks must neither be killed by SIGPIPE when carbon is gone, nor wait when the queue is full: its end can
 * also be read, so that there always is a reader, and fails with EAGAIN. */
static int reopen_for_marks(int fd, int number)
{
    char path[64];
    AUTO_CLOSE int both = -1;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    both = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return both < 0 ? -1 : fcntl(both, F_DUPFD_CLOEXEC, number + 1);
}

static bool give(struct marks *marks, int fd, int number)
{
    if (fd >= 0)
        marks->given[marks->given_count++] = (struct job_descriptor){ .fd = fd, .number = number };
    return fd >= 0;
}

static bool open_written(struct marks *marks, int number, char *const *environment, struct error *err)
{
    AUTO_CLOSE int to = -1;

    if (!open_pipe(number, &marks->written_fd, &to) || !give(marks, reopen_for_marks(to, number), number))
        return error_errno(err, "cannot open a pipe for marks");
    IGNORED(fcntl(to, F_SETPIPE_SZ, QUEUE_BYTES), "the queue is then as long as others");
    snprintf(marks->variable, sizeof marks->variable, MARKS_VARIABLE "=%d", number);
    marks->environment = environment_with(environment ? environment : environ, marks->variable);
    return marks->environment || error_errno(err, "no memory for the command's environment");
}

static bool open_error(struct marks *marks, int number, struct error *err)
{
    int to = -1;

    if (open_pipe(number, &marks->error_fd, &to) && give(marks, to, STDERR_FILENO))
        return true;
    error_errno(err, "cannot open a pipe for the command's standard error");
    if (to >= 0)
        close(to);
    return false;
}

/* Standard error is read when all of it has been passed on, and only then. */
static void watch(struct marks *marks)
{
    const bool held = marks->held_from < marks->held_to;

    marks->watched[WRITTEN] = (struct pollfd){ .fd = marks->written_fd, .events = POLLIN };
    marks->watched[ERROR] = (struct pollfd){ .fd = held ? -1 : marks->error_fd, .events = POLLIN };
    marks->watched[OUT] = (struct pollfd){ .fd = held ? STDERR_FILENO : -1, .events = POLLOUT };
}

bool marks_open(struct marks *marks, const struct marks_options *options, char *const *environment, struct error *err)
{
    const int number = unused_number();

    marks->options = options;
    marks->given_count = 0;
    marks->environment = NULL;
    marks->written_fd = marks->error_fd = -1;
    marks->written.length = marks->matched.length = 0;
    marks->written.ended = marks->matched.ended = false;
    marks->held_from = marks->held_to = 0;
    if ((options->written && !open_written(marks, number, environment, err)) ||
        (options->matched && !open_error(marks, number, err))) {
        marks_close(marks);
        return false;
    }
    watch(marks);
    return true;
}

void marks_started(struct marks *marks)
{
    job_given_close(marks->given, &marks->given_count);
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void marks_close(struct marks *marks)
{
    marks_started(marks);
    close_end(&marks->written_fd);
    close_end(&marks->error_fd);
    free(marks->environment);
    marks->environment = NULL;
}

/* What is there, up to `most` bytes; 0: nothing is, or (the end is closed then) nobody writes any more. */
static size_t read_some(int *fd, char *bytes, size_t max)
{
    ssize_t got;

    do
        got = read(*fd, bytes, max);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got < 0 && errno != EAGAIN))
        close_end(fd);
    return got > 0 ? (size_t)got : 0;
}

static void take_written(struct marks *marks, const struct mark_listener *listener)
{
    char bytes[READ_SIZE], name[MARK_NAME_SIZE];

    for (int i = 0; i < MAX_READS && marks->written_fd >= 0; i++) {
        const size_t count = read_some(&marks->written_fd, bytes, sizeof bytes);
        for (size_t at = 0; at < count;) {
            at += mark_line_add(&marks->written, bytes + at, count - at, "\n");
            if (!marks->written.ended)
                break;
            mark_name(marks->written.text, marks->written.length, name);
            listener->on_mark(listener->context, MARK_WRITTEN, name);
        }
        if (count < sizeof bytes)
            break;
    }
}

/* Whoever draws a bar of progress ends its lines with a carriage return. */
static void match_held(struct marks *marks, const struct mark_listener *listener)
{
    const char *bytes = marks->held + marks->held_from;
    const size_t count = marks->held_to - marks->held_from;
    char name[MARK_NAME_SIZE];

    for (size_t at = 0; at < count;) {
        at += mark_line_add(&marks->matched, bytes + at, count - at, "\n\r");
        if (marks->matched.ended && mark_pattern_match(marks->options->pattern, marks->matched.text, name))
            listener->on_mark(listener->context, MARK_MATCHED, name);
    }
}

/* Reads standard error, of which nothing is held. False: nothing was there. */
static bool hold_more(struct marks *marks, size_t max, const struct mark_listener *listener)
{
    marks->held_from = 0;
    marks->held_to = read_some(&marks->error_fd, marks->held, max < MARKS_HELD ? max : MARKS_HELD);
    match_held(marks, listener);
    return marks->held_to > 0;
}

/* One write that no pipe blocks for once it has been found ready. Where the reader is gone the job learns it by the
 * next thing that it writes; another failure is not the job's: what cannot be written is lost. */
static void pass_piece(struct marks *marks)
{
    const size_t length = marks->held_to - marks->held_from;
    const ssize_t done = write(STDERR_FILENO, marks->held + marks->held_from, length < PIPE_BUF ? length : PIPE_BUF);

    if (done >= 0) {
        marks->held_from += (size_t)done;
    } else if (errno != EINTR && errno != EAGAIN) {
        if (errno == EPIPE)
            close_end(&marks->error_fd);
        marks->held_from = marks->held_to;
    }
}

/* As long as nobody has to be waited for. */
static void pass_on(struct marks *marks)
{
    struct pollfd out = { .fd = STDERR_FILENO, .events = POLLOUT };

    while (marks->held_from < marks->held_to && poll(&out, 1, 0) > 0)
        pass_piece(marks);
}

/* All of it, unless a signal ends the wait. */
static void pass_rest(struct marks *marks, struct job_signals *signals)
{
    struct pollfd events[] = { { .fd = STDERR_FILENO, .events = POLLOUT }, { .fd = signals->fd, .events = POLLIN } };

    while (marks->held_from < marks->held_to) {
        if (poll(events, 2, -1) < 0)
            continue;
        if (events[1].revents && signals_take(signals, 0)) {
            close_end(&marks->error_fd);
            return;
        }
        if (events[0].revents)
            pass_piece(marks);
    }
}

static void take_error(struct marks *marks, const struct mark_listener *listener)
{
    pass_on(marks);
    for (int i = 0; i < MAX_READS && marks->error_fd >= 0 && marks->held_from == marks->held_to; i++) {
        if (!hold_more(marks, MARKS_HELD, listener))
            return;
        pass_on(marks);
    }
}

void marks_take(struct marks *marks, const struct mark_listener *listener)
{
    take_written(marks, listener);
    take_error(marks, listener);
    watch(marks);
}

void marks_finish(struct marks *marks, struct job_signals *signals, const struct mark_listener *listener)
{
    int left = 0;

    take_written(marks, listener);
    pass_rest(marks, signals);
    if (marks->error_fd >= 0 && ioctl(marks->error_fd, FIONREAD, &left) < 0)
        left = 0;
    while (marks->error_fd >= 0 && left > 0 && hold_more(marks, (size_t)left, listener)) {
        left -= (int)marks->held_to;
        pass_rest(marks, signals);
    }
    close_end(&marks->written_fd);
    close_end(&marks->error_fd);
}
