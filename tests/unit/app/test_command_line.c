/* SPDX-License-Identifier: MIT
 * Command lines of more than one form: files or jobs, and values of two words. */
#include "app/options/command.h"

#include "typed.h"
#include "unit.h"

static const struct option_spec option_fast = {
    .name = "fast", .short_name = 'f', .kind = OPTION_FLAG, .help = "be quick"
};
static const struct option_spec option_steps = {
    .name = "steps",
    .kind = OPTION_TEXT,
    .argument = "<name> <values>",
    .repeated = true,
    .two_words = true,
    .help = "two words",
};
static const struct option_spec *const test_options[] = {
    &option_time, &option_fast, &option_steps, &option_zone, &option_help, NULL,
};

/* Either files or jobs; or only a job. */
static const struct command with_both = {
    .name = "both",
    .purpose = "test",
    .synopsis = "[options] file ...",
    .about = "Test.",
    .options = test_options,
    OPERANDS(1, -1, OPERAND_FILE),
    .runs_command = true,
};
static const struct command with_job = {
    .name = "runner",
    .purpose = "test",
    .synopsis = "[options] -- command",
    .about = "Test.",
    .options = test_options,
    OPERANDS(1, -1, OPERAND_TEXT),
    .runs_command = true,
};

START_TEST(files_may_stand_between_options)
{
    ck_assert(parse(&with_both, "a --fast b --time 4 c -ft4"));
    ck_assert(!line.dashed && settings_flag(&line.settings, &option_fast));
    ck_assert_double_eq(settings_number(&line.settings, &option_time), 4);
    ck_assert_int_eq(line.operand_count, 3);
    ck_assert_str_eq(line.operands[0], "a");
    ck_assert_str_eq(line.operands[1], "b");
    ck_assert_str_eq(line.operands[2], "c");
    ck_assert_ptr_null(line.operands[3]);
    ck_assert(parse(&with_both, "--zone -- a")); /* a value, not the end of the options */
    ck_assert(!line.dashed);
    ck_assert_str_eq(line.operands[0], "a");
}
END_TEST

START_TEST(behind_two_dashes_stand_jobs)
{
    ck_assert(parse(&with_both, "--fast -- a --fast=no -- b"));
    ck_assert(line.dashed && settings_flag(&line.settings, &option_fast));
    ck_assert_int_eq(line.operand_count, 4);
    ck_assert_str_eq(line.operands[0], "a");
    ck_assert_str_eq(line.operands[3], "b");
    ck_assert(parse(&with_both, "-- -- a"));
    ck_assert_int_eq(line.operand_count, 2);
    ck_assert_str_eq(line.operands[0], "--");
    ck_assert(!parse(&with_both, "--") && line.dashed);
    ck_assert(parse(&with_job, "a -- b") && !line.dashed && line.operand_count == 3);
    ck_assert(parse(&with_job, "-- a -- b") && line.dashed && line.operand_count == 3);
}
END_TEST

START_TEST(not_both)
{
    static const char what[] = "'carbon both' works on files or on commands, not on both";
    static const char fix[] = "put '--' before each command, or give files alone";

    expect_failure(&with_both, "a --", what, fix);
    expect_failure(&with_both, "--fast a -- b", what, fix);
    ck_assert_str_eq(err.why, "'a' is before '--'");
}
END_TEST

START_TEST(values_of_two_words)
{
    static const char *const without[] = { "--steps size -- job", "--steps size --fast", "--steps size" };

    ck_assert(parse(&with_job, "--steps size 1,2 --fast --steps=mode=a=b,c --steps=z -1,-2 --steps mode=x -- job"));
    const char *const *texts = settings_texts(&line.settings, &option_steps);
    ck_assert_uint_eq(settings_find(&line.settings, &option_steps)->count, 6);
    ck_assert_str_eq(texts[0], "size");
    ck_assert_str_eq(texts[1], "1,2");
    ck_assert_str_eq(texts[2], "mode=a=b,c");
    ck_assert_str_eq(texts[3], "z");
    ck_assert_str_eq(texts[4], "-1,-2");
    ck_assert_str_eq(texts[5], "mode=x");
    ck_assert(settings_flag(&line.settings, &option_fast));
    ck_assert_str_eq(line.operands[0], "job");
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        expect_failure(&with_job, without[i], "--steps needs values too: --steps <name> <values>",
                       "carbon help --all runner");
    expect_failure(&with_job, "--steps", "--steps needs a value: --steps <name> <values>", "carbon help --all runner");
}
END_TEST

/* A list that is too long is told, never cut. */
START_TEST(every_option_is_read)
{
    static struct option_spec specs[SETTINGS_MAX + 1];
    static const struct option_spec *list[SETTINGS_MAX + 2];
    static char names[SETTINGS_MAX + 1][12];
    static const struct command command = { .name = "many", .options = list, .max_operands = -1 };
    char typed[80];

    for (int i = 0; i < SETTINGS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "option%d", i);
        specs[i] = (struct option_spec){ .name = names[i], .kind = OPTION_FLAG };
        list[i] = &specs[i];
    }
    snprintf(typed, sizeof typed, "--option0 --option%d", SETTINGS_MAX - 1);
    ck_assert(parse(&command, typed));
    ck_assert(settings_flag(&line.settings, &specs[SETTINGS_MAX - 1]));
    specs[SETTINGS_MAX] = (struct option_spec){ .name = "one-more", .kind = OPTION_FLAG };
    list[SETTINGS_MAX] = &specs[SETTINGS_MAX];
    ck_assert(!parse(&command, "--option0"));
    ck_assert_str_eq(err.what, "'carbon many' has more options than can be read");
}
END_TEST

UNIT_SUITE("command line", files_may_stand_between_options, behind_two_dashes_stand_jobs, not_both, values_of_two_words,
           every_option_is_read)
