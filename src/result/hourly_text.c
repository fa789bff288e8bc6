/* SPDX-License-Identifier: MIT
 * A paragraph about accounting by the hour. */
#include "result/hourly_text.h"

#include "base/units.h"
#include "form/paragraph.h"

#include <math.h>

#define PERCENT_MIN 0.05

static void add_part(struct text *text, const char *before, const char *part)
{
    if (*part)
        text_add(text, "%s%s", before, part);
}

static void add_covers(const struct by_hour *by_hour, struct text *text)
{
    const char *joint = "; energy";

    for (enum intensity_cover cover = COVER_COUNT; cover-- > 0;)
        if (100 * by_hour->part[cover] >= PERCENT_MIN) {
            text_add(text, "%s %.3g %% %s", joint, 100 * by_hour->part[cover], intensity_cover_name(cover));
            joint = ",";
        }
}

void hourly_terms(const struct report *report, struct text *text)
{
    const struct by_hour *by_hour = &report->by_hour;
    const struct hourly_source *source = &by_hour->source;
    char factor[UNITS_SIZE];

    units_digits(by_hour->gross_kgco2eq_per_kwh * G_PER_KG, 4, factor);
    if (by_hour->part[COVER_YEARLY] >= 1) {
        text_add(text, "%s gCO2eq/kWh, the yearly factor; no hourly data: ", factor);
        text_add(text, "%s%s%s", source->zone, *source->zone ? ", " : "", source->title);
        return;
    }
    text_add(text, "%s gCO2eq/kWh by the energy's own hours: ", factor);
    text_add(text, "%s%s%s", source->zone, *source->zone ? ", " : "", source->title);
    text_add(text, "; %s", *source->basis ? source->basis : "basis not said");
    add_part(text, ", ", source->scope);
    add_part(text, ", ", source->gases);
    add_covers(by_hour, text);
}

void hourly_text(const struct report *report, FILE *out)
{
    const struct by_hour *by_hour = &report->by_hour;
    const bool net = isfinite(report->net.footprint.kgco2eq);
    const double yearly = net ? by_hour->yearly_net_kgco2eq : by_hour->yearly_gross_kgco2eq;
    const double hourly = net ? report->net.footprint.kgco2eq : report->gross.footprint.kgco2eq;
    char mass[UNITS_SIZE];
    struct text text;

    text_open(&text, 4096);
    hourly_terms(report, &text);
    if (isfinite(yearly))
        text_add(&text, "; %s at the yearly factor would be %s%s", net ? "net" : "gross",
                 !net && report->summary.at_least ? "at least " : "", units_mass(yearly, mass));
    if (isfinite(yearly) && yearly != 0 && (!net || report->summary.net_is_reported))
        text_add(&text, " (%+.3g %%)", 100 * (yearly - hourly) / hourly);
    paragraph_write(out, "  hourly ", text.data ? text.data : "");
    text_close(&text);
}
