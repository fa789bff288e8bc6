/* SPDX-License-Identifier: MIT
 * Who published a figure, and under which licence: sources.csv. */
#include "emissions/factor_table.h"

#include "base/shipped.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *const columns[] = { "id", "title", "publisher", "year", "licence", "url" };

enum { ID, TITLE, PUBLISHER, YEAR, LICENCE, URL, COLUMN_COUNT };

struct source_search {
    const char *id;
    struct source *source;
    bool found;
    int column[COLUMN_COUNT];
};

static bool on_source(const struct csv_row *row, void *context, struct error *err)
{
    struct source_search *search = context;
    struct source *source = search->source;

    if (row->line == 1)
        return csv_columns(row, columns, COLUMN_COUNT, search->column, err);
    if (strcmp(row->fields[search->column[ID]], search->id) != 0)
        return true;
    search->found = true;
    text_copy(source->title, sizeof source->title, row->fields[search->column[TITLE]]);
    text_copy(source->publisher, sizeof source->publisher, row->fields[search->column[PUBLISHER]]);
    text_copy(source->year, sizeof source->year, row->fields[search->column[YEAR]]);
    text_copy(source->licence, sizeof source->licence, row->fields[search->column[LICENCE]]);
    text_copy(source->url, sizeof source->url, row->fields[search->column[URL]]);
    return true;
}

static bool find_one(const char *id, struct source *source, bool *found, struct error *err)
{
    struct source_search search = { .id = id, .source = source };

    *source = (struct source){ 0 };
    if (!shipped_read_together("sources.csv", id, on_source, &search, err))
        return false;
    *found = search.found;
    return true;
}

/* "A; B", but "A" where both are that. */
static void join(char *text, size_t size, const char *more)
{
    const size_t length = strlen(text);

    if (*more && strcmp(text, more) != 0)
        snprintf(text + length, size - length, "%s%s", length ? "; " : "", more);
}

/* "A|B" is of both: results may be passed on under the terms of each. */
bool source_find(const char *id, struct source *source, bool *found, struct error *err)
{
    char ids[256], *rest = ids, *each;

    if (!strchr(id, '|'))
        return find_one(id, source, found, err);
    *source = (struct source){ 0 };
    *found = true;
    text_copy(ids, sizeof ids, id);
    while ((each = strsep(&rest, "|"))) {
        struct source one;
        bool known;
        if (!find_one(each, &one, &known, err))
            return false;
        *found = *found && known;
        join(source->title, sizeof source->title, known ? one.title : each);
        join(source->publisher, sizeof source->publisher, one.publisher);
        join(source->licence, sizeof source->licence, one.licence);
        if (strcmp(one.year, source->year) > 0)
            text_copy(source->year, sizeof source->year, one.year);
        if (!*source->url)
            text_copy(source->url, sizeof source->url, one.url);
    }
    return true;
}
