/* SPDX-License-Identifier: MIT
 * Which files are one, and that no option of any command may replace what another one names. */
#include "io/file_register.h"

#include "unit.h"

#include "output_folder.h"

#include "app/command_files.h"
#include "app/ledger_options.h"

#include <fcntl.h>

/* Whether a second file is refused beside a first, whichever of them comes first. */
static bool meet(enum file_use use_a, const char *a, enum file_use use_b, const char *b)
{
    struct error err = { .kind = ERROR_NONE };
    bool refused[2];

    for (int i = 0; i < 2; i++) {
        struct file_register *files = file_register_open();

        ck_assert_ptr_nonnull(files);
        ck_assert(file_register_add(files, i ? use_b : use_a, "one", i ? b : a, &err));
        refused[i] = !file_register_add(files, i ? use_a : use_b, "two", i ? a : b, &err);
        ck_assert(!refused[i] || err.kind == ERROR_USAGE);
        file_register_close(files);
    }
    ck_assert_int_eq(refused[0], refused[1]);
    return refused[0];
}

START_TEST(names_of_one_file_meet)
{
    static const struct {
        const char *name, *other;
        enum file_use use, other_use;
    } same[] = {
        { "there", "there", FILE_WRITTEN, FILE_WRITTEN },
        { "there", "./there", FILE_WRITTEN, FILE_READ },
        { "there", "folder/../there", FILE_WRITTEN, FILE_READ },
        { "there", "folder/linked", FILE_WRITTEN, FILE_ADDED },
        { "soft", "there", FILE_WRITTEN, FILE_READ },
        /* none of these is there yet */
        { "new", "./new", FILE_WRITTEN, FILE_WRITTEN },
        { "soft-new", "other/new", FILE_WRITTEN, FILE_WRITTEN },
        { "new", "new.partial", FILE_WRITTEN, FILE_WRITTEN },
        { "new", "new.partial.12", FILE_WRITTEN, FILE_READ },
        { "l.db-wal", "l.db", FILE_WRITTEN, FILE_LEDGER },
        { "l.db-journal", "l.db", FILE_ADDED, FILE_LEDGER },
        { "rows", "rows", FILE_ADDED, FILE_ADDED },
    };

    enter_folder();
    put("there", "x");
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(link("there", "folder/linked"), 0);
    ck_assert_int_eq(symlink("there", "soft"), 0);
    ck_assert_int_eq(symlink("folder/new", "soft-new"), 0);
    ck_assert_int_eq(symlink("folder", "other"), 0);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        ck_assert_msg(meet(same[i].use, same[i].name, same[i].other_use, same[i].other), "'%s' and '%s'", same[i].name,
                      same[i].other);
    leave_folder();
}
END_TEST

START_TEST(other_files_do_not_meet)
{
    enter_folder();
    put("there", "x");
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert(!meet(FILE_READ, "there", FILE_READ, "there"));
    ck_assert(!meet(FILE_LEDGER, "there", FILE_READ, "there"));
    ck_assert(!meet(FILE_WRITTEN, "there", FILE_WRITTEN, "folder/there"));
    ck_assert(!meet(FILE_WRITTEN, "new", FILE_WRITTEN, "new.partially"));
    ck_assert(!meet(FILE_WRITTEN, "new", FILE_WRITTEN, "new.partial.1x"));
    ck_assert(!meet(FILE_WRITTEN, "new", FILE_WRITTEN, "new-wal"));
    ck_assert(!meet(FILE_WRITTEN, "/dev/null", FILE_WRITTEN, "/dev/null"));
    ck_assert(!meet(FILE_WRITTEN, "nowhere/new", FILE_WRITTEN, "nowhere-else/new"));
    ck_assert(!meet(FILE_READ, "-", FILE_WRITTEN, "-"));
    ck_assert(meet(FILE_WRITTEN, "-", FILE_WRITTEN, "/dev/stdout"));
    leave_folder();
}
END_TEST

/* A stream that was sent to a file is one of the files, too. */
START_TEST(a_redirected_stream_is_a_file)
{
    int fd;

    enter_folder();
    fd = open("out", O_WRONLY | O_CREAT, 0666);
    ck_assert_int_eq(dup2(fd, 77), 77);
    ck_assert(meet(FILE_STREAM, "/dev/fd/77", FILE_WRITTEN, "out"));
    ck_assert(meet(FILE_WRITTEN, "/dev/fd/77", FILE_READ, "out"));
    ck_assert(!meet(FILE_STREAM, "/dev/fd/77", FILE_ADDED, "out"));
    ck_assert(!meet(FILE_STREAM, "/dev/fd/77", FILE_WRITTEN, "/dev/fd/77"));
    close(77);
    close(fd);
    leave_folder();
}
END_TEST

/* What is asked about is not kept: files below a folder meet none of one another. */
START_TEST(a_file_that_is_asked_about_is_not_kept)
{
    struct file_register *files = file_register_open();
    struct error err;

    enter_folder();
    ck_assert(file_register_add(files, FILE_WRITTEN, "--json", "a", &err));
    ck_assert(file_register_allows(files, "--charts", "b", &err) && file_register_allows(files, "--charts", "b", &err));
    ck_assert(!file_register_allows(files, "--charts", "a", &err));
    ck_assert_str_eq(err.what, "--charts and --json are one file: 'a'");
    ck_assert_str_eq(err.why, "one of them would be lost");
    ck_assert_str_eq(err.fix, "nothing has been run yet; give --charts a file of its own");
    file_register_close(files);
    leave_folder();
}
END_TEST

static bool refused(const struct command *command, const struct option_spec *a, const struct option_spec *b,
                    char *operand)
{
    char *operands[] = { operand, operand, NULL };
    struct command_line line = { .command = command,
                                 .operand_count = operand ? command->first_file + 1 : 0,
                                 .operands = operands };
    struct error err = { .kind = ERROR_NONE };
    bool good;

    settings_open(&line.settings, command->options);
    ck_assert(settings_set(&line.settings, a, "it.svg", ORIGIN_LINE, "a", "", &err));
    ck_assert(!b || settings_set(&line.settings, b, "it.svg", ORIGIN_LINE, "b", "", &err));
    good = command_files_check(&line, &line.settings, NULL, &err);
    ck_assert(good || strstr(err.what, "are one file"));
    settings_close(&line.settings);
    return !good;
}

static bool is_output(const struct option_spec *option)
{
    return option->kind == OPTION_FILE && (option->file == FILE_WRITTEN || option->file == FILE_ADDED);
}

/* Every output of every command against every other file that it has. */
START_TEST(no_output_of_any_command_hits_another_file)
{
    size_t tried = 0;
    char operand[] = "it.svg";

    enter_folder();
    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_DATA_HOME");
    for (size_t i = 0; commands[i]; i++) {
        const struct option_spec *const *options = commands[i]->options;

        for (size_t a = 0; options[a]; a++) {
            if (!is_output(options[a]))
                continue;
            ck_assert_msg(!refused(commands[i], options[a], NULL, NULL), "%s --%s", commands[i]->name,
                          options[a]->name);
            ck_assert_msg(commands[i]->operands != OPERAND_FILE || commands[i]->file_use == FILE_FOLDER ||
                              refused(commands[i], options[a], NULL, operand),
                          "%s --%s FILE FILE", commands[i]->name, options[a]->name);
            for (size_t b = 0; options[b]; b++, tried++)
                ck_assert_msg(a == b || options[b]->kind != OPTION_FILE || options[b]->file == FILE_FOLDER ||
                                  refused(commands[i], options[a], options[b], NULL),
                              "%s --%s FILE --%s FILE", commands[i]->name, options[a]->name, options[b]->name);
        }
    }
    ck_assert_uint_gt(tried, 500);
    leave_folder();
}
END_TEST

/* A help that speaks of writing is that of an output; a new option has to say which it is. */
START_TEST(what_writes_is_called_an_output)
{
    static const char *const verbs[] = {
        "write", "add to this", "add a row", "append", "draw it", "keep totals", NULL
    };
    size_t outputs = 0;

    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; commands[i]->options[j]; j++) {
            const struct option_spec *option = commands[i]->options[j];
            bool writes = false;

            for (size_t k = 0; option->kind == OPTION_FILE && verbs[k]; k++)
                writes = writes || strncmp(option->help, verbs[k], strlen(verbs[k])) == 0;
            outputs += is_output(option);
            ck_assert_msg(!writes || is_output(option) || option->file == FILE_FOLDER, "%s --%s", commands[i]->name,
                          option->name);
        }
    ck_assert_uint_gt(outputs, 30);
}
END_TEST

/* Anybody's ledger, under any name. */
START_TEST(a_result_never_replaces_a_database)
{
    char database[32] = "SQLite format 3";
    const struct command *command = command_find("measure");
    struct command_line line = { .command = command };
    struct error err;
    FILE *file;

    enter_folder();
    file = fopen("old", "w");
    ck_assert_uint_eq(fwrite(database, 1, sizeof database, file), sizeof database);
    fclose(file);
    settings_open(&line.settings, command->options);
    ck_assert(settings_set(&line.settings, &option_json, "old", ORIGIN_LINE, "--json", "", &err));
    ck_assert(!command_files_check(&line, &line.settings, NULL, &err));
    ck_assert_str_eq(err.what, "--json would replace the database 'old'");
    settings_close(&line.settings);
    leave_folder();
}
END_TEST

UNIT_SUITE("command_files", names_of_one_file_meet, other_files_do_not_meet, a_redirected_stream_is_a_file,
           a_file_that_is_asked_about_is_not_kept, no_output_of_any_command_hits_another_file,
           what_writes_is_called_an_output, a_result_never_replaces_a_database)
