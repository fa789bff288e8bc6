/* SPDX-License-Identifier: MIT
 * Rows of the factor tables: the user's own, those under share-alike/, and the default ones. Used in app, emissions and
 * 4 commands. Begin with rows_close(). */
#ifndef EMISSIONS_FACTOR_TABLE_H
#define EMISSIONS_FACTOR_TABLE_H

#include "emissions/factor.h"
#include "emissions/zones.h"

/* More than any plant emits; a figure above it is in another unit. */
#define MAX_KGCO2EQ_PER_KWH 10.0

enum {
    TABLES_MAX = 64,
    TABLE_SHARE_ALIKE = TABLES_MAX, /* after all of the user's own */
    TABLE_DEFAULT,
    TABLE_RESIDUAL, /* market-based; never among the others where a factor is looked up */
};

struct factor_row {
    double kgco2eq_per_kwh;
    enum factor_basis basis;
    int year;
    double td_losses_kgco2eq_per_kwh, upstream_kgco2eq_per_kwh; /* NAN where the table does not say */
    int rank;                                                   /* 1: the one to use; others are alternatives */
    size_t table; /* a number of the user's own, or one of the two above */
    size_t line;
    const char *scope, *td_losses, *method, *gases; /* "" where not said */
    char zone[ZONE_SIZE];
    char zone_name[ZONE_NAME_SIZE];
    char source_id[48];
    char notes[160];
    char retrieved[11]; /* the day it was taken from its source, "2026-01-20"; "" where the table does not say */
};

struct factor_rows {
    struct factor_row *items;
    size_t count, size;
    char *tables[TABLES_MAX]; /* paths of the user's own */
    size_t table_count;
};

void rows_close(struct factor_rows *rows);

/* Keeps a copy of the row; path is for the message without memory. */
bool rows_add(struct factor_rows *rows, const struct factor_row *row, const char *path, struct error *err) MUST_CHECK;

/* Adds the rows of one file. */
bool table_read(struct factor_rows *rows, size_t table, const char *path, struct error *err) MUST_CHECK;

/* The same of one of carbon's own tables, which `make check` has read in full: with a zone (its code exactly) only its
 * rows are looked at. */
bool table_read_shipped(struct factor_rows *rows, size_t table, const char *name, const char *zone,
                        struct error *err) MUST_CHECK;

/* All rows of the user's tables: files, and folders of which every *.csv is read in the order of
 * their names. Read strictly; the same key twice in one table is a fault. paths may be NULL. */
bool rows_add_own(struct factor_rows *rows, const char *const *paths, struct error *err) MUST_CHECK;

/* The rows of one zone (its code exactly; NULL: of all) in the tables that carbon ships. */
bool rows_add_shipped(struct factor_rows *rows, const char *zone, bool share_alike, struct error *err) MUST_CHECK;

/* The residual mixes of one zone, all years: method "market". A zone where all electricity is disclosed has none. */
bool rows_add_residual(struct factor_rows *rows, const char *zone, struct error *err) MUST_CHECK;

/* The row of rank 1 for this zone, basis and year. The user's own tables go before share-alike/, and
 * that before the default; the first that has the year or an earlier one gives the nearest such
 * year. Where all years are later, the first that has one gives its nearest. NULL: no row. */
const struct factor_row *rows_best(const struct factor_rows *rows, const char *zone, enum factor_basis basis, int year);

/* The same of an official set, whatever the rank, in the tables that carbon ships; NULL set: as rows_best. */
const struct factor_row *rows_best_of(const struct factor_rows *rows, const char *zone, enum factor_basis basis,
                                      int year, const char *set);

/* The same as debug messages: the row used (NULL: none), and each row of the zone that was not, with the
 * reason why the one that was taken goes before it. */
void rows_debug(const struct factor_rows *rows, const struct factor_row *best, const char *zone,
                enum factor_basis basis, int year, const char *set);

/* What the grid's losses add to a row that leaves them out: of its own columns, or by the row of the same zone, year,
 * basis and source that has them in it. NAN: no table says. */
double rows_td_losses(const struct factor_rows *rows, const struct factor_row *row);

/* Of two years the latest up to the one that is wanted; where both are later, the earlier. */
static inline bool year_goes_before(int year, int than, int wanted)
{
    if ((year > wanted) != (than > wanted))
        return year <= wanted;
    return year > wanted ? year < than : year > than;
}

/* The file's name without its folder. */
const char *rows_table_name(const struct factor_rows *rows, const struct factor_row *row);

/* What sources.csv says about a source. */
struct source {
    char title[160];
    char publisher[96];
    char year[8];
    char licence[128];
    char url[256];
};

/* Of an id, or of several that are joined by |. found is false where it is not there (a user's own). */
bool source_find(const char *id, struct source *source, bool *found, struct error *err) MUST_CHECK;

/* What a user means by the name of a zone. */
struct zone_meant {
    char code[ZONE_SIZE];
    char cloud_region[REGION_SIZE]; /* "aws:eu-west-3" where one was named; "" */
    char grid_zone[ZONE_SIZE];      /* "EM:SE-SE3" where a bidding zone was named; "" */
    bool part;                      /* "Scotland": a part of the zone was named, which a service may know */
};

/* ERROR_USAGE with near names if it is unknown. A notice says how it was understood, if that is not obvious.
 */
bool zone_resolve(const char *text, const struct factor_rows *own, const struct zones *zones, bool share_alike,
                  struct zone_meant *meant, struct notices *notices, struct error *err) MUST_CHECK;

#endif
