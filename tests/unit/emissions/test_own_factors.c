/* SPDX-License-Identifier: MIT
 * emissions: factor tables of the user's own. */
#include "answer.h"
#include "unit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define HEADER "zone,year,kgco2eq_per_kwh,basis,source_id\n"

enum { TABLES = 16 };

/* Where the tables of a test are, until remove_tables. */
static char folder[64];

static const char *write_table(const char *name, const char *text)
{
    static char paths[TABLES][128];
    static size_t count;
    FILE *file;

    if (!*folder) {
        strcpy(folder, "/tmp/carbon-test-factors.XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
    }
    ck_assert_uint_lt(count, TABLES);
    char *path = paths[count++];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void remove_tables(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    *folder = '\0';
}

static struct answer ask_own(const char *zone, int year, enum factor_basis basis, const char *table, const char *other)
{
    const char *const tables[] = { table, other, NULL };

    return ask_query(
        &(struct factor_query){ .zone = zone, .year = year, .basis = basis, .intensity = NAN, .tables = tables });
}

/* This table has the lifecycle figure of that zone and year. */
static struct answer check_own(const char *table, const char *zone, int year, double kgco2eq_per_kwh)
{
    const struct answer answer = ask_own(zone, year, FACTOR_LIFECYCLE, table, NULL);

    check_factor(&answer, zone, year, kgco2eq_per_kwh);
    return answer;
}

/* The table is refused, and the error names the file and this place. */
static void check_refused(const char *text, const char *place, const char *why)
{
    const char *path = write_table("bad.csv", text);
    const struct answer answer = ask_own("FR", 2024, FACTOR_LIFECYCLE, path, NULL);
    char what[256];

    remove_tables();
    snprintf(what, sizeof what, "'%s' %s", path, place);
    ck_assert_msg(!answer.found, "was read: %s", text);
    ck_assert_int_eq(answer.err.kind, ERROR_BAD_DATA);
    ck_assert_str_eq(answer.err.what, what);
    ck_assert_str_eq(answer.err.why, why);
}

START_TEST(ones_own_table_goes_first)
{
    const char *own = write_table("own.csv", "\xEF\xBB\xBFzone,year,kgco2eq_per_kwh,basis,source_id,price\r\n"
                                             "FR,2023,0.021,lifecycle,our contract,0.2\r\n"
                                             "HALL-3,2026,0.35,direct,own generator,0.3\r\n");
    struct answer answer = ask_own("France", 2024, FACTOR_LIFECYCLE, own, NULL);

    check_factor(&answer, "FR", 2023, 0.021);
    ck_assert_str_eq(answer.factor.source, "our contract");
    ck_assert_str_eq(answer.factor.licence, "");
    ck_assert_str_eq(answer.factor.table, "own.csv");
    ck_assert_str_eq(answer.factor.gases, "");
    check_one_notice(&answer, "no lifecycle factor of 2024 for FR (France); using 2023");
    answer = ask_own("hall-3", 2026, FACTOR_DIRECT, own, NULL);
    check_factor(&answer, "HALL-3", 2026, 0.35);
    ck_assert_uint_eq(answer.notices.count, 0);
    /* its years are all later: carbon's own table has an earlier one */
    answer = check_own(own, "FR", 2022, 0.07854);
    answer = ask_own("HALL-3", 2026, FACTOR_LIFECYCLE, own, NULL);
    ck_assert_str_eq(answer.err.what, "no lifecycle factor for HALL-3");
    answer = ask_own("HALL-4", 2026, FACTOR_LIFECYCLE, own, NULL);
    ck_assert_str_eq(answer.err.fix, "carbon factors HALL-3");
    ck_assert_str_eq(
        answer.err.why,
        "not in zones.csv, zone_aliases.csv or cloud_regions.csv, nor in your tables; did you mean 'HALL-3'?");
}
END_TEST

/* The day on which a figure was taken from its source is its table's to say, row by row. */
START_TEST(the_day_of_retrieval_comes_through)
{
    const char *own = write_table("own.csv", "zone,year,kgco2eq_per_kwh,basis,source_id,retrieved\n"
                                             "FR,2023,0.021,lifecycle,our contract,2024-02-29\n"
                                             "FR,2024,0.022,lifecycle,UK_DESNZ_2023,\n");
    struct answer answer = check_own(own, "FR", 2023, 0.021);

    ck_assert_str_eq(answer.factor.retrieved_at, "2024-02-29");
    ck_assert_str_eq(answer.factor.version, "");
    answer = check_own(own, "FR", 2024, 0.022);
    ck_assert_str_eq(answer.factor.retrieved_at, "");
    ck_assert_str_eq(answer.factor.version, "2023");
    answer = check_own(own, "FR", 2022, 0.07854);
    ck_assert_str_eq(answer.factor.retrieved_at, "");
    ck_assert_str_ne(answer.factor.version, "");
}
END_TEST

START_TEST(a_folder_of_tables_is_one)
{
    struct answer answer;

    write_table("b-2024.csv", HEADER "FR,2024,0.024,lifecycle,b\nDE,2024,0.3,lifecycle,b\n");
    write_table("a-2023.csv", HEADER "FR,2023,0.023,lifecycle,a\nDE,2024,0.4,lifecycle,a\n");
    write_table("notes.txt", "not a table\n");
    answer = check_own(folder, "FR", 2024, 0.024);
    answer = check_own(folder, "FR", 2023, 0.023);
    answer = check_own(folder, "DE", 2024, 0.4);
    remove_tables();
    answer = ask_own("FR", 2024, FACTOR_LIFECYCLE, "/nonexistent", NULL);
    ck_assert_int_eq(answer.err.kind, ERROR_ABSENT);
    ck_assert_str_eq(answer.err.what, "cannot read '/nonexistent'");
}
END_TEST

START_TEST(a_folder_without_tables_is_refused)
{
    struct answer answer;

    write_table("notes.txt", "not a table\n");
    answer = ask_own("FR", 2024, FACTOR_LIFECYCLE, folder, NULL);
    ck_assert_int_eq(answer.err.kind, ERROR_USAGE);
    ck_assert_str_eq(answer.err.why, "no file in it ends in .csv");
}
END_TEST

START_TEST(alternatives_are_not_used_by_themselves)
{
    const char *own = write_table("own.csv", "zone,year,kgco2eq_per_kwh,basis,source_id,rank\n"
                                             "FR,2024,0.9,lifecycle,a,2\nFR,2024,0.021,lifecycle,b,1\n"
                                             "DE,2024,0.9,lifecycle,a,2\n");
    check_own(own, "FR", 2024, 0.021);
    check_own(own, "DE", 2024, 0.33638);
}
END_TEST

START_TEST(a_bad_value_is_refused_with_its_place)
{
    check_refused(HEADER "FR,2024,0.05,lifecycle,a\nFR,2025,abc,lifecycle,a\n",
                  "line 3, column 3 (kgco2eq_per_kwh) is malformed", "'abc' is not a number");
    check_refused(HEADER "FR,2025,,lifecycle,a\n", "line 2, column 3 (kgco2eq_per_kwh) is malformed",
                  "'' is not a number");
    check_refused(HEADER "FR,2025,nan,lifecycle,a\n", "line 2, column 3 (kgco2eq_per_kwh) is malformed",
                  "'nan' is not a number");
    check_refused(HEADER "FR,2025,-0.1,lifecycle,a\n", "line 2, column 3 (kgco2eq_per_kwh) is malformed",
                  "'-0.1' is negative");
    check_refused(HEADER "FR,2025,56,lifecycle,a\n", "line 2, column 3 (kgco2eq_per_kwh) is malformed",
                  "'56' is more than any plant emits; is it in g rather than kg?");
    check_refused(HEADER "FR,25,0.05,lifecycle,a\n", "line 2, column 2 (year) is malformed", "'25' is not a year");
    check_refused(HEADER "FR,2025,0.05,life,a\n", "line 2, column 4 (basis) is malformed",
                  "'life' is neither 'lifecycle' nor 'direct'");
    check_refused(HEADER ",2025,0.05,direct,a\n", "line 2, column 1 (zone) is malformed",
                  "'' is not a zone; a code has only letters, digits and : - _ .");
    check_refused(HEADER "FR,2025,0.05,direct,\n", "line 2, column 5 (source_id) is malformed",
                  "'' says nothing: every figure needs a source");
    check_refused("zone,year,kgco2eq_per_kwh,basis,source_id,scope\nFR,2025,0.05,direct,a,all\n",
                  "line 2, column 6 (scope) is malformed", "'all' is neither 'production' nor 'consumption'");
    check_refused("zone,year,kgco2eq_per_kwh,basis,source_id,rank\nFR,2025,0.05,direct,a,0\n",
                  "line 2, column 6 (rank) is malformed", "'0' is not a rank; 1 is the figure to use");
    check_refused("zone,year,kgco2eq_per_kwh,basis,source_id,retrieved\nFR,2025,0.05,direct,a,2025-02-29\n",
                  "line 2, column 6 (retrieved) is malformed", "'2025-02-29' is not a day; write it as 2026-01-20");
    check_refused("zone,year,kgco2eq_per_kwh,basis,source_id,retrieved\nFR,2025,0.05,direct,a,2025-01-20T10:00Z\n",
                  "line 2, column 6 (retrieved) is malformed", "'2025-01-20T10:00Z' is not a day; write it as 2026-01-20");
}
END_TEST

START_TEST(a_bad_form_is_refused_with_its_place)
{
    check_refused("zone,year,kgco2eq_per_kwh,source_id\nFR,2024,0.05,a\n", "line 1 has no column 'basis'",
                  "a table of factors needs zone, year, kgco2eq_per_kwh, basis and source_id");
    check_refused(HEADER "FR,2024,0.05,lifecycle\n", "line 2, column 5 is malformed",
                  "the header has 5 columns, this record 4");
    check_refused(HEADER "FR,2024,0.05,lifecycle,\"a\n", "line 2, column 5 is malformed",
                  "the quotes that open here are never closed");
    check_refused("", "line 1, column 1 is malformed", "the file has no header row");
    check_refused(HEADER "FR,2024,0.05,lifecycle,a\nDE,2024,0.3,lifecycle,a\nfr,2024,0.06,lifecycle,b\n",
                  "line 4 repeats line 2",
                  "both are for fr, 2024, lifecycle, rank 1: columns zone, year, basis and rank");
}
END_TEST

/* Strict with every row, not with those that are looked at. */
START_TEST(a_fault_elsewhere_in_the_table_is_told)
{
    const char *good = write_table("good.csv", HEADER "FR,2024,0.05,lifecycle,a\n");
    const char *bad = write_table("later.csv", HEADER "DE,2024,0.05,lifecycle,a\nSE,2024,x,lifecycle,a\n");
    const struct answer answer = ask_own("FR", 2024, FACTOR_LIFECYCLE, good, bad);

    remove_tables();
    ck_assert(!answer.found);
    ck_assert_ptr_nonnull(strstr(answer.err.what, "later.csv' line 3, column 3 (kgco2eq_per_kwh)"));
}
END_TEST

UNIT_SUITE_IN("own_factors", NULL, remove_tables, ones_own_table_goes_first, the_day_of_retrieval_comes_through,
              a_folder_of_tables_is_one, a_folder_without_tables_is_refused, alternatives_are_not_used_by_themselves,
              a_bad_value_is_refused_with_its_place, a_bad_form_is_refused_with_its_place,
              a_fault_elsewhere_in_the_table_is_told)
