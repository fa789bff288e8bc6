/* SPDX-License-Identifier: MIT
 * The factor in words. */
#include "result/factor_text.h"

#include "result/report.h"

enum { ROOM_FOR_ALL = 80 };

static void add_part(struct text *text, const char *before, const char *part, const char *after)
{
    if (*part)
        text_add(text, "%s%s%s", before, part, after);
}

void factor_describe(const struct factor *factor, struct text *text)
{
    char number[UNITS_SIZE];

    text_add(text, "%s (%s): %s", units_intensity(factor->kgco2eq_per_kwh, number), quality_name(factor->quality),
             factor->zone[0] ? factor->zone : "a figure of one's own");
    add_part(text, " (", factor->zone_name, ")");
    if (factor->year > 0)
        text_add(text, ", %d", factor->year);
    text_add(text, ", %s", factor->basis == FACTOR_NO_BASIS ? "basis not said" : factor_basis_name(factor->basis));
    add_part(text, ", ", factor->method, "-based");
    add_part(text, ", ", factor->scope, "");
    add_part(text, ", grid losses ", factor->td_losses, "");
    add_part(text, ", ", factor->gases, "");
    add_part(text, "; ", factor->source, "");
    add_part(text, ", ", factor->table, "");
}

void factor_terms_add(const struct factor_terms *terms, struct text *text)
{
    const struct factor *factor = terms->factor;
    const bool assumed = terms->pue_quality == QUALITY_DEFAULT;
    char intensity[UNITS_SIZE], pue[UNITS_SIZE];

    text_add(text, "%s", factor->zone[0] ? factor->zone : "factor given");
    if (factor->year > 0)
        text_add(text, " %d", factor->year);
    if (factor->year > 0 && terms->asked_year > 0 && factor->year != terms->asked_year)
        text_add(text, " (none of %d)", terms->asked_year);
    text_add(text, ", %s", units_intensity(factor->kgco2eq_per_kwh, intensity));
    if (factor->basis != FACTOR_NO_BASIS)
        text_add(text, " %s", factor_basis_name(factor->basis));
    if (!assumed || terms->pue != 1 || terms->width >= ROOM_FOR_ALL)
        text_add(text, ", PUE %s%s", units_digits(terms->pue, 3, pue), assumed ? " (default)" : "");
}

struct factor_terms factor_terms_of(const struct report *report, int width)
{
    return (struct factor_terms){
        .factor = &report->factor,
        .asked_year = report->factor_query.year,
        .pue = report->pue,
        .pue_quality = report->pue_quality,
        .width = width,
    };
}

void series_end_text(const struct report *report, struct text *text)
{
    if (report->warmups)
        text_add(text, ", %zu warm-up%s left out", report->warmups, report->warmups > 1 ? "s" : "");
    if (report->exit_known && report->exit_status)
        text_add(text, ", exit status %d", report->exit_status);
    if (report->measurement->interrupted)
        text_add(text, ", interrupted");
    if (!report->complete)
        text_add(text, ", partial");
}

const char *lower_bound_text(const struct report *report)
{
    return report->summary.at_least ? "at least " : "";
}
