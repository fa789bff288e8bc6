/* SPDX-License-Identifier: MIT
 * carbon ledger: whether the ledger is sound; mending it; a copy of it. */
#include "app/options/command.h"

#include "app/ledger_options.h"
#include "app/terminal.h"
#include "base/near.h"
#include "base/text.h"
#include "form/shown.h"
#include "form/text_columns.h"
#include "run/privileges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_FAULTY = 1, FAULTS_SHOWN = 20, PATH_ROOM = 4096 };

/* What one call works with. */
struct ledger_work {
    const struct command_line *line;
    struct environment environment;
    uint64_t reported;
};

static void tell_fault(const char *fault, void *context)
{
    struct ledger_work *work = context;
    char printable[512];

    if (++work->reported > FAULTS_SHOWN)
        return;
    utf8_printable(printable, sizeof printable, fault);
    shown_print(stdout, "  %s\n", printable);
}

/* Returns whether it could be done; *status tells what was found. */
static bool check(struct ledger_work *work, int *status, struct error *err)
{
    struct ledger *ledger = ledger_options_open(&work->line->settings, &work->environment, LEDGER_READ, err);
    struct ledger_check found;
    bool done;

    if (!ledger)
        return false;
    done = ledger_check(ledger, tell_fault, work, &found, err);
    if (done && work->reported > FAULTS_SHOWN)
        shown_print(stdout, "  and %" PRIu64 " more\n", work->reported - FAULTS_SHOWN);
    if (done)
        shown_print(stdout, "%s: %" PRIu64 " record%s, %" PRIu64 " fault%s\n", ledger_shown(ledger), found.records,
                    found.records == 1 ? "" : "s", found.faults, found.faults == 1 ? "" : "s");
    *status = done && found.faults ? STATUS_FAULTY : EXIT_SUCCESS;
    ledger_close(ledger);
    return done;
}

static bool repair(struct ledger_work *work, int *status, struct error *err)
{
    struct ledger_repair result;
    char place[PATH_ROOM];

    if (!ledger_options_place(&work->line->settings, &work->environment, place, sizeof place, err) ||
        !ledger_repair(place, &result, err))
        return false;
    shown_print(stdout, "%s: %" PRIu64 " kept, %" PRIu64 " lost; the old file is '%s'\n", place, result.stored,
                result.lost, result.broken);
    *status = result.lost ? STATUS_FAULTY : EXIT_SUCCESS;
    return true;
}

static bool backup(struct ledger_work *work, int *status, struct error *err)
{
    struct ledger *ledger = ledger_options_open(&work->line->settings, &work->environment, LEDGER_READ, err);
    bool done;

    if (!ledger)
        return false;
    done = ledger_backup(ledger, work->line->operands[1], err);
    ledger_close(ledger);
    *status = EXIT_SUCCESS;
    return done;
}

static const struct ledger_action {
    const char *name;
    int operands; /* with its own name */
    bool (*run)(struct ledger_work *work, int *status, struct error *err);
} actions[] = { { "check", 1, check }, { "repair", 1, repair }, { "backup", 2, backup } };

static const struct ledger_action *action_of(const struct command_line *line, struct error *err)
{
    static const char *const names[] = { "check", "repair", "backup", NULL };
    const char *near = near_of(line->operands[0], names);

    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, line->operands[0]) == 0 && actions[i].operands == line->operand_count)
            return &actions[i];
    error_set(err, ERROR_USAGE, "'carbon ledger %s%s' is not understood", line->operands[0],
              line->operand_count > 1 ? " ..." : "");
    error_why(err, "usage: carbon ledger %s", line->command->synopsis);
    error_fix(err, "carbon ledger check");
    if (near && strcmp(near, line->operands[0]) != 0)
        typed_line_replaced(&line->typed, line->operands[0], near, err);
    return NULL;
}

static int run_ledger(const struct command_line *line)
{
    struct ledger_work work = { .line = line };
    int status = STATUS_CARBON_FAILED;
    const struct ledger_action *action;
    struct error err;
    bool done;

    action = action_of(line, &err);
    done = action && privileges_drop(&work.environment, &err) && action->run(&work, &status, &err);
    environment_close(&work.environment);
    return done ? terminal_finish_stdout(status) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_ledger = {
    .name = "ledger",
    .purpose = "check, repair or copy the ledger of all records",
    .synopsis = "[options] check | repair | backup FILE",
    .options = OPTIONS(&option_ledger, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon ledger check", "carbon ledger backup ledger-2026.db"),
    .run = run_ledger,
    .prints_page = true,
    OPERANDS(1, 2, OPERAND_FILE),
    .first_file = 1,
    .file_use = FILE_WRITTEN,
    .about = "Check the ledger and the columns of its records; save the readable part of a damaged one; copy it while "
             "it is in use.",
};
