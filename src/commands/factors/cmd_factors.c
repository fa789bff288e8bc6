/* SPDX-License-Identifier: MIT
 * carbon factors: the zones, and what is known of each. */
#include "app/options/command.h"

#include "app/result_forms.h"
#include "app/terminal.h"
#include "base/array.h"
#include "base/c_locale.h"
#include "commands/factors/factors.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Zones of the share-alike table alone; without it they are noise in a list. */
#define SHARE_ALIKE_PREFIX "EM:"

static const struct option_spec option_shown_zone =
    OPTION(TEXT, "Carbon", "zone", .short_name = 'z', .alias = "country", .argument = "<code>",
           .help = "the zone to show, as the operand names it: FR, US-CA, aws:eu-west-3 ...");
static const struct option_spec option_shown_year =
    OPTION(COUNT, "Carbon", "year", .argument = "<year>", .min = 1990, .max = 2100,
           .help = "year of the factors; the latest when not given");
static const struct option_spec option_compare =
    OPTION(FLAG, "Carbon", "compare", .cli_only = true,
           .help = "show what all sources say of one zone, year by year, with their differences");
static const struct option_spec option_search =
    OPTION(TEXT, "Carbon", "search", .argument = "<text>", .cli_only = true,
           .help = "list the zones with this part of a code or name, also where it is a zone's own code");
static const char *const types[] = {
    "country", "subdivision", "egrid_subregion", "grid_region", "aggregate", NULL,
};
static const struct option_spec option_type = OPTION(CHOICE, "Carbon", "type", .argument = "<type>", .cli_only = true,
                                                     .choices = types, .help = "list only zones of this type");
static const struct option_spec option_within =
    OPTION(TEXT, "Carbon", "within", .argument = "<zone>", .cli_only = true,
           .help = "list only zones with this fallback: --within US has the states and eGRID subregions");

/* What a zone must be to stand in a list. */
struct factors_wanted {
    const char *part;     /* of a code, name or alias; NULL: any */
    const char *type;     /* NULL: any */
    const char *fallback; /* a code in its chain, or NULL */
    bool share_alike;
    const char *set; /* an official one alone, or NULL */
};

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
    return !part || c_strcasestr(text, part);
}

static bool is_wanted(const struct zones *zones, const struct zone *zone, const struct factors_wanted *wanted)
{
    return (contains(zone->code, wanted->part) || contains(zone->name, wanted->part) ||
            contains(zone->aliases, wanted->part)) &&
           (!wanted->type || strcmp(zone->type, wanted->type) == 0) &&
           (!wanted->fallback || factors_zone_within(zones, zone, wanted->fallback));
}

/* The user's own zones that zones.csv does not know, each once. */
static bool list_own_zones(struct factor_list *list, const struct factors_wanted *wanted, struct error *err)
{
    if (wanted->type || wanted->fallback || wanted->set)
        return true;
    for (size_t i = 0; i < list->rows.count; i++) {
        const struct factor_row *row = &list->rows.items[i];
        if (row->table >= TABLES_MAX || zones_find(&list->zones, row->zone) ||
            rows_best(&list->rows, row->zone, list->basis, list->year) != row)
            continue;
        if ((contains(row->zone, wanted->part) || contains(row->zone_name, wanted->part)) &&
            !add_entry(list, NULL, row, err))
            return false;
    }
    return true;
}

/* All zones that are wanted. */
static bool list_zones(struct factor_list *list, const struct factors_wanted *wanted, struct error *err)
{
    const bool share_alike = wanted->share_alike;

    if (!rows_add_shipped(&list->rows, NULL, share_alike, err) || !list_own_zones(list, wanted, err))
        return false;
    for (const struct zone *zone = list->zones.first; zone; zone = zone->next) {
        const struct factor_row *row;
        if (!is_wanted(&list->zones, zone, wanted))
            continue;
        row = rows_best_of(&list->rows, zone->code, list->basis, list->year, wanted->set);
        if (!row && wanted->set)
            continue;
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
        return ARRAY_ORDER(b->year, a->year);
    if (a->basis != b->basis)
        return ARRAY_ORDER(a->basis, b->basis);
    return a->table != b->table ? ARRAY_ORDER(a->table, b->table) : ARRAY_ORDER(a->rank, b->rank);
}

/* Every row of one zone, the latest first. */
static bool list_single(struct factor_list *list, const char *code, const struct settings *settings, struct error *err)
{
    const struct zone *zone = zones_find(&list->zones, code);
    const bool one_basis = settings_origin(settings, &option_basis) != ORIGIN_STANDARD;
    const bool one_year = !isnan(settings_number(settings, &option_year));
    const char *set = settings_text(settings, &option_factor_set);

    list->single = code;
    if (settings_flag(settings, &option_compare) && !rows_add_residual(&list->rows, code, err))
        return false;
    if (!rows_add_shipped(&list->rows, code, settings_flag(settings, &option_share_alike), err))
        return false;
    for (size_t i = 0; i < list->rows.count; i++) {
        const struct factor_row *row = &list->rows.items[i];
        if (c_strcasecmp(row->zone, code) != 0 || (one_basis && row->basis != list->basis) ||
            (one_year && row->year != list->year) ||
            (set && (row->table != TABLE_DEFAULT || !factor_set_has(set, row->source_id))))
            continue;
        if (!add_entry(list, zone, row, err))
            return false;
    }
    if (list->count > 1)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    if (!set || list->count > 0)
        return true;
    error_set(err, ERROR_USAGE, "the set '%.20s' has no such factor of %s", set, code);
    error_why(err, "it has direct ones of %s", factor_set_zones(set));
    return error_fix(err, "leave --set out, or give a zone of it");
}

/* A zone as zone_resolve understands it; what it has to say of it is reported at once. */
static bool resolve(const struct factor_list *list, const char *text, const struct settings *settings,
                    struct zone_meant *meant, struct error *err)
{
    const bool share_alike = settings_flag(settings, &option_share_alike);
    AUTO_NOTICES struct notices notices = { 0 };

    if (!zone_resolve(text, &list->rows, &list->zones, share_alike, meant, &notices, err))
        return false;
    terminal_tell_all(settings, &notices);
    return true;
}

/* A list was asked for, by what its zones must be. */
static bool gather_list(struct factor_list *list, struct factors_wanted *wanted, const struct settings *settings,
                        struct zone_meant *meant, struct error *err)
{
    const char *within = settings_text(settings, &option_within);

    if (within && !resolve(list, within, settings, meant, err))
        return false;
    wanted->fallback = within ? meant->code : NULL;
    if (!list_zones(list, wanted, err))
        return false;
    if (list->count > 0)
        return true;
    error_set(err, ERROR_USAGE, "no zone matches");
    return error_fix(err, "'carbon factors' lists all zones");
}

static bool check_options(const struct settings *settings, const char *operand, struct error *err)
{
    const bool list = settings_text(settings, &option_search) || settings_text(settings, &option_type) ||
                      settings_text(settings, &option_within);

    if (settings_flag(settings, &option_compare) && !operand) {
        error_set(err, ERROR_USAGE, "--compare needs a zone");
        return error_fix(err, "carbon factors --compare FR");
    }
    if (list && operand) {
        error_set(err, ERROR_USAGE, "a zone is shown or zones are listed, not both");
        return error_fix(err, "leave '%.64s' out, or --search, --type and --within", operand);
    }
    return true;
}

/* --zone of the command line alone: a zone that is set for all commands does not hide the list. */
static const char *factors_zone(const struct settings *settings)
{
    return settings_origin(settings, &option_zone) == ORIGIN_LINE ? settings_text(settings, &option_zone) : NULL;
}

/* Fills the list with what the operand means: a zone, a part of names, or all. */
static bool gather(struct factor_list *list, const struct command_line *line, struct zone_meant *meant,
                   struct error *err)
{
    const struct settings *settings = &line->settings;
    const char *text = line->operands[0] ? line->operands[0] : factors_zone(settings);
    struct factors_wanted wanted = {
        .part = settings_text(settings, &option_search),
        .type = settings_text(settings, &option_type),
        .share_alike = settings_flag(settings, &option_share_alike),
        .set = settings_text(settings, &option_factor_set),
    };

    if (!check_options(settings, text, err) || !zones_read(&list->zones, err) ||
        !rows_add_own(&list->rows, settings_texts(settings, &option_factors), err))
        return false;
    if (!text)
        return gather_list(list, &wanted, settings, meant, err);
    if (resolve(list, text, settings, meant, err)) {
        list->region = meant->cloud_region;
        return list_single(list, meant->code, settings, err);
    }
    if (err->kind != ERROR_USAGE || !*text || settings_flag(settings, &option_compare))
        return false;
    struct error unreadable;
    wanted.part = text;
    if (!list_zones(list, &wanted, &unreadable)) {
        *err = unreadable;
        return false;
    }
    return list->count > 0;
}

static bool print_factors(const struct factor_list *list, const struct settings *settings, struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, factors_json, factors_csv, list, err);
    if (forms.failed)
        return false;
    if (forms.any)
        return true;
    if (list->comparison)
        return factors_table_comparison(list, stdout, err);
    return list->single ? factors_table_single(list, stdout, err) : factors_table_zones(list, stdout, err);
}

/* What is for live data alone is not left unheard. */
static bool factors_no_live(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const live_only[] = { &option_from,         &option_to,       &option_offline,
                                                           &option_live_timeout, &option_live_url, &option_live_step };

    for (size_t i = 0; i < sizeof live_only / sizeof live_only[0]; i++)
        if (settings_origin(settings, live_only[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s is for live grid data", live_only[i]->name);
            return error_fix_adds(err, "--live neso");
        }
    return true;
}

/* What asks for zones has no meaning for a list of cloud regions. */
static bool check_clouds(const struct settings *settings, struct error *err)
{
    static const struct option_spec *const zones_only[] = { &option_shown_zone, &option_compare, &option_search,
                                                            &option_type, &option_live };

    for (size_t i = 0; i < sizeof zones_only / sizeof zones_only[0]; i++)
        if (settings_origin(settings, zones_only[i]) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s and --clouds do not go together", zones_only[i]->name);
            return error_fix(err, "write a part of a name after --clouds, or --within ZONE");
        }
    return factors_no_live(settings, err);
}

/* A list is on one basis, and official sets are direct. */
static bool set_basis(const struct settings *settings, struct factor_list *list, struct error *err)
{
    const bool lifecycle = settings_origin(settings, &option_basis) == ORIGIN_LINE && list->basis != FACTOR_DIRECT;

    list->basis = FACTOR_DIRECT;
    return !lifecycle || error_set(err, ERROR_USAGE, "official sets have direct factors alone") ||
           error_fix(err, "leave --basis out, or --set");
}

static int factors_run(const struct command_line *line)
{
    const double year = settings_number(&line->settings, &option_year);
    struct factor_list list = { .year = isnan(year) ? INT_MAX : (int)year };
    struct factor_comparison comparison;
    struct zone_meant meant;
    struct error err = { 0 };

    if (settings_flag(&line->settings, &option_clouds))
        return check_clouds(&line->settings, &err)
                   ? factors_clouds(line, settings_text(&line->settings, &option_within), stdout)
                   : terminal_fail(&err, STATUS_CARBON_FAILED);
    if (factors_zone(&line->settings) && line->operands[0]) {
        error_set(&err, ERROR_USAGE, "the zone is given twice: '%.80s' and --zone", line->operands[0]);
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    if (settings_text(&line->settings, &option_live))
        return factors_live(line, stdout);
    if (!factors_no_live(&line->settings, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    const bool has_set = settings_text(&line->settings, &option_factor_set);
    const bool good = factor_basis_of(settings_text(&line->settings, &option_basis), &list.basis) &&
                      (!has_set || set_basis(&line->settings, &list, &err)) && gather(&list, line, &meant, &err) &&
                      (!settings_flag(&line->settings, &option_compare) || factors_compare(&list, &comparison, &err)) &&
                      print_factors(&list, &line->settings, &err);
    free(list.entries);
    rows_close(&list.rows);
    zones_close(&list.zones);
    return good ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

COMMAND(cmd_factors) = {
    .name = "factors",
    .purpose = "show what a kilowatt-hour emits, by zone, year and basis",
    .synopsis = "[options] [zone | part of a name]",
    .options = OPTIONS(&option_zone, &option_compare, &option_search, &option_type, &option_within, &option_clouds,
                       &option_shown_year, &option_basis, &option_factor_set, &option_factors, &option_share_alike,
                       &option_live, &option_from, &option_to, SERVICE_OPTIONS, RESULT_OPTIONS, COLOR_OPTIONS),
    .common = COMMON("compare", "search", "within", "clouds", "year", "basis", "live", "from", "to", "output"),
    .examples = EXAMPLES("carbon factors", "carbon factors FR", "carbon factors aws:eu-west-3 --year 2024",
                         "carbon factors korea", "carbon factors --compare GB",
                         "carbon factors --within US --basis direct", "carbon factors --clouds --within US",
                         "carbon factors --live neso",
                         "carbon factors DE --live energy-charts --from 2026-01-20 --json grid.json",
                         "carbon factors --share-alike --csv factors.csv"),
    .schemas = SCHEMAS(&factors_schema, &clouds_schema, &live_schema),
    .run = factors_run,
    .prints_page = true,
    OPERANDS(0, 1, OPERAND_TEXT),
    .about = "List the zones with their latest emission factor, show all data of one zone, or compare its sources; "
             "with --clouds, the cloud regions; with --live, hourly carbon intensity.",
};
