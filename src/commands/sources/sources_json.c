/* SPDX-License-Identifier: MIT
 * The sources as JSON, for scripts and for people who ask for help. */
#include "commands/sources/sources_json.h"

#include "base/quality.h"
#include "result/record_json.h"

#include <math.h>

/* state, notice, what, why, fix: alike for a source and a domain. */
static void add_state(struct tree_node object, const struct error *error, enum notice_kind notice)
{
    tree_text(object, "state", error_kind_name(error->kind));
    tree_text_or_null(object, "notice", notice_kind_name(notice));
    tree_text_or_null(object, "what", error->what);
    tree_text_or_null(object, "why", error->why);
    tree_text_or_null(object, "fix", error->fix);
}

static void add_domain(struct tree_node list, const struct domain *domain, const struct counting *counting,
                       size_t index)
{
    const bool modelled = domain->quality == QUALITY_MODELLED;
    const struct tree_node object = tree_object(list, NULL);

    tree_text(object, "name", domain->name);
    tree_text_or_null(object, "path", domain->path);
    tree_text(object, "component", component_name(domain->component));
    tree_natural(object, "package", domain->package);
    tree_natural(object, "die", domain->die);
    tree_text(object, "access", access_name(domain->access));
    tree_text(object, "quality", quality_name(domain->quality));
    add_state(object, &domain->problem,
              domain->not_counted_kind ? domain->not_counted_kind : notice_kind_of_refusal(&domain->problem));
    tree_bool(object, "counted", counting->counts[index]);
    tree_bool(object, "would_count", counting->would_count[index]);
    tree_text(object, "reason", counting->reason[index]);
    tree_positive(object, "wraps_at_uj", domain->wraps_at_uj);
    tree_bool(object, "wrap_unknown", domain->wrap_unknown);
    tree_integer(object, "resolution_uj", domain->resolution_uj);
    tree_integer(object, "update_ns", domain->update_ns);
    tree_positive(object, "poll_ns", domain->poll_ns);
    tree_bool(object, "part", domain->part);
    tree_number(object, "low_ratio", modelled ? domain->low_ratio : NAN);
    tree_number(object, "high_ratio", modelled ? domain->high_ratio : NAN);
}

static void add_source(struct tree_node list, const struct sources *sources, const struct source_view *view)
{
    const struct tree_node object = tree_object(list, NULL);
    struct tree_node domains;

    tree_text(object, "name", view->driver->name);
    tree_text(object, "about", view->driver->about);
    tree_text(object, "quality", quality_name(view->driver->quality));
    tree_bool(object, "in_use", view->in_use);
    add_state(object, &view->error, notice_kind_of_refusal(&view->error));
    domains = tree_array(object, "domains");
    for (size_t i = 0; i < sources->meter.domain_count; i++)
        if (sources->meter.domains[i].source == view->source)
            add_domain(domains, sources->meter.domains[i].domain, &sources->counting, i);
}

static void add_profile(struct tree_node root, const struct machine_profile *profile)
{
    struct tree_node node;

    if (!profile) {
        tree_null(root, "machine_profile");
        return;
    }
    node = tree_object(root, "machine_profile");
    tree_text(node, "path", profile->path);
    tree_text_or_null(node, "id", profile->id);
    tree_text_or_null(node, "made_at", profile->made_at);
    tree_bool(node, "fits", profile->refused.kind == ERROR_NONE);
    tree_text_or_null(node, "why_not", profile->refused.kind == ERROR_NONE ? "" : profile->refused.why);
}

bool sources_write_json(const struct sources *sources, FILE *out, bool one_line, struct error *err)
{
    const int whole = sources->counting.whole_machine;
    struct tree tree;
    struct tree_node root, list;

    tree_open(&tree);
    root = tree_root(&tree);
    tree_text(root, "schema", SOURCES_SCHEMA);
    tree_text(root, "root", sources->meter.root->path);
    tree_bool(root, "recorded_tree", !sources->meter.root->live);
    json_machine(root, &sources->machine);
    tree_text(root, "status", sources->status);
    tree_bool(root, "measurable", sources->measurable);
    tree_text(root, "scope", scope_name(sources->scope));
    tree_text_or_null(root, "whole_machine", whole < 0 ? NULL : sources->meter.domains[whole].domain->path);
    tree_bool(root, "stands_in", sources->counting.stands_in);
    add_profile(root, sources->machine.told.profile);
    list = tree_array(root, "sources");
    for (size_t i = 0; i < sources->view_count; i++)
        add_source(list, sources, &sources->views[i]);
    json_notices(root, &sources->notices);
    return (one_line ? tree_write_line : tree_write)(&tree, out, "the list of sources", err);
}
