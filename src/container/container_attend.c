/* SPDX-License-Identifier: MIT
 * A container from its start to its end, seen from a process that stands for it. */
#include "base/c_locale.h"
#include "container/ask.h"
#include "container/container_output.h"
#include "container/container_run.h"

#include "base/auto.h"
#include "container/http_call.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_FAILED = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };
enum { END_LOOKS = 10, KILL_PATIENCE_S = 1 };
#define END_LOOK_NS 10000000L

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

struct attending {
    const struct engine *engine;
    const char *id;
    pid_t parent;
    int signal_fd;
    int signals, first_signal; /* how many have come; the first of them */
    bool started, orphaned;
    int status; /* of what could not be started; -1: it could */
    struct container_output output;
};

/* The command line's way to tell an error; nothing of stdio, whose buffers the parent has, too. */
static void print_error(const struct error *err)
{
    dprintf(STDERR_FILENO, "carbon: %s\n", err->what);
    if (*err->why)
        dprintf(STDERR_FILENO, "   why: %s\n", err->why);
    if (*err->fix)
        dprintf(STDERR_FILENO, "   fix: %s\n", err->fix);
}

static const char *signal_name(int number)
{
    return number == SIGINT ? "SIGINT" : number == SIGHUP ? "SIGHUP" : number == SIGQUIT ? "SIGQUIT" : "SIGTERM";
}

/* It may have ended by itself meanwhile: then there is nothing to be killed. An engine says that it has killed one once
 * that has ended, and that may wait for us to take its output. */
static void kill_container(const struct attending *attending, const char *signal)
{
    struct text path;

    if (path_of_container(&path, attending->id, "/kill?signal="))
        text_add(&path, "%s", signal);
    engine_tell(attending->engine, "POST", &path, KILL_PATIENCE_S);
}

static void take_signal(struct attending *attending, int number)
{
    if (number == SIGTERM && getppid() != attending->parent) {
        attending->orphaned = true;
        return;
    }
    if (attending->signals++ == 0)
        attending->first_signal = number;
    if (attending->started)
        kill_container(attending, attending->signals == 1 ? signal_name(number) : "SIGKILL");
}

/* True: nobody waits for this container any more. */
static bool look_at_signals(void *context)
{
    struct attending *attending = context;
    struct signalfd_siginfo info;

    while (!attending->orphaned && read(attending->signal_fd, &info, sizeof info) == sizeof info)
        take_signal(attending, (int)info.ssi_signo);
    return attending->orphaned;
}

/* Output that nobody reads must not keep whoever asks a second time from ending it. */
static bool give_output_up(void *context)
{
    const struct attending *attending = context;

    return look_at_signals(context) || attending->signals > 1;
}

static bool has(const char *message, const char *part)
{
    return c_strcasestr(message, part) != NULL;
}

/* What the runtime says of a command that it cannot find, or cannot run, in the words of runc and of crun. */
static int status_of_refusal(const struct engine_answer *answer)
{
    const char *message = answer->message;

    if (has(message, "executable file") && has(message, "not found"))
        return STATUS_NOT_FOUND;
    if (!has(message, "exec") && !has(message, "start container process"))
        return STATUS_FAILED;
    if (has(message, "mount"))
        return STATUS_FAILED;
    if (has(message, "no such file or directory"))
        return STATUS_NOT_FOUND;
    return has(message, "permission denied") || has(message, "is a directory") || has(message, "exec format error")
               ? STATUS_CANNOT_RUN
               : STATUS_FAILED;
}

static int tell_refusal(const struct engine *engine, const struct engine_answer *answer)
{
    const int status = status_of_refusal(answer);
    struct error err;

    answer_refused(engine, answer, &err, ERROR_SYSTEM, "%s",
                   status == STATUS_NOT_FOUND    ? "the image has no such command"
                   : status == STATUS_CANNOT_RUN ? "the command in the image cannot be run"
                                                 : "the container cannot be started");
    print_error(&err);
    return status;
}

static int start(const struct attending *attending)
{
    struct engine_answer answer;
    struct error err;
    struct text path;
    int status = -1;

    IGNORED(path_of_container(&path, attending->id, "/start"), "the id was in an address before");
    if (!engine_ask(attending->engine, "POST", &path, NULL, &answer, &err)) {
        print_error(&err);
        status = STATUS_FAILED;
    } else if (!answer_is_good(&answer)) {
        status = tell_refusal(attending->engine, &answer);
    }
    answer_close(&answer);
    return status;
}

/* The output is being listened to from here on: the container may begin. */
static bool begin(void *context, int status)
{
    struct attending *attending = context;

    if (status != 101 && (status < 200 || status >= 300))
        return true;
    look_at_signals(attending);
    if (attending->orphaned || attending->signals > 0)
        return false;
    attending->status = start(attending);
    attending->started = attending->status < 0;
    return attending->started;
}

/* A command whose output nobody reads any more is ended by SIGPIPE; here that has to be done for it. */
static bool take_output(void *context, const char *bytes, size_t length)
{
    struct attending *attending = context;
    const bool broken = attending->output.broken, good = container_output_take(&attending->output, bytes, length);

    if (attending->output.broken && !broken)
        kill_container(attending, "SIGKILL");
    return good;
}

/* One long question; the body of its answer is left in *answer. */
static bool ask_long(struct attending *attending, const char *rest, bool output, struct engine_answer *answer,
                     struct error *err)
{
    struct http_call call = { .socket = attending->engine->socket,
                              .method = "POST",
                              .max_bytes = ASK_MAX_BYTES,
                              .context = attending,
                              .begin = output ? begin : NULL,
                              .take = output ? take_output : NULL,
                              .stop = look_at_signals,
                              .wake = attending->signal_fd };
    struct http_answer http = { .status = 0 };
    struct text path;
    bool answered = false;

    if (path_of_container(&path, attending->id, rest)) {
        call.path = path.data;
        answered = http_call(&call, &http, err);
    }
    answer_read(answer, &http);
    http_close(&http);
    text_close(&path);
    return answered;
}

/* Whether it has ended: its output has. Podman knows that at once, and yet takes a quarter of a second to say so to who
 * waits for it. */
static bool has_ended(const struct attending *attending, int *status)
{
    struct container now;

    for (int i = 0; i < END_LOOKS; i++) {
        if (i > 0)
            nanosleep(&(struct timespec){ .tv_nsec = END_LOOK_NS }, NULL);
        if (!container_inspect(attending->engine, attending->id, &now, NULL))
            return false;
        *status = now.exit_status & 0xff;
        if (!now.running && now.exit_status >= 0)
            return true;
    }
    return false;
}

/* Podman loses the status of some that were killed (it keeps -1), and says 0 to who waits for it. */
static int status_of_end(const struct attending *attending, int status)
{
    struct container now;
    struct error err;

    if (status != 0 || !container_inspect(attending->engine, attending->id, &now, NULL) || now.exit_status >= 0)
        return status;
    if (attending->signals > 1)
        return STATUS_SIGNAL + SIGKILL;
    error_set(&err, ERROR_SYSTEM, "the status of the container is not known");
    error_why(&err, "%s has not kept it", engine_name(attending->engine->kind));
    print_error(&err);
    return STATUS_FAILED;
}

/* Its status once it has ended. The output may be over before, where it has closed both streams and runs on. */
static int wait_for_end(struct attending *attending)
{
    struct engine_answer answer;
    struct error err;
    int status = STATUS_FAILED;

    if (has_ended(attending, &status))
        return status;
    status = STATUS_FAILED;
    if (!ask_long(attending, "/wait", false, &answer, &err)) {
        if (!attending->orphaned)
            print_error(&err);
    } else if (!answer_is_good(&answer) || !(json_number_of(answer.json, "StatusCode") >= 0)) {
        answer_refused(attending->engine, &answer, &err, ERROR_SYSTEM, "the status of the container is not known");
        print_error(&err);
    } else {
        status = status_of_end(attending, (int)json_number_of(answer.json, "StatusCode") & 0xff);
    }
    answer_close(&answer);
    return status;
}

static int attend(struct attending *attending)
{
    struct engine_answer answer;
    struct error err;
    int status = STATUS_FAILED;
    const bool answered = ask_long(attending, "/attach?stream=1&stdout=1&stderr=1", true, &answer, &err);

    if (attending->started && !attending->orphaned)
        status = attending->output.broken ? STATUS_SIGNAL + SIGPIPE : wait_for_end(attending);
    else if (attending->status >= 0)
        status = attending->status;
    else if (attending->signals > 0)
        status = STATUS_SIGNAL + attending->first_signal;
    else if (!attending->orphaned && answered)
        status = tell_refusal(attending->engine, &answer);
    else if (!attending->orphaned)
        print_error(&err);
    answer_close(&answer);
    return status;
}

/* Those that are ignored (nohup) stay so. */
static int take_signals(void)
{
    sigset_t set;
    struct sigaction now;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&set, passed_on[i]);
    sigaddset(&set, SIGTERM); /* the parent's death comes as one */
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int container_attend(const struct engine *engine, const char *id)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct attending attending = { .engine = engine, .id = id, .parent = getppid(), .status = -1 };
    int status;

    AUTO_CLOSE int signal_fd = take_signals();

    attending.signal_fd = signal_fd;
    attending.output = (struct container_output){
        .fds = { -1, STDOUT_FILENO, STDERR_FILENO }, .wake = signal_fd, .stop = give_output_up, .context = &attending
    };
    sigaction(SIGPIPE, &ignored, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    attending.orphaned = getppid() != attending.parent; /* the parent died before the signal was set */
    status = attending.orphaned ? STATUS_FAILED : attend(&attending);
    if (attending.orphaned)
        IGNORED(container_remove(engine, id, NULL), "the engine ends it, or the user");
    return status;
}
