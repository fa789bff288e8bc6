/* SPDX-License-Identifier: MIT
 * The process that asks the BMC. */
#include "energy/dcmi_poller.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_SIZE = 4096, MS_PER_NS = 1000000 };

/* What the process works with. */
struct asker {
    char *const *argv;
    pid_t parent;
    int out; /* answers go here; it tells at once when nobody reads them any more */
};

uint64_t dcmi_cadence_ns(uint64_t took_ns)
{
    return 5 * took_ns > NS_PER_S_INT ? 5 * took_ns : NS_PER_S_INT;
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

static _Noreturn void become_program(const struct asker *asker, pid_t asker_pid, int to)
{
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() == asker_pid && dup2(to, STDOUT_FILENO) >= 0 && dup2(to, STDERR_FILENO) >= 0)
        execv(asker->argv[0], asker->argv);
    _exit(127);
}

/* What the program prints until it ends. Returns 0 or an errno: ETIMEDOUT, EBADMSG (it does not stop printing),
 * ECANCELED (nobody wants it any more). */
static int listen_to(const struct asker *asker, int from, char text[TEXT_SIZE])
{
    const uint64_t until_ns = clock_monotonic_ns() + DCMI_PATIENCE_NS;
    size_t length = 0;

    for (;;) {
        struct pollfd events[] = { { .fd = from, .events = POLLIN }, { .fd = asker->out } };
        ssize_t got;

        text[length] = '\0';
        if (length == TEXT_SIZE - 1)
            return EBADMSG;
        if (poll(events, 2, ms_until(until_ns)) == 0)
            return ETIMEDOUT;
        if (events[1].revents)
            return ECANCELED;
        if (!events[0].revents)
            continue;
        got = read(from, text + length, TEXT_SIZE - 1 - length);
        if (got <= 0)
            return 0;
        length += (size_t)got;
    }
}

static int ask(const struct asker *asker, char text[TEXT_SIZE])
{
    const pid_t self = getpid();
    int ends[2], error;
    pid_t pid;

    text[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    pid = fork();
    if (pid == 0)
        become_program(asker, self, ends[1]);
    error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (!error) {
        setpgid(pid, pid); /* whichever of both comes first */
        error = listen_to(asker, ends[0], text);
    }
    if (error && pid > 0)
        kill(-pid, SIGKILL); /* and what a script has started */
    close(ends[0]);
    return error;
}

static _Noreturn void ask_for_ever(const struct asker *asker)
{
    char text[TEXT_SIZE];

    while (!is_alone(asker)) {
        const uint64_t asked_ns = clock_monotonic_ns();
        struct pollfd reader = { .fd = asker->out };
        struct dcmi_answer answer = { .error = ask(asker, text) };

        answer.took_ns = clock_monotonic_ns() - asked_ns;
        answer.time_ns = asked_ns + answer.took_ns / 2;
        if (answer.error == ECANCELED)
            break;
        dcmi_text_words(text, answer.words, sizeof answer.words);
        if (!answer.error)
            answer.error = dcmi_text_power(text, &answer.power);
        if (write(asker->out, &answer, sizeof answer) != sizeof answer)
            break;
        poll(&reader, 1, ms_until(asked_ns + dcmi_cadence_ns(answer.took_ns)));
    }
    _exit(0);
}

/* From here on only what is safe after the fork of a program with threads. */
static _Noreturn void become_asker(struct asker *asker)
{
    const int nothing = open("/dev/null", O_RDWR);

    setsid();
    signal(SIGCHLD, SIG_IGN); /* programs that have ended leave nothing to wait for */
    signal(SIGPIPE, SIG_IGN);
    /* carbon's own streams may be pipes that somebody waits to see closed */
    asker->out = fcntl(asker->out, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(nothing, fd);
    if (nothing > STDERR_FILENO)
        close(nothing);
    ask_for_ever(asker);
}

bool dcmi_poller_start(struct dcmi_poller *poller, char *const *argv, struct error *err)
{
    struct asker asker = { .argv = argv, .parent = getpid() };
    int ends[2];

    *poller = (struct dcmi_poller){ .fd = -1 };
    if (pipe2(ends, O_CLOEXEC) < 0)
        return error_errno(err, "cannot open a pipe");
    poller->pid = fork();
    if (poller->pid == 0) {
        close(ends[0]);
        asker.out = ends[1];
        become_asker(&asker);
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

int dcmi_poller_take(struct dcmi_poller *poller, uint64_t until_ns, struct dcmi_answer *answer)
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

void dcmi_poller_stop(struct dcmi_poller *poller)
{
    if (!poller->pid)
        return;
    close(poller->fd);
    while (waitpid(poller->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    *poller = (struct dcmi_poller){ .fd = -1 };
}
