/* SPDX-License-Identifier: MIT
 * The options of carbon measure that name something which runs already. */
#include "app/attach_options.h"

#include "base/text.h"
#include "base/units.h"
#include "container/container.h"
#include "container/engine_open.h"
#include "target/target_container.h"
#include "target/target_pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_spec option_pid =
    OPTION(COUNT, "Measuring", "pid", .argument = "<n>", .help = "measure a running process and its descendants",
           .sample = "$$", .min = 1, .max = 4194304, .repeated = true, .cli_only = true);
const struct option_spec option_cgroup = OPTION(FILE, "Measuring", "cgroup", .file = FILE_FOLDER, .argument = "<path>",
                                                .help = "measure a running cgroup", .cli_only = true);
const struct option_spec option_container =
    OPTION(TEXT, "Measuring", "container", .argument = "<name>",
           .help = "measure a running container (ID, name, label or image)", .cli_only = true);
static const char *const engine_choices[] = { "docker", "podman", NULL };
const struct option_spec option_engine =
    OPTION(CHOICE, "Measuring", "engine", .argument = "<engine>",
           .help = "container engine (default: all that respond)", .choices = engine_choices);
const struct option_spec option_pod =
    OPTION(TEXT, "Measuring", "pod", .argument = "<name>",
           .help = "measure a Kubernetes pod (name, namespace/name or UID)", .cli_only = true);
const struct option_spec option_for =
    OPTION(NUMBER, "Measuring", "for", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = 0.01,
           .max = LONGEST_S, .help = "how long to measure it (default: to its end)", .cli_only = true);

const struct option_spec option_run =
    OPTION(TEXT, "Measuring", "run", .argument = "<image>", .help = "run the command in a new container of this image",
           .cli_only = true);

/* `omitted`: the option that the fix omits. */
static bool fail_with_target(struct error *err, const char *what, const char *why, const struct option_spec *omitted)
{
    error_set(err, ERROR_USAGE, "%s", what);
    error_why(err, "%s", why);
    return option_omit(omitted, err);
}

/* An explicit option is an error; a configuration setting is meant for commands and ignored. */
static bool asks(const struct settings *settings, const struct option_spec *option, double max)
{
    return settings_origin(settings, option) == ORIGIN_LINE && settings_number(settings, option) > max;
}

static const struct option_spec *const named[] = { &option_pid, &option_cgroup, &option_container, &option_pod };

enum { NAMED = sizeof named / sizeof named[0] };

/* Which of them names what is to be watched; NULL: none. Two are refused. */
static bool find_named(const struct settings *settings, const struct option_spec **one, struct error *err)
{
    *one = NULL;
    for (size_t i = 0; i < NAMED; i++) {
        if (!settings_text(settings, named[i]))
            continue;
        if (*one) {
            options_clash(*one, named[i], err);
            return error_why(err, "one thing is measured at a time");
        }
        *one = named[i];
    }
    return true;
}

static bool check_alone(const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;

    if (settings_text(settings, &option_for))
        return fail_with_target(err, "--for needs --pid, --cgroup, --container or --pod",
                                "a command is measured until it ends", &option_for);
    if (line->operand_count > 0 || settings_text(settings, &option_run))
        return true;
    error_set(err, ERROR_USAGE, "'carbon %s' needs an argument", line->command->name);
    error_why(err, "usage: carbon %s %.*s", line->command->name, (int)strcspn(line->command->synopsis, "\n"),
              line->command->synopsis);
    return error_fix(err, "carbon %s -- sleep 1", line->command->name);
}

bool attach_options_check(const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    const bool until = settings_text(settings, &option_for) != NULL, command = line->operand_count > 0;
    const struct option_spec *one;

    if (!find_named(settings, &one, err))
        return false;
    if (one != &option_container && !settings_text(settings, &option_run) &&
        settings_origin(settings, &option_engine) == ORIGIN_LINE)
        return fail_with_target(err, "--engine needs --container or --run", "nothing else is an engine's",
                                &option_engine);
    if (!one)
        return check_alone(line, err);
    if (command && !until)
        return true;
    if (command)
        return fail_with_target(err, "--for cannot be used with a command", "the command's end is the end",
                                &option_for);
    if (asks(settings, &option_runs, 1) || asks(settings, &option_warmup, 0))
        return fail_with_target(err, "a running target cannot be run again", "--runs and --warmup are of a command",
                                asks(settings, &option_runs, 1) ? &option_runs : &option_warmup);
    if (settings_flag(settings, &option_marks) || settings_text(settings, &option_phase))
        return fail_with_target(err, "a running target cannot mark phases", "it has no descriptor for its marks",
                                settings_flag(settings, &option_marks) ? &option_marks : &option_phase);
    return true;
}

static bool is_of_nothing(const struct error *err)
{
    return err->kind == ERROR_ABSENT || err->kind == ERROR_USAGE;
}

/* What was not found may be another engine's, which this user may not ask. */
static void add_denied(const struct engine *asked, struct error *err)
{
    const enum engine_kind other = asked->kind == ENGINE_DOCKER ? ENGINE_PODMAN : ENGINE_DOCKER;
    struct engine engine;
    struct error denied;
    char why[sizeof err->why];

    if (engine_open(&engine, other, &denied) || denied.kind != ERROR_DENIED)
        return;
    snprintf(why, sizeof why, "%.140s; %.8s was not asked: %.80s", err->why, engine_name(other), denied.why);
    text_copy(err->why, sizeof err->why, why);
}

size_t attach_options_engines(struct engine engines[ENGINE_KINDS], const struct settings *settings, struct error *err)
{
    const char *kind_name = settings_text(settings, &option_engine);
    enum engine_kind kind;

    if (kind_name && engine_kind_of(kind_name, &kind))
        return engine_open(&engines[0], kind, err);
    return engines_open(engines, err);
}

bool attach_options_container(struct attach_options *attach, const struct engine *engines, size_t count,
                              const char *wanted, struct error *err)
{
    const struct engine *engine;
    struct container container;
    char shown[ENGINE_SHOWN_SIZE];

    if (!container_find(engines, count, wanted, &engine, &container, err) ||
        !target_open_container(&attach->target, engine, &container, err)) {
        attach->not_there = is_of_nothing(err);
        return false;
    }
    snprintf(attach->about, sizeof attach->about, "container %.127s (%s, %.12s)", container.name,
             engine_shown(engine, shown), container.id);
    attach->attached = true;
    return true;
}

static bool open_container(struct attach_options *attach, const struct settings *settings, struct error *err)
{
    struct engine engines[ENGINE_KINDS];
    const size_t count = attach_options_engines(engines, settings, err);

    if (!count)
        return false;
    if (attach_options_container(attach, engines, count, settings_text(settings, &option_container), err))
        return true;
    if (err->kind == ERROR_ABSENT && count == 1 && !settings_text(settings, &option_engine))
        add_denied(&engines[0], err);
    return false;
}

static bool open_pod(struct attach_options *attach, const char *pod, struct error *err)
{
    if (!target_open_pod(&attach->target, pod, err)) {
        attach->not_there = is_of_nothing(err);
        return false;
    }
    snprintf(attach->about, sizeof attach->about, "pod %.250s", target_name(&attach->target));
    return true;
}

static bool open_pids(struct attach_options *attach, const char *const *texts, struct error *err)
{
    pid_t pids[SETTINGS_REPEATS];
    size_t count = 0;

    for (; *texts; texts++) {
        const pid_t pid = (pid_t)strtol(*texts, NULL, 10);
        size_t same = 0;
        while (same < count && pids[same] != pid)
            same++;
        pids[same] = pid;
        count += same == count;
    }
    if (!target_open_pids(&attach->target, pids, count, err))
        return false;
    if (count == 1)
        snprintf(attach->about, sizeof attach->about, "process %d (%.200s)", pids[0], target_name(&attach->target));
    else
        snprintf(attach->about, sizeof attach->about, "processes %.250s", target_name(&attach->target));
    return true;
}

static bool open_cgroup(struct attach_options *attach, const char *path, struct error *err)
{
    if (!target_open_cgroup(&attach->target, path, err))
        return false;
    snprintf(attach->about, sizeof attach->about, "cgroup %.250s", target_name(&attach->target));
    return true;
}

bool attach_options_open(struct attach_options *attach, const struct settings *settings, struct error *err)
{
    const double for_s = settings_number(settings, &option_for);
    const struct option_spec *one;

    if (isfinite(for_s))
        attach->for_ns = (uint64_t)(for_s * NS_PER_S);
    if (!find_named(settings, &one, err))
        return false;
    if (one == &option_container)
        attach->attached = open_container(attach, settings, err);
    else if (one == &option_pod)
        attach->attached = open_pod(attach, settings_text(settings, one), err);
    else if (one == &option_pid)
        attach->attached = open_pids(attach, settings_texts(settings, one), err);
    else if (one)
        attach->attached = open_cgroup(attach, settings_text(settings, one), err);
    return attach->attached || !one;
}

void attach_options_note(const struct attach_options *attach, struct notices *notices)
{
    if (attach->attached && attach->target.may_miss_end)
        notice_add(notices, NOTICE_USAGE,
                   "its control group cannot be read here, and its engine, which was asked, answers late",
                   "call carbon where the control groups of the machine are to be seen",
                   "what %s used is good to about a second of its work", attach->about);
}

void attach_options_close(struct attach_options *attach)
{
    if (attach->attached)
        target_close(&attach->target);
}

void attach_options_name(const struct attach_options *attach, struct report *report)
{
    if (attach->attached)
        report->target = attach->about;
    if (report->command[0])
        return;
    /* where it may run is not carbon's to say */
    report->cpus[0] = '\0';
    report->cpus_from = NULL;
    report->job_cpus = 0;
}

bool attach_options_await_signal(const struct attach_options *attach, const struct report *report)
{
    return attach->attached && !report->command[0] && !attach->for_ns;
}

bool attach_options_marks(struct marks_options *marks, const struct settings *settings, struct error *err)
{
    marks->written = settings_flag(settings, &option_marks);
    marks->phrase = settings_text(settings, &option_phase);
    marks->pattern = marks->phrase ? pattern_open(marks->phrase, err) : NULL;
    marks->matched = marks->pattern != NULL;
    return marks->matched || !marks->phrase;
}
