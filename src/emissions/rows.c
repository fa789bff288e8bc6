/* SPDX-License-Identifier: MIT
 * The rows of all tables together, and which of them is the one to use. */
#include "base/c_locale.h"
#include "emissions/table.h"

#include "base/debug.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_keys(const struct factor_row *a, const struct factor_row *b)
{
    const int zones = c_strcasecmp(a->zone, b->zone);

    if (zones != 0)
        return zones;
    if (a->year != b->year)
        return a->year < b->year ? -1 : 1;
    if (a->basis != b->basis)
        return a->basis < b->basis ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int compare_rows(const void *first, const void *second)
{
    const struct factor_row *const *a = first, *const *b = second;
    const int keys = compare_keys(*a, *b);

    return keys != 0 ? keys : (*a)->line < (*b)->line ? -1 : (*a)->line > (*b)->line;
}

static bool keys_are_unique(const struct factor_rows *rows, size_t first, struct error *err)
{
    const size_t count = rows->count - first;
    const struct factor_row **sorted = count > 1 ? reallocarray(NULL, count, sizeof *sorted) : NULL;
    bool unique = true;

    if (count < 2)
        return true;
    if (!sorted)
        return error_set(err, ERROR_SYSTEM, "no memory to check a table of factors");
    for (size_t i = 0; i < count; i++)
        sorted[i] = &rows->items[first + i];
    qsort(sorted, count, sizeof *sorted, compare_rows);
    for (size_t i = 1; i < count && unique; i++)
        if (compare_keys(sorted[i - 1], sorted[i]) == 0) {
            unique = error_set(err, ERROR_BAD_DATA, "'%s' line %zu repeats line %zu", rows->tables[sorted[i]->table],
                               sorted[i]->line, sorted[i - 1]->line);
            error_why(err, "both are for %s, %d, %s, rank %d: columns zone, year, basis and rank", sorted[i]->zone,
                      sorted[i]->year, factor_basis_name(sorted[i]->basis), sorted[i]->rank);
            error_fix(err, "keep one, or give the other another rank: 1 is the one to use");
        }
    free(sorted);
    return unique;
}

static bool add_file(struct factor_rows *rows, const char *path, struct error *err)
{
    const size_t first = rows->count, table = rows->table_count;

    if (table == TABLES_MAX)
        return error_set(err, ERROR_USAGE, "more than %d tables of factors", TABLES_MAX);
    rows->tables[table] = strdup(path);
    if (!rows->tables[table])
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    rows->table_count++;
    return table_read(rows, table, path, err) && keys_are_unique(rows, first, err);
}

static int is_table(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && end && strcmp(end, ".csv") == 0;
}

/* By bytes, not by the user's locale as alphasort: the order decides which table goes first. */
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct factor_rows *rows, const char *folder, struct error *err)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_table, compare_entries);
    bool good = true;

    if (count < 0)
        return error_errno(err, "cannot read '%s'", folder);
    for (int i = 0; i < count; i++) {
        char path[4096];
        if (good && snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) >= (int)sizeof path)
            good = error_set(err, ERROR_USAGE, "the path of '%s' is too long", entries[i]->d_name);
        else if (good)
            good = add_file(rows, path, err);
        free(entries[i]);
    }
    free(entries);
    if (count > 0)
        return good;
    error_set(err, ERROR_USAGE, "'%s' holds no table of factors", folder);
    return error_why(err, "no file in it ends in .csv");
}

bool rows_add_own(struct factor_rows *rows, const char *const *paths, struct error *err)
{
    for (size_t i = 0; paths && paths[i]; i++) {
        struct stat status;
        const bool folder = stat(paths[i], &status) == 0 && S_ISDIR(status.st_mode);
        if (!(folder ? add_folder : add_file)(rows, paths[i], err))
            return false;
    }
    return true;
}

bool rows_add_shipped(struct factor_rows *rows, const char *zone, bool share_alike, struct error *err)
{
    static const char share_alike_table[] = "share-alike/grid_intensity_odbl.csv";

    if (share_alike && !table_read_shipped(rows, TABLE_SHARE_ALIKE, share_alike_table, zone, err))
        return false;
    return table_read_shipped(rows, TABLE_DEFAULT, "grid_intensity.csv", zone, err);
}

void rows_close(struct factor_rows *rows)
{
    for (size_t i = 0; i < rows->table_count; i++)
        free(rows->tables[i]);
    free(rows->items);
    *rows = (struct factor_rows){ 0 };
}

/* A user's own tables are one: a folder may hold a file a year. */
static size_t group_of(const struct factor_row *row)
{
    return row->table < TABLES_MAX ? 0 : row->table;
}

/* By what the first goes before the second; NULL: it does not. */
static const char *better_by(const struct factor_row *row, const struct factor_row *than, int year)
{
    const bool later = row->year > year, than_later = than->year > year;

    if (later != than_later)
        return later ? NULL : "it is not of a later year than asked";
    if (group_of(row) != group_of(than))
        return group_of(row) < group_of(than) ? "its table goes first" : NULL;
    if (row->year != than->year)
        return (later ? row->year < than->year : row->year > than->year) ? "its year is nearer" : NULL;
    if (row->rank != than->rank)
        return row->rank < than->rank ? "its rank is lower" : NULL;
    return row->table < than->table ? "its table goes first" : NULL;
}

const struct factor_row *rows_best(const struct factor_rows *rows, const char *zone, enum factor_basis basis, int year)
{
    return rows_best_of(rows, zone, basis, year, NULL);
}

static bool is_of_set(const struct factor_row *row, const char *set)
{
    return set ? row->table == TABLE_DEFAULT && factor_set_has(set, row->source_id) : row->rank == 1;
}

const struct factor_row *rows_best_of(const struct factor_rows *rows, const char *zone, enum factor_basis basis,
                                      int year, const char *set)
{
    const struct factor_row *best = NULL;

    for (size_t i = 0; i < rows->count; i++) {
        const struct factor_row *row = &rows->items[i];
        if (is_of_set(row, set) && row->basis == basis && c_strcasecmp(row->zone, zone) == 0 &&
            (!best || better_by(row, best, year)))
            best = row;
    }
    return best;
}

static void debug_row(const struct factor_rows *rows, const struct factor_row *row, const char *what, const char *why)
{
    debug_tell(DEBUG_FACTORS, "  %s %s line %zu: %s %d %s, %g kgCO2eq/kWh, rank %d, %s%s%s", what,
               rows_table_name(rows, row), row->line, row->zone, row->year, factor_basis_name(row->basis),
               row->kgco2eq_per_kwh, row->rank, row->source_id, *why ? ": " : "", why);
}

void rows_debug(const struct factor_rows *rows, const struct factor_row *best, const char *zone,
                enum factor_basis basis, int year, const char *set)
{
    size_t others = 0;

    if (best)
        debug_row(rows, best, "takes", "");
    for (size_t i = 0; i < rows->count; i++) {
        const struct factor_row *row = &rows->items[i];
        const char *why = "";
        if (row == best || c_strcasecmp(row->zone, zone) != 0)
            continue;
        others += row->basis != basis;
        if (row->basis != basis)
            continue;
        if (!is_of_set(row, set))
            why = set ? "not of the set" : "an alternative, not of rank 1";
        else if (best)
            why = better_by(best, row, year);
        debug_row(rows, row, "leaves", why ? why : "");
    }
    if (others)
        debug_tell(DEBUG_FACTORS, "  leaves %zu rows of the other basis", others);
}

double rows_td_losses(const struct factor_rows *rows, const struct factor_row *row)
{
    if (isfinite(row->td_losses_kgco2eq_per_kwh) || strcmp(row->td_losses, "excluded") != 0)
        return row->td_losses_kgco2eq_per_kwh;
    for (size_t i = 0; i < rows->count; i++) {
        const struct factor_row *with = &rows->items[i];
        if (with->table == row->table && with->year == row->year && with->basis == row->basis &&
            strcmp(with->td_losses, "included") == 0 && strcmp(with->gases, row->gases) == 0 &&
            c_strcasecmp(with->zone, row->zone) == 0 && strcmp(with->source_id, row->source_id) == 0 &&
            with->kgco2eq_per_kwh >= row->kgco2eq_per_kwh)
            return with->kgco2eq_per_kwh - row->kgco2eq_per_kwh;
    }
    return NAN;
}

const char *rows_table_name(const struct factor_rows *rows, const struct factor_row *row)
{
    if (row->table == TABLE_DEFAULT)
        return "grid_intensity.csv";
    if (row->table == TABLE_SHARE_ALIKE)
        return "grid_intensity_odbl.csv";
    if (row->table == TABLE_RESIDUAL)
        return "residual_mix.csv";
    const char *slash = strrchr(rows->tables[row->table], '/');
    return slash ? slash + 1 : rows->tables[row->table];
}
