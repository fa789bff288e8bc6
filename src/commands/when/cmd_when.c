/* SPDX-License-Identifier: MIT
 * `carbon when`: when, and where, a job would emit least; and, with --wait, the job itself at that time. */
#include "app/options/command.h"

#include "app/command_work.h"
#include "app/options/live_options.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/units.h"
#include "commands/when/sleep_until.h"
#include "commands/when/when.h"
#include "form/output.h"
#include "io/local_time.h"
#include "run/exec_error.h"
#include "run/privileges.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A later start, or another zone, is better. */
enum { STATUS_OTHER = 1 };

static bool print_when(const struct when *when, const struct settings *settings, FILE *out, struct error *err)
{
    const char *json = settings_text(settings, &option_json);
    const bool quiet = settings_flag(settings, &option_quiet);
    const bool json_alone = json && strcmp(json, "-") == 0;
    const struct table_style style = style_of(settings, out);
    char text[CLOCK_TEXT_SIZE];
    struct output file;

    if (json && !(output_open(&file, json, err) && output_end(&file, when_json(when, file.file, err), err)))
        return false;
    if (quiet) {
        if (out == stdout && !json_alone)
            fprintf(out, "%s\n", when_is_now(when) ? "now" : local_time_begin(when->start_s, text));
        return true;
    }
    if (json || style.detail == DETAIL_ALL)
        terminal_tell_all(settings, &when->notices);
    if (!json && style.detail == DETAIL_ALL)
        when_table(when, out);
    else if (!json)
        when_answer(when, &style, out);
    return true;
}

static void tell_time_left(uint64_t left_ns)
{
    char text[UNITS_SIZE];

    terminal_progress("the job starts in %s", units_duration((double)(left_ns / NS_PER_S_INT), text));
}

/* Returns only where the command was not run. */
static int run_job(const struct when *when, char **command, const struct sigaction *original_pipe)
{
    const char *search = getenv("PATH");
    struct error err;
    int number = 0;

    if (!exec_is_there(command[0], search)) {
        const int status = exec_error(command[0], search, ENOENT, &err);
        return terminal_fail(&err, status);
    }
    if (!when_is_now(when) &&
        !sleep_until(when->start_s * NS_PER_S_INT, terminal_redraws(stderr) ? tell_time_left : NULL, &number, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    terminal_progress_done();
    if (number)
        return 128 + number;
    if (terminal_finish_stdout(0) != 0)
        return STATUS_CARBON_FAILED;
    sigaction(SIGPIPE, original_pipe, NULL);
    execvp(command[0], command);
    number = exec_error(command[0], search, errno, &err);
    return terminal_fail(&err, number);
}

static int advise(struct when *when, const struct command_line *line, const struct sigaction *original_pipe)
{
    const struct settings *settings = &line->settings;
    const bool wait = settings_flag(settings, &option_wait);
    struct error err = { .kind = ERROR_NONE };
    char *names = NULL;
    const bool good = when_read(line, when, &names, &err) && when_grid(settings, when, &err) &&
                      when_advise(when, &err) && print_when(when, settings, wait ? stderr : stdout, &err);

    free(names); /* the zones' names as typed are not looked at any more */
    for (size_t i = 0; i < when->count; i++)
        intensities_close(&when->zones[i].found);
    if (!good)
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    if (wait)
        return run_job(when, line->operands, original_pipe);
    return terminal_finish_stdout(when_is_now(when) && when->best == 0 ? EXIT_SUCCESS : STATUS_OTHER);
}

/* What is asked and kept is the caller's, and so is the job: the rights go first, and with them sudo's environment. */
static int run_when(const struct command_line *line)
{
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    struct environment environment = { .variables = NULL };
    struct when *when = calloc(1, sizeof *when);
    char **own = environ;
    struct sigaction original_pipe;
    struct error err;
    int status;

    sigaction(SIGPIPE, &ignored, &original_pipe);
    if (!when)
        return command_cannot_start();
    if (privileges_drop(&environment, &err)) {
        if (environment.variables)
            environ = environment.variables;
        status = advise(when, line, &original_pipe);
        environ = own;
    } else {
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    environment_close(&environment);
    notices_clear(&when->notices);
    free(when);
    return status;
}

COMMAND(cmd_when) = {
    .name = "when",
    .purpose = "advise when, and where, a job would emit least",
    .synopsis = "[options] [--wait -- command [argument ...]]",
    .options = OPTIONS(&option_duration, &option_energy, &option_like, &option_until, &option_wait, &option_when_zone,
                       &option_zones, &option_basis, &option_pue, &option_live, &option_intensities, SERVICE_OPTIONS,
                       &option_output, &option_json, DETAIL_OPTIONS),
    .common = COMMON("duration", "energy", "like", "until", "wait", "zone", "zones", "live", "intensities", "pue",
                     "output", "verbose", "quiet"),
    .examples = EXAMPLES("carbon when --zone GB --duration 2h --energy 1.3kWh --until tomorrow",
                         "carbon when --zones GB,DK1 --like run.json",
                         "sbatch --begin=$(carbon when --quiet --zone DE --duration 6h) job.sh",
                         "carbon when --zone GB --duration 2h --until 18:00 --wait -- ./job"),
    .schemas = SCHEMAS(&when_schema),
    .run = run_when,
    .prints_page = true,
    OPERANDS(0, -1, OPERAND_TEXT),
    .runs_command = true,
    .about = "Read the forecast carbon intensity from a service; report the start time with the lowest emissions, and "
             "the saving; with --wait, run the command then.",
};
