/* SPDX-License-Identifier: MIT
 * Answers of the stats API, whatever engine and version of control groups they come from. */
#include "container/container_stats.h"

#include "base/c_locale.h"
#include "container/ask.h"

#include <math.h>
#include <string.h>

#define TWO_TO_64 18446744073709551616.0
/* What the kernel says where there is no limit: all that a 64-bit number holds, or (version 1) that of a signed one in
 * whole pages. */
#define NO_LIMIT 9.2e18

/* A whole number may be written as 3.08e+14. Doubles are exact up to 2^53: 104 days in ns. */
static struct stats_figure figure_of(const struct cJSON *object, const char *key)
{
    const double number = json_number_of(object, key);

    return number >= 0 && number < TWO_TO_64 ? (struct stats_figure){ true, (uint64_t)number }
                                             : (struct stats_figure){ false, 0 };
}

static void add(struct stats_figure *sum, struct stats_figure figure)
{
    if (!figure.known)
        return;
    sum->known = true;
    sum->value += figure.value;
}

static struct stats_figure positive(struct stats_figure figure)
{
    figure.known = figure.known && figure.value > 0;
    return figure;
}

static void read_cpu(const struct cJSON *json, struct container_stats *stats)
{
    const struct cJSON *now = json_member(json, "cpu_stats"), *before = json_member(json, "precpu_stats");
    const struct cJSON *usage = json_member(now, "cpu_usage");
    const struct stats_figure cpus = figure_of(now, "online_cpus"),
                              machine_before_ns = positive(figure_of(before, "system_cpu_usage"));

    stats->system_cpu_ns = positive(figure_of(now, "system_cpu_usage"));
    stats->cpu_ns = figure_of(usage, "total_usage");
    stats->user_ns = figure_of(usage, "usage_in_usermode");
    stats->system_ns = figure_of(usage, "usage_in_kernelmode");
    stats->cpus = cpus.known && cpus.value > 0 && cpus.value < UINT32_MAX
                      ? (unsigned)cpus.value
                      : (unsigned)json_count(json_member(usage, "percpu_usage"));
    /* a first sample has none of the machine, or is this one again */
    if (machine_before_ns.known && stats->system_cpu_ns.known && machine_before_ns.value < stats->system_cpu_ns.value) {
        stats->before_cpu_ns = figure_of(json_member(before, "cpu_usage"), "total_usage");
        stats->before_system_cpu_ns = machine_before_ns;
    }
}

static void read_memory(const struct cJSON *json, struct container_stats *stats)
{
    const struct cJSON *memory = json_member(json, "memory_stats"), *details = json_member(memory, "stats");
    struct stats_figure inactive = figure_of(details, "total_inactive_file"); /* version 1, with the groups below it */

    if (!inactive.known)
        inactive = figure_of(details, "inactive_file");
    stats->memory_bytes = stats->working_set_bytes = figure_of(memory, "usage");
    if (inactive.known && stats->working_set_bytes.known)
        stats->working_set_bytes.value -=
            inactive.value < stats->working_set_bytes.value ? inactive.value : stats->working_set_bytes.value;
    stats->memory_peak_bytes = positive(figure_of(memory, "max_usage"));
    stats->memory_limit_bytes = positive(figure_of(memory, "limit"));
    if ((double)stats->memory_limit_bytes.value > NO_LIMIT)
        stats->memory_limit_bytes.known = false;
}

static void read_network(const struct cJSON *json, struct container_stats *stats)
{
    const struct cJSON *old = json_member(json, "network"); /* before 2015, when there was but one */

    for (const struct cJSON *net = json_items(json_member(json, "networks")); net; net = json_next(net)) {
        add(&stats->received_bytes, figure_of(net, "rx_bytes"));
        add(&stats->sent_bytes, figure_of(net, "tx_bytes"));
    }
    if (!stats->received_bytes.known && !stats->sent_bytes.known) {
        stats->received_bytes = figure_of(old, "rx_bytes");
        stats->sent_bytes = figure_of(old, "tx_bytes");
    }
}

static void read_devices(const struct cJSON *json, struct container_stats *stats)
{
    const struct cJSON *item = json_first(json_member(json_member(json, "blkio_stats"), "io_service_bytes_recursive"));

    for (; item; item = json_next(item)) {
        const char *operation = json_text_of(item, "op");
        if (c_strcasecmp(operation, "read") == 0)
            add(&stats->read_bytes, figure_of(item, "value"));
        else if (c_strcasecmp(operation, "write") == 0)
            add(&stats->written_bytes, figure_of(item, "value"));
    }
}

/* Whoever runs has used CPU time: a zero is of one that has stopped, or (podman without root) of one without a group of
 * its own, beside which stands what all of the machine has of memory. */
static bool nobody_counted(const struct container_stats *stats)
{
    return stats->cpu_ns.known && stats->cpu_ns.value == 0;
}

static bool read_stats(const struct cJSON *json, struct container_stats *stats, struct error *err)
{
    const char *message = json_text_of(json, "message");

    *stats = (struct container_stats){ .cpus = 0 };
    if (json_kind(json_member(json, "cpu_stats")) != JSON_OBJECT &&
        json_kind(json_member(json, "memory_stats")) != JSON_OBJECT) {
        error_set(err, ERROR_BAD_DATA, "not an answer with container statistics");
        return *message ? error_why(err, "it says: %.200s", message) : error_why(err, "it has neither CPU nor memory");
    }
    read_cpu(json, stats);
    read_memory(json, stats);
    read_network(json, stats);
    read_devices(json, stats);
    if (nobody_counted(stats))
        *stats = (struct container_stats){ .cpus = 0 };
    return true;
}

bool container_stats_parse(const char **text, struct container_stats *stats, struct error *err)
{
    struct cJSON *json = json_parse_next(text, "the answer of the engine", err);
    const bool good = json && read_stats(json, stats, err);

    json_close(json);
    return good;
}

double stats_cpu_percent(struct stats_figure cpu_before_ns, struct stats_figure cpu_ns,
                         struct stats_figure machine_before_ns, struct stats_figure machine_ns)
{
    if (!cpu_before_ns.known || !cpu_ns.known || !machine_before_ns.known || !machine_ns.known ||
        cpu_ns.value < cpu_before_ns.value || machine_ns.value <= machine_before_ns.value)
        return NAN;
    return 100.0 * (double)(cpu_ns.value - cpu_before_ns.value) / (double)(machine_ns.value - machine_before_ns.value);
}

static bool fail_absent(const struct engine *engine, const char *id, struct error *err)
{
    error_set(err, ERROR_ABSENT, "no container '%.100s'", id);
    return error_why(err, "%s has none of that id or name", engine_name(engine->kind));
}

bool container_stats(const struct engine *engine, const char *id, struct container_stats *stats, struct error *err)
{
    struct engine_answer answer = { .status = 404 };
    struct text path;
    bool good;

    *stats = (struct container_stats){ .cpus = 0 };
    good = !path_of_container(&path, id, "/stats?stream=false&one-shot=true") ||
           engine_ask(engine, "GET", &path, NULL, &answer, err);
    text_close(&path);
    if (good && answer.status == 404)
        good = fail_absent(engine, id, err);
    else if (good && !answer_is_good(&answer))
        good = answer_refused(engine, &answer, err, ERROR_SYSTEM, "cannot get the statistics of '%.100s'", id);
    else if (good && answer.json) /* podman says nothing at all of one that has stopped */
        good = read_stats(answer.json, stats, err);
    answer_close(&answer);
    /* podman counts the busy time of the CPUs alone there, and not all their time (Docker) */
    if (engine->kind == ENGINE_PODMAN)
        stats->system_cpu_ns = stats->before_cpu_ns = stats->before_system_cpu_ns = (struct stats_figure){ false, 0 };
    return good;
}
