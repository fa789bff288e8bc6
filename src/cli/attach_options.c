/* SPDX-License-Identifier: MIT
 * The options of carbon measure that name something which runs already. */
#include "cli/attach_options.h"

#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_S (366 * 86400.0)

/* "60", "60s", "5m", "1.5h"; 0: it is none. */
static double seconds_of(const char *text)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = { { "s", 1 }, { "m", 60 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 } };
    char number[32];
    const size_t digits = strspn(text, "0123456789.");
    double value, unit = text[digits] ? 0 : 1;

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(text + digits, units[i].name) == 0)
            unit = units[i].seconds;
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return unit > 0 && digits < sizeof number && text_to_number(number, &value) ? value * unit : 0;
}

static bool check_for(const char *text, struct error *err)
{
    const double seconds = seconds_of(text);

    if (seconds >= 0.01 && seconds <= LONGEST_S)
        return true;
    error_set(err, ERROR_USAGE, "it is no time from 0.01 s to 366 d");
    return error_fix(err, "as in --for 60s, --for 5m or --for 2h");
}

const struct option_spec option_pid = {
    .name = "pid",
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "Measuring",
    .help = "measure this process and its descendants, which run already",
    .least = 1,
    .most = 4194304,
    .line_only = true,
};
const struct option_spec option_cgroup = {
    .name = "cgroup",
    .kind = OPTION_FILE,
    .argument = "<path>",
    .group = "Measuring",
    .help = "measure what runs in this cgroup",
    .line_only = true,
};
const struct option_spec option_for = {
    .name = "for",
    .kind = OPTION_TEXT,
    .argument = "<time>",
    .group = "Measuring",
    .help = "with one of these: end after 60s, 5m, 2h ...; without it at its end or at Ctrl-C",
    .check = check_for,
    .line_only = true,
};

static bool refuse(struct error *err, const char *what, const char *why, const char *fix)
{
    error_set(err, ERROR_USAGE, "%s", what);
    error_why(err, "%s", why);
    return error_fix(err, "%s", fix);
}

/* The command line asks for more; what a configuration says is meant for commands. */
static bool asks(const struct settings *settings, const struct option_spec *option, double most)
{
    return settings_origin(settings, option) == ORIGIN_LINE && settings_number(settings, option) > most;
}

bool attach_options_check(const struct command_line *line, struct error *err)
{
    const struct settings *settings = &line->settings;
    const bool pid = settings_text(settings, &option_pid) != NULL,
               cgroup = settings_text(settings, &option_cgroup) != NULL;
    const bool until = settings_text(settings, &option_for) != NULL, command = line->operand_count > 0;

    if (pid && cgroup)
        return refuse(err, "--pid and --cgroup cannot go together", "one thing is measured at a time",
                      "choose one of them");
    if (!pid && !cgroup && until)
        return refuse(err, "--for needs --pid or --cgroup", "a command is measured until it ends", "leave --for out");
    if (!pid && !cgroup && !command) {
        error_set(err, ERROR_USAGE, "'carbon measure' needs more to work on");
        return error_why(err, "it is used as: carbon measure %s", line->command->synopsis);
    }
    if ((!pid && !cgroup) || (command && !until))
        return true;
    if (command)
        return refuse(err, "--for has no use beside a command", "the command's end is the end",
                      "leave one of them out");
    if (asks(settings, &option_runs, 1) || asks(settings, &option_warmup, 0))
        return refuse(err, "what runs already cannot be run again", "--runs and --warmup are of a command",
                      "leave them out, or give a command that is its client");
    if (settings_flag(settings, &option_marks) || settings_text(settings, &option_phase))
        return refuse(err, "what runs already cannot mark phases", "it has no descriptor for its marks",
                      "leave --marks and --phase out");
    return true;
}

bool attach_options_open(struct attach_options *attach, const struct settings *settings, struct error *err)
{
    const char *pid = settings_text(settings, &option_pid), *cgroup = settings_text(settings, &option_cgroup);
    const char *until = settings_text(settings, &option_for);

    if (until)
        attach->for_ns = (uint64_t)(seconds_of(until) * NS_PER_S);
    if (!pid && !cgroup)
        return true;
    if (!(pid ? target_open_pid(&attach->target, (pid_t)strtol(pid, NULL, 10), err)
              : target_open_cgroup(&attach->target, cgroup, err)))
        return false;
    attach->attached = true;
    if (pid)
        snprintf(attach->about, sizeof attach->about, "process %s (%.200s)", pid, target_name(&attach->target));
    else
        snprintf(attach->about, sizeof attach->about, "cgroup %.250s", target_name(&attach->target));
    return true;
}
