/* SPDX-License-Identifier: MIT
 * Peaks of pods for machines, "carbon.resources/1": exact, and rounded up beside it. */
#include "commands/prometheus/resources.h"

#include "base/units.h"
#include "form/json_parts.h"

static void add_figures(struct tree_node node, const struct peaks *peaks, const struct peak *peak)
{
    const struct request request = resources_request(peaks, peak);
    const double gib = resources_gib(peak->memory_bytes);
    struct tree_node given;

    tree_number(node, "cpu_cores", peak->cpu_cores);
    tree_number(node, "memory_bytes", peak->memory_bytes);
    tree_number(node, "memory_gib", gib);
    tree_number(node, "cpu_cores_rounded_up", resources_rounded_up(peak->cpu_cores));
    tree_number(node, "memory_gib_rounded_up", resources_rounded_up(gib));
    given = tree_object(node, "request");
    tree_nonzero_or_null(given, "cpu", request.cpu);
    tree_nonzero_or_null(given, "memory_mb", request.memory_mb);
}

static void add_pods(struct tree_node root, const struct peaks *peaks)
{
    const struct tree_node pods = tree_array(root, "pods");
    struct tree_node containers = { .json = NULL };

    for (size_t i = 0; i < peaks->count; i++) {
        const struct peak *peak = &peaks->items[i];
        const bool whole = !*peak->container;
        struct tree_node node;

        if (!whole && !containers.json)
            continue;
        node = tree_object(whole ? pods : containers, NULL);
        if (whole) {
            tree_text(node, "namespace", peak->namespace);
            tree_text(node, "pod", peak->pod);
        } else {
            tree_text(node, "container", peak->container);
        }
        add_figures(node, peaks, peak);
        if (whole)
            containers = tree_array(node, "containers");
    }
}

bool resources_json(const struct resources *resources, FILE *out, struct error *err)
{
    struct tree tree;
    struct tree_node root;

    tree_open(&tree);
    root = tree_root(&tree);
    json_head(root, RESOURCES_SCHEMA);
    json_time(root, "created_at", resources->created_realtime_ns);
    tree_text(root, "server", resources->server);
    json_time(root, "from", (uint64_t)(resources->query.from_s * NS_PER_S));
    json_time(root, "to", (uint64_t)(resources->query.to_s * NS_PER_S));
    tree_number(root, "duration_s", resources->query.to_s - resources->query.from_s);
    tree_text_or_null(root, "namespace", resources->query.namespace);
    tree_text_or_null(root, "pod", resources->query.pod);
    tree_number(root, "cpu_mean_over_s", resources->peaks.rate_s);
    tree_number(root, "sampled_every_s", resources->peaks.step_s);
    tree_text(root, "request_rule", "cpost-0.8.1");
    add_pods(root, &resources->peaks);
    json_notices(root, &resources->notices);
    return tree_write(&tree, out, "the resources as JSON", err);
}
