/* SPDX-License-Identifier: MIT
 * Reading the sections of machines in the configuration file. */
#include "app/options/machines_made.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char section_name[] = "machine";

static const double max_kg = 1e7, min_years = 0.01, max_years = 100;

bool machines_made_is(const char *section)
{
    const size_t length = strlen(section_name);

    return strncmp(section, section_name, length) == 0 && (!section[length] || section[length] == ' ');
}

static bool begin(struct machines_made *machines, const struct ini_entry *entry, const char *path, struct error *err)
{
    const char *name = entry->section + strlen(section_name);
    struct machine_made *items, *item;

    name += strspn(name, " ");
    for (size_t i = 0; i < machines->count; i++)
        if (strcmp(machines->items[i].name, name) == 0) {
            ini_fail(err, path, entry->line, "there is a second section of machine", name);
            return error_fix(err, "give each a name: [machine NAME]");
        }
    items = realloc(machines->items, (machines->count + 1) * sizeof *items);
    if (!items)
        return error_errno(err, "cannot keep the machines");
    machines->items = items;
    item = &items[machines->count++];
    *item = (struct machine_made){ .line = entry->line, .kgco2eq = NAN, .lifetime_years = NAN };
    text_copy(item->name, sizeof item->name, name);
    return true;
}

static bool take_number(double *number, double min, double max, const char *fix, const struct ini_entry *entry,
                        const char *path, struct error *err)
{
    if (text_to_number(entry->value, number) && *number >= min && *number <= max)
        return true;
    ini_fail(err, path, entry->line, "not a figure of a machine", entry->value);
    return error_fix(err, "%s", fix);
}

bool machines_made_take(struct machines_made **machines, const struct ini_entry *entry, const char *path,
                        struct error *err)
{
    struct machine_made *item;

    if (!*machines)
        *machines = calloc(1, sizeof **machines);
    if (!*machines)
        return error_errno(err, "cannot keep the machines");
    if (!entry->name)
        return begin(*machines, entry, path, err);
    item = &(*machines)->items[(*machines)->count - 1];
    if (strcmp(entry->name, "kg") == 0)
        return take_number(&item->kgco2eq, 0, max_kg, "kg = 1200: the kgCO2eq that it took to make it", entry, path,
                           err);
    if (strcmp(entry->name, "lifetime") == 0)
        return take_number(&item->lifetime_years, min_years, max_years, "lifetime = 5: years", entry, path, err);
    ini_fail(err, path, entry->line, "a machine has no", entry->name);
    return error_fix(err, "it has kg (kgCO2eq to make it) and lifetime (years)");
}

bool machines_made_finish(const struct machines_made *machines, const char *path, struct error *err)
{
    for (size_t i = 0; machines && i < machines->count; i++) {
        const struct machine_made *item = &machines->items[i];
        if (isfinite(item->kgco2eq) && isfinite(item->lifetime_years))
            continue;
        error_set(err, ERROR_USAGE, "'%.120s' line %d: the machine%s%s has no %s", path, item->line,
                  item->name[0] ? " " : "", item->name, isnan(item->kgco2eq) ? "kg" : "lifetime");
        return error_fix(err, "give it kg = 1200 (kgCO2eq to make it) and lifetime = 5 (years)");
    }
    return true;
}

void machines_made_close(struct machines_made *machines)
{
    if (machines)
        free(machines->items);
    free(machines);
}
