/* SPDX-License-Identifier: MIT
 * The tables of options are sound, and every source of energy is in them. */
#include "app/options/command.h"
#include "energy/energy.h"
#include "meter/meter.h"

#include "typed.h"
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
            ck_assert_msg(!option->default_text || option_check(option, option->name, option->default_text, &err),
                          "--%s: %s", option->name, err.what);
            for (size_t j = 0; j < count; j++) {
                const struct option_spec *other = command->options[j];
                ck_assert_str_ne(option->name, other->name);
                ck_assert_msg(!option->short_name || option->short_name != other->short_name, "-%c twice",
                              option->short_name);
            }
        }
        ck_assert_msg(count >= 2 && count <= SETTINGS_MAX, "%s", command->name);
        ck_assert_ptr_eq(command->options[count - 2], &option_help);
        ck_assert_ptr_eq(command->options[count - 1], &option_version);
    }
}
END_TEST

/* Who knows an option of one command knows it of the others. */
START_TEST(an_option_is_the_same_everywhere)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct option_spec *json = option_named(commands[i]->options, "json");

        if (json && json->file == FILE_WRITTEN)
            ck_assert_msg(option_named(commands[i]->options, "output"), "%s writes files, and has no -o",
                          commands[i]->name);
        for (size_t j = 0; commands[i]->options[j]; j++) {
            const struct option_spec *option = commands[i]->options[j];

            for (size_t k = 0; k < i; k++) {
                const struct option_spec *other = option_named(commands[k]->options, option->name);

                ck_assert_msg(!other || strcmp(other->name, option->name) != 0 ||
                                  other->short_name == option->short_name || !other->short_name || !option->short_name,
                              "--%s of %s and %s have two letters", option->name, commands[i]->name, commands[k]->name);
            }
        }
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

UNIT_SUITE("option_tables", tables_are_sound, an_option_is_the_same_everywhere, every_source_can_be_asked_for)
