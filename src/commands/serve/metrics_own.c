/* SPDX-License-Identifier: MIT
 * What the exporter itself is, costs and complains of. */
#include "config.h"

#include "base/units.h"
#include "commands/serve/metrics.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct metric_family notice = { "carbon_notice_info", METRIC_INFO, "",
                                             "What is doubtful about the figures, or missing." };
static const struct metric_family scrapes = { "carbon_scrapes_total", METRIC_COUNTER, "",
                                              "Answers to requests of /metrics, as of the last collection." };
static const struct metric_family collections = { "carbon_collections_total", METRIC_COUNTER, "",
                                                  "Collections of figures: one every resolution interval." };
static const struct metric_family collection = { "carbon_collection_duration_seconds", METRIC_GAUGE, "seconds",
                                                 "How long the last collection took." };
static const struct metric_family cpu = { "process_cpu_seconds_total", METRIC_COUNTER, "seconds",
                                          "CPU time of the exporter itself." };
static const struct metric_family memory = { "process_resident_memory_bytes", METRIC_GAUGE, "bytes",
                                             "Resident memory of the exporter itself." };
static const struct metric_family started = { "process_start_time_seconds", METRIC_GAUGE, "seconds",
                                              "When the exporter was started, since 1970." };
static const struct metric_family begun = { "carbon_totals_start_time_seconds", METRIC_GAUGE, "seconds",
                                            "When the totals of energy and emissions were 0, since 1970: with --state "
                                            "before this process. Absent where it is not known." };
static const struct metric_family build = { "carbon_build_info", METRIC_INFO, "", "The version of carbon." };

static double cpu_s(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return NAN;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / US_PER_S;
}

static double resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long all, resident;
    const bool read = file && fscanf(file, "%lu %lu", &all, &resident) == 2;

    if (file)
        fclose(file);
    return read ? (double)resident * (double)sysconf(_SC_PAGESIZE) : NAN;
}

static void write_notice(const struct notice *said, struct metric_text *metrics)
{
    const struct metric_label labels[] = {
        { "what", said->what },
        { "why", said->why },
        { "kind", notice_kind_name(said->kind) },
    };

    metric_sample(metrics, labels, 3, 1);
}

static void write_notices(const struct collector *collector, struct metric_text *metrics)
{
    const struct notices *notices = collector->notices, *findings = &collector->meter->findings;

    metric_begin(metrics, &notice);
    for (size_t i = 0; i < notices->count; i++)
        write_notice(&notices->item[i], metrics);
    for (size_t i = 0; i < findings->count; i++)
        write_notice(&findings->item[i], metrics);
    if (collector->unkept) {
        const struct notice unkept = notice_of_error(collector->unkept);

        write_notice(&unkept, metrics);
    }
}

static void write_one(struct metric_text *metrics, const struct metric_family *family, double value)
{
    metric_begin(metrics, family);
    metric_sample(metrics, NULL, 0, value);
}

void metrics_own(const struct collector *collector, struct metric_text *metrics)
{
    const struct metric_label version = { "version", PACKAGE_VERSION };

    write_notices(collector, metrics);
    write_one(metrics, &collections, (double)collector->collections);
    write_one(metrics, &collection, collector->collect_s);
    write_one(metrics, &scrapes, (double)collector->scrapes);
    write_one(metrics, &cpu, cpu_s());
    write_one(metrics, &memory, resident_bytes());
    write_one(metrics, &started, (double)collector->started_s);
    write_one(metrics, &begun, collector->begun_s ? (double)collector->begun_s : NAN);
    metric_begin(metrics, &build);
    metric_sample(metrics, &version, 1, 1);
}

void metrics_list_own(struct metric_text *metrics)
{
    static const struct metric_family *const families[] = {
        &notice, &collections, &collection, &scrapes, &cpu, &memory, &started, &begun, &build,
    };

    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        metric_begin(metrics, families[i]);
}
