/* SPDX-License-Identifier: MIT
 * Finds the command, gathers its settings, runs it. */
#include "app/options/command.h"

#include "app/command_files.h"
#include "app/terminal.h"
#include "app/version.h"
#include "base/debug.h"
#include "base/near.h"
#include "base/redact.h"
#include "base/text.h"
#include "commands/help/config.h"
#include "commands/help/help.h"
#include "run/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A standard stream that is closed would be the number of the next file opened, and what is meant
 * for the stream would end up in that file. The place is held so that using it fails as before, and is
 * closed again for the job. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            IGNORED(open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC),
                    "a stream that is used fails as before");
}

static bool fail_option(const char *word, struct error *err)
{
    static const char *const names[] = { "help", "version", NULL };
    const char *near = word[1] == '-' ? near_of(word + 2, names) : NULL;

    error_set(err, ERROR_USAGE, "unknown option '%s'", word);
    if (near)
        error_why(err, "the nearest option of carbon itself is '--%s'", near);
    else
        error_why(err, "the options of a command follow its name");
    return near ? error_fix(err, "carbon --%s", near) : error_fix(err, "carbon help");
}

/* `carbon`, `carbon --help`, `carbon --version`. */
static int run_itself(const char *word)
{
    struct error err;

    signal(SIGPIPE, SIG_IGN);
    if (!word || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_overview(stdout);
    } else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        terminal_hold();
        version_write(stdout);
    } else {
        fail_option(word, &err);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return terminal_finish_stdout(0);
}

static int fail(const struct error *err)
{
    return terminal_fail(err, STATUS_CARBON_FAILED);
}

static void debug_settings(const struct command_line *line)
{
    char shown[256];

    for (size_t i = 0; debug_is_on(DEBUG_SETTINGS) && i < line->settings.count; i++) {
        const struct setting *setting = &line->settings.items[i];

        if (setting->origin == ORIGIN_STANDARD || !setting->count)
            continue;
        text_copy_redacted(shown, sizeof shown, setting->texts[setting->count - 1]);
        debug_tell(DEBUG_SETTINGS, "%s = %s (%s%s%s)", setting->option->name, shown,
                   option_origin_name(setting->origin), setting->where[0] ? " " : "", setting->where);
    }
}

/* From the command line or the environment, so that what the configuration file does is seen, too. */
static bool begin_debug(const struct command_line *line, struct error *err)
{
    const char *given = settings_text(&line->settings, &option_debug);

    return terminal_debug(given ? given : getenv("CARBON_DEBUG"), err);
}

/* A text for people, as far as main can see; who draws or streams lets go. */
static bool is_page(const struct command *command, const struct settings *settings)
{
    static const struct option_spec *const forms[] = { &option_json, &option_csv, &option_html, &option_output };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *path = settings_find(settings, forms[i]) ? settings_text(settings, forms[i]) : NULL;
        if (path && (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0))
            return false;
    }
    return command->prints_page;
}

static int run_command(const struct command *command, struct command_line *line, int argc, char **argv)
{
    char config[CONFIG_PATH_SIZE];
    struct error err;

    terminal_begin(command->name, NULL);
    terminal_typed(&line->typed);
    /* while there is a job, run/job.h sees to it, for the job must find SIGPIPE as carbon found it */
    if (!command->runs_command)
        signal(SIGPIPE, SIG_IGN);
    if (!command_line_parse(command, argc, argv, line, &err))
        return fail(&err);
    if (settings_flag(&line->settings, &option_help) || settings_flag(&line->settings, &option_version)) {
        signal(SIGPIPE, SIG_IGN);
        if (settings_flag(&line->settings, &option_help)) {
            help_command(command, false, stdout);
        } else {
            terminal_hold();
            version_write(stdout);
        }
        return 0;
    }
    if (!begin_debug(line, &err))
        return fail(&err);
    DEBUG(DEBUG_SETTINGS, "carbon %s: %s", version_number(), command->name);
    if (!command_line_check_operands(line, &err) || !config_apply(&line->settings, command, &err) ||
        !command_files_check(line, &line->settings, config_path(config, sizeof config) ? config : NULL, &err))
        return fail(&err);
    terminal_begin(command->name, &line->settings);
    if (!terminal_debug(settings_text(&line->settings, &option_debug), &err))
        return fail(&err);
    debug_settings(line);
    if (is_page(command, &line->settings))
        terminal_hold();
    return command->run(line);
}

/* Others see the words that a process was called with: passwords and keys in them are overwritten, and carbon works
 * with copies. */
static void hide_passwords(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *copy = strdup(argv[i]);
        if (copy && redact(argv[i]))
            argv[i] = copy;
        else
            free(copy);
    }
}

/* In their order: reading them puts options first. NULL: no memory, and errors have shorter fixes. */
static char **typed_words(int count, char **words)
{
    char **copy = calloc((size_t)count, sizeof *copy);

    if (copy)
        memcpy(copy, words, (size_t)count * sizeof *copy);
    return copy;
}

int main(int argc, char **argv)
{
    const struct command *command;
    struct command_line line; /* 44 KB, of which a command has a part: command_line_parse opens it */
    struct error err;
    char **typed;
    int status;

    hide_passwords(argc, argv);
    hold_standard_streams();
    if (!privileges_lower(&err))
        return fail(&err);
    if (argc < 2 || argv[1][0] == '-')
        return run_itself(argc < 2 ? NULL : argv[1]);
    if (strcmp(argv[1], "version") == 0 && argc == 2)
        return run_itself("--version");
    typed = typed_words(argc - 1, argv + 1);
    line.typed = (struct typed_line){ .words = typed, .count = typed ? argc - 1 : 0 };
    command = command_find(argv[1]);
    if (!command) {
        command_unknown(&line.typed, argv[1], &err);
        free(typed);
        return fail(&err);
    }
    status = run_command(command, &line, argc - 1, argv + 1);
    settings_close(&line.settings);
    free(typed);
    return terminal_finish_stdout(status);
}
