/* SPDX-License-Identifier: MIT
 * Intensities over time for people: a table of 80 columns. */
#include "base/c_locale.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"

bool live_table(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err)
{
    char start[CLOCK_TEXT_SIZE], end[CLOCK_TEXT_SIZE], known[UNITS_SIZE], asked[UNITS_SIZE];

    (void)err;
    live_title(about, found, out);
    fprintf(out, "\n%-18s %-18s %10s  %s\n", "from (UTC)", "to (UTC)", "gCO2eq/kWh", "kind");
    for (size_t i = 0; i < found->count; i++) {
        const struct intensity *item = &found->items[i];
        c_fprintf(out, "%-18s %-18s %10.2f  %s\n", clock_minute_text(item->start_realtime_s, start),
                  clock_minute_text(item->end_realtime_s, end), item->kgco2eq_per_kwh * G_PER_KG,
                  intensity_kind_name(item->kind));
    }
    c_fprintf(out, "\nmean %.2f gCO2eq/kWh of the %s known of %s\n", intensities_mean(found) * G_PER_KG,
              units_duration((double)found->known_s, known),
              units_duration((double)(found->to_realtime_s - found->from_realtime_s), asked));
    for (unsigned i = 0; i < found->answer_count; i++)
        fprintf(out, "%s %s\n", found->answers[i].kept ? "kept since" : "asked at",
                clock_minute_text(found->answers[i].retrieved_realtime_s, start));
    fprintf(out, "%s, %s; licence: %s\n", about->source_id, about->url, about->licence);
    return true;
}
