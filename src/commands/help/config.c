/* SPDX-License-Identifier: MIT
 * The configuration file and the CARBON_* variables. */
#include "commands/help/config.h"

#include "app/options/machines_made.h"
#include "app/options/meant_value.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/c_locale.h"
#include "base/near.h"
#include "io/ini.h"
#include "outside/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_MAX_BYTES = 65536, PATH_SHOWN = 150 };

bool config_path(char *path, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;

    /* the XDG base directory specification has a relative path ignored */
    if (config && *config == '/')
        length = snprintf(path, size, "%s/carbon/config", config);
    else if (home && *home)
        length = snprintf(path, size, "%s/.config/carbon/config", home);
    return length > 0 && (size_t)length < size;
}

const char *config_variable(const char *name, char out[CONFIG_VARIABLE_SIZE])
{
    snprintf(out, CONFIG_VARIABLE_SIZE, "CARBON_%s", name);
    for (char *at = out; *at; at++)
        *at = *at == '-' ? '_' : c_toupper(*at);
    return out;
}

/* A file while it is read. */
struct config_reading_file {
    struct settings *settings;
    const struct command *command;
    const char *path;
    char *stored; /* where the next value is copied to; each is shorter than its line */
    int line;
    struct error *err;
};

static bool fail_line(struct config_reading_file *file, const char *what, const char *value)
{
    return ini_fail(file->err, file->path, file->line, what, value);
}

static const struct option_spec *option_of_any(const char *name)
{
    const struct option_spec *option = NULL;

    for (size_t i = 0; commands[i] && (!option || option->cli_only); i++) {
        const struct option_spec *other = option_named(commands[i]->options, name);
        option = other ? other : option;
    }
    return option;
}

static bool fail_key(struct config_reading_file *file, const struct command *section, const char *name)
{
    struct near_name near = { .typed = name };

    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++)
            if ((!section || section == commands[i]) && !commands[i]->options[j]->cli_only)
                near_try(&near, commands[i]->options[j]->name);
    fail_line(file, section ? "this command has no option" : "no command has an option", name);
    if (near.name)
        return near_fix(near.name, file->err);
    return error_fix(file->err, "'carbon config' lists what can be set");
}

static bool fail_section(struct config_reading_file *file, const char *section)
{
    fail_line(file, "no command is called", section);
    return error_fix(
        file->err,
        "a section has the name of a command ('carbon help' lists them), or is [meter NAME] or [machine NAME]");
}

/* What is for another command is checked all the same, so that a mistake is reported at once. */
static bool take_value(struct config_reading_file *file, const struct option_spec *option, const char *text,
                       bool for_us)
{
    char called[PATH_SHOWN + 100], where[PATH_SHOWN + 100];
    const size_t size = strlen(text) + 1;
    char better[MEANT_SIZE];

    snprintf(called, sizeof called, "'%.*s' line %d: %s", PATH_SHOWN, file->path, file->line, option->name);
    snprintf(where, sizeof where, "%.*s:%d", PATH_SHOWN, file->path, file->line);
    memcpy(file->stored, text, size);
    if (for_us ? settings_set(file->settings, option, file->stored, ORIGIN_FILE, called, where, file->err)
               : option_check(option, called, file->stored, file->err)) {
        file->stored += size;
        return true;
    }
    if (!file->err->fix[0] && meant_value(option, text, better))
        error_fix(file->err, "write the line as '%s = %s'", option->name, better);
    return false;
}

static bool take_entry(const struct ini_entry *entry, void *context, struct error *err)
{
    struct config_reading_file *file = context;
    const struct command *of = *entry->section ? command_find(entry->section) : NULL;
    const struct option_spec *option, *own;

    if (outside_is_meter(entry->section))
        return outside_take(&file->settings->meters, entry, file->path, err);
    if (machines_made_is(entry->section))
        return machines_made_take(&file->settings->machines, entry, file->path, err);
    if (!entry->name)
        return true;
    file->line = entry->line;
    if (*entry->section && !of)
        return fail_section(file, entry->section);
    own = option_named(file->command->options, entry->name);
    if (of)
        option = option_named(of->options, entry->name);
    else
        option = own && !own->cli_only ? own : option_of_any(entry->name);
    if (!option)
        return fail_key(file, of, entry->name);
    if (option->cli_only) {
        fail_line(file, "only the command line may have", entry->name);
        return error_fix(err, "take that line out");
    }
    return take_value(file, option, entry->value, of ? of == file->command : !own || option == own);
}

static bool cannot_read(struct error *err)
{
    return error_fix(err, "make it a file that you may read, move it away, or set XDG_CONFIG_HOME to another folder");
}

/* sudo -E and setpriv leave HOME as it was: whose it is did not mean it for this user. */
static bool is_anothers(void)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *folder = xdg && *xdg == '/' ? xdg : getenv("HOME");
    struct stat about;

    return folder && (stat(folder, &about) < 0 ? errno == EACCES : about.st_uid != geteuid());
}

static void tell_unread(const char *path)
{
    struct error err;
    struct notice notice;

    error_set(&err, ERROR_NONE, "configuration '%s' is not used: permission denied", path);
    error_why(&err, "it is another user's, as is the folder that HOME or XDG_CONFIG_HOME names");
    error_fix(&err, "set HOME to your own folder");
    notice = notice_of_error(&err);
    terminal_tell_plain(&notice);
}

static bool apply_file(struct settings *settings, const struct command *command, struct error *err)
{
    static const struct ini_form form = {
        .fix = "write 'name = value', or '[command]' before settings of one command",
    };
    char path[CONFIG_PATH_SIZE];
    AUTO_FREE char *content = NULL;
    struct config_reading_file file = { .settings = settings, .command = command, .path = path, .err = err };

    if (!config_path(path, sizeof path) || (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return true;
    content = ini_load(path, CONFIG_MAX_BYTES, err);
    if (!content && err->kind == ERROR_DENIED && is_anothers()) {
        tell_unread(path);
        return true;
    }
    if (!content)
        return err->kind == ERROR_USAGE ? false : cannot_read(err);
    settings->store = malloc(strlen(content) + 1);
    if (!settings->store)
        return error_errno(err, "cannot read '%s'", path);
    file.stored = settings->store;
    return ini_read(path, content, &form, take_entry, &file, err) && outside_finish(settings->meters, path, err) &&
           machines_made_finish(settings->machines, path, err);
}

static bool apply_variable(struct settings *settings, const struct option_spec *option, const char *name,
                           struct error *err)
{
    char variable[CONFIG_VARIABLE_SIZE];
    const char *text = getenv(config_variable(name, variable));

    char better[MEANT_SIZE];

    if (!text || !*text || settings_set(settings, option, text, ORIGIN_ENVIRONMENT, variable, variable, err))
        return true;
    return err->fix[0] || !meant_value(option, text, better) ? false
                                                             : error_fix(err, "export %s='%s'", variable, better);
}

bool config_apply(struct settings *settings, const struct command *command, struct error *err)
{
    if (!apply_file(settings, command, err))
        return false;
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (option->cli_only)
            continue;
        /* the alias first, so that the name wins */
        if ((option->alias && !apply_variable(settings, option, option->alias, err)) ||
            !apply_variable(settings, option, option->name, err))
            return false;
    }
    return true;
}
