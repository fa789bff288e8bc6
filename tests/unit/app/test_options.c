/* SPDX-License-Identifier: MIT
 * The command line, the configuration file, the environment, and what is made of the table of options. */
#include "app/options/command.h"
#include "commands/help/config.h"
#include "commands/help/help.h"
#include "energy/energy.h"
#include "meter/meter.h"

#include "typed.h"
#include "unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const shapes[] = { "round", "square", NULL };

static bool check_even(const char *text, struct error *odd)
{
    if ((text[strlen(text) - 1] - '0') % 2 == 0)
        return true;
    error_set(odd, ERROR_USAGE, "it is odd");
    return error_fix(odd, "give an even one");
}

static const struct option_spec option_time = {
    .name = "time",
    .letter = 't',
    .kind = OPTION_NUMBER,
    .argument = "<s>",
    .quantity = QUANTITY_SECONDS,
    .group = "A",
    .standard = "5",
    .least = 0,
    .most = 60,
    .help = "seconds",
};
static const struct option_spec option_count = {
    .name = "count",
    .letter = 'c',
    .alias = "number",
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "A",
    .least = 1,
    .most = 10,
    .check = check_even,
    .help = "how many",
};
static const struct option_spec option_shape = {
    .name = "shape",
    .kind = OPTION_CHOICE,
    .argument = "<shape>",
    .group = "A",
    .standard = "round",
    .choices = shapes,
    .help = "its form",
};
static const struct option_spec option_files = {
    .name = "file",
    .kind = OPTION_FILE,
    .argument = "<file>",
    .group = "B",
    .repeated = true,
    .help = "a file",
};
static const struct option_spec option_fast = {
    .name = "fast",
    .letter = 'f',
    .kind = OPTION_FLAG,
    .group = "B",
    .help = "be quick",
};
static const struct option_spec *const test_options[] = {
    &option_time, &option_count, &option_shape, &option_files,   &option_fast,
    &option_zone, &option_root,  &option_help,  &option_version, NULL,
};

static const struct command plain = {
    .name = "plain",
    .purpose = "test",
    .synopsis = "[options] [thing]",
    .about = "Test.",
    .options = test_options,
    .most_operands = 1,
};
static const struct command with_job = {
    .name = "runner",
    .purpose = "test",
    .synopsis = "[options] -- command",
    .about = "Test.",
    .options = test_options,
    .least_operands = 1,
    .most_operands = -1,
    .runs_command = true,
};

START_TEST(standards_stand_where_nothing_is_given)
{
    ck_assert(parse(&plain, ""));
    ck_assert_double_eq(settings_number(&line.settings, &option_time), 5);
    ck_assert_int_eq(settings_origin(&line.settings, &option_time), ORIGIN_STANDARD);
    ck_assert_double_nan(settings_number(&line.settings, &option_count));
    ck_assert_ptr_null(settings_text(&line.settings, &option_zone));
    ck_assert_ptr_null(settings_texts(&line.settings, &option_files)[0]);
    ck_assert(!settings_flag(&line.settings, &option_fast));
    ck_assert_int_eq(line.operand_count, 0);
}
END_TEST

START_TEST(every_way_to_write_a_value)
{
    static const char *const lines[] = {
        "--time=7.5 --fast",
        "--time 7.5 -f",
        "-t 7.5 -f",
        "-t7.5 -f",
        "-ft7.5",
        "-ft 7.5",
        "--time 7.5 --time 7.5 --fast=yes",
        "-t 7.5 --time=7.5 -f --fast",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(parse(&plain, lines[i]), "%s: %s", lines[i], err.what);
        ck_assert_double_eq(settings_number(&line.settings, &option_time), 7.5);
        ck_assert_int_eq(settings_origin(&line.settings, &option_time), ORIGIN_LINE);
        ck_assert(settings_flag(&line.settings, &option_fast));
    }
    ck_assert(parse(&plain, "--number 4 --country=FR --fast=no"));
    ck_assert_double_eq(settings_number(&line.settings, &option_count), 4);
    ck_assert_str_eq(settings_text(&line.settings, &option_zone), "FR");
    ck_assert(!settings_flag(&line.settings, &option_fast));
    ck_assert(parse(&plain, "--file a --file=b --file -"));
    ck_assert_int_eq(settings_find(&line.settings, &option_files)->count, 3);
    ck_assert_str_eq(settings_texts(&line.settings, &option_files)[2], "-");
    ck_assert_ptr_null(settings_texts(&line.settings, &option_files)[3]);
}
END_TEST

START_TEST(operands_are_told_from_options)
{
    ck_assert(parse(&plain, "thing --fast"));
    ck_assert(settings_flag(&line.settings, &option_fast));
    ck_assert_str_eq(line.operands[0], "thing");
    ck_assert(parse(&plain, "-- --fast"));
    ck_assert_str_eq(line.operands[0], "--fast");

    ck_assert(parse(&with_job, "--fast job --time 3 -- -x"));
    ck_assert_double_eq(settings_number(&line.settings, &option_time), 5);
    ck_assert_int_eq(line.operand_count, 5);
    ck_assert_str_eq(line.operands[0], "job");
    ck_assert_str_eq(line.operands[3], "--");
    ck_assert(parse(&with_job, "--fast -- --job --fast=no"));
    ck_assert_str_eq(line.operands[0], "--job");
    ck_assert(settings_flag(&line.settings, &option_fast));

    expect_failure(&plain, "one two", "'carbon plain' has no use for 'two'", "");
    expect_failure(&with_job, "--fast", "'carbon runner' needs more to work on", "");
    ck_assert_str_eq(err.why, "it is used as: carbon runner [options] -- command");
}
END_TEST

/* There is no such option; a close one, or "". */
static void expect_unknown(const char *typed, const char *option, const char *close_one)
{
    char what[64], fix[64] = "";

    snprintf(what, sizeof what, "unknown option '%s'", option);
    if (*close_one)
        snprintf(fix, sizeof fix, "did you mean '%s'?", close_one);
    expect_failure(&plain, typed, what, fix);
}

static const char seconds_fix[] = "units are ms, s, min, h, d or y; a number alone is of seconds";

START_TEST(mistakes_are_named)
{
    expect_failure(&plain, "--time ten", "--time needs a number of seconds, not 'ten'", seconds_fix);
    expect_failure(&plain, "-t -1", "--time needs a number of seconds from 0 to 60, not '-1'", seconds_fix);
    expect_failure(&plain, "--time=nan", "--time needs a number of seconds, not 'nan'", seconds_fix);
    expect_failure(&plain, "--time=0x10", "--time needs a number of seconds, not '0x10'", seconds_fix);
    expect_failure(&plain, "--time=", "--time needs a number of seconds, not ''", seconds_fix);
    expect_failure(&plain, "--count 2.5", "--count needs a whole number, not '2.5'", "");
    expect_failure(&plain, "--number 12", "--number needs a whole number from 1 to 10, not '12'", "");
    expect_failure(&plain, "--count 3", "--count cannot be '3'", "give an even one");
    ck_assert_str_eq(err.why, "it is odd");
    expect_failure(&plain, "--shape flat", "--shape needs round or square, not 'flat'", "");
    expect_failure(&plain, "--zone=", "--zone needs a value, not ''", "");
    expect_failure(&plain, "--fast=maybe", "--fast needs yes or no, not 'maybe'", "");
    expect_failure(&plain, "--zone", "--zone needs a value: --zone <code>", "");
    expect_failure(&plain, "-t", "--time needs a value: --time <s>", "");
}
END_TEST

START_TEST(a_second_value_is_refused)
{
    expect_failure(&plain, "--time 1 --time 7.5", "--time was given twice, as '1' and as '7.5'",
                   "leave one of them out");
    ck_assert_str_eq(err.why, "it has one value");
    expect_failure(&plain, "-t1 -t 2", "--time was given twice, as '1' and as '2'", "leave one of them out");
    expect_failure(&plain, "--country FR --zone DE", "--zone was given twice, as 'FR' and as 'DE'",
                   "leave one of them out");
    expect_failure(&plain, "--fast --fast=no", "--fast was given twice, as 'yes' and as 'no'", "leave one of them out");
}
END_TEST

START_TEST(names_are_not_cut_short_and_near_ones_are_proposed)
{
    expect_unknown("--fast -xf", "-x", "");
    expect_unknown("--shpae round", "--shpae", "--shape");
    expect_unknown("--contry=FR", "--contry", "--country");
    expect_unknown("--bogus", "--bogus", "");
    expect_unknown("--sha round", "--sha", "--shape");
    expect_unknown("--sha=round", "--sha", "--shape");
    expect_unknown("--fas", "--fas", "--fast");
    expect_unknown("--f", "--f", "");
    expect_unknown("--numb", "--numb", "--number");
    /* hidden: never proposed */
    expect_unknown("--roo", "--roo", "");
}
END_TEST

START_TEST(a_repeated_option_has_an_end)
{
    char typed[2048] = "";

    for (int i = 0; i < SETTINGS_REPEATS; i++)
        strcat(typed, "--file=x ");
    ck_assert(parse(&plain, typed));
    ck_assert_int_eq(settings_find(&line.settings, &option_files)->count, SETTINGS_REPEATS);
    strcat(typed, "--file=x");
    expect_failure(&plain, typed, "--file was given more than 32 times", "");
}
END_TEST

static char folder[] = "/tmp/carbon-options.XXXXXX";
static char file_path[128];

static void write_config(const char *content)
{
    char path[96];
    FILE *file;

    if (!file_path[0]) {
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/carbon", folder);
        ck_assert_int_eq(mkdir(path, 0755), 0);
        snprintf(file_path, sizeof file_path, "%s/config", path);
    }
    setenv("XDG_CONFIG_HOME", folder, 1);
    file = fopen(file_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

static void remove_config(void)
{
    char path[96];

    unlink(file_path);
    snprintf(path, sizeof path, "%s/carbon", folder);
    rmdir(path);
    rmdir(folder);
    file_path[0] = '\0';
    strcpy(folder, "/tmp/carbon-options.XXXXXX");
    unsetenv("XDG_CONFIG_HOME");
}

/* The real `measure`, so that sections have the name of a command. */
static bool apply(const char *typed)
{
    const struct command *measure = command_find("measure");

    settings_close(&line.settings);
    return parse(measure, typed) && config_apply(&line.settings, measure, &err);
}

static const struct option_spec *measure_option(const char *name)
{
    return option_named(command_find("measure")->options, name);
}

START_TEST(line_over_environment_over_file_over_standard)
{
    write_config("# mine\nzone = DE\npue = 1.4 ; the hall\nruns: 3\nrequire-measured = yes\n\n"
                 "[measure]\npue = 1.3\n[estimate]\npue = 2\nzone = US\n");
    ck_assert_msg(apply("-- true"), "%s", err.what);
    ck_assert_str_eq(settings_text(&line.settings, &option_zone), "DE");
    ck_assert_int_eq(settings_origin(&line.settings, &option_zone), ORIGIN_FILE);
    ck_assert_double_eq(settings_number(&line.settings, &option_pue), 1.3);
    ck_assert_double_eq(settings_number(&line.settings, measure_option("runs")), 3);
    ck_assert(settings_flag(&line.settings, &option_require_measured));
    ck_assert_str_eq(settings_text(&line.settings, &option_basis), "lifecycle");
    ck_assert_ptr_nonnull(strstr(settings_find(&line.settings, &option_pue)->where, "/carbon/config:8"));

    setenv("CARBON_ZONE", "FR", 1);
    setenv("CARBON_REQUIRE_MEASURED", "no", 1);
    setenv("CARBON_PUE", "", 1);
    ck_assert(apply("-- true"));
    ck_assert_str_eq(settings_text(&line.settings, &option_zone), "FR");
    ck_assert_str_eq(settings_find(&line.settings, &option_zone)->where, "CARBON_ZONE");
    ck_assert(!settings_flag(&line.settings, &option_require_measured));
    ck_assert_double_eq(settings_number(&line.settings, &option_pue), 1.3);

    ck_assert(apply("--zone GB --require-measured --pue 1.1 -- true"));
    ck_assert_str_eq(settings_text(&line.settings, &option_zone), "GB");
    ck_assert_int_eq(settings_origin(&line.settings, &option_zone), ORIGIN_LINE);
    ck_assert(settings_flag(&line.settings, &option_require_measured));
    ck_assert_double_eq(settings_number(&line.settings, &option_pue), 1.1);

    setenv("CARBON_ZONE", "", 1);
    setenv("CARBON_COUNTRY", "ES", 1);
    ck_assert(apply("-- true"));
    ck_assert_str_eq(settings_text(&line.settings, &option_zone), "ES");

    setenv("CARBON_PUE", "0.5", 1);
    ck_assert(!apply("-- true"));
    ck_assert_str_eq(err.what, "CARBON_PUE needs a number from 1 to 10, not '0.5'");
    unsetenv("CARBON_PUE");
    unsetenv("CARBON_ZONE");
    unsetenv("CARBON_COUNTRY");
    unsetenv("CARBON_REQUIRE_MEASURED");
    settings_close(&line.settings);
    remove_config();
}
END_TEST

static void expect_bad_config(const char *content, int number, const char *what, const char *fix)
{
    char expected[256];

    write_config(content);
    ck_assert_msg(!apply("-- true"), "taken: %s", content);
    snprintf(expected, sizeof expected, "'%s' line %d: %s", file_path, number, what);
    ck_assert_str_eq(err.what, expected);
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    if (fix)
        ck_assert_str_eq(err.fix, fix);
}

START_TEST(mistakes_in_the_file_are_named_with_their_line)
{
    char long_line[400];

    expect_bad_config("zone = FR\nzon = DE\n", 2, "no command has an option 'zon'", "did you mean 'zone'?");
    expect_bad_config("[measure]\nstuff = 1\n", 2, "this command has no option 'stuff'",
                      "'carbon config' lists what can be set");
    expect_bad_config("\n\nbaseline = ten\n", 3, "baseline needs a number of seconds or same, not 'ten'", seconds_fix);
    expect_bad_config("quiet = 1\n", 1, "quiet needs yes or no, not '1'", NULL);
    expect_bad_config("zone = FR\nrubbish\n", 2, "this is neither 'name = value'", NULL);
    expect_bad_config("[measure\nzone = FR\n", 1, "this is neither 'name = value'", NULL);
    expect_bad_config("[misure]\nzone = FR\n", 2, "no command is called 'misure'", NULL);
    expect_bad_config("root = /\n", 1, "only the command line may have 'root'", NULL);
    expect_bad_config("help = yes\n", 1, "only the command line may have 'help'", NULL);
    /* another command's section is not taken, but read */
    expect_bad_config("[estimate]\npue = 0\n", 2, "pue needs a number from 1 to 10, not '0'", NULL);
    /* an indented line stands for itself */
    expect_bad_config("json = a\n  scope = none\n", 2, "scope needs compute, platform or machine, not 'none'", NULL);
    snprintf(long_line, sizeof long_line, "zone = FR\njson = %0300d\n", 0);
    write_config(long_line);
    ck_assert(!apply("-- true"));
    ck_assert_ptr_nonnull(strstr(err.what, "line 2: is too long"));
    settings_close(&line.settings);
    remove_config();
}
END_TEST

START_TEST(a_file_that_is_not_there_is_no_mistake)
{
    setenv("XDG_CONFIG_HOME", "/nonexistent/folder", 1);
    ck_assert(apply("-- true"));
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    ck_assert(apply("-- true"));
    write_config("");
    ck_assert(apply("-- true"));
    unlink(file_path);
    ck_assert_int_eq(mkdir(file_path, 0755), 0);
    ck_assert(!apply("-- true"));
    ck_assert_ptr_nonnull(strstr(err.what, "cannot read"));
    rmdir(file_path);
    settings_close(&line.settings);
    remove_config();
}
END_TEST

/* What holds for every option of every command, so that help, file and completion can be made of it. */
START_TEST(tables_are_sound)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct command *command = commands[i];
        char choices[OPTION_CHOICES_SIZE];
        size_t count = 0;

        for (; command->options[count]; count++) {
            const struct option_spec *option = command->options[count];

            ck_assert_msg((option->kind == OPTION_FLAG) == !option->argument, "--%s: argument", option->name);
            ck_assert_msg((option->kind == OPTION_CHOICE) == (option->choices != NULL), "--%s: choices", option->name);
            if (option->choices)
                option_choices_text(option, choices, sizeof choices);
            ck_assert_msg(!option->choices || strlen(choices) < sizeof choices - 1, "--%s: %s", option->name, choices);
            ck_assert_msg(option->help[0] && option->help[strlen(option->help) - 1] != '.', "--%s: help", option->name);
            ck_assert_msg(!option->standard || option_check(option, option->name, option->standard, &err), "--%s: %s",
                          option->name, err.what);
            for (size_t j = 0; j < count; j++) {
                const struct option_spec *other = command->options[j];
                ck_assert_str_ne(option->name, other->name);
                ck_assert_msg(!option->letter || option->letter != other->letter, "-%c twice", option->letter);
            }
        }
        ck_assert_msg(count >= 2 && count <= SETTINGS_MAX, "%s", command->name);
        ck_assert_ptr_eq(command->options[count - 2], &option_help);
        ck_assert_ptr_eq(command->options[count - 1], &option_version);
    }
}
END_TEST

START_TEST(every_source_can_be_asked_for)
{
    size_t count = 0;

    ck_assert_str_eq(option_source.choices[0], "auto");
    for (; energy_drivers[count]; count++) {
        const struct energy_driver *driver = energy_drivers[count];

        ck_assert_ptr_nonnull(option_source.choices[count + 1]);
        ck_assert_str_eq(option_source.choices[count + 1], driver->name);
        ck_assert_msg(driver->about && *driver->about, "%s: about", driver->name);
        ck_assert_msg(driver->open && driver->read && driver->close, "%s: open, read, close", driver->name);
        ck_assert_msg(!driver->paths == !driver->paths_title, "%s: paths and what they are called", driver->name);
        for (size_t i = 0; driver->paths && driver->paths[i]; i++)
            ck_assert_msg(isalpha((unsigned char)driver->paths[i][0]) && strchr(driver->paths[i], '/'),
                          "%s: '%s' is not relative to the root", driver->name, driver->paths[i]);
    }
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(count, METER_MAX_SOURCES);
    ck_assert_ptr_null(option_source.choices[count + 1]);
}
END_TEST

UNIT_SUITE("options", standards_stand_where_nothing_is_given, every_way_to_write_a_value,
           operands_are_told_from_options, mistakes_are_named, a_second_value_is_refused, names_are_not_cut_short_and_near_ones_are_proposed,
           a_repeated_option_has_an_end, line_over_environment_over_file_over_standard,
           mistakes_in_the_file_are_named_with_their_line, a_file_that_is_not_there_is_no_mistake, tables_are_sound,
           every_source_can_be_asked_for)
