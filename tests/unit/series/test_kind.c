/* SPDX-License-Identifier: MIT
 * Exporters told apart, and whose energy their families tell; right values by hand and from texts and answers of real
 * exporters. */
#include "noticed.h"
#include "prometheus_fixture.h"

#include "base/csv.h"
#include "io/json_read.h"

#include <stdlib.h>

enum { EXPECTED_ROWS = 126 };

static const struct kind_window half_minute = { .from_s = 0, .to_s = 30 };

static struct workload_rows rows;
static struct notices notices;

static void take(const struct series_set *set, const struct kind_window *window)
{
    struct error err = { .kind = ERROR_NONE };

    ck_assert_msg(workload_rows_of(set, window, &rows, &notices, &err), "%s: %s", err.what, err.why);
}

static void end(void)
{
    workload_rows_close(&rows);
}

/* Two texts of the same exporter, half a minute apart. */
static void take_two(const char *first, const char *second)
{
    struct series_set set = { .items = NULL };

    add_text(&set, 0, first, strlen(first));
    add_text(&set, 30, second, strlen(second));
    take(&set, &half_minute);
    series_set_close(&set);
}

static double joules(const struct workload_row *row, enum rapl_domain part, enum energy_mode mode)
{
    return row->figures[part][mode].joules;
}

static void check_joules(const struct workload_row *row, enum rapl_domain part, enum energy_mode mode, double expected)
{
    const double is = joules(row, part, mode);

    if (isnan(expected) ? !isnan(is) : !(fabs(is - expected) < 1e-6))
        ck_abort_msg("%s %s %s is %g, not %g", workload_level_name(row->level), rapl_domain_name(part),
                     energy_mode_name(mode), is, expected);
}

static bool noticed(const char *what)
{
    return notices_have(&notices, what);
}

START_TEST(names)
{
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        ck_assert_int_eq(exporter_of_name(exporter_kind_name(kind)), kind);
    ck_assert_int_eq(exporter_of_name("old"), EXPORTER_KEPLER_OLD);
    ck_assert_int_eq(exporter_of_name("new"), EXPORTER_KEPLER);
    ck_assert_int_eq(exporter_of_name("unknown"), EXPORTER_NONE);
    ck_assert_ptr_null(kind_family_of("node_rapl_packagejoules_total"));
    ck_assert_int_eq(kind_family_of("node_rapl_package_0_die_joules_total")->part, DOMAIN_PACKAGE);
    for (const struct kind_family *family = kind_families; family->metric; family++)
        ck_assert_msg(kind_family_of(family->metric) == family || family->part == DOMAIN_GPU, "%s", family->metric);
}
END_TEST

#define POD "pod_name=\"p\",container_namespace=\"n\","

START_TEST(old_kepler)
{
    take_two("kepler_container_package_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 10\n"
             "kepler_container_package_joules_total{" POD "container_name=\"a\",mode=\"idle\"} 100\n"
             "kepler_container_package_joules_total{" POD "container_name=\"b\",mode=\"dynamic\"} 5\n"
             "kepler_container_dram_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 1\n"
             "kepler_container_core_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 1\n"
             "kepler_container_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 11\n"
             "kepler_node_platform_joules_total{instance=\"h\",mode=\"dynamic\",source=\"acpi\"} 1000\n"
             "kepler_node_package_joules_total{instance=\"h\",mode=\"dynamic\",package=\"0\"} 1\n"
             "kepler_node_package_joules_total{instance=\"h\",mode=\"dynamic\",package=\"1\"} 1\n",
             "kepler_container_package_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 40\n"
             "kepler_container_package_joules_total{" POD "container_name=\"a\",mode=\"idle\"} 160\n"
             "kepler_container_package_joules_total{" POD "container_name=\"b\",mode=\"dynamic\"} 20\n"
             "kepler_container_dram_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 4\n"
             "kepler_container_core_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 21\n"
             "kepler_container_joules_total{" POD "container_name=\"a\",mode=\"dynamic\"} 44\n"
             "kepler_node_platform_joules_total{instance=\"h\",mode=\"dynamic\",source=\"acpi\"} 2000\n"
             "kepler_node_package_joules_total{instance=\"h\",mode=\"dynamic\",package=\"0\"} 11\n"
             "kepler_node_package_joules_total{instance=\"h\",mode=\"dynamic\",package=\"1\"} 31\n");
    const struct workload_row *pod = row_of(&rows, LEVEL_POD, "p"), *node = row_of(&rows, LEVEL_NODE, "h");

    ck_assert_uint_eq(rows.count, 5);
    check_joules(pod, DOMAIN_PACKAGE, MODE_DYNAMIC, 45);
    check_joules(pod, DOMAIN_PACKAGE, MODE_IDLE, 60);
    check_joules(pod, DOMAIN_PACKAGE, MODE_ALL, 105);
    check_joules(pod, DOMAIN_CORE, MODE_DYNAMIC, 20);
    check_joules(pod, DOMAIN_CORE, MODE_IDLE, NAN);
    check_joules(pod, DOMAIN_GPU, MODE_ALL, NAN);
    check_joules(pod, DOMAIN_PLATFORM, MODE_ALL, NAN);
    check_joules(pod, DOMAIN_SUM, MODE_DYNAMIC, 48);
    check_joules(pod, DOMAIN_SUM, MODE_ALL, 108);
    check_joules(pod, DOMAIN_OWN_SUM, MODE_ALL, 33);
    ck_assert_double_eq_tol(workload_row_sum(pod)->watts, 3.6, 1e-9);
    ck_assert_double_eq_tol(pod->covered, 1, 1e-9);
    ck_assert_int_eq(pod->quality, QUALITY_ATTRIBUTED);
    ck_assert_uint_eq(pod->figures[DOMAIN_PACKAGE][MODE_ALL].series, 3);
    check_joules(row_of(&rows, LEVEL_NAMESPACE, "n"), DOMAIN_SUM, MODE_ALL, 108);
    check_joules(row_of(&rows, LEVEL_CONTAINER, "b"), DOMAIN_SUM, MODE_ALL, 15);
    check_joules(node, DOMAIN_SUM, MODE_ALL, 40);
    check_joules(node, DOMAIN_PLATFORM, MODE_ALL, 1000);
    ck_assert_int_eq(node->quality, QUALITY_MEASURED);
    ck_assert(noticed("is not what Kepler says the sum is"));
}
END_TEST

/* Idle energy of parts is left out by default, its total is not. */
START_TEST(old_kepler_idle_total)
{
    take_two("kepler_container_package_joules_total{" POD "mode=\"dynamic\"} 0\n"
             "kepler_container_joules_total{" POD "mode=\"dynamic\"} 0\n"
             "kepler_container_joules_total{" POD "mode=\"idle\"} 0\n",
             "kepler_container_package_joules_total{" POD "mode=\"dynamic\"} 3\n"
             "kepler_container_joules_total{" POD "mode=\"dynamic\"} 3\n"
             "kepler_container_joules_total{" POD "mode=\"idle\"} 7\n");
    const struct workload_row *pod = row_of(&rows, LEVEL_POD, "p");

    check_joules(pod, DOMAIN_SUM, MODE_DYNAMIC, 3);
    check_joules(pod, DOMAIN_SUM, MODE_IDLE, 7);
    check_joules(pod, DOMAIN_SUM, MODE_ALL, 10);
    check_joules(pod, DOMAIN_PACKAGE, MODE_IDLE, NAN);
    ck_assert_uint_eq(notices.count, 0);
}
END_TEST

START_TEST(first_kepler)
{
    take_two("kepler_pod_energy_stat{pod_name=\"p\",pod_namespace=\"n\",cpu=\"1\",pod_total_energy_in_pkg_"
             "millijoule=\"1000\","
             "pod_total_energy_in_dram_joule=\"1\"} 5\n"
             "kepler_node_energy_stat{node_name=\"h\",node_curr_energy_in_pkg_joule=\"0\"} 0\n",
             "kepler_pod_energy_stat{pod_name=\"p\",pod_namespace=\"n\",cpu=\"2\",pod_total_energy_in_pkg_"
             "millijoule=\"4500\","
             "pod_total_energy_in_dram_joule=\"3\"} 6\n"
             "kepler_node_energy_stat{node_name=\"h\",node_curr_energy_in_pkg_joule=\"4\"} 0\n");

    ck_assert_uint_eq(rows.count, 2);
    check_joules(row_of(&rows, LEVEL_POD, "p"), DOMAIN_PACKAGE, MODE_ALL, 3.5);
    check_joules(row_of(&rows, LEVEL_NAMESPACE, "n"), DOMAIN_SUM, MODE_ALL, 5.5);
    ck_assert(noticed("writes values into labels"));
}
END_TEST

START_TEST(new_kepler)
{
    take_two(
        "kepler_pod_cpu_joules_total{node_name=\"h\",pod_id=\"1\",pod_name=\"p\",pod_namespace=\"n\",state=\"running\","
        "zone=\"package-0\"} 1\n"
        "kepler_container_cpu_joules_total{node_name=\"h\",container_id=\"c\",container_name=\"w\",pod_id=\"1\","
        "state=\"running\",zone=\"package-0\"} 1\n"
        "kepler_node_cpu_joules_total{node_name=\"h\",zone=\"psys\"} 1\n"
        "kepler_node_cpu_joules_total{node_name=\"h\",zone=\"package\"} 1\n"
        "kepler_node_cpu_active_joules_total{node_name=\"h\",zone=\"package\"} 1\n",
        "kepler_pod_cpu_joules_total{node_name=\"h\",pod_id=\"1\",pod_name=\"p\",pod_namespace=\"n\","
        "state=\"terminated\",zone=\"package-0\"} 4\n"
        "kepler_container_cpu_joules_total{node_name=\"h\",container_id=\"c\",container_name=\"w\",pod_id=\"1\","
        "state=\"terminated\",zone=\"package-0\"} 3\n"
        "kepler_node_cpu_joules_total{node_name=\"h\",zone=\"psys\"} 101\n"
        "kepler_node_cpu_joules_total{node_name=\"h\",zone=\"package\"} 51\n"
        "kepler_node_cpu_active_joules_total{node_name=\"h\",zone=\"package\"} 11\n");
    const struct workload_row *node = row_of(&rows, LEVEL_NODE, "h"), *container = row_of(&rows, LEVEL_CONTAINER, "w");

    ck_assert_uint_eq(rows.count, 4);
    check_joules(row_of(&rows, LEVEL_POD, "p"), DOMAIN_SUM, MODE_ALL, 3);
    check_joules(row_of(&rows, LEVEL_NAMESPACE, "n"), DOMAIN_SUM, MODE_ALL, 3);
    check_joules(container, DOMAIN_SUM, MODE_ALL, 2);
    ck_assert_str_eq(container->pod, "p");
    ck_assert_str_eq(container->namespace, "n");
    ck_assert_str_eq(container->id, "c");
    check_joules(node, DOMAIN_SUM, MODE_ALL, 50);
    check_joules(node, DOMAIN_SUM, MODE_DYNAMIC, 10);
    check_joules(node, DOMAIN_SUM, MODE_IDLE, NAN);
    check_joules(node, DOMAIN_PLATFORM, MODE_ALL, 100);
}
END_TEST

/* The same zone by another way does not count twice. */
START_TEST(node_exporter)
{
    take_two("node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0\"} 65000\n"
             "node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl-mmio:0\"} 65000\n"
             "node_rapl_dram_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0:1\"} 5\n"
             "node_rapl_psys_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:1\"} 10\n"
             "other_joules_total 9\n",
             "node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0\"} 65060\n"
             "node_rapl_package_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl-mmio:0\"} 65061\n"
             "node_rapl_dram_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:0:1\"} 8\n"
             "node_rapl_psys_joules_total{index=\"0\",path=\"/sys/class/powercap/intel-rapl:1\"} 110\n"
             "other_joules_total 10\n");

    ck_assert_uint_eq(rows.count, 1);
    check_joules(&rows.items[0], DOMAIN_SUM, MODE_ALL, 63);
    check_joules(&rows.items[0], DOMAIN_PLATFORM, MODE_ALL, 100);
    ck_assert_uint_eq(rows.items[0].figures[DOMAIN_PACKAGE][MODE_ALL].series, 1);
}
END_TEST

START_TEST(scaphandre)
{
    take_two("scaph_host_energy_microjoules 1000000\nscaph_host_power_microwatts 90000000\n"
             "scaph_process_power_consumption_microwatts{pid=\"7\",exe=\"x\",kubernetes_pod_name=\"p\","
             "kubernetes_pod_namespace=\"n\",container_id=\"c\",container_names=\"w\"} 1000000\n"
             "scaph_process_power_consumption_microwatts{pid=\"8\",exe=\"qemu\",vmname=\"v\"} 2000000\n",
             "scaph_host_energy_microjoules 61000000\nscaph_host_power_microwatts 90000000\n"
             "scaph_process_power_consumption_microwatts{pid=\"7\",exe=\"x\",kubernetes_pod_name=\"p\","
             "kubernetes_pod_namespace=\"n\",container_id=\"c\",container_names=\"w\"} 3000000\n"
             "scaph_process_power_consumption_microwatts{pid=\"8\",exe=\"qemu\",vmname=\"v\"} 2000000\n");

    ck_assert_uint_eq(rows.count, 7);
    check_joules(row_of(&rows, LEVEL_NODE, ""), DOMAIN_SUM, MODE_ALL, 60);
    check_joules(row_of(&rows, LEVEL_POD, "p"), DOMAIN_SUM, MODE_ALL, 60);
    check_joules(row_of(&rows, LEVEL_CONTAINER, "w"), DOMAIN_SUM, MODE_ALL, 60);
    check_joules(row_of(&rows, LEVEL_VM, "v"), DOMAIN_SUM, MODE_ALL, 60);
    check_joules(row_of(&rows, LEVEL_PROCESS, "qemu"), DOMAIN_SUM, MODE_ALL, 60);
    ck_assert_double_eq_tol(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->irate_w, 3, 1e-9);
    ck_assert(noticed("integrated"));
}
END_TEST

#define MEASURED "source=\"powercap\",quality=\"measured\",counted="

START_TEST(carbon_itself)
{
    take_two("carbon_energy_joules_total{domain=\"package-0\",component=\"package\"," MEASURED "\"yes\"} 1\n"
             "carbon_energy_joules_total{domain=\"cores-0\",component=\"cores\"," MEASURED "\"no\"} 1\n"
             "carbon_energy_joules_total{domain=\"psys\",component=\"platform\"," MEASURED "\"no\"} 1\n"
             "carbon_energy_joules_total{domain=\"gpu-0\",component=\"gpu\"," MEASURED "\"yes\"} 1\n"
             "carbon_pod_energy_joules_total{pod_uid=\"u\",pod_name=\"p\",namespace=\"n\",component=\"package\","
             "quality=\"attributed\"} 1\n"
             "carbon_slurm_job_energy_joules_total{job_id=\"17\",component=\"package\",quality=\"modelled\"} 1\n",
             "carbon_energy_joules_total{domain=\"package-0\",component=\"package\"," MEASURED "\"yes\"} 31\n"
             "carbon_energy_joules_total{domain=\"cores-0\",component=\"cores\"," MEASURED "\"no\"} 21\n"
             "carbon_energy_joules_total{domain=\"psys\",component=\"platform\"," MEASURED "\"no\"} 101\n"
             "carbon_energy_joules_total{domain=\"gpu-0\",component=\"gpu\"," MEASURED "\"yes\"} 11\n"
             "carbon_pod_energy_joules_total{pod_uid=\"u\",pod_name=\"p\",namespace=\"n\",component=\"package\","
             "quality=\"attributed\"} 4\n"
             "carbon_slurm_job_energy_joules_total{job_id=\"17\",component=\"package\",quality=\"modelled\"} 6\n");
    const struct workload_row *node = row_of(&rows, LEVEL_NODE, "");

    ck_assert_uint_eq(rows.count, 4);
    check_joules(node, DOMAIN_SUM, MODE_ALL, 40);
    check_joules(node, DOMAIN_CORE, MODE_ALL, 20);
    check_joules(node, DOMAIN_PLATFORM, MODE_ALL, 100);
    check_joules(row_of(&rows, LEVEL_NAMESPACE, "n"), DOMAIN_SUM, MODE_ALL, 3);
    check_joules(row_of(&rows, LEVEL_JOB, "17"), DOMAIN_SUM, MODE_ALL, 5);
    ck_assert_int_eq(row_of(&rows, LEVEL_JOB, "17")->quality, QUALITY_MODELLED);
    ck_assert_uint_eq(notices.count, 0);
}
END_TEST

START_TEST(doubts)
{
    take_two("kepler_container_package_joules_total{pod_name=\"p\"} 50\n"
             "node_rapl_package_joules_total 1\n",
             "kepler_container_package_joules_total{pod_name=\"p\"} 4\n"
             "kepler_container_package_joules_total{pod_name=\"q\"} 4\n"
             "node_rapl_package_joules_total 2\n");

    check_joules(row_of(&rows, LEVEL_POD, "q"), DOMAIN_SUM, MODE_ALL, NAN);
    ck_assert_uint_eq(workload_row_sum(row_of(&rows, LEVEL_POD, "q"))->single, 1);
    ck_assert_uint_eq(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->resets, 1);
    ck_assert(noticed("1 counter began again, 1 time"));
    ck_assert(noticed("1 counter was reported only once"));
    ck_assert(!noticed("is left out")); /* a node and pods are not the same */
}
END_TEST

START_TEST(totals)
{
    const struct kind_window window = { .from_s = NAN, .to_s = NAN, .untimed = true, .totals = true };
    static const char text[] = "node_rapl_package_joules_total 5\nkepler_container_joules_total{pod_name=\"p\"} 7\n"
                               "scaph_host_power_microwatts 5\n";
    struct series_set set = { .items = NULL };

    add_text(&set, 0, text, sizeof text - 1);
    ck_assert_uint_eq(exporters_found(&set),
                      1u << EXPORTER_NODE | 1u << EXPORTER_KEPLER_OLD | 1u << EXPORTER_SCAPHANDRE);
    take(&set, &window);
    check_joules(row_of(&rows, LEVEL_POD, "p"), DOMAIN_SUM, MODE_ALL, 7);
    ck_assert_double_nan(workload_row_sum(row_of(&rows, LEVEL_POD, "p"))->watts);
    for (size_t i = 0; i < rows.count && rows.items[i].level == LEVEL_NODE; i++)
        check_joules(&rows.items[i], DOMAIN_SUM, MODE_ALL, rows.items[i].kind == EXPORTER_NODE ? 5 : NAN);
    series_set_close(&set);
}
END_TEST

/* The joules that the shared cases say of their pairs of texts. */
START_TEST(real_texts)
{
    struct series_set set = { .items = NULL };

    if (!unit_shared()) {
        fputs("the shared cases are not there: real texts are not worked out\n", stderr);
        return;
    }
    add_case(&set, 0, "new/constructed-v0.11-t0.prom");
    add_case(&set, 30, "new/constructed-v0.11-t1.prom");
    take(&set, &half_minute);
    check_joules(row_of(&rows, LEVEL_NODE, "node-1"), DOMAIN_PACKAGE, MODE_ALL, 360);
    check_joules(row_of(&rows, LEVEL_NODE, "node-1"), DOMAIN_DRAM, MODE_ALL, 36);
    check_joules(row_of(&rows, LEVEL_NODE, "node-1"), DOMAIN_CORE, MODE_ALL, 280);
    check_joules(row_of(&rows, LEVEL_NODE, "node-1"), DOMAIN_GPU, MODE_ALL, 3000);
    check_joules(row_of(&rows, LEVEL_NODE, "node-1"), DOMAIN_SUM, MODE_ALL, 3396);
    check_joules(row_of(&rows, LEVEL_CONTAINER, "web"), DOMAIN_PACKAGE, MODE_ALL, 36);
    check_joules(row_of(&rows, LEVEL_POD, "web-7d9"), DOMAIN_PACKAGE, MODE_ALL, 45);
    check_joules(row_of(&rows, LEVEL_POD, "web-7d9"), DOMAIN_DRAM, MODE_ALL, 4.5);
    check_joules(row_of(&rows, LEVEL_CONTAINER, "job"), DOMAIN_SUM, MODE_ALL, NAN);
    ck_assert_str_eq(row_of(&rows, LEVEL_CONTAINER, "web")->pod, "web-7d9");
    series_set_close(&set);
    add_case(&set, 1, "node_exporter-e2e-output.txt");
    ck_assert_uint_eq(exporters_found(&set), 1u << EXPORTER_NODE);
    series_set_close(&set);
    add_case(&set, 1, "old/issue-635.prom");
    ck_assert_uint_eq(exporters_found(&set), 1u << EXPORTER_KEPLER_OLD);
    series_set_close(&set);
}
END_TEST

/* A matrix of Prometheus, as far as a set needs it. */
static void add_matrix(struct series_set *set, const char *metric)
{
    char path[512];
    struct series_builder builder;
    struct error err;
    struct cJSON *document;
    const struct cJSON *result;

    snprintf(path, sizeof path, "%s/cases/kepler/prometheus/query_range-%s.json", unit_shared(), metric);
    document = json_read(path, &err);
    ck_assert_msg(document != NULL, "%s", path);
    result = json_member(json_member(document, "data"), "result");
    series_builder_open(&builder, set);
    for (const struct cJSON *item = json_first(result); item; item = json_next(item)) {
        struct series_label labels[SERIES_LABELS_MAX];
        size_t count = 0, index;
        for (const struct cJSON *label = json_items(json_member(item, "metric")); label; label = json_next(label))
            if (strcmp(json_key(label), "__name__") != 0)
                labels[count++] = (struct series_label){ json_key(label), json_text(label) };
        ck_assert(series_builder_get(&builder, metric, labels, count, &index, &err));
        for (const struct cJSON *pair = json_first(json_member(item, "values")); pair; pair = json_next(pair))
            ck_assert(series_builder_add(&builder, index, json_number(json_first(pair)),
                                         strtod(json_text(json_next(json_first(pair))), NULL), &err));
    }
    series_builder_close(&builder);
    json_close(document);
}

struct expecting {
    const struct workload_rows *rows;
    size_t checked;
};

static void check_close(const struct csv_row *row, int column, double is, double tolerance)
{
    const double expected = strtod(row->fields[column], NULL);

    if (!(fabs(is - expected) <= tolerance))
        ck_abort_msg("%s %s %s is %.6f, not %s", row->fields[1], row->fields[2], row->fields[3], is,
                     row->fields[column]);
}

static bool check_expected(const struct csv_row *row, void *context, struct error *err)
{
    struct expecting *expecting = context;
    const struct kind_family *family;
    const struct energy_figure *figure;
    enum energy_mode mode = MODE_ALL;

    (void)err;
    if (row->line == 1)
        return true;
    family = kind_family_of(row->fields[2]);
    while (strcmp(energy_mode_name(mode), row->fields[3]) != 0)
        mode++;
    figure = &row_of(expecting->rows, LEVEL_POD, row->fields[1])->figures[family->part][mode];
    ck_assert_str_eq(row_of(expecting->rows, LEVEL_POD, row->fields[1])->namespace, row->fields[0]);
    check_close(row, 4, (double)figure->series, 0);
    check_close(row, 5, figure->first_s, 0);
    check_close(row, 6, figure->last_s, 0);
    check_close(row, 7, figure->joules, 0.000501);
    check_close(row, 8, figure->watts, 0.000000501);
    check_close(row, 9, figure->irate_w, 0.000000501);
    expecting->checked++;
    return true;
}

START_TEST(expected_joules)
{
    static const char *const parts[] = { "", "package_", "dram_", "core_", "uncore_", "other_", "gpu_" };
    const struct kind_window window = { .from_s = 1702462599, .to_s = 1702462686 };
    struct series_set set = { .items = NULL };
    struct expecting expecting = { .checked = 0 };
    struct error err;
    char path[512];

    if (!unit_shared()) {
        fputs("the shared cases are not there: expected.csv is not held against\n", stderr);
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char metric[64];
        snprintf(metric, sizeof metric, "kepler_container_%sjoules_total", parts[i]);
        add_matrix(&set, metric);
    }
    series_set_sort(&set);
    take(&set, &window);
    expecting.rows = &rows;
    snprintf(path, sizeof path, "%s/cases/kepler/prometheus/expected.csv", unit_shared());
    ck_assert_msg(csv_read(path, check_expected, &expecting, &err), "%s: %s", err.what, err.why);
    ck_assert_uint_eq(expecting.checked, EXPECTED_ROWS);
    for (size_t i = 0; i < rows.count; i++)
        ck_assert_double_eq_tol(joules(&rows.items[i], DOMAIN_SUM, MODE_ALL),
                                joules(&rows.items[i], DOMAIN_OWN_SUM, MODE_ALL), 1e-6);
    ck_assert_uint_eq(notices.count, 0);
    series_set_close(&set);
}
END_TEST

UNIT_SUITE_IN("kind", NULL, end, names, old_kepler, old_kepler_idle_total, first_kepler, new_kepler, node_exporter,
              scaphandre, carbon_itself, doubts, totals, real_texts, expected_joules)
