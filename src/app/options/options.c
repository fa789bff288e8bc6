/* SPDX-License-Identifier: MIT
 * Options that several commands share, and taking a command line apart by the table of its command. */
#include "app/options/options.h"

#include "app/options/command.h"
#include "emissions/factor.h"
#include "energy/energy.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char *const scopes[] = { "compute", "platform", "machine", NULL };
static const char *const bases[] = { "lifecycle", "direct", NULL };
static const char *const colours[] = { "auto", "always", "never", NULL };

static bool check_duty(const char *text, struct error *err)
{
    double hours;

    return duty_hours_per_year(text, &hours, err);
}

const struct option_spec option_source = {
    .name = "source",
    .kind = OPTION_CHOICE,
    .argument = "<name>",
    .group = "Measuring",
    .standard = "auto",
    .choices = energy_choices,
    .help = "where joules come from",
};
const struct option_spec option_scope = {
    .name = "scope",
    .kind = OPTION_CHOICE,
    .argument = "<scope>",
    .group = "Measuring",
    .standard = "compute",
    .choices = scopes,
    .help = "what adds up to the total",
};
const struct option_spec option_require_measured = {
    .name = "require-measured",
    .kind = OPTION_FLAG,
    .group = "Measuring",
    .help = "refuse to model where no meter can be read",
};
const struct option_spec option_root = {
    .name = "root",
    .kind = OPTION_FILE,
    .argument = "<dir>",
    .group = "Measuring",
    .standard = "/",
    .hidden = true,
    .line_only = true,
    .help = "read the machine recorded in this directory instead of this one",
};
const struct option_spec option_zone = {
    .name = "zone",
    .alias = "country",
    .kind = OPTION_TEXT,
    .argument = "<code>",
    .group = "Carbon",
    .help = "whose electricity: FR, US-CA, aws:eu-west-3 ...; the world's average when not given",
};
const struct option_spec option_pue = {
    .name = "pue",
    .kind = OPTION_NUMBER,
    .argument = "<ratio>",
    .group = "Carbon",
    .standard = "1",
    .least = 1,
    .most = 10,
    .help = "energy of the whole facility for each unit its computers use",
};
const struct option_spec option_pue_of = {
    .name = "pue-of",
    .kind = OPTION_TEXT,
    .argument = "<provider>",
    .group = "Carbon",
    .help = "the PUE that a provider, site or cloud region publishes: aws, nrel_esif, gcp:europe-west9",
};
const struct option_spec option_wue = {
    .name = "wue",
    .kind = OPTION_NUMBER,
    .argument = "<L/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 100,
    .help = "water in litres for each kWh that the computers use; shown apart",
};
const struct option_spec option_wue_of = {
    .name = "wue-of",
    .kind = OPTION_TEXT,
    .argument = "<region>",
    .group = "Carbon",
    .help = "the water that a cloud region publishes: aws:eu-west-3",
};
const struct option_spec option_market_factor = {
    .name = "market-factor",
    .kind = OPTION_NUMBER,
    .argument = "<g/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 10000,
    .help = "market-based factor of your own, shown beside the location-based figure",
};
const struct option_spec option_contract = {
    .name = "contract",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Carbon",
    .help = "electricity bought by contract, for the market-based figure",
};
const struct option_spec option_year = {
    .name = "year",
    .kind = OPTION_COUNT,
    .argument = "<year>",
    .group = "Carbon",
    .least = 1990,
    .most = 2100,
    .help = "year of the emission factor; that of the run when not given",
};
const struct option_spec option_basis = {
    .name = "basis",
    .kind = OPTION_CHOICE,
    .argument = "<basis>",
    .group = "Carbon",
    .standard = "lifecycle",
    .choices = bases,
    .help = "what the factor covers",
};
const struct option_spec option_intensity = {
    .name = "intensity",
    .kind = OPTION_NUMBER,
    .argument = "<g/kWh>",
    .group = "Carbon",
    .least = 0,
    .most = 10000,
    .help = "a factor of your own in gCO2eq per kWh, in place of the zone's",
};
const struct option_spec option_factors = {
    .name = "factors",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Carbon",
    .repeated = true,
    .help = "a table of factors of your own, or a folder of them, searched first; may be repeated",
};
const struct option_spec option_share_alike = {
    .name = "share-alike",
    .kind = OPTION_FLAG,
    .group = "Carbon",
    .help = "also use the tables under a share-alike licence",
};
const struct option_spec option_duty = {
    .name = "duty",
    .kind = OPTION_TEXT,
    .argument = "<time>",
    .group = "Carbon",
    .check = check_duty,
    .help = "how long the work goes on in a year: 8h/d, '8h/d x 250', 2000h, 50%; all year when not given",
};
const struct option_spec option_json = {
    .name = "json",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write the record as JSON; '-' is standard output",
};
const struct option_spec option_csv = {
    .name = "csv",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write the result as CSV; '-' is standard output",
};
const struct option_spec option_html = {
    .name = "html",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "Output",
    .help = "write a page with charts that needs no other file; '-' is standard output",
};
const struct option_spec option_append = {
    .name = "append",
    .kind = OPTION_FLAG,
    .group = "Output",
    .help = "add a row to the CSV file instead of replacing it",
};
const struct option_spec option_interval = {
    .name = "interval",
    .letter = 'i',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .group = "Output",
    .help = "seconds between two samples",
    .standard = "1",
    .least = 0.0005,
    .most = 86400,
};
const struct option_spec option_color = {
    .name = "color",
    .kind = OPTION_CHOICE,
    .argument = "<when>",
    .group = "Output",
    .standard = "auto",
    .choices = colours,
    .help = "colour the text",
};
const struct option_spec option_quiet = {
    .name = "quiet",
    .letter = 'q',
    .kind = OPTION_FLAG,
    .group = "Output",
    .help = "print one line only",
};
const struct option_spec option_help = {
    .name = "help",
    .letter = 'h',
    .kind = OPTION_FLAG,
    .line_only = true,
    .help = "display this help",
};
const struct option_spec option_version = {
    .name = "version",
    .letter = 'V',
    .kind = OPTION_FLAG,
    .line_only = true,
    .help = "display version and what was built in",
};

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

    /* '+': options end at the first operand; ':': a missing value is told apart */
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
        if (option->letter)
            *letter++ = option->letter;
        if (option->letter && option->kind != OPTION_FLAG)
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
        if (command->options[i]->letter && command->options[i]->letter == answer)
            return command->options[i];
    return NULL;
}

static bool unknown_name(const struct command *command, const char *typed, struct error *err)
{
    const char *names[2 * SETTINGS_MAX + 1], *near;
    size_t count = 0;

    for (size_t i = 0; command->options[i] && count < 2 * SETTINGS_MAX - 1; i++) {
        if (!command->options[i]->hidden)
            names[count++] = command->options[i]->name;
        if (command->options[i]->alias)
            names[count++] = command->options[i]->alias;
    }
    names[count] = NULL;
    error_set(err, ERROR_USAGE, "unknown option '--%s'", typed);
    near = option_near_name(typed, names);
    return near ? error_fix(err, "did you mean '--%s'?", near) : false;
}

/* The name in the word that getopt_long has just read: "--name", "--name=value" or "--name" "value". */
static void name_read(char **argv, char *name, size_t size)
{
    const bool own_word = optarg && argv[optind - 1] == optarg;
    const char *word = argv[own_word ? optind - 2 : optind - 1] + 2;

    snprintf(name, size, "%.*s", (int)strcspn(word, "="), word);
}

/* Of a value in two words the second. */
static bool take_second(struct command_line *line, const struct option_spec *option, const char *called, char **argv,
                        struct error *err)
{
    const char *word = argv[optind];

    if (!option->two_words || strchr(optarg, '='))
        return true;
    if (!word || strncmp(word, "--", 2) == 0)
        return error_set(err, ERROR_USAGE, "%s needs values too: %s %s", called, called, option->argument);
    optind++;
    return settings_set(&line->settings, option, word, ORIGIN_LINE, called, "", err);
}

static bool take_option(struct command_line *line, int answer, char **argv, struct error *err)
{
    const int number = answer == ':' ? optopt : answer;
    const struct option_spec *option = option_of(line->command, number);
    char called[72] = "--";

    if (answer == '?' && optopt)
        return error_set(err, ERROR_USAGE, "unknown option '-%c'", optopt);
    if (option && number < LONG_FIRST) {
        snprintf(called, sizeof called, "--%s", option->name);
    } else {
        /* getopt_long also takes the beginning of a name for the name; an option that a later version
         * has would change what such a line means */
        name_read(argv, called + 2, sizeof called - 2);
        if (!option || option_named(line->command->options, called + 2) != option)
            return unknown_name(line->command, called + 2, err);
    }
    if (answer == ':')
        return error_set(err, ERROR_USAGE, "%s needs a value: %s %s", called, called, option->argument);
    return settings_set(&line->settings, option, optarg ? optarg : "yes", ORIGIN_LINE, called, "", err) &&
           take_second(line, option, called, argv, err);
}

static bool fail_mixed(const struct command *command, const char *file, struct error *err)
{
    error_set(err, ERROR_USAGE, "'carbon %s' works on files or on commands, not on both", command->name);
    error_why(err, "'%s' stands before '--'", file);
    return error_fix(err, "put '--' before each command, or give files alone");
}

bool command_line_parse(const struct command *command, int argc, char **argv, struct command_line *line,
                        struct error *err)
{
    const bool files_too = command->runs_command && command->operands == OPERAND_FILE;
    struct getopt_tables tables;
    int answer, files = 0, before = 1;

    tables_fill(&tables, command);
    line->command = command;
    settings_open(&line->settings, command->options);
    opterr = 0;
    optind = 0; /* glibc and musl: start anew */
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
    return true;
}

bool command_line_check_operands(const struct command_line *line, struct error *err)
{
    const struct command *command = line->command;
    const bool few = line->operand_count < command->least_operands;
    const bool many = command->most_operands >= 0 && line->operand_count > command->most_operands;

    if (!few && !many)
        return true;
    if (many)
        error_set(err, ERROR_USAGE, "'carbon %s' has no use for '%s'", command->name,
                  line->operands[command->most_operands]);
    else
        error_set(err, ERROR_USAGE, "'carbon %s' needs more to work on", command->name);
    return error_why(err, "it is used as: carbon %s %s", command->name, command->synopsis);
}
