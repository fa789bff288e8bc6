/* SPDX-License-Identifier: MIT
 * Parses a command line by the table of its command. */
#include "app/options/command.h"

#include "app/options/meant_value.h"
#include "base/near.h"
#include "base/text.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* What getopt_long answers for the option with index i; above every letter. */
enum { LONG_FIRST = 256 };

struct getopt_tables {
    char letters[2 * SETTINGS_MAX + 3];
    struct option longs[2 * SETTINGS_MAX + 1];
};

static void tables_fill(struct getopt_tables *tables, const struct command *command)
{
    char *letter = tables->letters;
    struct option *next = tables->longs;

    /* '+': options end at the first operand; ':': a missing value has an answer of its own */
    if (command->runs_command)
        *letter++ = '+';
    *letter++ = ':';
    for (int i = 0; i < SETTINGS_MAX && command->options[i]; i++) {
        const struct option_spec *option = command->options[i];
        /* a flag may be taken back with --flag=no */
        const int value = option->kind == OPTION_FLAG ? optional_argument : required_argument;

        *next++ = (struct option){ option->name, value, NULL, LONG_FIRST + i };
        if (option->alias)
            *next++ = (struct option){ option->alias, value, NULL, LONG_FIRST + i };
        if (option->short_name)
            *letter++ = option->short_name;
        if (option->short_name && option->kind != OPTION_FLAG)
            *letter++ = ':';
    }
    *next = (struct option){ NULL, 0, NULL, 0 };
    *letter = '\0';
}

static const struct option_spec *option_of(const struct command *command, int answer)
{
    if (answer >= LONG_FIRST)
        return command->options[answer - LONG_FIRST];
    for (size_t i = 0; command->options[i]; i++)
        if (command->options[i]->short_name && command->options[i]->short_name == answer)
            return command->options[i];
    return NULL;
}

/* The value behind an option that is none: "3" of "--kwh 3" and "--kwh=3"; NULL: there is none. */
static const char *value_behind(char *const *word)
{
    const char *equals = strchr(word[0], '=');

    return equals ? equals + 1 : word[1] && word[1][0] != '-' ? word[1] : NULL;
}

/* As other programs call it, or as the nearest is called; else the help has them all. */
static void fix_name(const struct command_line *line, char *const *words_at, const char *near, struct error *err)
{
    const char *word = words_at[0];
    const struct option_spec *option = near ? option_named(line->command->options, near) : NULL;
    const char *value = value_behind(words_at);
    const bool own_word = value && !strchr(word, '=');
    char words[2 * MEANT_SIZE], name[72];
    char meant[MEANT_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    error_fix(err, "carbon help --all %s", line->command->name);
    if (meant_option(line->command->options, name, value, words)) {
        typed_line_rewritten(&line->typed, word, own_word && value, words, err);
    } else if (option && option->kind != OPTION_FLAG && !value && meant_value(option, NULL, meant)) {
        snprintf(words, sizeof words, "--%s %s", near, meant);
        typed_line_rewritten(&line->typed, word, false, words, err);
    } else if (option) {
        snprintf(words, sizeof words, "--%s%s", near, strchr(word, '=') ? strchr(word, '=') : "");
        typed_line_replaced(&line->typed, word, words, err);
    }
}

static bool unknown_name(const struct command_line *line, const char *typed, char **argv, struct error *err)
{
    const struct command *command = line->command;
    struct near_name near = { .typed = typed };
    char **word = &argv[optind - 1];

    for (size_t i = 0; command->options[i]; i++) {
        if (!command->options[i]->hidden)
            near_try(&near, command->options[i]->name);
        if (command->options[i]->alias)
            near_try(&near, command->options[i]->alias);
    }
    if (strncmp(*word, "--", 2) != 0 || strncmp(*word + 2, typed, strlen(typed)) != 0)
        word--; /* the next one was taken for its value */
    error_set(err, ERROR_USAGE, "unknown option '--%s'", typed);
    if (near.name)
        error_why(err, "the nearest option of 'carbon %s' is '--%s'", command->name, near.name);
    else
        error_why(err, "'carbon %s' has no option of this name", command->name);
    fix_name(line, word, near.name, err);
    return false;
}

/* The name in the word that getopt_long has just read: "--name", "--name=value" or "--name" "value". */
static void name_read(char **argv, char *name, size_t size)
{
    const bool own_word = optarg && argv[optind - 1] == optarg;
    const char *word = argv[own_word ? optind - 2 : optind - 1] + 2;

    snprintf(name, size, "%.*s", (int)strcspn(word, "="), word);
}

/* Which forms a checked text has is the reason; the fix is a line with one of them. */
static void tell_forms(const struct option_spec *option, struct error *err)
{
    char why[sizeof err->why];

    if (!err || !option->check || !err->fix[0] || option->kind == OPTION_COUNT)
        return;
    snprintf(why, sizeof why, "%.120s: %.130s", err->why, err->fix);
    error_why(err, "%s", why);
}

static bool take_value(struct command_line *line, const struct option_spec *option, const char *called,
                       const char *text, struct error *err)
{
    char better[MEANT_SIZE];

    if (settings_set(&line->settings, option, text, ORIGIN_LINE, called, "", err))
        return true;
    if (option_check(option, called, text, NULL))
        return false; /* a second value */
    if (meant_value(option, text, better)) {
        tell_forms(option, err);
        typed_line_replaced(&line->typed, text, better, err);
    } else if (err && !err->fix[0])
        error_fix(err, "carbon help --all %s", line->command->name);
    return false;
}

static bool fail_without_value(const struct command_line *line, const struct option_spec *option, const char *called,
                               char **argv, struct error *err)
{
    const char *word = argv[optind - 1];
    char value[MEANT_SIZE], words[2 * MEANT_SIZE];

    error_set(err, ERROR_USAGE, "%s needs a value: %s %s", called, called, option->argument);
    error_why(err, "--%s %s: %s", option->name, option->argument, option->help);
    error_fix(err, "carbon help --all %s", line->command->name);
    if (meant_value(option, NULL, value)) {
        snprintf(words, sizeof words, "%s %s", word, value);
        typed_line_rewritten(&line->typed, word, false, words, err);
    }
    return false;
}

/* Of a value in two words the second. */
static bool take_second(struct command_line *line, const struct option_spec *option, const char *called, char **argv,
                        struct error *err)
{
    const char *word = argv[optind];

    if (!option->two_words || strchr(optarg, '='))
        return true;
    if (!word || strncmp(word, "--", 2) == 0) {
        error_set(err, ERROR_USAGE, "%s needs values too: %s %s", called, called, option->argument);
        error_why(err, "'%s' has a name and no values", optarg);
        return error_fix(err, "carbon help --all %s", line->command->name);
    }
    optind++;
    return settings_set(&line->settings, option, word, ORIGIN_LINE, called, "", err);
}

/* ".json, .csv or .html": the suffixes of the forms that a command writes; NULL where none is the one of the file. */
static const struct option_spec *form_of(const struct command *command, const char *path, struct text *suffixes)
{
    static const struct {
        const char *suffix, *option;
    } forms[] = {
        { ".json", "json" },      { ".jsonl", "json" },    { ".csv", "csv" },     { ".html", "html" },
        { ".svg", "flamegraph" }, { ".folded", "folded" }, { ".md", "markdown" }, { ".markdown", "markdown" },
    };
    const char *suffix = strrchr(path, '.');

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct option_spec *option = option_named(command->options, forms[i].option);

        if (!option || option->kind != OPTION_FILE || option->file != FILE_WRITTEN)
            continue;
        if (suffix && strcmp(suffix, forms[i].suffix) == 0)
            return option;
        text_add(suffixes, "%s%s", suffixes->length ? ", " : "", forms[i].suffix);
    }
    return NULL;
}

/* For the option whose suffix decides its meaning. */
static bool take_by_suffix(struct command_line *line, const char *path, struct error *err)
{
    struct text suffixes;
    const struct option_spec *option;
    char called[72];
    bool good = false;

    text_open(&suffixes, 256);
    option = form_of(line->command, path, &suffixes);
    if (option) {
        snprintf(called, sizeof called, "--%s", option->name);
        good = take_value(line, option, called, path, err);
    } else {
        error_set(err, ERROR_USAGE, "the suffix of '%.160s' names no form of a file", path);
        error_why(err, "'carbon %s' writes %s", line->command->name, suffixes.length ? suffixes.data : "no file");
        error_fix(err, "-o result.json");
        typed_line_replaced(&line->typed, path, "result.json", err);
    }
    text_close(&suffixes);
    return good;
}

static bool take_option(struct command_line *line, int answer, char **argv, struct error *err)
{
    const int number = answer == ':' ? optopt : answer;
    const struct option_spec *option = option_of(line->command, number);
    char called[72] = "--";

    if (answer == '?' && optopt) {
        error_set(err, ERROR_USAGE, "unknown option '-%c'", optopt);
        error_why(err, "'carbon %s' has no option of this letter", line->command->name);
        return error_fix(err, "carbon help --all %s", line->command->name);
    }
    if (option && number < LONG_FIRST) {
        snprintf(called, sizeof called, "--%s", option->name);
    } else {
        /* getopt_long also takes the beginning of a name for the name; an option that a later version
         * has would change what such a line means */
        name_read(argv, called + 2, sizeof called - 2);
        if (!option || option_named(line->command->options, called + 2) != option)
            return unknown_name(line, called + 2, argv, err);
    }
    if (answer == ':')
        return fail_without_value(line, option, called, argv, err);
    if (option->by_suffix)
        return take_by_suffix(line, optarg, err);
    return take_value(line, option, called, optarg ? optarg : "yes", err) &&
           take_second(line, option, called, argv, err);
}

static bool fail_mixed(const struct command *command, const char *file, struct error *err)
{
    error_set(err, ERROR_USAGE, "'carbon %s' works on files or on commands, not on both", command->name);
    error_why(err, "'%s' is before '--'", file);
    return error_fix(err, "put '--' before each command, or give files alone");
}

/* The list is one of carbon's own: a test finds this. */
static bool too_many_options(const struct command *command, struct error *err)
{
    error_set(err, ERROR_SYSTEM, "'carbon %s' has more options than can be read", command->name);
    return error_why(err, "SETTINGS_MAX is %d", SETTINGS_MAX);
}

bool command_line_parse(const struct command *command, int argc, char **argv, struct command_line *line,
                        struct error *err)
{
    const bool files_too = command->runs_command && command->operands == OPERAND_FILE;
    struct getopt_tables tables;
    int answer, files = 0, before = 1;

    line->command = command;
    line->typed.options = command->options;
    settings_open(&line->settings, command->options);
    if (command->options[line->settings.count])
        return too_many_options(command, err);
    tables_fill(&tables, command);
    opterr = 0;
    optind = 0; /* glibc and musl: start again */
    for (;; before = optind) {
        answer = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        line->dashed = command->runs_command && answer == -1 && optind > before;
        if (answer == -1 && files_too && !line->dashed && optind < argc)
            argv[1 + files++] = argv[optind++]; /* over words that have been read */
        else if (answer == -1)
            break;
        else if (!take_option(line, answer, argv, err))
            return false;
    }
    if (files && line->dashed)
        return fail_mixed(command, argv[1], err);
    if (files)
        argv[optind = 1 + files] = NULL;
    line->operands = argv + (files ? 1 : optind);
    line->operand_count = files ? files : argc - optind;
    line->typed.first_operand = line->operand_count ? line->operands[0] : NULL;
    return true;
}

bool command_line_check_operands(const struct command_line *line, struct error *err)
{
    const struct command *command = line->command;
    const bool few = line->operand_count < command->min_operands;
    const bool many = command->max_operands >= 0 && line->operand_count > command->max_operands;

    if (!few && !many)
        return true;
    if (many)
        error_set(err, ERROR_USAGE, "'carbon %s' does not take '%s'", command->name,
                  line->operands[command->max_operands]);
    else
        error_set(err, ERROR_USAGE, "'carbon %s' needs an argument", command->name);
    error_why(err, "usage: carbon %s %.*s", command->name, (int)strcspn(command->synopsis, "\n"), command->synopsis);
    if (many)
        typed_line_rewritten(&line->typed, line->operands[command->max_operands], false, "", err);
    else if (command->example)
        error_fix(err, "%s", command->example);
    else
        error_fix(err, "carbon help %s", command->name);
    return false;
}
