/* SPDX-License-Identifier: MIT
 * --ledger and --no-ledger. The ledger is opened when the work is done: a job starts no later for it. */
#include "app/ledger_options.h"

#include "app/terminal.h"
#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <libgen.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

const struct option_spec option_ledger =
    OPTION(FILE, "Ledger", "ledger", .file = FILE_LEDGER, .argument = "<place>",
           .help = "a file, postgresql://... or off; a file in the user's data folder when not given");
const struct option_spec option_no_ledger =
    OPTION(FLAG, "Ledger", "no-ledger", .cli_only = true, .help = "do not save a record in the ledger");

static bool is_off(const struct settings *settings)
{
    const char *place = settings_text(settings, &option_ledger);

    return settings_flag(settings, &option_no_ledger) || (place && strcmp(place, "off") == 0);
}

static bool is_named(const struct settings *settings)
{
    return settings_origin(settings, &option_ledger) == ORIGIN_LINE;
}

bool ledger_options_check(const struct settings *settings, struct error *err)
{
    const char *place = settings_text(settings, &option_ledger);
    char folder[PATH_ROOM];

    if (is_off(settings) || !is_named(settings) || ledger_is_uri(place))
        return true;
    text_copy(folder, sizeof folder, place);
    if (access(place, W_OK) == 0 || (errno == ENOENT && access(dirname(folder), W_OK) == 0))
        return true;
    error_errno(err, "cannot keep a record in the ledger '%.200s'", place);
    return error_fix(err, "nothing has been run yet; give another place, or --no-ledger");
}

/* False: neither option nor environment says where. */
static bool find_place(const struct settings *settings, const struct environment *environment, char *place, size_t size)
{
    const char *given = settings_text(settings, &option_ledger);

    if (!given)
        return ledger_default_place(environment->variables ? environment->variables : environ, place, size);
    text_copy(place, size, given);
    return true;
}

static bool keep_all(const char *place, const struct report *const *reports, size_t count, struct notices *notices,
                     struct error *err)
{
    struct ledger *ledger = NULL;
    bool stored = true;

    for (size_t i = 0; i < count && stored; i++) {
        AUTO_FREE char *record = json_record_string(reports[i], err);
        stored = record && ledger_keep(&ledger, place, record, notices, err);
    }
    ledger_close(ledger);
    return stored;
}

/* Joules of a machine that was recorded were not used here. */
static bool is_wanted(const struct settings *settings, const struct report *const *reports, size_t count)
{
    return count > 0 && !is_off(settings) && (!reports[0]->recorded_tree || is_named(settings));
}

int ledger_options_keep(const struct settings *settings, const struct environment *environment,
                        const struct report *const *reports, size_t count, int status)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    char place[PATH_ROOM];
    struct notice unkept;
    struct error err;
    bool stored;

    if (!is_wanted(settings, reports, count) || !find_place(settings, environment, place, sizeof place))
        return status;
    stored = (settings_text(settings, &option_ledger) || ledger_make_folder(place, &err)) &&
             keep_all(place, reports, count, &notices, &err);
    terminal_tell_all(settings, &notices);
    if (stored)
        return status;
    if (is_named(settings))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    unkept = notice_of_error(&err);
    terminal_tell(settings, &unkept);
    return status;
}

bool ledger_options_add(const struct settings *settings, const struct environment *environment, const char *record,
                        struct error *err)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct ledger *ledger = NULL;
    char place[PATH_ROOM];
    bool added;

    if (!ledger_options_place(settings, environment, place, sizeof place, err) ||
        (!settings_text(settings, &option_ledger) && !ledger_make_folder(place, err)))
        return false;
    added = ledger_keep(&ledger, place, record, &notices, err);
    ledger_close(ledger);
    terminal_tell_all(settings, &notices);
    return added;
}

bool ledger_options_place(const struct settings *settings, const struct environment *environment, char *place,
                          size_t size, struct error *err)
{
    const char *given = settings_text(settings, &option_ledger);

    if ((!given || strcmp(given, "off") != 0) && find_place(settings, environment, place, size))
        return true;
    error_set(err, ERROR_ABSENT, "no ledger exists");
    error_why(err, "%s", given ? "it is switched off" : "neither XDG_DATA_HOME nor HOME says where it is");
    return error_fix(err, "--ledger FILE names one");
}

struct ledger *ledger_options_open(const struct settings *settings, const struct environment *environment,
                                   enum ledger_access access, struct error *err)
{
    AUTO_NOTICES struct notices notices = { .count = 0 };
    struct ledger *ledger;
    char place[PATH_ROOM];

    if (!ledger_options_place(settings, environment, place, sizeof place, err))
        return NULL;
    ledger = ledger_open(place, access, &notices, err);
    terminal_tell_all(settings, &notices);
    return ledger;
}
