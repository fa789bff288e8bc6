/* SPDX-License-Identifier: MIT
 * Records of nodes and tasks added up: what overlaps on a node counts once, exactly. */
#include "noticed.h"
#include "unit.h"

#include "commands/slurm/merge.h"

#include "base/text.h"
#include "base/units.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EXACT DBL_MIN

static struct merge merge;

static void end(void)
{
    merge_close(&merge);
    merge = (struct merge){ .parts = NULL };
}

/* What a record of so many seconds says, with 10 W gross and 4 W idle. */
static struct merge_sum formula_of(double s)
{
    return (struct merge_sum){ 10 * s, 4 * s, 6 * s, 9 * s, 12 * s, 20 * s, 100 * s, 60 * s, NAN, NAN, NAN, NAN };
}

static void is_sum_of(const struct merge_sum *sum, double s, double tolerance)
{
    const struct merge_sum expected = formula_of(s);

    ck_assert_double_eq_tol(sum->gross_j, expected.gross_j, tolerance);
    ck_assert_double_eq_tol(sum->idle_j, expected.idle_j, tolerance);
    ck_assert_double_eq_tol(sum->net_j, expected.net_j, tolerance);
    ck_assert_double_eq_tol(sum->gross_low_j, expected.gross_low_j, tolerance);
    ck_assert_double_eq_tol(sum->gross_high_j, expected.gross_high_j, tolerance);
    ck_assert_double_eq_tol(sum->facility_kwh, expected.facility_kwh, tolerance);
    ck_assert_double_eq_tol(sum->gross_kgco2eq, expected.gross_kgco2eq, tolerance);
    ck_assert_double_eq_tol(sum->net_kgco2eq, expected.net_kgco2eq, tolerance);
}

/* A record of one run. */
static void add(const char *node, int64_t rank, uint64_t start_s, uint64_t end_s)
{
    struct merge_part *part;

    merge.parts = realloc(merge.parts, (merge.part_count + 1) * sizeof *merge.parts);
    ck_assert_ptr_nonnull(merge.parts);
    part = &merge.parts[merge.part_count++];
    *part = (struct merge_part){
        .job = { .known = true, .id = 7, .nodes = 2, .tasks = 4, .node_tasks = 2, .rank = rank, .local_rank = rank },
        .windows = calloc(1, sizeof *part->windows),
        .window_count = 1,
        .net_half_j = 3,
        .pue = 1.5,
        .kgco2eq_per_kwh = 0.1,
        .quality = QUALITY_MEASURED,
    };
    snprintf(part->path, sizeof part->path, "%s-%d.json", node, (int)rank);
    text_copy(part->job.node, sizeof part->job.node, node);
    text_copy(part->job.boot_id, sizeof part->job.boot_id, "boot");
    part->windows[0] = (struct merge_window){
        .start_ns = start_s * NS_PER_S_INT,
        .end_ns = end_s * NS_PER_S_INT,
        .sum = formula_of((double)(end_s - start_s)),
    };
}

struct record {
    const char *node;
    int64_t rank;
    uint64_t start_s, end_s;
};

/* ADD({ "n1", 0, 100, 200 }, { "n2", 1, 110, 190 }) */
#define ADD(...)                                                                                                       \
    for (const struct record *record = (const struct record[]){ __VA_ARGS__, { NULL, 0, 0, 0 } }; record->node;        \
         record++)                                                                                                     \
    add(record->node, record->rank, record->start_s, record->end_s)

static void finish(int64_t nodes)
{
    struct error err;

    ck_assert(merge_finish(&merge, nodes, &err));
}

static bool has_notice(const char *what)
{
    return notices_say(&merge.notices, what);
}

START_TEST(two_nodes)
{
    add("n1", 0, 100, 200);
    add("n2", 1, 110, 190);
    finish(0);
    ck_assert_uint_eq(merge.node_count, 2);
    is_sum_of(&merge.sum, 180, EXACT);
    ck_assert_double_eq(merge.overlap_j, 0);
    /* of the second node 80 s, in its sum and in its record's */
    is_sum_of(&merge.nodes[1].sum, 80, EXACT);
    is_sum_of(&merge.parts[1].all, 80, EXACT);
    ck_assert(merge.nodes[1].start_ns == 110 * NS_PER_S_INT && merge.nodes[1].end_ns == 190 * NS_PER_S_INT);
    ck_assert_double_eq(merge.nodes[1].duration_s, 80);
    ck_assert_double_eq_tol(merge.sum.net_j - merge.net_interval_j.low, sqrt(18), 1e-9);
    /* 3 J and 3 J, independent of each other */
    ck_assert_double_eq_tol(merge.net_interval_j.high - merge.sum.net_j, sqrt(18), 1e-9);
    ck_assert_int_eq(merge.nodes_expected, 2);
    ck_assert(merge.job.known && merge.start_ns == 100 * NS_PER_S_INT && merge.end_ns == 200 * NS_PER_S_INT);
    ck_assert(has_notice("1 of 2 tasks of node 'n1' have no record"));
    ck_assert_uint_eq(merge.notices.count, 2); /* and of n2 */
}
END_TEST

/* The longest in full, of the others what lies outside; in whichever order they come. */
START_TEST(tasks_of_one_node)
{
    static const struct {
        int64_t rank;
        uint64_t start_s, end_s;
        double counted;
    } records[] = { { 1, 90, 130, 0.25 }, { 0, 100, 200, 1 }, { 2, 150, 160, 0 }, { 3, 190, 240, 0.8 } };

    for (size_t first = 0; first < 4; first++) {
        for (size_t i = 0; i < 4; i++) {
            const size_t at = (first + i) % 4;
            add("n1", records[at].rank, records[at].start_s, records[at].end_s);
        }
        finish(0);
        ck_assert_uint_eq(merge.node_count, 1);
        is_sum_of(&merge.sum, 150, 1e-9); /* 90 to 240 s */
        ck_assert_double_eq_tol(merge.nodes[0].duration_s, 150, 1e-9);
        ck_assert_double_eq_tol(merge.overlap_j, 500, 1e-9);
        for (size_t i = 0; i < 4; i++)
            ck_assert_double_eq_tol(merge.parts[i].counted, records[(first + i) % 4].counted, 1e-12);
        ck_assert(isnan(merge.net_interval_j.low)); /* one is there in part */
        ck_assert(has_notice("4 records of node 'n1' overlap"));
        ck_assert(has_notice("1 of 2 nodes have no record"));
        ck_assert_uint_eq(merge.notices.count, 2);
        end();
    }
}
END_TEST

static void own_is(struct merge_part *part, enum own_method method, double j)
{
    part->own_method = method;
    part->windows[0].sum.own_j = j;
    part->windows[0].sum.own_low_j = j / 2;
    part->windows[0].sum.own_high_j = 3 * j;
    part->windows[0].sum.own_kgco2eq = j / 10;
}

/* Two tasks of a step that ran at one time: by CPU time each has its own, of net the node's is counted once; and so is
 * a record in which another one's work lies, as that of the batch script. */
START_TEST(own_of_tasks_adds_up)
{
    static const struct {
        enum own_method method;
        bool steps_differ;
        double own_j;
    } cases[] = {
        { OWN_CPU_TIME, false, 300 }, { OWN_SHARE, false, 300 }, { OWN_NET, false, 200 }, { OWN_CPU_TIME, true, 200 }
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        add("n1", 0, 100, 200);
        add("n1", 1, 110, 190);
        own_is(&merge.parts[0], cases[i].method, 200);
        own_is(&merge.parts[1], cases[i].method, 100);
        if (cases[i].steps_differ)
            text_copy(merge.parts[1].job.step, sizeof merge.parts[1].job.step, "batch");
        finish(0);
        ck_assert_double_eq(merge.sum.gross_j, 1000);
        ck_assert_double_eq(merge.sum.own_j, cases[i].own_j);
        ck_assert_double_eq(merge.sum.own_low_j, cases[i].own_j / 2);
        ck_assert_double_eq(merge.sum.own_high_j, 3 * cases[i].own_j);
        ck_assert_double_eq(merge.sum.own_kgco2eq, cases[i].own_j / 10);
        ck_assert_int_eq(merge.own_method, cases[i].method);
        end();
    }
}
END_TEST

/* Of two nodes it adds up too, by the less good method. */
START_TEST(own_of_nodes)
{
    add("n1", 0, 100, 200);
    add("n2", 1, 110, 190);
    own_is(&merge.parts[0], OWN_NET, 200);
    own_is(&merge.parts[1], OWN_CPU_TIME, 100);
    finish(0);
    ck_assert_double_eq(merge.sum.own_j, 300);
    ck_assert_int_eq(merge.own_method, OWN_CPU_TIME);
    ck_assert_int_eq(merge.nodes[0].own_method, OWN_NET);
}
END_TEST

/* Of those of one length that of the first task. */
START_TEST(equal_tasks)
{
    add("n1", 1, 100, 200);
    add("n1", 0, 100, 200);
    finish(1);
    ck_assert_double_eq(merge.parts[0].counted, 0);
    ck_assert_double_eq(merge.parts[1].counted, 1);
    ck_assert_double_eq(merge.sum.gross_j, 1000);
    ck_assert_double_eq_tol(merge.net_interval_j.high - merge.sum.net_j, 3, 1e-9);
    ck_assert_int_eq(merge.nodes_expected, 1);
    ck_assert_uint_eq(merge.notices.count, 1); /* that they overlap */
}
END_TEST

/* One more run of a record. */
static void add_window(struct merge_part *part, uint64_t start_s, uint64_t end_s)
{
    const double s = (double)(end_s - start_s);

    part->windows = realloc(part->windows, (part->window_count + 1) * sizeof *part->windows);
    ck_assert_ptr_nonnull(part->windows);
    part->windows[part->window_count++] = (struct merge_window){
        .start_ns = start_s * NS_PER_S_INT,
        .end_ns = end_s * NS_PER_S_INT,
        .sum = { 10 * s, 4 * s, 6 * s, 9 * s, 12 * s, 20 * s, 100 * s, 60 * s, 0, 0, 0, 0 },
    };
}

/* Times are put in order, joined where they touch, and grown: 40 runs of 2 s, one every 4 s; a second record has 1 s of
 * each of 39 and 1 s more, a third one 2 s behind all. */
START_TEST(records_of_many_runs)
{
    ADD({ "n1", 1, 0, 2 }, { "n1", 0, 1, 3 }, { "n1", 2, 160, 162 });
    for (uint64_t at_s = 156; at_s > 0; at_s -= 4)
        add_window(&merge.parts[0], at_s, at_s + 2);
    for (uint64_t at_s = 4; at_s < 156; at_s += 4)
        add_window(&merge.parts[1], at_s + 1, at_s + 3);
    finish(0);
    /* 40 x 2 s in full, of 39 x 2 s half */
    ck_assert_double_eq(merge.parts[0].counted, 1);
    ck_assert_double_eq(merge.parts[1].counted, 0.5);
    ck_assert_double_eq(merge.parts[2].counted, 1);
    ck_assert_double_eq(merge.nodes[0].duration_s, 80 + 39 + 2);
    ck_assert_double_eq(merge.sum.gross_j, 1210);
    ck_assert_double_eq(merge.overlap_j, 390);
    ck_assert_double_eq(merge.parts[1].all.gross_j, 780);
    ck_assert(merge.start_ns == 0 && merge.end_ns == 162 * NS_PER_S_INT);
}
END_TEST

/* A run of no time has what it has. */
START_TEST(no_time_at_all)
{
    add("n1", 0, 100, 100);
    merge.parts[0].windows[0].sum.gross_j = 5;
    finish(0);
    ck_assert_double_eq(merge.parts[0].counted, 1);
    ck_assert_double_eq(merge.sum.gross_j, 5);
    ck_assert_double_eq(merge.overlap_j, 0);
    ck_assert_double_eq(merge.nodes[0].duration_s, 0);
    end();
    add("n1", 0, 100, 100);
    add("n1", 1, 100, 100);
    merge.parts[0].windows[0].end_ns++; /* of a nanosecond, and again of it */
    merge.parts[1].windows[0].end_ns++;
    merge.parts[1].windows[0].sum.gross_j = 0.5;
    finish(0);
    ck_assert_double_eq(merge.overlap_j, 0.5);
    ck_assert(has_notice("2 records of node 'n1' overlap"));
    ck_assert_double_eq(merge.parts[0].counted, 1);
    ck_assert_double_eq(merge.parts[1].counted, 0);
}
END_TEST

/* Of equal records those of the node's first task, else the first that was given. */
START_TEST(equal_records_in_their_order)
{
    ADD({ "n2", 0, 100, 200 }, { "n1", 0, 100, 200 }, { "n1", 0, 100, 200 }, { "n2", 0, 100, 201 });
    finish(0);
    ck_assert_double_eq(merge.parts[0].counted, 0);
    ck_assert_double_eq(merge.parts[1].counted, 1);
    ck_assert_double_eq(merge.parts[2].counted, 0);
    ck_assert_double_eq(merge.parts[3].counted, 1);
    ck_assert_uint_eq(merge.parts[0].node, 0);
    ck_assert_uint_eq(merge.parts[2].node, 1);
    ck_assert_uint_eq(merge.nodes[0].records, 2);
}
END_TEST

static size_t notices_with(const char *words)
{
    size_t count = 0;

    for (size_t i = 0; i < merge.notices.count; i++)
        count += strstr(merge.notices.item[i].what, words) != NULL;
    return count;
}

/* What the records agree in, and the most that any of them says. */
START_TEST(the_job_of_the_records)
{
    add("n1", 0, 100, 200);
    add("n2", 0, 200, 300);
    merge.parts[1].job.nodes = 3;
    merge.parts[1].job.tasks = 6;
    merge.parts[1].job.node_tasks = 1;
    merge.parts[1].recorded_tree = true;
    merge.parts[1].quality = QUALITY_UNKNOWN;
    text_copy(merge.parts[0].job.step, sizeof merge.parts[0].job.step, "0");
    text_copy(merge.parts[1].job.step, sizeof merge.parts[1].job.step, "1");
    finish(0);
    ck_assert(merge.job.known && merge.job.nodes == 3 && merge.job.tasks == 6);
    ck_assert_str_eq(merge.job.step, "");
    ck_assert(merge.recorded_tree);
    ck_assert_int_eq(merge.quality, QUALITY_UNKNOWN); /* worse than any */
    ck_assert_int_eq(merge.nodes[0].quality, QUALITY_MEASURED);
    ck_assert_int_eq(merge.nodes[0].tasks, 2);
    ck_assert_int_eq(merge.nodes[1].tasks, 1);
    ck_assert(has_notice("1 of 3 nodes have no record"));
    ck_assert(has_notice("1 of 2 tasks of node 'n1' have no record"));
    ck_assert_uint_eq(notices_with("tasks of node"), 1);
    /* one ends when the other begins: not at one time */
    ck_assert_uint_eq(notices_with("was measured at another time"), 2);
    end();
    add("n1", 0, 100, 200);
    add("n2", 0, 199, 300);
    merge.parts[0].job.nodes = 5;
    text_copy(merge.parts[1].job.cluster, sizeof merge.parts[1].job.cluster, "other");
    finish(1); /* as the user says */
    ck_assert(!merge.job.known);
    ck_assert_int_eq(merge.job.nodes, 5);
    ck_assert_int_eq(merge.nodes_expected, 1);
    ck_assert(has_notice("there are records of 2 nodes, and the job had 1"));
    ck_assert_uint_eq(notices_with("was measured at another time"), 0);
    ck_assert_uint_eq(notices_with("have no record"), 2); /* tasks alone */
}
END_TEST

/* A record that does not say its node is one of its own, which matters where there are others. */
START_TEST(nodes_that_are_not_told)
{
    static const char unnamed[] = "records do not say which node they are of: each is taken for one of its own";

    for (size_t count = 1; count <= 2; count++) {
        for (size_t i = 0; i < count; i++) {
            add("", (int64_t)i, 100, 200);
            merge.parts[i].job.nodes = 0; /* which is odd, and told */
        }
        finish(0);
        ck_assert_uint_eq(merge.node_count, count);
        ck_assert_double_eq(merge.sum.gross_j, 1000 * (double)count);
        ck_assert(has_notice(unnamed) == (count == 2));
        ck_assert_int_eq(merge.nodes_expected, 0);
        ck_assert_uint_eq(notices_with("and the job had 0"), 1);
        end();
    }
}
END_TEST

START_TEST(doubts)
{
    ADD({ "n1", 0, 100, 200 }, { "n2", 0, 300, 400 }, { "", 0, 100, 200 }, { "n1", 1, 250, 260 });
    merge.parts[1].pue = 1.2;
    merge.parts[1].quality = QUALITY_MODELLED;
    merge.parts[2].windows[0].sum.net_j = NAN;
    text_copy(merge.parts[3].job.boot_id, sizeof merge.parts[3].job.boot_id, "another");
    merge.parts[3].job.id = 8;
    finish(0);
    ck_assert_uint_eq(merge.node_count, 3);
    ck_assert_int_eq(merge.quality, QUALITY_MODELLED);
    ck_assert_int_eq(merge.nodes_expected, -1);
    ck_assert(isnan(merge.sum.net_j));
    ck_assert_double_eq(merge.sum.gross_j, 3100);
    ck_assert(has_notice("the records are not of one job"));
    ck_assert(has_notice("the records have different PUEs: 1.5 and 1.2"));
    ck_assert(has_notice("node 'n2' was measured at another time than all others"));
    ck_assert(!has_notice("node 'n1' was measured at another time than all others"));
    ck_assert(has_notice("records of node 'n1' are of different starts of it"));
    ck_assert(has_notice("records do not say which node they are of: each is taken for one of its own"));
    ck_assert(has_notice("a record without a baseline has no net energy"));
}
END_TEST

UNIT_SUITE_IN("merge", NULL, end, two_nodes, tasks_of_one_node, own_of_tasks_adds_up, own_of_nodes, equal_tasks,
              records_of_many_runs, no_time_at_all, equal_records_in_their_order, the_job_of_the_records,
              nodes_that_are_not_told, doubts)
