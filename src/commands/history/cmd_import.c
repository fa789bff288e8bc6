/* SPDX-License-Identifier: MIT
 * carbon import: what CodeCarbon has recorded, and records of other ledgers, into the ledger. */
#include "app/options/command.h"

#include "app/ledger_options.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "commands/history/import_sum.h"
#include "commands/history/imported.h"
#include "form/shown.h"
#include "run/privileges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 4096 };

static bool check_date(const char *text, struct error *err)
{
    uint64_t realtime_s;

    if (strlen(text) == strlen("2026-11-28") && clock_of_iso_text(text, &realtime_s))
        return true;
    error_set(err, ERROR_USAGE, "not a day");
    return error_fix(err, "2026-11-28");
}

static const struct option_spec option_date =
    OPTION(TEXT, "Import", "date", .argument = "<day>", .check = check_date, .sample = "2026-11-28", .cli_only = true,
           .help = "the day on which a log ends (a log has times only)");
static const struct option_spec option_dry_run =
    OPTION(FLAG, "Import", "dry-run", .cli_only = true, .help = "show the records that would be saved, without saving");
static const struct option_spec option_strict = OPTION(
    FLAG, "Import", "strict", .cli_only = true, .help = "refuse a file with a damaged line or an unknown column");
static const struct option_spec option_doubted = OPTION(
    FLAG, "Import", "doubted", .cli_only = true, .help = "count energies that no machine can have used, as they stand");

/* What one call works with. */
struct import_work {
    const struct command_line *line;
    struct environment environment;
    struct zones zones;
    struct ledger *ledger; /* NULL: not opened yet, or a dry run where there is none */
    bool dry;
    bool writing; /* a transaction is open: the records of one file */
};

static bool make_place(struct import_work *work, struct error *err)
{
    char place[PATH_ROOM];

    return settings_text(&work->line->settings, &option_ledger) ||
           (ledger_options_place(&work->line->settings, &work->environment, place, sizeof place, err) &&
            ledger_make_folder(place, err));
}

/* A dry run makes none: what is in one that is not there is nothing. */
static bool open_ledger(struct import_work *work, struct error *err)
{
    const struct settings *settings = &work->line->settings;

    if (work->ledger || (!work->dry && !make_place(work, err)))
        return work->ledger != NULL;
    work->ledger = ledger_options_open(settings, &work->environment, work->dry ? LEDGER_READ : LEDGER_WRITE, err);
    return work->ledger || (work->dry && err->kind == ERROR_ABSENT);
}

/* What became of the records of a file. */
struct import_outcome {
    size_t stored, duplicates;
    struct import_sum sum; /* sum of the stored records */
    size_t unknown;        /* kept without energy or emissions */
    size_t doubted;        /* kept, and doubted */
};

static void count_stored(struct import_outcome *outcome, const struct import_item *item)
{
    outcome->stored++;
    outcome->unknown += !item->doubted && (isnan(item->facility_kwh) || isnan(item->kgco2eq));
    outcome->doubted += item->doubted;
}

/* Within the transaction of its file. */
static bool write_record(struct import_work *work, const char *record, struct error *err)
{
    if (!work->writing && !ledger_begin(work->ledger, err))
        return false;
    work->writing = true;
    return ledger_put(work->ledger, record, err);
}

static bool end_file(struct import_work *work, bool good, struct error *err)
{
    const bool writing = work->writing;

    work->writing = false;
    return !writing ? good : ledger_end(work->ledger, good, err);
}

/* Unless there is one with its ID. */
static bool store_item(struct import_work *work, const struct import_item *item, struct import_outcome *outcome,
                       struct error *err)
{
    bool has = item->repeated;

    if (!has && work->ledger && !ledger_has(work->ledger, item->id, &has, err))
        return false;
    outcome->duplicates += has;
    if (has)
        return true;
    count_stored(outcome, item);
    return work->dry || write_record(work, item->record, err);
}

/* A file whose records come one at a time. */
struct import_file {
    struct import_work *work;
    struct import_outcome outcome;
};

static bool take_item(const struct import_item *item, void *context, struct error *err)
{
    struct import_file *file = context;
    const size_t stored = file->outcome.stored;

    if (!open_ledger(file->work, err) || !store_item(file->work, item, &file->outcome, err))
        return false;
    if (file->outcome.stored > stored)
        import_sum_add(&file->outcome.sum, item);
    return true;
}

/* Records of carbon: their sum needs all of them. */
static bool store_items(struct import_work *work, const struct import *import, struct import_outcome *outcome,
                        struct error *err)
{
    AUTO_FREE const struct import_item **stored = calloc(import->item_count + 1, sizeof *stored);

    if (!stored)
        return error_errno(err, "no memory for the records");
    for (size_t i = 0; i < import->item_count; i++) {
        stored[outcome->stored] = &import->items[i];
        if (!store_item(work, &import->items[i], outcome, err))
            return false;
    }
    return !import->item_count || import_sum(stored, outcome->stored, &outcome->sum, err);
}

static bool read_and_store(struct import_work *work, const char *path, struct import_how *how, struct import *import,
                           struct import_outcome *outcome, struct error *err)
{
    struct import_file file = { .work = work, .outcome = { .sum = { .facility_kwh = NAN, .kgco2eq = NAN } } };
    bool good;

    how->on_item = take_item;
    how->context = &file;
    good = import_read(path, how, import, err) && open_ledger(work, err) &&
           store_items(work, import, &file.outcome, err);
    *outcome = file.outcome;
    return end_file(work, good, err);
}

static const char *known(double figure, char text[TEXT_NUMBER_SIZE])
{
    return isnan(figure) ? "unknown" : text_rounded(figure, text);
}

static void print_outcome(const struct import_work *work, const char *path, const struct import *import,
                          const struct import_outcome *outcome)
{
    char kwh[TEXT_NUMBER_SIZE], kg[TEXT_NUMBER_SIZE], energy[UNITS_SIZE], name[512];

    utf8_printable(name, sizeof name, path);
    shown_print(stdout, "%s: %s: %zu row%s, %zu %s, %zu duplicate%s", name, import->form, import->count,
                import->count == 1 ? "" : "s", outcome->stored, work->dry ? "would be kept" : "kept",
                outcome->duplicates, outcome->duplicates == 1 ? "" : "s");
    if (import->faults.count)
        shown_print(stdout, ", %zu line%s left out", import->faults.count, import->faults.count == 1 ? "" : "s");
    if (outcome->stored)
        shown_print(stdout, "; %s kWh, %s kgCO2eq", known(outcome->sum.facility_kwh, kwh),
                    known(outcome->sum.kgco2eq, kg));
    shown_print(stdout, "\n");
    if (outcome->sum.once)
        shown_print(stdout, "  %s of gross energy counted once: %zu of these overlap others of the same machine\n",
                    units_energy(outcome->sum.once_j, energy), outcome->sum.once);
    if (outcome->unknown)
        shown_print(stdout, "  %zu of these without energy or emissions: unknown, and in no sum\n", outcome->unknown);
    if (outcome->doubted)
        shown_print(stdout, "  %zu of these have an impossible energy: %s\n", outcome->doubted,
                    settings_flag(&work->line->settings, &option_doubted) ? "counted all the same"
                                                                          : "in no sum (--doubted counts them)");
}

/* Beside the outcome, not in it: which lines of the file are in no record. */
static void print_faults(const char *path, const struct line_faults *faults)
{
    char name[512];

    utf8_printable(name, sizeof name, path);
    for (size_t i = 0; i < faults->count; i++)
        shown_print(stderr, "carbon: %s line %zu left out: %s\n", name, faults->items[i].line, faults->items[i].why);
}

static int import_one(struct import_work *work, const char *path)
{
    const struct settings *settings = &work->line->settings;
    struct import_how how = {
        .zones = &work->zones,
        .date = settings_text(settings, &option_date),
        .strict = settings_flag(settings, &option_strict),
        .doubted = settings_flag(settings, &option_doubted),
    };
    struct import_outcome outcome;
    struct import import;
    struct error err;
    int status = EXIT_SUCCESS;

    if (!read_and_store(work, path, &how, &import, &outcome, &err)) {
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
        if (import.faults.count > 1)
            print_faults(path, &import.faults);
    } else {
        print_outcome(work, path, &import, &outcome);
        fflush(stdout);
        terminal_tell_all(settings, &import.notices);
        print_faults(path, &import.faults);
    }
    import_close(&import);
    return status;
}

/* One that is refused costs none of the others. */
static int import_all(struct import_work *work)
{
    int status = EXIT_SUCCESS;

    for (int i = 0; i < work->line->operand_count; i++) {
        const int one = import_one(work, work->line->operands[i]);
        status = one > status ? one : status;
    }
    return status;
}

static int run_import(const struct command_line *line)
{
    struct import_work work = { .line = line, .dry = settings_flag(&line->settings, &option_dry_run) };
    struct error err;
    int status;

    if (privileges_drop(&work.environment, &err) && zones_read(&work.zones, &err))
        status = import_all(&work);
    else
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    ledger_close(work.ledger);
    zones_close(&work.zones);
    environment_close(&work.environment);
    return terminal_finish_stdout(status);
}

const struct command cmd_import = {
    .name = "import",
    .purpose = "what CodeCarbon has recorded, and other records, into the ledger",
    .synopsis = "[options] file ...",
    .options = OPTIONS(&option_date, &option_dry_run, &option_strict, &option_doubted, &option_ledger, COLOR_OPTIONS),
    .examples = EXAMPLES("carbon import emissions.csv", "carbon import --dry-run old/*/emissions.csv",
                         "carbon import --date 2026-11-28 codecarbon.log"),
    .run = run_import,
    .prints_page = true,
    OPERANDS(1, -1, OPERAND_FILE),
    .schemas = SCHEMAS(&imported_schema),
    .about =
        "Read tables (emissions.csv) and logs of CodeCarbon, and records of carbon, and keep in the ledger what is "
        "not there yet. A damaged line is listed, and costs no other one.",
};
