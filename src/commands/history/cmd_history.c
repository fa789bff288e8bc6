/* SPDX-License-Identifier: MIT
 * carbon history: the records of the ledger; one of them again; many as files; taking some out. */
#include "app/options/command.h"

#include "app/csv_file.h"
#include "app/ledger_options.h"
#include "app/options/naming_options.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/near.h"
#include "base/units.h"
#include "base/utf8.h"
#include "commands/history/history.h"
#include "form/output.h"
#include "io/identity.h"
#include "run/privileges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE_ROWS = 20, DAY_TEXT = 10 };
#define DAY_NS (86400 * NS_PER_S_INT)

static const struct option_spec option_since =
    OPTION(TEXT, "Which records", "since", .argument = "<time>", .check = option_check_time, .sample = "2026-01-01",
           .cli_only = true, .help = "started at this time or later: 2026-11-28, 2026-11-28T13:00Z");
static const struct option_spec option_until =
    OPTION(TEXT, "Which records", "until", .argument = "<time>", .check = option_check_time, .sample = "2026-12-31",
           .cli_only = true, .help = "started before this time; a day is meant with all its hours");
static const struct option_spec option_of_zone =
    OPTION(TEXT, "Which records", "zone", .short_name = 'z', .alias = "country", .argument = "<code>",
           .help = "only those of this zone");
static const struct option_spec option_command = OPTION(TEXT, "Which records", "command", .argument = "<part>",
                                                        .cli_only = true, .help = "with this in the command");
static const char *const qualities[] = {
    "measured", "virtual", "attributed", "modelled", "given", "default", "unknown", NULL,
};
static const struct option_spec option_quality =
    OPTION(CHOICE, "Which records", "quality", .choices = qualities, .argument = "<name>", .cli_only = true,
           .help = "how its figures came about");
static const struct option_spec option_limit =
    OPTION(COUNT, "Which records", "limit", .argument = "<n>", .cli_only = true, .min = 1, .max = 1e9,
           .help = "maximum number of records (default 20 in the table)");
static const struct option_spec option_yes =
    OPTION(FLAG, "Which records", "yes", .short_name = 'y', .cli_only = true, .help = "delete without asking");

/* What a configuration says of results to come does not choose among those that are there. */
static const char *given(const struct settings *settings, const struct option_spec *option)
{
    return settings_origin(settings, option) == ORIGIN_LINE ? settings_text(settings, option) : NULL;
}

static uint64_t time_of(const char *text)
{
    uint64_t realtime_s = 0;

    return text && clock_of_iso_text(text, &realtime_s) ? realtime_s * NS_PER_S_INT : 0;
}

static struct ledger_filter filter_of(const struct settings *settings)
{
    const char *until = given(settings, &option_until), *limit = given(settings, &option_limit);

    return (struct ledger_filter){
        .since_ns = time_of(given(settings, &option_since)),
        .until_ns = time_of(until) + (until && strlen(until) == DAY_TEXT ? DAY_NS : 0),
        .label = given(settings, &option_label),
        .project = given(settings, &option_project),
        .zone = given(settings, &option_zone),
        .quality = given(settings, &option_quality),
        .command = given(settings, &option_command),
        .meta = given(settings, &option_meta) ? settings_texts(settings, &option_meta) : NULL,
        .limit = limit ? strtoull(limit, NULL, 10) : 0,
    };
}

/* What one call works with. */
struct history {
    const struct command_line *line;
    struct environment environment;
    struct ledger *ledger;
};

static bool open_ledger(struct history *work, enum ledger_access access, struct error *err)
{
    work->ledger = ledger_options_open(&work->line->settings, &work->environment, access, err);
    return work->ledger != NULL;
}

static bool write_list(struct history *work, const struct history_form *form, struct ledger_filter filter, FILE *out,
                       struct error *err)
{
    struct history_list list = { .out = out, .width = terminal_width(out) };

    if (form == &history_table) {
        list.limit = filter.limit ? filter.limit : TABLE_ROWS;
        filter.limit = list.limit + 1; /* whether there is more */
    }
    filter.with_record = true;
    form->begin(&list);
    if (!ledger_list(work->ledger, &filter, form->row, &list, err))
        return false;
    form->end(&list);
    return !ferror(out) || error_errno(err, "cannot write the history");
}

static bool write_file(struct history *work, const char *path, const struct history_form *form, struct error *err)
{
    struct output out;

    return output_open(&out, path, err) &&
           output_end(&out, write_list(work, form, filter_of(&work->line->settings), out.file, err), err);
}

static bool write_table(struct history *work, const struct settings *settings, struct error *err)
{
    struct output out;

    return csv_file_open(settings, &option_csv, &out, err) &&
           output_end(&out, write_list(work, &history_csv, filter_of(settings), out.file, err), err);
}

static bool list(struct history *work, struct error *err)
{
    const struct settings *settings = &work->line->settings;
    const char *json = given(settings, &option_json), *csv = given(settings, &option_csv);

    if (given(settings, &option_html)) {
        error_set(err, ERROR_USAGE, "no HTML page of the list");
        return error_fix(err, "carbon history show ID --html FILE");
    }
    if (!open_ledger(work, LEDGER_READ, err))
        return false;
    return (!json || write_file(work, json, &history_json, err)) && (!csv || write_table(work, settings, err)) &&
           (json || csv || write_list(work, &history_table, filter_of(settings), stdout, err));
}

static bool write_record(const char *record, const char *path, struct error *err)
{
    struct output out;

    return output_open(&out, path, err) &&
           output_end(&out, fputs(record, out.file) >= 0 || error_errno(err, "cannot write the record"), err);
}

static bool print_history(struct history *work, struct error *err)
{
    const struct settings *settings = &work->line->settings;
    const char *json = given(settings, &option_json), *html = given(settings, &option_html);
    AUTO_FREE char *record = NULL;
    char id[40];

    if (!open_ledger(work, LEDGER_READ, err))
        return false;
    record = ledger_record(work->ledger, work->line->operands[1], id, err);
    if (!record || (json && !write_record(record, json, err)))
        return false;
    return (json && !html) || history_show(record, id, html, settings, stdout, err);
}

static bool export_line(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    FILE *out = context;

    (void)row;
    history_json_line(record, out);
    return !ferror(out) || error_errno(err, "cannot write the records");
}

/* Into a folder, each as it was written, under its id. */
struct exporting {
    const char *folder;
    size_t left_out;
    char first[80]; /* first of the commands */
};

/* An older ledger may contain ids that are not valid names: the other records are still read. */
static bool export_file(const struct ledger_row *row, const char *record, void *context, struct error *err)
{
    struct exporting *exporting = context;
    char name[IDENTITY_SIZE + 8];
    struct output out;

    if (!identity_is(row->id)) {
        if (exporting->left_out++ == 0)
            utf8_printable(exporting->first, sizeof exporting->first, row->id);
        return true;
    }
    snprintf(name, sizeof name, "%s.json", row->id);
    return output_open_in(&out, exporting->folder, name, err) &&
           output_end(&out, fputs(record, out.file) >= 0 || error_errno(err, "cannot write the record"), err);
}

static bool export_files(struct history *work, const struct ledger_filter *filter, const char *folder,
                         struct error *err)
{
    struct exporting exporting = { .folder = folder };

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_errno(err, "cannot make the folder '%.200s'", folder);
    if (!ledger_list(work->ledger, filter, export_file, &exporting, err))
        return false;
    if (!exporting.left_out)
        return true;
    error_set(err, ERROR_BAD_DATA, "%zu record%s not exported; all others are", exporting.left_out,
              exporting.left_out == 1 ? " was" : "s were");
    error_why(err, "an id such as '%s' cannot be the name of a file", exporting.first);
    return error_fix(err, "'carbon history export -' writes these, too");
}

static bool export(struct history *work, struct error *err)
{
    struct ledger_filter filter = filter_of(&work->line->settings);
    char *target = work->line->operands[1];

    filter.with_record = true;
    if (!open_ledger(work, LEDGER_READ, err))
        return false;
    terminal_let_go();
    if (strcmp(target, "-") == 0)
        return ledger_list(work->ledger, &filter, export_line, stdout, err);
    return export_files(work, &filter, target, err);
}

/* Whoever cannot be asked has to say so on the command line. */
static bool is_meant(const struct history *work, struct error *err)
{
    char answer[16] = "";

    if (settings_flag(&work->line->settings, &option_yes))
        return true;
    if (!isatty(STDIN_FILENO)) {
        error_set(err, ERROR_USAGE, "deletion needs confirmation");
        error_why(err, "standard input is not a terminal");
        return error_fix_adds(err, "--yes");
    }
    fprintf(stderr, "delete %d record%s of '%s' for good? [y/N] ", work->line->operand_count - 1,
            work->line->operand_count == 2 ? "" : "s", ledger_shown(work->ledger));
    if (fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
        return true;
    return error_set(err, ERROR_USAGE, "nothing has been deleted");
}

/* All of them are looked up first: a mistyped one costs none of the others. */
static bool delete (struct history *work, struct error *err)
{
    const int count = work->line->operand_count - 1;
    AUTO_FREE char(*ids)[40] = calloc((size_t)count, sizeof *ids);

    if (!ids)
        return error_errno(err, "no memory for %d ids", count);
    if (!open_ledger(work, LEDGER_WRITE, err))
        return false;
    for (int i = 0; i < count; i++) {
        AUTO_FREE char *record = ledger_record(work->ledger, work->line->operands[1 + i], ids[i], err);
        if (!record)
            return false;
    }
    if (!is_meant(work, err))
        return false;
    for (int i = 0; i < count; i++) {
        if (!ledger_delete(work->ledger, ids[i], err))
            return false;
        printf("deleted %s\n", ids[i]);
    }
    return true;
}

static const struct history_action {
    const char *name;
    int min, max; /* operands behind it */
    const char *usage;
    bool (*run)(struct history *work, struct error *err);
} actions[] = {
    { "list", 0, 0, "list", list },
    { "show", 1, 1, "show ID", print_history },
    { "export", 1, 1, "export DIR", export },
    { "delete", 1, -1, "delete ID ...", delete },
};

static const struct history_action *action_of(const struct command_line *line, struct error *err)
{
    static const char *const names[] = { "list", "show", "export", "delete", NULL };
    const char *typed = line->operands[0], *near;
    const int behind = line->operand_count - 1;

    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, typed) == 0) {
            if (behind >= actions[i].min && (actions[i].max < 0 || behind <= actions[i].max))
                return &actions[i];
            if (behind)
                error_set(err, ERROR_USAGE, "'carbon history %s' does not take '%s'", typed,
                          line->operands[1 + actions[i].max]);
            else
                error_set(err, ERROR_USAGE, "'carbon history %s' needs an argument", typed);
            error_why(err, "usage: carbon history [options] %s", actions[i].usage);
            error_fix(err, "carbon history");
            return NULL;
        }
    near = near_of(typed, names);
    error_set(err, ERROR_USAGE, "'carbon history' does not take '%s'", typed);
    error_why(err, near ? "the nearest is '%s'" : "it takes list, show, export or delete", near);
    error_fix(err, "carbon history");
    if (near)
        typed_line_replaced(&line->typed, typed, near, err);
    return NULL;
}

static int run_history(const struct command_line *line)
{
    struct history work = { .line = line };
    const struct history_action *action = NULL;
    struct error err;
    bool done;

    done = (line->operand_count == 0 || (action = action_of(line, &err))) && privileges_drop(&work.environment, &err) &&
           (action ? action->run : list)(&work, &err);
    ledger_close(work.ledger);
    environment_close(&work.environment);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_history = {
    .name = "history",
    .purpose = "the records that the ledger has kept",
    .synopsis = "[options] [show ID | export DIR | delete ID ...]",
    .options = OPTIONS(&option_since, &option_until, &option_of_label, &option_of_project, &option_of_meta,
                       &option_of_zone, &option_command, &option_quality, &option_limit, &option_yes, &option_ledger,
                       RESULT_OPTIONS, &option_html, &option_verbose, COLOR_OPTIONS),
    .common = COMMON("since", "until", "project", "label", "zone", "limit", "yes", "output", "verbose"),
    .examples = EXAMPLES("carbon history --project thesis --since 2026-11-01", "carbon history show 4f1c9e2a",
                         "carbon history export --label nightly -"),
    .run = run_history,
    .prints_page = true,
    OPERANDS(0, -1, OPERAND_TEXT),
    .schemas = SCHEMAS(&history_schema),
    .about = "List the records of the ledger, the newest first; show one again; export them to a folder or, as JSON "
             "Lines, to '-'; delete some.",
};
