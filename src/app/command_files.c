/* SPDX-License-Identifier: MIT
 * From options and operands to the register of files. */
#include "app/command_files.h"

#include "app/ledger_options.h"
#include "base/auto.h"
#include "base/shipped.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static enum file_use use_of(const struct settings *settings, const struct option_spec *option)
{
    /* --csv FILE --append; that of a command has the same name */
    if (strcmp(option->name, option_csv.name) == 0 && settings_flag(settings, &option_append))
        return FILE_ADDED;
    return option->file;
}

static bool is_output(enum file_use use)
{
    return use == FILE_WRITTEN || use == FILE_ADDED;
}

static bool writes_any(const struct settings *settings)
{
    for (size_t i = 0; i < settings->count; i++)
        if (settings->items[i].option->kind == OPTION_FILE && settings->items[i].origin != ORIGIN_STANDARD &&
            (is_output(settings->items[i].option->file) || settings->items[i].option->file == FILE_FOLDER))
            return true;
    return false;
}

/* Whoever's ledger it is, and whatever it was mistaken for: a result never takes the place of one. */
static bool check_database(const char *called, const char *path, struct error *err)
{
    static const char magic[16] = "SQLite format 3";
    AUTO_CLOSE int fd = file_descriptor(path) >= 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char start[sizeof magic];

    if (fd < 0 || pread(fd, start, sizeof start, 0) != (ssize_t)sizeof start || memcmp(start, magic, sizeof start) != 0)
        return true;
    error_set(err, ERROR_USAGE, "%s would replace the database '%.200s'", called, path);
    error_why(err, "it may be a ledger, with all its records");
    return error_fix(err, "use another path; nothing has been run yet");
}

/* What carbon ships and reads: for all who use it. */
static bool check_shipped(const char *called, const char *path, struct error *err)
{
    char folder[PATH_ROOM];
    AUTO_FREE char *shipped =
        data_path("emission_factors", folder, sizeof folder, NULL) ? realpath(folder, NULL) : NULL;
    AUTO_FREE char *target = shipped && file_descriptor(path) < 0 ? realpath(path, NULL) : NULL;

    if (!target || strncmp(target, shipped, (size_t)(strrchr(shipped, '/') + 1 - shipped)) != 0)
        return true;
    error_set(err, ERROR_USAGE, "%s would replace '%.200s'", called, path);
    error_why(err, "carbon reads its tables there");
    return error_fix(err, "use another path; nothing has been run yet");
}

static bool check_output(const char *called, const char *path, struct error *err)
{
    return check_database(called, path, err) && check_shipped(called, path, err);
}

/* A program, or a script that another one is given. */
static bool is_program(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char start[2];
    struct stat status;

    return fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           ((status.st_mode & 0111) || (pread(fd, start, sizeof start, 0) == 2 && memcmp(start, "#!", 2) == 0));
}

/* Each word, and of one that is a command line the words in it. */
static bool add_words(struct file_register *files, const char *text, struct error *err)
{
    static const char ends[] = " \t\n;|&<>()'\"";
    char word[PATH_ROOM];

    if (is_program(text))
        return file_register_add(files, FILE_READ, "a program of the command", text, err);
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, ends);
        if (!length || length >= sizeof word)
            continue;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (is_program(word) && !file_register_add(files, FILE_READ, "a program of the command", word, err))
            return false;
    }
    return true;
}

static bool add_job(struct file_register *files, const struct command_line *line, struct error *err)
{
    const bool all = line->command->operands != OPERAND_FILE || line->dashed;

    for (int i = 0; line->command->runs_command && all && i < line->operand_count; i++)
        if (!add_words(files, line->operands[i], err))
            return false;
    return true;
}

bool command_files_add_command(const struct settings *settings, const char *text, struct error *err)
{
    return !settings->files || add_words(settings->files, text, err);
}

static bool add_option(struct file_register *files, const struct settings *settings, const struct setting *setting,
                       struct error *err)
{
    const enum file_use use = use_of(settings, setting->option);
    char called[72];

    snprintf(called, sizeof called, "--%s", setting->option->name);
    for (size_t i = 0; i < setting->count; i++)
        if (!file_register_add(files, use, called, setting->texts[i], err) ||
            (is_output(use) && !check_output(called, setting->texts[i], err)))
            return false;
    return true;
}

static bool add_options(struct file_register *files, const struct settings *settings, struct error *err)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct setting *setting = &settings->items[i];
        const enum file_use use = setting->option->file;

        if (setting->option->kind == OPTION_FILE && setting->origin != ORIGIN_STANDARD && use != FILE_FOLDER &&
            use != FILE_LEDGER && !add_option(files, settings, setting, err))
            return false;
    }
    return true;
}

static bool add_operands(struct file_register *files, const struct command_line *line, struct error *err)
{
    const struct command *command = line->command;
    const char *called = is_output(command->file_use) ? "the copy" : "the input";

    for (int i = command->first_file; command->operands == OPERAND_FILE && !line->dashed && i < line->operand_count;
         i++)
        if (!file_register_add(files, command->file_use, called, line->operands[i], err))
            return false;
    return true;
}

/* The one that this command would use, or else the user's. */
static bool add_ledger(struct file_register *files, const struct settings *settings, struct error *err)
{
    const char *given = settings_text(settings, &option_ledger);
    char place[PATH_ROOM];

    if (given && !ledger_is_uri(given) && strcmp(given, "off") != 0)
        return file_register_add(files, FILE_LEDGER, "the ledger", given, err);
    return given || !ledger_default_place(environ, place, sizeof place) ||
           file_register_add(files, FILE_LEDGER, "the ledger", place, err);
}

static bool add_streams(struct file_register *files, struct error *err)
{
    return file_register_add(files, FILE_STREAM, "standard output", "/dev/stdout", err) &&
           file_register_add(files, FILE_STREAM, "standard error", "/dev/stderr", err);
}

bool command_files_check(const struct command_line *line, struct settings *settings, const char *config,
                         struct error *err)
{
    file_register_close(settings->files);
    settings->files = NULL;
    if (!writes_any(settings) && !is_output(line->command->file_use))
        return true;
    settings->files = file_register_open();
    if (!settings->files)
        return error_errno(err, "no memory for the names of files");
    return (!config || file_register_add(settings->files, FILE_READ, "the configuration", config, err)) &&
           add_ledger(settings->files, settings, err) && add_operands(settings->files, line, err) &&
           add_job(settings->files, line, err) && add_streams(settings->files, err) &&
           add_options(settings->files, settings, err);
}

bool command_files_add(const struct settings *settings, enum file_use use, const char *called, const char *path,
                       struct error *err)
{
    return !settings->files ||
           (file_register_add(settings->files, use, called, path, err) && check_output(called, path, err));
}

bool command_files_allow(const struct settings *settings, const char *called, const char *path, struct error *err)
{
    return !settings->files ||
           (file_register_allows(settings->files, called, path, err) && check_output(called, path, err));
}
