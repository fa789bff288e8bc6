/* SPDX-License-Identifier: MIT
 * Notices in paragraphs. */
#include "form/notices_text.h"

#include "base/text.h"
#include "form/paragraph.h"
#include "form/utf8.h"

#include <string.h>

enum { NOTES_SHOWN = 2 };

static void print_notice(FILE *out, const struct error *notice, const char *of)
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

/* About what was chosen or is not there on such a machine, not about how the measurement went. */
static bool is_minor(enum notice_kind kind)
{
    switch (kind) {
    case NOTICE_ASSUMED:
    case NOTICE_BASIS:
    case NOTICE_NO_COUNTER:
    case NOTICE_RECORDED:
    case NOTICE_SCOPE:
    case NOTICE_STAND_IN: return true;
    default: return false;
    }
}

/* Its `what`, cut to the line, and how many more there are. */
static void print_short(FILE *out, int width, const char *label, const struct error *notice, size_t more)
{
    char shown[sizeof notice->what + sizeof "…" + 32], rest[32] = "";
    const size_t taken = utf8_columns(label);

    if (more)
        snprintf(rest, sizeof rest, " (and %zu more: -v)", more % 100000);
    utf8_fit(shown, sizeof shown - sizeof rest, notice->what, (size_t)width - taken - utf8_columns(rest), "…");
    strcat(shown, rest);
    paragraph_write_within(out, width, label, shown);
}

void notices_text_short(FILE *out, const struct notices *notices, int width, bool colour, notice_is_said *is_said,
                        const void *page)
{
    size_t count = notices->left_out, shown = 0;

    for (size_t i = 0; i < notices->count; i++)
        count += !is_said(page, &notices->item[i], i);
    fputs(colour && count ? "\033[33m" : "", out);
    for (int minor = 0; minor <= 1; minor++)
        for (size_t i = 0; i < notices->count && shown < NOTES_SHOWN; i++)
            if (is_minor(notices->item[i].notice) == minor && !is_said(page, &notices->item[i], i)) {
                shown++;
                print_short(out, width, shown == 1 ? "  notes   " : "          ", &notices->item[i],
                            shown == NOTES_SHOWN ? count - shown : 0);
            }
    fputs(colour && count ? "\033[0m" : "", out);
}
