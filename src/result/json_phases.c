/* SPDX-License-Identifier: MIT
 * The record's phases. */
#include "result/report.h"

#include "base/units.h"
#include "result/record_fields.h"
#include "result/record_json.h"

#include <math.h>

void json_holes(struct tree_node parent, const struct measurement *measurement, const uint64_t unknown_ns[],
                const uint8_t hole[])
{
    const struct tree_node holes = tree_array(parent, "holes");

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct hole_fields fields = { i, s_from_ns(unknown_ns[i]), hole[i] };
        if (unknown_ns[i])
            fields_json(tree_object(holes, NULL), &record_hole, &fields);
    }
}

static void add_phase(struct tree_node phases, const struct phase_summary *phase)
{
    const struct tree_node node = tree_object(phases, NULL);

    tree_text(node, "name", phase->name);
    tree_integer(node, "runs", phase->runs);
    tree_number(node, "times", phase->times);
    json_spread(node, "duration_s", &phase->duration_s);
    json_spread(node, "gross_j", &phase->gross_j);
    json_spread(node, "idle_j", &phase->idle_j);
    json_spread(node, "net_j", &phase->net_j);
    tree_number(node, "cpu_s", phase->cpu_s);
    json_spread(node, "own_j", &phase->own_j);
    tree_text(node, "own_method", own_method_name(phase->own_method));
    tree_number(node, "own_low_j", phase->own_low_j);
    tree_number(node, "own_high_j", phase->own_high_j);
    tree_number(node, "gross_w", phase->gross_w);
    tree_number(node, "net_w", phase->net_w);
    tree_number(node, "own_w", phase->own_w);
    tree_bool(node, "below_resolution", phase->below_resolution);
    tree_bool(node, "at_least", phase->at_least);
}

void json_phases(struct tree_node root, const struct report *report)
{
    struct tree_node phases;

    if (!report->measurement->marks) {
        tree_null(root, "phases");
        return;
    }
    phases = tree_array(root, "phases");
    for (size_t i = 0; i < report->phases.count; i++)
        add_phase(phases, &report->phases.items[i]);
}

static void add_run_phase(struct tree_node phases, const struct report *report, const struct run *run,
                          const struct phase *phase)
{
    const struct tree_node node = tree_object(phases, NULL), energy = tree_array(node, "energy_uj");
    const struct measurement *measurement = report->measurement;
    const struct energies energies = phase_energies(measurement, run, phase);
    const struct own own = phase_own(measurement, &report->summary.own_basis, run, phase);

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (phase->known[i] && run->window.known[i])
            tree_integer(energy, NULL, phase->energy_uj[i]);
        else
            tree_null(energy, NULL);
    json_holes(node, measurement, phase->unknown_ns, phase->hole);
    tree_text(node, "name", phase->name);
    tree_integer(node, "times", phase->times);
    tree_number(node, "duration_s", s_from_ns(phase->duration_ns));
    tree_number(node, "gross_j", energies.gross_j);
    tree_number(node, "idle_j", energies.idle_j);
    tree_number(node, "net_j", energies.net_j);
    tree_number(node, "cpu_s", phase->cpu_known ? s_from_ns(phase->cpu_ns) : NAN);
    tree_number(node, "own_j", own.own_j);
}

static uint64_t marks_of(const struct phases *phases)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < MARK_ORIGINS; i++)
        sum += phases->origins[i];
    return sum;
}

void json_run_phases(struct tree_node run_node, const struct report *report, size_t i)
{
    const struct run *run = &report->measurement->runs[i];
    const struct phases *phases = run->phases;
    struct tree_node items, marks;

    if (!phases) {
        tree_null(run_node, "phases");
        tree_null(run_node, "marks");
        tree_null(run_node, "marks_left_out");
        return;
    }
    items = tree_array(run_node, "phases");
    marks = tree_array(run_node, "marks");
    for (size_t p = 0; p < phases->count; p++)
        add_run_phase(items, report, run, &phases->items[p]);
    for (size_t m = 0; m < phases->mark_count; m++) {
        const struct tree_node mark = tree_object(marks, NULL);
        tree_text(mark, "name", phases->items[phases->marks[m].phase].name);
        tree_number(mark, "at_s", s_from_ns(phases->marks[m].at_ns));
    }
    tree_integer(run_node, "marks_left_out", marks_of(phases) - phases->mark_count);
}
