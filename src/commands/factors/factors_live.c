/* SPDX-License-Identifier: MIT
 * `carbon factors --live`: hourly carbon intensity of a grid, from a service. */
#include "app/options/command.h"
#include "app/result_forms.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "emissions/zones.h"

#include <stdlib.h>
#include <string.h>

static bool check_time(const char *text, struct error *err)
{
    uint64_t realtime_s;

    if (clock_of_iso_text(text, &realtime_s))
        return true;
    error_set(err, ERROR_USAGE, "'%.60s' is not a time", text);
    return error_fix(err, "2026-01-20 or 2026-01-20T12:00Z");
}

const struct option_spec option_from =
    OPTION(TEXT, "Live grid data", "from", .argument = "<time>", .check = check_time, .sample = "2026-01-20",
           .cli_only = true, .help = "since when: 2026-01-20, 2026-01-20T12:00Z; a day ago when not given");
const struct option_spec option_to =
    OPTION(TEXT, "Live grid data", "to", .argument = "<time>", .check = check_time, .sample = "2026-01-21",
           .cli_only = true, .help = "until when; a day on, or now where the service has no forecast, when not given");

/* What the tables are asked by has no meaning for a service. */
static bool check_options(const struct settings *settings, const struct live_service *service, enum factor_basis basis,
                          struct error *err)
{
    static const struct option_spec *const tables_only[] = { &option_year, &option_factor_set, &option_factors,
                                                             &option_share_alike };

    for (size_t i = 0; i < sizeof tables_only / sizeof tables_only[0]; i++)
        if (settings_origin(settings, tables_only[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s and --live do not go together", tables_only[i]->name);
            return error_why(err, "one is about the tables, the other about a service");
        }
    return live_check_basis(settings, service, basis, err);
}

/* One end without the other: a day of it. */
static void make_times(const struct settings *settings, struct live_query *query)
{
    const char *from = settings_text(settings, &option_from), *to = settings_text(settings, &option_to);

    if (from)
        IGNORED(clock_of_iso_text(from, &query->from_realtime_s), "the option was checked");
    if (to)
        IGNORED(clock_of_iso_text(to, &query->to_realtime_s), "the option was checked");
    if (from && !to)
        query->to_realtime_s = query->from_realtime_s + S_PER_DAY;
    if (to && !from)
        query->from_realtime_s = query->to_realtime_s > S_PER_DAY ? query->to_realtime_s - S_PER_DAY : 0;
}

static bool print_intensities(const struct settings *settings, const struct live_about *about,
                              const struct intensities *found, const struct notices *notices, FILE *out,
                              struct error *err)
{
    struct result_forms forms = { .settings = settings };

    while (result_forms_next(&forms, err))
        result_forms_end(&forms,
                         forms.is_json ? live_json(about, found, notices, forms.out, err)
                                       : live_csv(about, found, forms.out, err),
                         err);
    if (forms.failed)
        return false;
    terminal_tell_all(settings, notices);
    return forms.any || live_table(about, found, out, err);
}

int factors_live(const struct command_line *line, FILE *out)
{
    const struct settings *settings = &line->settings;
    const struct live_service *service = live_named(settings_text(settings, &option_live));
    struct live_query query = live_query_of(settings);
    const char *typed = line->operands[0] ? line->operands[0] : settings_text(settings, &option_zone);
    struct intensities found = { .count = 0 };
    AUTO_NOTICES struct notices notices = { 0 };
    char code[ZONE_SIZE];
    struct error err = { 0 };
    bool good;

    make_times(settings, &query);
    query.zone = live_zones_are_own(service) ? typed : live_zone_typed(typed, code, &notices);
    good = factor_basis_of(settings_text(settings, &option_basis), &query.basis) &&
           check_options(settings, service, query.basis, &err) && live_fetch(service, &query, &found, &notices, &err);
    if (good) {
        const struct live_about about = live_about(service, &found);
        good = print_intensities(settings, &about, &found, &notices, out, &err);
    }
    intensities_close(&found);
    return good ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}
