/* SPDX-License-Identifier: MIT
 * Notices in paragraphs. */
#include "form/notices_text.h"

#include "base/auto.h"
#include "base/text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"

#include <stdlib.h>
#include <string.h>

static void print_notice(FILE *out, const struct notice *notice, const char *of)
{
    struct text what;

    text_open(&what, SIZE_MAX);
    text_add(&what, "%s%s%s%s%s", of, *of ? ": " : "", notice->what, notice->why[0] ? ": " : "", notice->why);
    paragraph_write(out, "  note: ", text_ok(&what) ? what.data : notice->what);
    if (notice->fix[0])
        paragraph_write(out, "  hint: ", notice->fix);
    text_close(&what);
}

void notices_text(FILE *out, const struct notices *notices, const char *of, bool colour)
{
    for (size_t i = 0; i < notices->count; i++) {
        fputs(colour ? "\033[33m" : "", out);
        print_notice(out, &notices->item[i], of);
        fputs(colour ? "\033[0m" : "", out);
    }
    if (notices->left_out)
        fprintf(out, "  and %zu more notices%s%s\n", notices->left_out, *of ? " of " : "", of);
}

static bool is_alike(const struct notice *a, const struct notice *b)
{
    return a->kind == b->kind && strcmp(a->why, b->why) == 0 && strcmp(a->fix, b->fix) == 0;
}

/* NULL: none. */
static const struct notice *alike_in(const struct notices *notices, const struct notice *notice)
{
    for (size_t i = 0; i < notices->count; i++)
        if (is_alike(&notices->item[i], notice))
            return &notices->item[i];
    return NULL;
}

/* "a, b: what", and "; c likewise" where the figures in it are others. */
static void add_of_several(struct notices *all, const struct notices_of *several, size_t count,
                           const struct notice *notice)
{
    enum { NAMES_SHOWN = 4 };
    struct text who, likewise;
    size_t shown = 0, left = 0;

    text_open(&who, SIZE_MAX);
    text_open(&likewise, SIZE_MAX);
    text_add(&who, "%s", several[0].name);
    for (size_t i = 1; i < count; i++) {
        const struct notice *other = alike_in(several[i].notices, notice);
        const bool same = other && strcmp(other->what, notice->what) == 0;

        if (other && ++shown >= NAMES_SHOWN)
            left++;
        else if (other)
            text_add(same ? &who : &likewise, "%s%s", same || likewise.length ? ", " : "", several[i].name);
    }
    if (left)
        text_add(likewise.length ? &likewise : &who, " and %zu more", left);
    if (text_ok(&who) && text_ok(&likewise))
        notice_add(all, notice->kind, notice->why, notice->fix, "%s: %s%s%s%s", who.data, notice->what,
                   likewise.length ? "; " : "", likewise.length ? likewise.data : "",
                   likewise.length ? " likewise" : "");
    text_close(&who);
    text_close(&likewise);
}

void notices_of_several(struct notices *all, const struct notices_of *several, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct notices *notices = several[i].notices;

        for (size_t j = 0; j < notices->count; j++) {
            bool is_there = false;

            for (size_t k = 0; k < i && !is_there; k++)
                is_there = alike_in(several[k].notices, &notices->item[j]) != NULL;
            if (!is_there)
                add_of_several(all, several + i, count - i, &notices->item[j]);
        }
        all->left_out += notices->left_out;
    }
}

void notices_with_items(struct notices *all, const struct notices *own, const void *items, size_t count, size_t size,
                        struct notices_of (*of_item)(const void *item))
{
    AUTO_FREE struct notices_of *several = calloc(count + 1, sizeof *several);

    notices_set(all, own);
    for (size_t i = 0; several && i < count; i++)
        several[i] = of_item((const char *)items + i * size);
    if (several)
        notices_of_several(all, several, count);
    else
        all->left_out += count;
}

void notices_text_hint(FILE *out, const struct notices *notices, enum notice_kind kind, int width)
{
    for (size_t i = 0; i < notices->count; i++)
        if (notices->item[i].kind == kind && notices->item[i].fix[0]) {
            paragraph_write_within(out, width, "  hint    ", notices->item[i].fix);
            return;
        }
}

/* About what was chosen or is not there on such a machine, not about how the measurement went. */
static bool is_minor(enum notice_kind kind)
{
    switch (kind) {
    case NOTICE_ASSUMED:
    case NOTICE_BASIS:
    case NOTICE_NO_COUNTER:
    case NOTICE_RECORDED:
    case NOTICE_SAMPLED:
    case NOTICE_SCOPE:
    case NOTICE_STAND_IN: return true;
    default: return false;
    }
}

/* Its `what`, cut to the line, and how many more there are. */
static void print_short(FILE *out, int width, const char *label, const struct notice *notice, size_t left,
                        const char *more)
{
    char rest[48] = "";
    const size_t taken = utf8_columns(label), size = strlen(notice->what) + sizeof "…" + sizeof rest;
    AUTO_FREE char *shown = malloc(size);

    if (left)
        snprintf(rest, sizeof rest, " (and %zu more: %s)", left % 100000, more);
    if (!shown)
        return;
    utf8_fit(shown, size - sizeof rest, notice->what, (size_t)width - taken - utf8_columns(rest), "…");
    strcat(shown, rest);
    paragraph_write_within(out, width, label, shown);
}

/* Another of those that are printed says the same, with other figures. */
static bool is_repeated(const struct notices *notices, size_t i, notice_is_said *is_said, const void *page)
{
    for (size_t j = 0; j < i; j++)
        if (notices->item[i].why[0] && is_alike(&notices->item[j], &notices->item[i]) &&
            !is_said(page, &notices->item[j], j))
            return true;
    return false;
}

void notices_text_short(FILE *out, const struct notices *notices, size_t lines, int width, bool colour,
                        const char *more, notice_is_said *is_said, const void *page)
{
    size_t count = notices->left_out, shown = 0;

    for (size_t i = 0; i < notices->count; i++)
        count += !is_said(page, &notices->item[i], i);
    fputs(colour && count ? "\033[33m" : "", out);
    for (int minor = 0; minor <= 1; minor++)
        for (size_t i = 0; i < notices->count && shown < lines; i++)
            if (is_minor(notices->item[i].kind) == minor && !is_said(page, &notices->item[i], i) &&
                !is_repeated(notices, i, is_said, page)) {
                shown++;
                print_short(out, width, shown == 1 ? "  notes   " : "          ", &notices->item[i],
                            shown == lines ? count - shown : 0, more);
            }
    fputs(colour && count ? "\033[0m" : "", out);
}
