/* SPDX-License-Identifier: MIT
 * A text with headings and tables, from which each form for people is written. Used by annual_appendix.h. Begin with
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
    BLOCK_WARNING, /* a paragraph that cannot be missed */
    BLOCK_ITEM,    /* item of a list */
    BLOCK_HEAD,    /* head of a table, whose rows follow */
    BLOCK_ROW,
};

struct block {
    enum block_kind kind;
    char *cells[DOCUMENT_COLUMNS]; /* of what is no row the first alone */
    size_t count;
};

struct document {
    struct block *blocks;
    size_t count, room;
    bool failed; /* no memory; nothing else is to be checked until it is written */
};

void document_close(struct document *document);

void document_add(struct document *document, enum block_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);
/* The cells are copied; NULL and "" are empty ones. */
void document_row(struct document *document, enum block_kind kind, const char *const *cells, size_t count);

/* False: no memory, or the stream failed. Control characters of any text are made harmless. */
bool document_text(const struct document *document, FILE *out, struct error *err) MUST_CHECK;
bool document_markdown(const struct document *document, FILE *out, struct error *err) MUST_CHECK;

#endif
