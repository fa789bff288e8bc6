/* SPDX-License-Identifier: MIT
 * Intensities over time: a table of 80 columns, CSV and JSON. */
#include "base/c_locale.h"
#include "commands/factors/factors.h"

#include "app/terminal.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "io/json_tree.h"
#include "result/record_json.h"

#include <string.h>

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
        fprintf(out, "%s %s\n", found->answers[i].stored ? "kept since" : "asked at",
                clock_minute_text(found->answers[i].retrieved_realtime_s, start));
    fprintf(out, "%s, %s; licence: %s\n", about->source_id, about->url, about->licence);
    return true;
}

bool live_csv(const struct live_about *about, const struct intensities *found, FILE *out, struct error *err)
{
    const char *const texts[] = {
        found->zone, about->basis, about->scope, about->gases, about->method, about->source_id
    };
    char start[CLOCK_TEXT_SIZE], end[CLOCK_TEXT_SIZE], retrieved[CLOCK_TEXT_SIZE], value[TEXT_NUMBER_SIZE];

    (void)err;
    fputs("start,end,kgco2eq_per_kwh,kind,retrieved,zone,basis,scope,gases,method,source_id\n", out);
    for (size_t i = 0; i < found->count; i++) {
        const struct intensity *item = &found->items[i];
        fprintf(out, "%s,%s,%s,%s,%s", clock_minute_text(item->start_realtime_s, start),
                clock_minute_text(item->end_realtime_s, end), text_number(item->kgco2eq_per_kwh, value),
                intensity_kind_name(item->kind),
                clock_text(found->answers[item->answer].retrieved_realtime_s * NS_PER_S_INT, retrieved));
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) {
            fputs(",", out);
            csv_write_field(out, texts[j]);
        }
        fputs("\n", out);
    }
    return true;
}

static void add_about(struct tree_node root, const struct live_about *about, const struct intensities *found)
{
    char text[CLOCK_TEXT_SIZE];

    tree_text(root, "service", about->name);
    tree_text(root, "service_title", about->title);
    tree_text(root, "zone", found->zone);
    tree_text_or_null(root, "basis", about->basis);
    tree_text_or_null(root, "scope", about->scope);
    tree_text(root, "gases", about->gases);
    tree_text_or_null(root, "method", about->method);
    tree_text(root, "source_id", about->source_id);
    tree_text(root, "licence", about->licence);
    tree_text(root, "url", about->url);
    tree_text(root, "from", clock_minute_text(found->from_realtime_s, text));
    tree_text(root, "to", clock_minute_text(found->to_realtime_s, text));
    tree_number(root, "asked_s", (double)(found->to_realtime_s - found->from_realtime_s));
    tree_number(root, "known_s", (double)found->known_s);
    tree_number(root, "mean_kgco2eq_per_kwh", intensities_mean(found));
}

bool live_json(const struct live_about *about, const struct intensities *found, const struct notices *notices,
               FILE *out, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    tree_text(tree_root(&tree), "schema", "carbon.live/1");
    add_about(tree_root(&tree), about, found);
    json_intensities(tree_root(&tree), found);
    json_answers(tree_root(&tree), found);
    json_notices(tree_root(&tree), notices);
    return tree_write(&tree, out, "the intensities as JSON", err);
}
