/* SPDX-License-Identifier: MIT
 * carbon factors: the zones, and what is known of each. */
#include "cli/command.h"

#include "cli/factors.h"
#include "cli/terminal.h"
#include "report/output.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Zones of the share-alike table alone; without it they are noise in a list. */
#define SHARE_ALIKE_PREFIX "EM:"

static bool add_entry(struct factor_list *list, const struct zone *zone, const struct factor_row *row,
                      struct error *err)
{
    struct factor_entry *entries = reallocarray(list->entries, list->count + 1, sizeof *entries);

    if (!entries)
        return error_set(err, ERROR_SYSTEM, "no memory for the list of factors");
    list->entries = entries;
    entries[list->count++] = (struct factor_entry){ zone, row };
    return true;
}

static bool contains(const char *text, const char *part)
{
    return !part || strcasestr(text, part);
}

/* The user's own zones that zones.csv does not know, each once. */
static bool list_own_zones(struct factor_list *list, const char *part, struct error *err)
{
    for (size_t i = 0; i < list->rows.count; i++) {
        const struct factor_row *row = &list->rows.items[i];
        if (row->table >= TABLES_MAX || zones_find(&list->zones, row->zone) ||
            rows_best(&list->rows, row->zone, list->basis, list->year) != row)
            continue;
        if ((contains(row->zone, part) || contains(row->zone_name, part)) && !add_entry(list, NULL, row, err))
            return false;
    }
    return true;
}

/* All zones, or those with this part of a name. */
static bool list_zones(struct factor_list *list, const char *part, bool share_alike, struct error *err)
{
    if (!rows_add_shipped(&list->rows, NULL, share_alike, err) || !list_own_zones(list, part, err))
        return false;
    for (const struct zone *zone = list->zones.first; zone; zone = zone->next) {
        const struct factor_row *row;
        if (!contains(zone->code, part) && !contains(zone->name, part) && !contains(zone->aliases, part))
            continue;
        row = rows_best(&list->rows, zone->code, list->basis, list->year);
        if (!row && !share_alike && strncmp(zone->code, SHARE_ALIKE_PREFIX, strlen(SHARE_ALIKE_PREFIX)) == 0)
            continue;
        if (!add_entry(list, zone, row, err))
            return false;
    }
    return true;
}

static int compare_entries(const void *first, const void *second)
{
    const struct factor_row *a = ((const struct factor_entry *)first)->row;
    const struct factor_row *b = ((const struct factor_entry *)second)->row;

    if (a->year != b->year)
        return a->year > b->year ? -1 : 1;
    if (a->basis != b->basis)
        return a->basis < b->basis ? -1 : 1;
    if (a->table != b->table)
        return a->table < b->table ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Every row of one zone, the latest first. */
static bool list_single(struct factor_list *list, const char *code, const struct settings *settings, struct error *err)
{
    const struct zone *zone = zones_find(&list->zones, code);
    const bool one_basis = settings_origin(settings, &option_basis) != ORIGIN_STANDARD;
    const bool one_year = !isnan(settings_number(settings, &option_year));

    list->single = code;
    if (!rows_add_shipped(&list->rows, code, settings_flag(settings, &option_share_alike), err))
        return false;
    for (size_t i = 0; i < list->rows.count; i++) {
        const struct factor_row *row = &list->rows.items[i];
        if (strcasecmp(row->zone, code) != 0 || (one_basis && row->basis != list->basis) ||
            (one_year && row->year != list->year))
            continue;
        if (!add_entry(list, zone, row, err))
            return false;
    }
    if (list->count > 1)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    return true;
}

/* --zone of the command line alone: a zone that is set for all commands does not hide the list. */
static const char *factors_zone(const struct settings *settings)
{
    return settings_origin(settings, &option_zone) == ORIGIN_LINE ? settings_text(settings, &option_zone) : NULL;
}

/* Fills the list with what the operand means: a zone, a part of names, or all. */
static bool gather(struct factor_list *list, const struct command_line *line, char code[ZONE_SIZE], struct error *err)
{
    const struct settings *settings = &line->settings;
    const bool share_alike = settings_flag(settings, &option_share_alike);
    const char *text = line->operands[0] ? line->operands[0] : factors_zone(settings);
    struct notices notices = { 0 };

    if (!zones_read(&list->zones, err) || !rows_add_own(&list->rows, settings_texts(settings, &option_factors), err))
        return false;
    if (!text)
        return list_zones(list, NULL, share_alike, err);
    if (zone_resolve(text, &list->rows, &list->zones, share_alike, code, &notices, err)) {
        for (size_t i = 0; i < notices.count; i++)
            terminal_notice(stderr, &notices.item[i], terminal_colour(settings, stderr));
        return list_single(list, code, settings, err);
    }
    if (err->kind != ERROR_USAGE || !*text)
        return false;
    struct error unreadable;
    if (!list_zones(list, text, share_alike, &unreadable)) {
        *err = unreadable;
        return false;
    }
    return list->count > 0;
}

static bool show(const struct factor_list *list, const struct settings *settings, struct error *err)
{
    const char *csv = settings_text(settings, &option_csv), *json = settings_text(settings, &option_json);
    struct output out;

    if (!terminal_check_forms(settings, err))
        return false;
    if (csv && !(output_open(&out, csv, err) && output_end(&out, factors_csv(list, out.file, err), err)))
        return false;
    if (json && !(output_open(&out, json, err) && output_end(&out, factors_json(list, out.file, err), err)))
        return false;
    if (csv || json)
        return true;
    return list->single ? factors_table_single(list, stdout, err) : factors_table_zones(list, stdout, err);
}

/* What is for live data alone is not left unheard. */
static bool factors_no_live(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const live_only[] = { &option_from, &option_to, &option_offline,
                                                           &option_live_timeout, &option_live_url };

    for (size_t i = 0; i < sizeof live_only / sizeof live_only[0]; i++)
        if (settings_origin(settings, live_only[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s is for live grid data", live_only[i]->name);
            return error_fix(err, "add --live SERVICE");
        }
    return true;
}

static int factors_run(const struct command_line *line)
{
    const double year = settings_number(&line->settings, &option_year);
    struct factor_list list = { .year = isnan(year) ? INT_MAX : (int)year };
    char code[ZONE_SIZE];
    struct error err = { 0 };

    if (factors_zone(&line->settings) && line->operands[0]) {
        error_set(&err, ERROR_USAGE, "the zone is given twice: '%.80s' and --zone", line->operands[0]);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (settings_text(&line->settings, &option_live))
        return factors_live(line);
    if (!factors_no_live(&line->settings, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    const bool good = factor_basis_of(settings_text(&line->settings, &option_basis), &list.basis) &&
                      gather(&list, line, code, &err) && show(&list, &line->settings, &err);
    free(list.entries);
    rows_close(&list.rows);
    zones_close(&list.zones);
    return good ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static const struct option_spec *const options[] = {
    &option_zone,     &option_year, &option_basis, &option_factors, &option_share_alike,
    &option_live,     &option_from, &option_to,    &option_offline, &option_live_timeout,
    &option_live_url, &option_json, &option_csv,   &option_color,   &option_help,
    &option_version,  NULL,
};

static const char *const examples[] = {
    "carbon factors",
    "carbon factors FR",
    "carbon factors aws:eu-west-3 --year 2024",
    "carbon factors korea",
    "carbon factors --live neso",
    "carbon factors DE --live energy-charts --from 2026-01-20 --json grid.json",
    "carbon factors --share-alike --csv factors.csv",
    NULL,
};

extern const struct command cmd_factors;
const struct command cmd_factors = {
    .name = "factors",
    .purpose = "show what a kilowatt-hour emits, by zone, year and basis",
    .synopsis = "[options] [zone | part of a name]",
    .about =
        "List the zones with their latest emission factor, or all that is known of one zone; with --live, what its "
        "grid emits by the hour.",
    .options = options,
    .examples = examples,
    .most_operands = 1,
    .run = factors_run,
};
