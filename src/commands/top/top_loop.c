/* SPDX-License-Identifier: MIT
 * One loop on one thread: sleeps until a collection, a key or a signal. */
#include "commands/top/top_loop.h"

#include "app/csv_file.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { CHUNK = 512 };

static bool open_signals(struct top_loop *loop, struct error *err)
{
    static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH };
    struct sigaction now;
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (sigaction(taken[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&set, taken[i]);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    loop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return loop->signal_fd >= 0 || error_errno(err, "cannot install signal handlers");
}

/* The terminal is given back first; who sends SIGCONT finds carbon as it was. */
static void stop(struct top_loop *loop)
{
    top_terminal_leave(&loop->terminal);
    raise(SIGSTOP);
}

static void take_signals(struct top_loop *loop)
{
    struct signalfd_siginfo info;

    while (read(loop->signal_fd, &info, sizeof info) == sizeof info)
        switch (info.ssi_signo) {
        case SIGTSTP: stop(loop); break;
        case SIGCONT: /* others have written meanwhile */
        case SIGWINCH: break;
        default: loop->ended = true;
        }
}

/* Piece by piece, so that a terminal that takes nothing any more does not keep signals waiting. A reader that went away
 * ends the loop, and is no error. */
static bool send_all(struct top_loop *loop, int fd, const char *text, size_t length, struct error *err)
{
    struct pollfd waits[] = { { .fd = loop->signal_fd, .events = POLLIN }, { .fd = fd, .events = POLLOUT } };

    for (size_t done = 0; done < length && !loop->ended;) {
        const size_t left = length - done, piece = left < CHUNK ? left : CHUNK;
        ssize_t written;

        if (poll(waits, 2, -1) < 0 && errno != EINTR)
            return error_errno(err, "cannot wait for standard output");
        if (waits[0].revents)
            take_signals(loop);
        if (!waits[1].revents)
            continue;
        written = write(fd, text + done, piece);
        if (written < 0 && (errno == EPIPE || errno == EIO)) {
            loop->ended = true;
            return true;
        }
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return error_errno(err, "cannot write to standard output");
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool send_screen(struct top_loop *loop, struct error *err)
{
    AUTO_FREE char *text = NULL;
    AUTO_FREE char *frame = NULL;
    char line[256];
    size_t length;
    FILE *out;

    top_terminal_enter(&loop->terminal);
    if (!loop->terminal.entered)
        return true;
    top_terminal_measure(&loop->terminal);
    loop->style.width = loop->terminal.width;
    loop->style.height = loop->terminal.height;
    loop->style.first = loop->key_state.first;
    loop->key_state.page = loop->terminal.height > 12 ? (size_t)loop->terminal.height - 12 : 1;
    loop->style.below = top_keys_line(&loop->key_state, line, sizeof line);
    out = open_memstream(&text, &length);
    if (!out)
        return error_errno(err, "cannot show the update");
    top_write_text(&loop->view, &loop->history, &loop->style, out);
    if (fclose(out) != 0 || !(frame = top_terminal_frame(&loop->terminal, text, &length)))
        return error_errno(err, "cannot show the update");
    return send_all(loop, STDOUT_FILENO, frame, length, err);
}

static bool write_json(struct top_loop *loop, FILE *out, struct error *err)
{
    return top_write_json(&loop->view, out, err);
}

static bool write_table(struct top_loop *loop, FILE *out, struct error *err)
{
    (void)err;
    top_table_rows(&loop->view, out);
    return true;
}

static bool write_head(struct top_loop *loop, FILE *out, struct error *err)
{
    (void)loop;
    (void)err;
    top_table_head(out);
    return true;
}

static bool write_text(struct top_loop *loop, FILE *out, struct error *err)
{
    (void)err;
    if (loop->history.count > 1)
        fputc('\n', out);
    top_write_text(&loop->view, &loop->history, &loop->style, out);
    return true;
}

/* What a form writes goes out in one piece. */
static bool send_form(struct top_loop *loop, const struct output *output,
                      bool (*form)(struct top_loop *loop, FILE *out, struct error *err), struct error *err)
{
    AUTO_FREE char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool written;

    if (!out)
        return error_errno(err, "cannot write the update");
    written = form(loop, out, err);
    if (fclose(out) != 0 && written)
        return error_errno(err, "cannot write the update");
    if (output && !(text = csv_file_lines(output, text, &length)))
        return error_errno(err, "cannot write the update");
    return written && (send_all(loop, output ? fileno(output->file) : STDOUT_FILENO, text, length, err) ||
                       (output && output_failed(output, err)));
}

static bool make_view(struct top_loop *loop, struct error *err)
{
    struct top_view *view = &loop->view;
    const struct collector *collector = loop->collector;

    if (!top_view_make(view, collector, &loop->choice, loop->user_name, loop->context))
        return error_errno(err, "cannot show the update");
    view->time = clock_realtime_ns();
    top_notices(view, loop->notices);
    return true;
}

static bool show_screen(struct top_loop *loop, struct error *err)
{
    return make_view(loop, err) && send_screen(loop, err);
}

static bool show_update(struct top_loop *loop, struct error *err)
{
    if (!make_view(loop, err))
        return false;
    top_history_take(&loop->history, &loop->view);
    return (!loop->json || send_form(loop, loop->json, write_json, err)) &&
           (!loop->csv || send_form(loop, loop->csv, write_table, err)) &&
           (!loop->prints || (loop->keys ? send_screen(loop, err) : send_form(loop, NULL, write_text, err)));
}

static bool take_keys(struct top_loop *loop, struct error *err)
{
    char bytes[64];
    const ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes);

    if (length <= 0 && errno != EINTR && errno != EAGAIN) {
        loop->ended = true; /* the terminal has gone */
        return true;
    }
    top_keys_take(&loop->key_state, bytes, length > 0 ? (size_t)length : 0, loop->view.row_count);
    loop->ended |= loop->key_state.quit;
    return loop->ended || show_screen(loop, err);
}

static uint64_t next_wake_ns(const struct top_loop *loop)
{
    return clock_earlier_ns(clock_earlier_ns(loop->next_update_ns, loop->next_keep_alive_ns),
                            clock_earlier_ns(loop->next_poll_ns, loop->end_ns));
}

/* Until something is due, or a key or a signal comes, or nobody reads standard output any more. */
static bool sleep_until_due(struct top_loop *loop, struct error *err)
{
    const bool reads = loop->keys && loop->terminal.entered;
    struct pollfd waits[] = { { .fd = loop->signal_fd, .events = POLLIN },
                              { .fd = STDOUT_FILENO },
                              { .fd = reads ? STDIN_FILENO : -1, .events = POLLIN } };
    const uint64_t now_ns = clock_monotonic_ns(), wake_ns = next_wake_ns(loop);
    const uint64_t left_ns = wake_ns > now_ns ? wake_ns - now_ns : 0;
    const struct timespec left = { (time_t)(left_ns / NS_PER_S_INT), (long)(left_ns % NS_PER_S_INT) };

    if (ppoll(waits, sizeof waits / sizeof waits[0], &left, NULL) <= 0)
        return true;
    loop->ended |= waits[1].revents != 0;
    if (waits[0].revents) {
        take_signals(loop);
        return loop->ended || !loop->keys || show_screen(loop, err);
    }
    return !waits[2].revents || take_keys(loop, err);
}

static void meter_was_read(struct top_loop *loop, uint64_t now_ns)
{
    const uint64_t poll_ns = meter_poll_ns(loop->collector->meter);

    loop->next_keep_alive_ns = now_ns + meter_look_ns(loop->collector->meter);
    loop->next_poll_ns = poll_ns ? now_ns + poll_ns : UINT64_MAX;
}

static bool update(struct top_loop *loop, uint64_t now_ns, struct error *err)
{
    collector_collect(loop->collector);
    meter_was_read(loop, now_ns);
    /* a late wake-up drops updates; it does not bunch them */
    while (loop->next_update_ns <= now_ns)
        loop->next_update_ns += loop->interval_ns;
    if (!show_update(loop, err))
        return false;
    loop->ended |= loop->once;
    return true;
}

static bool run_due_tasks(struct top_loop *loop, struct error *err)
{
    const uint64_t now_ns = clock_monotonic_ns();

    if (now_ns >= loop->next_poll_ns) {
        meter_poll(loop->collector->meter);
        loop->next_poll_ns = now_ns + meter_poll_ns(loop->collector->meter);
    }
    if (now_ns >= loop->next_update_ns && !update(loop, now_ns, err))
        return false;
    if (now_ns >= loop->next_keep_alive_ns) {
        collector_keep_alive(loop->collector);
        meter_was_read(loop, now_ns);
    }
    loop->ended |= now_ns >= loop->end_ns;
    return true;
}

static bool begin(struct top_loop *loop, struct error *err)
{
    uint64_t now_ns;

    collector_begin(loop->collector);
    now_ns = clock_monotonic_ns();
    meter_was_read(loop, now_ns);
    loop->next_update_ns = now_ns + loop->interval_ns;
    loop->end_ns = loop->for_ns ? now_ns + loop->for_ns : UINT64_MAX;
    if (loop->csv && !send_form(loop, loop->csv, write_head, err))
        return false;
    /* an empty screen would look as if nothing happened */
    return !loop->keys || show_screen(loop, err);
}

bool top_run(struct top_loop *loop, struct error *err)
{
    bool good;

    loop->key_state.choice = &loop->choice;
    good = open_signals(loop, err) && begin(loop, err);
    while (good && !loop->ended)
        good = sleep_until_due(loop, err) && (loop->ended || run_due_tasks(loop, err));
    top_terminal_leave(&loop->terminal);
    top_view_close(&loop->view);
    if (loop->signal_fd >= 0)
        close(loop->signal_fd);
    return good;
}
