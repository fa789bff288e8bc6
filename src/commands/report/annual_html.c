/* SPDX-License-Identifier: MIT
 * The figures of a period as a page: the same words and tables as in the text, a section for each heading, every digit
 * at the end, and charts of what is in the tables. */
#include "config.h"

#include "base/c_locale.h"
#include "commands/report/annual.h"

#include "base/text.h"
#include "base/units.h"
#include "commands/report/annual_appendix.h"
#include "form/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS_MAX = 40, ID_MAX = 48, BARS_MAX = 130, TITLE_MAX = 160 };

/* What lies between two headings. */
struct annual_html_part {
    size_t first, end; /* blocks of the document; first: the heading, but of the beginning */
    char id[ID_MAX];
};

struct annual_page {
    const struct annual *annual;
    const struct document *document;
    struct annual_html_part parts[SECTIONS_MAX];
    size_t count;
    size_t next; /* sections are written in their order: the part of the one that comes */
};

static const char *text_of(const struct block *block)
{
    return block->count ? block->cells[0] : "";
}

/* "Year on year": "year-on-year". */
static void make_id(const char *heading, char id[ID_MAX])
{
    size_t length = 0;

    for (const char *c = heading; *c && length + 2 < ID_MAX; c++) {
        if (c_isalnum(*c) && (unsigned char)*c < 0x80)
            id[length++] = c_tolower(*c);
        else if (length && id[length - 1] != '-')
            id[length++] = '-';
    }
    while (length && id[length - 1] == '-')
        length--;
    id[length] = '\0';
}

static void find_parts(struct annual_page *page)
{
    const struct document *document = page->document;

    page->parts[0] = (struct annual_html_part){ .first = 1, .end = document->count, .id = "summary" };
    page->count = 1;
    for (size_t i = 1; i < document->count; i++)
        if (document->blocks[i].kind == BLOCK_HEADING && page->count < SECTIONS_MAX) {
            struct annual_html_part *part = &page->parts[page->count++];
            part[-1].end = i;
            *part = (struct annual_html_part){ .first = i, .end = document->count };
            make_id(text_of(&document->blocks[i]), part->id);
        }
}

static bool is_number(const char *cell)
{
    return !*cell || strcmp(cell, "-") == 0 || (*cell >= '0' && *cell <= '9') ||
           (*cell == '-' && cell[1] >= '0' && cell[1] <= '9');
}

/* How many columns after the first hold numbers alone. */
static size_t numbers_in(const struct block *head, size_t rows)
{
    size_t numbers = 0;

    for (size_t column = 1; column < head->count; column++, numbers++)
        for (size_t row = 1; row <= rows; row++)
            if (column < head[row].count && !is_number(head[row].cells[column]))
                return numbers;
    return numbers;
}

/* The heading stands above it: what the rows are. */
static const char *caption_of(const struct block *head, char caption[TITLE_MAX])
{
    const bool named = *text_of(head) && strcmp(text_of(head), "what") != 0 && strcmp(text_of(head), "of") != 0;

    snprintf(caption, TITLE_MAX, named ? "by %s" : "%s", named ? text_of(head) : "the figures");
    return caption;
}

/* Returns how many blocks the table has. */
static size_t write_table(FILE *out, const struct block *head, size_t left)
{
    char caption[TITLE_MAX];
    const char *columns[DOCUMENT_COLUMNS + 1] = { NULL };
    size_t rows = 0, numbers;

    while (rows + 1 < left && head[rows + 1].kind == BLOCK_ROW)
        rows++;
    for (size_t i = 0; i < head->count; i++)
        columns[i] = head->cells[i];
    numbers = numbers_in(head, rows);
    html_table(out, caption_of(head, caption), columns, numbers);
    for (size_t row = 1; row <= rows; row++) {
        html_row(out, text_of(&head[row]));
        for (size_t column = 1; column < head[row].count; column++)
            (column <= numbers ? html_cell_number : html_cell)(out, head[row].cells[column]);
        html_row_end(out);
    }
    html_table_end(out);
    return rows + 1;
}

static size_t write_list(FILE *out, const struct block *first, size_t left)
{
    size_t count = 0;

    fputs("<ul>\n", out);
    for (; count < left && first[count].kind == BLOCK_ITEM; count++) {
        fputs("<li>", out);
        html_text(out, text_of(&first[count]));
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
    return count;
}

static void write_blocks(FILE *out, const struct document *document, const struct annual_html_part *part)
{
    for (size_t i = part->first; i < part->end;) {
        const struct block *block = &document->blocks[i];
        switch (block->kind) {
        case BLOCK_HEAD:
        case BLOCK_ROW: i += write_table(out, block, part->end - i); continue;
        case BLOCK_ITEM: i += write_list(out, block, part->end - i); continue;
        case BLOCK_WARNING: html_paragraph(out, "notice", text_of(block)); break;
        case BLOCK_PARAGRAPH: html_paragraph(out, NULL, text_of(block)); break;
        case BLOCK_TITLE:
        case BLOCK_HEADING: break;
        }
        i++;
    }
}

static const char *kg(double value, char out[UNITS_SIZE])
{
    return units_mass(value, out);
}

/* Emissions of groups, as far as they have any. */
static void write_bars(FILE *out, const char *title, const struct annual_group *groups, size_t count)
{
    struct html_bar bars[BARS_MAX];
    char shown[BARS_MAX][UNITS_SIZE];
    bool doubted = false;
    size_t filled = 0;

    for (size_t i = 0; i < count && filled < BARS_MAX; i++) {
        const struct annual_figures *figures = &groups[i].figures;
        if (groups[i].kind != GROUP_NAMED || !figures->records)
            continue;
        bars[filled] = (struct html_bar){
            .label = groups[i].name,
            .shown = kg(figures->kgco2eq, shown[filled]),
            .value = figures->kgco2eq,
            .part = NAN,
            .low = figures->kgco2eq_interval.low,
            .high = figures->kgco2eq_interval.high,
        };
        doubted |= isfinite(figures->kgco2eq_interval.low);
        filled++;
    }
    if (filled > 1)
        html_bars(out, &(struct html_bars){ .title = title,
                                            .value = "kgCO2eq",
                                            .doubt = doubted ? "95 % interval" : NULL,
                                            .bars = bars,
                                            .count = filled,
                                            .units = units_mass });
}

static void write_years(FILE *out, const struct annual *annual)
{
    char shown[2][UNITS_SIZE];
    const struct html_bar bars[] = {
        { "the year before", kg(annual->previous.kgco2eq, shown[0]), annual->previous.kgco2eq, NAN,
          annual->previous.kgco2eq_interval.low, annual->previous.kgco2eq_interval.high },
        { "this year", kg(annual->total.kgco2eq, shown[1]), annual->total.kgco2eq, NAN,
          annual->total.kgco2eq_interval.low, annual->total.kgco2eq_interval.high },
    };

    if (annual->has_previous)
        html_bars(out,
                  &(struct html_bars){ .title = "emissions of both years",
                                       .value = "kgCO2eq",
                                       .doubt = isfinite(bars[0].low) || isfinite(bars[1].low) ? "95 % interval" : NULL,
                                       .bars = bars,
                                       .count = 2,
                                       .units = units_mass });
}

/* The same electricity by the grid's average, and by what was bought. */
static void write_market(FILE *out, const struct annual *annual)
{
    const struct annual_figures *total = &annual->total;
    char shown[2][UNITS_SIZE];
    const struct html_bar bars[] = {
        { "location-based", kg(total->market_location_kgco2eq.value, shown[0]), total->market_location_kgco2eq.value,
          NAN, NAN, NAN },
        { "market-based", kg(total->market_kgco2eq.value, shown[1]), total->market_kgco2eq.value, NAN, NAN, NAN },
    };

    if (total->market_kgco2eq.records && isfinite(bars[0].value))
        html_bars(out,
                  &(struct html_bars){ .title = "the records with a market-based figure, by location and by market",
                                       .value = "kgCO2eq",
                                       .bars = bars,
                                       .count = 2,
                                       .units = units_mass });
}

static void write_answer(FILE *out, const struct annual *annual)
{
    struct text sentence;

    text_open(&sentence, 4096);
    annual_add_sentence(annual, &sentence);
    html_conclusion(out, text_ok(&sentence) ? sentence.data : "");
    text_close(&sentence);
    fputs("<p class=\"answer\">", out);
    html_figure(out, units_mass, annual->total.kgco2eq, "total.kgco2eq");
    fputs(" <small>", out);
    html_words(out, "gross, location-based, %s; ", annual_basis_text(annual));
    html_figure(out, NULL, annual->total.it_kwh, "total.it_kwh");
    fputs(" kWh</small></p>\n", out);
}

static void write_part(FILE *out, const void *subject)
{
    struct annual_page *page = (struct annual_page *)subject;
    const struct annual_html_part *part = &page->parts[page->next++];
    const struct annual *annual = page->annual;
    const char *groups = annual->fleet.groups;
    char by_group[sizeof annual->fleet.groups + 16];

    snprintf(by_group, sizeof by_group, "emissions by %s", groups);
    if (part == page->parts)
        write_answer(out, annual);
    if (strcmp(part->id, "months") == 0)
        write_bars(out, "emissions by month", annual->months, annual->month_count);
    else if (strncmp(part->id, "projects", strlen("projects")) == 0 || strcmp(part->id, "namespaces") == 0)
        write_bars(out, *groups ? by_group : "emissions by project", annual->projects, annual->project_count);
    else if (strcmp(part->id, "labels") == 0 || strcmp(part->id, "nodes") == 0)
        write_bars(out, annual_is_fleet(annual) ? "emissions by node" : "emissions by label", annual->labels,
                   annual->label_count);
    else if (strcmp(part->id, "energy-and-emissions") == 0)
        write_market(out, annual);
    else if (strcmp(part->id, "year-on-year") == 0)
        write_years(out, annual);
    write_blocks(out, page->document, part);
}

bool annual_html(const struct annual *annual, FILE *out, struct error *err)
{
    struct document document = { .count = 0 };
    struct annual_page page = { .annual = annual, .document = &document };
    struct html_section sections[SECTIONS_MAX];
    struct html_head head = { .kind = "carbon report", .about = "", .made = "written by carbon " PACKAGE_VERSION };
    bool good;

    annual_document(annual, true, &document);
    good = !document.failed || error_set(err, ERROR_SYSTEM, "no memory for the page");
    if (good) {
        find_parts(&page);
        for (size_t i = 0; i < page.count; i++)
            sections[i] = (struct html_section){
                .id = page.parts[i].id,
                .title = i ? text_of(&document.blocks[page.parts[i].first]) : "Summary",
                .write = write_part,
            };
        head.title = text_of(&document.blocks[0]);
        html_page(out, &head, sections, page.count, &page);
        good = !ferror(out) || error_errno(err, "cannot write the page");
    }
    document_close(&document);
    return good;
}
