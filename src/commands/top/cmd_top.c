/* SPDX-License-Identifier: MIT
 * `carbon top`: who on this machine draws the power now. */
#include "app/options/command.h"

#include "app/command_work.h"
#include "app/container_names.h"
#include "app/csv_file.h"
#include "app/live_machine.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "commands/top/top_loop.h"
#include "commands/top/top_options.h"
#include "run/privileges.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_OF_TEXT = 20, GROUPS_AT_MOST = 1000000, PASSWD_SIZE = 4096 };

/* A user's name is asked for once. */
struct user {
    uid_t id;
    char name[64];
};

struct top {
    const struct settings *settings;
    struct live_machine live;
    struct collector collector;
    struct container_names names;
    struct top_loop loop;
    struct output json, csv;
    struct user *users;
    size_t user_count;
};

static const struct user *find_user(const struct top *top, uid_t id)
{
    for (size_t i = 0; i < top->user_count; i++)
        if (top->users[i].id == id)
            return &top->users[i];
    return NULL;
}

/* On a recorded machine the numbers are others' than here. */
static void ask_name(const struct top *top, struct user *user)
{
    char memory[PASSWD_SIZE];
    struct passwd entry, *found = NULL;

    snprintf(user->name, sizeof user->name, "%u", (unsigned)user->id);
    if (top->live.root.live && getpwuid_r(user->id, &entry, memory, sizeof memory, &found) == 0 && found)
        utf8_printable(user->name, sizeof user->name, found->pw_name);
}

static void name_user(void *context, uid_t id, char *name, size_t size)
{
    struct top *top = context;
    const struct user *known = find_user(top, id);
    struct user user = { .id = id };

    if (!known) {
        struct user *users = reallocarray(top->users, top->user_count + 1, sizeof *users);
        ask_name(top, &user);
        if (users) {
            top->users = users;
            top->users[top->user_count++] = user;
        }
    }
    text_copy(name, size, known ? known->name : user.name);
}

/* All kinds, where a key may ask for any; without control groups there are processes and users. */
static bool open_groups(struct top *top, struct error *err)
{
    struct collector *collector = &top->collector;
    struct groups *groups = &collector->groups;
    struct error refusal = { .kind = ERROR_NONE };

    collector->ask_fd = -1;
    groups->max = GROUPS_AT_MOST;
    groups->wanted[top->loop.choice.by] = true;
    if (!top->loop.keys)
        return collector_open_groups(collector, err);
    memset(groups->wanted, true, sizeof groups->wanted);
    if (collector_open_groups(collector, &refusal))
        return true;
    memset(groups->wanted, false, sizeof groups->wanted);
    groups->wanted[GROUP_PROCESS] = groups->wanted[GROUP_USER] = true;
    return collector_open_groups(collector, err);
}

/* Of Docker and podman, without ever waiting for them: a name that comes late is in the next update. An ordinary user's
 * engine is asked for his own containers alone. */
static bool open_names(struct top *top, struct error *err)
{
    struct collector *collector = &top->collector;
    struct groups *groups = &collector->groups;

    if (!groups->wanted[GROUP_CONTAINER] || !top->live.root.live)
        return true;
    if (geteuid() != 0)
        snprintf(groups->asks_as, sizeof groups->asks_as, "%u", (unsigned)geteuid());
    if (!container_names_open(&top->names, NULL, err))
        return false;
    collector->ask_fd = top->names.process.fd;
    return true;
}

static bool open_files(struct top *top, struct error *err)
{
    const struct settings *settings = top->settings;
    const char *json = settings_text(settings, &option_json), *csv = settings_text(settings, &option_csv);
    struct top_loop *loop = &top->loop;

    loop->prints = !(json && strcmp(json, "-") == 0) && !(csv && strcmp(csv, "-") == 0);
    loop->json = json ? &top->json : NULL;
    loop->csv = csv ? &top->csv : NULL;
    return (!json || output_open(&top->json, json, err)) &&
           csv_file_open_lines(csv, settings_flag(settings, &option_csv_safe), &top->csv, err);
}

static void choose(struct top *top)
{
    const struct settings *settings = top->settings;
    const double for_s = settings_number(settings, &option_top_for);
    struct top_loop *loop = &top->loop;

    top_choose(settings, &loop->choice);
    loop->once = settings_flag(settings, &option_top_once);
    loop->for_ns = isnan(for_s) ? 0 : (uint64_t)(for_s * NS_PER_S);
    loop->interval_ns = loop->once && loop->for_ns
                            ? loop->for_ns
                            : (uint64_t)(settings_number(settings, &option_top_interval) * NS_PER_S);
    if (loop->once)
        loop->for_ns = 0;
    if (loop->once && loop->prints)
        terminal_hold();
    loop->keys = loop->prints && !loop->once && terminal_redraws(stdout) && top_terminal_is_ours();
    loop->style.colour = terminal_colour(settings, stdout);
    loop->style.utf8 = terminal_utf8();
    loop->style.max_rows =
        settings_origin(settings, &option_top_rows) == ORIGIN_STANDARD ? ROWS_OF_TEXT : loop->choice.max_rows;
    loop->user_name = name_user;
    loop->context = top;
    loop->collector = &top->collector;
    loop->notices = &top->live.notices;
    loop->signal_fd = -1;
}

static bool open_machine(struct top *top, struct error *err)
{
    return live_machine_open_root(&top->live, top->settings, err) &&
           live_machine_open(&top->live, top->settings, err) && privileges_lower(err) &&
           live_machine_begin(&top->live, top->settings, &top->collector, err);
}

static int run(void *context, const struct command_line *line)
{
    struct top *top = context;
    struct error err = { .kind = ERROR_NONE };
    bool done;

    top->settings = &line->settings;
    top->live.root.fd = top->names.process.fd = -1;
    if (!open_machine(top, &err) || !open_files(top, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    choose(top);
    done = open_groups(top, &err) && open_names(top, &err) && top_run(&top->loop, &err);
    if (top->loop.json)
        done = output_end(&top->json, done, &err);
    if (top->loop.csv)
        done = output_end(&top->csv, done, &err);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static void close_top(void *context)
{
    struct top *top = context;

    collector_close(&top->collector);
    container_names_close(&top->names);
    live_machine_close(&top->live);
    free(top->users);
}

static int top_run_command(const struct command_line *line)
{
    return command_run_with(sizeof(struct top), line, run, close_top);
}

COMMAND(cmd_top) = {
    .name = "top",
    .purpose = "show who draws the power of this machine, live",
    .synopsis = "[options]",
    .options = OPTIONS(&option_top_by, &option_top_sort, &option_top_filter, &option_top_rows, &option_top_once,
                       &option_top_for, &option_top_interval, &option_output, &option_json, &option_csv,
                       &option_csv_safe, COUNTER_OPTIONS, SITE_OPTIONS, FACTOR_OPTIONS, COLOR_OPTIONS),
    .common = COMMON("by", "sort", "filter", "once", "for", "interval", "json", "csv", "zone", "pue", "source"),
    .examples = EXAMPLES("carbon top", "carbon top --by container --sort energy", "carbon top --once --json -",
                         "carbon top --for 1m --csv top.csv --zone FR"),
    .schemas = SCHEMAS(&top_schema),
    .run = top_run_command,
    .about =
        "Show live which processes, users, control groups, containers, pods or jobs of Slurm draw the power of this "
        "machine: watts now, joules since the start, share of the CPUs and gCO2eq per hour. Idle and not attributed "
        "power have lines of their own, so that all lines add up to the power of the machine.",
};
