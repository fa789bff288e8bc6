/* SPDX-License-Identifier: MIT
 * Parts of a record in JSON, which other documents have, too. */
#include "result/record_json.h"

#include "result/report.h"

#include <math.h>

void json_factor(struct tree_node parent, const char *key, const struct factor *factor)
{
    const struct tree_node node = tree_object(parent, key);

    tree_number(node, "kgco2eq_per_kwh", factor->kgco2eq_per_kwh);
    tree_text(node, "quality", quality_name(factor->quality));
    tree_text_or_null(node, "zone", factor->zone);
    tree_text_or_null(node, "zone_name", factor->zone_name);
    tree_positive(node, "year", factor->year > 0 ? (uint64_t)factor->year : 0);
    /* of a factor that nobody tells nobody says what it covers */
    tree_text_or_null(node, "basis", isnan(factor->kgco2eq_per_kwh) ? NULL : factor_basis_name(factor->basis));
    tree_text_or_null(node, "method", factor->method);
    tree_text_or_null(node, "scope", factor->scope);
    tree_text_or_null(node, "td_losses", factor->td_losses);
    tree_text_or_null(node, "gases", factor->gases);
    tree_text_or_null(node, "source_id", factor->source_id);
    tree_text_or_null(node, "source", factor->source);
    tree_text_or_null(node, "licence", factor->licence);
    tree_text_or_null(node, "table", factor->table);
}

void json_machine(struct tree_node parent, const struct machine *machine)
{
    const struct tree_node node = tree_object(parent, "machine");

    tree_text_or_null(node, "cpu_vendor", machine->cpu_vendor);
    tree_text_or_null(node, "cpu_model", machine->cpu_model);
    tree_natural(node, "cpu_family", machine->cpu_family);
    tree_natural(node, "cpu_number", machine->cpu_number);
    tree_natural(node, "cpu_stepping", machine->cpu_stepping);
    tree_bool(node, "guest", machine->guest);
    tree_text_or_null(node, "hypervisor", machine->hypervisor);
    tree_bool(node, "container", machine->container);
    tree_natural(node, "cpus_online", machine->cpus_online);
    tree_natural(node, "packages", machine->packages);
    tree_positive(node, "memory_bytes", machine->memory_bytes);
    tree_text_or_null(node, "kernel", machine->kernel);
    tree_text_or_null(node, "id", machine->id);
    tree_text_or_null(node, "start", machine->start);
}

static void add_natural(struct tree_node node, const char *key, int64_t value)
{
    if (value < 0)
        tree_null(node, key);
    else
        tree_integer(node, key, (uint64_t)value);
}

void json_job(struct tree_node parent, const struct slurm_job *job)
{
    struct tree_node node;

    if (!job->known) {
        tree_null(parent, "job");
        return;
    }
    node = tree_object(parent, "job");
    tree_text(node, "scheduler", "slurm");
    add_natural(node, "id", job->id);
    tree_text_or_null(node, "step", job->step);
    add_natural(node, "array_job", job->array_job);
    add_natural(node, "array_task", job->array_task);
    tree_text_or_null(node, "node", job->node);
    tree_text_or_null(node, "boot_id", job->boot_id);
    add_natural(node, "nodes", job->nodes);
    add_natural(node, "tasks", job->tasks);
    add_natural(node, "node_tasks", job->node_tasks);
    add_natural(node, "rank", job->rank);
    add_natural(node, "local_rank", job->local_rank);
    tree_text_or_null(node, "partition", job->partition);
    tree_text_or_null(node, "account", job->account);
    tree_text_or_null(node, "cluster", job->cluster);
}

void json_session(struct tree_node root, const struct report *session)
{
    tree_bool(root, "recorded_tree", session->recorded_tree);
    json_machine(root, session->machine);
    tree_text(root, "scope", scope_name(session->scope));
    json_value(root, "pue", session->pue, session->pue_quality);
    json_factor(root, "factor", &session->factor);
}
