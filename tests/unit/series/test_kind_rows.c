/* SPDX-License-Identifier: MIT
 * How the series of one thing are added up, and which of them make its sum: right values by hand. */
#include "noticed.h"
#include "prometheus_fixture.h"

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

static struct series_set set;
static struct workload_rows rows;
static struct notices notices;

static void tell(double time_s, const char *text)
{
    add_text(&set, time_s, text, strlen(text));
}

static void work_out(const struct kind_window *window)
{
    struct error err = { .kind = ERROR_NONE };

    workload_rows_close(&rows);
    notices_clear(&notices);
    ck_assert_msg(workload_rows_of(&set, window, &rows, &notices, &err), "%s: %s", err.what, err.why);
}

static void finish(void)
{
    workload_rows_close(&rows);
    series_set_close(&set);
}

static bool noticed(const char *what)
{
    return notices_have(&notices, what);
}

#define PACKAGE "kepler_container_package_joules_total{pod_name=\"p\",container_namespace=\"n\",mode=\"dynamic\","
#define DRAM "kepler_container_dram_joules_total{pod_name=\"p\",container_namespace=\"n\",mode=\"dynamic\","

/* a: 10 J in each of three times 10 s, and in 70 s (a gap). b, from 10 s on: 10 J, back to 5 J, 10 J. c: once. */
START_TEST(figures_are_added_up)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 200 };
    const struct energy_figure *sum, *of_b;
    const struct workload_row *pod;

    tell(0, PACKAGE "container_name=\"a\"} 100\n");
    tell(10, PACKAGE "container_name=\"a\"} 110\n" PACKAGE "container_name=\"b\"} 50\n");
    tell(20, PACKAGE "container_name=\"a\"} 120\n" PACKAGE "container_name=\"b\"} 60\n" PACKAGE
                     "container_name=\"c\"} 7\n");
    tell(30, PACKAGE "container_name=\"a\"} 130\n" PACKAGE "container_name=\"b\"} 5\n");
    tell(40, PACKAGE "container_name=\"b\"} 15\n");
    tell(100, PACKAGE "container_name=\"a\"} 140\n");
    work_out(&window);
    pod = row_of(&rows, LEVEL_POD, "p");
    sum = &pod->figures[DOMAIN_SUM][MODE_DYNAMIC];
    NEAR(sum->joules, 40 + 10 + 5 + 10);
    NEAR(sum->irate_w, 10 / 70.0 + 1);
    NEAR(sum->first_s, 0);
    NEAR(sum->last_s, 100);
    NEAR(sum->watts, 0.65);
    NEAR(sum->doubtful_j, 5); /* of 10 J that went by in those 10 s */
    ck_assert_uint_eq(sum->series, 3);
    ck_assert_uint_eq(sum->single, 1);
    ck_assert_uint_eq(sum->points, 10);
    ck_assert_uint_eq(sum->resets, 1);
    ck_assert_uint_eq(sum->wraps, 0);
    ck_assert_uint_eq(sum->gaps, 1);
    NEAR(pod->covered, 0.5);
    sum = &pod->figures[DOMAIN_PACKAGE][MODE_DYNAMIC]; /* all there is */
    ck_assert(sum->series == 3 && sum->single == 1 && sum->points == 10 && sum->resets == 1 && sum->gaps == 1);
    NEAR(sum->doubtful_j, 5);
    of_b = workload_row_sum(row_of(&rows, LEVEL_CONTAINER, "b"));
    NEAR(of_b->joules, 25);
    NEAR(of_b->first_s, 10);
    NEAR(of_b->last_s, 40);
    ck_assert_uint_eq(of_b->points, 4);
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_CONTAINER, "c"))->joules));
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_CONTAINER, "c"))->watts));
    finish();
}
END_TEST

/* At 50 W: past 65532.61 J and on from 0. */
START_TEST(a_counter_that_wraps)
{
    static const char *const values[] = { "65000", "65500", "467.389013", "967.389013" };
    static const struct kind_window window = { .from_s = 0, .to_s = 30 };

    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "node_rapl_package_joules_total %s\nnode_rapl_dram_joules_total %d\n", values[i],
                 i);
        tell(10 * i, text);
    }
    work_out(&window);
    ck_assert_double_eq_tol(workload_row_sum(&rows.items[0])->joules, 1503, 1e-6);
    ck_assert_uint_eq(workload_row_sum(&rows.items[0])->wraps, 1);
    ck_assert_uint_eq(rows.items[0].figures[DOMAIN_PACKAGE][MODE_ALL].wraps, 1);
    ck_assert_uint_eq(rows.items[0].figures[DOMAIN_DRAM][MODE_ALL].wraps, 0);
    finish();
}
END_TEST

/* The counters of both packages in one wrap together, at 131065.22 J. */
START_TEST(zones_that_are_told_as_one)
{
    static const char *const values[] = { "130000", "130500", "434.778026", "934.778026" };
    static const char *const paths[] = { "aggregated-package", "/sys/class/powercap/intel-rapl:0" };
    static const struct kind_window window = { .from_s = 0, .to_s = 30 };

    for (unsigned path = 0; path < 2; path++) {
        for (int i = 0; i < 4; i++) {
            char text[256];
            snprintf(text, sizeof text,
                     "kepler_node_cpu_joules_total{node_name=\"h\",zone=\"package\",path=\"%s\"} %s\n", paths[path],
                     values[i]);
            tell(10 * i, text);
        }
        work_out(&window);
        ck_assert_uint_eq(workload_row_sum(row_of(&rows, LEVEL_NODE, "h"))->wraps, 1 - path);
        ck_assert_uint_eq(workload_row_sum(row_of(&rows, LEVEL_NODE, "h"))->resets, path);
        finish();
    }
}
END_TEST

/* Of two exporters on one machine the better counts, levels come in their order, and names in theirs. */
START_TEST(rows_have_an_order)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 10 };
    static const char *const order[][2] = { { "node", "" }, { "pod", "a" }, { "pod", "b" }, { "pod", "c" } };

    for (int i = 0; i < 2; i++)
        tell(10 * i, i ? "node_rapl_package_joules_total 12\n"
                         "carbon_energy_joules_total{component=\"package\",quality=\"measured\",counted=\"yes\"} 25\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"1\",pod_name=\"b\",zone=\"package\"} 3\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"2\",pod_name=\"c\",zone=\"package\"} 4\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"3\",pod_name=\"a\",zone=\"package\"} 5\n"
                       : "node_rapl_package_joules_total 2\n"
                         "carbon_energy_joules_total{component=\"package\",quality=\"measured\",counted=\"yes\"} 5\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"1\",pod_name=\"b\",zone=\"package\"} 0\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"2\",pod_name=\"c\",zone=\"package\"} 0\n"
                         "kepler_pod_cpu_joules_total{pod_id=\"3\",pod_name=\"a\",zone=\"package\"} 0\n");
    work_out(&window);
    ck_assert_uint_eq(rows.count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(workload_level_name(rows.items[i].level), order[i][0]);
        ck_assert_str_eq(rows.items[i].pod, order[i][1]);
    }
    ck_assert_int_eq(rows.items[0].kind, EXPORTER_CARBON);
    NEAR(workload_row_sum(&rows.items[0])->joules, 20);
    NEAR(workload_row_sum(&rows.items[1])->joules, 5);
    NEAR(workload_row_sum(&rows.items[2])->joules, 3);
    NEAR(workload_row_sum(&rows.items[3])->joules, 4);
    ck_assert(noticed("node_exporter reports nodes and pods that a better exporter has: these are excluded"));
    finish();
}
END_TEST

#define OLD_NODE(N) "kepler_node_package_joules_total{exported_instance=\"" N "\",mode=\"dynamic\"} "
#define NEW_NODE(N) "kepler_node_cpu_joules_total{node_name=\"" N "\",zone=\"package\",path=\"/p\"} "
#define NODE_CARD(N, G) "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{Hostname=\"" N "\",gpu=\"" G "\"} "

/* A cluster that changes from the old Kepler to the new one: n1 has the old one still, n2 changed at 20 s, and both
 * tell of n3. Cards are told by who tells of them, beside who tells of the processors. */
START_TEST(exporters_are_chosen_node_by_node)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 40 };
    double n2_j = 0;

    for (int t = 0; t <= 40; t += 10) {
        char text[1024];
        snprintf(text, sizeof text,
                 OLD_NODE("n1") "%d\n" OLD_NODE("n3") "%d\n" NEW_NODE("n3") "%d\n" NODE_CARD(
                     "n3", "0") "%d\n" NODE_CARD("n3", "1") "%d\n",
                 10 * t, 11 * t, 12 * t, 100000 * t, 200000 * t);
        tell(t, text);
        snprintf(text, sizeof text, t < 20 ? OLD_NODE("n2") "%d\n" : NEW_NODE("n2") "%d\n",
                 t < 20 ? 5000 + 5 * t : 6 * t);
        tell(t, text);
    }
    work_out(&window);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_NODE, "n1"))->joules, 400);
    for (size_t i = 0; i < rows.count; i++) {
        const double joules = workload_row_sum(&rows.items[i])->joules;
        if (strcmp(rows.items[i].node, "n2") == 0)
            n2_j += joules;
        if (strcmp(rows.items[i].node, "n3") == 0)
            NEAR(joules, rows.items[i].kind == EXPORTER_DCGM ? 12000 : 480);
    }
    NEAR(n2_j, 50 + 120); /* between 10 and 20 s nobody told */
    ck_assert(noticed("Kepler before 0.10 reports nodes and pods"));
    finish();
}
END_TEST

/* What is better tells of the middle: what lies before it and behind it counts by the other, each once. */
START_TEST(a_better_exporter_in_between)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 100 };
    double joules = 0;

    for (int t = 0; t <= 100; t += 10) {
        char text[256];
        snprintf(text, sizeof text, OLD_NODE("n1") "%d\n", 5 * t);
        tell(t, text);
        snprintf(text, sizeof text, NEW_NODE("n1") "%d\n", 7 * t);
        if (t >= 40 && t <= 60)
            tell(t, text);
    }
    work_out(&window);
    for (size_t i = 0; i < rows.count; i++)
        if (rows.items[i].level == LEVEL_NODE)
            joules += workload_row_sum(&rows.items[i])->joules;
    NEAR(joules, 5 * 40 + 7 * 20 + 5 * 40);
    finish();
}
END_TEST

/* Two dies show the counter of their socket; another socket that draws the same has a counter of its own. */
START_TEST(mirrored_dies_count_once)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 10 };

    for (int t = 0; t <= 10; t += 10) {
        char text[512];
        snprintf(text, sizeof text,
                 "node_rapl_package_joules_total{index=\"0\"} %d\nnode_rapl_package_joules_total{index=\"1\"} %d.4\n"
                 "node_rapl_package_joules_total{index=\"2\"} %d\n",
                 5000 + 100 * t, 5000 + 100 * t, 7000 + 100 * t);
        tell(t, text);
    }
    work_out(&window);
    NEAR(workload_row_sum(&rows.items[0])->joules, 2000);
    ck_assert(noticed("1 counter repeats another of the same node"));
    finish();
}
END_TEST

/* Nobody draws nothing for ten seconds; a step that cannot be, two values of one time and one that is not a number leave
 * what they are a part of unknown; node_exporter may tell the zone in a label. */
START_TEST(unknown_is_not_0)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 60 };
    static const char *const later[] = { "700", "4.6e15", "NaN", "700\n" PACKAGE "container_name=\"a\"} 9999" };

    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        char text[512];
        tell(0, PACKAGE "container_name=\"a\"} 100\n" DRAM "container_name=\"a\"} 10\n" OLD_NODE("h") "5000\n");
        snprintf(text, sizeof text,
                 PACKAGE "container_name=\"a\"} %s\n" DRAM "container_name=\"a\"} 70\n" OLD_NODE("h") "5000\n",
                 later[i]);
        tell(60, text);
        work_out(&window);
        if (i == 0)
            NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->joules, 660);
        else
            ck_assert_double_nan(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->joules);
        ck_assert_double_nan(workload_row_sum(row_of(&rows, LEVEL_NODE, "h"))->joules);
        ck_assert(noticed("the counters of h did not move"));
        ck_assert(i != 1 || noticed("1 counter moved by more than any machine draws"));
        ck_assert(i != 3 || noticed("has two values of one time"));
        finish();
    }
    tell(0, "node_rapl_joules_total{index=\"0\",rapl_zone=\"package\"} 10\n"
            "node_rapl_joules_total{index=\"0\",rapl_zone=\"dram\"} "
            "1\nnode_rapl_joules_total{index=\"0\",rapl_zone=\"core\"} 1\n");
    tell(60, "node_rapl_joules_total{index=\"0\",rapl_zone=\"package\"} 110\n"
             "node_rapl_joules_total{index=\"0\",rapl_zone=\"dram\"} "
             "21\nnode_rapl_joules_total{index=\"0\",rapl_zone=\"core\"} 91\n");
    work_out(&window);
    NEAR(workload_row_sum(&rows.items[0])->joules, 120);
    NEAR(rows.items[0].figures[DOMAIN_CORE][MODE_ALL].joules, 90);
    finish();
    tell(0, PACKAGE "container_name=\"a\"} 0\n" OLD_NODE("h") "0\n");
    tell(60, PACKAGE "container_name=\"a\"} 700\n" OLD_NODE("h") "600\n");
    work_out(&window);
    ck_assert(noticed("pods used 700 J, more than their nodes, 600 J"));
    finish();
}
END_TEST

#define GROUP "carbon_pod_energy_joules_total{pod_uid=\"u\",pod_name=\"p\",namespace=\"n\",quality=\"attributed\","

/* Of a group's parts cores and graphics lie within the package; what carbon counts of a machine it says itself. */
START_TEST(what_carbon_counts)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 10 };
    const struct workload_row *pod, *node;

    tell(0, GROUP "component=\"package\"} 0\n" GROUP "component=\"cores\"} 0\n" GROUP "component=\"uncore\"} 0\n" GROUP
                  "component=\"memory\"} 0\n"
                  "carbon_energy_joules_total{component=\"package\",quality=\"measured\",counted=\"no\"} 0\n"
                  "carbon_energy_joules_total{component=\"memory\",quality=\"measured\",counted=\"yes\"} 0\n"
                  "carbon_energy_joules_total{component=\"gpu\",quality=\"measured\"} 0\n");
    tell(10, GROUP "component=\"package\"} 16\n" GROUP "component=\"cores\"} 8\n" GROUP
                   "component=\"uncore\"} 4\n" GROUP "component=\"memory\"} 2\n"
                   "carbon_energy_joules_total{component=\"package\",quality=\"measured\",counted=\"no\"} 32\n"
                   "carbon_energy_joules_total{component=\"memory\",quality=\"measured\",counted=\"yes\"} 64\n"
                   "carbon_energy_joules_total{component=\"gpu\",quality=\"measured\"} 128\n");
    work_out(&window);
    pod = row_of(&rows, LEVEL_POD, "p");
    node = row_of(&rows, LEVEL_NODE, "");
    NEAR(workload_row_sum(pod)->joules, 18);
    NEAR(pod->figures[DOMAIN_OWN_SUM][MODE_ALL].joules, 18);
    NEAR(pod->figures[DOMAIN_CORE][MODE_ALL].joules, 8);
    NEAR(pod->figures[DOMAIN_UNCORE][MODE_ALL].joules, 4);
    NEAR(workload_row_sum(node)->joules, 64);
    NEAR(node->figures[DOMAIN_PACKAGE][MODE_ALL].joules, 32);
    NEAR(node->figures[DOMAIN_GPU][MODE_ALL].joules, 128);
    finish();
}
END_TEST

/* Package and dram where both are known; what Kepler itself says where there is no package, or none that is known. */
START_TEST(what_makes_a_sum)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 10 };
#define OF(name, pod) "kepler_container_" name "joules_total{mode=\"dynamic\",pod_name=\"" pod "\"} "

    tell(0, OF("package_", "both") "0\n" OF("dram_", "both") "0\n" OF("", "both") "0\n" OF("", "own") "0\n" OF(
                "dram_", "own") "0\n" OF("", "once") "0\n" OF("dram_", "none") "0\n");
    tell(10,
         OF("package_", "both") "10\n" OF("dram_", "both") "3\n" OF("", "both") "20\n" OF("", "own") "30\n" OF(
             "dram_", "own") "3\n" OF("", "once") "40\n" OF("package_",
                                                            "once") "9\n" OF("dram_", "none") "3\n" OF("package_",
                                                                                                       "none") "9\n");
#undef OF
    work_out(&window);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "both"))->joules, 13);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "both"))->watts, 1.3);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "own"))->joules, 30);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "once"))->joules, 40);
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->joules));
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->watts));
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->irate_w));
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->low_j));
    ck_assert(isnan(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->high_j));
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "none"))->doubtful_j, 0);
    finish();
}
END_TEST

/* Notices are of those that were asked for, rows of all; of one node rows, too. */
START_TEST(what_was_asked_for)
{
    struct kind_window window = { .from_s = 0, .to_s = 10 };

    tell(0, "kepler_container_package_joules_total{pod_name=\"p\",container_namespace=\"n\",instance=\"h\"} 9\n"
            "kepler_container_package_joules_total{pod_name=\"q\",container_namespace=\"m\",instance=\"i\"} 0\n");
    tell(10, "kepler_container_package_joules_total{pod_name=\"p\",container_namespace=\"n\",instance=\"h\"} 1\n"
             "kepler_container_package_joules_total{pod_name=\"q\",container_namespace=\"m\",instance=\"i\"} 5\n");
    work_out(&window);
    ck_assert(noticed("began again"));
    window.namespace = "n";
    work_out(&window);
    ck_assert(noticed("began again"));
    window.pod = "q";
    work_out(&window);
    ck_assert(!noticed("began again"));
    window.namespace = "m";
    work_out(&window);
    ck_assert(!noticed("began again"));
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "q"))->joules, 5);
    ck_assert_uint_eq(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->resets, 1);
    window = (struct kind_window){ .from_s = 0, .to_s = 10, .node = "i" };
    work_out(&window);
    ck_assert(!noticed("began again"));
    for (size_t i = 0; i < rows.count; i++)
        ck_assert_str_ne(rows.items[i].pod, "p");
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "q"))->joules, 5);
    finish();
}
END_TEST

/* More series than are kept at first. */
START_TEST(many_series)
{
    static const struct kind_window window = { .from_s = 0, .to_s = 10 };

    for (int i = 0; i < 2; i++)
        for (int pod = 0; pod < 300; pod++) {
            char text[128];
            snprintf(text, sizeof text, "kepler_container_package_joules_total{pod_name=\"%d\"} %d\n", pod, i * pod);
            tell(10 * i, text);
        }
    work_out(&window);
    ck_assert_uint_ge(rows.count, 300);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "0"))->joules, 0);
    NEAR(workload_row_sum(row_of(&rows, LEVEL_POD, "299"))->joules, 299);
    finish();
}
END_TEST

UNIT_SUITE("kind_rows", figures_are_added_up, a_counter_that_wraps, zones_that_are_told_as_one, rows_have_an_order,
           exporters_are_chosen_node_by_node, a_better_exporter_in_between, mirrored_dies_count_once, unknown_is_not_0,
           what_carbon_counts, what_makes_a_sum, what_was_asked_for, many_series)
