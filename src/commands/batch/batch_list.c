/* SPDX-License-Identifier: MIT
 * The modules that `carbon batch` measures: from its file and from --module. */
#include "commands/batch/batch_list.h"

#include "app/options/meant_value.h"
#include "base/auto.h"
#include "base/near.h"
#include "base/text.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_BYTES = 1 << 20 };

#define SETTINGS_SECTION "batch"

static const char *const keys[] = { "command", "items", "cpus", NULL };

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the list of modules");
}

static struct batch_entry *find_entry(const struct batch_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->entries[i].name, name) == 0)
            return &list->entries[i];
    return NULL;
}

/* Tables and file names use names, JSON uses commands. */
static bool is_text(const char *text)
{
    for (size_t length; *text; text += length)
        if (!(length = utf8_length(text)))
            return false;
    return true;
}

static bool add_entry(struct batch_list *list, const char *name, int line, struct error *err)
{
    struct batch_entry *entries = realloc(list->entries, (list->count + 1) * sizeof *entries);

    if (!entries)
        return no_memory(err);
    list->entries = entries;
    entries[list->count] = (struct batch_entry){ .items = NAN, .line = line };
    text_copy(entries[list->count].name, sizeof entries->name, name);
    list->count++;
    return true;
}

static bool set_command(struct batch_entry *entry, const char *command, struct error *err)
{
    entry->argv[0] = (char *)"/bin/sh";
    entry->argv[1] = (char *)"-c";
    entry->argv[2] = strdup(command);
    return entry->argv[2] || no_memory(err);
}

/* A file while it is read. */
struct batch_list_reading {
    struct batch_list *list;
    const struct command *command;
    struct settings *settings;
    const char *path;
};

static bool begin_section(struct batch_list_reading *reading, const struct ini_entry *entry, struct error *err)
{
    const struct batch_entry *same = find_entry(reading->list, entry->section);

    if (strcmp(entry->section, SETTINGS_SECTION) == 0)
        return true;
    if (!*entry->section || !is_text(entry->section)) {
        ini_fail(err, reading->path, entry->line, "this cannot be the name of a module:", entry->section);
        return error_fix(err, "write a name in the brackets: [parser]");
    }
    if (same) {
        ini_fail(err, reading->path, entry->line, "there is a module of this name already:", entry->section);
        return error_fix(err, "it begins in line %d; give one of them another name", same->line);
    }
    return add_entry(reading->list, entry->section, entry->line, err);
}

static bool unknown_key(const struct batch_list_reading *reading, const struct ini_entry *entry, const char *what,
                        const char *const *names, struct error *err)
{
    ini_fail(err, reading->path, entry->line, what, entry->name);
    return near_fix(near_of(entry->name, names), err);
}

static bool unknown_setting(const struct batch_list_reading *reading, const struct ini_entry *entry, struct error *err)
{
    struct near_name near = { .typed = entry->name };

    for (size_t i = 0; reading->command->options[i]; i++)
        if (!reading->command->options[i]->cli_only)
            near_try(&near, reading->command->options[i]->name);
    ini_fail(err, reading->path, entry->line, "'carbon batch' has no option", entry->name);
    if (near.name)
        return near_fix(near.name, err);
    return error_fix(err, "'carbon config batch' lists what can be set");
}

/* A value that outlives the file. */
static const char *store_value(struct batch_list *list, const char *value, struct error *err)
{
    char **texts = realloc(list->texts, (list->text_count + 1) * sizeof *texts);

    if (texts) {
        list->texts = texts;
        texts[list->text_count] = strdup(value);
        if (texts[list->text_count])
            return texts[list->text_count++];
    }
    no_memory(err);
    return NULL;
}

static bool take_setting(const struct batch_list_reading *reading, const struct ini_entry *entry, struct error *err)
{
    const struct option_spec *option = option_named(reading->command->options, entry->name);
    char called[300], where[300];
    const char *value;
    char better[MEANT_SIZE];

    if (!option)
        return unknown_setting(reading, entry, err);
    if (option->cli_only) {
        ini_fail(err, reading->path, entry->line, "only the command line may have", entry->name);
        return error_fix(err, "take that line out");
    }
    snprintf(called, sizeof called, "'%.150s' line %d: %s", reading->path, entry->line, option->name);
    snprintf(where, sizeof where, "%.150s:%d", reading->path, entry->line);
    value = store_value(reading->list, entry->value, err);
    if (!value)
        return false;
    if (settings_set(reading->settings, option, value, ORIGIN_BATCH, called, where, err))
        return true;
    if (!err->fix[0] && meant_value(option, value, better))
        error_fix(err, "write the line as '%s = %s'", option->name, better);
    return false;
}

static bool take_command(const struct batch_list_reading *reading, struct batch_entry *module,
                         const struct ini_entry *entry, struct error *err)
{
    if (module->argv[2])
        return ini_fail(err, reading->path, entry->line, "there is a command already for", module->name);
    if (entry->remarked) {
        ini_fail(err, reading->path, entry->line, "a comment would cut this command:", entry->value);
        error_why(err, "text after a blank and ';' is a comment");
        return error_fix(err, "write ';' without a blank before it, and comments in lines of their own");
    }
    if (!entry->value[strspn(entry->value, " \t\r\n")])
        return ini_fail(err, reading->path, entry->line, "no command for", module->name);
    if (!is_text(entry->value)) {
        ini_fail(err, reading->path, entry->line, "not text, for", module->name);
        return error_why(err, "it is no UTF-8");
    }
    return set_command(module, entry->value, err);
}

static bool take_items(const struct batch_list_reading *reading, struct batch_entry *module,
                       const struct ini_entry *entry, struct error *err)
{
    if (text_to_number(entry->value, &module->items) && module->items > 0)
        return true;
    ini_fail(err, reading->path, entry->line, "items needs a number above 0, not", entry->value);
    return error_fix(err, "say how many items one run works on, or take the line out");
}

static bool take_cpus(const struct batch_list_reading *reading, struct batch_entry *module,
                      const struct ini_entry *entry, struct error *err)
{
    struct error reason = { .kind = ERROR_NONE };

    module->pinned = cpus_of_list(entry->value, &module->cpus, &reason);
    if (module->pinned)
        return true;
    ini_fail(err, reading->path, entry->line, "cpus cannot be", entry->value);
    return error_why(err, "%s", reason.what);
}

/* Called for each section and each value. */
static bool take_entry(const struct ini_entry *entry, void *context, struct error *err)
{
    struct batch_list_reading *reading = context;
    struct batch_entry *module;

    if (!entry->name)
        return begin_section(reading, entry, err);
    if (!*entry->section) {
        ini_fail(err, reading->path, entry->line, "not in any section:", entry->name);
        return error_fix(err, "write [" SETTINGS_SECTION "] above settings, and [NAME] above what a module has");
    }
    if (strcmp(entry->section, SETTINGS_SECTION) == 0)
        return take_setting(reading, entry, err);
    module = &reading->list->entries[reading->list->count - 1];
    if (strcmp(entry->name, "command") == 0)
        return take_command(reading, module, entry, err);
    if (strcmp(entry->name, "items") == 0)
        return take_items(reading, module, entry, err);
    if (strcmp(entry->name, "cpus") == 0)
        return take_cpus(reading, module, entry, err);
    if (!unknown_key(reading, entry, "a module has no", keys, err) && !err->fix[0])
        error_fix(err, "a module has command, items and cpus");
    return false;
}

static bool have_commands(const struct batch_list *list, const char *path, struct error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->entries[i].argv[2]) {
            ini_fail(err, path, list->entries[i].line, "no command for", list->entries[i].name);
            return error_fix(err, "write 'command = ...' below it");
        }
    if (list->count)
        return true;
    error_set(err, ERROR_USAGE, "'%s' names no module", path);
    return error_fix(err, "write '[NAME]' and below it 'command = ...'; carbon-batch(1) has an example");
}

bool batch_list_read(struct batch_list *list, const char *path, const struct command *command,
                     struct settings *settings, struct error *err)
{
    static const struct ini_form form = {
        .goes_on = true,
        .fix = "write 'command = ...' below '[NAME]'; continuation lines are indented",
    };
    AUTO_FREE char *content = ini_load(path, FILE_MAX_BYTES, err);
    struct batch_list_reading reading = { .list = list, .command = command, .settings = settings, .path = path };

    return content && ini_read(path, content, &form, take_entry, &reading, err) && have_commands(list, path, err);
}

bool batch_list_is_entry(const char *text, struct error *err)
{
    const size_t length = strcspn(text, "=");

    if (length > 0 && length < INI_NAME_SIZE && text[length] == '=' && text[length + 1] && is_text(text) &&
        strncmp(text, SETTINGS_SECTION "=", sizeof SETTINGS_SECTION) != 0 && !text[strcspn(text, "\n\r\033")])
        return true;
    error_set(err, ERROR_USAGE, "it is not NAME=COMMAND, with a name of 1 to %d bytes other than '%s'",
              INI_NAME_SIZE - 1, SETTINGS_SECTION);
    return error_fix(err, "--module 'parser=./parse big.txt'");
}

bool batch_list_add(struct batch_list *list, const char *text, struct error *err)
{
    char name[INI_NAME_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    if (find_entry(list, name)) {
        error_set(err, ERROR_USAGE, "there are two modules called '%s'", name);
        return error_fix(err, "give one of them another name");
    }
    return add_entry(list, name, 0, err) &&
           set_command(&list->entries[list->count - 1], text + strcspn(text, "=") + 1, err);
}

void batch_list_close(struct batch_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].argv[2]);
    for (size_t i = 0; i < list->text_count; i++)
        free(list->texts[i]);
    free(list->entries);
    free(list->texts);
    *list = (struct batch_list){ NULL, 0, NULL, 0 };
}
