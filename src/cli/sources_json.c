/* SPDX-License-Identifier: MIT
 * The sources as JSON, for scripts and for people who ask for help. */
#include "cli/sources_json.h"

#include "base/quality.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

/* A place in the document; failed is shared by all of it (no memory). */
struct node {
    cJSON *json;
    bool *failed;
};

/* key NULL: into an array. Keys live for ever. */
static struct node add(struct node parent, const char *key, cJSON *item)
{
    if (item && (key ? cJSON_AddItemToObjectCS(parent.json, key, item) : cJSON_AddItemToArray(parent.json, item)))
        return (struct node){ item, parent.failed };
    cJSON_Delete(item);
    *parent.failed = true;
    return (struct node){ NULL, parent.failed };
}

static void add_bool(struct node parent, const char *key, bool value)
{
    add(parent, key, cJSON_CreateBool(value));
}

static void add_number(struct node parent, const char *key, double value)
{
    add(parent, key, cJSON_CreateNumber(value));
}

static void add_number_or_null(struct node parent, const char *key, bool known, double value)
{
    add(parent, key, known ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void add_text(struct node parent, const char *key, const char *text)
{
    add(parent, key, cJSON_CreateString(text));
}

static void add_text_or_null(struct node parent, const char *key, const char *text)
{
    add(parent, key, text[0] ? cJSON_CreateString(text) : cJSON_CreateNull());
}

/* state, what, why, fix: alike for a source and a domain. */
static void add_state(struct node object, const struct error *error)
{
    add_text(object, "state", error_kind_name(error->kind));
    add_text_or_null(object, "what", error->what);
    add_text_or_null(object, "why", error->why);
    add_text_or_null(object, "fix", error->fix);
}

static void add_machine(struct node object, const struct machine *machine)
{
    const struct node facts = add(object, "machine", cJSON_CreateObject());

    add_text_or_null(facts, "cpu_vendor", machine->cpu_vendor);
    add_text_or_null(facts, "cpu_model", machine->cpu_model);
    add_number_or_null(facts, "cpu_family", machine->cpu_family >= 0, machine->cpu_family);
    add_number_or_null(facts, "cpu_number", machine->cpu_number >= 0, machine->cpu_number);
    add_number_or_null(facts, "cpu_stepping", machine->cpu_stepping >= 0, machine->cpu_stepping);
    add_number(facts, "packages", machine->packages);
    add_number(facts, "cpus_online", machine->cpus_online);
    add_number_or_null(facts, "memory_bytes", machine->memory_bytes > 0, (double)machine->memory_bytes);
    add_text_or_null(facts, "kernel", machine->kernel);
    add_bool(facts, "guest", machine->guest);
    add_text_or_null(facts, "hypervisor", machine->hypervisor);
    add_bool(facts, "container", machine->container);
}

static void add_domain(struct node list, const struct domain *domain, const struct counting *counting, size_t index)
{
    static const char *const accesses[] = {
        [ACCESS_MSR] = "msr",
        [ACCESS_MMIO] = "mmio",
        [ACCESS_PERF] = "perf",
        [ACCESS_MODEL] = "model",
    };
    const bool modelled = domain->quality == QUALITY_MODELLED;
    const struct node object = add(list, NULL, cJSON_CreateObject());

    add_text(object, "name", domain->name);
    add_text_or_null(object, "path", domain->path);
    add_text(object, "component", component_name(domain->component));
    add_number_or_null(object, "package", domain->package >= 0, domain->package);
    add_number_or_null(object, "die", domain->die >= 0, domain->die);
    add_text(object, "access", accesses[domain->access]);
    add_text(object, "quality", quality_name(domain->quality));
    add_state(object, &domain->problem);
    add_bool(object, "counted", counting->counts[index]);
    add_bool(object, "would_count", counting->would_count[index]);
    add_text(object, "reason", counting->reason[index]);
    add_number_or_null(object, "wraps_at_uj", domain->wraps_at_uj > 0, (double)domain->wraps_at_uj);
    add_bool(object, "wrap_unknown", domain->wrap_unknown);
    add_number(object, "resolution_uj", (double)domain->resolution_uj);
    add_number(object, "update_ns", (double)domain->update_ns);
    add_number_or_null(object, "low_ratio", modelled, domain->low_ratio);
    add_number_or_null(object, "high_ratio", modelled, domain->high_ratio);
}

static void add_source(struct node list, const struct sources *sources, const struct source_view *view)
{
    const struct node object = add(list, NULL, cJSON_CreateObject());
    struct node domains;

    add_text(object, "name", view->driver->name);
    add_text(object, "about", view->driver->about);
    add_text(object, "quality", quality_name(view->driver->quality));
    add_bool(object, "in_use", view->in_use);
    add_state(object, &view->error);
    domains = add(object, "domains", cJSON_CreateArray());
    for (size_t i = 0; i < sources->meter.domain_count; i++)
        if (sources->meter.domains[i].source == view->source)
            add_domain(domains, sources->meter.domains[i].domain, &sources->counting, i);
}

static void add_notices(struct node object, const struct notices *notices)
{
    const struct node list = add(object, "notices", cJSON_CreateArray());

    for (size_t i = 0; i < notices->count; i++) {
        const struct node notice = add(list, NULL, cJSON_CreateObject());
        add_text(notice, "what", notices->item[i].what);
        add_text_or_null(notice, "why", notices->item[i].why);
        add_text_or_null(notice, "fix", notices->item[i].fix);
    }
}

bool sources_write_json(const struct sources *sources, FILE *out, struct error *err)
{
    bool failed = false, written = true;
    const struct node document = { cJSON_CreateObject(), &failed };
    struct node list;
    char *text;

    add_text(document, "schema", SOURCES_SCHEMA);
    add_text(document, "root", sources->meter.root->path);
    add_bool(document, "recorded_tree", !sources->meter.root->live);
    add_machine(document, &sources->machine);
    add_text(document, "status", sources->status);
    add_bool(document, "measurable", sources->measurable);
    add_text(document, "scope", scope_name(sources->scope));
    list = add(document, "sources", cJSON_CreateArray());
    for (size_t i = 0; i < sources->view_count; i++)
        add_source(list, sources, &sources->views[i]);
    add_notices(document, &sources->notices);
    text = failed ? NULL : cJSON_Print(document.json);
    cJSON_Delete(document.json);
    if (!text)
        return error_set(err, ERROR_SYSTEM, "there is not enough memory for the list of sources");
    if (fputs(text, out) == EOF || fputc('\n', out) == EOF)
        written = error_errno(err, "cannot write the list of sources");
    free(text);
    return written;
}
