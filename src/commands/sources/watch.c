/* SPDX-License-Identifier: MIT
 * `carbon sources --watch`: the loop that reads the meter and shows what came of it. */
#include "commands/sources/watch.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/units.h"
#include "form/output.h"
#include "meter/cross_check.h"
#include "meter/meter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>

#define MIN_INTERVAL_S 0.1
#define MAX_INTERVAL_S 60.0

const struct option_spec option_watch =
    OPTION(FLAG, "Output", "watch", .cli_only = true, .help = "show live power of each domain");
const struct option_spec option_count =
    OPTION(COUNT, "Output", "count", .argument = "<n>", .default_text = "0", .min = 0, .max = 1e9, .cli_only = true,
           .help = "with --watch: number of updates, 0 for no end");

struct watch {
    struct sources *sources;
    struct power power;
    struct cross_steps steps;
    struct watch_view view;
    struct watch_style style;
    struct screen screen;
    struct sample sample;
    struct output json;
    bool has_json, prints;
    bool redraws; /* standard output is a terminal */
    bool ended;   /* by a signal, or because nobody reads on */
    int signal_fd;
    uint64_t interval_ns, next_update_ns, next_keep_alive_ns;
    uint64_t poll_ns, next_poll_ns; /* of power sensors; UINT64_MAX: none */
};

bool watch_check_options(const struct settings *settings, struct error *err)
{
    const double interval_s = settings_number(settings, &option_interval);
    static const struct option_spec *const own[] = { &option_interval, &option_count };

    if (settings_flag(settings, &option_watch)) {
        if (interval_s >= MIN_INTERVAL_S && interval_s <= MAX_INTERVAL_S)
            return true;
        error_set(err, ERROR_USAGE, "with --watch, --interval must be from %g to %g", MIN_INTERVAL_S, MAX_INTERVAL_S);
        return error_why(err, "it is '%s'", settings_text(settings, &option_interval));
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (settings_origin(settings, own[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s means nothing without --watch", own[i]->name);
            return error_fix_adds(err, "--watch");
        }
    return true;
}

/* A reader that went away ends the watch, and is no error. */
static bool send_all(struct watch *watch, int fd, const char *text, size_t length, struct error *err)
{
    for (size_t done = 0; done < length;) {
        const ssize_t written = write(fd, text + done, length - done);

        if (written < 0 && errno == EPIPE) {
            watch->ended = true;
            return true;
        }
        if (written < 0 && errno != EINTR)
            return error_errno(err, "cannot write to standard output");
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Ctrl-Z and `bg`: the terminal is somebody else's. */
static bool has_terminal(void)
{
    const pid_t group = tcgetpgrp(STDOUT_FILENO);

    return group < 0 || group == getpgrp();
}

static void print_block(struct watch *watch, const char *text, FILE *out)
{
    struct winsize size = { .ws_row = 0 };

    if (!watch->redraws) {
        fprintf(out, "%s\n", text);
        return;
    }
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    screen_draw(&watch->screen, text, watch->style.width, size.ws_row ? size.ws_row : 24, out);
}

static bool send_text(struct watch *watch, struct error *err)
{
    AUTO_FREE char *block = NULL;
    AUTO_FREE char *text = NULL;
    size_t block_length, length;
    FILE *out;

    if (watch->redraws && !has_terminal()) {
        watch->screen.lines = 0;
        return true;
    }
    if (watch->redraws)
        watch->style.width = terminal_width(stdout);
    out = open_memstream(&block, &block_length);
    if (!out)
        return error_errno(err, "cannot show the update");
    watch_write_text(&watch->view, &watch->style, out);
    if (fclose(out) != 0 || !(out = open_memstream(&text, &length)))
        return error_errno(err, "cannot show the update");
    print_block(watch, block, out);
    return fclose(out) == 0 ? send_all(watch, STDOUT_FILENO, text, length, err)
                            : error_errno(err, "cannot show the update");
}

/* first: the list of sources, whose domains the updates are about. */
static bool send_json(struct watch *watch, bool first, struct error *err)
{
    AUTO_FREE char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool written;

    if (!out)
        return error_errno(err, "cannot write the update");
    written = first ? sources_write_json(watch->sources, out, true, err) : watch_write_json(&watch->view, out, err);
    if (fclose(out) != 0 && written)
        return error_errno(err, "cannot write the update");
    if (!written)
        return false;
    return send_all(watch, fileno(watch->json.file), text, length, err) || output_failed(&watch->json, err);
}

static void count_scopes_anew(struct watch *watch)
{
    AUTO_NOTICES struct notices reported = { .count = 0 };

    for (enum scope scope = 0; scope < SCOPE_COUNT; scope++)
        IGNORED(scope_count(&watch->sources->meter, scope, &watch->view.countings[scope], &reported, NULL),
                "a scope without a figure is shown so");
    watch->sources->counting = watch->view.countings[watch->sources->scope];
}

static bool print_watch(struct watch *watch, struct error *err)
{
    struct watch_view *view = &watch->view;

    if (cross_steps_take(&watch->steps, &watch->sources->meter, &watch->sources->counting, &watch->sample))
        count_scopes_anew(watch);
    view->realtime_ns = clock_realtime_ns();
    power_update(&watch->power, &view->update);
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        view->totals[i] = power_total(&watch->power, &view->update, &view->countings[i]);
    notices_clear(&view->notices);
    /* before the first update nothing can be known */
    if (view->update.interval_s > 0)
        power_notices(&watch->power, &watch->sources->counting, &view->totals[watch->sources->scope], &view->notices);
    return (!watch->has_json || send_json(watch, false, err)) && (!watch->prints || send_text(watch, err));
}

/* What does not change while one watches stands above. */
static bool send_heading(struct watch *watch, struct error *err)
{
    const struct sources *sources = watch->sources;
    AUTO_FREE char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return error_errno(err, "cannot show the sources");
    if (!sources->meter.root->live)
        fprintf(out, "a recorded machine: %s\n", sources->meter.root->path);
    for (size_t i = 0; i < sources->notices.count; i++)
        terminal_notice_in(out, &sources->notices.item[i], watch->style.colour,
                           watch->redraws ? terminal_width(stdout) : 0);
    if (ftell(out) > 0)
        fputc('\n', out);
    return fclose(out) == 0 ? send_all(watch, STDOUT_FILENO, text, length, err)
                            : error_errno(err, "cannot show the sources");
}

/* The one place that says when to wake up. */
static uint64_t next_wake_ns(const struct watch *watch)
{
    const uint64_t first_ns =
        watch->next_update_ns < watch->next_keep_alive_ns ? watch->next_update_ns : watch->next_keep_alive_ns;

    return watch->next_poll_ns < first_ns ? watch->next_poll_ns : first_ns;
}

static void take_signals(struct watch *watch)
{
    struct signalfd_siginfo info;

    while (read(watch->signal_fd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCONT)
            watch->screen.lines = 0; /* others have written meanwhile */
        else
            watch->ended = true;
    }
}

/* Until it is time, or a signal comes, or nobody reads standard output any more. */
static void sleep_until(struct watch *watch, uint64_t until_ns)
{
    struct pollfd waits[] = { { .fd = watch->signal_fd, .events = POLLIN }, { .fd = STDOUT_FILENO } };
    const uint64_t now_ns = clock_monotonic_ns(), left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    const struct timespec left = { (time_t)(left_ns / NS_PER_S_INT), (long)(left_ns % NS_PER_S_INT) };

    if (ppoll(waits, 2, &left, NULL) <= 0)
        return;
    if (waits[0].revents)
        take_signals(watch);
    watch->ended |= waits[1].revents != 0;
}

static void take_sample(struct watch *watch)
{
    meter_sample(&watch->sources->meter, &watch->sample);
    watch->next_keep_alive_ns = watch->sample.time_ns + meter_look_ns(&watch->sources->meter);
    watch->next_poll_ns = watch->poll_ns ? watch->sample.time_ns + watch->poll_ns : UINT64_MAX;
}

/* most: updates; 0: no end. */
static bool watch_loop(struct watch *watch, uint64_t max, struct error *err)
{
    uint64_t shown = 0;

    take_sample(watch);
    power_begin(&watch->power, &watch->sources->meter, &watch->sample);
    cross_steps_begin(&watch->steps, &watch->sample, CROSS_STEP_NS);
    watch->next_update_ns = watch->sample.time_ns + watch->interval_ns;
    /* an empty terminal would look as if nothing happened */
    if (watch->prints && watch->redraws && !print_watch(watch, err))
        return false;
    while (!watch->ended && (!max || shown < max)) {
        uint64_t now_ns;

        sleep_until(watch, next_wake_ns(watch));
        now_ns = clock_monotonic_ns();
        if (watch->ended || now_ns < next_wake_ns(watch))
            continue;
        if (now_ns >= watch->next_poll_ns) {
            meter_poll(&watch->sources->meter);
            watch->next_poll_ns = now_ns + watch->poll_ns;
        }
        if (now_ns < watch->next_update_ns && now_ns < watch->next_keep_alive_ns)
            continue;
        take_sample(watch);
        power_take(&watch->power, &watch->sample);
        if (now_ns < watch->next_update_ns)
            continue;
        /* a late wake-up drops updates; it does not bunch them */
        watch->next_update_ns += watch->interval_ns * ((now_ns - watch->next_update_ns) / watch->interval_ns + 1);
        shown++;
        if (!print_watch(watch, err))
            return false;
    }
    return true;
}

static bool open_signals(struct watch *watch, struct error *err)
{
    static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGCONT };
    struct sigaction now;
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (sigaction(taken[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&set, taken[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    watch->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return watch->signal_fd >= 0 || error_errno(err, "cannot install signal handlers");
}

/* Each scope by itself, for the totals that stand beside. */
static bool count_scopes(struct watch *watch, struct error *err)
{
    AUTO_NOTICES struct notices reported_by_sources = { .count = 0 };

    if (!watch->sources->measurable) {
        *err = watch->sources->refusal;
        return false;
    }
    for (enum scope scope = 0; scope < SCOPE_COUNT; scope++)
        if (!scope_count(&watch->sources->meter, scope, &watch->view.countings[scope], &reported_by_sources, err) &&
            scope == watch->sources->scope)
            return false;
    return true;
}

static bool watch_with(struct watch *watch, const struct settings *settings, struct error *err)
{
    const char *json = settings_text(settings, &option_json);
    bool done;

    watch->prints = !json || strcmp(json, "-") != 0;
    watch->redraws = watch->prints && terminal_redraws(stdout);
    watch->style.colour = terminal_colour(settings, stdout);
    watch->style.mark = watch->style.colour && terminal_utf8() ? "●" : "*";
    watch->poll_ns = meter_poll_ns(&watch->sources->meter);
    watch->interval_ns = (uint64_t)(settings_number(settings, &option_interval) * NS_PER_S);
    watch->view.sources = watch->sources;
    watch->view.sample = &watch->sample;
    if (!count_scopes(watch, err) || !open_signals(watch, err) || (json && !output_open(&watch->json, json, err)))
        return false;
    watch->has_json = json != NULL;
    done = (!watch->has_json || send_json(watch, true, err)) && (!watch->prints || send_heading(watch, err)) &&
           watch_loop(watch, (uint64_t)settings_number(settings, &option_count), err);
    /* what the terminal echoed of Ctrl-C stands below the figures */
    if (watch->redraws && has_terminal())
        IGNORED(write(STDOUT_FILENO, "\r\033[J", 4), "the terminal has gone");
    return watch->has_json ? output_end(&watch->json, done, err) : done;
}

bool watch_sources(struct sources *sources, const struct settings *settings, struct error *err)
{
    struct watch *watch = calloc(1, sizeof *watch);
    bool done;

    terminal_let_go();
    if (!watch)
        return error_errno(err, "cannot watch the sources");
    watch->sources = sources;
    watch->signal_fd = -1;
    done = watch_with(watch, settings, err);
    if (watch->signal_fd >= 0)
        close(watch->signal_fd);
    notices_clear(&watch->view.notices);
    free(watch);
    return done;
}
