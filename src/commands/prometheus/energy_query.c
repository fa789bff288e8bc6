/* SPDX-License-Identifier: MIT
 * Which exporter a Prometheus has, and its counters of energy. */
#include "commands/prometheus/energy_query.h"

#include "base/text.h"
#include "series/increase.h"

#include <math.h>

/* What is asked for of pods, and by which labels. Where the exporter has those that Prometheus has, too, the names may
 * have changed on the way: "" is not asked by. */
static const struct pod_level {
    enum exporter_kind kind;
    enum workload_level level;
    const char *namespace_label, *pod_label;
} pod_levels[] = {
    { EXPORTER_CARBON, LEVEL_POD, "", "pod_name" },
    { EXPORTER_CARBON, LEVEL_CONTAINER, "", "pod_name" },
    { EXPORTER_KEPLER, LEVEL_POD, "pod_namespace", "pod_name" },
    { EXPORTER_KEPLER_OLD, LEVEL_CONTAINER, "container_namespace", "pod_name" },
    { EXPORTER_KEPLER_OLD, LEVEL_POD, "pod_namespace", "pod_name" },
    { EXPORTER_SCAPHANDRE, LEVEL_PROCESS, "kubernetes_pod_namespace", "kubernetes_pod_name" },
    { .kind = EXPORTER_NONE },
};

static const struct pod_level *level_of(enum exporter_kind kind)
{
    const struct pod_level *level = pod_levels;

    while (level->kind != EXPORTER_NONE && level->kind != kind)
        level++;
    return level;
}

const char *energy_namespace_label(enum exporter_kind kind)
{
    return kind == EXPORTER_CARBON ? "namespace" : level_of(kind)->namespace_label;
}

const char *energy_pod_label(enum exporter_kind kind)
{
    return level_of(kind)->pod_label;
}

/* A family of pods is one of those above. */
static bool is_wanted(const struct kind_family *family, const struct energy_query *query, enum exporter_kind kind)
{
    if (kind != EXPORTER_NONE && family->kind != kind)
        return false;
    if (!query->pods)
        return family->level == LEVEL_NODE;
    for (const struct pod_level *level = pod_levels; level->kind != EXPORTER_NONE; level++)
        if (level->kind == family->kind && level->level == family->level)
            return true;
    return false;
}

/* {__name__=~"a|b|c" of the families of a kind, EXPORTER_NONE: any, and of a level, LEVEL_COUNT: any. */
static void add_families(struct text *text, const struct energy_query *query, enum exporter_kind kind,
                         enum workload_level level)
{
    const char *between = "";

    text_add(text, "{__name__=~\"");
    for (const struct kind_family *family = kind_families; family->metric; family++)
        if (is_wanted(family, query, kind) && (level == LEVEL_COUNT || family->level == level)) {
            text_add(text, "%s%s", between, family->metric);
            between = "|";
        }
    if (kind == EXPORTER_NONE || kind == EXPORTER_KEPLER_OLD) { /* up to 0.3: values in labels */
        text_add(text,
                 query->pods ? "%skepler_pod_energy_stat|pod_energy_stat"
                             : "%skepler_node_energy_stat|node_energy_stat",
                 between);
        between = "|";
    }
    if (!query->pods && (kind == EXPORTER_NONE || kind == EXPORTER_NODE))
        text_add(text, "%snode_rapl_package_.+_joules_total", between); /* domain of a die */
    text_add(text, "\"");
}

static bool query_text(const struct prometheus_server *server, struct text *text, double time_s, struct series_set *set,
                       struct notices *notices, struct error *err)
{
    const bool good = text_ok(text) ? prometheus_query(server, text->data, time_s, set, notices, err)
                                    : error_set(err, ERROR_SYSTEM, "no memory for the query");

    text_close(text);
    return good;
}

/* With the time beside the window whose samples tell what crosses its edges. */
static double length_of(const struct energy_query *query)
{
    return ceil(query->to_s - query->from_s) + 2 * INCREASE_EDGE_S + 1;
}

/* Bits, as of exporters_found. */
static bool find_kinds(const struct prometheus_server *server, const struct energy_query *query, unsigned *found,
                       struct notices *notices, struct error *err)
{
    struct series_set set = { .count = 0 };
    struct text text;
    bool good;

    text_open(&text, SIZE_MAX);
    text_add(&text, "count by (__name__) (last_over_time(");
    add_families(&text, query, query->kind, LEVEL_COUNT);
    text_add(&text, "}[%.0fs]))", length_of(query));
    good = query_text(server, &text, query->to_s + INCREASE_EDGE_S, &set, notices, err);
    *found = exporters_found(&set);
    series_set_close(&set);
    return good;
}

/* The samples of one level of one exporter. */
static bool ask_level(const struct prometheus_server *server, const struct energy_query *query, enum exporter_kind kind,
                      const struct pod_level *level, struct series_set *set, struct notices *notices, struct error *err)
{
    struct text text;
    bool good;

    text_open(&text, SIZE_MAX);
    add_families(&text, query, kind, level ? level->level : LEVEL_COUNT);
    if (level && query->namespace && *level->namespace_label)
        prometheus_add_matcher(&text, level->namespace_label, query->namespace);
    if (level && query->pod)
        prometheus_add_matcher(&text, level->pod_label, query->pod);
    else if (level)
        text_add(&text, ",%s!=\"\"", level->pod_label);
    text_add(&text, "}");
    good = text_ok(&text) ? prometheus_samples(server, text.data, query->from_s - INCREASE_EDGE_S,
                                               query->to_s + INCREASE_EDGE_S, set, notices, err)
                          : error_set(err, ERROR_SYSTEM, "no memory for the query");
    text_close(&text);
    return good;
}

static bool ask_kind(const struct prometheus_server *server, const struct energy_query *query, enum exporter_kind kind,
                     struct series_set *set, struct notices *notices, struct error *err)
{
    bool good = true;

    if (!query->pods)
        return ask_level(server, query, kind, NULL, set, notices, err);
    for (const struct pod_level *level = pod_levels; good && level->kind != EXPORTER_NONE; level++)
        if (level->kind == kind)
            good = ask_level(server, query, kind, level, set, notices, err);
    return good;
}

/* While a cluster changes from one exporter to another, some nodes have the one and some the other: all are asked. */
bool energy_ask(const struct prometheus_server *server, const struct energy_query *query, struct series_set *set,
                enum exporter_kind *kind, struct notices *notices, struct error *err)
{
    unsigned found;

    *kind = EXPORTER_NONE;
    if (!find_kinds(server, query, &found, notices, err))
        return false;
    for (enum exporter_kind one = EXPORTER_NONE + 1; one < EXPORTER_COUNT; one++)
        if (found & 1u << one && !ask_kind(server, query, one, set, notices, err))
            return false;
    for (size_t i = 0; i < EXPORTER_COUNT - 1 && *kind == EXPORTER_NONE; i++)
        if (found & 1u << exporter_preference[i])
            *kind = exporter_preference[i];
    series_set_sort(set);
    return true;
}

bool energy_pods(const struct prometheus_server *server, const struct energy_query *query, enum exporter_kind kind,
                 struct series_set *set, struct notices *notices, struct error *err)
{
    const struct energy_query all = { .pods = true };
    struct text text;

    text_open(&text, SIZE_MAX);
    text_add(&text, "count by (%s,%s) (last_over_time(", energy_namespace_label(kind), energy_pod_label(kind));
    add_families(&text, &all, kind, LEVEL_COUNT);
    text_add(&text, "}[%.0fs]))", length_of(query));
    return query_text(server, &text, query->to_s + INCREASE_EDGE_S, set, notices, err);
}
