/* SPDX-License-Identifier: MIT
 * Peaks of pods for machines, JSON and CSV: every field of them, and what it means; exact, and rounded up beside it. */
#include "commands/prometheus/resources.h"

#include "base/units.h"
#include "form/columns.h"
#include "form/part_fields.h"

/* One pod or container, with what follows from its peak. */
struct peak_object {
    const struct peaks *peaks;
    const struct peak *peak;
    double memory_gib, cpu_cores_rounded_up, memory_gib_rounded_up;
    struct request request;
};

struct resources_object {
    const struct resources *resources;
    uint64_t from_ns, to_ns;
    double duration_s;
};

static struct peak_object object_of(const struct peaks *peaks, const struct peak *peak)
{
    const double gib = resources_gib(peak->memory_bytes);

    return (struct peak_object){
        .peaks = peaks,
        .peak = peak,
        .memory_gib = gib,
        .cpu_cores_rounded_up = resources_rounded_up(peak->cpu_cores),
        .memory_gib_rounded_up = resources_rounded_up(gib),
        .request = resources_request(peaks, peak),
    };
}

#define OF struct peak
static const struct fields pod_name_fields = FIELDS({
    FIELD_NAME(namespace, "its namespace"),
    FIELD_NAME(pod, "its name"),
});

static const struct field container_name_list[] = { FIELD_NAME(container, "its name", .flags = FIELD_FULL) };
static const struct fields container_name_fields = FIELDS_OF(NULL, NULL, struct peak, container_name_list);

static const struct fields peak_fields = FIELDS({
    FIELD_NUMBER(cpu_cores, "the most that it used of processors, in cores", .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_bytes, "its largest working set, in bytes", .flags = FIELD_FROM_0),
});
#undef OF

#define OF struct request
static const struct fields request_fields = FIELDS_NAMED("request", "suggested requests")({
    FIELD_UNSIGNED(cpu, "whole cores", .flags = FIELD_NULL_0),
    FIELD_U64(memory_mb, "in MB of 10^6 bytes, a multiple of 256", .flags = FIELD_NULL_0, .min = 256),
});
#undef OF

#define OF struct peak_object
static const struct fields figures_fields = FIELDS({
    FIELD_PART(const struct peak *, peak, &peak_fields, FIELD_BEHIND),
    FIELD_NUMBER(memory_gib, "the same in GiB", .flags = FIELD_FROM_0),
    FIELD_NUMBER(cpu_cores_rounded_up, "cores up to the next hundredth", .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_gib_rounded_up, "GiB up to the next hundredth", .flags = FIELD_FROM_0),
    FIELD_OBJECT(struct request, request, &request_fields, "suggested requests"),
});

static const struct fields container_fields = FIELDS({
    FIELD_PART(const struct peak *, peak, &container_name_fields, FIELD_BEHIND),
    FIELD_SAME(&figures_fields),
});

/* They follow their pod. */
static void add_containers(struct tree_node array, const void *of)
{
    const struct peak_object *pod = of;
    const struct peaks *peaks = pod->peaks;

    for (const struct peak *peak = pod->peak + 1; peak < peaks->items + peaks->count && *peak->container; peak++) {
        const struct peak_object object = object_of(peaks, peak);
        fields_json(tree_object(array, NULL), &container_fields, &object);
    }
}

static const struct fields pod_fields = FIELDS({
    FIELD_PART(const struct peak *, peak, &pod_name_fields, FIELD_BEHIND),
    FIELD_SAME(&figures_fields),
    FIELD_EACH("containers", add_containers, &container_fields,
               "each for itself: the pod's figures are those of all at the same time, and not their sum"),
});
#undef OF

static void add_pods(struct tree_node array, const void *of)
{
    const struct peaks *peaks = &((const struct resources *)of)->peaks;

    for (size_t i = 0; i < peaks->count; i++) {
        const struct peak_object object = object_of(peaks, &peaks->items[i]);
        if (!*peaks->items[i].container)
            fields_json(tree_object(array, NULL), &pod_fields, &object);
    }
}

#define OF struct resources
static const struct fields asked_fields = FIELDS({
    FIELD_TIME_AS("created_at", created_realtime_ns, "when it was asked, UTC"),
    FIELD_NAME(server, "the Prometheus of the values", .flags = FIELD_FULL),
});

static const struct fields found_fields = FIELDS({
    FIELD_NAME_AS("namespace", query.namespace, "the namespace that was asked about; null: all",
                  .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("pod", query.pod, "the pod that was asked about; null: all", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER_AS("cpu_mean_over_s", peaks.rate_s, "averaging time of processor use, in seconds",
                    .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER_AS("sampled_every_s", peaks.step_s,
                    "sampling interval, in seconds; peaks between two samples are missed",
                    .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_CONSTANT("request_rule", "cpost-0.8.1", "by which requests are calculated"),
    FIELD_EACH("pods", add_pods, &pod_fields, "by namespace and name"),
    FIELD_NOTICES,
});

static const struct fields row_fields = FIELDS({
    FIELD_CONSTANT("schema", RESOURCES_SCHEMA, "name and version of this form"),
    FIELD_NUMBER_AS("from_s", query.from_s, "begin of the time that was asked about, in seconds since 1970"),
    FIELD_NUMBER_AS("to_s", query.to_s, "its end"),
});
#undef OF

#define OF struct resources_object
static const struct fields document_fields = FIELDS({
    FIELD_CONSTANT("schema", RESOURCES_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_PART(const struct resources *, resources, &asked_fields, FIELD_BEHIND),
    FIELD_TIME_AS("from", from_ns, "begin of the time that was asked about, UTC"),
    FIELD_TIME_AS("to", to_ns, "its end, UTC"),
    FIELD_NUMBER(duration_s, "how long that is, in seconds", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_PART(const struct resources *, resources, &found_fields, FIELD_BEHIND),
});
#undef OF

enum { ASKED, POD, CONTAINER, FIGURES };
static const struct fields *const row_of[] = { &row_fields, &pod_name_fields, &container_name_fields, &figures_fields };

static const struct column columns[] = {
    COLUMNS(ASKED, schema, from_s, to_s),
    COLUMNS(POD, namespace, pod),
    COLUMN(container, CONTAINER),
    COLUMNS(FIGURES, cpu_cores, memory_bytes, memory_gib, cpu_cores_rounded_up, memory_gib_rounded_up),
    { "request_cpu", "request.cpu", FIGURES },
    { "request_memory_mb", "request.memory_mb", FIGURES },
};
static const struct table resources_columns = TABLE_OF(columns, row_of);

const struct schema resources_schema = { "resources", RESOURCES_SCHEMA,
                                         "Peak processor and memory use of pods, and suggested requests.",
                                         &document_fields, &resources_columns };

bool resources_json(const struct resources *resources, FILE *out, struct error *err)
{
    const struct peaks_query *query = &resources->query;
    const struct resources_object object = {
        .resources = resources,
        .from_ns = (uint64_t)(query->from_s * NS_PER_S),
        .to_ns = (uint64_t)(query->to_s * NS_PER_S),
        .duration_s = query->to_s - query->from_s,
    };

    return document_json(&resources_schema, &object, out, "the resources as JSON", err);
}

/* A row each, the container's name empty for the whole pod. */
bool resources_csv(const struct resources *resources, FILE *out, struct error *err)
{
    const struct peaks *peaks = &resources->peaks;

    (void)err;
    table_head(&resources_columns, out);
    for (size_t i = 0; i < peaks->count; i++) {
        const struct peak *peak = &peaks->items[i];
        const struct peak_object object = object_of(peaks, peak);
        table_row(&resources_columns, (const void *const[]){ resources, peak, peak, &object }, out);
    }
    return true;
}
