/* SPDX-License-Identifier: MIT
 * base/csv: what RFC 4180 allows is read, what it does not is refused with line and column. */
#include "base/csv.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 64 };

/* Every row as "LINE|field|field". */
struct seen {
    char rows[ROWS][256];
    size_t count;
    size_t stop_after; /* 0: never */
};

static bool see(const struct csv_row *row, void *context, struct error *err)
{
    struct seen *seen = context;
    size_t used;

    if (seen->stop_after && seen->count == seen->stop_after)
        return error_set(err, ERROR_USAGE, "enough");
    ck_assert_uint_lt(seen->count, ROWS);
    char *text = seen->rows[seen->count++];
    used = (size_t)snprintf(text, sizeof seen->rows[0], "%zu", row->line);
    for (size_t i = 0; i < row->count && used < sizeof seen->rows[0]; i++)
        used += (size_t)snprintf(text + used, sizeof seen->rows[0] - used, "|%s", row->fields[i]);
    return true;
}

static char written_path[64];

static const char *write_bytes(const char *bytes, size_t length)
{
    FILE *file;
    int fd;

    strcpy(written_path, "/tmp/carbon-test-csv.XXXXXX");
    fd = mkstemp(written_path);
    ck_assert_int_ge(fd, 0);
    file = fdopen(fd, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    return written_path;
}

static bool read_bytes(const char *bytes, size_t length, const char *needle, struct seen *seen, struct error *err)
{
    const char *path = write_bytes(bytes, length);
    bool read;

    *err = (struct error){ 0 };
    seen->count = 0;
    read = needle ? csv_read_lines_with(path, needle, see, seen, err) : csv_read(path, see, seen, err);
    unlink(path);
    return read;
}

static bool read_together(const char *bytes, size_t length, const char *needle, struct seen *seen, struct error *err)
{
    const char *path = write_bytes(bytes, length);
    bool read;

    *err = (struct error){ 0 };
    seen->count = 0;
    read = csv_read_lines_together(path, needle, see, seen, err);
    unlink(path);
    return read;
}

/* What was read. */
static struct seen seen;
static struct error err;

static bool read_text(const char *text)
{
    return read_bytes(text, strlen(text), NULL, &seen, &err);
}

/* The error names the file and ends with this place and reason. */
static void check_fault(const char *text, const char *place, const char *why)
{
    char what[256];

    ck_assert_msg(!read_text(text), "was read: %s", text);
    snprintf(what, sizeof what, "'%s' %s is malformed", written_path, place);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, why);
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
}

static void check_rows(const char *header, const char *first, const char *second)
{
    ck_assert_uint_eq(seen.count, 3);
    ck_assert_str_eq(seen.rows[0], header);
    ck_assert_str_eq(seen.rows[1], first);
    ck_assert_str_eq(seen.rows[2], second);
}

START_TEST(rows_are_read_with_their_lines)
{
    ck_assert(read_text("a,b,c\n1,,3\n\n4,5,6"));
    check_rows("1|a|b|c", "2|1||3", "4|4|5|6");
}
END_TEST

START_TEST(carriage_returns_and_a_byte_order_mark_are_no_content)
{
    ck_assert(read_text("\xEF\xBB\xBF"
                        "a,b\r\n1,2\r\n\r\n3,4\r\n"));
    check_rows("1|a|b", "2|1|2", "4|3|4");
}
END_TEST

START_TEST(quotes_hold_commas_quotes_and_line_breaks)
{
    ck_assert(read_text("a,b\n\"x, y\",\"say \"\"no\"\"\"\n\"two\nlines\",\"\"\nlast,1\n"));
    ck_assert_uint_eq(seen.count, 4);
    ck_assert_str_eq(seen.rows[1], "2|x, y|say \"no\"");
    ck_assert_str_eq(seen.rows[2], "3|two\nlines|");
    ck_assert_str_eq(seen.rows[3], "5|last|1");
}
END_TEST

START_TEST(a_record_of_another_length_is_refused)
{
    check_fault("a,b,c\n1,2,3\n1,2\n", "line 3, column 3", "the header has 3 columns, this record 2");
    check_fault("a,b\n1,2,3\n", "line 2, column 3", "the header has 2 columns, this record 3");
}
END_TEST

START_TEST(quotes_out_of_place_are_refused)
{
    check_fault("a,b\n1,x\"y\n", "line 2, column 2", "quotes belong round the whole field, and are doubled inside it");
    check_fault("a,b\n\"x\"y,2\n", "line 2, column 1",
                "quotes belong round the whole field, and are doubled inside it");
    check_fault("a,b\n1,2\n3,\"open\n5,6\n", "line 3, column 2", "the quotes that open here are never closed");
}
END_TEST

START_TEST(a_file_without_a_header_is_refused)
{
    static const char *const without[] = { "", "\n\r\n  \n", "\xEF\xBB\xBF" };

    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        check_fault(without[i], "line 1, column 1", "the file has no header row");
    check_fault("a,b,a\n", "line 1, column 3 (a)", "two columns have this name");
}
END_TEST

START_TEST(what_is_no_text_or_no_table_is_refused)
{
    static char many[CSV_MAX_COLUMNS * 2 + 2], long_line[40000], long_field[20000];

    ck_assert(!read_bytes("a,b\n1,\0\n", 8, NULL, &seen, &err));
    ck_assert_str_eq(err.why, "the field has a NUL byte: not a text file");
    ck_assert_ptr_nonnull(strstr(err.what, "line 2, column 2"));

    memset(many, ',', sizeof many - 2);
    ck_assert(!read_text(many));
    ck_assert_str_eq(err.why, "a table may have 256 columns at most");

    memset(long_line, 'x', sizeof long_line - 1);
    ck_assert(!read_text(long_line));
    ck_assert_str_eq(err.why, "the line is longer than 32 KiB: not a table");

    memset(long_field, 'x', sizeof long_field - 1);
    ck_assert(!read_text(long_field));
    ck_assert_str_eq(err.why, "the record is longer than 16 KiB; is a quote missing?");
}
END_TEST

START_TEST(what_cannot_be_opened_is_told_apart)
{
    ck_assert(!csv_read("/nonexistent/table.csv", see, &seen, &err));
    ck_assert_int_eq(err.kind, ERROR_ABSENT);
    ck_assert_str_eq(err.what, "cannot read '/nonexistent/table.csv'");
    ck_assert(!csv_read("/tmp", see, &seen, &err));
    ck_assert_int_eq(err.kind, ERROR_SYSTEM);
    ck_assert_str_eq(err.what, "cannot read '/tmp'");
}
END_TEST

START_TEST(the_reader_may_stop)
{
    seen.stop_after = 2;

    ck_assert(!read_text("a\n1\n2\n3\n"));
    ck_assert_uint_eq(seen.count, 2);
    ck_assert_str_eq(err.what, "enough");
}
END_TEST

START_TEST(a_needle_selects_lines)
{
    static const char table[] = "zone,v\nAA,1\nBB,2\nCBB,3\nAA,4\nBB,5";

    ck_assert(read_bytes(table, sizeof table - 1, "BB,", &seen, &err));
    ck_assert_uint_eq(seen.count, 4);
    ck_assert_str_eq(seen.rows[0], "1|zone|v");
    ck_assert_str_eq(seen.rows[1], "3|BB|2");
    ck_assert_str_eq(seen.rows[2], "4|CBB|3");
    ck_assert_str_eq(seen.rows[3], "6|BB|5");
    ck_assert(read_bytes(table, sizeof table - 1, "none", &seen, &err));
    ck_assert_uint_eq(seen.count, 1);
    ck_assert(read_bytes(table, sizeof table - 1, "AA,1", &seen, &err));
    ck_assert_uint_eq(seen.count, 2);
    ck_assert_str_eq(seen.rows[1], "2|AA|1");
}
END_TEST

/* Wherever the lines stand, also across pieces, all are read; what comes after the piece in which they end is not. */
START_TEST(lines_that_stand_together_end_the_reading)
{
    enum { LINES = 16000, WANTED = 5, PIECE = 32768 };
    static char table[LINES * 24];

    for (int first = 2; first <= LINES - WANTED; first += first % 2 ? 1 : 331) {
        size_t used = (size_t)sprintf(table, "key,number\n"), end = 0;
        for (int line = 2; line <= LINES; line++) {
            const bool wanted = line >= first && line < first + WANTED;
            used += (size_t)sprintf(table + used, wanted ? "BB,%d\n" : "AA,%d\n", line);
            end = wanted ? used : end;
        }
        used += (size_t)sprintf(table + used, "a field too many with BB,,,\n");
        ck_assert_uint_gt(used, 3 * PIECE);
        /* the fault is read where it stands in the piece in which the lines end, or the one after */
        if (end + 2 * PIECE < used) {
            ck_assert_msg(read_together(table, used, "BB,", &seen, &err), "%d: %s", first, err.what);
            ck_assert_uint_eq(seen.count, 1 + WANTED);
            for (int i = 0; i < WANTED; i++) {
                char expected[64];
                sprintf(expected, "%d|BB|%d", first + i, first + i);
                ck_assert_str_eq(seen.rows[1 + i], expected);
            }
        }
        ck_assert(!read_bytes(table, used, "BB,", &seen, &err));
    }
}
END_TEST

/* Larger than what is read at once, so that lines lie across pieces. */
START_TEST(a_needle_finds_the_same_rows_as_reading_all)
{
    enum { LINES = 12000, FOUND = 12 };
    static char table[LINES * 24];
    char expected[64];
    size_t used = (size_t)sprintf(table, "key,number\r\n");
    size_t found = 0;

    for (int line = 2; line <= LINES; line++)
        used += (size_t)sprintf(table + used, "k%d,%d\r\n", line % 1000, line);
    ck_assert_uint_gt(used, 3 * 32768);
    ck_assert(read_bytes(table, used, "k777,", &seen, &err));
    for (int line = 777; line <= LINES; line += 1000) {
        snprintf(expected, sizeof expected, "%d|k777|%d", line, line);
        ck_assert_str_eq(seen.rows[++found], expected);
    }
    ck_assert_uint_eq(seen.count, found + 1);
    ck_assert_uint_eq(found, FOUND);
}
END_TEST

START_TEST(faults_are_found_in_selected_lines)
{
    ck_assert(!read_bytes("a,b\nx,1\ny,1,2\n", 14, "y,", &seen, &err));
    ck_assert_ptr_nonnull(strstr(err.what, "line 3, column 3"));
    ck_assert(!read_bytes("a,b\nx,1\ny,\"1\n", 13, "y,", &seen, &err));
    ck_assert_str_eq(err.why, "the quotes that open here are never closed");
}
END_TEST

START_TEST(columns_are_found_by_name)
{
    const struct csv_row header = { .path = "t.csv", .line = 1, .count = 2, .fields = { "zone", "year" } };
    const struct csv_row row = { .path = "t.csv", .line = 7, .count = 2, .fields = { "FR", "x" } };

    ck_assert_int_eq(csv_column(&header, "zone"), 0);
    ck_assert_int_eq(csv_column(&header, "year"), 1);
    ck_assert_int_eq(csv_column(&header, "yea"), -1);
    ck_assert(!csv_bad_field(&row, 1, "year", &err, "'%s' is not a year", "x"));
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_str_eq(err.what, "'t.csv' line 7, column 2 (year) is malformed");
    ck_assert_str_eq(err.why, "'x' is not a year");
}
END_TEST

START_TEST(what_is_written_reads_back)
{
    static const char *const fields[] = {
        "plain", "", "with, comma", "say \"no\"", "two\nlines", " blank ends ", "crlf\r\n", "ü",
    };
    enum { COUNT = sizeof fields / sizeof fields[0] };
    char *text = NULL, expected[256] = "2";
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    fputs("1,2,3,4,5,6,7,8\r\n", out);
    for (size_t i = 0; i < COUNT; i++) {
        fputs(i ? "," : "", out);
        csv_write_field(out, fields[i]);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "|%s", fields[i]);
    }
    fputs("\r\n", out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_ptr_nonnull(strstr(text, "plain,,\"with, comma\",\"say \"\"no\"\"\","));
    ck_assert(read_text(text));
    ck_assert_uint_eq(seen.count, 2);
    ck_assert_str_eq(seen.rows[1], expected);
    free(text);
}
END_TEST

UNIT_SUITE("csv", rows_are_read_with_their_lines, carriage_returns_and_a_byte_order_mark_are_no_content,
           quotes_hold_commas_quotes_and_line_breaks, a_record_of_another_length_is_refused,
           quotes_out_of_place_are_refused, a_file_without_a_header_is_refused, what_is_no_text_or_no_table_is_refused,
           what_cannot_be_opened_is_told_apart, the_reader_may_stop, a_needle_selects_lines,
           lines_that_stand_together_end_the_reading, a_needle_finds_the_same_rows_as_reading_all,
           faults_are_found_in_selected_lines, columns_are_found_by_name, what_is_written_reads_back)
