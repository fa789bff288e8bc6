/* SPDX-License-Identifier: MIT
 * The question whether to go on. */
#include "commands/pipeline/failure_policy.h"

#include "app/terminal.h"
#include "base/c_locale.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Interval between checks for a signal while no server answers. */
enum { LOOK_MS = 200 };

static const char *const policies[] = { "none", "cont", "stop", NULL };

static bool check_policy(const char *text, struct error *err)
{
    for (size_t i = 0; policies[i]; i++)
        if (c_strcasecmp(text, policies[i]) == 0)
            return true;
    error_set(err, ERROR_USAGE, "it is none of none, cont and stop");
    return false;
}

const struct option_spec option_force =
    OPTION(TEXT, "Steps", "force", .argument = "<what>",
           .help = "after a step that failed: cont goes on, stop ends, none asks on the terminal",
           .default_text = "none", .check = check_policy);

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

enum { ENDS = sizeof ends / sizeof ends[0] };

void failure_policy_signals(sigset_t *set)
{
    struct sigaction now;

    sigemptyset(set);
    for (size_t i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, ends[i]);
}

int failure_policy_signal(void)
{
    sigset_t pending;

    if (sigpending(&pending) != 0)
        return 0;
    for (size_t i = 0; i < ENDS; i++)
        if (sigismember(&pending, ends[i]) == 1)
            return ends[i];
    return 0;
}

/* The first letter of a line, in lower case; 0: there is no line any more, or a signal came. */
static int answer(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    char line[256];
    size_t blanks;
    ssize_t got;

    do {
        if (failure_policy_signal())
            return 0;
    } while (poll(&input, 1, LOOK_MS) == 0);
    got = read(STDIN_FILENO, line, sizeof line - 1);
    if (got <= 0)
        return 0;
    line[got] = '\0';
    blanks = strspn(line, " \t");
    return line[blanks] ? c_tolower(line[blanks]) : ' ';
}

bool failure_policy_goes_on(const struct settings *settings, const char *what)
{
    const char *policy = settings_text(settings, &option_force);
    struct notice notice = { .what = what, .why = "", .fix = "" };
    int letter;

    if (c_strcasecmp(policy, "cont") == 0)
        return true;
    if (c_strcasecmp(policy, "stop") == 0)
        return false;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        notice.why = "the rest is not run: standard input is not a terminal";
        notice.fix = "--force cont goes on all the same, --force stop ends without this note";
        terminal_tell_plain(&notice);
        return false;
    }
    terminal_tell(settings, &notice);
    do {
        terminal_say("Go on with the rest, which may fail for it? (y/n): ");
        letter = answer();
    } while (letter && letter != 'y' && letter != 'n');
    return letter == 'y';
}
