/* SPDX-License-Identifier: MIT
 * Options from the configuration file and the environment, of the real commands. */
#include "app/options/command.h"
#include "commands/help/config.h"

#include "typed.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    expect_bad_config("\n\nbaseline = ten\n", 3, "baseline needs a number of seconds or same, not 'ten'",
                      "write the line as 'baseline = 5'");
    ck_assert_str_eq(err.why, SECONDS_UNITS);
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

UNIT_SUITE("config", line_over_environment_over_file_over_standard, mistakes_in_the_file_are_named_with_their_line,
           a_file_that_is_not_there_is_no_mistake)
