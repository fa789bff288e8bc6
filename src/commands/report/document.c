/* SPDX-License-Identifier: MIT
 * A text with headings and tables: put together, then written for a terminal or as Markdown. */
#include "commands/report/document.h"

#include "base/array.h"
#include "base/c_locale.h"
#include "form/cells.h"
#include "form/paragraph.h"
#include "form/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 2048 };

void document_close(struct document *document)
{
    for (size_t i = 0; i < document->count; i++)
        for (size_t k = 0; k < document->blocks[i].count; k++)
            free(document->blocks[i].cells[k]);
    free(document->blocks);
}

void document_row(struct document *document, enum block_kind kind, const char *const *cells, size_t count)
{
    struct block block = { .kind = kind };

    document->blocks = array_room(document->blocks, &document->room, document->count + 1, sizeof *document->blocks);
    if (document->count == document->room) {
        document->failed = true;
        return;
    }
    for (; block.count < count && block.count < DOCUMENT_COLUMNS; block.count++) {
        const char *cell = cells[block.count] ? cells[block.count] : "";
        char printable[TEXT_ROOM];
        utf8_printable(printable, sizeof printable, cell);
        block.cells[block.count] = strdup(printable);
        if (!block.cells[block.count]) {
            document->failed = true;
            break;
        }
    }
    document->blocks[document->count++] = block;
}

void document_add(struct document *document, enum block_kind kind, const char *format, ...)
{
    char text[TEXT_ROOM];
    const char *cell = text;
    va_list arguments;

    va_start(arguments, format);
    c_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    document_row(document, kind, &cell, 1);
}

static bool is_table(enum block_kind kind)
{
    return kind == BLOCK_HEAD || kind == BLOCK_ROW;
}

/* The last row of the table that begins at first. */
static size_t end_of_table(const struct document *document, size_t first)
{
    size_t end = first + 1;

    while (end < document->count && document->blocks[end].kind == BLOCK_ROW)
        end++;
    return end;
}

static void write_rows(const struct document *document, size_t first, size_t end, FILE *out)
{
    int widths[DOCUMENT_COLUMNS] = { 0 };

    for (size_t i = first; i < end; i++)
        for (size_t k = 0; k < document->blocks[i].count; k++) {
            const int width = (int)utf8_columns(document->blocks[i].cells[k]);
            widths[k] = width > widths[k] ? width : widths[k];
        }
    for (size_t i = first; i < end; i++) {
        const struct block *row = &document->blocks[i];
        if (row->count)
            fprintf(out, "  %s%*s", row->cells[0], row->count > 1 ? widths[0] - (int)utf8_columns(row->cells[0]) : 0,
                    "");
        for (size_t k = 1; k < row->count; k++)
            cell_write(out, widths[k] + 2, row->cells[k]);
        fputc('\n', out);
    }
}

bool document_text(const struct document *document, FILE *out, struct error *err)
{
    if (document->failed)
        return error_set(err, ERROR_SYSTEM, "no memory for the text of the report");
    for (size_t i = 0; i < document->count; i++) {
        const struct block *block = &document->blocks[i];
        const char *text = block->count ? block->cells[0] : "";
        switch (block->kind) {
        case BLOCK_TITLE: fprintf(out, "%s\n\n", text); break;
        case BLOCK_HEADING: fprintf(out, "\n%s\n", text); break;
        case BLOCK_PARAGRAPH: paragraph_write(out, "  ", text); break;
        case BLOCK_WARNING: paragraph_write(out, "!!! ", text); break;
        case BLOCK_ITEM: paragraph_write(out, "  - ", text); break;
        case BLOCK_HEAD:
        case BLOCK_ROW:
            write_rows(document, i, end_of_table(document, i), out);
            i = end_of_table(document, i) - 1;
            break;
        }
    }
    return !ferror(out) || error_errno(err, "cannot write the report");
}

/* What Markdown would take for its own. */
static void write_escaped(const char *text, FILE *out)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*_[]<>|#~", *c))
            fputc('\\', out);
        fputc(*c, out);
    }
}

static void write_markdown_row(const struct block *row, FILE *out)
{
    fputc('|', out);
    for (size_t k = 0; k < row->count; k++) {
        fputc(' ', out);
        write_escaped(row->cells[k], out);
        fputs(" |", out);
    }
    fputc('\n', out);
    if (row->kind != BLOCK_HEAD)
        return;
    fputs("|---|", out);
    for (size_t k = 1; k < row->count; k++)
        fputs("---:|", out);
    fputc('\n', out);
}

/* A blank line stands between blocks, but not within a list or a table. */
bool document_markdown(const struct document *document, FILE *out, struct error *err)
{
    static const char *const before[] = {
        [BLOCK_TITLE] = "# ",     [BLOCK_HEADING] = "## ", [BLOCK_PARAGRAPH] = "",
        [BLOCK_WARNING] = "> **", [BLOCK_ITEM] = "- ",
    };

    if (document->failed)
        return error_set(err, ERROR_SYSTEM, "no memory for the text of the report");
    for (size_t i = 0; i < document->count; i++) {
        const struct block *block = &document->blocks[i];
        const bool goes_on =
            i > 0 && (block->kind == BLOCK_ROW || (block->kind == BLOCK_ITEM && block[-1].kind == BLOCK_ITEM));
        if (i > 0 && !goes_on)
            fputc('\n', out);
        if (is_table(block->kind)) {
            write_markdown_row(block, out);
            continue;
        }
        fputs(before[block->kind], out);
        write_escaped(block->count ? block->cells[0] : "", out);
        fputs(block->kind == BLOCK_WARNING ? "**\n" : "\n", out);
    }
    return !ferror(out) || error_errno(err, "cannot write the report as Markdown");
}
