/* SPDX-License-Identifier: MIT
 * The process that asks, and the one that it starts for each question. */
#include "energy/poller.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MS_PER_NS = 1000000, LONGEST_LOOK_MS = 50, ANSWERS_FD = STDERR_FILENO + 1, MAX_FDS = 4096 };

/* What the process works with. */
struct asker {
    const struct poller_question *question;
    pid_t parent;
    int out;    /* answers go here; a write fails at once when the reader is gone */
    char *text; /* max_bytes + 1 */
};

uint64_t poller_cadence_ns(const struct poller_question *question, uint64_t took_ns)
{
    const uint64_t rest_ns = question->rests * took_ns;

    return rest_ns > question->every_ns ? rest_ns : question->every_ns;
}

static int ms_until(uint64_t until_ns)
{
    const uint64_t now_ns = clock_monotonic_ns();

    return until_ns > now_ns ? (int)((until_ns - now_ns) / MS_PER_NS) + 1 : 0;
}

/* A copy of the reading end may live on in a process forked by a program that uses libcarbon. */
static bool is_alone(const struct asker *asker)
{
    struct pollfd reader = { .fd = asker->out };

    return getppid() != asker->parent || (poll(&reader, 1, 0) > 0 && reader.revents);
}

static _Noreturn void become_question(const struct asker *asker, pid_t asker_pid, int to)
{
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() == asker_pid && dup2(to, STDOUT_FILENO) >= 0 && dup2(to, STDERR_FILENO) >= 0)
        asker->question->put(asker->question->context);
    _exit(127);
}

/* The output until the last writer has closed the pipe. Returns 0 or an errno: ETIMEDOUT, EBADMSG (it does not stop
 * printing), ECANCELED (the reader is gone). */
static int listen_to(const struct asker *asker, int from, uint64_t until_ns)
{
    size_t length = 0;

    for (;;) {
        struct pollfd events[] = { { .fd = from, .events = POLLIN }, { .fd = asker->out } };
        ssize_t got;

        asker->text[length] = '\0';
        if (length == asker->question->max_bytes)
            return EBADMSG;
        if (poll(events, 2, ms_until(until_ns)) == 0)
            return ETIMEDOUT;
        if (events[1].revents)
            return ECANCELED;
        if (!events[0].revents)
            continue;
        got = read(from, asker->text + length, asker->question->max_bytes - length);
        if (got <= 0)
            return 0;
        length += (size_t)got;
    }
}

/* How it ended: at once, as a rule, when it has closed the pipe. */
static int await_end(const struct asker *asker, pid_t pid, uint64_t until_ns, int *status)
{
    for (int look_ms = 1;; look_ms = look_ms < LONGEST_LOOK_MS ? 2 * look_ms : LONGEST_LOOK_MS) {
        struct pollfd reader = { .fd = asker->out };
        const pid_t ended = waitpid(pid, status, WNOHANG);

        if (ended != 0) {
            *status = ended != pid ? 0 : WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
            return 0;
        }
        if (ms_until(until_ns) == 0)
            return ETIMEDOUT;
        if (poll(&reader, 1, look_ms) > 0)
            return ECANCELED;
    }
}

static int ask_child(const struct asker *asker, int *status)
{
    const uint64_t until_ns = clock_monotonic_ns() + asker->question->patience_ns;
    const pid_t self = getpid();
    int ends[2], error;
    pid_t pid;

    asker->text[0] = '\0';
    *status = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    pid = fork();
    if (pid == 0)
        become_question(asker, self, ends[1]);
    error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (!error) {
        setpgid(pid, pid); /* whichever of both comes first */
        error = listen_to(asker, ends[0], until_ns);
        if (!error)
            error = await_end(asker, pid, until_ns, status);
    }
    if (error && pid > 0)
        kill(-pid, SIGKILL); /* and the processes that a script has started */
    close(ends[0]);
    return error;
}

static bool answer_with(const struct asker *asker, struct poller_answer *answer)
{
    return write(asker->out, answer, sizeof *answer) == sizeof *answer;
}

static _Noreturn void ask_for_ever(const struct asker *asker)
{
    const struct poller_question *question = asker->question;

    while (!is_alone(asker)) {
        const uint64_t asked_ns = clock_monotonic_ns();
        struct pollfd reader = { .fd = asker->out };
        int status;
        struct poller_answer answer = { .error = ask_child(asker, &status) };

        answer.took_ns = clock_monotonic_ns() - asked_ns;
        answer.time_ns = asked_ns + answer.took_ns / 2;
        if (answer.error == ECANCELED)
            break;
        text_first_line(asker->text, answer.words, sizeof answer.words);
        if (!answer.error)
            answer.error = question->understand(question->context, status, asker->text, &answer);
        if (!answer_with(asker, &answer))
            break;
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        poll(&reader, 1, ms_until(asked_ns + poller_cadence_ns(question, answer.took_ns)));
    }
    _exit(0);
}

static bool is_prepared(const struct asker *asker)
{
    struct poller_answer answer = { .error = EPERM };
    struct error err;

    if (!asker->question->prepare || asker->question->prepare(asker->question->context, &err))
        return true;
    snprintf(answer.words, sizeof answer.words, "%.110s%s%.85s", err.what, err.why[0] ? ": " : "", err.why);
    return answer_with(asker, &answer) && false;
}

/* Others wait to see carbon's streams, its counters' descriptors and the pipes of its other pollers closed. */
static void keep_only(struct asker *asker)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int out = fcntl(asker->out, F_DUPFD_CLOEXEC, ANSWERS_FD + 1), at = fcntl(nothing, F_DUPFD_CLOEXEC, out + 1);

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(at, fd);
    asker->out = dup3(out, ANSWERS_FD, O_CLOEXEC);
    /* before Linux 5.9 one by one */
    if (syscall(SYS_close_range, ANSWERS_FD + 1, ~0U, 0) != 0)
        for (int fd = ANSWERS_FD + 1; fd < MAX_FDS; fd++)
            close(fd);
}

/* From here on only functions that are safe after the fork of a program with threads, except in the question itself. */
static _Noreturn void become_asker(struct asker *asker)
{
    setsid();
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    keep_only(asker);
    if (!is_prepared(asker))
        _exit(1);
    ask_for_ever(asker);
}

static bool fork_asker(struct poller *poller, struct asker *asker, struct error *err)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_errno(err, "cannot open a pipe");
    poller->pid = fork();
    if (poller->pid == 0) {
        close(ends[0]);
        asker->out = ends[1];
        become_asker(asker);
    }
    close(ends[1]);
    if (poller->pid < 0) {
        poller->pid = 0;
        error_errno(err, "cannot start a process");
        close(ends[0]);
        return false;
    }
    poller->fd = ends[0];
    return true;
}

bool poller_start(struct poller *poller, const struct poller_question *question, struct error *err)
{
    struct asker asker = { .question = question, .parent = getpid(), .text = malloc(question->max_bytes + 1) };
    bool started;

    *poller = (struct poller){ .fd = -1 };
    if (!asker.text)
        return error_errno(err, "cannot start a process");
    started = fork_asker(poller, &asker, err);
    free(asker.text);
    return started;
}

int poller_take(struct poller *poller, uint64_t until_ns, struct poller_answer *answer)
{
    struct pollfd event = { .fd = poller->fd, .events = POLLIN };
    int ready;

    do
        ready = poll(&event, 1, ms_until(until_ns));
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return EAGAIN;
    return read(poller->fd, answer, sizeof *answer) == sizeof *answer ? 0 : ENODEV;
}

void poller_stop(struct poller *poller)
{
    if (!poller->pid)
        return;
    close(poller->fd);
    while (waitpid(poller->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    *poller = (struct poller){ .fd = -1 };
}
