/* SPDX-License-Identifier: MIT
 * Options on the command line: how values are written, and which mistakes are named. */
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

static const struct option_spec option_count = {
    .name = "count",
    .short_name = 'c',
    .alias = "number",
    .kind = OPTION_COUNT,
    .argument = "<n>",
    .group = "A",
    .min = 1,
    .max = 10,
    .check = check_even,
    .help = "how many",
};
static const struct option_spec option_shape = {
    .name = "shape",
    .kind = OPTION_CHOICE,
    .argument = "<shape>",
    .group = "A",
    .default_text = "round",
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
    .short_name = 'f',
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
    .max_operands = 1,
};
static const struct command with_job = {
    .name = "runner",
    .purpose = "test",
    .synopsis = "[options] -- command",
    .about = "Test.",
    .options = test_options,
    .min_operands = 1,
    .max_operands = -1,
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

    expect_failure(&plain, "one two", "'carbon plain' does not take 'two'", "");
    expect_failure(&with_job, "--fast", "'carbon runner' needs an argument", "carbon help runner");
    ck_assert_str_eq(err.why, "usage: carbon runner [options] -- command");
}
END_TEST

/* There is no such option; a close one, or "". */
static void expect_unknown(const char *typed, const char *option, const char *close_one)
{
    char what[64], why[96];

    snprintf(what, sizeof what, "unknown option '%s'", option);
    snprintf(why, sizeof why,
             *close_one ? "the nearest option of 'carbon plain' is '%s'" : "'carbon plain' has no option", close_one);
    expect_failure(&plain, typed, what, "carbon help --all plain");
    ck_assert_ptr_nonnull(strstr(err.why, why));
}

START_TEST(mistakes_are_named)
{
    expect_failure(&plain, "--time ten", "--time needs a number of seconds, not 'ten'", "");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
    expect_failure(&plain, "-t -1", "--time needs a number of seconds from 0 to 60, not '-1'", "");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
    expect_failure(&plain, "--time=nan", "--time needs a number of seconds, not 'nan'", "");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
    expect_failure(&plain, "--time=0x10", "--time needs a number of seconds, not '0x10'", "");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
    expect_failure(&plain, "--time=", "--time needs a number of seconds, not ''", "");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
    expect_failure(&plain, "--count 2.5", "--count needs a whole number, not '2.5'", "");
    expect_failure(&plain, "--number 12", "--number needs a whole number from 1 to 10, not '12'", "");
    expect_failure(&plain, "--count 3", "--count cannot be '3'", "give an even one");
    ck_assert_str_eq(err.why, "it is odd");
    expect_failure(&plain, "--shape flat", "--shape needs round or square, not 'flat'", "");
    expect_failure(&plain, "--zone=", "--zone needs a value, not ''", "");
    expect_failure(&plain, "--fast=maybe", "--fast needs yes or no, not 'maybe'", "");
    expect_failure(&plain, "--zone", "--zone needs a value: --zone <code>", "carbon help --all plain");
    expect_failure(&plain, "-t", "--time needs a value: --time <s>", "carbon help --all plain");
}
END_TEST

START_TEST(a_second_value_is_refused)
{
    expect_failure(&plain, "--time 1 --time 7.5", "--time was given twice, as '1' and as '7.5'", "omit --time VALUE");
    ck_assert_str_eq(err.why, "it has one value");
    expect_failure(&plain, "-t1 -t 2", "--time was given twice, as '1' and as '2'", "omit --time VALUE");
    expect_failure(&plain, "--country FR --zone DE", "--zone was given twice, as 'FR' and as 'DE'",
                   "omit --zone VALUE");
    expect_failure(&plain, "--fast --fast=no", "--fast was given twice, as 'yes' and as 'no'", "omit --fast");
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

UNIT_SUITE("options", standards_stand_where_nothing_is_given, every_way_to_write_a_value,
           operands_are_told_from_options, mistakes_are_named, a_second_value_is_refused,
           names_are_not_cut_short_and_near_ones_are_proposed, a_repeated_option_has_an_end)
