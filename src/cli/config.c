/* SPDX-License-Identifier: MIT
 * The configuration file (INI, by libinih) and the CARBON_* variables. */
#include "cli/config.h"

#include "base/auto.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CONFIG_MAX_BYTES = 65536, NAMES_MAX = 256, PATH_SHOWN = 150 };

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
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    return out;
}

/* A file while it is read. */
struct reading_file {
    struct settings *settings;
    const struct command *command;
    const char *path;
    const char *rest; /* of its content */
    char *kept;       /* where the next value is copied to; each is shorter than its line */
    int line;
    int failed_line; /* 0: none */
    struct error *err;
};

static bool fail_line(struct reading_file *file, const char *what, const char *value)
{
    file->failed_line = file->line;
    return error_set(file->err, ERROR_USAGE, "'%.*s' line %d: %s '%.60s'", PATH_SHOWN, file->path, file->line, what,
                     value);
}

/* As fgets, over the text; counts lines as libinih does, which does not tell them. */
static char *next_line(char *out, int size, void *context)
{
    struct reading_file *file = context;
    const char *start = file->rest, *end = strchrnul(start, '\n');
    size_t length;

    if (!*start || file->failed_line)
        return NULL;
    file->line++;
    file->rest = *end ? end + 1 : end;
    /* an indented line would go on with the value above it, and hide an option */
    start += strspn(start, " \t");
    length = start < end ? (size_t)(end - start) : 0;
    if (length + 2 > (size_t)size) {
        fail_line(file, "is too long for this format:", start);
        return NULL;
    }
    memcpy(out, start, length);
    strcpy(out + length, "\n");
    return out;
}

static const struct option_spec *option_of_any(const char *name)
{
    const struct option_spec *option = NULL;

    for (size_t i = 0; commands[i] && !option; i++)
        option = option_named(commands[i]->options, name);
    return option;
}

static bool fail_key(struct reading_file *file, const struct command *section, const char *name)
{
    const char *names[NAMES_MAX + 1], *near;
    size_t count = 0;

    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j] && count < NAMES_MAX; j++)
            if ((!section || section == commands[i]) && !commands[i]->options[j]->line_only)
                names[count++] = commands[i]->options[j]->name;
    names[count] = NULL;
    near = option_near_name(name, names);
    fail_line(file, section ? "this command has no option" : "no command has an option", name);
    if (near)
        return error_fix(file->err, "did you mean '%s'?", near);
    return error_fix(file->err, "'carbon config' lists what can be set");
}

static bool fail_section(struct reading_file *file, const char *section)
{
    fail_line(file, "no command is called", section);
    return error_fix(file->err, "a section has the name of a command; 'carbon help' lists them");
}

/* What is for another command is checked all the same, so that a mistake is told at once. */
static bool take_value(struct reading_file *file, const struct option_spec *option, const char *text, bool for_us)
{
    char called[PATH_SHOWN + 100], where[PATH_SHOWN + 100];
    const size_t size = strlen(text) + 1;

    snprintf(called, sizeof called, "'%.*s' line %d: %s", PATH_SHOWN, file->path, file->line, option->name);
    snprintf(where, sizeof where, "%.*s:%d", PATH_SHOWN, file->path, file->line);
    memcpy(file->kept, text, size);
    if (for_us ? settings_set(file->settings, option, file->kept, ORIGIN_FILE, called, where, file->err)
               : option_check(option, called, file->kept, file->err)) {
        file->kept += size;
        return true;
    }
    file->failed_line = file->line;
    if (!file->err->fix[0])
        error_fix(file->err, "correct that line");
    return false;
}

/* One "name = value". Called by libinih; 0 means failed. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct reading_file *file = context;
    const struct command *of = *section ? command_find(section) : NULL;
    const struct option_spec *option, *own = option_named(file->command->options, name);

    if (file->failed_line)
        return 0;
    if (*section && !of)
        return fail_section(file, section);
    option = of ? option_named(of->options, name) : own ? own : option_of_any(name);
    if (!option)
        return fail_key(file, of, name);
    if (option->line_only) {
        fail_line(file, "only the command line may have", name);
        return error_fix(file->err, "take that line out");
    }
    return take_value(file, option, value, !of || of == file->command);
}

static bool cannot_read(const char *path, struct error *err)
{
    error_errno(err, "cannot read '%s'", path);
    return error_fix(err, "make it a file that you may read, move it away, or set XDG_CONFIG_HOME to another folder");
}

/* The whole file, NUL-terminated; *content NULL and true: there is none. */
static bool read_whole(const char *path, char **content, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    size_t length = 0;
    ssize_t got;

    *content = NULL;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? true : cannot_read(path, err);
    if (fstat(fd, &status) < 0)
        return cannot_read(path, err);
    if (status.st_size > CONFIG_MAX_BYTES)
        return error_set(err, ERROR_USAGE, "'%s' is larger than %d bytes", path, CONFIG_MAX_BYTES);
    *content = malloc(CONFIG_MAX_BYTES + 1);
    if (!*content)
        return cannot_read(path, err);
    while (length < CONFIG_MAX_BYTES && (got = read(fd, *content + length, CONFIG_MAX_BYTES - length)) != 0) {
        if (got < 0 && errno != EINTR) {
            cannot_read(path, err);
            free(*content);
            *content = NULL;
            return false;
        }
        length += got > 0 ? (size_t)got : 0;
    }
    (*content)[length] = '\0';
    return true;
}

static bool apply_file(struct settings *settings, const struct command *command, struct error *err)
{
    char path[4096];
    AUTO_FREE char *content = NULL;
    struct reading_file file = { .settings = settings, .command = command, .path = path, .err = err };
    int bad_line;

    if (!config_path(path, sizeof path))
        return true;
    if (!read_whole(path, &content, err))
        return false;
    if (!content)
        return true;
    settings->store = malloc(strlen(content) + 1);
    if (!settings->store)
        return cannot_read(path, err);
    file.rest = content;
    file.kept = settings->store;
    bad_line = ini_parse_stream(next_line, &file, take_pair, &file);
    if (bad_line == 0 && !file.failed_line)
        return true;
    if (file.failed_line && (bad_line <= 0 || file.failed_line <= bad_line))
        return false;
    file.line = bad_line;
    fail_line(&file, "this is neither", "name = value");
    return error_fix(err, "write 'name = value', or '[command]' before what one command alone shall take");
}

static bool apply_variable(struct settings *settings, const struct option_spec *option, const char *name,
                           struct error *err)
{
    char variable[CONFIG_VARIABLE_SIZE];
    const char *text = getenv(config_variable(name, variable));

    return !text || !*text || settings_set(settings, option, text, ORIGIN_ENVIRONMENT, variable, variable, err);
}

bool config_apply(struct settings *settings, const struct command *command, struct error *err)
{
    if (!apply_file(settings, command, err))
        return false;
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];

        if (option->line_only)
            continue;
        /* the alias first, so that the name wins */
        if ((option->alias && !apply_variable(settings, option, option->alias, err)) ||
            !apply_variable(settings, option, option->name, err))
            return false;
    }
    return true;
}
