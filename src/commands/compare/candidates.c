/* SPDX-License-Identifier: MIT
 * Which commands are compared. Each group of words after a "--" is one: a single word is a command line for sh, several
 * are the command as it is. */
#include "commands/compare/candidates.h"

#include "benchmark/benchmark.h"
#include "commands/compare/parameter_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_spec option_name =
    OPTION(TEXT, "Comparing", "name", .argument = "<name>", .repeated = true, .cli_only = true,
           .help = "name of a command, in their order; repeatable");

const struct option_spec option_results =
    OPTION(FILE, "Comparing", "from", .argument = "<file>", .cli_only = true,
           .help = "run the commands of a result of hyperfine (--export-json) again");

static bool no_memory(struct error *err)
{
    return error_errno(err, "no memory for the commands");
}

bool candidates_check_names(const struct settings *settings, size_t count, struct error *err)
{
    const char *const *names = settings_texts(settings, &option_name);

    for (size_t i = 0; names[i]; i++) {
        if (i == count) {
            error_set(err, ERROR_USAGE, "more --name options than commands");
            error_why(err, "'%.80s' has no command: only %zu are compared", names[i], count);
            return error_fix(err, "give --name at most once for each");
        }
        for (size_t j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0) {
                error_set(err, ERROR_USAGE, "the name '%.80s' is given twice", names[i]);
                return error_fix(err, "give each a --name of its own");
            }
    }
    return true;
}

/* Words between here and the next "--". */
static size_t group_length(char *const *words)
{
    size_t length = 0;

    while (words[length] && strcmp(words[length], "--") != 0)
        length++;
    return length;
}

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\n")];
}

static bool take_group(struct named_command *item, char *const *words, size_t length, struct error *err)
{
    static const char *const shell[] = { "sh", "-c" };
    const size_t before = length == 1 ? 2 : 0;

    item->argv = calloc(before + length + 1, sizeof *item->argv);
    if (!item->argv)
        return no_memory(err);
    for (size_t i = 0; i < before + length; i++) {
        item->argv[i] = strdup(i < before ? shell[i] : words[i - before]);
        if (!item->argv[i])
            return no_memory(err);
    }
    return true;
}

/* The commands as they stand, without names. */
static bool take_groups(struct candidates *candidates, char *const *words, struct error *err)
{
    candidates->items = calloc(CANDIDATES_MAX, sizeof *candidates->items);
    if (!candidates->items)
        return no_memory(err);
    for (bool more = true; more;) {
        const size_t length = group_length(words);

        if (!length || is_blank(words[0])) {
            error_set(err, ERROR_USAGE, "command %zu is empty", candidates->count + 1);
            return error_fix(err, "carbon compare -- 'command A' -- 'command B'");
        }
        if (candidates->count == CANDIDATES_COMMANDS) {
            error_set(err, ERROR_USAGE, "there are more than %d commands", CANDIDATES_COMMANDS);
            return error_fix(err, "'carbon compare' with %d commands at most", CANDIDATES_COMMANDS);
        }
        if (!take_group(&candidates->items[candidates->count++], words, length, err))
            return false;
        more = words[length] != NULL;
        words += length + more;
    }
    return true;
}

/* The commands of a benchmark tool's result, in its order. */
static bool take_rows(struct candidates *candidates, const char *path, struct error *err)
{
    struct benchmarks benchmarks;
    bool good = benchmarks_read(path, &benchmarks, err);

    candidates->items = calloc(CANDIDATES_MAX, sizeof *candidates->items);
    if (good && !candidates->items)
        good = no_memory(err);
    if (good && benchmarks.count > CANDIDATES_COMMANDS) {
        error_set(err, ERROR_USAGE, "'%.200s' has more than %d commands", path, CANDIDATES_COMMANDS);
        good = error_fix(err, "compare fewer at once");
    }
    for (size_t i = 0; good && i < benchmarks.count; i++) {
        char *words[] = { benchmarks.rows[i].command, NULL };

        if (words[0] && !is_blank(words[0])) {
            good = take_group(&candidates->items[candidates->count++], words, 1, err);
            continue;
        }
        error_set(err, ERROR_USAGE, "'%.200s' does not say what to run", path);
        error_why(err, "a result of %s has no command lines", benchmarks.tool);
        good = error_fix(
            err, "measure the tool itself: carbon measure --json run.json -- ...; then carbon join run.json %s", path);
    }
    benchmarks_close(&benchmarks);
    return good;
}

static void free_command(struct named_command *item)
{
    for (size_t i = 0; item->argv && item->argv[i]; i++)
        free(item->argv[i]);
    free(item->argv);
    free(item->name);
    *item = (struct named_command){ NULL, NULL };
}

/* The one command becomes one for each combination of values. */
static bool scan(struct candidates *candidates, const struct parameter_scan *parameters, struct error *err)
{
    struct named_command form = candidates->items[0];
    const size_t count = parameter_scan_product(parameters, CANDIDATES_MAX);
    bool done = parameter_scan_check(parameters, form.argv, err);

    if (done && (count < 2 || count > CANDIDATES_MAX)) {
        error_set(err, ERROR_USAGE,
                  count < 2 ? "the parameters have one value each" : "the parameters have too many values");
        error_why(err, "a scan is of 2 to %d commands", CANDIDATES_MAX);
        done = error_fix(err, count < 2 ? "--parameter name v1,v2" : "give fewer values");
    }
    candidates->items[0] = (struct named_command){ NULL, NULL };
    candidates->count = done ? count : 0;
    for (size_t i = 0; done && i < count; i++) {
        struct named_command *item = &candidates->items[i];
        item->name = parameter_scan_name(parameters, i);
        item->argv = parameter_scan_fill(parameters, i, form.argv);
        done = (item->name && item->argv) || no_memory(err);
    }
    free_command(&form);
    return done;
}

static bool name_all(struct candidates *candidates, const struct settings *settings, struct error *err)
{
    const char *const *names = settings_texts(settings, &option_name);
    bool given = true;

    if (!candidates_check_names(settings, candidates->count, err))
        return false;
    for (size_t i = 0; i < candidates->count; i++) {
        const char letter[2] = { (char)('A' + i), '\0' };
        struct named_command *item = &candidates->items[i];

        given = given && names[i];
        if (item->name && !given)
            continue;
        free(item->name);
        item->name = strdup(given ? names[i] : letter);
        if (!item->name)
            return no_memory(err);
    }
    for (size_t i = 0; i < candidates->count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(candidates->items[i].name, candidates->items[j].name) == 0) {
                error_set(err, ERROR_USAGE, "two commands are called '%.80s'", candidates->items[i].name);
                return error_fix(err, "give each a --name of its own");
            }
    return true;
}

static bool check_count(const struct candidates *candidates, bool scanned, const char *from, struct error *err)
{
    if (from && candidates->count < 2) {
        error_set(err, ERROR_USAGE, "'%.200s' has one command", from);
        error_why(err, "'carbon compare' needs two or more");
        return error_fix(err, "carbon measure -- %s", candidates->count ? candidates->items[0].argv[2] : "command");
    }
    if (scanned && candidates->count > 1) {
        error_set(err, ERROR_USAGE, "--parameter needs one command, and there are %zu", candidates->count);
        return error_fix(err, "carbon compare --parameter size 1,2,4 -- 'command --size {size}'");
    }
    if (!scanned && candidates->count < 2) {
        error_set(err, ERROR_USAGE, "'carbon compare' needs two or more commands");
        error_why(err, "only one was given; one command at several values needs --parameter");
        return error_fix(err, "carbon compare -- 'sleep 0.1' -- 'sleep 0.2'");
    }
    return true;
}

bool candidates_of_line(struct candidates *candidates, const struct command_line *line, struct error *err)
{
    const char *const *texts = settings_texts(&line->settings, &option_parameter);
    const char *from = settings_text(&line->settings, &option_results);
    struct parameter_scan parameters;
    bool done;

    *candidates = (struct candidates){ NULL, 0 };
    if (from && (line->operand_count > 0 || texts[0])) {
        error_set(err, ERROR_USAGE, "--from cannot be used with %s", texts[0] ? "--parameter" : "commands or records");
        error_why(err, "the commands are those of '%.200s'", from);
        return error_fix(err, "carbon compare --from %s", from);
    }
    if (!(from ? take_rows(candidates, from, err) : take_groups(candidates, line->operands, err)) ||
        !check_count(candidates, texts[0], from, err))
        return false;
    if (texts[0]) {
        done = parameter_scan_read(&parameters, texts, err) && scan(candidates, &parameters, err);
        parameter_scan_close(&parameters);
        if (!done)
            return false;
    }
    return name_all(candidates, &line->settings, err);
}

void candidates_close(struct candidates *candidates)
{
    for (size_t i = 0; candidates->items && i < CANDIDATES_MAX; i++)
        free_command(&candidates->items[i]);
    free(candidates->items);
    *candidates = (struct candidates){ NULL, 0 };
}
