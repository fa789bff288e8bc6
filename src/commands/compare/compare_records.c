/* SPDX-License-Identifier: MIT
 * Results compared that were recorded before. */
#include "commands/compare/compare.h"

#include "app/gate_status.h"
#include "app/options/gate_options.h"
#include "base/auto.h"
#include "commands/compare/candidates.h"
#include "io/json_read.h"
#include "run/privileges.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct stored_record stored;
    char *record; /* the record's text in the file */
    char name[256];
};

struct records {
    struct item *items;
    size_t count;
    struct environment environment;
    struct compare_files files;
    struct comparison_gate gate;
    bool gated;
};

static void cut_blanks(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]))
        *--end = '\0';
}

/* The object alone: nothing but blanks (and a mark of the byte order) can stand beside it. */
static bool read_record(struct item *item, const char *path, struct error *err)
{
    AUTO_FREE char *text = json_read_text(path, err);
    struct cJSON *document = text ? json_parse(text, path, err) : NULL;
    const bool good = document && stored_record_parse(document, path, &item->stored, err);

    json_close(document);
    if (!good)
        return false;
    cut_blanks(text);
    item->record = strdup(strchr(text, '{'));
    return item->record || error_errno(err, "no memory to read '%s'", path);
}

static bool is_taken(const struct records *records, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(records->items[i].name, name) == 0)
            return true;
    return false;
}

/* --name, else what the record calls itself, else, where another is called so too, the file. */
static bool name_records(struct records *records, const struct settings *settings, struct error *err)
{
    const char *const *names = settings_texts(settings, &option_name);
    bool given = true;

    if (!candidates_check_names(settings, records->count, err))
        return false;
    for (size_t i = 0; i < records->count; i++) {
        struct item *item = &records->items[i];

        given = given && names[i];
        if (given)
            text_copy(item->name, sizeof item->name, names[i]);
        else
            stored_record_name(&item->stored, item->name, sizeof item->name);
        if (!given && (!item->name[0] || is_taken(records, i, item->name)))
            text_copy(item->name, sizeof item->name, item->stored.path);
        if (!is_taken(records, i, item->name))
            continue;
        error_set(err, ERROR_USAGE, "two results are called '%.100s'", item->name);
        return error_fix(err, "give each file once, or each a --name of its own");
    }
    return true;
}

/* Whether the second was begun before the first was done, as when both come of one series. */
static bool overlap(const struct stored_record *a, const struct stored_record *b)
{
    return a->started_at[0] && b->started_at[0] && strcmp(a->started_at, b->ended_at) < 0 &&
           strcmp(b->started_at, a->ended_at) < 0;
}

/* An option that says how to measure, or what to reckon with, would do nothing here. */
static bool check_options(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const useful[] = { &option_name,      &option_json,
                                                        &option_csv,       &option_color,
                                                        &option_quiet,     &option_verbose,
                                                        &option_fail_over, &option_accept_modelled,
                                                        &option_html };

    for (size_t i = 0; i < settings->count; i++) {
        const struct setting *setting = &settings->items[i];
        bool allowed = setting->origin != ORIGIN_LINE;

        for (size_t j = 0; j < sizeof useful / sizeof useful[0]; j++)
            allowed |= setting->option == useful[j];
        if (allowed)
            continue;
        error_set(err, ERROR_USAGE, "--%s cannot be used to compare records", setting->option->name);
        error_why(err, "records stay as they were measured");
        return error_fix(err, "omit --%s, or compare commands: carbon compare -- 'command A' -- 'command B'",
                         setting->option->name);
    }
    return true;
}

/* None of them is a file: command lines without the "--" before each. */
static bool are_commands(const struct command_line *line)
{
    bool none = true;

    for (int i = 0; i < line->operand_count; i++)
        none = none && access(line->operands[i], F_OK) != 0;
    return none && strchr(line->operands[0], ' ');
}

static bool fail_with_commands(const struct command_line *line, struct error *err)
{
    error_set(err, ERROR_USAGE, "cannot read '%.160s'", line->operands[0]);
    error_why(err, "no such file; a command to compare has '--' before it");
    for (int i = 0; i < line->operand_count; i++)
        if (strchr(line->operands[i], '\''))
            return error_fix(err, "carbon compare -- 'command A' -- 'command B'");
    if (line->operand_count == 2)
        return error_fix(err, "carbon compare -- '%s' -- '%s'", line->operands[0], line->operands[1]);
    return error_fix(err, "carbon compare -- 'command A' -- 'command B'");
}

static bool open_records(struct records *records, const struct command_line *line, struct error *err)
{
    if (line->operand_count < 2) {
        error_set(err, ERROR_USAGE, "'carbon compare' needs two or more records or commands");
        if (line->operand_count)
            error_why(err, "only '%.100s' is given", line->operands[0]);
        return error_fix(err, "carbon compare -- 'sleep 0.1' -- 'sleep 0.2'");
    }
    if (are_commands(line))
        return fail_with_commands(line, err);
    if (line->operand_count > CANDIDATES_MAX) {
        error_set(err, ERROR_USAGE, "more than %d files", CANDIDATES_MAX);
        error_why(err, "%d are given", line->operand_count);
        return error_fix(err, "compare at most %d files at once", CANDIDATES_MAX);
    }
    if (!comparison_gate_open(&records->gate, &line->settings, 0, &records->gated, err) ||
        !check_options(&line->settings, err))
        return false;
    records->items = calloc((size_t)line->operand_count, sizeof *records->items);
    if (!records->items)
        return error_errno(err, "no memory for %d results", line->operand_count);
    if (!privileges_drop(&records->environment, err))
        return false;
    for (int i = 0; i < line->operand_count; i++) {
        records->count++;
        if (!read_record(&records->items[i], line->operands[i], err) ||
            !stored_record_comparable(&records->items[0].stored, &records->items[i].stored, err))
            return false;
    }
    return name_records(records, &line->settings, err) && compare_files_open(&records->files, &line->settings, err);
}

static bool make_comparison(struct records *records, struct comparison *comparison, struct error *err)
{
    bool together = true;

    if (!comparison_open(comparison, records->count, err))
        return false;
    comparison->gate = records->gated ? &records->gate : NULL;
    for (size_t i = 0; i < records->count; i++) {
        const struct item *item = &records->items[i];

        comparison->candidates[i].name = item->name;
        comparison->candidates[i].stored = &item->stored;
        comparison->candidates[i].record = item->record;
        together &= i == 0 || overlap(&records->items[0].stored, &item->stored);
    }
    if (!together)
        notice_add(&comparison->notices, NOTICE_DRIFT,
                   "drift of the machine between them is included in the difference",
                   "'carbon compare -- command -- command' measures them in turns",
                   "the results were measured one after the other, not interleaved");
    return comparison_finish(comparison, err);
}

static int run_records(struct records *records, const struct command_line *line)
{
    struct comparison comparison = { .candidates = NULL };
    struct error err;
    int status;

    if (open_records(records, line, &err) && make_comparison(records, &comparison, &err)) {
        status = compare_print(&comparison, &line->settings,
                               records->gated ? gate_status(records->gate.verdict) : EXIT_SUCCESS);
        status = compare_files_write(&records->files, &comparison, status);
    } else {
        compare_files_discard(&records->files);
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    comparison_close(&comparison);
    return status;
}

int compare_records(const struct command_line *line)
{
    struct records records = { .items = NULL };
    int status;

    signal(SIGPIPE, SIG_IGN);
    status = run_records(&records, line);
    for (size_t i = 0; i < records.count; i++) {
        stored_record_close(&records.items[i].stored);
        free(records.items[i].record);
    }
    free(records.items);
    environment_close(&records.environment);
    return status;
}
