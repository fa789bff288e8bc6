/* SPDX-License-Identifier: MIT
 * Folding lines that are wider than the terminal. */
#include "form/fit.h"

#include "form/text_columns.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_COLUMNS = 400, /* the widest line that can be a row */
    MAX_LABEL = 24,    /* columns of a sentence's label: "  note: ", "  gross  " */
    MIN_CELLS = 3,     /* a row has these; a line of fewer is a sentence with its label */
    HANGING = 4,       /* the smallest indentation of a row's rest */
};

struct line {
    const char *text;
    size_t length;
    int columns;
};

/* What is blank in each row of a table. */
struct blanks {
    bool at[MAX_COLUMNS];
};

static struct line line_of(const char *text, const char *end)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    struct line line = { .text = text, .length = (size_t)((stop ? stop : end) - text) };
    size_t bytes;

    line.columns = text_fitting(text, line.length, MAX_COLUMNS * 4, &bytes);
    return line;
}

/* Bytes of the first columns of a line; colours after them belong to the rest. */
static size_t bytes_of(const struct line *line, int columns)
{
    size_t bytes;

    text_fitting(line->text, line->length, columns, &bytes);
    return bytes;
}

static bool is_blank_at(const struct line *line, int column)
{
    const size_t at = bytes_of(line, column);

    return at >= line->length || line->text[at] == ' ';
}

/* Where its first word begins. */
static int begin_of(const struct line *line)
{
    int column = 0;

    while (column < line->columns && is_blank_at(line, column))
        column++;
    return column;
}

/* Cells with two blanks or more before them. */
static int cells_of(const struct line *line)
{
    int cells = 0, blanks = 2;

    for (int column = 0; column < line->columns; column++) {
        const bool blank = is_blank_at(line, column);
        if (!blank && blanks >= 2)
            cells++;
        blanks = blank ? blanks + 1 : 0;
    }
    return cells;
}

/* The last place up to width that is blank in each row, with this number of blanks before it; 0: there is none. */
static int cut_of(const struct blanks *blanks, int min, int width, int gap)
{
    for (int column = width; column > min; column--) {
        int before = 0;
        while (before < gap && column - 1 - before >= 0 && blanks->at[column - 1 - before])
            before++;
        if (before == gap)
            return column;
    }
    return 0;
}

/* Where rows are cut; 0: there is no such place. */
static int row_cut_of(const struct blanks *blanks, int width)
{
    const int cut = cut_of(blanks, width / 2, width, 2);

    return cut ? cut : cut_of(blanks, width / 3, width, 1);
}

/* A line of few cells is a row, too, where it stands among rows and changes nothing. */
static bool add_row(struct blanks *blanks, const struct line *line, int rows, int width)
{
    const bool few = cells_of(line) < MIN_CELLS;
    struct blanks with = *blanks;
    int cut;

    if (!line->length || line->columns >= MAX_COLUMNS || (few && rows < 2))
        return false;
    for (int column = 0; column < line->columns; column++)
        with.at[column] = with.at[column] && is_blank_at(line, column);
    cut = row_cut_of(&with, width);
    if (!cut || (few && cut != row_cut_of(blanks, width)))
        return false;
    *blanks = with;
    return true;
}

static void write_trimmed(FILE *out, const char *text, size_t length)
{
    while (length && text[length - 1] == ' ')
        length--;
    fwrite(text, 1, length, out);
    fputc('\n', out);
}

/* A row from this column on, at `indent`, cut again where it is still too wide. */
static void write_rest(FILE *out, const struct line *line, const struct blanks *blanks, int from, int indent, int width)
{
    while (from < line->columns) {
        const int room = width - indent;
        int to = line->columns;
        size_t begin, end;

        while (from < MAX_COLUMNS && blanks->at[from])
            from++;
        if (to - from > room) {
            to = cut_of(blanks, from, from + room < MAX_COLUMNS ? from + room : MAX_COLUMNS - 1, 1);
            to = to ? to : from + room;
        }
        begin = bytes_of(line, from);
        end = to >= line->columns ? line->length : bytes_of(line, to);
        if (end > begin && strspn(line->text + begin, " ") < end - begin) {
            fprintf(out, "%*s", indent, "");
            write_trimmed(out, line->text + begin, end - begin);
        }
        from = to;
    }
}

/* A row's rest stands below the first cell, if it has room there. */
static int indent_of(const struct blanks *blanks, int cut, int columns, int width)
{
    int first = 0, indent;

    while (first < cut && blanks->at[first])
        first++;
    while (first < cut && !(blanks->at[first] && blanks->at[first + 1]))
        first++;
    indent = width - (columns - cut);
    indent = indent < first + 2 ? indent : first + 2;
    return indent < HANGING ? HANGING : indent;
}

static void write_rows(FILE *out, const char *text, const char *end, const struct blanks *blanks, int columns,
                       int width)
{
    const int cut = row_cut_of(blanks, width), indent = indent_of(blanks, cut, columns, width);

    while (text < end) {
        const struct line line = line_of(text, end);
        write_trimmed(out, line.text, bytes_of(&line, cut));
        write_rest(out, &line, blanks, cut, indent, width);
        text += line.length + 1;
    }
}

/* Where a sentence goes on: below what follows its label. */
static int hanging_of(const struct line *line)
{
    const int begin = begin_of(line);
    bool colon = false, blank = false;

    for (int column = begin; column < line->columns && column <= begin + MAX_LABEL; column++) {
        const bool now = is_blank_at(line, column);
        if (!now && blank && (colon || is_blank_at(line, column - 2)))
            return column;
        if (!now)
            colon = line->text[bytes_of(line, column)] == ':';
        blank = now;
    }
    return begin + 2;
}

static void write_sentence(FILE *out, const struct line *whole, int width)
{
    struct line line = *whole;
    int indent = 0, hanging = hanging_of(whole);

    hanging = hanging > width / 2 ? HANGING : hanging;
    while (indent + line.columns > width) {
        int cut = width - indent;

        while (cut > 0 && !is_blank_at(&line, cut))
            cut--;
        if (cut <= begin_of(&line)) /* one word, however long */
            for (cut = begin_of(&line); cut < line.columns && !is_blank_at(&line, cut);)
                cut++;
        fprintf(out, "%*s", indent, "");
        write_trimmed(out, line.text, bytes_of(&line, cut));
        line.text += bytes_of(&line, cut);
        line.length = (size_t)(whole->text + whole->length - line.text);
        while (line.length && *line.text == ' ') {
            line.text++;
            line.length--;
        }
        line.columns = line_of(line.text, line.text + line.length).columns;
        indent = hanging;
        if (!line.length)
            return;
    }
    fprintf(out, "%*s", indent, "");
    fwrite(line.text, 1, line.length, out);
    fputc('\n', out);
}

/* The rows that begin here, and their widest: returns their end, or text where there is no table. */
static const char *rows_of(const char *text, const char *end, int width, struct blanks *blanks, int *columns)
{
    const char *at = text;
    int rows = 0;

    *columns = 0;
    memset(blanks->at, true, sizeof blanks->at);
    while (at < end) {
        const struct line line = line_of(at, end);
        if (!add_row(blanks, &line, rows, width))
            break;
        *columns = line.columns > *columns ? line.columns : *columns;
        rows++;
        at += line.length + 1;
    }
    return rows > 1 ? (at < end ? at : end) : text;
}

void fit_write(FILE *out, const char *text, size_t length, int width)
{
    const char *end = text + length;

    while (text < end) {
        struct line line = line_of(text, end);
        struct blanks blanks;
        int columns;
        const char *rows = rows_of(text, end, width, &blanks, &columns);

        if (rows > text && columns > width)
            write_rows(out, text, rows, &blanks, columns, width);
        else if (rows > text)
            fwrite(text, 1, (size_t)(rows - text), out);
        if (rows > text) {
            text = rows;
            continue;
        }
        if (line.columns > width)
            write_sentence(out, &line, width);
        else
            fwrite(line.text, 1, line.length + (line.text + line.length < end), out);
        text += line.length + 1;
    }
}
