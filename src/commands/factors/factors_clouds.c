/* SPDX-License-Identifier: MIT
 * `carbon factors --clouds`: every cloud region with its zone and its published data. */
#include "app/options/command.h"
#include "app/result_forms.h"
#include "base/c_locale.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct option_spec option_clouds = OPTION(
    FLAG, "Carbon", "clouds", .cli_only = true,
    .help = "list the cloud regions, or those with this part of a name, place or zone: zone, factor, PUE and WUE");

bool factors_zone_within(const struct zones *zones, const struct zone *zone, const char *code)
{
    const struct zone *country = zones_find(zones, code);

    if (zone && country && *country->alpha3 && strcmp(country->type, "country") == 0 &&
        strcmp(zone->alpha3, country->alpha3) == 0)
        return true;
    while (zone && c_strcasecmp(zone->code, code) != 0)
        zone = zones_find(zones, zone->fallback);
    return zone != NULL;
}

/* The row that `--zone REGION` would use: of its zone, else of the first one in that zone's chain that has any. */
static const struct factor_row *row_of(const struct cloud_table *table, const char *code)
{
    const struct factor_row *row = rows_best(&table->rows, code, table->basis, table->year);

    for (const struct zone *zone = zones_find(&table->zones, code); zone && !row;
         zone = zones_find(&table->zones, zone->fallback))
        row = rows_best(&table->rows, zone->code, table->basis, table->year);
    return row;
}

static bool is_wanted(const struct cloud_table *table, const struct cloud_entry *entry, const char *code,
                      const char *part, const char *within)
{
    const struct zone *zone = zones_find(&table->zones, code);

    if (within && !factors_zone_within(&table->zones, zone, within))
        return false;
    return !part || c_strcasestr(entry->name, part) || c_strcasestr(entry->region.location, part) ||
           c_strcasecmp(code, part) == 0 || (zone && c_strcasestr(zone->name, part));
}

static bool gather(struct cloud_table *table, const struct command_line *line, const char *within, struct error *err)
{
    const bool share_alike = settings_flag(&line->settings, &option_share_alike);

    if (!rows_add_shipped(&table->rows, NULL, share_alike, err) || !cloud_list_read(&table->list, table->year, err))
        return false;
    table->lines = reallocarray(NULL, table->list.count + 1, sizeof *table->lines);
    if (!table->lines)
        return error_set(err, ERROR_SYSTEM, "no memory for the list of cloud regions");
    for (size_t i = 0; i < table->list.count; i++) {
        const struct cloud_entry *entry = &table->list.items[i];
        const char *code = share_alike ? entry->region.grid_zone : entry->region.zone;
        if (is_wanted(table, entry, code, line->operands[0], within))
            table->lines[table->count++] = (struct cloud_line){ entry, code, row_of(table, code) };
    }
    if (table->count)
        return true;
    error_set(err, ERROR_USAGE, "no cloud region matches");
    return error_fix(err, "'carbon factors --clouds' lists them all");
}

/* A zone as people call it; how it was understood is reported. */
static bool resolve_within(const struct cloud_table *table, const struct settings *settings, const char *text,
                           struct zone_meant *meant, struct error *err)
{
    AUTO_NOTICES struct notices notices = { 0 };

    if (!zone_resolve(text, &table->rows, &table->zones, settings_flag(settings, &option_share_alike), meant, &notices,
                      err))
        return false;
    terminal_tell_all(settings, &notices);
    return true;
}

static bool print_clouds(const struct cloud_table *table, const struct settings *settings, FILE *out, struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, clouds_json, clouds_csv, table, err);
    if (forms.failed)
        return false;
    return forms.any || clouds_table(table, out, err);
}

int factors_clouds(const struct command_line *line, const char *within, FILE *out)
{
    const struct settings *settings = &line->settings;
    const double year = settings_number(settings, &option_year);
    struct cloud_table table = { .year = isnan(year) ? INT_MAX : (int)year };
    struct zone_meant meant;
    struct error err = { 0 };

    const bool good =
        factor_basis_of(settings_text(settings, &option_basis), &table.basis) && zones_read(&table.zones, &err) &&
        rows_add_own(&table.rows, settings_texts(settings, &option_factors), &err) &&
        (!within || resolve_within(&table, settings, within, &meant, &err)) &&
        gather(&table, line, within ? meant.code : NULL, &err) && print_clouds(&table, settings, out, &err);
    free(table.lines);
    cloud_list_close(&table.list);
    rows_close(&table.rows);
    zones_close(&table.zones);
    return good ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}
