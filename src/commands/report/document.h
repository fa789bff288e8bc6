/* SPDX-License-Identifier: MIT
 * A text with headings and tables, the source of each form for people. Used by annual_appendix.h. Begin with
 * document_close(). */
#ifndef COMMANDS_REPORT_DOCUMENT_H
#define COMMANDS_REPORT_DOCUMENT_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum { DOCUMENT_COLUMNS = 8 };

enum block_kind {
    BLOCK_TITLE,
    BLOCK_HEADING,
    BLOCK_PARAGRAPH,
    BLOCK_WARNING, /* a highlighted paragraph */
    BLOCK_ITEM,    /* item of a list */
    BLOCK_HEAD,    /* head of a table; its rows follow */
    BLOCK_ROW,
};

struct block {
    enum block_kind kind;
    char *cells[DOCUMENT_COLUMNS]; /* a block that is not a row has the first only */
    size_t count;
};

struct document {
    struct block *blocks;
    size_t count, room;
    bool failed; /* no memory; check it once, when the document is written */
};

void document_close(struct document *document);

void document_add(struct document *document, enum block_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);
/* The cells are copied; NULL and "" are empty ones. */
void document_row(struct document *document, enum block_kind kind, const char *const *cells, size_t count);

/* False: no memory, or the stream failed. Control characters of any text are made harmless. */
bool document_text(const struct document *document, FILE *out, struct error *err) MUST_CHECK;
bool document_markdown(const struct document *document, FILE *out, struct error *err) MUST_CHECK;

#endif
