/* SPDX-License-Identifier: MIT
 * Notices in paragraphs. */
#include "form/notices_text.h"

#include "base/text.h"
#include "form/paragraph.h"

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
