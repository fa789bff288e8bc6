/* SPDX-License-Identifier: MIT
 * The energy of a fleet, piece by piece. */
#include "commands/report/fleet.h"

#include "base/text.h"
#include "base/units.h"
#include "commands/report/chunks.h"
#include "commands/report/fleet_carry.h"
#include "commands/report/fleet_choice.h"
#include "commands/report/fleet_cover.h"
#include "commands/report/fleet_day.h"
#include "commands/report/fleet_handover.h"
#include "commands/report/fleet_labels.h"
#include "commands/report/fleet_query.h"
#include "series/attribution.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_S = 24 * 3600, POINTS_OF_SERIES = 10000, POINTS_OF_CHUNK = 100000, POINTS_MIN = 30, QUERY_MAX = 1 << 16 };

struct fleet {
    struct fleet_query query;
    struct text all; /* the query */
    struct fleet_choice choice;
    struct chunks chunks;
    struct fleet_carry last;
    size_t series; /* of the last piece that had any, or in the day that comes; 0: not known */
    struct fleet_day day;
    struct fleet_day ahead; /* by node: what its groups were told on days on which it told nothing itself */
    struct fleet_labels labels;
};

/* A piece while it is read. */
struct fleet_piece {
    struct chunk chunk;
    struct series_set set;
    struct fleet_cover *covers; /* by the entries of the day, as many as there are nodes in it */
    size_t cover_count;
    struct pod_names names;
    struct arena arena;
};

struct fleet *fleet_open(const struct fleet_query *query, struct error *err)
{
    struct fleet *fleet = calloc(1, sizeof *fleet);

    if (!fleet) {
        error_errno(err, "no memory for the fleet");
        return NULL;
    }
    fleet->query = *query;
    fleet->chunks.step_s = query->step_s;
    text_open(&fleet->all, QUERY_MAX);
    fleet_query_text(query, query->exporter, &fleet->all);
    if (text_ok(&fleet->all))
        return fleet;
    fleet_close(fleet);
    error_set(err, ERROR_SYSTEM, "no memory for the query");
    return NULL;
}

void fleet_close(struct fleet *fleet)
{
    if (!fleet)
        return;
    text_close(&fleet->all);
    fleet_choice_close(&fleet->choice);
    fleet_carry_close(&fleet->last);
    fleet_day_close(&fleet->day);
    fleet_day_close(&fleet->ahead);
    fleet_labels_close(&fleet->labels);
    free(fleet);
}

unsigned fleet_exporters(const struct fleet *fleet)
{
    return fleet->choice.used;
}

static bool query_piece(const struct fleet *fleet, struct fleet_piece *piece, struct notices *notices,
                        struct error *err)
{
    return prometheus_query_range(fleet->query.server, fleet->all.data, (double)piece->chunk.from_s,
                                  (double)piece->chunk.to_s, (double)fleet->query.step_s, &piece->set, notices, err);
}

static bool reported_by(const struct fleet_piece *piece, const struct metric_series *series,
                        struct attribution *attribution)
{
    const struct kind_family *family = kind_family_of(series->metric);

    if (!family || !series->point_count || family->power || family->mode != MODE_ALL)
        return false;
    attribute_series(series, family, &piece->names, attribution);
    attribution->part = attribution_domain(series, family);
    return true;
}

/* What a node's counters cover, by the place of its entry; entries of nodes stay where they are for a day. */
static bool cover_of(struct fleet_piece *piece, size_t place, struct fleet_cover **cover, struct error *err)
{
    if (place >= piece->cover_count) {
        const size_t count = 2 * place + 16;
        struct fleet_cover *covers = realloc(piece->covers, count * sizeof *covers);
        if (!covers)
            return error_errno(err, "no memory for the nodes");
        memset(covers + piece->cover_count, 0, (count - piece->cover_count) * sizeof *covers);
        piece->covers = covers;
        piece->cover_count = count;
    }
    *cover = &piece->covers[place];
    return (*cover)->steps || fleet_cover_open(*cover, &piece->chunk, &piece->arena) ||
           error_errno(err, "no memory for the nodes");
}

static void set_ends(struct fleet_entry *entry, const struct metric_series *series)
{
    for (size_t i = 0; i < series->point_count && series->point_count > 1; i++)
        if (isfinite(series->points[i].value)) {
            entry->first_s = fmin(entry->first_s, series->points[i].time_s);
            entry->last_s = fmax(entry->last_s, series->points[i].time_s);
        }
}

static bool look_at_series(struct fleet *fleet, struct fleet_piece *piece, const struct metric_series *series,
                           struct error *err)
{
    const char *label = fleet->query.label ? series_label_of(series, fleet->query.label) : NULL;
    struct fleet_cover *cover = NULL;
    char name[FLEET_NODE_SIZE];
    struct fleet_entry *entry;
    struct attribution attribution;

    if (!reported_by(piece, series, &attribution))
        return true;
    if (attribution.level != LEVEL_NODE)
        return fleet_labels_add(&fleet->labels, attribution.texts[ATTRIBUTION_NAMESPACE],
                                attribution.texts[ATTRIBUTION_POD], label, err);
    fleet_node_name(attribution.texts[ATTRIBUTION_NODE], name);
    if (!fleet_labels_add(&fleet->labels, name, "", label, err))
        return false;
    if (attribution.part == DOMAIN_PLATFORM || attribution.part == DOMAIN_CORE || attribution.part == DOMAIN_UNCORE)
        return true;
    entry = fleet_day_get(&fleet->day, true, name, NULL, err);
    if (!entry || !cover_of(piece, (size_t)(entry - fleet->day.items), &cover, err))
        return false;
    fleet_cover_add(cover, &piece->chunk, fleet->query.step_s, series);
    set_ends(entry, series);
    return true;
}

static bool look_at_labels_and_cover(struct fleet *fleet, struct fleet_piece *piece, struct error *err)
{
    const int64_t step_s = fleet->query.step_s;

    for (size_t i = 0; i < piece->set.count; i++)
        if (!look_at_series(fleet, piece, &piece->set.items[i], err))
            return false;
    for (size_t i = 0; i < piece->cover_count; i++)
        if (piece->covers[i].steps) {
            fleet->day.items[i].covered_s += fleet_cover_time(&piece->covers[i], &piece->chunk, step_s);
            fleet->day.items[i].gaps += fleet_cover_gaps(&piece->covers[i], &piece->chunk);
        }
    return true;
}

static bool group_of(struct fleet *fleet, const struct workload_row *row, const char **group, struct error *err)
{
    *group = NULL;
    if (row->level == LEVEL_NODE)
        return true;
    if (fleet->query.groups == FLEET_NAMESPACES) {
        *group = *row->namespace ? row->namespace : NULL;
        return true;
    }
    return fleet_labels_find(&fleet->labels, row->namespace, row->pod, group, err);
}

static bool add_row(struct fleet *fleet, const struct workload_row *row, struct error *err)
{
    const struct energy_figure *sum = workload_row_sum(row);
    char name[FLEET_NODE_SIZE];
    struct fleet_entry *entry;
    const char *group;

    if (!isfinite(sum->joules) || !group_of(fleet, row, &group, err))
        return !isfinite(sum->joules);
    entry = fleet_day_get(&fleet->day, row->level == LEVEL_NODE, fleet_node_name(row->node, name), group, err);
    if (!entry)
        return false;
    entry->joules += sum->joules;
    entry->reported = true;
    entry->doubtful_j += sum->doubtful_j;
    entry->resets += sum->resets;
    entry->wraps += sum->wraps;
    entry->quality = row->quality;
    return true;
}

static bool add_piece(struct fleet *fleet, struct fleet_piece *piece, struct notices *notices, struct error *err)
{
    struct workload_rows rows = { .count = 0 };
    struct kind_window window = { .from_s = NAN, .to_s = NAN };
    AUTO_NOTICES struct notices of_piece = { .count = 0 }; /* resets, wraps and gaps are told of the whole time */
    bool good;

    if (piece->set.count)
        fleet->series = piece->set.count;
    window.kind = fleet->query.exporter;
    if (!fleet_carry_join(&fleet->last, &piece->set, (double)(piece->chunk.from_s - DAY_S), err))
        return false;
    if (!piece->set.count)
        return true;
    series_set_sort(&piece->set);
    if (!pod_names_open(&piece->names, &piece->set, err) ||
        !fleet_choose(&fleet->choice, &piece->set, &piece->names, &piece->chunk, fleet->query.step_s, notices, err) ||
        !look_at_labels_and_cover(fleet, piece, err))
        return false;
    fleet_carry_settle(&piece->set);
    if (!workload_rows_of(&piece->set, &window, &rows, &of_piece, err))
        return false;
    good = true;
    for (size_t i = 0; i < rows.count && good; i++)
        if (rows.items[i].level == LEVEL_NODE || rows.items[i].level == LEVEL_POD)
            good = add_row(fleet, &rows.items[i], err);
    workload_rows_close(&rows);
    return good;
}

static void close_piece(struct fleet_piece *piece)
{
    series_set_close(&piece->set);
    free(piece->covers);
    pod_names_close(&piece->names);
    arena_close(&piece->arena);
}

/* So many values of each series that all of them together stay within bounds. */
static size_t max_points(const struct fleet *fleet)
{
    const size_t max = fleet->series ? POINTS_OF_CHUNK / fleet->series : POINTS_OF_SERIES;

    return max > POINTS_OF_SERIES ? POINTS_OF_SERIES : max > POINTS_MIN ? max : POINTS_MIN;
}

/* Where nothing is known of how many series there are: those of a day. */
static bool count_series(struct fleet *fleet, int64_t from_s, int64_t to_s, struct notices *notices, struct error *err)
{
    struct series_set set = { .count = 0 };
    struct text query;
    bool good;

    text_open(&query, QUERY_MAX + 100);
    text_add(&query, "count(last_over_time(%s[%" PRId64 "s]))", fleet->all.data, to_s - from_s + 1);
    good = text_ok(&query) || error_set(err, ERROR_SYSTEM, "no memory for the query");
    good = good && prometheus_query(fleet->query.server, query.data, (double)to_s, &set, notices, err);
    if (good && set.count && set.items[0].point_count)
        fleet->series = (size_t)set.items[0].points[0].value;
    series_set_close(&set);
    text_close(&query);
    return good;
}

static bool stopped(const struct fleet *fleet, struct error *err)
{
    return fleet->query.server->stop && fleet->query.server->stop() &&
           !error_set(err, ERROR_SYSTEM, "interrupted while the counters were read");
}

static bool read_day(struct fleet *fleet, int64_t from_s, int64_t to_s, struct notices *notices, struct error *err)
{
    bool good = true, some = false;

    fleet_labels_open(&fleet->labels);
    if (!fleet->series && (stopped(fleet, err) || !count_series(fleet, from_s, to_s, notices, err)))
        return false;
    if (fleet->query.groups == FLEET_POD_LABELS &&
        !fleet_labels_ask(&fleet->labels, fleet->query.server, fleet->query.label, from_s, to_s, notices, err))
        return false;
    while (good) {
        struct fleet_piece piece = { .cover_count = 0 };
        if (!chunks_next(&fleet->chunks, from_s, to_s, max_points(fleet), &piece.chunk))
            break;
        good = !stopped(fleet, err) && (!fleet->series || query_piece(fleet, &piece, notices, err)) &&
               add_piece(fleet, &piece, notices, err);
        some |= piece.set.count > 0;
        close_piece(&piece);
    }
    if (!some)
        fleet->series = 0;
    return good;
}

void fleet_doubts(const struct fleet *fleet, struct notices *notices)
{
    char energy[UNITS_SIZE];
    double alone_j = 0;

    for (size_t i = 0; i < fleet->ahead.count; i++)
        alone_j += fleet->ahead.items[i].groups_j;
    if (alone_j > 0)
        notice_add(notices, NOTICE_GAPS, "they are in the sums in addition to the nodes", "",
                   "%s are of pods on nodes without own counter values then", units_energy(alone_j, energy));
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (fleet->choice.left_out & ~fleet->choice.used & 1u << kind)
            notice_add(notices, NOTICE_DUPLICATE,
                       "two exporters on a machine report the same energy, which counts once",
                       "--exporter says which one is meant", "the counters of %s are left out", exporter_title(kind));
}

bool fleet_walk(struct fleet *fleet, int64_t from_s, int64_t to_s, fleet_function *on_part, void *context,
                struct notices *notices, struct error *err)
{
    const struct fleet_handover telling = {
        .day = &fleet->day,
        .ahead = &fleet->ahead,
        .labels = &fleet->labels,
        .groups = fleet->query.groups != FLEET_NODES,
        .on_part = on_part,
        .context = context,
    };
    bool good = true;

    for (int64_t at_s = from_s; at_s < to_s && good; at_s += DAY_S) {
        const int64_t end_s = at_s + DAY_S < to_s ? at_s + DAY_S : to_s;
        const struct fleet_part day = { .from_s = at_s, .to_s = end_s };

        good = read_day(fleet, at_s, end_s, notices, err) && fleet_hand_over_day(&telling, &day, err);
        fleet_day_close(&fleet->day);
    }
    return good;
}
