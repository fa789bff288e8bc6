/* SPDX-License-Identifier: MIT
 * The index of the shipped tables, as it was built: its rows are those of the CSV, all of them and by any field; of
 * other tables, or damaged, it is not used. */
#include "tree.h"
#include "unit.h"

#include "base/shipped.h"
#include "base/table_index.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char built[PATH_MAX]; /* the index; "" where this build has none */
static char tables[PATH_MAX];

struct stored {
    size_t line, count;
    char **fields;
};

struct rows {
    struct stored *items;
    size_t count;
};

static bool keep_row(const struct csv_row *row, void *context, struct error *err)
{
    struct rows *rows = context;
    struct stored *stored;

    (void)err;
    rows->items = realloc(rows->items, (rows->count + 1) * sizeof *rows->items);
    stored = &rows->items[rows->count++];
    *stored = (struct stored){ row->line, row->count, calloc(row->count, sizeof *stored->fields) };
    for (size_t i = 0; i < row->count; i++)
        stored->fields[i] = strdup(row->fields[i]);
    return true;
}

static void forget(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t k = 0; k < rows->items[i].count; k++)
            free(rows->items[i].fields[k]);
        free(rows->items[i].fields);
    }
    free(rows->items);
    *rows = (struct rows){ .count = 0 };
}

static bool same(const struct stored *a, const struct stored *b)
{
    bool same = a->line == b->line && a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->fields[i], b->fields[i]) == 0;
    return same;
}

static bool has(const struct stored *stored, const char *field)
{
    for (size_t i = 0; i + 1 < stored->count; i++)
        if (strcmp(stored->fields[i], field) == 0)
            return true;
    return false;
}

static void find_places(void)
{
    const char *source = getenv("srcdir"), *build = getenv("abs_builddir");

    snprintf(tables, sizeof tables, "%s/data/emission_factors", source ? source : ".");
    snprintf(built, sizeof built, "%s/data/emission_factors/" INDEX_NAME, build ? build : ".");
    if (access(built, R_OK) != 0)
        built[0] = '\0';
}

/* Where there is none, this test can do nothing. */
static bool has_index(void)
{
    find_places();
    if (!built[0])
        unit_skip("this build has no index");
    return built[0];
}

/* A folder of the CSV and the index, each as it is, the index last. */
static void copy(const char *from, const char *to)
{
    char command[3 * PATH_MAX];

    /* that can be written to, be the source as it may */
    snprintf(command, sizeof command, "install -m 644 '%s' '%s'", from, to);
    ck_assert_int_eq(system(command), 0);
}

static void lay_out(const struct tree *tree, const char *table, char path[PATH_MAX], char index[PATH_MAX])
{
    char from[PATH_MAX + 64];

    snprintf(from, sizeof from, "%s/%s", tables, table);
    snprintf(path, PATH_MAX, "%s/%s", tree->path, table);
    snprintf(index, PATH_MAX, "%s/" INDEX_NAME, tree->path);
    copy(from, path);
    copy(built, index);
}

/* Fields of some rows, numbers and long texts among them, and some that no row has, against all rows. */
static void compare_fields(const char *path, const char *table, const struct rows *all)
{
    static const char *const others[] = { "", "no such field", "1", "zone", "lifecycle" };
    const size_t step = all->count / 12 + 1;
    size_t asked = 0;

    for (size_t i = 1; i < all->count; i += step)
        for (size_t k = 0; k < all->items[i].count + sizeof others / sizeof others[0]; k++) {
            const size_t other = k - all->items[i].count;
            const char *field = k < all->items[i].count ? all->items[i].fields[k] : others[other];
            struct rows found = { .count = 0 };
            struct error err;
            size_t at = 0;
            ck_assert_int_eq(index_read(path, table, field, keep_row, &found, &err), INDEX_READ);
            for (size_t j = 0; j < all->count; j++)
                if (j == 0 || has(&all->items[j], field))
                    ck_assert_msg(at < found.count && same(&all->items[j], &found.items[at++]), "%s: '%s'", table,
                                  field);
            ck_assert_uint_eq(found.count, at);
            asked++;
            forget(&found);
        }
    ck_assert(asked > 10 || all->count < 2);
}

static void compare_table(const char *table)
{
    struct rows parsed = { .count = 0 }, read = { .count = 0 };
    char path[PATH_MAX], index[PATH_MAX];
    struct tree tree;
    struct error err;

    tree_open(&tree);
    lay_out(&tree, table, path, index);
    ck_assert(csv_read(path, keep_row, &parsed, &err));
    ck_assert_int_eq(index_read(path, table, NULL, keep_row, &read, &err), INDEX_READ);
    ck_assert_uint_eq(parsed.count, read.count);
    for (size_t i = 0; i < parsed.count; i++)
        ck_assert_msg(same(&parsed.items[i], &read.items[i]), "%s line %zu", table, parsed.items[i].line);
    compare_fields(path, table, &parsed);
    forget(&parsed);
    forget(&read);
    tree_close(&tree);
}

START_TEST(every_row_is_as_in_the_table)
{
    DIR *folder;
    size_t count = 0;

    if (!has_index())
        return;
    folder = opendir(tables);
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strstr(entry->d_name, ".csv")) {
            compare_table(entry->d_name);
            count++;
        }
    closedir(folder);
    ck_assert_uint_ge(count, 24);
}
END_TEST

static void set_time(const char *path, time_t s)
{
    const struct timespec times[2] = { { .tv_sec = s }, { .tv_sec = s } };

    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* The first digit of the file after its header becomes another: its size is as it was. */
static void change_a_digit(const char *path)
{
    FILE *file = fopen(path, "r+");
    int c;

    ck_assert_ptr_nonnull(file);
    while ((c = getc(file)) != '\n')
        ;
    while ((c = getc(file)) < '0' || c > '9')
        ;
    fseek(file, -1, SEEK_CUR);
    putc(c == '9' ? '1' : c + 1, file);
    fclose(file);
}

/* The table says that it is as old as the index; when it was changed tells, which clocks of file systems have by ticks.
 */
static void set_back(const char *path, const char *index)
{
    struct stat changed, made;

    do {
        set_time(path, 1000000);
        ck_assert(stat(path, &changed) == 0 && stat(index, &made) == 0);
    } while (changed.st_ctim.tv_sec == made.st_ctim.tv_sec && changed.st_ctim.tv_nsec == made.st_ctim.tv_nsec);
}

START_TEST(of_another_table_it_is_not_used)
{
    char path[PATH_MAX], index[PATH_MAX];
    struct rows rows = { .count = 0 };
    struct tree tree;
    struct error err;
    FILE *table;

    if (!has_index())
        return;
    tree_open(&tree);
    lay_out(&tree, "zones.csv", path, index);
    ck_assert_ptr_null(index_problem(path, "zones.csv"));
    set_time(index, 1000000); /* older than the table, whose bytes tell then */
    ck_assert_ptr_null(index_problem(path, "zones.csv"));
    change_a_digit(path);
    ck_assert_str_eq(index_problem(path, "zones.csv"), "the index is not of this table as it is now");
    set_back(path, index);
    ck_assert_str_eq(index_problem(path, "zones.csv"), "the index is not of this table as it is now");
    ck_assert_int_eq(index_read(path, "zones.csv", "FR", keep_row, &rows, &err), INDEX_NONE);
    ck_assert_uint_eq(rows.count, 0);
    copy(built, index);
    table = fopen(path, "a");
    fputs("XX,Nowhere,country,,,0,0,\n", table);
    fclose(table);
    copy(built, index); /* it is the newer one; the size tells */
    ck_assert_str_eq(index_problem(path, "zones.csv"), "the index is not of this table as it is now");
    strcpy(strstr(path, "zones.csv"), "other.csv");
    ck_assert_str_eq(index_problem(path, "other.csv"), "the index has no such table");
    tree_close(&tree);
}
END_TEST

static size_t load(char **bytes)
{
    FILE *file = fopen(built, "rb");
    struct stat status;

    ck_assert(file && fstat(fileno(file), &status) == 0);
    *bytes = malloc((size_t)status.st_size);
    ck_assert_uint_eq(fread(*bytes, 1, (size_t)status.st_size, file), (size_t)status.st_size);
    fclose(file);
    return (size_t)status.st_size;
}

static bool look(const struct csv_row *row, void *context, struct error *err)
{
    (void)err;
    for (size_t i = 0; i < row->count; i++)
        *(size_t *)context += strlen(row->fields[i]);
    return true;
}

/* Every byte of the directory of tables damaged in turn, and some elsewhere. */
START_TEST(a_damaged_one_is_told_or_not_used)
{
    size_t size, seen = 0, failed = 0;
    struct error err;
    char *bytes;

    if (!has_index())
        return;
    size = load(&bytes);
    ck_assert_int_eq(index_read_bytes(bytes, size, "zones.csv", "zones.csv", "FR", look, &seen, &err), INDEX_READ);
    for (size_t i = 0; i < size; i += i < 2000 ? 1 : 90001) {
        const char was = bytes[i];
        for (int turn = 0; turn < 2; turn++) {
            bytes[i] = (char)(turn ? 0xff : was ^ 0x55);
            err.kind = ERROR_NONE;
            const enum index_answer answer =
                index_read_bytes(bytes, size, "zones.csv", "zones.csv", turn ? "FR" : NULL, look, &seen, &err);
            failed += answer == INDEX_FAILED;
            ck_assert(answer != INDEX_FAILED || (err.kind == ERROR_BAD_DATA && *err.fix));
        }
        bytes[i] = was;
    }
    ck_assert(failed > 0);
    for (size_t length = 0; length < size; length += length < 100 ? 1 : 300007)
        ck_assert_int_eq(index_read_bytes(bytes, length, "zones.csv", "zones.csv", "FR", look, &seen, &err),
                         INDEX_NONE);
    free(bytes);
}
END_TEST

UNIT_SUITE("table_index", every_row_is_as_in_the_table, of_another_table_it_is_not_used,
           a_damaged_one_is_told_or_not_used)
