/* SPDX-License-Identifier: MIT
 * Peaks of pods: the most of each day, and of all days the most, so that no query is larger than a server bears. */
#include "commands/prometheus/peaks.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_S 86400.0

/* Where nothing tells how often a pod is looked at; and no sample is older than that. */
#define STANDARD_STEP_S 60.0
#define COUNTED_S 300.0
#define CPU "container_cpu_usage_seconds_total"
#define MEMORY "container_memory_working_set_bytes"

/* One answer, with what it is of. */
enum peaks_measure { CPU_OF_CONTAINER, CPU_OF_POD, MEMORY_OF_CONTAINER, MEMORY_OF_POD, MEASURES };

struct peaks_asking {
    const struct prometheus_server *server;
    const struct peaks_query *query;
    struct notices *notices;
    struct error *err;
    const char *rate; /* "1m" */
    double step_s;
    struct series_set sets[MEASURES];
};

static void add_selector(struct text *text, const char *metric, const struct peaks_query *query)
{
    text_add(text, "%s{", metric);
    if (query->namespace)
        prometheus_add_matcher(text, "namespace", query->namespace);
    if (query->pod)
        prometheus_add_matcher(text, "pod", query->pod);
    /* without a name it is the pod's own group, which has its containers in it once more */
    text_add(text, "%scontainer!=\"\",container!=\"POD\",pod!=\"\"}", query->namespace || query->pod ? "," : "");
}

static void add_measure(struct text *text, enum peaks_measure measure, const struct peaks_asking *asking,
                        double length_s)
{
    const bool cpu = measure == CPU_OF_CONTAINER || measure == CPU_OF_POD;
    const char *by =
        measure == CPU_OF_CONTAINER || measure == MEMORY_OF_CONTAINER ? "namespace,pod,container" : "namespace,pod";

    if (measure == MEMORY_OF_CONTAINER) {
        text_add(text, "max by (%s) (max_over_time(", by);
        add_selector(text, MEMORY, asking->query);
        text_add(text, "[%.0fs]))", length_s);
        return;
    }
    text_add(text, "max_over_time((sum by (%s) (%s", by, cpu ? "rate(" : "");
    add_selector(text, cpu ? CPU : MEMORY, asking->query);
    if (cpu)
        text_add(text, "[%s])", asking->rate);
    text_add(text, "))[%.0fs:%.0fms])", length_s, asking->step_s * 1000);
}

/* The sums are looked at as often as the containers are: what one scrape saw between two whole minutes is a peak, too.
 */
static bool find_step(struct peaks_asking *asking)
{
    const struct peaks_query *query = asking->query;
    const double length_s = ceil(fmin(PIECE_S, query->to_s - query->from_s));
    struct series_set set = { .count = 0 };
    struct text text;
    bool good;

    text_open(&text, SIZE_MAX);
    text_add(&text, "max(max_over_time(count_over_time(");
    add_selector(&text, MEMORY, query);
    text_add(&text, "[%.0fs])[%.0fs:%.0fs]))", COUNTED_S, length_s, COUNTED_S);
    good = text_ok(&text) ? prometheus_query(asking->server, text.data, query->to_s, &set, asking->notices, asking->err)
                          : error_set(asking->err, ERROR_SYSTEM, "no memory for the query");
    text_close(&text);
    if (good && set.count && set.items[0].point_count && set.items[0].points[0].value >= 1)
        asking->step_s = fmin(STANDARD_STEP_S, fmax(1, COUNTED_S / set.items[0].points[0].value));
    series_set_close(&set);
    return good;
}

static bool query_measure(struct peaks_asking *asking, enum peaks_measure measure)
{
    const struct peaks_query *query = asking->query;
    bool good = true;

    for (double end_s = query->to_s; good && end_s > query->from_s; end_s -= PIECE_S) {
        const double length_s = fmin(PIECE_S, end_s - query->from_s);
        struct series_set piece = { .count = 0 };
        struct text text;

        text_open(&text, SIZE_MAX);
        add_measure(&text, measure, asking, ceil(length_s));
        good = text_ok(&text) ? prometheus_query(asking->server, text.data, end_s, &piece, asking->notices, asking->err)
                              : error_set(asking->err, ERROR_SYSTEM, "no memory for the query");
        text_close(&text);
        if (good) { /* later pieces come first: each is a point more of its series, whatever the order */
            struct series_builder builder;
            series_builder_open(&builder, &asking->sets[measure]);
            for (size_t i = 0; good && i < piece.count; i++) {
                struct metric_series *series = &piece.items[i];
                size_t index;
                good =
                    series_builder_get(&builder, "", series->labels, series->label_count, &index, asking->err) &&
                    series_builder_add(&builder, index, series->points[0].time_s, series->points[0].value, asking->err);
            }
            series_builder_close(&builder);
        }
        series_set_close(&piece);
    }
    return good;
}

static bool ask_all(struct peaks_asking *asking)
{
    return query_measure(asking, CPU_OF_CONTAINER) && query_measure(asking, CPU_OF_POD) &&
           query_measure(asking, MEMORY_OF_CONTAINER) && query_measure(asking, MEMORY_OF_POD);
}

static int by_names(const void *a, const void *b)
{
    const struct peak *left = a, *right = b;
    int order = strcmp(left->namespace, right->namespace);

    order = order ? order : strcmp(left->pod, right->pod);
    return order ? order : strcmp(left->container, right->container);
}

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static double max_of(const struct metric_series *series)
{
    double max = NAN;

    for (size_t i = 0; i < series->point_count; i++)
        max = larger(max, series->points[i].value);
    return isfinite(max) ? max : NAN;
}

/* What is of the same names becomes one; a pod used at least what one of its containers did: between the moments at
 * which the sum is looked at, a peak may be missed. */
static void fold(struct peaks *peaks)
{
    struct peak *pod = NULL;
    size_t stored = 0;

    if (peaks->count)
        qsort(peaks->items, peaks->count, sizeof *peaks->items, by_names);
    for (size_t i = 0; i < peaks->count; i++) {
        struct peak *last = stored ? &peaks->items[stored - 1] : NULL;
        const struct peak *next = &peaks->items[i];
        if (last && by_names(last, next) == 0) {
            last->cpu_cores = larger(last->cpu_cores, next->cpu_cores);
            last->memory_bytes = larger(last->memory_bytes, next->memory_bytes);
        } else {
            peaks->items[stored++] = *next;
        }
    }
    peaks->count = stored;
    for (size_t i = 0; i < stored; i++) {
        if (!*peaks->items[i].container) {
            pod = &peaks->items[i];
        } else if (pod) {
            pod->cpu_cores = larger(pod->cpu_cores, peaks->items[i].cpu_cores);
            pod->memory_bytes = larger(pod->memory_bytes, peaks->items[i].memory_bytes);
        }
    }
}

static const char *copy_label(struct arena *arena, const struct metric_series *series, const char *name)
{
    const char *value = series_label_of(series, name);

    return value ? arena_copy(arena, value, strlen(value)) : "";
}

static bool gather(const struct peaks_asking *asking, struct peaks *peaks)
{
    size_t count = 0;

    for (size_t m = 0; m < MEASURES; m++)
        count += asking->sets[m].count;
    peaks->items = calloc(2 * count + 1, sizeof *peaks->items);
    if (!peaks->items)
        return error_errno(asking->err, "no memory for the pods");
    for (size_t m = 0; m < MEASURES; m++)
        for (size_t i = 0; i < asking->sets[m].count; i++) {
            const struct metric_series *series = &asking->sets[m].items[i];
            const bool cpu = m == CPU_OF_CONTAINER || m == CPU_OF_POD;
            const struct peak peak = {
                .namespace = copy_label(&peaks->arena, series, "namespace"),
                .pod = copy_label(&peaks->arena, series, "pod"),
                .container = copy_label(&peaks->arena, series, "container"),
                .cpu_cores = cpu ? max_of(series) : NAN,
                .memory_bytes = cpu ? NAN : max_of(series),
            };
            if (!peak.namespace || !peak.pod || !peak.container)
                return error_set(asking->err, ERROR_SYSTEM, "no memory for the pods");
            peaks->items[peaks->count++] = peak;
            /* one that lived between two of the moments at which the sum is looked at has no sum, and is a pod, too */
            if (*peak.container)
                peaks->items[peaks->count++] = (struct peak){ peak.namespace, peak.pod, "", NAN, NAN };
        }
    fold(peaks);
    return true;
}

bool peaks_ask(const struct prometheus_server *server, const struct peaks_query *query, struct peaks *peaks,
               struct notices *notices, struct error *err)
{
    struct peaks_asking asking = {
        .server = server, .query = query, .notices = notices, .err = err, .rate = "1m", .step_s = STANDARD_STEP_S
    };
    bool good = find_step(&asking) && ask_all(&asking);

    *peaks = (struct peaks){ .rate_s = 60, .step_s = asking.step_s };
    /* a rate needs two samples: where a minute has one only, there is none */
    if (good && asking.sets[CPU_OF_POD].count == 0 && asking.sets[MEMORY_OF_POD].count > 0) {
        asking.rate = "5m";
        good = query_measure(&asking, CPU_OF_CONTAINER) && query_measure(&asking, CPU_OF_POD);
        if (good && asking.sets[CPU_OF_POD].count > 0) {
            peaks->rate_s = 300;
            notice_add(notices, NOTICE_BELOW_RESOLUTION,
                       "a minute has fewer than two samples here, and short peaks are not seen", "",
                       "the use of processors is a mean over five minutes");
        }
    }
    good = good && gather(&asking, peaks);
    for (size_t m = 0; m < MEASURES; m++)
        series_set_close(&asking.sets[m]);
    return good;
}

bool peaks_pods(const struct prometheus_server *server, const struct peaks_query *query, struct series_set *set,
                struct notices *notices, struct error *err)
{
    struct text text;
    bool good;

    text_open(&text, SIZE_MAX);
    text_add(&text, "count by (namespace,pod) (last_over_time(" MEMORY "{container!=\"\",pod!=\"\"}[%.0fs]))",
             ceil(fmin(PIECE_S, query->to_s - query->from_s)));
    good = text_ok(&text) ? prometheus_query(server, text.data, query->to_s, set, notices, err)
                          : error_set(err, ERROR_SYSTEM, "no memory for the query");
    text_close(&text);
    return good;
}

void peaks_close(struct peaks *peaks)
{
    free(peaks->items);
    arena_close(&peaks->arena);
    *peaks = (struct peaks){ .items = NULL };
}
