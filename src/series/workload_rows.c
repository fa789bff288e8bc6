/* SPDX-License-Identifier: MIT
 * From series to rows: each series has a subject, and a domain that includes it; series of the same subject are added.
 */
#include "series/attribution.h"

#include "base/array.h"
#include "series/kind_choice.h"
#include "series/kind_doubts.h"
#include "series/kind_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is at work. */
struct working {
    const struct kind_window *window;
    struct series_set set;
    struct pod_names names;
    struct kind_choice choice;
    struct increase *increases; /* one a series */
    struct attribution *attribution;
    size_t count, size;
    struct kind_doubts doubts;
};

static bool no_memory(struct error *err)
{
    return error_set(err, ERROR_SYSTEM, "no memory for the rows");
}

static bool keep_attribution(struct working *working, const struct attribution *attribution, struct error *err)
{
    working->attribution =
        array_room(working->attribution, &working->size, working->count + 1, sizeof *working->attribution);
    if (working->count == working->size)
        return no_memory(err);
    working->attribution[working->count++] = *attribution;
    return true;
}

/* Adds the series to its own row and to every row that contains it. */
static bool attribute_one(struct working *working, const struct metric_series *series,
                          const struct attribution *attribution, struct error *err)
{
    struct attribution larger;

    if (!keep_attribution(working, attribution, err))
        return false;
    for (enum workload_level level = 0; level < LEVEL_COUNT; level++)
        if (level != attribution->level && attribution_within(attribution, level, series, &larger) &&
            !keep_attribution(working, &larger, err))
            return false;
    return true;
}

/* A mode in a label is part of all, too. */
static bool tell_modes(struct working *working, const struct metric_series *series, enum energy_mode mode,
                       struct attribution *attribution, struct error *err)
{
    const char *label = mode == MODE_ALL ? series_label_of(series, "mode") : NULL;

    attribution->mode = mode;
    if (!attribute_one(working, series, attribution, err))
        return false;
    if (!label || (strcmp(label, "dynamic") != 0 && strcmp(label, "idle") != 0))
        return true;
    attribution->mode = *label == 'd' ? MODE_DYNAMIC : MODE_IDLE;
    return attribute_one(working, series, attribution, err);
}

/* What carbon says of a group has no part in a sum where it lies within another part. */
static bool is_in_own_sum(const struct metric_series *series, const struct attribution *attribution)
{
    const char *counted = series_label_of(series, "counted");

    if (attribution->kind != EXPORTER_CARBON)
        return false;
    return attribution->level == LEVEL_NODE ? counted && strcmp(counted, "yes") == 0
                                            : attribution->part != DOMAIN_CORE && attribution->part != DOMAIN_UNCORE;
}

static bool is_noticed(const struct kind_window *window, const char *namespace, const char *pod)
{
    return (!window->namespace || strcmp(window->namespace, namespace) == 0) &&
           (!window->pod || strcmp(window->pod, pod) == 0);
}

static bool tell_series(struct working *working, size_t i, struct error *err)
{
    const struct metric_series *series = &working->set.items[i];
    const struct kind_family *family = kind_family_of_series(series);
    const char *path = series_label_of(series, "path");
    struct increase_rules rules = {
        .from_s = working->window->from_s,
        .to_s = working->window->to_s,
        .untimed = working->window->untimed,
        .raw = family->raw,
        .range_j = NAN,
        .zones_max = path && strncmp(path, "aggregated", 10) == 0 ? ATTRIBUTION_SOCKETS_MAX : 0,
        .j_per_unit = family->j_per_unit,
        .max_w = attribution_max_w(series, family->level, attribution_domain(series, family)),
    };
    struct increase *increase = &working->increases[i];
    bool any;
    struct attribution attribution;

    attribute_series(series, family, &working->names, &attribution);
    if (working->window->node && strcmp(attribution.texts[ATTRIBUTION_NODE], working->window->node) != 0)
        return true;
    attribution.part = attribution_domain(series, family);
    if (!kind_choice_increase(&working->choice, series, &attribution, &rules, increase, &any, err))
        return false;
    if (!any) {
        kind_doubts_left_out(&working->doubts, family);
        return true;
    }
    if (!increase->reported)
        return true;
    attribution.increase = increase;
    if (is_noticed(working->window, attribution.texts[ATTRIBUTION_NAMESPACE], attribution.texts[ATTRIBUTION_POD]))
        kind_doubts_add(&working->doubts, series, family, increase, working->window);
    if (is_in_own_sum(series, &attribution) && attribution.part != DOMAIN_OWN_SUM) {
        const enum rapl_domain part = attribution.part;
        attribution.part = DOMAIN_OWN_SUM;
        if (!tell_modes(working, series, family->mode, &attribution, err))
            return false;
        attribution.part = part;
    }
    return attribution.part == DOMAIN_COUNT || tell_modes(working, series, family->mode, &attribution, err);
}

static int compare_who(const struct attribution *left, const struct attribution *right)
{
    int order = (int)left->level - (int)right->level;

    if (order == 0)
        order = (int)left->kind - (int)right->kind;
    for (size_t i = 0; i < ATTRIBUTION_TEXTS && order == 0; i++)
        order = strcmp(left->texts[i], right->texts[i]);
    return order;
}

static int compare_what(const struct attribution *left, const struct attribution *right)
{
    int order = compare_who(left, right);

    if (order == 0)
        order = (int)left->part - (int)right->part;
    return order ? order : (int)left->mode - (int)right->mode;
}

static int compare_attributions(const void *a, const void *b)
{
    const struct attribution *left = a, *right = b;
    const int order = compare_what(left, right);

    return order ? order : (int)left->rank - (int)right->rank;
}

/* Two dies, or two zones, that show one counter: it is read at two moments, and otherwise equal. */
#define MIRROR_APART_J 5.0
#define MIRROR_MIN_J 1000.0

static bool are_mirrors(const struct metric_series *a, const struct metric_series *b, double j_per_unit)
{
    if (a->point_count != b->point_count || a->point_count < 2)
        return false;
    for (size_t i = 0; i < a->point_count; i++)
        if (a->points[i].time_s != b->points[i].time_s ||
            !(fabs(a->points[i].value - b->points[i].value) * j_per_unit <= MIRROR_APART_J) ||
            !(a->points[i].value * j_per_unit >= MIRROR_MIN_J))
            return false;
    return true;
}

static const struct metric_series *series_of(const struct working *working, const struct attribution *attribution)
{
    return &working->set.items[attribution->increase - working->increases];
}

/* Instances of a partitioned card (MIG), and pods that share one, each show what the whole card used. */
static bool are_one_card(const struct metric_series *a, const struct metric_series *b)
{
    const char *of_a = series_label_of(a, "UUID"), *of_b = series_label_of(b, "UUID");

    if (!of_a || !of_b) {
        of_a = series_label_of(a, "gpu");
        of_b = series_label_of(b, "gpu");
    }
    return of_a && of_b && strcmp(of_a, of_b) == 0 && a->point_count && b->point_count &&
           a->points[0].time_s <= b->points[b->point_count - 1].time_s &&
           b->points[0].time_s <= a->points[a->point_count - 1].time_s;
}

static bool show_one(const struct attribution *attribution, const struct metric_series *a,
                     const struct metric_series *b)
{
    const struct kind_family *family = kind_family_of_series(a);

    if (attribution->level != LEVEL_NODE || kind_family_of_series(b) != family)
        return false;
    if (family->kind == EXPORTER_DCGM)
        return are_one_card(a, b);
    return !family->power && attribution->increase->joules > 0 &&
           (attribution->part == DOMAIN_PACKAGE || attribution->part == DOMAIN_DRAM) &&
           are_mirrors(a, b, family->j_per_unit);
}

/* A better source of the same energy, which comes first, replaces it. */
static bool is_left_out(const struct working *working, const struct attribution *attribution)
{
    const struct attribution *first = attribution;

    while (first > working->attribution && compare_what(first - 1, attribution) == 0)
        first--;
    return first->rank != attribution->rank;
}

/* Of two that show one the longer counts. */
static void mark_mirror(struct working *working, struct attribution *stored, struct attribution *twin)
{
    const bool left_out = is_left_out(working, twin);
    const struct attribution shorter = *stored;

    if (twin->increase->last_s - twin->increase->first_s > stored->increase->last_s - stored->increase->first_s) {
        *stored = *twin;
        *twin = shorter;
    }
    twin->rank = ATTRIBUTION_TWIN;
    if (!left_out)
        kind_doubts_mirror(&working->doubts, series_of(working, twin), twin);
}

/* Series of one part of a node are adjacent. */
static void mark_mirrors(struct working *working)
{
    for (size_t i = 1; i < working->count; i++) {
        struct attribution *attribution = &working->attribution[i];
        for (size_t j = i; j-- > 0 && compare_what(&working->attribution[j], attribution) == 0;) {
            struct attribution *other = &working->attribution[j];
            if (other->rank == attribution->rank &&
                show_one(attribution, series_of(working, other), series_of(working, attribution))) {
                mark_mirror(working, other, attribution);
                break;
            }
        }
    }
}

static void finish_row(struct workload_row *row, struct working *working)
{
    kind_row_sums(row);
    if (is_noticed(working->window, row->namespace, row->pod))
        kind_doubts_row(&working->doubts, row, kind_row_stands_still(row));
}

static bool begin_row(struct workload_rows *rows, const struct attribution *attribution, struct error *err)
{
    struct workload_row *row = &rows->items[rows->count];
    const char **const texts[ATTRIBUTION_TEXTS] = { &row->node,      &row->namespace, &row->pod,
                                                    &row->container, &row->name,      &row->id };

    *row = (struct workload_row){ .kind = attribution->kind, .level = attribution->level };
    for (size_t i = 0; i < ATTRIBUTION_TEXTS; i++) {
        *texts[i] = arena_copy(&rows->arena, attribution->texts[i], strlen(attribution->texts[i]));
        if (!*texts[i])
            return no_memory(err);
    }
    for (enum rapl_domain part = 0; part < DOMAIN_COUNT; part++)
        for (enum energy_mode mode = 0; mode < MODE_COUNT; mode++)
            row->figures[part][mode] = kind_no_figure;
    rows->count++;
    return true;
}

static size_t count_rows(const struct working *working)
{
    size_t count = 0;

    for (size_t i = 0; i < working->count; i++)
        count += i == 0 || compare_who(&working->attribution[i - 1], &working->attribution[i]) != 0;
    return count;
}

static bool make_rows(struct working *working, struct workload_rows *rows, struct error *err)
{
    enum attribution_rank rank = ATTRIBUTION_COUNTER;

    rows->items = calloc(count_rows(working) + 1, sizeof *rows->items);
    if (!rows->items)
        return no_memory(err);
    for (size_t i = 0; i < working->count; i++) {
        const struct attribution *attribution = &working->attribution[i];
        const bool new_row = i == 0 || compare_who(attribution - 1, attribution) != 0;
        struct energy_figure figure = kind_figure_of(attribution->increase, working->window->totals);
        struct workload_row *row;
        if (new_row && rows->count)
            finish_row(&rows->items[rows->count - 1], working);
        if (new_row && !begin_row(rows, attribution, err))
            return false;
        row = &rows->items[rows->count - 1];
        if (row->figures[attribution->part][attribution->mode].series == 0)
            rank = attribution->rank;
        if (attribution->rank != rank)
            continue;
        kind_figure_add(&row->figures[attribution->part][attribution->mode], &figure);
        if (rank == ATTRIBUTION_POWER && is_noticed(working->window, row->namespace, row->pod))
            kind_doubts_power(&working->doubts, series_of(working, attribution));
        row->quality = attribution->quality > row->quality ? attribution->quality : row->quality;
    }
    if (rows->count)
        finish_row(&rows->items[rows->count - 1], working);
    return true;
}

static bool work(struct working *working, const struct series_set *set, struct workload_rows *rows, struct error *err)
{
    if (!kind_prepare(set, working->window, &working->set, &working->doubts.stats, err) ||
        !pod_names_open(&working->names, &working->set, err) ||
        !kind_choice_open(&working->choice, &working->set, &working->names, err))
        return false;
    working->increases = malloc((working->set.count + 1) * sizeof *working->increases);
    if (!working->increases)
        return no_memory(err);
    for (size_t i = 0; i < working->set.count; i++)
        if (!tell_series(working, i, err))
            return false;
    if (working->count)
        qsort(working->attribution, working->count, sizeof *working->attribution, compare_attributions);
    mark_mirrors(working);
    return make_rows(working, rows, err);
}

bool workload_rows_of(const struct series_set *set, const struct kind_window *window, struct workload_rows *rows,
                      struct notices *notices, struct error *err)
{
    struct working working = { .window = window };
    bool done;

    *rows = (struct workload_rows){ .items = NULL };
    done = work(&working, set, rows, err);
    if (done)
        kind_doubts_tell(&working.doubts, notices);
    pod_names_close(&working.names);
    kind_choice_close(&working.choice);
    series_set_close(&working.set);
    free(working.increases);
    free(working.attribution);
    if (!done)
        workload_rows_close(rows);
    return done;
}

void workload_rows_close(struct workload_rows *rows)
{
    free(rows->items);
    arena_close(&rows->arena);
    *rows = (struct workload_rows){ .items = NULL };
}
