/* SPDX-License-Identifier: MIT
 * The record's slices of time, and the intensities that they were laid on. */
#include "result/report.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/slices.h"
#include "result/record_json.h"

void json_slices(struct tree_node run, const struct slices *slices)
{
    struct tree_node array;

    if (!slices || !slices->count) {
        tree_null(run, "slices");
        return;
    }
    array = tree_array(run, "slices");
    for (size_t i = 0; i < slices->count; i++) {
        const struct tree_node node = tree_object(array, NULL), energy = tree_array(node, "energy_uj");
        for (size_t d = 0; d < slices->domain_count; d++)
            tree_integer(energy, NULL, slice_energy_uj(slices, i)[d]);
        json_time(node, "started_at", slices->items[i].realtime_ns);
        tree_number(node, "start_s", s_from_ns(slices->items[i].start_ns));
        tree_number(node, "duration_s", s_from_ns(slices->items[i].duration_ns));
    }
}

static void add_source(struct tree_node node, const struct hourly_source *source)
{
    tree_text(node, "service", source->service);
    tree_text(node, "title", source->title);
    tree_text_or_null(node, "zone", source->zone);
    tree_text_or_null(node, "basis", source->basis);
    tree_text_or_null(node, "scope", source->scope);
    tree_text_or_null(node, "gases", source->gases);
    tree_text_or_null(node, "td_losses", source->td_losses);
    tree_text_or_null(node, "method", source->method);
    tree_text_or_null(node, "source_id", source->source_id);
    tree_text_or_null(node, "licence", source->licence);
    tree_text_or_null(node, "url", source->url);
}

void json_answers(struct tree_node parent, const struct intensities *known)
{
    const struct tree_node answers = tree_array(parent, "answers");

    for (unsigned i = 0; i < known->answer_count; i++) {
        const struct tree_node node = tree_object(answers, NULL);
        json_time(node, "retrieved", known->answers[i].retrieved_realtime_s * NS_PER_S_INT);
        tree_bool(node, "kept", known->answers[i].kept);
        tree_text(node, "url", known->answers[i].url);
    }
}

void json_intensities(struct tree_node parent, const struct intensities *known)
{
    const struct tree_node array = tree_array(parent, "intensities");
    char text[CLOCK_TEXT_SIZE];

    for (size_t i = 0; i < known->count; i++) {
        const struct intensity *item = &known->items[i];
        const struct tree_node node = tree_object(array, NULL);
        tree_text(node, "start", clock_minute_text(item->start_realtime_s, text));
        tree_text(node, "end", clock_minute_text(item->end_realtime_s, text));
        tree_number(node, "kgco2eq_per_kwh", item->kgco2eq_per_kwh);
        tree_text(node, "kind", intensity_kind_name(item->kind));
        tree_integer(node, "answer", item->answer);
    }
}

static void add_yearly(struct tree_node parent, const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;
    const struct tree_node node = tree_object(parent, "yearly");

    tree_number(node, "kgco2eq_per_kwh", report->factor.kgco2eq_per_kwh);
    tree_number(node, "td_losses_kgco2eq_per_kwh", report->factor.td_losses_kgco2eq_per_kwh);
    tree_number(node, "gross_kgco2eq", by_hour->yearly_gross_kgco2eq);
    tree_number(node, "net_kgco2eq", by_hour->yearly_net_kgco2eq);
    tree_number(node, "gross_difference_kgco2eq", report->gross.footprint.kgco2eq - by_hour->yearly_gross_kgco2eq);
    tree_number(node, "net_difference_kgco2eq", report->net.footprint.kgco2eq - by_hour->yearly_net_kgco2eq);
}

void json_hourly(struct tree_node root, const struct report *report)
{
    const struct by_hour *by_hour = &report->by_hour;
    struct tree_node node, parts, notices;

    if (!by_hour->asked) {
        tree_null(root, "hourly");
        return;
    }
    node = tree_object(root, "hourly");
    add_source(node, &by_hour->source);
    parts = tree_object(node, "parts");
    for (enum intensity_cover cover = 0; cover < COVER_COUNT; cover++)
        tree_number(parts, intensity_cover_name(cover), by_hour->part[cover]);
    tree_number(node, "covered", by_hour->covered);
    tree_number(node, "prorated", by_hour->prorated);
    add_yearly(node, report);
    json_answers(node, by_hour->known);
    json_intensities(node, by_hour->known);
    notices = tree_array(node, "notices");
    for (size_t i = 0; i < by_hour->notice_count; i++)
        tree_text(notices, NULL, report->notices.item[by_hour->first_notice + i].what);
}
