/* SPDX-License-Identifier: MIT
 * Results compared that were recorded before. */
#include "commands/compare/compare.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "commands/compare/contenders.h"
#include "io/json_read.h"
#include "run/privileges.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct past past;
    char *record; /* the record's text in the file */
    char name[256];
};

struct records {
    struct item *items;
    size_t count;
    struct environment environment;
    struct compare_files files;
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
    const bool good = document && past_of(document, path, &item->past, err);

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

    if (!contenders_check_names(settings, records->count, err))
        return false;
    for (size_t i = 0; i < records->count; i++) {
        struct item *item = &records->items[i];

        given = given && names[i];
        if (given)
            text_copy(item->name, sizeof item->name, names[i]);
        else
            past_name(&item->past, item->name, sizeof item->name);
        if (!given && (!item->name[0] || is_taken(records, i, item->name)))
            text_copy(item->name, sizeof item->name, item->past.path);
        if (!is_taken(records, i, item->name))
            continue;
        error_set(err, ERROR_USAGE, "two results are called '%.100s'", item->name);
        return error_fix(err, "give each file once, or each a --name of its own");
    }
    return true;
}

/* Whether the second was begun before the first was done, as when both come of one series. */
static bool overlap(const struct past *a, const struct past *b)
{
    return a->started_at[0] && b->started_at[0] && strcmp(a->started_at, b->ended_at) < 0 &&
           strcmp(b->started_at, a->ended_at) < 0;
}

/* An option that says how to measure, or what to reckon with, would do nothing here. */
static bool check_options(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const useful[] = { &option_name,  &option_json,  &option_csv,
                                                        &option_color, &option_quiet, &option_verbose };

    for (size_t i = 0; i < settings->count; i++) {
        const struct setting *setting = &settings->items[i];
        bool allowed = setting->origin != ORIGIN_LINE;

        for (size_t j = 0; j < sizeof useful / sizeof useful[0]; j++)
            allowed |= setting->option == useful[j];
        if (allowed)
            continue;
        error_set(err, ERROR_USAGE, "--%s has no use where records are compared", setting->option->name);
        error_why(err, "they stay as they were measured");
        return error_fix(err, "leave it out, or compare commands: carbon compare -- 'command A' -- 'command B'");
    }
    return true;
}

static bool open_records(struct records *records, const struct command_line *line, struct error *err)
{
    if (line->operand_count < 2) {
        error_set(err, ERROR_USAGE, "there is nothing to compare '%s' with", line->operands[0]);
        return error_fix(err,
                         "carbon compare a.json b.json, or commands: carbon compare -- 'command A' -- 'command B'");
    }
    if (line->operand_count > CONTENDERS_MOST) {
        error_set(err, ERROR_USAGE, "there are more than %d files", CONTENDERS_MOST);
        return error_fix(err, "compare fewer at once");
    }
    if (!check_options(&line->settings, err))
        return false;
    records->items = calloc((size_t)line->operand_count, sizeof *records->items);
    if (!records->items)
        return error_errno(err, "no memory for %d results", line->operand_count);
    if (!privileges_drop(&records->environment, err))
        return false;
    for (int i = 0; i < line->operand_count; i++) {
        records->count++;
        if (!read_record(&records->items[i], line->operands[i], err) ||
            !past_comparable(&records->items[0].past, &records->items[i].past, err))
            return false;
    }
    return name_records(records, &line->settings, err) && compare_files_open(&records->files, &line->settings, err);
}

static bool make_contest(const struct records *records, struct contest *contest, struct error *err)
{
    bool together = true;

    if (!contest_open(contest, records->count, err))
        return false;
    for (size_t i = 0; i < records->count; i++) {
        const struct item *item = &records->items[i];

        contest->contenders[i].name = item->name;
        contest->contenders[i].past = &item->past;
        contest->contenders[i].record = item->record;
        together &= i == 0 || overlap(&records->items[0].past, &item->past);
    }
    if (!together)
        notice_add(&contest->notices, NOTICE_DRIFT, "drift of the machine between them is included in the difference",
                   "'carbon compare -- command -- command' measures them in turns",
                   "the results were measured one after the other, not interleaved");
    return contest_finish(contest, err);
}

static int run_records(struct records *records, const struct command_line *line)
{
    struct contest contest = { .contenders = NULL };
    struct error err;
    int status;

    if (open_records(records, line, &err) && make_contest(records, &contest, &err)) {
        status = compare_print(&contest, &line->settings, EXIT_SUCCESS);
        status = compare_files_write(&records->files, &contest, status);
    } else {
        compare_files_discard(&records->files);
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    contest_close(&contest);
    return status;
}

int compare_records(const struct command_line *line)
{
    struct records records = { .items = NULL };
    int status;

    signal(SIGPIPE, SIG_IGN);
    status = run_records(&records, line);
    for (size_t i = 0; i < records.count; i++) {
        past_close(&records.items[i].past);
        free(records.items[i].record);
    }
    free(records.items);
    environment_close(&records.environment);
    return status;
}
