/* SPDX-License-Identifier: MIT
 * Command lines over a configuration file. The input: a byte for the command, the file, NUL, and words, NUL between. */
#include "folder.h"

#include "app/options/command.h"
#include "commands/help/config.h"

enum { MAX_WORDS = 64 };

static void check_error(bool good, const struct error *err)
{
    FUZZ_MUST(good || (err->kind != ERROR_NONE && *err->what));
}

/* What the program does before a command runs; the settings that come out of it pass the checks again. */
static void try_line(const struct command *command, int count, char **words)
{
    static struct command_line line;
    struct error err = { .kind = ERROR_NONE };
    bool good = command_line_parse(command, count, words, &line, &err);

    check_error(good, &err);
    if (good) {
        good = command_line_check_operands(&line, &err);
        check_error(good, &err);
    }
    if (good) {
        good = config_apply(&line.settings, command, &err);
        check_error(good, &err);
    }
    for (size_t i = 0; good && i < line.settings.count; i++) {
        const struct setting *setting = &line.settings.items[i];
        FUZZ_MUST(setting->count <= SETTINGS_REPEATS && !setting->texts[setting->count]);
        for (size_t j = 0; j < setting->count; j++)
            FUZZ_MUST(option_check(setting->option, setting->option->name, setting->texts[j], &err));
    }
    settings_close(&line.settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    char *words[MAX_WORDS + 1], *config;
    size_t known = 0;
    int count = 0;

    folder_open();
    FUZZ_MUST(setenv("XDG_CONFIG_HOME", folder.path, 1) == 0);
    const int next_fd = fuzz_next_fd();
    while (commands[known])
        known++;
    const struct command *command = commands[input_number(&input, 1) % known];
    folder_put("carbon/config", config = input_text(&input));
    free(config);
    words[count++] = strdup(command->name);
    while (input.at < input.end && count < MAX_WORDS)
        words[count++] = input_text(&input);
    words[count] = NULL;
    char *stored[MAX_WORDS];
    memcpy(stored, words, sizeof stored); /* getopt may change their order */
    try_line(command, count, words);
    while (count)
        free(stored[--count]);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
