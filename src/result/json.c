/* SPDX-License-Identifier: MIT
 * The record: everything that is known of a result, as docs/report-schema.json describes it. What is
 * not known is null; numbers are exact. */
#include "config.h"

#include "result/report.h"

#include "base/units.h"
#include "io/json_tree.h"
#include "result/beside_json.h"
#include "result/record_fields.h"
#include "result/record_json.h"

#include <math.h>

static void add_energy(struct tree_node node, const struct domain_energy *energy)
{
    json_spread(node, "gross_j", &energy->gross_j);
    json_spread(node, "idle_j", &energy->idle_j);
    json_spread(node, "net_j", &energy->net_j);
    json_interval(node, "net_interval_j", &energy->net_interval_j);
    tree_number(node, "gross_w", energy->gross_w);
    tree_number(node, "idle_w", energy->idle_w);
    tree_number(node, "net_w", energy->net_w);
    tree_number(node, "gross_low_j", energy->gross_low_j);
    tree_number(node, "gross_high_j", energy->gross_high_j);
    tree_number(node, "net_low_j", energy->net_low_j);
    tree_number(node, "net_high_j", energy->net_high_j);
    json_spread(node, "own_j", &energy->own_j);
    json_interval(node, "own_interval_j", &energy->own_interval_j);
    json_spread(node, "own_idle_j", &energy->own_idle_j);
    json_spread(node, "own_others_j", &energy->own_others_j);
    tree_text(node, "own_method", own_method_name(energy->own_method));
    tree_number(node, "own_low_j", energy->own_low_j);
    tree_number(node, "own_high_j", energy->own_high_j);
}

static void add_domain(struct tree_node domains, const struct report *report, size_t i)
{
    const struct meter_domain *state = &report->measurement->meter->domains[i];
    const struct domain *domain = state->domain;
    const struct tree_node node = tree_object(domains, NULL);

    tree_text(node, "name", domain->name);
    tree_text(node, "source", state->source->driver->name);
    tree_text(node, "component", component_name(domain->component));
    tree_text_or_null(node, "path", domain->path);
    tree_natural(node, "package", domain->package);
    tree_natural(node, "die", domain->die);
    tree_bool(node, "counted", report->measurement->counting->counts[i]);
    tree_text_or_null(node, "reason", report->measurement->counting->reason[i]);
    tree_bool(node, "moved", state->moved);
    tree_bool(node, "doubted", state->doubted);
    tree_number(node, "most_w", domain->most_w > 0 ? domain->most_w : NAN);
    tree_text_or_null(node, "most_from", most_from_name(domain->most_from));
    tree_number(node, "low_ratio", domain->low_ratio);
    tree_number(node, "high_ratio", domain->high_ratio);
    tree_number(node, "slope_low_ratio", domain->slope_high_ratio > 0 ? domain->slope_low_ratio : NAN);
    tree_number(node, "slope_high_ratio", domain->slope_high_ratio > 0 ? domain->slope_high_ratio : NAN);
    tree_text(node, "quality", quality_name(state->doubted ? QUALITY_UNKNOWN : domain->quality));
    if (domain->problem.kind == ERROR_NONE)
        tree_null(node, "problem");
    else
        json_refusal(tree_object(node, "problem"), &domain->problem);
    tree_positive(node, "wraps_at_uj", domain->wraps_at_uj);
    tree_bool(node, "wrap_unknown", domain->wrap_unknown);
    tree_positive(node, "resolution_uj", domain->resolution_uj);
    tree_number(node, "update_s", domain->update_ns ? s_from_ns(domain->update_ns) : NAN);
    tree_integer(node, "wraps", state->wraps);
    tree_integer(node, "resets", state->resets);
    tree_integer(node, "missed_reads", state->missed_reads);
    tree_integer(node, "ambiguous_gaps", state->ambiguous_gaps);
    tree_integer(node, "lost", state->lost);
    tree_number(node, "lost_s", s_from_ns(state->lost_ns));
    tree_number(node, "unwatched_s", s_from_ns(state->unwatched_ns));
    tree_bool(node, "at_least", domain_is_at_least(report->measurement, i));
    add_energy(node, &report->summary.domains[i]);
    json_spread(node, "gpu_own_j", &report->summary.domains[i].gpu_own_j);
    tree_number(node, "slope_w", report->summary.own_basis.slope_w[i]);
}

static void add_refusals(struct tree_node parent, const struct meter *meter)
{
    const struct tree_node refused = tree_array(parent, "refused");

    for (size_t i = 0; i < meter->refusal_count; i++) {
        const struct tree_node node = tree_object(refused, NULL);
        tree_text(node, "source", meter->refusals[i].driver->name);
        json_refusal(node, &meter->refusals[i].error);
    }
}

static void add_whole_machine(struct tree_node parent, const struct measurement *measurement)
{
    const int whole = measurement->counting->whole_machine;
    struct tree_node node;

    tree_bool(parent, "stands_in", measurement->counting->stands_in);
    if (whole < 0) {
        tree_null(parent, "whole_machine");
        return;
    }
    node = tree_object(parent, "whole_machine");
    tree_text(node, "name", measurement->counting->whole_machine_name);
    tree_text(node, "source", measurement->meter->domains[whole].source->driver->name);
}

static void add_sources(struct tree_node parent, const struct measurement *measurement)
{
    const struct tree_node sources = tree_array(parent, "sources");
    const struct energy_source *last = NULL;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->counts[i] && measurement->meter->domains[i].source != last) {
            last = measurement->meter->domains[i].source;
            tree_text(sources, NULL, last->driver->name);
        }
}

static void add_emission(struct tree_node parent, const char *key, const struct emission *emission)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "it_kwh", emission->footprint.it_kwh);
    tree_number(node, "facility_kwh", emission->footprint.facility_kwh);
    tree_number(node, "kgco2eq", emission->footprint.kgco2eq);
    tree_number(node, "kgco2eq_per_kwh", emission->kgco2eq_per_kwh);
    tree_number(node, "kgco2eq_low", emission->kgco2eq_low);
    tree_number(node, "kgco2eq_high", emission->kgco2eq_high);
    tree_number(node, "kgco2eq_per_h", emission->kgco2eq_per_h);
    tree_number(node, "kgco2eq_per_year", emission->kgco2eq_per_year);
    tree_number(node, "facility_kwh_per_h", emission->facility_kwh_per_h);
    tree_number(node, "facility_kwh_per_year", emission->facility_kwh_per_year);
}

/* Null where there is no such factor. */
static void add_by(struct tree_node parent, const char *key, const struct emission *emission,
                   const struct factor *factor)
{
    if (isnan(factor->kgco2eq_per_kwh))
        tree_null(parent, key);
    else
        add_emission(parent, key, emission);
}

static void add_figure(struct tree_node parent, const char *key, const struct usage_figure *figure)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "value", figure->value);
    tree_text_or_null(node, "from", figure->from);
}

static void add_usage(struct tree_node parent, const struct usage_summary *usage)
{
    const struct tree_node node = tree_object(parent, "usage");

    add_figure(node, "cpu_s", &usage->cpu_s);
    add_figure(node, "user_s", &usage->user_s);
    add_figure(node, "system_s", &usage->system_s);
    add_figure(node, "cpu_percent_of_core", &usage->cpu_percent_of_core);
    add_figure(node, "cpu_percent_of_machine", &usage->cpu_percent_of_machine);
    add_figure(node, "memory_peak_bytes", &usage->memory_peak_bytes);
    add_figure(node, "memory_bytes", &usage->memory_bytes);
    add_figure(node, "working_set_bytes", &usage->working_set_bytes);
    add_figure(node, "read_bytes", &usage->read_bytes);
    add_figure(node, "written_bytes", &usage->written_bytes);
    add_figure(node, "received_bytes", &usage->received_bytes);
    add_figure(node, "sent_bytes", &usage->sent_bytes);
    add_figure(node, "voluntary_switches", &usage->voluntary_switches);
    add_figure(node, "involuntary_switches", &usage->involuntary_switches);
    add_figure(node, "minor_faults", &usage->minor_faults);
    add_figure(node, "major_faults", &usage->major_faults);
    add_figure(node, "cpu_stall_s", &usage->cpu_stall_s);
    add_figure(node, "memory_stall_s", &usage->memory_stall_s);
    add_figure(node, "io_stall_s", &usage->io_stall_s);
    add_figure(node, "cycles", &usage->cycles);
    add_figure(node, "instructions", &usage->instructions);
    add_figure(node, "cache_misses", &usage->cache_misses);
    add_figure(node, "touched_bytes", &usage->touched_bytes);
    add_figure(node, "cache_bytes", &usage->cache_bytes);
}

static void add_bound(struct tree_node parent, const struct bound_verdict *verdict)
{
    const struct tree_node node = tree_object(parent, "bound");

    tree_text(node, "by", bound_name(verdict->bound));
    tree_text_or_null(node, "why", verdict->why);
}

/* Of the windows the one that began first. */
static uint64_t first_start_ns(const struct measurement *measurement)
{
    uint64_t first_ns = UINT64_MAX;

    if (measurement->baseline_count)
        first_ns = measurement->baselines[0].start_ns;
    if (measurement->run_count && measurement->runs[0].window.start_ns < first_ns)
        first_ns = measurement->runs[0].window.start_ns;
    return first_ns;
}

/* What a baseline and a run have in common. */
static struct tree_node add_window(struct tree_node windows, const struct measurement *measurement,
                                   const struct window *window)
{
    const struct tree_node node = tree_object(windows, NULL), energy = tree_array(node, "energy_uj");

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (window->known[i])
            tree_integer(energy, NULL, window->energy_uj[i]);
        else
            tree_null(energy, NULL);
    json_holes(node, measurement, window->unknown_ns, window->hole);
    json_time(node, "started_at", window->realtime_ns);
    tree_number(node, "start_s", s_from_ns(window->start_ns - first_start_ns(measurement)));
    tree_number(node, "duration_s", s_from_ns(window->duration_ns));
    tree_number(node, "suspended_s", s_from_ns(window->suspended_ns));
    tree_number(node, "reading_s", s_from_ns(window->span_ns));
    tree_number(node, "machine_busy_s", window->machine_busy_known ? s_from_ns(window->machine_busy_ns) : NAN);
    tree_number(node, "machine_lost_s", window->machine_busy_known ? s_from_ns(window->machine_lost_ns) : NAN);
    tree_number(node, "mask_busy_s", window->mask_cpus ? s_from_ns(window->mask_busy_ns) : NAN);
    tree_positive(node, "mask_cpus", window->mask_cpus);
    tree_number(node, "carbon_busy_s", s_from_ns(window->carbon_busy_ns));
    json_strides(node, measurement, window);
    return node;
}

static void add_baseline(struct tree_node baselines, const struct measurement *measurement,
                         const struct window *baseline)
{
    const struct tree_node node = add_window(baselines, measurement, baseline), parts = tree_array(node, "parts_w");

    for (size_t i = 0; i < baseline->part_count; i++)
        tree_number(parts, NULL, baseline->parts_w[i]);
}

static void add_gpus(struct tree_node parent, const struct run *run)
{
    const struct tree_node gpus = tree_array(parent, "gpus");

    for (size_t i = 0; i < run->gpu_count; i++) {
        const struct gpu_use *use = &run->gpus[i];
        struct gpu_fields fields = { use->domain, (int)use->told, NAN, NAN, NAN };
        if (use->told == GPU_TOLD) {
            fields.own_j = j_from_uj(use->own_uj);
            fields.used_j = j_from_uj(use->used_uj);
            fields.lost_j = j_from_uj(use->lost_uj);
        }
        fields_json(tree_object(gpus, NULL), &record_gpu, &fields);
    }
}

static void add_run(struct tree_node runs, const struct report *report, size_t i)
{
    const struct run *run = &report->measurement->runs[i];
    const struct run_summary summary = run_summary_of(report, i);
    const struct tree_node node = add_window(runs, report->measurement, &run->window);

    tree_bool(node, "warmup", run->warmup);
    tree_bool(node, "counted", run_is_counted(run));
    tree_bool(node, "ended", run->ended);
    tree_number(node, "gross_j", summary.gross_j);
    tree_number(node, "idle_j", summary.idle_j);
    tree_number(node, "net_j", summary.net_j);
    tree_number(node, "own_j", summary.own_j);
    tree_number(node, "own_idle_j", summary.own_idle_j);
    tree_number(node, "own_others_j", summary.own_others_j);
    tree_number(node, "share_j", summary.share_j);
    tree_number(node, "others_cores", summary.others_cores);
    tree_number(node, "machine_share", summary.machine_share);
    tree_number(node, "attributed_j", summary.attributed_j);
    tree_number(node, "gpu_own_j", summary.gpu_own_j);
    add_gpus(node, run);
    tree_natural(node, "exit_status", run->ended && report->command[0] ? run->end.exit_status : -1);
    tree_positive(node, "signal", run->ended ? (uint64_t)run->end.signal : 0);
    tree_bool(node, "core_dumped", run->ended && run->end.core_dumped);
    tree_number(node, "start_gap_s", report->command[0] ? s_from_ns(run->start_gap_ns) : NAN);
    tree_number(node, "end_gap_s", run->ended && report->command[0] ? s_from_ns(run->end_gap_ns) : NAN);
    tree_natural(node, "left_behind", run->orphans_unseen ? -1 : (int)run->left_behind);
    tree_text_or_null(node, "left_behind_names", run->left_behind_names);
    json_run_phases(node, report, i);
    json_slices(node, run->slices);
    add_usage(node, &summary.usage);
    add_bound(node, &summary.bound);
}

static void add_windows(struct tree_node parent, const struct report *report)
{
    const struct measurement *measurement = report->measurement;
    const struct tree_node windows = tree_object(parent, "windows");
    const struct tree_node baselines = tree_array(windows, "baselines"), runs = tree_array(windows, "runs");

    for (size_t i = 0; i < measurement->baseline_count; i++)
        add_baseline(baselines, measurement, &measurement->baselines[i]);
    for (size_t i = 0; i < measurement->run_count; i++)
        add_run(runs, report, i);
}

static void add_meta(struct tree_node root, const struct report *report)
{
    struct tree_node node;

    if (!report->meta_count) {
        tree_null(root, "meta");
        return;
    }
    node = tree_object(root, "meta");
    for (size_t i = 0; i < report->meta_count; i++)
        tree_text(node, report->meta[i].key, report->meta[i].value);
}

static void add_series(struct tree_node root, const struct report *report)
{
    const struct summary *summary = &report->summary;
    const struct tree_node command = tree_array(root, "command"), cpus = tree_object(root, "cpus");

    for (size_t i = 0; report->command[i]; i++)
        tree_text(command, NULL, report->command[i]);
    tree_text_or_null(root, "label", report->label);
    tree_text_or_null(root, "project", report->project);
    add_meta(root, report);
    tree_text_or_null(root, "target", report->target);
    tree_text_or_null(cpus, "list", report->cpus);
    tree_text_or_null(cpus, "from", report->cpus_from);
    tree_natural(cpus, "count", report->job_cpus > 0 ? report->job_cpus : -1);
    tree_natural(root, "exit_status", report->exit_known ? report->exit_status : -1);
    tree_integer(root, "runs", summary->runs);
    tree_integer(root, "warmups", report->warmups);
    json_spread(root, "duration_s", &summary->duration_s);
    tree_number(root, "baseline_s", summary->baseline_s);
    tree_number(root, "start_gap_s", report->start_gap_s);
    tree_number(root, "end_gap_s", report->end_gap_s);
}

static void add_settling(struct tree_node root, const struct settling *settling)
{
    struct tree_node node;

    if (!settling->asked) {
        tree_null(root, "settling");
        return;
    }
    node = tree_object(root, "settling");
    tree_number(node, "waited_s", settling->waited_s);
    tree_number(node, "variation", settling->variation);
    tree_bool(node, "steady", settling->steady);
}

static void add_total(struct tree_node root, const struct report *report)
{
    const struct summary *summary = &report->summary;

    tree_text(root, "scope", scope_name(report->scope));
    add_whole_machine(root, report->measurement);
    tree_text(root, "quality", quality_name(summary->quality));
    add_sources(root, report->measurement);
    add_energy(root, &summary->total);
    tree_number(root, "idle_deviation_w", summary->idle_deviation_w);
    tree_number(root, "net_noise_j", summary->net_noise_j);
    tree_number(root, "resolution_j", summary->resolution_j);
    tree_bool(root, "below_resolution", summary->below_resolution);
    tree_integer(root, "counted_unknown", summary->counted_unknown);
    tree_bool(root, "at_least", summary->at_least);
    tree_number(root, "unknown_s", summary->unknown_s);
    tree_text(root, "verdict", verdict_name(summary->verdict.verdict));
    tree_number(root, "detectable_j", summary->verdict.detectable_j);
    tree_positive(root, "runs_needed", summary->verdict.runs_needed);
    json_spread(root, "share_j", &summary->share_j);
    json_spread(root, "others_cores", &summary->others_cores);
    tree_number(root, "baseline_busy_cpus", summary->baseline_busy_cpus);
    tree_number(root, "baseline_busy_mask_cpus", summary->baseline_busy_mask_cpus);
    tree_positive(root, "mask_cpus", summary->mask_cpus);
    json_spread(root, "machine_share", &summary->machine_share);
    json_spread(root, "attributed_j", &summary->attributed_j);
    json_spread(root, "gpu_own_j", &summary->total.gpu_own_j);
    add_settling(root, &report->measurement->settling);
}

/* What was asked for, so that the same can be asked again. */
static void add_asked(struct tree_node root, const struct report *report)
{
    const struct tree_node node = tree_object(root, "factor_query"), notices = tree_array(node, "notices");
    const struct factor_asked *asked = &report->asked;

    tree_text_or_null(node, "zone", asked->zone);
    tree_positive(node, "year", asked->year > 0 ? (uint64_t)asked->year : 0);
    tree_bool(node, "share_alike", asked->share_alike);
    tree_text_or_null(node, "set", asked->set);
    for (size_t i = 0; i < asked->notice_count; i++)
        tree_text(notices, NULL, report->notices.item[asked->first_notice + i].what);
}

static void add_parent(struct tree_node root, const struct parent *parent)
{
    struct tree_node node;

    json_time(root, "restated_at", parent->restated_realtime_ns);
    if (!parent->id[0]) {
        tree_null(root, "parent");
        return;
    }
    node = tree_object(root, "parent");
    tree_text(node, "id", parent->id);
    tree_text_or_null(node, "schema", parent->schema);
    json_time(node, "started_at", parent->started_realtime_ns);
}

/* Of the form: it grows with every field that is added, or that says more; a record without one is 0.
 *   1  a kind beside each notice, and what kind of notice a refusal is
 *   2  what the job had of the graphics cards
 *   3  how long a reading took, how busy others kept the CPUs in the baselines, and those that the job may use, and the
 *      job's own energy (own_j of a domain was the job's part of a card, which is gpu_own_j now)
 *   4  the machine profile; the CPU time of each phase, and the job's own energy in it; the strides of windows that own
 *      may be learnt from, and whose the other parts of gross are
 *   5  beside what was bought, the location-based figure of its basis; rates in kWh beside those in kgCO2eq
 *   6  the official set that was asked for
 *   7  which machine it was, and which start of it */
enum { MINOR = 8 };

void json_record(struct tree_node root, const struct report *report)
{
    const struct meter *meter = report->measurement->meter;
    const struct factor *market = &report->beside.market;
    struct tree_node domains, emissions;

    tree_text(root, "schema", REPORT_SCHEMA);
    tree_integer(root, "minor", MINOR);
    tree_text(root, "id", report->id);
    tree_text(root, "carbon_version", report->made_by ? report->made_by : PACKAGE_VERSION);
    add_parent(root, &report->parent);
    json_time(root, "started_at", report->started_realtime_ns);
    json_time(root, "ended_at", report->ended_realtime_ns);
    tree_bool(root, "complete", report->complete);
    tree_bool(root, "interrupted", report->measurement->interrupted);
    tree_bool(root, "recorded_tree", report->recorded_tree);
    add_series(root, report);
    add_total(root, report);
    json_pue(root, report->pue, report->pue_quality, &report->beside);
    json_factor(root, "factor", &report->factor);
    json_beside(root, &report->beside);
    add_asked(root, report);
    json_hourly(root, report);
    json_value(root, "hours_per_year", report->hours_per_year, report->hours_quality);
    emissions = tree_object(root, "emissions");
    add_emission(emissions, "gross", &report->gross);
    add_emission(emissions, "net", &report->net);
    add_emission(emissions, "share", &report->share);
    add_emission(emissions, "own", &report->own);
    add_by(emissions, "gross_market", &report->gross_market, market);
    add_by(emissions, "net_market", &report->net_market, market);
    add_by(emissions, "share_market", &report->share_market, market);
    add_by(emissions, "own_market", &report->own_market, market);
    add_by(emissions, "gross_market_location", &report->gross_market_location, beside_market(&report->beside));
    add_by(emissions, "net_market_location", &report->net_market_location, beside_market(&report->beside));
    json_added(emissions, "td_losses", &report->td_losses);
    json_added(emissions, "upstream", &report->upstream);
    tree_number(emissions, "gross_water_l", report->gross_water_l);
    tree_number(emissions, "net_water_l", report->net_water_l);
    json_sci(root, &report->sci);
    json_equivalents(root, &report->equivalents);
    json_provenance(root, report);
    add_usage(root, &report->usage);
    add_bound(root, &report->bound);
    json_machine(root, report->machine);
    if (report->profile.id[0])
        fields_json(tree_object(root, "machine_profile"), &record_profile, &report->profile);
    else
        tree_null(root, "machine_profile");
    json_job(root, &report->job);
    domains = tree_array(root, "domains");
    for (size_t i = 0; i < meter->domain_count; i++)
        add_domain(domains, report, i);
    add_refusals(root, meter);
    json_phases(root, report);
    add_windows(root, report);
    json_notices(root, &report->doubts);
}

char *json_record_string(const struct report *report, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    json_record(tree_root(&tree), report);
    return tree_string(&tree, "the JSON record", err);
}

static bool json_form(const struct report *report, FILE *out, struct error *err)
{
    struct tree tree;

    tree_open(&tree);
    json_record(tree_root(&tree), report);
    return tree_write(&tree, out, "the JSON record", err);
}

const struct report_format json_format = { "json", "the whole record", json_form };
