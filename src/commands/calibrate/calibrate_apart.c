/* SPDX-License-Identifier: MIT
 * Measures in a process of its own: what measures gives up rights beyond the user's before a load is run, and who
 * called carbon as root through sudo wants the profile where root keeps it. */
#include "commands/calibrate/calibrate.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Answer of either process. */
struct calibrate_apart_answer {
    struct machine_profile profile;
    struct error err;
    bool done;
};

static _Noreturn void measure(const struct settings *settings, const struct calibrate_options *options,
                              struct calibrate_apart_answer *answer)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    answer->done = calibrate_measure(settings, options, &answer->profile, &answer->err);
    _exit(0);
}

/* What the terminal sends to both is the other's to answer. */
static bool wait_for(pid_t pid)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
    int status;
    pid_t ended;

    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool calibrate_apart(const struct settings *settings, const struct calibrate_options *options,
                     struct machine_profile *profile, struct error *err)
{
    struct calibrate_apart_answer *answer =
        mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool done = false;
    pid_t pid;

    if (answer == MAP_FAILED)
        return error_errno(err, "cannot start");
    pid = fork();
    if (pid == 0)
        measure(settings, options, answer);
    if (pid < 0) {
        error_errno(err, "cannot start a process that measures");
    } else if (!wait_for(pid)) {
        error_set(err, ERROR_SYSTEM, "the process that measures was ended");
    } else {
        done = answer->done;
        *profile = answer->profile;
        if (!done)
            *err = answer->err;
    }
    munmap(answer, sizeof *answer);
    return done;
}
