/* SPDX-License-Identifier: MIT
 * The steps of a recipe around the one that is measured. */
#include "commands/model/model_work.h"

#include "app/captured_output.h"
#include "app/pending_signals.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/units.h"
#include "form/shell.h"
#include "run/exec_error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Of the output of a step that failed, so many lines are shown. */

static char *const *environment_of(const struct model_work *work)
{
    char *const *variables = work->campaign.session.environment.variables;

    return variables ? variables : environ;
}

/* Ersilia is installed by pip; of what else a recipe names nothing is known. */
static void missing_program(const struct model_work *work, enum recipe_step step, struct error *err)
{
    error_why(err, "not on PATH; the step '%s' of the recipe '%.60s' needs it, and nothing has been run yet%s",
              recipe_step_name(step), work->recipe.name,
              strcmp(work->recipe.name, "ersilia") == 0 ? "; https://github.com/ersilia-os/ersilia has it" : "");
    error_fix(err, "carbon help model");
}

bool model_steps_check(const struct model_work *work, int *status, struct error *err)
{
    const char *search = environment_value(environment_of(work), "PATH");

    for (size_t i = 0; i < RECIPE_STEPS; i++) {
        const char *program = work->sizes[0].words[i] ? work->sizes[0].words[i][0] : NULL;
        if (!program || exec_is_there(program, search))
            continue;
        *status = exec_error(program, search, ENOENT, err);
        if (err->fix_use != FIX_PROGRAM)
            missing_program(work, (enum recipe_step)i, err);
        return false;
    }
    return true;
}

static void note_signal(struct model_work *work, int number)
{
    if (!work->interrupted)
        work->interrupted = number;
}

static bool is_interrupted(struct model_work *work)
{
    note_signal(work, first_pending_signal());
    return work->interrupted != 0;
}

/* Where both outputs of a step go: a file without a name, or with --verbose to standard error. */
static int open_log(const struct model_work *work, struct error *err)
{
    const bool shown = settings_flag(work->settings, &option_model_verbose);
    const int log = shown ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : work_folders_unnamed(&work->folders);

    if (log < 0 && !shown)
        error_errno(err, "cannot keep what a step says in '%s'", work->folders.work);
    return log;
}

static void show_progress(const struct model_work *work, char *const *words)
{
    struct text line;

    if (!work->campaign.session.progress || settings_flag(work->settings, &option_model_verbose))
        return;
    text_open(&line, 4096);
    shell_command(words, &line);
    terminal_progress("%.100s", text_ok(&line) && line.data ? line.data : "");
    text_close(&line);
}

/* One step of a size. False: it failed, as has been reported, or a signal came. */
static bool do_step(struct model_work *work, const struct model_size *size, enum recipe_step step, bool shielded)
{
    char *const *words = size->words[step];
    struct side_command_options options = { .signals = &work->signals,
                                            .environment = environment_of(work),
                                            .shielded = shielded };
    struct side_command_end end;
    struct error err = { .kind = ERROR_NONE };
    AUTO_CLOSE int log = words ? open_log(work, &err) : -1;
    bool ran;

    if (!words)
        return true;
    if (log < 0) {
        work->status = terminal_fail(&err, STATUS_CARBON_FAILED);
        return false;
    }
    options.argv = words;
    options.output_fd = log;
    work->begun = true;
    show_progress(work, words);
    ran = side_command_run(&options, &end, &err);
    if (work->campaign.session.progress)
        terminal_progress_done();
    note_signal(work, end.interrupted);
    if (ran && end.exit_status == 0)
        return shielded || !work->interrupted;
    if (ran && work->interrupted && !shielded)
        return false;
    if (ran) {
        error_set(&err, ERROR_SYSTEM, "the step '%s' failed: '%.80s' ended with status %d", recipe_step_name(step),
                  words[0], end.exit_status);
        if (settings_flag(work->settings, &option_model_verbose))
            error_why(&err, "its own messages are above");
        else
            print_captured_output(log, recipe_step_name(step), NULL);
    }
    terminal_fail(&err, 0);
    if (!work->status)
        work->status = STATUS_IN_PART;
    return false;
}

static bool find_container(struct model_work *work)
{
    struct error err;

    if (!work->container)
        return true;
    if (!attach_options_container(&work->attach, work->engines, work->engine_count, work->container, &err)) {
        work->status = terminal_fail(&err, work->attach.not_there ? STATUS_NO_TARGET : STATUS_CARBON_FAILED);
        return false;
    }
    work->campaign.session.report.target = work->attach.about;
    return true;
}

/* What an earlier size has left is none of this one's. */
static bool prepare(struct model_work *work, size_t i)
{
    if (work->sizes[i].prepared)
        return true;
    unlink(work->input);
    unlink(work->output);
    work->sizes[i].prepared = do_step(work, &work->sizes[i], RECIPE_EXAMPLE, false);
    work->sizes[i].failed = !work->sizes[i].prepared;
    return work->sizes[i].prepared;
}

bool model_steps_begin(struct model_work *work)
{
    return !is_interrupted(work) && do_step(work, &work->sizes[0], RECIPE_FETCH, false) && !is_interrupted(work) &&
           do_step(work, &work->sizes[0], RECIPE_SERVE, false) && !is_interrupted(work) && find_container(work) &&
           !is_interrupted(work) && prepare(work, 0) && !is_interrupted(work);
}

void model_steps_end(struct model_work *work)
{
    is_interrupted(work);
    if (work->begun)
        IGNORED(do_step(work, &work->sizes[0], RECIPE_CLOSE, true), "the results stand already");
    is_interrupted(work);
}

bool model_before_run(struct campaign *campaign, const struct workload_place *place, struct error *err)
{
    struct model_work *work = campaign->context;
    struct workload_command *command = &campaign->commands[place->command];

    if (campaign->session.progress)
        terminal_progress_done();
    if (!prepare(work, place->command))
        return error_set(err, ERROR_SYSTEM, "no example of %zu inputs", work->rows[place->command].inputs);
    command->limit_ns = work->limit_ns;
    if (work->attach.attached)
        command->target = &work->attach.target;
    return true;
}

bool model_after_run(struct campaign *campaign, const struct workload_place *place, const struct run *run)
{
    struct model_work *work = campaign->context;
    struct model_size *size = &work->sizes[place->command];
    struct error err;
    char limit[UNITS_SIZE];

    if (!run)
        return false;
    size->timed_out |= run->timed_out;
    size->failed |=
        run->end.exit_status != 0 && !run->timed_out && !settings_flag(work->settings, &option_ignore_failure);
    if (!run->timed_out)
        return true;
    error_set(&err, ERROR_SYSTEM, "the run of %zu inputs took longer than %s, and was ended",
              work->rows[place->command].inputs, units_duration(s_from_ns(work->limit_ns), limit));
    if (place->command + 1 < work->size_count)
        error_why(&err, "larger ones are not run");
    terminal_fail(&err, 0);
    return false;
}
