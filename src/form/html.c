/* SPDX-License-Identifier: MIT
 * The parts of a page. */
#include "form/html.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The page loads nothing and runs nothing, whatever its content is. The empty icon keeps a browser from requesting one.
 */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
                             "form-action 'none'";

enum { CELL_LONG = 24 }; /* characters, from which on a cell of words has lines of its own */

/* Characters that XML forbids, and controls, are not text: NUL ends it, U+FFFE and U+FFFF are not characters. */
static bool is_shown(const char *c, size_t length)
{
    return utf8_is_shown(c, length) && strncmp(c, "\xef\xbf\xbe", 3) != 0 && strncmp(c, "\xef\xbf\xbf", 3) != 0;
}

static const char *escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n':
    case '\t': return " ";
    default: return NULL;
    }
}

void html_text(FILE *out, const char *text)
{
    for (size_t length; *text; text += length) {
        const char *escape = escape_of(*text);
        const bool shown = is_shown(text, utf8_length(text));

        length = shown ? utf8_length(text) : 1;
        if (escape)
            fputs(escape, out);
        else if (shown)
            fwrite(text, 1, length, out);
        else
            fputc('?', out);
    }
}

void html_words(FILE *out, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = c_vasprintf(format, arguments);
    va_end(arguments);
    if (text)
        html_text(out, text);
    free(text);
}

void html_word(FILE *out, const char *text)
{
    fputs("<bdi>", out);
    html_text(out, text);
    fputs("</bdi>", out);
}

static void write_element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    html_text(out, text);
    fprintf(out, "</%s>\n", name);
}

void html_conclusion(FILE *out, const char *text)
{
    html_paragraph(out, "conclusion", text);
}

void html_paragraph(FILE *out, const char *class, const char *text)
{
    fputs("<p", out);
    if (class)
        fprintf(out, " class=\"%s\"", class);
    fputc('>', out);
    html_text(out, text);
    fputs("</p>\n", out);
}

static void write_figure(FILE *out, html_units *units, double value, const char *place, va_list arguments)
    PRINTF_LIKE(4, 0);

static void write_figure(FILE *out, html_units *units, double value, const char *place, va_list arguments)
{
    char name[160], exact[TEXT_NUMBER_SIZE], shown[UNITS_SIZE];

    if (!isfinite(value)) {
        fputs("<span class=\"unknown\">unknown</span>", out);
        return;
    }
    c_vsnprintf(name, sizeof name, place, arguments);
    text_number(value, exact);
    fprintf(out, "<data value=\"%s\" data-place=\"%s\">", exact, name);
    html_text(out, units ? units(value, shown) : exact);
    fputs("</data>", out);
}

void html_figure(FILE *out, html_units *units, double value, const char *place, ...)
{
    va_list arguments;

    va_start(arguments, place);
    write_figure(out, units, value, place, arguments);
    va_end(arguments);
}

void html_terms(FILE *out)
{
    fputs("<dl>\n", out);
}

void html_term_open(FILE *out, const char *name)
{
    fputs("<div><dt>", out);
    html_text(out, name);
    fputs("</dt><dd>", out);
}

void html_term_end(FILE *out)
{
    fputs("</dd></div>\n", out);
}

void html_term(FILE *out, const char *name, const char *text)
{
    if (!text || !*text)
        return;
    html_term_open(out, name);
    html_word(out, text);
    html_term_end(out);
}

void html_terms_end(FILE *out)
{
    fputs("</dl>\n", out);
}

/* It scrolls by itself where it is wider than the window, also by the keyboard. */
void html_table(FILE *out, const char *caption, const char *const *columns, size_t numbers)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table: ", out);
    html_text(out, caption);
    fputs("\"><table>\n<caption>", out);
    html_text(out, caption);
    fputs("</caption>\n<thead><tr>", out);
    for (size_t i = 0; columns[i]; i++) {
        fputs(i >= 1 && i <= numbers ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">", out);
        html_text(out, columns[i]);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_row(FILE *out, const char *name)
{
    fputs("<tr><th scope=\"row\">", out);
    html_word(out, name);
    fputs("</th>", out);
}

void html_cell(FILE *out, const char *text)
{
    fputs(utf8_columns(text) > CELL_LONG ? "<td class=\"long\">" : "<td>", out);
    html_word(out, text);
    fputs("</td>", out);
}

void html_cell_open(FILE *out)
{
    fputs("<td class=\"number\">", out);
}

void html_cell_end(FILE *out)
{
    fputs("</td>", out);
}

void html_cell_number(FILE *out, const char *text)
{
    html_cell_open(out);
    html_text(out, text);
    html_cell_end(out);
}

void html_cell_figure(FILE *out, html_units *units, double value, const char *place, ...)
{
    va_list arguments;

    html_cell_open(out);
    va_start(arguments, place);
    write_figure(out, units, value, place, arguments);
    va_end(arguments);
    html_cell_end(out);
}

void html_row_end(FILE *out)
{
    fputs("</tr>\n", out);
}

void html_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

static void write_head(FILE *out, const struct html_head *head)
{
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" xml:lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"referrer\" content=\"no-referrer\"/>\n",
          out);
    fprintf(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\"/>\n", policy);
    fputs("<link rel=\"icon\" href=\"data:,\"/>\n", out);
    write_element(out, "title", head->title);
    fprintf(out, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
    fputs("<a class=\"skip\" href=\"#main\">to the content</a>\n<header>\n", out);
    html_paragraph(out, "kind", head->kind);
    fputs("<h1>", out);
    html_word(out, head->title);
    fputs("</h1>\n", out);
    if (*head->about)
        html_paragraph(out, "about", head->about);
    fputs("</header>\n", out);
}

static bool is_wanted(const struct html_section *section, const void *subject)
{
    return !section->wanted || section->wanted(subject);
}

void html_page(FILE *out, const struct html_head *head, const struct html_section *sections, size_t count,
               const void *subject)
{
    write_head(out, head);
    fputs("<nav aria-label=\"contents\"><ul>\n", out);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(&sections[i], subject)) {
            fprintf(out, "<li><a href=\"#%s\">", sections[i].id);
            html_text(out, sections[i].title);
            fputs("</a></li>\n", out);
        }
    fputs("</ul></nav>\n<main id=\"main\" tabindex=\"-1\">\n", out);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(&sections[i], subject)) {
            fprintf(out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">", sections[i].id,
                    sections[i].id, sections[i].id);
            html_text(out, sections[i].title);
            fputs("</h2>\n", out);
            sections[i].write(out, subject);
            fputs("</section>\n", out);
        }
    fputs("</main>\n<footer>\n", out);
    html_paragraph(out, NULL, head->made);
    fputs("</footer>\n</body>\n</html>\n", out);
}

void html_notices(FILE *out, const struct notices *notices)
{
    for (size_t i = 0; i < notices->count; i++) {
        fputs("<div class=\"notice\">\n", out);
        html_paragraph(out, "what", notices->item[i].what);
        if (notices->item[i].why[0])
            html_paragraph(out, NULL, notices->item[i].why);
        if (notices->item[i].fix[0]) {
            fputs("<p>hint: ", out);
            html_text(out, notices->item[i].fix);
            fputs("</p>\n", out);
        }
        fputs("</div>\n", out);
    }
}
